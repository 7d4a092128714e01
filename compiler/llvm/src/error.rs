//! Options and programs that cannot be compiled.
//!
//! Invariant: each error is found before LLVM sees its cause, since LLVM would print a message or abort.

use std::fmt;

/// Why a program cannot be compiled with these options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// No machine that we can compile for.
    UnknownTarget {
        /// The triple.
        triple: String,
    },
    /// The names of the entries beside unique ones, for a system whose object files are not ELF.
    NoPlainNames {
        /// The triple.
        triple: String,
    },
    /// No processor of the architecture.
    UnknownCpu {
        /// The name.
        cpu: String,
        /// The architecture.
        arch: &'static str,
        /// Names that it could have been.
        similar: Vec<&'static str>,
    },
    /// Code for several processors was asked for, and one of them is no level.
    NoLevel {
        /// The name.
        cpu: String,
    },
    /// No feature of the architecture that can be chosen.
    UnknownFeature {
        /// As given.
        feature: String,
        /// The architecture.
        arch: &'static str,
        /// Names that it could have been.
        similar: Vec<&'static str>,
    },
    /// This machine's processor was asked for, but the target is another machine.
    NativeElsewhere {
        /// The triple.
        triple: String,
    },
    /// Two C functions would have one name.
    SymbolClash {
        /// The name.
        symbol: String,
    },
    /// The name belongs to the runtime.
    ReservedSymbol {
        /// The name.
        symbol: String,
    },
}

impl Error {
    /// What to do about it, in one line.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            Self::UnknownTarget { .. } => {
                "targets are 64-bit x86 and ARM, such as x86_64-unknown-linux-gnu or \
                 aarch64-unknown-linux-gnu"
                    .to_owned()
            }
            Self::NoPlainNames { .. } => {
                "`--unique-names` leaves them out: callers use the names of the header".to_owned()
            }
            Self::UnknownCpu { similar, .. } if similar.is_empty() => {
                "`native` stands for this machine's processor".to_owned()
            }
            Self::NoLevel { .. } => {
                "the levels are x86-64, x86-64-v2, x86-64-v3 and x86-64-v4".to_owned()
            }
            Self::UnknownFeature { similar, .. } if similar.is_empty() => {
                "features are written `+avx2` to use one and `-avx2` not to".to_owned()
            }
            Self::UnknownCpu { similar, .. } | Self::UnknownFeature { similar, .. } => {
                format!("did you mean {}?", similar.join(" or "))
            }
            Self::NativeElsewhere { .. } => {
                "name the processor of the target, or leave it out for what all of them have"
                    .to_owned()
            }
            Self::SymbolClash { .. } | Self::ReservedSymbol { .. } => {
                "rename the entry, or give all symbols a prefix".to_owned()
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTarget { triple } => write!(f, "cannot compile for the target `{triple}`"),
            Self::NoPlainNames { triple } => write!(
                f,
                "object files for `{triple}` cannot have the names of the entries beside the unique ones"
            ),
            Self::UnknownCpu { cpu, arch, .. } => write!(f, "`{cpu}` is no {arch} processor"),
            Self::NoLevel { cpu } => {
                write!(
                    f,
                    "`{cpu}` is no level of x86-64, for which a program can have code beside that for others"
                )
            }
            Self::UnknownFeature { feature, arch, .. } => {
                write!(f, "`{feature}` is no feature of {arch} processors")
            }
            Self::NativeElsewhere { triple } => {
                write!(f, "this machine's processor does not run code for `{triple}`")
            }
            Self::SymbolClash { symbol } => write!(f, "two C functions would be named `{symbol}`"),
            Self::ReservedSymbol { symbol } => {
                write!(f, "the C function `{symbol}` would have a name of the runtime")
            }
        }
    }
}

impl std::error::Error for Error {}

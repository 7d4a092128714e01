//! The options of a compilation.
//!
//! Invariant: the defaults are those of `arrc build`: every optimisation, the host's system, and a
//! processor that every machine of that architecture has.

/// What to compile for, and how well.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How much LLVM optimises.
    pub opt_level: OptLevel,
    /// The target triple; none for the host's.
    pub triple: Option<String>,
    /// The processor.
    pub cpu: Cpu,
    /// Features of the processor beyond what it has (`+avx2`), or not to be used (`-avx512f`).
    pub features: Vec<String>,
    /// Whether passes that LLVM would run one step at a time run in vectors.
    pub vectors: Vectors,
    /// Whether [`Module::vectors`](crate::Module::vectors) says what LLVM made of the loops that are left to it.
    pub remarks: bool,
    /// Whether LLVM's passes are left out. The notes then say only which passes arrc itself runs in vectors.
    pub only_lowered: bool,
    /// The sanitizer whose checks are added.
    pub sanitizer: Option<Sanitizer>,
    /// Whether the code has the lines of the source, for debuggers and profilers.
    pub debug: bool,
    /// The names by which the linker knows the functions of entries.
    pub names: Names,
}

/// The names by which the linker knows the functions of entries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Names {
    /// Those of the entries.
    #[default]
    Plain,
    /// Those of the entries behind this text, which no other program has.
    Unique(String),
    /// Both. The plain names are functions that jump to the unique ones.
    Both(String),
}

impl Names {
    /// The text before the names of the functions that have the code.
    pub(crate) fn before(&self) -> &str {
        match self {
            Self::Plain => "",
            Self::Unique(before) | Self::Both(before) => before,
        }
    }
}

/// A sanitizer, whose checks are added to the code. The checks call the sanitizer's library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sanitizer {
    /// AddressSanitizer: every read and write is inside of an allocation.
    Address,
    /// ThreadSanitizer: threads that use the same memory wait for each other.
    Thread,
}

/// How much LLVM optimises, as `-O0` to `-O3`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OptLevel {
    /// Not at all.
    O0,
    /// Quickly.
    O1,
    /// Well.
    O2,
    /// As well as it can.
    #[default]
    O3,
}

/// Which processor's instructions may be used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Cpu {
    /// The instructions that every machine of the architecture has.
    #[default]
    Baseline,
    /// This machine's.
    Native,
    /// LLVM's name of one, such as `znver3`.
    Named(String),
    /// Levels of x86-64, such as `x86-64-v3`. The program has code for each of them, and chooses when it runs.
    Levels(Vec<String>),
}

impl Cpu {
    /// The processor as given on a command line: `native`, a name, or levels with commas between.
    #[must_use]
    pub fn from_argument(text: &str) -> Self {
        match text {
            "native" => Self::Native,
            levels if levels.contains(',') => {
                Self::Levels(levels.split(',').map(|name| name.trim().to_owned()).collect())
            }
            name => Self::Named(name.to_owned()),
        }
    }
}

/// Whether passes that LLVM would run one step at a time run in vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Vectors {
    /// From level 2 on, as LLVM's vectorisers.
    #[default]
    Auto,
    /// The same, but every array counts as larger than the caches, to test the code for large arrays.
    Streamed,
    /// Never.
    None,
}

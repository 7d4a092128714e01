//! Errors of the loader.

use std::fmt;
use std::io;

/// The reason for which object files cannot be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// A file is not an object file, is for another machine, or has something that only a linker can place.
    Malformed {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Nothing defines a function that a file calls.
    Undefined {
        /// The file.
        file: String,
        /// The function.
        symbol: String,
    },
    /// Two files define one function.
    Twice {
        /// The function.
        symbol: String,
        /// The files.
        files: [String; 2],
    },
    /// A file has a kind of reference that only a linker can resolve.
    Reference {
        /// The file.
        file: String,
        /// What it refers to.
        symbol: String,
        /// The number of this kind in the file format.
        number: u32,
    },
    /// The system cannot load a shared library.
    Library {
        /// The file.
        file: String,
        /// The message of the system.
        problem: String,
    },
    /// The system cannot map or protect memory.
    Memory(io::Error),
}

impl LoadError {
    /// An error about a malformed file.
    pub(crate) fn malformed(file: &str, problem: impl fmt::Display) -> Self {
        Self::Malformed { file: file.to_owned(), problem: problem.to_string() }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { file, problem } => write!(f, "`{file}`: {problem}"),
            Self::Undefined { file, symbol } => write!(
                f,
                "`{file}` refers to `{symbol}`, which nothing defines: link the file that does as well"
            ),
            Self::Twice { symbol, files: [one, other] } => {
                write!(
                    f,
                    "`{symbol}` is defined in `{one}` and in `{other}`: leave one of them out"
                )
            }
            Self::Reference { file, symbol, number } => write!(
                f,
                "`{file}` refers to `{symbol}` as only programs can (reference {number}): compile it with `-fPIC`"
            ),
            Self::Library { file, problem } => {
                write!(f, "the shared library `{file}` cannot be loaded: {problem}")
            }
            Self::Memory(error) => write!(f, "no memory for machine code: {error}"),
        }
    }
}

impl std::error::Error for LoadError {}

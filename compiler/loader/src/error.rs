//! Why an object file cannot be loaded.

use std::fmt;
use std::io;

/// Why an object file cannot be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// It is no object file, or not for this machine.
    Malformed(String),
    /// Nothing defines a function that it calls.
    Undefined {
        /// The function.
        symbol: String,
    },
    /// It has a reference that this loader does not know.
    Relocation {
        /// The number that the format gives such references.
        number: u32,
        /// What it refers to.
        symbol: String,
    },
    /// The system gives no memory, or does not protect it.
    Memory(io::Error),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(problem) => write!(f, "no object file of this machine: {problem}"),
            Self::Undefined { symbol } => write!(f, "nothing defines the function `{symbol}`"),
            Self::Relocation { number, symbol } => {
                write!(f, "the reference of type {number} to `{symbol}` is not known here")
            }
            Self::Memory(error) => write!(f, "no memory for machine code: {error}"),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<object::Error> for LoadError {
    fn from(error: object::Error) -> Self {
        Self::Malformed(error.to_string())
    }
}

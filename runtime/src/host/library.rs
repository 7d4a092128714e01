//! An opened shared library, and the functions of the runtime inside.
//!
//! Invariant: the library stays loaded as long as a function pointer taken from it is used;
//! [`Library`] owns it, and sessions borrow that.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use super::session::{RunError, Session, SessionOptions};
use super::value::{Value, ValueType};
use arr_abi::function::{Abi, Public};
use arr_abi::layout::{self, INTO, UNIFORM};
use arr_rt::buffer::Buffer;
use arr_rt::context::Context;

/// The type of `NAME__uniform`.
pub(super) type Uniform = layout::Uniform<Context>;

/// A shared library that arrc made.
///
/// It is trusted like a program that one starts. Its entries are called with the types that are passed in, which have
/// to be those of its source.
#[derive(Debug)]
pub struct Library {
    library: libloading::Library,
    /// The functions of the runtime in the library. Pointers, not symbols: the library outlives them.
    pub(super) runtime: Public<Context, Buffer>,
}

/// Why a library cannot be used.
#[derive(Debug)]
pub enum HostError {
    /// The file cannot be loaded.
    Load {
        /// The file.
        path: PathBuf,
        /// The system's message.
        reason: String,
    },
    /// It is no library of this version of arrc: a function of the runtime is missing.
    NotArr {
        /// The file.
        path: PathBuf,
        /// The missing symbol.
        symbol: &'static str,
    },
    /// There is no memory for a context.
    NoContext,
}

impl Library {
    /// Loads a library.
    ///
    /// # Errors
    /// The file cannot be loaded, or has no runtime of this version inside.
    pub fn open(path: &Path) -> Result<Self, HostError> {
        let load = |reason: String| HostError::Load { path: path.to_path_buf(), reason };
        // A bare name would be searched for in the system's folders.
        let whole = std::fs::canonicalize(path).map_err(|error| load(error.to_string()))?;
        // SAFETY: libraries that arrc makes run nothing when they are loaded or unloaded.
        let library =
            unsafe { libloading::Library::new(whole) }.map_err(|error| load(error.to_string()))?;
        let runtime = runtime_in(&library)
            .map_err(|symbol| HostError::NotArr { path: path.to_path_buf(), symbol })?;
        Ok(Self { library, runtime })
    }

    /// The running program itself, if it was made by `arrc build --exe`: its entries and its runtime.
    ///
    /// # Errors
    /// The program exports no runtime of this version.
    pub fn this() -> Result<Self, HostError> {
        let library = libloading::Library::from(libloading::os::unix::Library::this());
        let runtime = runtime_in(&library)
            .map_err(|symbol| HostError::NotArr { path: PathBuf::from("this program"), symbol })?;
        Ok(Self { library, runtime })
    }

    /// Calls an entry once, in a context of its own.
    ///
    /// # Errors
    /// The call fails, there is no such entry, or no context could be made.
    pub fn call(
        &self,
        entry: &str,
        inputs: &[Value],
        outputs: &[ValueType],
    ) -> Result<Vec<Value>, RunError> {
        let session =
            Session::new(self, &SessionOptions::default()).map_err(RunError::from_host)?;
        session.call(entry, inputs, outputs)
    }

    /// The uniform function of an entry, if the library has that entry.
    pub(super) fn uniform(&self, entry: &str) -> Option<Uniform> {
        self.function(&format!("{entry}{UNIFORM}"))
    }

    /// The same for results in memory of the caller, if the entry gives arrays.
    pub(super) fn uniform_into(&self, entry: &str) -> Option<Uniform> {
        self.function(&format!("{entry}{UNIFORM}{INTO}"))
    }

    fn function(&self, symbol: &str) -> Option<Uniform> {
        // SAFETY: symbols of that name have that signature, in libraries that arrc makes.
        unsafe { self.library.get::<Uniform>(symbol.as_bytes()) }.ok().map(|symbol| *symbol)
    }
}

/// The functions of the runtime in a library, or the symbol that it lacks.
fn runtime_in(library: &libloading::Library) -> Result<Public<Context, Buffer>, &'static str> {
    const SYMBOL: &str = arr_abi::symbol!();
    // SAFETY: a symbol of that name has that type, as its version number ensures. The library is loaded.
    unsafe {
        let abi = library.get::<*const Abi<Context, Buffer>>(SYMBOL.as_bytes());
        abi.map(|abi| (**abi).public).map_err(|_| SYMBOL)
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load { path, reason } => write!(f, "cannot load {}: {reason}", path.display()),
            Self::NotArr { path, symbol } => {
                write!(
                    f,
                    "{} is no library of this version of arrc: it lacks {symbol}",
                    path.display()
                )
            }
            Self::NoContext => f.write_str("there is no memory for a context"),
        }
    }
}

impl Error for HostError {}

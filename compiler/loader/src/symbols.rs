//! The functions that compiled programs call and do not define.
//!
//! Invariant: the functions of the runtime are those of the crate in this process, with the names and the order of
//! `arr_abi`. So a new function there is found without a change here. The functions are found although the process
//! does not export their names.

use std::ffi::{CStr, CString, c_void};

use arr_abi::function::{PublicFn, RuntimeFn};
use arr_abi::layout::POOL;

use crate::error::LoadError;

/// A function of the runtime or of its pool of threads in this process: those that compiled code calls, and those
/// that the header declares.
pub(crate) fn runtime(name: &str) -> Option<*const ()> {
    if name == arr_abi::symbol!() {
        return Some((&raw const arr_rt::ABI).cast());
    }
    if name == POOL {
        return Some(arr_parallel::arr_parallel_for as *const ());
    }
    let place = |names: &[&str]| names.iter().position(|known| *known == name);
    if let Some(place) = place(&RuntimeFn::NAMES) {
        return Some(arr_rt::COMPILED.addresses()[place].cast());
    }
    Some(arr_rt::ABI.public.addresses()[place(&PublicFn::NAMES)?].cast())
}

/// A function of the C library.
pub(crate) fn c(name: &str) -> Option<*const ()> {
    // The process may not have loaded the functions of floats.
    let math = || Library::open("libm.so.6").ok()?.find(name);
    Library(libc::RTLD_DEFAULT).find(name).or_else(math)
}

/// A shared library in this process. It is never closed, since its code may have left references to it anywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Library(*mut c_void);

// SAFETY: the value only names the library, and every thread may call the system's functions with it.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

impl Library {
    /// Loads the library by its path, or by the name that the system has for it. Its names stay hidden from other
    /// libraries.
    pub(crate) fn open(file: &str) -> Result<Self, LoadError> {
        let wrong = |problem: String| LoadError::Library { file: file.to_owned(), problem };
        let path = CString::new(file).map_err(|error| wrong(error.to_string()))?;
        // SAFETY: the path ends in NUL. The author of the library is responsible for the code that runs when it is
        // loaded.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if library.is_null() {
            // SAFETY: the text of the last error of this thread ends in NUL, and is valid until the next call.
            let problem = unsafe { libc::dlerror().as_ref().map(|text| CStr::from_ptr(text)) };
            let problem =
                problem.map_or_else(String::new, |text| text.to_string_lossy().into_owned());
            return Err(wrong(problem));
        }
        Ok(Self(library))
    }

    /// The address of the function or data with this name, in this library or in the libraries that it needs.
    pub(crate) fn find(self, name: &str) -> Option<*const ()> {
        let name = CString::new(name).ok()?;
        // SAFETY: the name ends in NUL, and a library that was opened is never closed.
        let found = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        (!found.is_null()).then(|| found.cast_const().cast())
    }
}

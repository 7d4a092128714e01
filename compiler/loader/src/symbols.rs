//! What compiled programs call that they do not define.
//!
//! Invariant: the functions of the runtime are those of the crate in this process, by the names and in the order that
//! `arr_abi` has them: a function that is new there is found here without a change. They are found although the process
//! does not show their names to others.

use std::ffi::{CStr, CString, c_void};

use arr_abi::function::{PublicFn, RuntimeFn};
use arr_abi::layout::POOL;

use crate::error::LoadError;

/// A function of the runtime or of its pool of threads in this process: what compiled code calls, and what the header
/// declares.
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
    // A process need not have loaded the functions of floats.
    let math = || Library::open("libm.so.6").ok()?.find(name);
    Library(libc::RTLD_DEFAULT).find(name).or_else(math)
}

/// A shared library in this process. It stays there to the end, since its code may have left traces anywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Library(*mut c_void);

// SAFETY: it only names the library, and the system's functions for it may be called by any thread.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

impl Library {
    /// Loads it, by its path or the name that the system knows it by. Its names stay hidden from others.
    pub(crate) fn open(file: &str) -> Result<Self, LoadError> {
        let wrong = |problem: String| LoadError::Library { file: file.to_owned(), problem };
        let path = CString::new(file).map_err(|error| wrong(error.to_string()))?;
        // SAFETY: the path ends in NUL; what code of the library does as it is loaded, its author answers for.
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

    /// Where a function or data of that name is, in it or in the libraries that it needs.
    pub(crate) fn find(self, name: &str) -> Option<*const ()> {
        let name = CString::new(name).ok()?;
        // SAFETY: the name ends in NUL, and a library that was opened is never closed.
        let found = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        (!found.is_null()).then(|| found.cast_const().cast())
    }
}

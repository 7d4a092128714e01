//! What compiled programs call that they do not define.
//!
//! Invariant: the functions of the runtime are those of the crate in this process, by the names and in the order that
//! `arr_abi` has them: a function that is new there is found here without a change.

use std::ffi::{CString, c_void};

use arr_abi::function::RuntimeFn;
use arr_abi::layout::POOL;

/// Where a function is; none if there is no such function.
pub type Resolve<'a> = &'a dyn Fn(&str) -> Option<*const ()>;

/// A function of the runtime or of its pool of threads in this process, or else one of the C library.
#[must_use]
pub fn runtime_or_c(name: &str) -> Option<*const ()> {
    if name == arr_abi::symbol!() {
        return Some((&raw const arr_rt::ABI).cast());
    }
    if name == POOL {
        return Some(arr_parallel::arr_parallel_for as *const ());
    }
    let place = RuntimeFn::NAMES.iter().position(|known| *known == name);
    if let Some(place) = place {
        return Some(arr_rt::COMPILED.addresses()[place].cast());
    }
    let name = CString::new(name).ok()?;
    // SAFETY: the name ends in NUL, and a library that was opened is never closed.
    let find = |library: *mut c_void| unsafe { libc::dlsym(library, name.as_ptr()) };
    let found = Some(find(libc::RTLD_DEFAULT)).filter(|found| !found.is_null());
    let found = found.or_else(|| math().map(find).filter(|found| !found.is_null()))?;
    Some(found.cast_const().cast())
}

/// The library of functions of floats, which a program need not have loaded.
fn math() -> Option<*mut c_void> {
    // SAFETY: the name ends in NUL; the library is the system's.
    let library = unsafe { libc::dlopen(c"libm.so.6".as_ptr(), libc::RTLD_LAZY) };
    (!library.is_null()).then_some(library)
}

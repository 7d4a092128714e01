//! The options of a context.
//!
//! Invariant: `Options` only ever grows at its end. A caller states the size of its version of the options by `size`.
//! The options behind it are zero, which always selects the old behaviour.

use arr_abi::layout::Options;

use crate::memory::Hook;

/// The bytes that a context keeps by default. No benchmark shows it alone.
const POOL_LIMIT: usize = 1 << 30;

/// Reads the caller's options, which may be of an older or a newer header. `None` if they contain options that this
/// runtime does not know, or make no sense.
///
/// # Safety
/// `options` is NULL or points to `size` bytes that can be read.
pub(crate) unsafe fn read(options: *const Options) -> Option<Options> {
    let mut known = Options::new();
    if options.is_null() {
        return Some(known);
    }
    // SAFETY: every version of the options begins with their size.
    let size = unsafe { options.cast::<usize>().read() };
    if size < size_of::<usize>() {
        return None;
    }
    let common = size.min(size_of::<Options>());
    // SAFETY: `common` bytes can be read there and are part of `known`. Any bytes make an
    // `Options`: nullable function pointers are `Option`s.
    unsafe {
        options.cast::<u8>().copy_to_nonoverlapping((&raw mut known).cast(), common);
    }
    for at in common..size {
        // SAFETY: below the size that the caller states.
        if unsafe { options.cast::<u8>().add(at).read() } != 0 {
            return None;
        }
    }
    (known.alloc.is_some() == known.free.is_some()).then_some(known)
}

/// The bytes that a context may keep.
pub(crate) fn pool_limit(options: &Options) -> usize {
    if options.pool_limit == 0 { POOL_LIMIT } else { options.pool_limit }
}

/// The allocator hook, if there is one.
pub(crate) fn hook(options: &Options) -> Option<Hook> {
    Some(Hook { alloc: options.alloc?, free: options.free?, user: options.user })
}

#[cfg(test)]
mod tests {
    use std::ffi::c_void;

    use super::*;

    #[test]
    fn options_of_other_headers_are_read() {
        #[repr(C)]
        struct Longer {
            known: Options,
            unknown: usize,
        }
        let mut longer = Longer { known: Options::new(), unknown: 0 };
        longer.known.size = size_of::<Longer>();
        longer.known.memory_limit = 7;
        let from_newer = &raw const longer;
        // SAFETY: `size` bytes are there.
        let read = unsafe { super::read(from_newer.cast()) };
        assert_eq!(read.expect("zeros are harmless").memory_limit, 7);
        longer.unknown = 1;
        let from_newer = &raw const longer;
        // SAFETY: as above.
        assert!(unsafe { super::read(from_newer.cast()) }.is_none(), "an option we do not know");

        let older = [2 * size_of::<usize>(), 9];
        // SAFETY: two words are there.
        let read = unsafe { super::read(older.as_ptr().cast()) }.expect("an older header");
        assert_eq!((read.memory_limit, read.stack_limit), (9, 0));
    }

    #[test]
    fn half_a_hook_is_refused() {
        unsafe extern "C" fn none(_: *mut c_void, _: usize) -> *mut c_void {
            std::ptr::null_mut()
        }
        let options = Options { alloc: Some(none), ..Options::new() };
        // SAFETY: a whole `Options`.
        assert!(unsafe { read(&raw const options) }.is_none());
        let unset = Options { size: 0, ..Options::new() };
        // SAFETY: a whole `Options`.
        assert!(unsafe { read(&raw const unset) }.is_none());
    }
}

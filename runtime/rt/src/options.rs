//! What a context can be told, and what it tells: `arr_options` and `arr_stats`.
//!
//! Invariant: `Options` only ever grows at its end. A caller says how much of it they know by
//! `size`; what they do not know is zero, which always means "as before".

use core::ffi::c_void;

use crate::memory::Hook;

/// `arr_alloc_fn`: memory for `bytes` bytes, aligned as by `malloc`, or NULL.
pub type AllocFn = unsafe extern "C" fn(user: *mut c_void, bytes: usize) -> *mut c_void;
/// `arr_free_fn`: takes back what the allocation function gave, with the same `bytes`.
pub type FreeFn = unsafe extern "C" fn(user: *mut c_void, memory: *mut c_void, bytes: usize);

/// `arr_options`: see the C header for the meaning of each field.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// `sizeof(arr_options)` as the caller knows it.
    pub size: usize,
    /// The most bytes that the arrays of the context may take or reserve together; 0: no limit.
    pub memory_limit: usize,
    /// The most bytes of stack that a call may use; 0: what the thread has.
    pub stack_limit: usize,
    /// Where memory comes from; with `free`, or neither.
    pub alloc: Option<AllocFn>,
    /// Where memory goes back to.
    pub free: Option<FreeFn>,
    /// Passed to `alloc` and `free`.
    pub user: *mut c_void,
    /// The most bytes that the context keeps of arrays that are gone; 0: [`POOL_LIMIT`].
    pub pool_limit: usize,
}

/// What a context keeps by default, in bytes.
const POOL_LIMIT: usize = 1 << 30;

/// `arr_stats`: what a context knows about its memory. Bytes count [`crate::buffer::OVERHEAD`] for
/// each array besides its elements.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Bytes in use now, outputs that were not yet freed included.
    pub bytes_live: u64,
    /// The most bytes in use at once since the last call began.
    pub bytes_peak: u64,
    /// Arrays that the last call allocated, and how often they got more memory to grow.
    pub call_allocations: u64,
    /// Bytes of elements that the last call allocated or reserved, overhead not included.
    pub call_bytes: u64,
    /// Arrays that the last call had neither released nor returned when it ended.
    pub call_left_over: u64,
    /// Bytes of arrays that are gone, kept for the next ones.
    pub bytes_kept: u64,
    /// Zero.
    pub reserved: [u64; 2],
}

impl Options {
    /// The options of a context that was told nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            size: size_of::<Self>(),
            memory_limit: 0,
            stack_limit: 0,
            alloc: None,
            free: None,
            user: core::ptr::null_mut(),
            pool_limit: 0,
        }
    }

    /// Reads the caller's options, which may be of an older or a newer header. `None` if they ask
    /// for what this runtime does not know, or make no sense.
    ///
    /// # Safety
    /// `options` is NULL or points to `size` bytes that can be read.
    pub(crate) unsafe fn read(options: *const Self) -> Option<Self> {
        let mut known = Self::new();
        if options.is_null() {
            return Some(known);
        }
        // SAFETY: every version of the options begins with their size.
        let size = unsafe { options.cast::<usize>().read() };
        if size < size_of::<usize>() {
            return None;
        }
        let common = size.min(size_of::<Self>());
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

    /// What a context may keep.
    pub(crate) fn pool_limit(&self) -> usize {
        if self.pool_limit == 0 { POOL_LIMIT } else { self.pool_limit }
    }

    /// The allocator hook, if there is one.
    pub(crate) fn hook(&self) -> Option<Hook> {
        Some(Hook { alloc: self.alloc?, free: self.free?, user: self.user })
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
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
        let read = unsafe { Options::read(from_newer.cast()) };
        assert_eq!(read.expect("zeros are harmless").memory_limit, 7);
        longer.unknown = 1;
        let from_newer = &raw const longer;
        // SAFETY: as above.
        assert!(unsafe { Options::read(from_newer.cast()) }.is_none(), "an option we do not know");

        let older = [2 * size_of::<usize>(), 9];
        // SAFETY: two words are there.
        let read = unsafe { Options::read(older.as_ptr().cast()) }.expect("an older header");
        assert_eq!((read.memory_limit, read.stack_limit), (9, 0));
    }

    #[test]
    fn half_a_hook_is_refused() {
        unsafe extern "C" fn none(_: *mut c_void, _: usize) -> *mut c_void {
            std::ptr::null_mut()
        }
        let options = Options { alloc: Some(none), ..Options::new() };
        // SAFETY: a whole `Options`.
        assert!(unsafe { Options::read(&raw const options) }.is_none());
        let unset = Options { size: 0, ..Options::new() };
        // SAFETY: a whole `Options`.
        assert!(unsafe { Options::read(&raw const unset) }.is_none());
    }
}

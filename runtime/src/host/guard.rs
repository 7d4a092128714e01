//! Memory beside a page that traps, so that an access outside of an array is found at once.
//!
//! Invariant: the memory next to a block on the guarded side can neither be read nor written.
//!
//! ```text
//! behind   … header elements│guard        before   guard│header elements …
//! ```

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use arr_abi::layout::{AllocFn, FreeFn};

/// The side on which memory is guarded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// Before its first byte.
    Before,
    /// Behind its last byte.
    Behind,
}

/// The unit of memory protection, or a multiple of it.
const PAGE: usize = 1 << 14;
/// The alignment of blocks. The runtime asks for this many more bytes, to align its blocks.
const ALIGN: usize = 64;
/// The most bytes of one block of a context: more is refused, as if there were no memory.
const MAX_BYTES: usize = 64 << 20;

impl Guard {
    /// The functions of a context all of whose memory is guarded.
    pub(super) fn functions(self) -> (AllocFn, FreeFn) {
        match self {
            Self::Before => (allocate_before, free_before),
            Self::Behind => (allocate_behind, free_behind),
        }
    }

    fn allocate(self, bytes: usize) -> Option<NonNull<u8>> {
        let Pages { whole, start, guard } = self.pages(bytes);
        let (access, flags) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: new pages, wherever the system likes.
        let pages = unsafe { libc::mmap(ptr::null_mut(), whole, access, flags, -1, 0) };
        if pages == libc::MAP_FAILED {
            return None;
        }
        let pages = pages.cast::<u8>();
        // SAFETY: both lie in the pages.
        let (guard, start) = unsafe { (pages.add(guard), pages.add(start)) };
        // SAFETY: one of the pages, which are not in use yet.
        let protected = unsafe { libc::mprotect(guard.cast(), PAGE, libc::PROT_NONE) };
        assert_eq!(protected, 0, "the system protects a page of ours");
        NonNull::new(start)
    }

    /// # Safety
    /// The block was allocated with as many bytes and is not used any more.
    unsafe fn free(self, block: *mut u8, bytes: usize) {
        if block.is_null() {
            return;
        }
        let Pages { whole, start, .. } = self.pages(bytes);
        // SAFETY: the block begins so far behind its pages.
        let pages = unsafe { block.sub(start) };
        // SAFETY: these are the pages of the block.
        let freed = unsafe { libc::munmap(pages.cast(), whole) };
        assert_eq!(freed, 0, "the system takes back its pages");
    }

    /// The position of a block in its pages.
    fn pages(self, bytes: usize) -> Pages {
        // The block is already aligned, so the runtime does not use the bytes that it asked for to align it.
        let used = bytes.saturating_sub(ALIGN).max(1).next_multiple_of(ALIGN);
        let inside = used.next_multiple_of(PAGE);
        match self {
            Self::Before => Pages { whole: inside + PAGE, start: PAGE, guard: 0 },
            Self::Behind => Pages { whole: inside + PAGE, start: inside - used, guard: inside },
        }
    }
}

/// The pages of a block.
struct Pages {
    /// How many bytes they are.
    whole: usize,
    /// Where the block begins.
    start: usize,
    /// Where the guard begins.
    guard: usize,
}

/// A copy of bytes in guarded memory.
#[derive(Debug)]
pub(super) struct Guarded {
    guard: Guard,
    start: NonNull<u8>,
    bytes: usize,
}

impl Guarded {
    /// Copies bytes as close to the guard as their alignment allows. None if there is no memory.
    ///
    /// # Safety
    /// `bytes` bytes can be read at `from`.
    pub(super) unsafe fn copy(guard: Guard, from: *const u8, bytes: usize) -> Option<Self> {
        let start = guard.allocate(bytes + ALIGN)?;
        let copy = Self { guard, start, bytes };
        // SAFETY: there is room for them, in new memory.
        unsafe { from.copy_to_nonoverlapping(copy.address(), bytes) };
        Some(copy)
    }

    /// Overwrites all bytes.
    pub(super) fn fill(&self, byte: u8) {
        // SAFETY: they are ours.
        unsafe { self.address().write_bytes(byte, self.bytes) };
    }

    /// The first byte. If the guard is behind, the last byte is directly before it.
    pub(super) fn address(&self) -> *mut u8 {
        let room = self.bytes.max(1).next_multiple_of(ALIGN);
        let skipped = match self.guard {
            Guard::Before => 0,
            Guard::Behind => room - self.bytes,
        };
        // SAFETY: inside of the block.
        unsafe { self.start.as_ptr().add(skipped) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: allocated with as many bytes, and dropped once.
        unsafe { self.guard.free(self.start.as_ptr(), self.bytes + ALIGN) };
    }
}

/// A block of a context.
fn block(guard: Guard, bytes: usize) -> *mut c_void {
    let block = if bytes > MAX_BYTES { None } else { guard.allocate(bytes) };
    block.map_or(ptr::null_mut(), |block| block.as_ptr().cast())
}

unsafe extern "C" fn allocate_before(_: *mut c_void, bytes: usize) -> *mut c_void {
    block(Guard::Before, bytes)
}

unsafe extern "C" fn allocate_behind(_: *mut c_void, bytes: usize) -> *mut c_void {
    block(Guard::Behind, bytes)
}

unsafe extern "C" fn free_before(_: *mut c_void, block: *mut c_void, bytes: usize) {
    // SAFETY: the runtime gives back what it got, with as many bytes.
    unsafe { Guard::Before.free(block.cast(), bytes) };
}

unsafe extern "C" fn free_behind(_: *mut c_void, block: *mut c_void, bytes: usize) {
    // SAFETY: as above.
    unsafe { Guard::Behind.free(block.cast(), bytes) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_ends_at_its_guard() {
        let bytes: Vec<u8> = (0..200).collect();
        for guard in [Guard::Before, Guard::Behind] {
            for count in [0, 1, 63, 64, 65, 200] {
                // SAFETY: there are that many.
                let copy = unsafe { Guarded::copy(guard, bytes.as_ptr(), count) };
                let copy = copy.expect("there is memory for so little");
                // SAFETY: they were copied there.
                let found = unsafe { std::slice::from_raw_parts(copy.address(), count) };
                assert_eq!(found, &bytes[..count]);
                let edge = copy.address().addr() + if guard == Guard::Behind { count } else { 0 };
                // The system aligns what it maps to its own pages, which may be smaller than ours.
                // SAFETY: it only reads a setting.
                let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
                assert_eq!(edge % usize::try_from(page).expect("pages have a size"), 0);
            }
        }
    }
}

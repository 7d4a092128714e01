//! The sources of the memory of arrays: the caller's hook, `malloc` or pages.
//!
//! Invariant: a [`Block`] starts on a multiple of 64 bytes and is given back by the allocator that
//! gave it. Only this file talks to an allocator.
//!
//! ```text
//! below 128 KiB   aligned memory of the C library; from 16 KiB on, the next block is displaced
//! from there      pages of its own, which are memory only once they are touched
//! from 4 MiB on   the pages begin on a multiple of 2 MiB, with a wish for huge pages: a fresh page costs more than
//!                 the computation of its elements
//! with a hook     whatever the caller gives, aligned by us
//! ```
//!
//! A block of pages begins at its [colour](colour), some bytes behind the first page's start. Blocks that are mapped one after the
//! other have colours that are far apart, for two reasons. A processor compares the lowest twelve bits of addresses to find out whether a
//! load needs the bytes of a store before it; if they agree, the load waits for a store of another array. These bits also choose the set
//! of the first cache that holds a line. So a loop through several arrays of one colour has the lines of all of them in the same few
//! sets, and they displace each other. The large arrays of other allocators begin near the start of a page, so no block of ours does.

use core::ffi::c_void;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering};

use arr_abi::layout::{AllocFn, FreeFn};

/// Alignment of every block: a cache line, and the longest vector of the machines we know.
pub(crate) const ALIGN: usize = 64;
/// From this size on, a block has pages of its own. With 256 KiB, `scripts/bench jacobi_step`, a clamped stencil and a
/// map took longer if the caller's array begins 16 bytes behind a page: with 128 KiB, they take 0.79, 0.88 and 0.88 of
/// that time (squares of 130 to 181 doubles, AVX-512).
pub(crate) const LARGE: usize = 128 << 10;
/// From this size on, a block asks for huge pages. No benchmark shows it alone.
pub(crate) const HUGE: usize = 4 << 20;
/// Size and alignment of a huge page.
const HUGE_PAGE: usize = 2 << 20;
/// From this size on, a block of the C library has unused bytes at its end, as many as a colour. The C library often places the next block
/// there, which then begins at another place in its page even if this block has a whole number of pages.
/// `scripts/bench tomcatv 100000` has such arrays: 1.06 to 1.08 of the time of C, before 1.16 (least times, AVX-512).
/// The limit was not measured by itself.
const DISPLACING: usize = 16 << 10;
/// The size and alignment of the smallest page of all systems. The colour of a block is less than this.
const PAGE: usize = 4096;
/// The least colour.
const FIRST_COLOUR: usize = 512;
/// The number of colours, which are the multiples of [`ALIGN`] from the first one on. `scripts/bench tomcatv 2631690`
/// goes through five arrays of 513 by 513: 2.6 ns a point and step, and 4.5 with one colour (least times, AVX-512).
/// Other numbers of colours were not measured.
const COLOURS: usize = 49;
/// The distance of the next block's colour, in colours. It has no common divisor with their number, and is close to the golden section of it.
/// So the colours of few blocks that are mapped one after the other are spread evenly.
const NEXT_COLOUR: usize = 30;
/// The greatest colour. All blocks of as many pages have as many bytes, whatever their colours: one that is free can replace any other.
const LAST_COLOUR: usize = FIRST_COLOUR + (COLOURS - 1) * ALIGN;
/// Giving back fewer bytes than this at the end of a block is not worth the system call. No benchmark shows it alone.
const WORTH_GIVING_BACK: usize = 64 << 10;

/// The caller's allocator.
#[derive(Clone, Copy)]
pub(crate) struct Hook {
    pub(crate) alloc: AllocFn,
    pub(crate) free: FreeFn,
    pub(crate) user: *mut c_void,
}

/// A stretch of memory.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    /// Its first byte, on a multiple of [`ALIGN`].
    pub(crate) start: NonNull<u8>,
    /// Bytes that can be used, from `start`.
    pub(crate) bytes: usize,
    /// How many of them are in memory, as far as is known. Fresh pages are in memory once they are used.
    pub(crate) touched: usize,
    /// The allocator that gave it.
    pub(crate) origin: Origin,
}

impl Block {
    /// The first page of a block of pages.
    fn mapping(&self) -> *mut u8 {
        self.start.as_ptr().wrapping_sub(self.colour())
    }

    /// The bytes of the first page that lie before a block of pages.
    fn colour(&self) -> usize {
        self.start.as_ptr().addr() % PAGE
    }

    /// The bytes of the pages of a block of pages.
    fn mapped(&self) -> usize {
        self.bytes + LAST_COLOUR
    }
}

/// The allocator of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// The C library.
    Malloc,
    /// The system.
    Pages,
    /// The caller, `skipped` bytes before the block's start.
    Hook {
        /// The bytes that alignment took.
        skipped: u8,
    },
}

/// Gives and takes blocks.
#[derive(Clone, Copy)]
pub(crate) struct Allocator {
    pub(crate) hook: Option<Hook>,
}

impl Allocator {
    /// A block of at least `bytes` bytes, which are not initialised. `None` if there is no memory.
    pub(crate) fn allocate(&self, bytes: usize) -> Option<Block> {
        match self.hook {
            Some(hook) => allocate_by_hook(hook, bytes),
            None if bytes >= LARGE => map_pages(bytes, next_colour()),
            None => allocate_by_malloc(bytes),
        }
    }

    /// Gives a block back.
    ///
    /// # Safety
    /// The block is from this allocator and is not used any more.
    pub(crate) unsafe fn free(&self, block: Block) {
        match block.origin {
            // SAFETY: from `posix_memalign`, and not used any more.
            Origin::Malloc => unsafe { libc::free(block.start.as_ptr().cast()) },
            Origin::Pages => {
                // SAFETY: `map_pages` made this mapping, `shrink` kept its start and told its size.
                // Unmapping a whole mapping cannot fail.
                unsafe { libc::munmap(block.mapping().cast(), block.mapped()) };
            }
            Origin::Hook { skipped } => {
                let Some(hook) = self.hook else { return };
                // SAFETY: what the hook gave began `skipped` bytes before `start`.
                let given = unsafe { block.start.as_ptr().sub(usize::from(skipped)) };
                // SAFETY: the hook gave this much there.
                unsafe { (hook.free)(hook.user, given.cast(), block.bytes + ALIGN) };
            }
        }
    }

    /// Grows a block to at least `bytes` bytes, if that is possible without a copy. Gives the block at its new address,
    /// with its content.
    ///
    /// # Safety
    /// The block is from this allocator, and addresses in it are not used afterwards.
    pub(crate) unsafe fn grow(&self, block: Block, bytes: usize) -> Block {
        match block.origin {
            // SAFETY: by contract.
            Origin::Pages if bytes > block.bytes => unsafe { move_pages(block, bytes) },
            Origin::Pages | Origin::Malloc | Origin::Hook { .. } => block,
        }
    }

    /// Returns the memory behind the first `bytes` bytes to the system, if that can be done in place and is worth it.
    /// Gives the changed block. The addresses stay reserved, so that another array can have the whole block later.
    ///
    /// # Safety
    /// The block is from this allocator, and the bytes behind are not used.
    pub(crate) unsafe fn shrink(&self, block: Block, bytes: usize) -> Block {
        let used = bytes.max(1).checked_add(block.colour());
        let Some(pages) = used.and_then(|used| round_up(used, page_size())) else { return block };
        let kept = pages - block.colour();
        let touched = block.touched.max(bytes);
        let spare = touched.saturating_sub(kept);
        if block.origin != Origin::Pages || !is_worth_giving_back(spare, bytes) {
            return Block { touched, ..block };
        }
        // SAFETY: whole pages of a mapping of ours, not used any more.
        let done = unsafe {
            let tail = block.start.as_ptr().add(kept);
            libc::madvise(tail.cast(), block.bytes - kept, libc::MADV_DONTNEED)
        };
        Block { touched: if done == 0 { kept } else { touched }, ..block }
    }
}

/// Moves the pages of a block to a place where more pages can follow them. Nothing is copied.
///
/// # Safety
/// The block is of pages, and addresses in it are not used afterwards.
#[cfg(target_os = "linux")]
unsafe fn move_pages(block: Block, bytes: usize) -> Block {
    let Some(place) = map_pages(bytes, block.colour()) else { return block };
    let (from, to): (*mut c_void, *mut c_void) = (block.mapping().cast(), place.mapping().cast());
    let [old, new] = [block.mapped(), place.mapped()];
    let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
    // SAFETY: both are mappings of ours, and the place is not in use. If moving fails, the place may not be mapped any
    // more, so we must not unmap it; at worst addresses are lost, not memory. The block moves and grows in two steps,
    // since memory checkers such as valgrind do not see pages that one step adds. Between the steps another thread may
    // take the addresses behind; then the pages have only moved.
    unsafe {
        if libc::mremap(from, old, old, flags, to) == libc::MAP_FAILED {
            return block;
        }
        unmap(place.mapping().add(old), new - old);
        if libc::mremap(to, old, new, 0) == libc::MAP_FAILED {
            return Block { start: place.start, ..block };
        }
        if new >= HUGE {
            wish_for_huge_pages(place.mapping(), new);
        }
    }
    Block { touched: block.touched, ..place }
}

/// # Safety
/// None is needed.
#[cfg(not(target_os = "linux"))]
unsafe fn move_pages(block: Block, _bytes: usize) -> Block {
    block
}

fn allocate_by_malloc(bytes: usize) -> Option<Block> {
    let mut start = core::ptr::null_mut();
    let unused = if bytes >= DISPLACING { next_colour() } else { 0 };
    let asked = bytes.max(1).checked_add(unused)?;
    // SAFETY: `start` can be written, and the alignment is a power of two.
    let failed = unsafe { libc::posix_memalign(&raw mut start, ALIGN, asked) };
    if failed != 0 {
        return None;
    }
    let start = NonNull::new(start.cast())?;
    Some(Block { start, bytes, touched: bytes, origin: Origin::Malloc })
}

fn allocate_by_hook(hook: Hook, bytes: usize) -> Option<Block> {
    let asked = bytes.checked_add(ALIGN)?;
    // SAFETY: the hook is a function of the caller with this contract.
    let given: NonNull<u8> = NonNull::new(unsafe { (hook.alloc)(hook.user, asked) })?.cast();
    let skipped = round_up(given.as_ptr().addr(), ALIGN)? - given.as_ptr().addr();
    let origin = Origin::Hook { skipped: u8::try_from(skipped).ok()? };
    // SAFETY: `skipped` is less than `ALIGN`, so `bytes` bytes remain of the ones given.
    Some(Block { start: unsafe { given.add(skipped) }, bytes, touched: bytes, origin })
}

/// Whether it is worth a system call to give back the pages behind the used ones, which may be needed again.
pub(crate) fn is_worth_giving_back(spare: usize, used: usize) -> bool {
    spare >= WORTH_GIVING_BACK.max(used / 2)
}

/// The colour of the next block.
fn next_colour() -> usize {
    static BLOCKS: AtomicUsize = AtomicUsize::new(0);
    colour(BLOCKS.fetch_add(1, Ordering::Relaxed))
}

/// The colour of a block, by the number of blocks before it. The first one begins in the middle of a page, which is far from the arrays of
/// other allocators.
fn colour(before: usize) -> usize {
    FIRST_COLOUR + (before % COLOURS * NEXT_COLOUR + COLOURS / 2) % COLOURS * ALIGN
}

/// Maps pages for a block of a colour. Many pages begin at a multiple of [`HUGE_PAGE`].
fn map_pages(bytes: usize, colour: usize) -> Option<Block> {
    let kept = round_up(bytes.checked_add(LAST_COLOUR)?, page_size())?;
    let is_huge = kept >= HUGE;
    let mapped = if is_huge { kept.checked_add(HUGE_PAGE)? } else { kept };
    if isize::try_from(mapped).is_err() {
        return None;
    }
    // SAFETY: a new private mapping wherever the system likes touches no memory of others.
    let region = unsafe {
        libc::mmap(
            core::ptr::null_mut(),
            mapped,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    if region == libc::MAP_FAILED {
        return None;
    }
    let region: *mut u8 = region.cast();
    if !is_huge {
        return in_pages(region, kept, colour);
    }
    let before = round_up(region.addr(), HUGE_PAGE)? - region.addr();
    // SAFETY: the block lies in the mapping, since that is `HUGE_PAGE` longer than the kept part; the
    // parts before and behind are whole pages without other references.
    let start = unsafe {
        let start = region.add(before);
        unmap(region, before);
        unmap(start.add(kept), mapped - before - kept);
        wish_for_huge_pages(start, kept);
        start
    };
    in_pages(start, kept, colour)
}

/// The block of a colour in a fresh mapping.
fn in_pages(mapping: *mut u8, bytes: usize, colour: usize) -> Option<Block> {
    let start = NonNull::new(mapping.wrapping_add(colour))?;
    Some(Block { start, bytes: bytes - LAST_COLOUR, touched: 0, origin: Origin::Pages })
}

/// # Safety
/// Whole pages of an unused mapping, or no bytes.
unsafe fn unmap(start: *mut u8, bytes: usize) {
    if bytes > 0 {
        // SAFETY: by contract. If the system cannot split the mapping, the pages stay mapped and
        // untouched: address space, not memory.
        unsafe { libc::munmap(start.cast(), bytes) };
    }
}

/// # Safety
/// A mapping of our own.
#[cfg(target_os = "linux")]
unsafe fn wish_for_huge_pages(start: *mut u8, bytes: usize) {
    // SAFETY: by contract; it is advice, and may be refused.
    unsafe { libc::madvise(start.cast(), bytes, libc::MADV_HUGEPAGE) };
}

/// # Safety
/// A mapping of our own.
#[cfg(not(target_os = "linux"))]
unsafe fn wish_for_huge_pages(_start: *mut u8, _bytes: usize) {}

/// The next multiple of a power of two. Not by `next_multiple_of`, which divides, and so may panic.
fn round_up(bytes: usize, power_of_two: usize) -> Option<usize> {
    let mask = power_of_two - 1;
    bytes.checked_add(mask).map(|bytes| bytes & !mask)
}

fn page_size() -> usize {
    // SAFETY: asks for a constant of the system.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).ok().filter(|size| size.is_power_of_two()).unwrap_or(HUGE_PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_and_can_be_written_to_their_ends() {
        let allocator = Allocator { hook: None };
        for bytes in [1, 64, 100, LARGE - 1, LARGE, LARGE + 1, HUGE, 3 * HUGE + 12345] {
            let block = allocator.allocate(bytes).expect("memory for a test");
            assert_eq!(block.start.as_ptr().addr() % ALIGN, 0);
            if bytes >= HUGE {
                assert_eq!(block.mapping().addr() % HUGE_PAGE, 0);
            }
            assert!(block.bytes >= bytes);
            // SAFETY: the block is ours and has that many bytes.
            unsafe {
                block.start.write_bytes(0xa5, block.bytes);
                allocator.free(block);
            }
        }
    }

    #[test]
    fn blocks_of_pages_have_different_colours() {
        let allocator = Allocator { hook: None };
        let blocks = [LARGE, HUGE, LARGE, 2 * LARGE, LARGE];
        let blocks = blocks.map(|bytes| allocator.allocate(bytes).expect("memory for a test"));
        let colours = blocks.map(|block| block.colour());
        for (at, one) in colours.iter().enumerate() {
            assert!((FIRST_COLOUR..=PAGE - FIRST_COLOUR).contains(one), "{colours:?}");
            // Another test may allocate blocks meanwhile.
            for other in &colours[at + 1..] {
                assert_ne!(one, other);
            }
        }
        for block in blocks {
            // SAFETY: the block is ours.
            unsafe { allocator.free(block) };
        }
    }

    #[test]
    fn colours_come_again_after_all_others() {
        let mut all: std::vec::Vec<usize> = (0..COLOURS).map(colour).collect();
        for five in all.windows(5) {
            let mut five = five.to_vec();
            five.sort_unstable();
            assert!(five.windows(2).all(|two| two[1] - two[0] >= 4 * ALIGN), "{five:?}");
        }
        all.sort_unstable();
        assert!(all.iter().copied().eq((FIRST_COLOUR..).step_by(ALIGN).take(COLOURS)));
    }

    #[test]
    fn the_tail_of_a_large_block_goes_back() {
        let allocator = Allocator { hook: None };
        let block = allocator.allocate(2 * HUGE).expect("memory for a test");
        // SAFETY: the block is ours, and only its first bytes are used after shrinking.
        unsafe {
            assert_eq!(allocator.shrink(block, 5000).touched, 5000, "fresh pages take no memory");
            block.start.write_bytes(7, 2 * HUGE);
            let block = Block { touched: 2 * HUGE, ..block };
            let same = allocator.shrink(block, 2 * HUGE - 10);
            assert_eq!(same.touched, block.touched, "not worth a system call");
            let less = allocator.shrink(block, 5000);
            assert_eq!((less.start, less.bytes), (block.start, block.bytes));
            let pages = (block.colour() + 5000).next_multiple_of(page_size());
            assert_eq!(less.touched, pages - block.colour());
            assert_eq!(less.start.add(4999).read(), 7);
            assert_eq!(less.start.add(HUGE).read(), 0, "a fresh page");
            allocator.free(less);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn blocks_of_pages_grow_with_what_is_in_them() {
        let allocator = Allocator { hook: None };
        let mut block = allocator.allocate(LARGE).expect("memory for a test");
        // SAFETY: the block is ours, and the old one is not used any more when it has grown.
        unsafe {
            block.start.write_bytes(7, block.bytes);
            for bytes in [LARGE + 1, 2 * LARGE, HUGE, HUGE + 1, 5 * HUGE] {
                let old = block.bytes;
                block = allocator.grow(block, bytes);
                assert!(block.bytes >= bytes);
                let (first, alignment) =
                    (block.mapping(), if bytes < HUGE { 4096 } else { HUGE_PAGE });
                assert_eq!(first.addr() % alignment, 0);
                assert_eq!(block.start.read(), 7);
                assert_eq!(block.start.add(old - 1).read(), 7);
                if block.bytes > old {
                    assert_eq!(block.start.add(old).read(), 0, "a fresh page");
                    block.start.add(old).write_bytes(7, block.bytes - old);
                }
            }
            let same = allocator.grow(block, isize::MAX.unsigned_abs());
            assert_eq!((same.start, same.bytes), (block.start, block.bytes));
            assert_eq!(block.start.add(5 * HUGE - 1).read(), 7, "it is as it was");
            allocator.free(block);
            let small = allocator.allocate(100).expect("memory for a test");
            assert_eq!(allocator.grow(small, 200).bytes, 100, "the C library gave it");
            allocator.free(small);
        }
    }

    #[test]
    fn more_than_there_is_is_refused() {
        let allocator = Allocator { hook: None };
        assert!(allocator.allocate(usize::MAX).is_none());
        assert!(allocator.allocate(isize::MAX.unsigned_abs()).is_none());
        assert!(allocator.allocate(1 << 60).is_none());
    }
}

//! The memory of one array: 64 bytes of header, then the elements, then some slack.
//!
//! Invariant: a buffer lives while its count is above zero or, in a failing call, until the call
//! ends. The elements start on a multiple of 64 bytes, and [`SLACK`] bytes behind them belong to
//! the buffer, so that compiled code may read and write whole vectors there.
//!
//! ```text
//! arr_buffer *   +64: elements        + capacity: slack
//! │ count, list … │ 1.0 2.0 3.0 …      │ 64 bytes │
//! ```

use core::ptr::NonNull;

use arr_abi::ErrorCode;
use arr_abi::layout::{HEADER, SLACK, Site};

use crate::context::Context;
use crate::heap::{Heap, Room, capacity_of};
use crate::memory::{Block, Origin};
use crate::references::References;

/// The bytes of a buffer besides its elements.
pub const OVERHEAD: usize = HEADER + SLACK;

/// `arr_buffer`: the header.
#[repr(C, align(64))]
pub struct Buffer {
    /// The number of references, read by compiled code: the owner of the only reference may write.
    pub(crate) count: References,
    /// The number of the free list of [`crate::small::Small`] that the buffer comes from; 0: none. Read by compiled code.
    pub(crate) list: u32,
    /// Bytes for elements, as the ledger counts them; read by compiled code. The block may have room for more.
    pub(crate) capacity: usize,
    pub(crate) heap: NonNull<Heap>,
    /// The neighbours on the list of the running call; like `linked` guarded by the heap's lock.
    pub(crate) older: Option<NonNull<Buffer>>,
    pub(crate) newer: Option<NonNull<Buffer>>,
    pub(crate) linked: bool,
    /// Whether the used part of the capacity is not known yet, and unused capacity takes no memory. Guarded by the
    /// heap's lock.
    pub(crate) open: bool,
    origin: Origin,
    /// Unused bytes for elements, as the ledger counts them; guarded by the heap's lock.
    pub(crate) spare: u32,
    /// Bytes of the whole block.
    bytes: usize,
    /// How many of them were in memory when the buffer was made or last shrunk.
    pub(crate) touched: usize,
}

// The atomic variables of loom are larger.
#[cfg(not(all(test, loom)))]
const _: () = {
    use arr_abi::layout::{BUFFER_ALIGN, CAPACITY, COUNT, LIST};
    assert!(size_of::<Buffer>() == HEADER && align_of::<Buffer>() == BUFFER_ALIGN);
    assert!(core::mem::offset_of!(Buffer, count) == COUNT);
    assert!(core::mem::offset_of!(Buffer, list) == LIST);
    assert!(core::mem::offset_of!(Buffer, capacity) == CAPACITY);
};

/// A buffer for `count` elements with one reference, on the list of the running call; NULL if the
/// context's error says why not.
///
/// # Safety
/// `context` is from `arr_context_new`, `site` is NULL or a site with NULL or C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_alloc(
    context: *mut Context,
    count: i64,
    elem_bytes: i64,
    site: *const Site,
) -> *mut Buffer {
    // SAFETY: by contract.
    unsafe { allocate(context, count, elem_bytes, Room::Exact, site) }
}

/// As [`arr_rt_alloc`], for at most `count` elements. [`crate::slice::arr_rt_slice`] will tell how many there are.
/// Until then, a buffer with pages of its own does not count as in use.
///
/// # Safety
/// As for [`arr_rt_alloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_reserve(
    context: *mut Context,
    count: i64,
    elem_bytes: i64,
    site: *const Site,
) -> *mut Buffer {
    // SAFETY: by contract.
    unsafe { allocate(context, count, elem_bytes, Room::AtMost, site) }
}

/// # Safety
/// As for [`arr_rt_alloc`].
#[inline]
unsafe fn allocate(
    context: *mut Context,
    count: i64,
    elem_bytes: i64,
    room: Room,
    site: *const Site,
) -> *mut Buffer {
    // SAFETY: by contract.
    let Some(context) = (unsafe { context.as_ref() }) else { return core::ptr::null_mut() };
    if count < 0 {
        // SAFETY: by contract.
        unsafe { context.fail(ErrorCode::Size.number(), site, count, 0) };
        return core::ptr::null_mut();
    }
    let allocated = capacity_of(count, elem_bytes)
        // SAFETY: compiled code runs in the thread of the call.
        .and_then(|capacity| unsafe { context.allocate(capacity, room) });
    match allocated {
        Ok(buffer) => buffer.as_ptr(),
        Err(shortage) => {
            // SAFETY: by contract.
            unsafe { context.fail_for_memory(shortage, site) };
            core::ptr::null_mut()
        }
    }
}

/// One more reference. NULL is fine.
///
/// # Safety
/// `buffer` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_retain(buffer: *mut Buffer) {
    // SAFETY: by contract.
    if let Some(buffer) = unsafe { buffer.as_ref() } {
        buffer.count.retain();
    }
}

/// One reference less; the last one frees the buffer. NULL is fine.
///
/// # Safety
/// `buffer` is NULL, or alive and the caller gives up a reference of theirs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_release(buffer: *mut Buffer) {
    let Some(buffer) = NonNull::new(buffer) else { return };
    // SAFETY: the caller's reference keeps it alive up to here.
    let (last, heap) = unsafe {
        let this = buffer.as_ref();
        (this.count.release(), this.heap)
    };
    if last {
        // SAFETY: that was the last reference.
        unsafe { Heap::free(heap, buffer) };
    }
}

/// Releases an array that a call returned. `arr_f64_1d_free` and similar functions call it. The context is not needed,
/// and may be gone.
///
/// # Safety
/// As for [`arr_rt_release`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_buffer_release(_context: *mut Context, buffer: *mut Buffer) {
    // SAFETY: by contract.
    unsafe { arr_rt_release(buffer) };
}

impl Buffer {
    /// Writes the header of a new buffer with one reference, on no list.
    ///
    /// # Safety
    /// The block has `capacity` and the overhead; the buffer counts as a user of the heap.
    pub(crate) unsafe fn write(
        block: Block,
        heap: NonNull<Heap>,
        capacity: usize,
    ) -> NonNull<Self> {
        let buffer: NonNull<Self> = block.start.cast();
        let header = Self {
            count: References::one(),
            list: 0,
            heap,
            older: None,
            newer: None,
            linked: false,
            open: false,
            origin: block.origin,
            spare: 0,
            capacity,
            bytes: block.bytes,
            touched: block.touched,
        };
        // SAFETY: blocks are aligned as buffers are, and this one is long enough.
        unsafe { buffer.write(header) };
        buffer
    }

    /// The block of the buffer, with all of its elements in memory.
    ///
    /// # Safety
    /// `buffer` is alive.
    pub(crate) unsafe fn block(buffer: NonNull<Self>) -> Block {
        // SAFETY: by contract.
        let this = unsafe { buffer.as_ref() };
        let touched = this.touched.max(this.capacity + OVERHEAD);
        Block { start: buffer.cast(), bytes: this.bytes, touched, origin: this.origin }
    }

    /// Notes how much of the block is in memory, as far as is known, when its elements use `used` bytes.
    ///
    /// # Safety
    /// `buffer` is alive and not shared.
    pub(crate) unsafe fn touch(mut buffer: NonNull<Self>, used: usize) {
        // SAFETY: by contract.
        let this = unsafe { buffer.as_mut() };
        let elements = if this.open { used } else { this.capacity };
        this.touched = this.touched.max(elements + OVERHEAD);
    }

    /// The buffer in a block that begins with the header of one.
    ///
    /// # Safety
    /// The buffer has moved there with all its bytes, and is not shared.
    pub(crate) unsafe fn moved_to(block: Block) -> NonNull<Self> {
        let buffer: NonNull<Self> = block.start.cast();
        // SAFETY: by contract.
        unsafe {
            (*buffer.as_ptr()).bytes = block.bytes;
            (*buffer.as_ptr()).touched = block.touched;
            (*buffer.as_ptr()).origin = block.origin;
        }
        buffer
    }

    /// How many bytes of elements the block has room for.
    ///
    /// # Safety
    /// `buffer` is alive.
    pub(crate) unsafe fn room(buffer: NonNull<Self>) -> usize {
        // SAFETY: by contract. No block is shorter.
        unsafe { buffer.as_ref().bytes - OVERHEAD }
    }

    /// Whether it is one of the small buffers of the running call.
    pub(crate) fn is_small(&self) -> bool {
        self.list != 0
    }

    /// Whether the block has pages of its own.
    ///
    /// # Safety
    /// `buffer` is alive.
    pub(crate) unsafe fn is_in_pages(buffer: NonNull<Self>) -> bool {
        // SAFETY: by contract.
        unsafe { buffer.as_ref().origin == Origin::Pages }
    }

    /// Whether the caller's reference is the only one.
    ///
    /// # Safety
    /// `buffer` is alive.
    pub(crate) unsafe fn is_alone(buffer: NonNull<Self>) -> bool {
        // SAFETY: by contract.
        unsafe { buffer.as_ref().count.is_alone() }
    }

    /// The first element.
    ///
    /// # Safety
    /// `buffer` is alive.
    pub(crate) unsafe fn elements(buffer: NonNull<Self>) -> NonNull<u8> {
        // SAFETY: the header is followed by the elements.
        unsafe { buffer.cast::<u8>().add(HEADER) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slice::{arr_rt_detach, arr_rt_slice};
    use crate::testing::TestContext;
    use arr_abi::layout::Options;

    #[test]
    fn elements_are_aligned_and_have_slack() {
        let context = TestContext::new(&Options::new());
        context.enter();
        for count in [0, 1, 1000, 1 << 20] {
            let buffer = context.alloc(count, 8).expect("memory for a test");
            // SAFETY: the buffer is alive.
            let data = unsafe { Buffer::elements(buffer) };
            assert_eq!(data.as_ptr().addr() % 64, 0);
            let bytes = usize::try_from(count).expect("a small count") * 8 + SLACK;
            // SAFETY: the elements and the slack are ours.
            unsafe { data.write_bytes(1, bytes) };
        }
        assert_eq!(context.stats().call_allocations, 4);
        // Small buffers count with their whole capacity.
        assert_eq!(context.stats().call_bytes, 64 + 64 + 8 * (1000 + (1 << 20)));
        assert_eq!(context.leave(0), 0);
        assert_eq!((context.stats().bytes_live, context.stats().call_left_over), (0, 4));
    }

    #[test]
    fn the_last_reference_frees() {
        let context = TestContext::new(&Options::new());
        context.enter();
        let buffer = context.alloc(10, 8).expect("memory for a test").as_ptr();
        // SAFETY: two references, given up one by one.
        unsafe {
            arr_rt_retain(buffer);
            arr_rt_release(buffer);
            assert_eq!(context.stats().bytes_live, 128 + 128);
            arr_rt_release(buffer);
        }
        assert_eq!((context.stats().bytes_live, context.stats().bytes_peak), (0, 128 + 128));
        assert_eq!(context.leave(0), 0);
        assert_eq!(context.stats().call_left_over, 0);
        // SAFETY: NULL is fine everywhere.
        unsafe {
            arr_rt_retain(std::ptr::null_mut());
            arr_rt_release(std::ptr::null_mut());
            assert!(arr_rt_detach(std::ptr::null_mut(), 3).is_null());
            assert!(arr_rt_slice(std::ptr::null_mut(), 3).is_null());
            arr_buffer_release(std::ptr::null_mut(), std::ptr::null_mut());
        }
    }

    #[test]
    fn releases_in_any_order_keep_the_list_whole() {
        let context = TestContext::new(&Options::new());
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
            context.enter();
            let buffers =
                [1, 2, 3].map(|n| context.alloc(n, 8).expect("memory for a test").as_ptr());
            for &at in &order[..2] {
                // SAFETY: alive, and released once.
                unsafe { arr_rt_release(buffers[at]) };
            }
            assert_eq!(context.leave(0), 0);
            assert_eq!((context.stats().bytes_live, context.stats().call_left_over), (0, 1));
        }
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_reason() {
        let context = TestContext::new(&Options { memory_limit: 1000, ..Options::new() });
        let cases = [
            (-3, 8, ErrorCode::Size, "f.arr:1:2: negative size -3 in iota"),
            (
                200,
                8,
                ErrorCode::Memory,
                "f.arr:1:2: out of memory: 1600 bytes for iota (256 of the limit of 1000 bytes are in use)",
            ),
            (
                i64::MAX,
                8,
                ErrorCode::Memory,
                "f.arr:1:2: out of memory: 73786976294838206456 bytes for iota",
            ),
        ];
        for (count, elem_bytes, code, message) in cases {
            context.enter();
            assert!(context.alloc(10, 8).is_some());
            assert!(context.alloc(count, elem_bytes).is_none());
            assert_eq!(context.code(), code.number());
            assert_eq!(context.leave(code.number()), code.number());
            assert_eq!(context.error(), message);
            assert_eq!(context.stats().bytes_live, 0);
        }
        let context = TestContext::new(&Options::new());
        context.enter();
        assert!(context.alloc(i64::MAX, 1).is_none());
        assert_eq!(context.leave(context.code()), ErrorCode::Memory.number());
        assert_eq!(context.error(), "f.arr:1:2: out of memory: 9223372036854775807 bytes for iota");
        assert_eq!(context.stats().bytes_live, 0);
    }

    #[test]
    fn the_limit_can_be_reached_but_not_passed() {
        let context =
            TestContext::new(&Options { memory_limit: 2 * (128 + 128), ..Options::new() });
        context.enter();
        assert!(context.alloc(10, 8).is_some());
        assert!(context.alloc(17, 8).is_none());
        assert!(context.alloc(10, 8).is_some());
        assert!(context.alloc(0, 8).is_none());
        assert_eq!(context.leave(0), 0);
    }
}

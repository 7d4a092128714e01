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
use core::sync::atomic::{AtomicUsize, Ordering, fence};

use crate::codes::ErrorCode;
use crate::context::Context;
use crate::heap::Heap;
use crate::memory::{Block, Origin};
use crate::message::Site;

/// Bytes before the elements.
pub const HEADER: usize = 64;
/// Bytes behind the elements.
pub const SLACK: usize = 64;
/// What a buffer takes besides its elements.
pub const OVERHEAD: usize = HEADER + SLACK;

/// A result is only moved to give back this much, and then only if it uses less than half.
const WORTH_MOVING: usize = 4 << 10;

/// `arr_buffer`: the header.
#[repr(C, align(64))]
pub struct Buffer {
    count: AtomicUsize,
    heap: NonNull<Heap>,
    /// The neighbours on the list of the running call; like `linked` guarded by the heap's lock.
    pub(crate) older: Option<NonNull<Buffer>>,
    pub(crate) newer: Option<NonNull<Buffer>>,
    pub(crate) linked: bool,
    origin: Origin,
    /// Bytes for elements that nobody uses, as the ledger counts them; guarded by the heap's lock.
    pub(crate) spare: u32,
    /// Bytes for elements, as the ledger counts them.
    pub(crate) capacity: usize,
    /// Bytes of the whole block.
    bytes: usize,
    /// How many of them were in memory when the buffer was made or last shrunk.
    touched: usize,
}

const _: () = assert!(size_of::<Buffer>() == HEADER);

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
    let Some(context) = (unsafe { context.as_ref() }) else { return core::ptr::null_mut() };
    if count < 0 {
        // SAFETY: by contract.
        unsafe { context.fail(ErrorCode::Size.number(), site, count, 0) };
        return core::ptr::null_mut();
    }
    // SAFETY: the context keeps its heap alive.
    match unsafe { Heap::allocate_elements(context.heap(), count, elem_bytes) } {
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
        buffer.count.fetch_add(1, Ordering::Relaxed);
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
        (this.count.fetch_sub(1, Ordering::Release) == 1, this.heap)
    };
    if last {
        fence(Ordering::Acquire);
        // SAFETY: that was the last reference.
        unsafe { Heap::free(heap, buffer) };
    }
}

/// What `arr_f64_1d_free` and its like call: the caller gives up an array that a call returned.
/// The context is not needed, and may be gone.
///
/// # Safety
/// As for [`arr_rt_release`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_buffer_release(_context: *mut Context, buffer: *mut Buffer) {
    // SAFETY: by contract.
    unsafe { arr_rt_release(buffer) };
}

/// The buffer becomes the caller's: when the call ends it stays. NULL is fine.
///
/// # Safety
/// `buffer` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_detach(buffer: *mut Buffer) {
    if let Some(buffer) = NonNull::new(buffer) {
        // SAFETY: by contract, and a live buffer keeps its heap.
        unsafe { buffer.as_ref().heap.as_ref().detach(buffer) };
    }
}

/// The same elements in a buffer that need not hold more than `used_bytes` of them. It may be
/// another one, if the reference given is the only one; the old one is gone then. Never fails.
///
/// # Safety
/// `buffer` is NULL or alive and a reference of the caller's, who gets one back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_slice(buffer: *mut Buffer, used_bytes: i64) -> *mut Buffer {
    let Some(buffer) = NonNull::new(buffer) else { return core::ptr::null_mut() };
    // SAFETY: by contract.
    let capacity = unsafe { buffer.as_ref() }.capacity;
    let used = usize::try_from(used_bytes).unwrap_or(0).min(capacity);
    // SAFETY: by contract, and `used` is not more than there is.
    unsafe {
        match moved(buffer, used) {
            Some(new) => new.as_ptr(),
            None => {
                shrink_in_place(buffer, used);
                buffer.as_ptr()
            }
        }
    }
}

impl Buffer {
    /// Writes the header of a new buffer with one reference, on no list.
    ///
    /// # Safety
    /// The block has `capacity` and the overhead; the buffer gets a reference to the heap.
    pub(crate) unsafe fn write(
        block: Block,
        heap: NonNull<Heap>,
        capacity: usize,
    ) -> NonNull<Self> {
        let buffer: NonNull<Self> = block.start.cast();
        let header = Self {
            count: AtomicUsize::new(1),
            heap,
            older: None,
            newer: None,
            linked: false,
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

    /// Where the buffer lies, with all of its elements in memory.
    ///
    /// # Safety
    /// `buffer` is alive.
    pub(crate) unsafe fn block(buffer: NonNull<Self>) -> Block {
        // SAFETY: by contract.
        let this = unsafe { buffer.as_ref() };
        let touched = this.touched.max(this.capacity + OVERHEAD);
        Block { start: buffer.cast(), bytes: this.bytes, touched, origin: this.origin }
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

/// Copies the used elements to a block of their own, if that gives back much for little, and the heap has
/// no memory to spare.
///
/// # Safety
/// As for [`arr_rt_slice`], with `used` at most the capacity.
unsafe fn moved(buffer: NonNull<Buffer>, used: usize) -> Option<NonNull<Buffer>> {
    // SAFETY: `buffer` is alive and, its count being one, nobody else's. What is used of it fits
    // into the new block. The new buffer takes over the old one's reference to the heap.
    unsafe {
        let old = buffer.as_ref();
        let small_rest = used < old.capacity / 2 && old.capacity - used >= WORTH_MOVING;
        // The end of a block of pages can be given back where it lies; a short rest does not
        // deserve pages of its own.
        let stays = old.origin == Origin::Pages && used >= 16 * WORTH_MOVING;
        if !small_rest || stays || old.count.load(Ordering::Acquire) != 1 {
            return None;
        }
        // Copying may cost as much as what was computed.
        if old.heap.as_ref().may_spare(buffer, old.capacity - used) {
            return None;
        }
        let (heap, capacity, old_block) = (old.heap, old.capacity, Buffer::block(buffer));
        let block = heap.as_ref().block(used + OVERHEAD)?;
        let new = Buffer::write(block, heap, used);
        Buffer::elements(new).copy_from_nonoverlapping(Buffer::elements(buffer), used);
        heap.as_ref().replace(buffer, capacity, new);
        heap.as_ref().give(old_block);
        Some(new)
    }
}

/// Gives up the elements behind the used ones: whole pages of them go back to the system.
///
/// # Safety
/// As for [`arr_rt_slice`], with `used` at most the capacity.
unsafe fn shrink_in_place(buffer: NonNull<Buffer>, used: usize) {
    // SAFETY: the buffer is alive, and nobody uses the elements that are given up.
    unsafe {
        let (heap, capacity, origin) = {
            let old = buffer.as_ref();
            (old.heap, old.capacity, old.origin)
        };
        if origin != Origin::Pages {
            return;
        }
        // What lies behind was touched only if the block had been used before.
        let block = Block { touched: buffer.as_ref().touched, ..Buffer::block(buffer) };
        let shrunk = heap.as_ref().allocator().shrink(block, used + OVERHEAD);
        (*buffer.as_ptr()).touched = shrunk.touched;
        (*buffer.as_ptr()).capacity = used;
        heap.as_ref().replace(buffer, capacity, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::testing::TestContext;

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
        assert_eq!(context.stats().call_bytes, 8 * (1 + 1000 + (1 << 20)));
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
            assert_eq!(context.stats().bytes_live, 80 + 128);
            arr_rt_release(buffer);
        }
        assert_eq!((context.stats().bytes_live, context.stats().bytes_peak), (0, 80 + 128));
        assert_eq!(context.leave(0), 0);
        assert_eq!(context.stats().call_left_over, 0);
        // SAFETY: NULL is fine everywhere.
        unsafe {
            arr_rt_retain(std::ptr::null_mut());
            arr_rt_release(std::ptr::null_mut());
            arr_rt_detach(std::ptr::null_mut());
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
    fn slices_keep_their_elements() {
        let context = TestContext::new(&Options::new());
        for (count, used) in [
            (100, 100),
            (100, 3),
            (4000, 10),
            (4000, 0),
            (1 << 20, 1 << 19),
            (1 << 20, 5),
            (1 << 22, 1 << 16),
        ] {
            context.enter();
            let kept = context.alloc(1, 8).expect("memory for a test");
            let buffer = context.alloc(count, 8).expect("memory for a test");
            let later = context.alloc(1, 8).expect("memory for a test");
            // SAFETY: the buffer has `count` elements, and its slice `used`.
            unsafe {
                for at in 0..count {
                    Buffer::elements(buffer).cast::<i64>().offset(at as isize).write(at);
                }
                let slice =
                    NonNull::new(arr_rt_slice(buffer.as_ptr(), used * 8)).expect("never NULL");
                for at in 0..used {
                    assert_eq!(
                        Buffer::elements(slice).cast::<i64>().offset(at as isize).read(),
                        at
                    );
                }
                let bytes = usize::try_from(used * 8).expect("a small count");
                Buffer::elements(slice).write_bytes(0, bytes + SLACK);
                // What may be spared is not given back.
                if count - used > (1 << 17) {
                    let live = context.stats().bytes_live;
                    assert_eq!(
                        live,
                        u64::try_from(used * 8 + 16 + 3 * 128).expect("small"),
                        "{count} {used}"
                    );
                }
                arr_rt_detach(slice.as_ptr());
                arr_rt_release(kept.as_ptr());
                arr_rt_release(later.as_ptr());
                assert_eq!(context.leave(0), 0);
                assert_eq!(context.stats().call_left_over, 0);
                arr_buffer_release(context.pointer(), slice.as_ptr());
            }
            assert_eq!(context.stats().bytes_live, 0);
        }
    }

    #[test]
    fn slices_stay_where_they_are_while_memory_can_be_spared() {
        let context = TestContext::new(&Options::new());
        for _ in 0..3 {
            context.enter();
            let slices: Vec<_> = (0..6)
                .map(|_| {
                    let buffer = context.alloc(1 << 15, 8).expect("memory for a test").as_ptr();
                    // SAFETY: alive, and the slice takes its place.
                    (buffer, unsafe { arr_rt_slice(buffer, 1 << 10) })
                })
                .collect();
            // Four of them have nearly 1 MiB of 256 KiB each to spare; a fifth would have more.
            let stayed: Vec<bool> = slices.iter().map(|(old, new)| old == new).collect();
            assert_eq!(stayed, [true, true, true, true, false, false]);
            // The same slice once more: what it has to spare counts once.
            // SAFETY: alive.
            assert_eq!(unsafe { arr_rt_slice(slices[0].1, 1 << 9) }, slices[0].1);
            for (_, slice) in slices {
                // SAFETY: alive, and the only reference.
                unsafe { arr_rt_release(slice) };
            }
            assert_eq!(context.leave(0), 0);
            assert_eq!(context.stats().bytes_live, 0);
        }
        // A limit on memory leaves less to spare.
        let context = TestContext::new(&Options { memory_limit: 1 << 20, ..Options::new() });
        context.enter();
        let buffer = context.alloc(1 << 15, 8).expect("memory for a test").as_ptr();
        // SAFETY: alive, and the slice takes its place.
        assert_ne!(unsafe { arr_rt_slice(buffer, 1 << 10) }, buffer);
        assert_eq!(context.leave(0), 0);
    }

    #[test]
    fn a_shared_buffer_does_not_move() {
        let context = TestContext::new(&Options::new());
        context.enter();
        let buffer = context.alloc(4000, 8).expect("memory for a test").as_ptr();
        // SAFETY: alive, with two references.
        unsafe {
            arr_rt_retain(buffer);
            assert_eq!(arr_rt_slice(buffer, 8), buffer);
            assert_eq!(arr_rt_slice(buffer, -1), buffer);
        }
        assert_eq!(context.leave(0), 0);
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
                "f.arr:1:2: out of memory: 1600 bytes for iota (208 of the limit of 1000 bytes are in use)",
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
        let context = TestContext::new(&Options { memory_limit: 2 * (80 + 128), ..Options::new() });
        context.enter();
        assert!(context.alloc(10, 8).is_some());
        assert!(context.alloc(11, 8).is_none());
        assert!(context.alloc(10, 8).is_some());
        assert!(context.alloc(0, 8).is_none());
        assert_eq!(context.leave(0), 0);
    }
}

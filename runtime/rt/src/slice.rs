//! Arrays that do not use their whole capacity: unused memory is given back where that pays.
//!
//! Invariant: only the owner of the only reference cuts a buffer. [`Heap::may_spare`] bounds the unused memory that a
//! heap's buffers keep although it would be worth giving back.
//!
//! ```text
//! filter p xs    reserve 64 MiB of pages, write 10 MiB    ⇒  slice: 10 MiB are in use, the others were never touched
//!                the same in a block that was used before ⇒  slice: the pages behind go back to the system
//!                reserve 60 KiB by malloc, write 1 KiB    ⇒  slice: stays, or moves to a block of 1 KiB
//! ```

use core::ptr::NonNull;

use crate::buffer::{Buffer, OVERHEAD};
use crate::memory::{Block, HUGE, is_worth_giving_back};

/// An array is only moved to give back this much, and then only if it uses less than half. `scripts/bench quadtree_cut`
/// has arrays that use a quarter. Not measured by itself.
const WORTH_MOVING: usize = 4 << 10;

/// The same elements in a buffer that needs room for `used_bytes` only. It may be another buffer, if the given
/// reference is the only one; then the old one is freed. Never fails.
///
/// # Safety
/// `buffer` is NULL or alive and a reference of the caller's, who gets one back. The bytes behind are not used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_slice(buffer: *mut Buffer, used_bytes: i64) -> *mut Buffer {
    let Some(buffer) = NonNull::new(buffer) else { return core::ptr::null_mut() };
    // SAFETY: by contract.
    unsafe { cut(buffer, used_bytes) }.as_ptr()
}

/// Hands the buffer to the caller: it stays when the call ends. Only `used_bytes` of its elements are used, so it may
/// move as by [`arr_rt_slice`]. NULL is fine.
///
/// # Safety
/// As for [`arr_rt_slice`], by an entry whose work is done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_detach(buffer: *mut Buffer, used_bytes: i64) -> *mut Buffer {
    let Some(buffer) = NonNull::new(buffer) else { return core::ptr::null_mut() };
    // SAFETY: by contract, and a live buffer keeps its heap.
    unsafe {
        let buffer = cut(buffer, used_bytes);
        buffer.as_ref().heap.as_ref().detach(buffer);
        buffer.as_ptr()
    }
}

/// # Safety
/// As for [`arr_rt_slice`], with a buffer.
#[inline]
unsafe fn cut(buffer: NonNull<Buffer>, used_bytes: i64) -> NonNull<Buffer> {
    // SAFETY: by contract the buffer is alive, and it is not shared if its count is one.
    unsafe {
        let this = buffer.as_ref();
        if this.is_small() || !Buffer::is_alone(buffer) {
            return buffer;
        }
        let used = usize::try_from(used_bytes).unwrap_or(0).min(this.capacity);
        if Buffer::is_in_pages(buffer) && (this.open || used < this.capacity) {
            Buffer::touch(buffer, used);
            this.heap.as_ref().cut(buffer, used);
        }
        give_back(buffer, used)
    }
}

/// Gives back the unused memory of a buffer, if that is much memory for little work and the heap may not keep it.
///
/// # Safety
/// The buffer is alive and not shared, and its elements have `used` bytes.
unsafe fn give_back(buffer: NonNull<Buffer>, used: usize) -> NonNull<Buffer> {
    // SAFETY: by contract.
    unsafe {
        let block = Buffer::block(buffer);
        let in_pages = Buffer::is_in_pages(buffer);
        let there = if in_pages { block.touched - OVERHEAD } else { buffer.as_ref().capacity };
        let rest = there.saturating_sub(used);
        // Unused pages at the end of a large block can be given back in place. If few bytes are used, they do not
        // deserve pages of their own, and are copied faster than fresh pages can be touched later.
        let stays = in_pages && block.bytes >= HUGE && used >= 16 * WORTH_MOVING;
        let is_worth = if stays {
            is_worth_giving_back(rest, used)
        } else {
            rest >= WORTH_MOVING && rest > used
        };
        // Copying may cost as much as the computation.
        if !is_worth || buffer.as_ref().heap.as_ref().may_spare(buffer, rest) {
            return buffer;
        }
        if stays {
            let shrunk = buffer.as_ref().heap.as_ref().allocator().shrink(block, used + OVERHEAD);
            (*buffer.as_ptr()).touched = shrunk.touched;
            return buffer;
        }
        moved(buffer, block, used).unwrap_or(buffer)
    }
}

/// The used elements in a block of their own.
///
/// # Safety
/// As for [`give_back`]; the buffer is in that block.
unsafe fn moved(buffer: NonNull<Buffer>, old: Block, used: usize) -> Option<NonNull<Buffer>> {
    // SAFETY: by contract. The used bytes fit into the new block. The new buffer takes over the old one's reference to
    // the heap.
    unsafe {
        let heap = buffer.as_ref().heap;
        let block = heap.as_ref().block(used + OVERHEAD)?;
        let new = Buffer::write(block, heap, used);
        Buffer::elements(new).copy_from_nonoverlapping(Buffer::elements(buffer), used);
        heap.as_ref().replace(buffer, new);
        heap.as_ref().give(old);
        Some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::{arr_buffer_release, arr_rt_release, arr_rt_reserve, arr_rt_retain};
    use crate::testing::{SITE, TestContext};
    use arr_abi::layout::{Options, SLACK};

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
                // Memory that the heap may spare is not given back.
                if count - used > (1 << 17) {
                    let live = context.stats().bytes_live;
                    assert_eq!(
                        live,
                        u64::try_from(used * 8 + 2 * 64 + 3 * 128).expect("small"),
                        "{count} {used}"
                    );
                }
                arr_rt_detach(slice.as_ptr(), used * 8);
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
            // The same slice once more: its spare bytes count once. SAFETY: alive.
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

    /// A reservation of `bytes` bytes.
    fn reserve(context: &TestContext, bytes: i64) -> NonNull<Buffer> {
        // SAFETY: the context is alive.
        let buffer = unsafe { arr_rt_reserve(context.pointer(), bytes, 1, &raw const SITE.0) };
        NonNull::new(buffer).expect("memory for a test")
    }

    #[test]
    fn reservations_count_when_it_is_known_what_they_hold() {
        let context = TestContext::new(&Options::new());
        for round in 0..3 {
            context.enter();
            let buffers = [1_i64, 2, 3, 0].map(|used| (reserve(&context, 64 << 20), used << 20));
            assert_eq!(context.stats().bytes_live, 4 * 128, "{round}");
            let slices = buffers.map(|(buffer, used)| {
                let bytes = usize::try_from(used).expect("a small size");
                // SAFETY: there is room for that much, and the slice takes the buffer's place.
                unsafe {
                    Buffer::elements(buffer).write_bytes(1, bytes);
                    arr_rt_slice(buffer.as_ptr(), used)
                }
            });
            assert_eq!(context.stats().bytes_live, (6 << 20) + 4 * 128, "{round}");
            assert_eq!(context.stats().bytes_peak, (6 << 20) + 4 * 128, "{round}");
            for slice in slices {
                // SAFETY: alive.
                unsafe { arr_rt_release(slice) };
            }
            assert_eq!((context.leave(0), context.stats().bytes_live), (0, 0));
        }
        // Memory of the C library counts at once.
        context.enter();
        reserve(&context, 1000);
        assert_eq!(context.stats().bytes_live, 1024 + 128);
        // A failing call releases buffers that were not cut.
        reserve(&context, 64 << 20);
        assert_eq!((context.leave(1), context.stats().bytes_live), (1, 0));
    }

    #[test]
    fn a_limit_counts_reservations() {
        let context = TestContext::new(&Options { memory_limit: 64 << 20, ..Options::new() });
        context.enter();
        let buffer = reserve(&context, 40 << 20);
        // SAFETY: the context and the buffer are alive.
        unsafe {
            let site = &raw const SITE.0;
            assert!(arr_rt_reserve(context.pointer(), 30 << 20, 1, site).is_null());
            let slice = arr_rt_slice(buffer.as_ptr(), 1 << 20);
            assert!(!arr_rt_reserve(context.pointer(), 60 << 20, 1, site).is_null());
            assert_eq!(context.stats().bytes_live, (1 << 20) + 2 * 128);
            arr_rt_release(slice);
        }
        assert_eq!((context.leave(0), context.stats().bytes_live), (0, 0));
    }

    #[test]
    fn pages_that_were_used_go_back() {
        let context = TestContext::new(&Options::new());
        context.enter();
        let bytes = 32_usize << 20;
        let whole = context.alloc(32 << 20, 1).expect("memory for a test");
        // SAFETY: the elements are ours, and after slicing only the first are used.
        unsafe {
            Buffer::elements(whole).write_bytes(7, bytes);
            assert_eq!(arr_rt_slice(whole.as_ptr(), 1 << 20), whole.as_ptr());
            assert!(whole.as_ref().touched < 2 << 20);
            assert_eq!(Buffer::elements(whole).add((1 << 20) - 1).read(), 7);
            assert_eq!(Buffer::elements(whole).add(2 << 20).read(), 0, "a fresh page");
            arr_rt_release(whole.as_ptr());
        }
        assert_eq!(context.leave(0), 0);
        assert!(context.stats().bytes_kept < 2 << 20);
    }

    #[test]
    fn what_the_caller_gets_is_cut() {
        let context = TestContext::new(&Options { memory_limit: 1 << 30, ..Options::new() });
        for (bytes, used) in [(100_i64, 100), (200 << 10, 10), (1 << 20, 10), (64 << 20, 100 << 10)]
        {
            // As if the heap had nothing to spare.
            context.enter();
            let mut spared = Vec::new();
            for _ in 0..5 {
                let buffer = context.alloc(255 << 10, 1).expect("memory for a test").as_ptr();
                // SAFETY: alive.
                spared.push(unsafe { arr_rt_slice(buffer, 100) });
            }
            let before = context.stats().bytes_live;
            let buffer = context.alloc(bytes, 1).expect("memory for a test");
            // SAFETY: the buffer has that many elements; it is the caller's after the call.
            unsafe {
                Buffer::elements(buffer).write_bytes(3, usize::try_from(bytes).expect("small"));
                let given = NonNull::new(arr_rt_detach(buffer.as_ptr(), used)).expect("not NULL");
                let last = usize::try_from(used).expect("small") - 1;
                assert_eq!(Buffer::elements(given).add(last).read(), 3);
                let used = u64::try_from(used).expect("not negative");
                // A small buffer counts with its whole capacity.
                let counted = if bytes == 100 { 128 } else { used };
                assert_eq!(context.stats().bytes_live - before, counted + 128);
                for slice in spared {
                    arr_rt_release(slice);
                }
                assert_eq!((context.leave(0), context.stats().call_left_over), (0, 0));
                arr_buffer_release(context.pointer(), given.as_ptr());
            }
            assert_eq!(context.stats().bytes_live, 0);
        }
    }

    #[test]
    fn what_others_use_stays_whole() {
        let context = TestContext::new(&Options::new());
        context.enter();
        let buffer = context.alloc(8 << 20, 1).expect("memory for a test").as_ptr();
        // SAFETY: alive, with two references.
        unsafe {
            Buffer::elements(NonNull::new(buffer).expect("it is there")).write_bytes(5, 8 << 20);
            arr_rt_retain(buffer);
            assert_eq!(arr_rt_detach(buffer, 1), buffer);
            assert_eq!(context.stats().bytes_live, (8 << 20) + 128);
            let last = Buffer::elements(NonNull::new(buffer).expect("it is there"));
            assert_eq!(last.add((8 << 20) - 1).read(), 5);
            arr_rt_release(buffer);
            arr_rt_release(buffer);
        }
        assert_eq!((context.leave(0), context.stats().bytes_live), (0, 0));
    }
}

//! What each thread of a sliced pass has of its own: buffers for the elements that its slices append, and accumulators.
//!
//! Invariant: the buffers of two threads share no cache line.

use core::ffi::c_void;
use core::ptr::null_mut;

use arr_abi::layout::{Filled, Sliced};

use super::Region;
use crate::heap::Heap;
use crate::memory::Block;

/// The bytes of a cache line.
const LINE: usize = 64;

/// The own memory of a thread: vectors, each with room for an element of each step of a slice, and accumulators that
/// steps read.
pub(super) struct Own {
    /// The vectors.
    pub(super) filled: *mut Filled,
    /// For each vector, the number of elements from the slices before this one.
    pub(super) starts: *mut i64,
    /// The values that the accumulators which steps read have before the slice.
    pub(super) carries: *mut c_void,
    /// The values that each block of the slice adds to these accumulators.
    pub(super) sums: *mut c_void,
    block: Option<Block>,
}

impl Default for Own {
    fn default() -> Self {
        let none = null_mut();
        Self { filled: null_mut(), starts: null_mut(), carries: none, sums: none, block: None }
    }
}

impl Own {
    /// `None` if there is no memory for it.
    pub(super) fn new(heap: &Heap, region: &Region<'_>) -> Option<Self> {
        let Sliced { vectors: count, carried, .. } = *region.work.pass;
        // SAFETY: the pass has `count` vectors.
        let all = unsafe { vectors(region.work.filled, count) };
        let starts = count.checked_mul(size_of::<Filled>())?;
        let carries = aligned(starts.checked_add(count.checked_mul(size_of::<i64>())?)?)?;
        let sums = carries.checked_add(aligned(carried)?)?;
        let blocks = usize::try_from(region.blocks_of_slice()).ok()?;
        let mut at = sums.checked_add(aligned(carried.checked_mul(blocks)?)?)?;
        let bytes = all.iter().try_fold(at, |sum, one| sum.checked_add(buffer(one, region)?))?;
        if bytes == 0 {
            return Some(Self::default());
        }
        let block = heap.block(bytes)?;
        let start = block.start.as_ptr();
        let filled: *mut Filled = start.cast();
        for (place, one) in all.iter().enumerate() {
            // SAFETY: the block has room for the vectors and their elements.
            unsafe {
                let data = start.add(at);
                filled.add(place).write(Filled { data, width: one.width, count: 0, first: 0 });
            }
            at += buffer(one, region)?;
        }
        // SAFETY: as above.
        let [starts, carries, sums] =
            [starts, carries, sums].map(|at| unsafe { start.add(at) }.cast::<c_void>());
        Some(Self { filled, starts: starts.cast(), carries, sums, block: Some(block) })
    }

    /// Empties the vectors before a step.
    ///
    /// # Safety
    /// The vectors are those of the region's pass.
    pub(super) unsafe fn empty(&self, region: &Region<'_>, step: i64) {
        for at in 0..region.work.pass.vectors {
            // SAFETY: by contract.
            let filled = unsafe { &mut *self.filled.add(at) };
            (filled.count, filled.first) = (0, step);
        }
    }

    pub(super) fn give(self, heap: &Heap) {
        if let Some(block) = self.block {
            // SAFETY: the block is of this heap, and nothing refers to it.
            unsafe { heap.give(block) };
        }
    }
}

/// The bytes that a thread needs for its elements of a vector.
fn buffer(of: &Filled, region: &Region<'_>) -> Option<usize> {
    aligned(usize::try_from(of.width.checked_mul(region.slice)?).ok()?)
}

/// The number of bytes, rounded up to whole cache lines.
pub(super) fn aligned(bytes: usize) -> Option<usize> {
    bytes.checked_next_multiple_of(LINE)
}

/// The vectors of a pass.
///
/// # Safety
/// There are `count` of them, and their data and widths do not change as long as the result lives.
pub(super) unsafe fn vectors<'a>(filled: *const Filled, count: usize) -> &'a [Filled] {
    if count == 0 {
        return &[];
    }
    // SAFETY: by contract.
    unsafe { core::slice::from_raw_parts(filled, count) }
}

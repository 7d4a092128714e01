//! The accumulators of blocks, combined as a binary counter counts.
//!
//! Invariant: the order of combination depends on the number of blocks only.
//!
//! ```text
//! 5 blocks   ⇒   ((01)(23)) 4
//! ```

use core::ffi::c_int;
use core::mem::{MaybeUninit, size_of_val};
use core::ptr::null;

use arr_abi::ErrorCode;

use super::{Work, divide_up};
use crate::context::Context;
use crate::memory::Block;

/// The most words of a tree of totals in the frame of the pass. Larger trees are in a block of the heap. No benchmark
/// shows it alone.
const TREE_WORDS: usize = 128;
/// A place for the words of a tree.
pub(super) const TREE_PLACE: [MaybeUninit<u64>; TREE_WORDS] = [MaybeUninit::uninit(); TREE_WORDS];

/// Blocks that are combined as a binary counter counts.
pub(super) struct Tree<'a> {
    work: &'a Work<'a>,
    /// The accumulators of blocks that wait for others, the oldest first.
    totals: *mut u8,
    /// The block of the heap that they are in, if they do not fit into the frame.
    kept: Option<Block>,
    /// How many accumulators wait for those behind them.
    waiting: usize,
    /// How many blocks there were.
    blocks: u64,
}

impl<'a> Tree<'a> {
    /// A tree for all blocks of a pass, in `words` if these suffice. The error is the code of the failed call, if there
    /// is no memory.
    pub(super) fn new(
        work: &'a Work<'a>,
        words: &'a mut [MaybeUninit<u64>; TREE_WORDS],
    ) -> Result<Self, c_int> {
        let bytes = Self::levels(work).saturating_mul(work.pass.bytes);
        if bytes <= size_of_val(words) {
            let totals = words.as_mut_ptr().cast();
            return Ok(Self { work, totals, kept: None, waiting: 0, blocks: 0 });
        }
        // SAFETY: a context keeps its heap.
        match unsafe { work.context.heap().as_ref() }.block(bytes) {
            Some(block) => {
                let totals = block.start.as_ptr();
                Ok(Self { work, totals, kept: Some(block), waiting: 0, blocks: 0 })
            }
            None => Err(out_of_memory(work.context, bytes)),
        }
    }

    /// The most sets of accumulators that wait: one for each level, and the next one.
    fn levels(work: &Work<'_>) -> usize {
        let blocks = divide_up(work.steps, work.block);
        usize::try_from(blocks.checked_ilog2().unwrap_or(0)).unwrap_or(0) + 2
    }

    /// The place for the next block's accumulators.
    pub(super) fn place(&self) -> *mut u8 {
        // SAFETY: at most one set waits at each level, besides the next one.
        unsafe { self.totals.add(self.waiting * self.work.pass.bytes) }
    }

    /// Takes in the next block.
    ///
    /// # Safety
    /// Its accumulators are at [`Self::place`].
    pub(super) unsafe fn grow(&mut self) -> c_int {
        self.waiting += 1;
        self.blocks += 1;
        for _ in 0..self.blocks.trailing_zeros() {
            // SAFETY: by contract.
            let code = unsafe { self.join() };
            if code != 0 {
                return code;
            }
        }
        0
    }

    /// Ends the tree after the last block: the combined accumulators become those of the pass.
    ///
    /// # Safety
    /// As for [`Self::grow`].
    pub(super) unsafe fn finish(&mut self) -> c_int {
        while self.waiting > 1 {
            // SAFETY: by contract.
            let code = unsafe { self.join() };
            if code != 0 {
                return code;
            }
        }
        // SAFETY: both are of as many bytes.
        unsafe { self.work.totals.copy_from_nonoverlapping(self.totals, self.work.pass.bytes) };
        0
    }

    /// Joins the last two sets.
    ///
    /// # Safety
    /// There are two.
    unsafe fn join(&mut self) -> c_int {
        let Some(join) = self.work.pass.join else { return 0 };
        self.waiting -= 1;
        let right = self.place();
        let context = core::ptr::from_ref(self.work.context).cast_mut();
        // SAFETY: by contract.
        unsafe {
            let left = right.sub(self.work.pass.bytes);
            join(context, self.work.frame, left.cast(), right.cast())
        }
    }
}

impl Drop for Tree<'_> {
    fn drop(&mut self) {
        if let Some(block) = self.kept.take() {
            // SAFETY: the block is of this heap, and the accumulators are not used any more.
            unsafe { self.work.context.heap().as_ref().give(block) };
        }
    }
}

/// Lets the call of the context fail because there is no memory for some bytes.
fn out_of_memory(context: &Context, bytes: usize) -> c_int {
    let code = ErrorCode::Memory.number();
    // SAFETY: NULL is no site.
    unsafe { context.fail(code, null(), i64::try_from(bytes).unwrap_or(i64::MAX), 0) };
    code
}

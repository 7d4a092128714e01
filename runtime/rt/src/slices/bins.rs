//! Arrays whose elements (bins) steps change in any order. Each thread has such arrays of its own, and they are
//! joined at the end.
//!
//! A thread that has no slice left adds its bins to those of a thread that ended before it, or leaves them for the
//! next one. So no thread waits, and with many threads several of them join bins at the same time. The caller adds
//! the remaining bins to those of the pass.
//!
//! Invariant: until all threads are back, the bins of the pass are only read. The operations are exact, so that the
//! result has the same bits in whichever order threads end.
//!
//! ```text
//! 3 threads end in the order b, a, c   ⇒   b waits; a = a + b waits; c = c + a waits; bins of the pass + c
//! ```

use core::ptr::{NonNull, null};

use arr_abi::layout::Bins;

use super::meeting::Meeting;
use super::own::aligned;
use super::{Work, pointer};
use crate::context::Context;
use crate::memory::Block;

/// Threads have bins of their own only if the share of each thread is at least this many steps per bin. Passes with
/// two threads and 8,192 to 65,536 bins were measured. With four steps per bin and thread, they took 0.6 to 1.5 times
/// as long as on one thread; with six steps, they took 0.6 to 1.1 times as long.
/// `scripts/bench --threads 1,2 histogram_i32` has 1,000 bins, and so more steps for each.
const STEPS_OF_BIN: usize = 6;

/// The bins of a thread.
pub(super) struct Own {
    /// The memory block that contains them and this description.
    block: Block,
    /// The number of bytes that count towards the memory limit.
    bytes: usize,
    bins: *const Bins,
}

/// The bins of threads that have ended.
pub(super) struct Ended(Meeting<Own>);

/// The largest number of threads for which bins of their own pay off.
pub(super) fn threads(work: &Work<'_>) -> i64 {
    let all = of_pass(work);
    if all.is_empty() {
        return i64::MAX;
    }
    let bytes = all.iter().map(Bins::bytes);
    if bytes.fold(0, u64::saturating_add) > Bins::COPIED {
        return 1;
    }
    let count = all.iter().map(|bins| bins.count).fold(0, usize::saturating_add);
    let steps = usize::try_from(work.steps).unwrap_or(0);
    let threads = steps.checked_div(count.saturating_mul(STEPS_OF_BIN)).unwrap_or(usize::MAX);
    i64::try_from(threads).unwrap_or(i64::MAX)
}

/// The bins of a pass.
pub(super) fn of_pass<'a>(work: &Work<'a>) -> &'a [Bins] {
    if work.pass.bins == 0 {
        return &[];
    }
    // SAFETY: while a pass runs, `work.bins` points to as many descriptions as `pass.bins` says.
    unsafe { core::slice::from_raw_parts(work.bins, work.pass.bins) }
}

impl Own {
    /// New bins for a thread, with initial values that change no other bins when they are merged. `None` if there is
    /// no memory.
    ///
    /// # Safety
    /// The pass has bins, and its functions may be called in the context, which is the thread's.
    unsafe fn new(work: &Work<'_>, context: &Context) -> Option<NonNull<Self>> {
        let all = of_pass(work);
        let first = work.pass.first?;
        let head = aligned(size_of::<Self>())?;
        let mut at = head.checked_add(aligned(size_of_val(all))?)?;
        let bytes = all.iter().try_fold(at, |sum, bins| sum.checked_add(elements(bins)?))?;
        // SAFETY: a context keeps its heap.
        let block = unsafe { context.heap().as_ref() }.counted_block(bytes)?;
        let start = block.start.as_ptr();
        let own: NonNull<Self> = block.start.cast();
        // SAFETY: the block has room for the `Self`, the descriptions and their elements, and nothing else points to
        // it.
        unsafe {
            let places: *mut Bins = start.add(head).cast();
            for (place, bins) in all.iter().enumerate() {
                places.add(place).write(Bins { data: start.add(at), ..*bins });
                at += elements(bins).unwrap_or(0);
            }
            own.write(Self { block, bytes, bins: places });
            let code = first(pointer(context), work.frame, places, work.bins);
            if code != 0 {
                Self::give(own, context);
                return None;
            }
        }
        Some(own)
    }

    /// # Safety
    /// Nothing uses the bins any more, and they come from the heap of the context.
    unsafe fn give(own: NonNull<Self>, context: &Context) {
        // SAFETY: by contract.
        unsafe {
            let Self { block, bytes, .. } = own.read();
            context.heap().as_ref().give_counted(block, bytes);
        }
    }
}

/// The bins of a thread that runs slices; none if the pass has none.
pub(super) struct Mine(Option<NonNull<Own>>);

impl Mine {
    /// `None` if there is no memory.
    ///
    /// # Safety
    /// The functions of the pass may be called in the context, which is the thread's.
    pub(super) unsafe fn new(work: &Work<'_>, context: &Context) -> Option<Self> {
        if work.pass.bins == 0 {
            return Some(Self(None));
        }
        // SAFETY: by contract.
        unsafe { Own::new(work, context) }.map(|own| Self(Some(own)))
    }

    /// The descriptions of the bins; null if there are none.
    pub(super) fn bins(&self) -> *const Bins {
        // SAFETY: they are there until they are handed over.
        self.0.map_or(null(), |own| unsafe { own.as_ref() }.bins)
    }
}

impl Ended {
    pub(super) fn none() -> Self {
        Self(Meeting::empty())
    }

    /// A thread has ended: adds its bins to those of others.
    ///
    /// # Safety
    /// As for [`Mine::new`], and the thread has no slice left.
    pub(super) unsafe fn take(&self, work: &Work<'_>, context: &Context, mine: Mine) {
        let (Some(own), Some(merge)) = (mine.0, work.pass.merge) else { return };
        self.0.leave(own, |other| {
            // SAFETY: both are this thread's now. The operations of bins do not fail.
            unsafe {
                merge(pointer(context), work.frame, own.as_ref().bins, other.as_ref().bins);
                Own::give(other, context);
            }
        });
    }

    /// All threads have ended: adds their bins to those of the pass, unless it failed.
    ///
    /// # Safety
    /// As for [`Mine::new`], and no thread runs slices.
    pub(super) unsafe fn finish(&self, work: &Work<'_>, failed: bool) {
        let Some(own) = self.0.take() else { return };
        // SAFETY: no other thread has these bins, or those of the pass. The operations of bins do not fail.
        unsafe {
            if let (Some(merge), false) = (work.pass.merge, failed) {
                merge(pointer(work.context), work.frame, work.bins, own.as_ref().bins);
            }
            Own::give(own, work.context);
        }
    }
}

/// The bytes of the elements of bins, in whole cache lines.
fn elements(bins: &Bins) -> Option<usize> {
    aligned(bins.count.checked_mul(bins.width)?)
}

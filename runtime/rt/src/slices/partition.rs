//! Passes that change many bins: threads list the changes of their steps by parts of the bins, and then each of them makes the
//! changes of some parts.
//!
//! A part of the bins fits into a core's cache, and only one thread changes it. The steps run in rounds, so that the lists do not
//! take much more memory than the bins. In a round, each slice has a list, which is sorted by parts; the changes of a part are made slice by
//! slice, and so in the order of the steps.
//!
//! Invariant: while steps run, no bin changes; while a part of the bins changes, no other thread uses it.
//!
//! ```text
//! 8 bins, 2 parts; slices change bins [6, 1, 0] and [1, 7]   ⇒   lists [1, 0 | 6] and [1 | 7]
//!   ⇒   one thread changes bins 1, 0, 1, and another one changes bins 6, 7
//! ```

use core::ffi::{c_int, c_void};

use arr_abi::layout::{Bins, Changes, ListFn, MakeFn};

use super::order::Order;
use super::own::aligned;
use super::{Work, cancel, divide_up, pointer, size};
use crate::atomic::{AtomicI64, Ordering};
use crate::context::Context;
use crate::heap::Heap;
use crate::memory::Block;

/// There is at least one step for this many bins. `scripts/bench --threads 1,2 many_sums_i64` has four steps for a bin.
/// At the limit, with 64 Mi bins and 16 Mi steps, counts take 0.56 of the time of one thread (least times, two cores,
/// AVX2).
const BINS_OF_STEP: usize = 4;
/// The base-2 logarithm of the most parts of the bins. The ends of as many lists stay in the first caches.
/// `scripts/bench --threads 1,2 many_sums_i64` shows the effect of another number. Not measured by itself.
const PARTS: u32 = 8;
/// The most steps of a slice: the list of a thread stays in its core's cache.
/// `scripts/bench --threads 1,2 many_sums_i64` shows the effect of another length. Not measured by itself.
const SLICE: i64 = 1 << 16;
/// The least steps of a round, if there are as many. Otherwise it has a step for each bin.
/// `scripts/bench --threads 1,2 many_sums_i64` shows the effect of another length. Not measured by itself.
const ROUND: i64 = 1 << 22;

/// How many ranges of steps are looked at, and the steps of each one. Steps at random places are spread, as those of
/// `scripts/bench --threads 1,2 many_sums_i64`; sorted ones are not. Not measured by itself.
const SAMPLES: i64 = 4;
const SAMPLE: i64 = 1024;
/// The base-2 logarithm of the bytes of a page of bins.
const PAGE: u32 = 12;
/// How many pages are taken to be in the first caches. No benchmark shows it alone.
const PAGES: usize = 64;

/// How a pass is run in rounds.
pub(super) struct Partition<'a> {
    work: &'a Work<'a>,
    list: ListFn<Context>,
    make: MakeFn<Context>,
    bins: Bins,
    /// The base-2 logarithm of the bins of a part.
    shift: u32,
    parts: usize,
    /// The steps of a slice, and those of a round.
    slice: i64,
    round: i64,
    threads: i64,
}

/// What threads do at the same time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// They list the changes of slices.
    List,
    /// They make the changes of parts.
    Make,
}

/// A round, as all threads see it.
struct Round<'a> {
    partition: &'a Partition<'a>,
    phase: Phase,
    /// The first step, and the one behind the last step.
    steps: [i64; 2],
    /// The slices or parts, which threads take.
    order: Order,
    /// The lists of all slices. A list that no thread has made is empty.
    lists: Lists,
    /// How many threads have come.
    joined: AtomicI64,
}

/// The lists of the slices of a round: all numbers of bins, then all operands, and the places where parts begin.
#[derive(Clone, Copy)]
struct Lists {
    places: *mut u32,
    values: *mut u8,
    begins: *mut u32,
}

impl<'a> Partition<'a> {
    /// `None` if the pass runs in another way.
    pub(super) fn of(work: &'a Work<'a>) -> Option<Self> {
        let (list, make) = (work.pass.list?, work.pass.make?);
        let &[bins] = super::bins::of_pass(work) else { return None };
        let steps = usize::try_from(work.steps).ok()?;
        let is_many = bins.bytes() >= Bins::LISTED;
        let fits = u32::try_from(bins.count).is_ok();
        let threads = i64::try_from(work.context.team.threads()).ok()?;
        let is_worth_it = work.context.team.is_worth_it(work.work());
        if !is_many
            || !fits
            || threads < 2
            || bins.count / BINS_OF_STEP > steps
            || !is_worth_it
            || work.context.post.has_crew()
        {
            return None;
        }
        let shift = (usize::BITS - (bins.count - 1).leading_zeros()).saturating_sub(PARTS);
        let parts = ((bins.count - 1) >> shift) + 1;
        let slice = SLICE.min(work.longest());
        let round = ROUND.max(i64::try_from(bins.count).ok()?).min(work.steps);
        Some(Self { work, list, make, bins, shift, parts, slice, round, threads })
    }

    /// Runs the pass. `None` if it is better run in another way, or there is no memory for the lists.
    ///
    /// # Safety
    /// As for [`super::arr_rt_slices`].
    pub(super) unsafe fn run(&self) -> Option<c_int> {
        // SAFETY: by contract.
        if unsafe { !self.is_scattered()? } {
            return None;
        }
        let changes = size(self.round);
        let slices = size(divide_up(self.round, self.slice));
        let values = places(self.round)?;
        let begins = values.checked_add(aligned(changes.checked_mul(self.bins.width)?)?)?;
        let count = slices.checked_mul(self.parts + 1)?;
        let bytes = begins.checked_add(count.checked_mul(size_of::<u32>())?)?;
        let heap = self.heap();
        let block = heap.counted_block(bytes)?;
        let start = block.start.as_ptr();
        // SAFETY: the block has that many bytes.
        let [values, begins] = [values, begins].map(|at| unsafe { start.add(at) });
        let lists = Lists { places: start.cast(), values, begins: begins.cast() };
        let (mut from, mut code) = (0, 0);
        while from < self.work.steps && code == 0 {
            let to = self.work.steps.min(from.saturating_add(self.round));
            // SAFETY: the lists have room for a round.
            unsafe {
                begins.write_bytes(0, count * size_of::<u32>());
                code = self.round([from, to], lists);
            }
            from = to;
        }
        // SAFETY: the block is of this heap, and all threads are back.
        unsafe { heap.give_counted(block, bytes) };
        Some(code)
    }

    fn heap(&self) -> &Heap {
        // SAFETY: a context keeps its heap.
        unsafe { self.work.context.heap().as_ref() }
    }

    /// Whether the steps of some samples change bins far from each other. Otherwise these are in the first caches, and are changed
    /// directly. `None` if there is no memory for a sample, or it fails.
    ///
    /// # Safety
    /// As for [`super::arr_rt_slices`].
    unsafe fn is_scattered(&self) -> Option<bool> {
        let &Work { context, frame, steps, bins, .. } = self.work;
        let own = self.heap().block(self.bytes(SAMPLE)?)?;
        let page = PAGE.saturating_sub(self.bins.width.trailing_zeros());
        let (mut pages, mut near, mut all, mut code) = ([u32::MAX; PAGES], 0, 0, 0);
        for sample in 0..SAMPLES {
            let from = steps / SAMPLES * sample;
            let to = steps.min(from + SAMPLE);
            let mut changes = empty(&own, SAMPLE);
            // SAFETY: by contract; the list has room, and as many changes as it says.
            let listed = unsafe {
                code = (self.list)(pointer(context), frame, from, to, bins, &raw mut changes);
                core::slice::from_raw_parts(changes.places, changes.count)
            };
            if code != 0 {
                context.clear_failure();
                break;
            }
            for place in listed {
                let page = place >> page;
                if let Some(last) = pages.get_mut(page as usize % PAGES) {
                    near += usize::from(*last == page);
                    *last = page;
                }
            }
            all += listed.len();
        }
        // SAFETY: the block is of this heap, and nothing refers to it.
        unsafe { self.heap().give(own) };
        (code == 0).then_some(2 * near < all)
    }

    /// The bytes of a list of one change for each of some steps.
    fn bytes(&self, steps: i64) -> Option<usize> {
        places(steps)?.checked_add(size(steps).checked_mul(self.bins.width)?)
    }

    /// # Safety
    /// As for [`super::arr_rt_slices`]; the lists are empty.
    unsafe fn round(&self, steps: [i64; 2], lists: Lists) -> c_int {
        let slices = divide_up(steps[1] - steps[0], self.slice);
        let parts = i64::try_from(self.parts).unwrap_or(0);
        for (phase, count) in [(Phase::List, slices), (Phase::Make, parts)] {
            let (order, joined) = (Order::new(count), AtomicI64::new(0));
            let round = Round { partition: self, phase, steps, order, lists, joined };
            // SAFETY: by contract.
            let code = unsafe { round.run() };
            if code != 0 {
                return code;
            }
        }
        0
    }
}

/// The work of each thread.
///
/// # Safety
/// `round` is a [`Round`] that lives until this returns.
unsafe extern "C" fn help(round: *mut c_void) {
    let round: *const Round<'_> = round.cast();
    // SAFETY: by contract.
    unsafe {
        if let Some(round) = round.as_ref() {
            round.help();
        }
    }
}

impl Round<'_> {
    /// # Safety
    /// As for [`super::arr_rt_slices`].
    unsafe fn run(&self) -> c_int {
        let Partition { work, threads, .. } = *self.partition;
        let team = &work.context.team;
        let argument = core::ptr::from_ref(self).cast_mut().cast();
        // SAFETY: the round lives until all threads are back.
        let failed = unsafe {
            let copies = threads.min(self.order.count());
            if self.phase == Phase::List && self.steps[0] == 0 {
                team.lend(work.pass.pool, copies, help, argument);
            } else {
                team.lend_again(work.pass.pool, copies, help, argument);
            }
            team.first_failed()
        };
        if self.joined.load(Ordering::Relaxed) > 1 {
            team.note_help();
        }
        if let Some((worker, _)) = failed {
            work.context.fail_as(worker);
            return work.context.code();
        }
        // A thread that gets no memory for a worker takes no slices or parts. The caller's thread runs those that remain.
        while let Some(at) = self.order.take(false) {
            // SAFETY: as above, and no other thread runs.
            let code = unsafe { self.directly(at) };
            if code != 0 {
                return code;
            }
        }
        0
    }

    /// # Safety
    /// A call runs in the context.
    unsafe fn help(&self) {
        if self.order.is_taken() {
            return;
        }
        self.joined.fetch_add(1, Ordering::Relaxed);
        let context = self.partition.work.context;
        // SAFETY: by contract.
        let Some(worker) = (unsafe { context.team.hire(context) }) else { return };
        // SAFETY: the worker is this thread's.
        match unsafe { self.help_as(worker) } {
            None => worker.team.dismiss(),
            Some(at) => worker.team.fail(at),
        }
    }

    /// Takes slices or parts until none is left; gives the one that failed.
    ///
    /// # Safety
    /// The worker is this thread's.
    unsafe fn help_as(&self, worker: &Context) -> Option<i64> {
        // SAFETY: a context keeps its heap.
        let heap = unsafe { self.partition.work.context.heap().as_ref() };
        let own = match self.phase {
            Phase::Make => None,
            Phase::List => Some(heap.block(self.partition.bytes(self.partition.slice)?)?),
        };
        let mut failed = None;
        while let Some(at) = self.order.take(false) {
            // SAFETY: the slice or part is this thread's.
            let code = unsafe { self.run_one(worker, at, own.as_ref()) };
            if code != 0 {
                self.order.fail(at);
                failed = Some(at);
                break;
            }
        }
        if let Some(block) = own {
            // SAFETY: the block is of this heap, and nothing refers to it.
            unsafe { heap.give(block) };
        }
        failed
    }

    /// # Safety
    /// The slice or part is this thread's, and so are the worker and the block.
    unsafe fn run_one(&self, worker: &Context, at: i64, own: Option<&Block>) -> c_int {
        // SAFETY: by contract.
        unsafe {
            match own {
                Some(own) => self.list(worker, at, own),
                None => self.make(worker, size(at)),
            }
        }
    }

    /// Does in the caller's thread what no other thread has done.
    ///
    /// # Safety
    /// No other thread runs.
    unsafe fn directly(&self, at: i64) -> c_int {
        let work = self.partition.work;
        // SAFETY: by contract.
        unsafe {
            match self.phase {
                Phase::List if work.context.is_cancelled() => cancel(work.context),
                Phase::List => {
                    work.steps(work.context, self.slice(at), core::ptr::null_mut(), work.own())
                }
                Phase::Make => self.make(work.context, size(at)),
            }
        }
    }

    /// The steps of a slice.
    fn slice(&self, at: i64) -> [i64; 2] {
        let [first, end] = self.steps;
        let from = first.saturating_add(at.saturating_mul(self.partition.slice));
        [from, end.min(from.saturating_add(self.partition.slice))]
    }

    /// Lists the changes of a slice, and sorts them by parts.
    ///
    /// # Safety
    /// The slice is this thread's, and so are the worker and the block.
    unsafe fn list(&self, worker: &Context, at: i64, own: &Block) -> c_int {
        let Partition { work, list, bins, shift, parts, .. } = *self.partition;
        if work.context.is_cancelled() {
            return cancel(worker);
        }
        let [from, to] = self.slice(at);
        // SAFETY: the block has room for a change of each step.
        unsafe {
            let mut changes = empty(own, self.partition.slice);
            let code = list(pointer(worker), work.frame, from, to, work.bins, &raw mut changes);
            if code != 0 {
                return code;
            }
            let sorted = self.of_slice(size(at));
            // Calls by a pointer could unwind, for all that Rust knows, and would bring its library along.
            match bins.width {
                1 => sort::<u8>(changes, sorted, shift, parts),
                2 => sort::<u16>(changes, sorted, shift, parts),
                4 => sort::<u32>(changes, sorted, shift, parts),
                _ => sort::<u64>(changes, sorted, shift, parts),
            }
        }
        0
    }

    /// The list of a slice.
    ///
    /// # Safety
    /// The round has such a slice.
    unsafe fn of_slice(&self, slice: usize) -> Lists {
        let Partition { bins, parts, slice: steps, .. } = *self.partition;
        let (Lists { places, values, begins }, first) = (self.lists, slice * size(steps));
        // SAFETY: by contract.
        unsafe {
            Lists {
                places: places.add(first),
                values: values.add(first * bins.width),
                begins: begins.add(slice * (parts + 1)),
            }
        }
    }

    /// Makes the changes of a part.
    ///
    /// # Safety
    /// The part is this thread's, and so is the worker.
    unsafe fn make(&self, worker: &Context, part: usize) -> c_int {
        let Partition { work, make, bins, slice, .. } = *self.partition;
        let [from, to] = self.steps;
        for at in 0..size(divide_up(to - from, slice)) {
            if work.context.is_cancelled() {
                return cancel(worker);
            }
            // SAFETY: by contract; changes do not fail.
            unsafe {
                let Lists { places, values, begins } = self.of_slice(at);
                let [first, end] = [part, part + 1].map(|at| *begins.add(at) as usize);
                let (places, values) = (places.add(first), values.add(first * bins.width));
                let changes = Changes { places, values, count: end - first };
                if changes.count > 0 {
                    make(pointer(worker), work.frame, work.bins, &raw const changes);
                }
            }
        }
        0
    }
}

/// A list without changes in a block that has room for one change of each of some steps.
fn empty(block: &Block, steps: i64) -> Changes {
    let start = block.start.as_ptr();
    Changes {
        places: start.cast(),
        values: start.wrapping_add(places(steps).unwrap_or(0)),
        count: 0,
    }
}

/// The bytes of the numbers of as many bins, in whole cache lines.
fn places(steps: i64) -> Option<usize> {
    aligned(size(steps).checked_mul(size_of::<u32>())?)
}

/// Sorts changes by parts of `1 << shift` bins; those of a part keep their order.
///
/// # Safety
/// The operands are of type `T`, and all bins are in the `parts` parts. There is room for all changes, and the beginnings of parts are 0.
unsafe fn sort<T: Copy>(from: Changes, to: Lists, shift: u32, parts: usize) {
    // SAFETY: by contract.
    unsafe {
        let places = core::slice::from_raw_parts(from.places, from.count);
        let begins = core::slice::from_raw_parts_mut(to.begins, parts + 1);
        for &place in places {
            *begins.get_unchecked_mut((place >> shift) as usize + 1) += 1;
        }
        let (mut next, mut sum) = ([0_u32; 1 << PARTS], 0);
        for (next, end) in next.iter_mut().zip(begins.iter_mut().skip(1)) {
            *next = sum;
            sum += *end;
            *end = sum;
        }
        let (values, sorted) = (from.values.cast::<T>(), to.values.cast::<T>());
        for (at, &place) in places.iter().enumerate() {
            let next = next.get_unchecked_mut((place >> shift) as usize);
            let into = *next as usize;
            *next += 1;
            to.places.add(into).write(place);
            sorted.add(into).write(values.add(at).read());
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn changes_of_a_part_keep_their_order() {
        let mut places = [6, 1, 0, 1, 7];
        let mut values = [10_u16, 11, 12, 13, 14];
        let (mut sorted, mut begins, mut operands) = ([0; 5], [0; 4], [0_u16; 5]);
        let changes =
            Changes { places: places.as_mut_ptr(), values: values.as_mut_ptr().cast(), count: 5 };
        let lists = Lists {
            places: sorted.as_mut_ptr(),
            values: operands.as_mut_ptr().cast(),
            begins: begins.as_mut_ptr(),
        };
        // SAFETY: there are five changes, of bins in three parts.
        unsafe { sort::<u16>(changes, lists, 2, 3) };
        assert_eq!(begins, [0, 3, 5, 5]);
        assert_eq!((sorted, operands), ([1, 0, 1, 6, 7], [11, 12, 13, 10, 14]));
    }
}

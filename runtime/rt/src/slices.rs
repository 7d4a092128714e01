//! Passes in slices: which steps run together, in which thread, and how their accumulators are combined.
//!
//! The caller's thread and its helpers take slices from one counter, in order. So a slice begins only when all slices before
//! it have begun, and the first failure by position is known when all threads are back: no slice before it is left
//! out. Vectors that the steps append to are filled in buffers of the threads; a slice waits for the slices before it, and
//! moves its elements behind theirs. A slice whose turn has come before its steps run fills the vectors themselves. The
//! accumulators of blocks are combined in the order of a binary counter, by the caller alone. Bins are joined in any order,
//! since their operations are exact.
//!
//! Invariant: slices, blocks and the order of combination depend only on the number of steps. The threads only decide
//! which of them runs which slice.
//!
//! ```text
//! 10 blocks, 3 threads   ⇒   slices [0, 4), [4, 8), [8, 10); totals ((01)(23))((45)(67)) (89)
//! ```

mod bins;
mod meeting;
mod order;
mod own;
mod partition;
mod tree;

use core::ffi::{c_int, c_void};
use core::ptr::{null, null_mut};

use arr_abi::ErrorCode;
use arr_abi::layout::{Bins, Filled, Pace, Sliced, Trips};

use crate::atomic::{AtomicI64, Ordering};
use crate::clock;
use crate::context::Context;
use crate::memory::Block;
use crate::pace;
use crate::slices::bins::{Ended, Mine};
use crate::slices::order::{Order, Turn};
use crate::slices::own::{Own, vectors};
use crate::slices::partition::Partition;
use crate::slices::tree::{TREE_PLACE, Tree};
use crate::team::Team;

/// Slices for each thread, so that none waits long for the last one. In a prototype, a map in second-level caches was
/// 1.78 times as fast on two threads as on one with two slices, and 2.2 times with eight; beyond the caches, both were
/// equal. `scripts/bench --threads 1,2 map_map_i32` has such a map.
const SLICES: i64 = 4;
/// The least work of a slice, in picoseconds. `scripts/bench --threads 1,2 map_map_i32` shows the effect of another
/// value. Not measured by itself.
const LEAST: u64 = 10_000_000;
/// The same, where threads are awake. `scripts/bench --threads 1,2 dot_f64 20000` has such slices: 6.7 µs on two
/// threads, and 9.8 on one (least times, AVX2).
const LEAST_AWAKE: u64 = 5_000_000;
/// The most work of a slice, in picoseconds, so that a call ends soon after it has been cancelled. Memory that is new, reads
/// all over an array and other programs make work several times as long as its estimate.
const LONGEST: u64 = 200_000_000;
/// The most steps of a slice that fills vectors, or whose steps are run twice for a scan, so that its elements are still in
/// the cache the second time. In a prototype, a filter on two threads was 2.0 and 1.9 times as fast as on one with
/// slices of 4,096 and 16,384 of 10^6 doubles, and 1.50 and 1.58 times beyond the caches.
/// `scripts/bench --threads 1,2 filter_max_i64` is such a filter.
const CHAINED: i64 = 16_384;
/// The most threads of a pass in which a slice may keep its turn while its steps run. More threads would wait too long.
/// `scripts/bench --threads 1,2 scan_f64 1000000` takes 0.79 of the time of one thread, before 1.74 (least times on two
/// cores that other programs used). More threads were not measured.
const FEW: i64 = 4;
/// The most bytes of elements of such a slice. `scripts/bench --threads 1,2 filter_max_i64` shows the effect of another
/// value. Not measured by itself.
const BUFFERED: i64 = 512 << 10;

/// The time below which compiled code makes a pass one call of its own, in picoseconds: several threads are never worth it, and a
/// call that is cancelled ends soon nevertheless.
pub(crate) fn short(team: &Team) -> u64 {
    team.least().min(LONGEST)
}

/// Runs a pass. Returns 0 or the code of the first failure by position.
///
/// # Safety
/// `context` is one in which a call runs; `pass` describes a pass whose steps may run in slices, and `frame` is the one that
/// its functions read; `totals` has room for the accumulators of a block, and `filled` has the vectors of the pass, each with
/// room for an element of each step; `bins` has the arrays of the pass whose elements steps change; `carries` has the first
/// values of the accumulators that steps read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_slices(
    context: *mut Context,
    pass: *const Sliced<Context>,
    trips: *const Trips,
    frame: *mut c_void,
    totals: *mut c_void,
    bins: *const Bins,
    filled: *mut Filled,
    carries: *mut c_void,
) -> c_int {
    // SAFETY: by contract.
    let (Some(context), Some(pass), Some(trips)) =
        (unsafe { (context.as_ref(), pass.as_ref(), trips.as_ref()) })
    else {
        return ErrorCode::Argument.number();
    };
    let Trips { steps, block, cost } = *trips;
    let totals = totals.cast();
    let may_share = cost != 0;
    let cost = u64::try_from(cost).unwrap_or(1).max(1);
    let work =
        Work { context, pass, frame, steps, block, cost, may_share, totals, bins, filled, carries };
    // SAFETY: by contract.
    unsafe { work.run() }
}

/// A pass that is run.
struct Work<'a> {
    context: &'a Context,
    pass: &'a Sliced<Context>,
    frame: *mut c_void,
    steps: i64,
    /// The steps of a block.
    block: i64,
    /// The estimated time of a step, in picoseconds.
    cost: u64,
    /// Whether several threads may run the steps.
    may_share: bool,
    /// The accumulators of all steps.
    totals: *mut u8,
    /// The arrays whose elements the steps change.
    bins: *const Bins,
    /// The vectors that the steps fill.
    filled: *mut Filled,
    /// The accumulators that steps read, before the next block.
    carries: *mut c_void,
}

/// What steps change besides the accumulators of their block.
#[derive(Clone, Copy)]
struct Kept {
    bins: *const Bins,
    filled: *mut Filled,
    carries: *mut c_void,
}

/// The slices of a pass, as all threads see them.
struct Region<'a> {
    work: &'a Work<'a>,
    /// The steps of a slice: whole blocks.
    slice: i64,
    /// The slices, which threads take.
    order: Order,
    /// The slice whose elements come next in the vectors. Only its thread reads and writes the vectors' element counts.
    turn: Turn,
    /// The slice to which the accumulators that steps read belong now. Only its thread reads and writes them.
    carry_turn: Turn,
    /// The accumulators of all blocks.
    blocks: *mut u8,
    /// The bins of threads that have no slice left.
    ended: Ended,
    /// How many threads have come.
    joined: AtomicI64,
}

impl Work<'_> {
    /// # Safety
    /// As for [`arr_rt_slices`].
    unsafe fn run(&self) -> c_int {
        // SAFETY: by contract.
        unsafe {
            let shared = if self.may_share { self.run_shared() } else { None };
            shared.unwrap_or_else(|| self.measured(self.steps, || self.alone(), |&code| code == 0))
        }
    }

    /// Runs the steps on several threads, if that is worth it.
    ///
    /// # Safety
    /// As for [`arr_rt_slices`].
    unsafe fn run_shared(&self) -> Option<c_int> {
        // SAFETY: by contract.
        unsafe {
            let partitioned = Partition::of(self).and_then(|partition| partition.run());
            partitioned.or_else(|| self.slice_steps().and_then(|slice| self.run_on_threads(slice)))
        }
    }

    /// The estimated time of all steps, in picoseconds.
    fn work(&self) -> u64 {
        u64::try_from(self.steps).map_or(u64::MAX, |steps| steps.saturating_mul(self.cost))
    }

    /// The expected time of all steps, in picoseconds: the estimate, corrected by what earlier passes took. A caller that gives a
    /// least work of its own means the estimate.
    fn expected(&self) -> u64 {
        let pace = self.pace();
        pace.map_or_else(|| self.work(), |pace| pace::expected(pace, &pace::PASS, self.work()))
    }

    /// The pace of the pass, if its time decides about threads.
    fn pace(&self) -> Option<&Pace> {
        // SAFETY: compiled code has one for as long as it is loaded.
        let pace = unsafe { self.pass.pace.as_ref() };
        pace.filter(|_| self.context.team.measures())
    }

    /// Runs steps from the first one on, in one thread, and notes their time if it is due and they succeed.
    fn measured<R>(
        &self,
        steps: i64,
        run: impl FnOnce() -> R,
        succeeded: impl FnOnce(&R) -> bool,
    ) -> R {
        let is_due = |pace: &&Pace| pace::is_due(pace, &pace::PASS, self.work(), pace::OFTEN);
        let Some(pace) = self.pace().filter(is_due) else { return run() };
        let begun = clock::now();
        let result = run();
        if succeeded(&result) {
            let time = clock::now() - begun;
            pace::note(pace, u64::try_from(steps).unwrap_or(0).saturating_mul(self.cost), time);
        }
        result
    }

    /// How many threads take part at most.
    fn threads(&self) -> Option<i64> {
        let threads = i64::try_from(self.context.team.threads()).ok()?;
        Some(threads.min(bins::threads(self)))
    }

    /// Whether a part of each slice's work waits for the slices before it.
    fn takes_turns(&self) -> bool {
        self.pass.vectors > 0 || self.pass.carried > 0
    }

    /// The steps of a slice, if several threads are worth it.
    fn slice_steps(&self) -> Option<i64> {
        let (team, work) = (&self.context.team, self.expected());
        let is_ordered = self.pass.carried > 0 && self.pass.sum.is_none();
        if is_ordered || self.context.post.has_crew() {
            return None;
        }
        // What threads do in turns is worth several only in long passes.
        let is_worth_it = match self.takes_turns() {
            true => work >= team.grain() && !team.avoids_turns(),
            false => team.is_worth_it(work),
        };
        let threads = self.threads()?;
        if !is_worth_it || threads < 2 {
            return None;
        }
        let least = if work < team.grain() { LEAST_AWAKE } else { LEAST.min(team.grain()) };
        // Not `div_ceil`, which panics where the compiler does not see that the cost is positive.
        let least = least.saturating_add(self.cost.saturating_sub(1)).checked_div(self.cost)?;
        let least = i64::try_from(least).ok()?;
        let each = divide_up(self.steps, threads.saturating_mul(SLICES)).max(least);
        let each = each.min(self.longest());
        let each = if self.pass.vectors == 0 { each } else { each.min(self.buffered()) };
        let each = if self.pass.sum.is_none() { each } else { each.min(CHAINED) };
        let slice = divide_up(each, self.block).checked_mul(self.block)?;
        (slice < self.steps).then_some(slice)
    }

    /// The most steps between two checks whether the call has been cancelled.
    fn longest(&self) -> i64 {
        let steps = LONGEST.checked_div(self.cost).and_then(|steps| i64::try_from(steps).ok());
        let steps = steps.unwrap_or(i64::MAX);
        divide_up(steps, self.block).saturating_mul(self.block).max(self.block)
    }

    /// The steps whose elements fit into a thread's buffers.
    fn buffered(&self) -> i64 {
        // SAFETY: the pass has as many vectors.
        let filled = unsafe { vectors(self.filled, self.pass.vectors) };
        let width = filled.iter().fold(1_i64, |sum, one| sum.saturating_add(one.width));
        (BUFFERED.checked_div(width)).map_or(1, |steps| steps.clamp(1, CHAINED))
    }

    /// All steps in this thread, block after block.
    ///
    /// # Safety
    /// As for [`arr_rt_slices`].
    unsafe fn alone(&self) -> c_int {
        let mut words = TREE_PLACE;
        let mut tree = match Tree::new(self, &mut words) {
            Ok(tree) => tree,
            Err(code) => return code,
        };
        let is_blocked = self.pass.join.is_some() || self.pass.carried > 0;
        let each = if is_blocked { self.block } else { self.longest() };
        let (mut from, mut code) = (0, 0);
        while from < self.steps && code == 0 {
            if self.context.is_cancelled() {
                return cancel(self.context);
            }
            let to = self.steps.min(from.saturating_add(each));
            // SAFETY: by contract; the tree has a place for one block more.
            code = unsafe { self.steps(self.context, [from, to], tree.place(), self.own()) };
            if code == 0 && self.pass.join.is_some() {
                // SAFETY: the block's accumulators are there.
                code = unsafe { tree.grow() };
            }
            from = to;
        }
        // SAFETY: by contract.
        if code == 0 && self.pass.join.is_some() { unsafe { tree.finish() } } else { code }
    }

    /// # Safety
    /// As for [`arr_rt_slices`]; the context is that of this thread, the accumulators of a block fit at `totals`, and the
    /// vectors have room for an element of each step.
    unsafe fn steps(
        &self,
        context: &Context,
        [from, to]: [i64; 2],
        totals: *mut u8,
        Kept { bins, filled, carries }: Kept,
    ) -> c_int {
        let (context, totals) = (core::ptr::from_ref(context).cast_mut(), totals.cast());
        // SAFETY: by contract.
        unsafe { (self.pass.slice)(context, self.frame, from, to, totals, bins, filled, carries) }
    }

    /// What steps change, where one thread makes all of them.
    fn own(&self) -> Kept {
        Kept { bins: self.bins, filled: self.filled, carries: self.carries }
    }

    /// All steps in slices, by several threads. `None` if there is no memory for the accumulators.
    ///
    /// # Safety
    /// As for [`arr_rt_slices`].
    unsafe fn run_on_threads(&self, slice: i64) -> Option<c_int> {
        let blocks = match self.pass.join {
            None => None,
            Some(_) => {
                let count = divide_up(self.steps, self.block);
                let bytes = usize::try_from(count).ok()?.checked_mul(self.pass.bytes)?;
                // SAFETY: a context keeps its heap.
                Some(unsafe { self.context.heap().as_ref() }.block(bytes)?)
            }
        };
        let region = Region {
            work: self,
            slice,
            order: Order::new(divide_up(self.steps, slice)),
            turn: Turn::first(),
            carry_turn: Turn::first(),
            blocks: blocks.map_or(null_mut(), |block: Block| block.start.as_ptr()),
            ended: Ended::none(),
            joined: AtomicI64::new(0),
        };
        let threads = self.threads()?;
        let argument = (&raw const region).cast_mut().cast();
        // SAFETY: the region lives until all threads are back.
        let code = unsafe {
            let copies = threads.min(region.order.count());
            self.context.team.lend(self.pass.pool, copies, help, argument);
            region.end()
        };
        if region.joined.load(Ordering::Relaxed) > 1 {
            self.context.team.note_help();
        }
        if let Some(time) = region.order.lost_time() {
            self.context.team.note_lost(time);
        }
        if let Some(block) = blocks {
            // SAFETY: the block is of this heap, and all threads are back.
            unsafe { self.context.heap().as_ref().give(block) };
        }
        Some(code)
    }
}

/// The work of each thread.
///
/// # Safety
/// `region` is a [`Region`] that lives until this returns.
unsafe extern "C" fn help(region: *mut c_void) {
    let region: *const Region<'_> = region.cast();
    // SAFETY: by contract.
    unsafe {
        if let Some(region) = region.as_ref() {
            region.help();
        }
    }
}

impl Region<'_> {
    /// Takes slices until none is left, or one before them has failed.
    ///
    /// # Safety
    /// A call runs in the context.
    unsafe fn help(&self) {
        if self.order.is_taken() {
            return;
        }
        self.joined.fetch_add(1, Ordering::Relaxed);
        let context = self.work.context;
        // SAFETY: by contract.
        let Some(worker) = (unsafe { context.team.hire(context) }) else { return };
        // SAFETY: a context keeps its heap.
        let heap = unsafe { context.heap().as_ref() };
        let Some(own) = Own::new(heap, self) else { return worker.team.dismiss() };
        // SAFETY: by contract.
        let failed = unsafe {
            let Some(mine) = Mine::new(self.work, worker) else {
                own.give(heap);
                return worker.team.dismiss();
            };
            let failed = self.slices(worker, &own, mine.bins());
            self.ended.take(self.work, worker, mine);
            failed
        };
        own.give(heap);
        match failed {
            None => worker.team.dismiss(),
            Some(block) => worker.team.fail(block),
        }
    }

    /// Takes slices until none is left; gives the block of a failure.
    ///
    /// # Safety
    /// The worker is this thread's, and so are the vectors.
    unsafe fn slices(&self, worker: &Context, own: &Own, bins: *const Bins) -> Option<i64> {
        let mut stays = false;
        while let Some(slice) = self.order.take(stays) {
            if self.work.context.is_cancelled() {
                cancel(worker);
                self.order.fail(slice);
                return Some(self.first_block(slice));
            }
            // SAFETY: the slice is this thread's.
            let run = || self.timed(|| unsafe { self.run(worker, slice, own, bins) });
            // The first slice waits for no other one.
            let ran = match slice {
                0 => self.work.measured(self.slice, run, Result::is_ok),
                _ => run(),
            };
            if let Err(block) = ran {
                self.order.fail(slice);
                return Some(block);
            }
            stays |= self.order.is_late(slice);
        }
        None
    }

    /// Runs a slice, and notes its time if threads take turns.
    fn timed<R>(&self, run: impl FnOnce() -> R) -> R {
        if !self.work.takes_turns() {
            return run();
        }
        let begun = clock::now();
        let result = run();
        self.order.note_slice(clock::now() - begun);
        result
    }

    /// The first block of a slice.
    fn first_block(&self, slice: i64) -> i64 {
        slice * self.blocks_of_slice()
    }

    /// How many blocks a slice has at most.
    fn blocks_of_slice(&self) -> i64 {
        self.slice.checked_div(self.work.block).unwrap_or(0)
    }

    /// Moves the elements of a slice behind those of the slices before it.
    ///
    /// # Safety
    /// It is the slice's turn, and the vectors are those that it filled.
    unsafe fn append(&self, slice: i64, own: &Own) {
        let count = self.work.pass.vectors;
        for at in 0..count {
            // SAFETY: both arrays have `count` vectors, and the counts are this thread's until the next turn.
            unsafe {
                let all = &mut *self.work.filled.add(at);
                own.starts.add(at).write(all.count);
                all.count += (*own.filled.add(at)).count;
            }
        }
        self.turn.pass_on(slice);
        for at in 0..count {
            // SAFETY: the elements of slices are in different places of the vector, which has room for all steps.
            unsafe {
                let Filled { data, width, count, .. } = *own.filled.add(at);
                let all = (&raw const (*self.work.filled.add(at)).data).read();
                let [from, bytes] = [*own.starts.add(at), count].map(|count| size(count * width));
                data.copy_to_nonoverlapping(all.add(from), bytes);
            }
        }
    }

    /// Whether the slice has its turn before its steps run, and may keep it meanwhile. So what a thread does alone, because no
    /// other one comes in time, takes no longer than on one thread.
    fn keeps(&self, turn: &Turn, slice: i64) -> bool {
        self.joined.load(Ordering::Relaxed) <= FEW && turn.has_come(slice)
    }

    /// Computes the accumulators that steps read before a slice, and passes them on to the next slice. False if a slice
    /// before it failed.
    ///
    /// # Safety
    /// The slice is this thread's, and so are the worker and the accumulators.
    unsafe fn carry(&self, worker: &Context, slice: i64, own: &Own) -> bool {
        let Work { pass, frame, carries, .. } = *self.work;
        let (Some(sum), Some(carry)) = (pass.sum, pass.carry) else { return true };
        let context = core::ptr::from_ref(worker).cast_mut();
        let sums = |block: usize| own.sums.wrapping_byte_add(block * pass.carried);
        // SAFETY: by contract; there is room for what each block of a slice adds.
        let is_known = self
            .blocks(slice)
            .enumerate()
            .all(|(block, [from, to])| unsafe { sum(context, frame, from, to, sums(block)) == 0 });
        if !self.order.wait_for(&self.carry_turn, slice) {
            return false;
        }
        // SAFETY: it is the slice's turn.
        unsafe {
            own.carries.cast::<u8>().copy_from_nonoverlapping(carries.cast(), pass.carried);
            if is_known {
                self.blocks(slice).enumerate().for_each(|(block, _)| {
                    carry(context, frame, carries, sums(block));
                });
                self.carry_turn.pass_on(slice);
            } else {
                // The steps themselves will fail as well, at the same place or before.
                worker.clear_failure();
            }
        }
        true
    }

    /// The blocks of a slice.
    fn blocks(&self, slice: i64) -> impl Iterator<Item = [i64; 2]> {
        let Work { steps, block, .. } = *self.work;
        let mut at = slice * self.slice;
        let end = steps.min(at.saturating_add(self.slice));
        core::iter::from_fn(move || {
            let from = at;
            at = end.min(at.saturating_add(block));
            (from < at).then_some([from, at])
        })
    }

    /// Runs a slice; the error is the block in which it fails.
    ///
    /// # Safety
    /// The slice is this thread's, and so are the worker and the vectors.
    unsafe fn run(
        &self,
        worker: &Context,
        slice: i64,
        own: &Own,
        bins: *const Bins,
    ) -> Result<(), i64> {
        let Work { pass, filled, carries, .. } = *self.work;
        let keeps_carries = pass.carried > 0 && self.keeps(&self.carry_turn, slice);
        // SAFETY: by contract.
        if !keeps_carries && unsafe { !self.carry(worker, slice, own) } {
            return Ok(());
        }
        let keeps_vectors = pass.vectors > 0 && self.keeps(&self.turn, slice);
        let kept = Kept {
            bins,
            filled: if keeps_vectors { filled } else { own.filled },
            carries: if keeps_carries { carries } else { own.carries },
        };
        // SAFETY: by contract; what belongs to all slices is this thread's in the slice's turn.
        unsafe {
            if !keeps_vectors {
                own.empty(self, slice * self.slice);
            }
            self.run_blocks(worker, slice, kept)?;
            if keeps_carries {
                self.carry_turn.pass_on(slice);
            }
            if keeps_vectors {
                self.turn.pass_on(slice);
            } else if pass.vectors > 0 && self.order.wait_for(&self.turn, slice) {
                self.append(slice, own);
            }
        }
        Ok(())
    }

    /// Runs the steps of a slice; the error is the block in which one fails.
    ///
    /// # Safety
    /// As for [`Self::run`].
    unsafe fn run_blocks(&self, worker: &Context, slice: i64, kept: Kept) -> Result<(), i64> {
        let Work { pass, steps, .. } = *self.work;
        let first = self.first_block(slice);
        if pass.join.is_none() && pass.carried == 0 {
            let from = slice * self.slice;
            let end = steps.min(from.saturating_add(self.slice));
            // SAFETY: by contract.
            let code = unsafe { self.work.steps(worker, [from, end], null_mut(), kept) };
            return if code == 0 { Ok(()) } else { Err(first) };
        }
        for (block, range) in (first..).zip(self.blocks(slice)) {
            // SAFETY: there is room for the accumulators of each block.
            unsafe {
                let totals = if pass.join.is_none() { null_mut() } else { self.totals(block) };
                if self.work.steps(worker, range, totals, kept) != 0 {
                    return Err(block);
                }
            }
        }
        Ok(())
    }

    /// The accumulators of a block.
    ///
    /// # Safety
    /// The pass has such a block, and accumulators.
    unsafe fn totals(&self, block: i64) -> *mut u8 {
        let at = usize::try_from(block).unwrap_or(0) * self.work.pass.bytes;
        // SAFETY: by contract.
        unsafe { self.blocks.add(at) }
    }

    /// Combines the accumulators of all blocks, or of those before the block that failed, after all threads have
    /// returned.
    ///
    /// # Safety
    /// Each block before it has left its accumulators.
    unsafe fn end(&self) -> c_int {
        let work = self.work;
        // SAFETY: all threads are back.
        let failed = unsafe { work.context.team.first_failed() };
        // SAFETY: as above.
        unsafe { self.ended.finish(work, failed.is_some()) };
        if failed.is_none() && !self.order.is_taken() {
            // Slices are left because there was no memory for a worker. SAFETY: as for the pass itself.
            return unsafe { work.alone() };
        }
        let last = divide_up(work.steps, work.block);
        let blocks = failed.map_or(last, |(_, block)| block);
        let mut words = TREE_PLACE;
        let mut tree = match Tree::new(work, &mut words) {
            Ok(tree) => tree,
            Err(code) => return code,
        };
        let mut code = 0;
        if work.pass.join.is_some() {
            for block in 0..blocks {
                // SAFETY: both are of as many bytes.
                unsafe {
                    self.totals(block).copy_to_nonoverlapping(tree.place(), work.pass.bytes);
                    code = tree.grow();
                }
                if code != 0 {
                    return code;
                }
            }
        }
        if let Some((worker, _)) = failed {
            work.context.fail_as(worker);
            return work.context.code();
        }
        if work.pass.join.is_some() {
            // SAFETY: all blocks are in the tree.
            code = unsafe { tree.finish() };
        }
        code
    }
}

/// A number of bytes, which is not negative.
fn size(bytes: i64) -> usize {
    usize::try_from(bytes).unwrap_or(0)
}

fn pointer(context: &Context) -> *mut Context {
    core::ptr::from_ref(context).cast_mut()
}

/// Lets the call of the context fail because it was cancelled.
fn cancel(context: &Context) -> c_int {
    let code = ErrorCode::Cancelled.number();
    // SAFETY: NULL is no site.
    unsafe { context.fail(code, null(), 0, 0) };
    code
}

/// `a / b`, rounded up; both are positive. If the quotient does not exist, the result is 0 instead of a panic.
fn divide_up(a: i64, b: i64) -> i64 {
    let quotient = a.checked_div(b).unwrap_or(0);
    quotient + i64::from(quotient * b < a)
}

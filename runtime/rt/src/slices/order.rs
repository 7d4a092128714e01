//! The order of the slices of a pass: threads take them in order, and some of their work is done in order.
//!
//! If the system runs something else instead of a thread, the threads behind it wait, and later it waits for them, slice
//! by slice. A pass is lost if it takes longer than on one thread because of such waits. Then a thread that waits takes all
//! further slices, and the passes that follow soon run on one thread.
//!
//! Invariant: when a slice is taken, all slices before it have been taken. A slice whose turn it is follows slices
//! none of which failed, and sees all that they did in their turns.
//!
//! ```text
//! thread 1: takes 0, takes 2;  thread 2: takes 1, which fails   ⇒   0 gets its turn, 2 does not
//! ```

use crate::atomic::{AtomicI64, Ordering, pause};
use crate::clock;

/// A pass is lost if it takes as many percent of the time of one thread. `scripts/bench --threads 1,2 scan_f64` is such
/// a pass, beside other processes. Not measured by itself.
const LOST: i64 = 150;
/// A wait for which a pass may be lost, in nanoseconds. `scripts/bench --threads 1,2 scan_f64` has such waits, beside
/// other processes. Not measured by itself.
const LONG: i64 = 300_000;
/// The pass is not lost.
const NONE: i64 = -1;

/// The slices of a pass.
pub(super) struct Order {
    /// When the pass began, in nanoseconds.
    begun: i64,
    /// The time that all threads have spent in slices, without waits.
    worked: AtomicI64,
    /// How many slices have ended.
    ended: AtomicI64,
    /// A slice whose thread found while it waited that the pass is lost, or [`NONE`].
    late: AtomicI64,
    /// How many there are.
    count: i64,
    /// The next slice.
    next: AtomicI64,
    /// The first slice that failed, or a larger number.
    failed: AtomicI64,
}

/// The slice whose turn it is.
pub(super) struct Turn(AtomicI64);

impl Order {
    /// None of the slices has been taken.
    pub(super) fn new(count: i64) -> Self {
        Self {
            begun: clock::now(),
            worked: AtomicI64::new(0),
            ended: AtomicI64::new(0),
            late: AtomicI64::new(NONE),
            count,
            next: AtomicI64::new(0),
            failed: AtomicI64::new(i64::MAX),
        }
    }

    /// The number of slices.
    pub(super) fn count(&self) -> i64 {
        self.count
    }

    /// Whether all slices have been taken.
    pub(super) fn is_taken(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.count
    }

    /// Takes the next slice. `None` if none is left, or one before it has failed, or another thread takes all further
    /// ones; `stays` is whether this thread does so in that case.
    pub(super) fn take(&self, stays: bool) -> Option<i64> {
        if !stays && self.late.load(Ordering::Relaxed) != NONE {
            return None;
        }
        let slice = self.next.fetch_add(1, Ordering::Relaxed);
        (slice < self.count && slice <= self.failed.load(Ordering::Relaxed)).then_some(slice)
    }

    /// Notes that a slice failed.
    pub(super) fn fail(&self, slice: i64) {
        self.failed.fetch_min(slice, Ordering::Relaxed);
    }

    /// Whether the thread of that slice takes all further ones.
    pub(super) fn is_late(&self, slice: i64) -> bool {
        self.late.load(Ordering::Relaxed) == slice
    }

    /// The time since the pass began, in nanoseconds, if the pass is lost.
    pub(super) fn lost_time(&self) -> Option<i64> {
        let (worked, ended) =
            (self.worked.load(Ordering::Relaxed), self.ended.load(Ordering::Relaxed));
        // The time of a wait is subtracted from that of its slice before that is added.
        let alone = worked.checked_div(ended).unwrap_or(0).saturating_mul(self.count);
        let time = clock::now() - self.begun;
        let is_lost = alone > 0 && time >= LONG && time / LOST >= alone / 100;
        is_lost.then_some(time)
    }

    /// Notes that a slice took this time, in nanoseconds, waits included.
    pub(super) fn note_slice(&self, time: i64) {
        self.worked.fetch_add(time, Ordering::Relaxed);
        self.ended.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits until it is the slice's turn. False if a slice before it failed.
    pub(super) fn wait_for(&self, turn: &Turn, slice: i64) -> bool {
        if turn.has_come(slice) {
            return true;
        }
        let (mut tries, since) = (0_u32, clock::now());
        let has_come = loop {
            if turn.has_come(slice) {
                break true;
            }
            if self.failed.load(Ordering::Relaxed) < slice {
                break false;
            }
            tries = tries.saturating_add(1);
            let is_long = pause(tries) && clock::now() - since >= LONG;
            if is_long && self.lost_time().is_some() {
                let (success, failure) = (Ordering::Relaxed, Ordering::Relaxed);
                let _ = self.late.compare_exchange(NONE, slice, success, failure);
            }
        };
        self.worked.fetch_sub(clock::now() - since, Ordering::Relaxed);
        has_come
    }
}

impl Turn {
    /// It is the first slice's turn.
    pub(super) fn first() -> Self {
        Self(AtomicI64::new(0))
    }

    /// Whether it is the slice's turn already.
    pub(super) fn has_come(&self, slice: i64) -> bool {
        self.0.load(Ordering::Acquire) == slice
    }

    /// Ends the turn of a slice: it is that of the next one.
    pub(super) fn pass_on(&self, slice: i64) {
        self.0.store(slice + 1, Ordering::Release);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_thread_that_finds_a_pass_lost_takes_all_further_slices() {
        let order = Order { next: AtomicI64::new(20), ..Order::new(30) };
        (0..20).for_each(|_| order.note_slice(1000));
        let turn = Turn(AtomicI64::new(20));
        assert_eq!([order.take(false), order.take(false)], [Some(20), Some(21)]);
        assert!(!order.is_late(21));
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| order.wait_for(&turn, 21));
            while !order.is_late(21) {
                std::thread::yield_now();
            }
            assert_eq!(order.take(false), None);
            assert_eq!(order.take(true), Some(22));
            turn.pass_on(20);
            assert!(waits.join().expect("the thread ends"));
        });
    }

    #[test]
    fn a_pass_is_lost_that_takes_longer_than_on_one_thread() {
        let is_lost = |ended: i64, each: i64| {
            let order = Order { begun: clock::now() - 100 * LONG, ..Order::new(20) };
            (0..ended).for_each(|_| order.note_slice(each));
            order.lost_time().is_some()
        };
        assert!(!is_lost(0, 0), "no slice has ended");
        // One thread takes 20 slices of this time.
        assert!(is_lost(10, 3 * LONG) && is_lost(20, 3 * LONG));
        assert!(!is_lost(10, 4 * LONG) && !is_lost(20, 4 * LONG));
    }
}

#[cfg(all(test, loom))]
mod interleavings {
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    struct Pass {
        order: Order,
        turn: Turn,
        /// What slices append in their turns.
        all: UnsafeCell<Vec<i64>>,
    }

    // SAFETY: the vector is touched by the slice whose turn it is; loom reports if two threads touch it.
    unsafe impl Sync for Pass {}
    // SAFETY: as above.
    unsafe impl Send for Pass {}

    /// The work of a thread; gives the slices that it took.
    fn work(pass: &Pass, fails: &[i64]) -> Vec<i64> {
        let mut taken = Vec::new();
        while let Some(slice) = pass.order.take(false) {
            taken.push(slice);
            if fails.contains(&slice) {
                pass.order.fail(slice);
                break;
            }
            if pass.turn.has_come(slice) || pass.order.wait_for(&pass.turn, slice) {
                // SAFETY: it is the slice's turn.
                pass.all.with_mut(|all| unsafe { (*all).push(slice) });
                pass.turn.pass_on(slice);
            }
        }
        taken
    }

    /// Runs slices on several threads; gives what they appended, the slices that were taken, and the first that failed.
    fn run(threads: usize, count: i64, fails: &'static [i64]) -> (Vec<i64>, Vec<i64>, i64) {
        let (order, all) = (Order::new(count), UnsafeCell::new(Vec::new()));
        let pass = Arc::new(Pass { order, turn: Turn::first(), all });
        let helpers: Vec<_> = (1..threads)
            .map(|_| {
                let pass = Arc::clone(&pass);
                thread::spawn(move || work(&pass, fails))
            })
            .collect();
        let mut taken = work(&pass, fails);
        for helper in helpers {
            taken.extend(helper.join().expect("no thread panics"));
        }
        taken.sort_unstable();
        // SAFETY: all threads have ended.
        let all = pass.all.with(|all| unsafe { (*all).clone() });
        (all, taken, pass.order.failed.load(Ordering::Relaxed))
    }

    #[test]
    fn slices_append_in_order() {
        loom::model(|| {
            let (all, taken, _) = run(2, 3, &[]);
            assert_eq!((all, taken), (vec![0, 1, 2], vec![0, 1, 2]));
        });
    }

    /// At most one thread waits: loom runs no more than two threads that wait for a third.
    #[test]
    fn three_threads_append_in_order() {
        loom::model(|| assert_eq!(run(3, 2, &[]).0, [0, 1]));
    }

    #[test]
    fn slices_before_the_first_that_fails_have_run() {
        loom::model(|| {
            let (all, taken, failed) = run(2, 4, &[1, 2]);
            assert_eq!((all, failed), (vec![0], 1));
            assert!(taken.starts_with(&[0, 1]), "{taken:?}");
        });
    }
}

//! The order of the slices of a pass: threads take them in order, and some of their work is done in order.
//!
//! Invariant: when a slice is taken, all slices before it have been taken. A slice whose turn it is follows slices
//! none of which failed, and sees all that they did in their turns.
//!
//! ```text
//! thread 1: takes 0, takes 2;  thread 2: takes 1, which fails   ⇒   0 gets its turn, 2 does not
//! ```

use crate::atomic::{AtomicI64, Ordering, pause};

/// The slices of a pass.
pub(super) struct Order {
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
        Self { count, next: AtomicI64::new(0), failed: AtomicI64::new(i64::MAX) }
    }

    /// The number of slices.
    pub(super) fn count(&self) -> i64 {
        self.count
    }

    /// Whether all slices have been taken.
    pub(super) fn is_taken(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.count
    }

    /// Takes the next slice. `None` if none is left, or one before it has failed.
    pub(super) fn take(&self) -> Option<i64> {
        let slice = self.next.fetch_add(1, Ordering::Relaxed);
        (slice < self.count && slice <= self.failed.load(Ordering::Relaxed)).then_some(slice)
    }

    /// Notes that a slice failed.
    pub(super) fn fail(&self, slice: i64) {
        self.failed.fetch_min(slice, Ordering::Relaxed);
    }

    /// Waits until it is the slice's turn. False if a slice before it failed.
    pub(super) fn wait_for(&self, turn: &Turn, slice: i64) -> bool {
        let mut tries = 0_u32;
        while turn.0.load(Ordering::Acquire) != slice {
            if self.failed.load(Ordering::Relaxed) < slice {
                return false;
            }
            tries = tries.saturating_add(1);
            pause(tries);
        }
        true
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
        while let Some(slice) = pass.order.take() {
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

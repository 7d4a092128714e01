//! A list of workers, from which threads take free ones.
//!
//! Invariant: a worker is taken by one thread at a time, and sees what the thread before it did with the worker.
//! Workers stay on the list until it is cleared.
//!
//! ```text
//! take: no free worker, so a is made; take: b is made; a is freed; take: a
//! ```

use core::iter;
use core::ptr::{NonNull, null_mut};

use crate::atomic::{AtomicI64, AtomicPtr, AtomicU8, Ordering};

/// A worker that no thread has.
const FREE: u8 = 0;
/// A worker that a thread has.
const TAKEN: u8 = 1;
/// A worker that failed, until the pass ends.
const FAILED: u8 = 2;

/// What can be on a list.
pub(crate) trait Listed: Sized {
    /// Its place there.
    fn place(&self) -> &Place<Self>;
}

/// A worker's place on a list, and its state.
pub(crate) struct Place<T> {
    next: AtomicPtr<T>,
    state: AtomicU8,
    /// The block in which it failed.
    block: AtomicI64,
}

impl<T> Place<T> {
    /// A place on no list.
    pub(crate) fn new() -> Self {
        Self {
            next: AtomicPtr::new(null_mut()),
            state: AtomicU8::new(FREE),
            block: AtomicI64::new(0),
        }
    }

    /// Frees the worker, whose thread does not need it any more.
    pub(crate) fn free(&self) {
        self.state.store(FREE, Ordering::Release);
    }

    /// Notes that the worker failed in that block. It is not free until [`Roster::first_failed`].
    pub(crate) fn fail(&self, block: i64) {
        self.block.store(block, Ordering::Relaxed);
        self.state.store(FAILED, Ordering::Release);
    }
}

/// The first worker on a list; the others follow by their places.
pub(crate) struct Roster<T>(AtomicPtr<T>);

impl<T: Listed> Roster<T> {
    /// A list without workers.
    pub(crate) fn empty() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    /// Whether no worker is on the list.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.load(Ordering::Relaxed).is_null()
    }

    /// Takes a free worker, or a new one. `None` if there is neither.
    ///
    /// # Safety
    /// The workers on the list are alive, and those that `new` makes are on no list.
    pub(crate) unsafe fn take(
        &self,
        new: impl FnOnce() -> Option<NonNull<T>>,
    ) -> Option<NonNull<T>> {
        // SAFETY: by contract.
        unsafe {
            let free = self.each().find(|worker| {
                let state = &worker.as_ref().place().state;
                state.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_ok()
            });
            free.or_else(|| Some(self.add(new()?)))
        }
    }

    /// Puts a new worker of this thread on the list.
    ///
    /// # Safety
    /// It is on no list, and no other thread has its address.
    unsafe fn add(&self, worker: NonNull<T>) -> NonNull<T> {
        // SAFETY: by contract.
        let place = unsafe { worker.as_ref() }.place();
        place.state.store(TAKEN, Ordering::Relaxed);
        let mut first = self.0.load(Ordering::Relaxed);
        loop {
            place.next.store(first, Ordering::Relaxed);
            let added = self.0.compare_exchange_weak(
                first,
                worker.as_ptr(),
                Ordering::Release,
                Ordering::Relaxed,
            );
            match added {
                Ok(_) => return worker,
                Err(other) => first = other,
            }
        }
    }

    /// The workers on the list.
    ///
    /// # Safety
    /// They are alive as long as the result is used.
    pub(crate) unsafe fn each(&self) -> impl Iterator<Item = NonNull<T>> + use<T> {
        let first = NonNull::new(self.0.load(Ordering::Acquire));
        // SAFETY: by contract.
        iter::successors(first, |worker| unsafe { next(*worker) })
    }

    /// The worker that failed in the first block, and the block; all workers are free then. `None` if none failed.
    ///
    /// # Safety
    /// The workers are alive, and no thread has one.
    pub(crate) unsafe fn first_failed(&self) -> Option<(NonNull<T>, i64)> {
        let mut first: Option<(NonNull<T>, i64)> = None;
        // SAFETY: by contract.
        for worker in unsafe { self.each() } {
            // SAFETY: by contract.
            let place = unsafe { worker.as_ref() }.place();
            if place.state.swap(FREE, Ordering::Acquire) == FAILED {
                let block = place.block.load(Ordering::Relaxed);
                if first.is_none_or(|(_, least)| block < least) {
                    first = Some((worker, block));
                }
            }
        }
        first
    }

    /// Empties the list, and calls a function with each worker that was on it, which may free the worker.
    ///
    /// # Safety
    /// The workers are alive, and no thread has one.
    pub(crate) unsafe fn clear(&self, mut act: impl FnMut(NonNull<T>)) {
        let mut first = NonNull::new(self.0.swap(null_mut(), Ordering::Acquire));
        while let Some(worker) = first {
            // SAFETY: by contract.
            first = unsafe { next(worker) };
            act(worker);
        }
    }
}

/// The worker behind another one on its list.
///
/// # Safety
/// The worker is alive.
unsafe fn next<T: Listed>(worker: NonNull<T>) -> Option<NonNull<T>> {
    // SAFETY: by contract. It was written before the worker came on the list, and does not change.
    NonNull::new(unsafe { worker.as_ref() }.place().next.load(Ordering::Relaxed))
}

#[cfg(all(test, loom))]
mod interleavings {
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    struct Worker {
        place: Place<Self>,
        /// What its threads did.
        calls: UnsafeCell<u32>,
    }

    impl Listed for Worker {
        fn place(&self) -> &Place<Self> {
            &self.place
        }
    }

    fn new() -> Option<NonNull<Worker>> {
        let worker = Worker { place: Place::new(), calls: UnsafeCell::new(0) };
        Some(NonNull::from(Box::leak(Box::new(worker))))
    }

    /// Takes a worker, uses it, and frees it, or lets it fail in a block.
    fn work(roster: &Roster<Worker>, fails: Option<i64>) {
        // SAFETY: workers live until all threads have ended, and loom reports if two threads use one.
        unsafe {
            let worker = roster.take(new).expect("a worker").as_ref();
            worker.calls.with_mut(|calls| *calls += 1);
            match fails {
                None => worker.place.free(),
                Some(block) => worker.place.fail(block),
            }
        }
    }

    /// Frees all workers; gives the numbers of their calls.
    fn end(roster: &Roster<Worker>) -> Vec<u32> {
        let mut calls = Vec::new();
        // SAFETY: all threads have ended.
        unsafe {
            roster.clear(|worker| calls.push(Box::from_raw(worker.as_ptr()).calls.into_inner()));
        }
        calls
    }

    #[test]
    fn a_worker_has_one_thread_at_a_time() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            let roster = Arc::new(Roster::empty());
            let helpers = [(); 2].map(|()| {
                let roster = Arc::clone(&roster);
                thread::spawn(move || work(&roster, None))
            });
            work(&roster, None);
            work(&roster, None);
            for helper in helpers {
                helper.join().expect("no thread panics");
            }
            let calls = end(&roster);
            assert_eq!(calls.iter().sum::<u32>(), 4, "{calls:?}");
            assert!(calls.len() <= 3, "{calls:?}");
        });
    }

    #[test]
    fn the_first_failure_by_position_is_found() {
        loom::model(|| {
            let roster = Arc::new(Roster::empty());
            let helper = {
                let roster = Arc::clone(&roster);
                thread::spawn(move || work(&roster, Some(7)))
            };
            work(&roster, None);
            work(&roster, Some(9));
            helper.join().expect("no thread panics");
            // SAFETY: all threads have ended.
            unsafe {
                let failed = roster.first_failed().expect("two workers failed");
                assert_eq!(failed.1, 7);
                assert!(roster.first_failed().is_none());
            }
            assert_eq!(end(&roster).iter().sum::<u32>(), 3);
        });
    }
}

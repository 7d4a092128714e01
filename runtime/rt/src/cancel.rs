//! Cancelling a call, whose work may be done by several contexts.
//!
//! Compiled code checks whether the call is cancelled by its stack limit only: that of a cancelled call is above every
//! stack.
//!
//! Invariant: after a call has been cancelled, every context that works for it has the limit of a cancelled call, even
//! if it began to do so at the same moment.

use arr_abi::layout::CANCELLED;

use crate::atomic::{AtomicBool, AtomicUsize, Ordering, fence_in_order};

/// The lowest address that a frame of the running call may have in a context.
#[repr(transparent)]
pub(crate) struct StackLimit(AtomicUsize);

impl StackLimit {
    /// The limit while no call runs.
    pub(crate) fn none() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// The address, or that of a cancelled call.
    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Ends the limit with its call.
    pub(crate) fn end(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Sets the limit of a cancelled call.
    pub(crate) fn cancel(&self) {
        self.0.store(CANCELLED, Ordering::Relaxed);
    }
}

/// Whether the call of a context has been cancelled.
pub(crate) struct Cancelled(AtomicBool);

impl Cancelled {
    /// No call has been cancelled.
    pub(crate) fn no() -> Self {
        Self(AtomicBool::new(false))
    }

    /// A call begins, which has not been cancelled.
    pub(crate) fn begin(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the call has been cancelled.
    pub(crate) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Notes that the call is cancelled. Then the caller sets the limits of all contexts that work for it.
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
        // A context that the caller finds too late sees in `limit` what is stored above.
        fence_in_order();
    }

    /// Sets the stack limit of a context that works for the call and can be found by the one who cancels it.
    pub(crate) fn limit(&self, stack: &StackLimit, limit: usize) {
        stack.0.store(limit, Ordering::Relaxed);
        fence_in_order();
        if self.get() {
            stack.cancel();
        }
    }
}

#[cfg(all(test, loom))]
mod interleavings {
    use std::ptr::NonNull;

    use loom::sync::Arc;
    use loom::thread;

    use super::*;
    use crate::roster::{Listed, Place, Roster};

    struct Worker {
        place: Place<Self>,
        stack: StackLimit,
    }

    impl Listed for Worker {
        fn place(&self) -> &Place<Self> {
            &self.place
        }
    }

    struct Call {
        cancelled: Cancelled,
        workers: Roster<Worker>,
    }

    fn new() -> Option<NonNull<Worker>> {
        let worker = Worker { place: Place::new(), stack: StackLimit::none() };
        Some(NonNull::from(Box::leak(Box::new(worker))))
    }

    /// Takes a worker for the call, and keeps it.
    fn hire(call: &Call) {
        // SAFETY: workers live until all threads have ended.
        let worker = unsafe { call.workers.take(new).expect("a worker").as_ref() };
        call.cancelled.limit(&worker.stack, 1000);
    }

    fn cancel(call: &Call) {
        call.cancelled.set();
        // SAFETY: as above.
        unsafe { call.workers.each().for_each(|worker| worker.as_ref().stack.cancel()) };
    }

    #[test]
    fn whoever_works_for_a_cancelled_call_stops() {
        for before in [0, 1] {
            loom::model(move || {
                let call = Call { cancelled: Cancelled::no(), workers: Roster::empty() };
                (0..before).for_each(|_| hire(&call));
                let call = Arc::new(call);
                let helper = {
                    let call = Arc::clone(&call);
                    thread::spawn(move || hire(&call))
                };
                cancel(&call);
                helper.join().expect("no thread panics");
                let mut limits = Vec::new();
                // SAFETY: all threads have ended.
                unsafe {
                    call.workers.clear(|worker| {
                        limits.push(Box::from_raw(worker.as_ptr()).stack.get());
                    });
                }
                assert_eq!(limits, vec![CANCELLED; before + 1]);
            });
        }
    }
}

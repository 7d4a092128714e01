//! The state of a context: whether a call runs in it, and whether that call is cancelled. Several contexts may work for one call.
//!
//! Compiled code compares only the stack limit: that of a cancelled call is above every stack. The stack limit also tells whether
//! a call runs, so one atomic operation begins a call and sets its limit. Cancelling changes the same variable, so no fence is
//! needed to order it with the beginning of a call. If it comes first, it finds no call and does nothing. Otherwise it replaces the
//! limit of the call. Contexts that work for the call have limits of their own, so `cancel_call` and `follow` have fences.
//!
//! Invariant: after a call has been cancelled, every context that works for it has the limit of a cancelled call, even
//! if it began to do so at the same moment. Cancelling one call does not affect the next one.
//!
//! ```text
//! begin: IDLE → limit        cancel: limit → CANCELLED        end: limit, CANCELLED → IDLE        trim: IDLE → HELD → IDLE
//! ```

use arr_abi::layout::CANCELLED;

use crate::atomic::{AtomicUsize, Ordering, fence_in_order, pause, store_behind};

/// No call runs.
const IDLE: usize = 0;
/// No call runs, and none may begin for a moment.
const HELD: usize = 1;

/// The lowest address that a frame of the running call may have in a context, or one of the numbers above. The limit of a context
/// that works for another one is not used between two uses of it.
#[repr(transparent)]
pub(crate) struct StackLimit(AtomicUsize);

impl StackLimit {
    /// The limit while no call runs.
    pub(crate) fn none() -> Self {
        Self(AtomicUsize::new(IDLE))
    }

    /// The address, or that of a cancelled call.
    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Begins a call with that limit. False if another call runs.
    pub(crate) fn begin(&self, limit: usize) -> bool {
        self.leave_idle(address(limit))
    }

    /// Keeps calls from beginning, until [`Self::end`]. False if one runs.
    pub(crate) fn hold(&self) -> bool {
        self.leave_idle(HELD)
    }

    /// Changes the limit of a context without a call. It waits while another thread holds the context.
    #[inline]
    fn leave_idle(&self, limit: usize) -> bool {
        match self.change_idle(limit) {
            Ok(_) => true,
            Err(before) => before == HELD && self.wait_for_idle(limit),
        }
    }

    /// The same, if no thread holds the context. Otherwise it gives the limit as it is.
    #[inline]
    fn change_idle(&self, limit: usize) -> Result<usize, usize> {
        // The exchange reads what [`Self::end`] has stored, so all that the call before did is seen.
        self.0.compare_exchange(IDLE, limit, Ordering::Acquire, Ordering::Relaxed)
    }

    #[cold]
    fn wait_for_idle(&self, limit: usize) -> bool {
        let mut tries = 0;
        loop {
            pause(tries);
            tries = tries.saturating_add(1);
            match self.change_idle(limit) {
                Ok(_) => return true,
                Err(HELD) => {}
                Err(_) => return false,
            }
        }
    }

    /// Whether a call runs.
    pub(crate) fn has_call(&self) -> bool {
        self.0.load(Ordering::Acquire) > HELD
    }

    /// Ends the call, or lets calls begin again.
    pub(crate) fn end(&self) {
        store_behind(&self.0, IDLE);
    }

    /// Cancels the call that runs. False if none does. Then the caller cancels all contexts that work for it.
    pub(crate) fn cancel_call(&self) -> bool {
        let running = |limit| (limit > HELD).then_some(CANCELLED);
        // Behind the end of the call, the exchange fails: it cannot cancel a call that does not run any more.
        let is_cancelled =
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, running).is_ok();
        if is_cancelled {
            // If the caller finds a context too late, that context sees the exchange above in `follow`.
            fence_in_order();
        }
        is_cancelled
    }

    /// Whether the call has been cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.get() == CANCELLED
    }

    /// Cancels the work of a context that works for the call of another one.
    pub(crate) fn cancel(&self) {
        self.0.store(CANCELLED, Ordering::Relaxed);
    }

    /// Changes the limit of a call that goes on in another thread. A cancelled call stays cancelled.
    pub(crate) fn change(&self, limit: usize) {
        let open = |before| (before != CANCELLED).then_some(address(limit));
        // It fails for a cancelled call only.
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, open);
    }

    /// Sets the limit of a context that works for the call of `of`, and that the one who cancels the call can find.
    pub(crate) fn follow(&self, of: &Self, limit: usize) {
        self.0.store(address(limit), Ordering::Relaxed);
        fence_in_order();
        if of.is_cancelled() {
            self.cancel();
        }
    }
}

/// A limit that is none of the numbers with another meaning: no frame lies at these addresses.
fn address(limit: usize) -> usize {
    limit.max(HELD + 1)
}

#[cfg(all(test, loom))]
mod interleavings {
    use std::ptr::NonNull;

    use loom::cell::UnsafeCell;
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
        stack: StackLimit,
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
        worker.stack.follow(&call.stack, 1000);
    }

    fn cancel(call: &Call) {
        if call.stack.cancel_call() {
            // SAFETY: as above.
            unsafe { call.workers.each().for_each(|worker| worker.as_ref().stack.cancel()) };
        }
    }

    #[test]
    fn whoever_works_for_a_cancelled_call_stops() {
        for before in [0, 1] {
            loom::model(move || {
                let call = Call { stack: StackLimit::none(), workers: Roster::empty() };
                assert!(call.stack.begin(2000));
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

    /// What calls of a context share: one at a time uses it.
    struct Context {
        stack: StackLimit,
        calls: UnsafeCell<u32>,
    }

    // SAFETY: loom reports if two threads use the number at the same time.
    unsafe impl Sync for Context {}

    /// Makes a call, which another one may refuse. Gives whether it ran, and whether it was cancelled.
    fn call(context: &Context, limit: usize) -> Option<bool> {
        if !context.stack.begin(limit) {
            return None;
        }
        // SAFETY: as above.
        context.calls.with_mut(|calls| unsafe { *calls += 1 });
        let last = context.stack.get();
        assert!(last == limit || last == CANCELLED, "{last}");
        context.stack.end();
        Some(last == CANCELLED)
    }

    fn context() -> Arc<Context> {
        Arc::new(Context { stack: StackLimit::none(), calls: UnsafeCell::new(0) })
    }

    #[test]
    fn one_call_at_a_time_runs() {
        loom::model(|| {
            let context = context();
            let other = {
                let context = Arc::clone(&context);
                thread::spawn(move || call(&context, 1000))
            };
            let ran = [call(&context, 2000), other.join().expect("no thread panics")];
            let calls = context.calls.with(|calls| unsafe { *calls });
            assert_eq!(ran.iter().flatten().count(), usize::try_from(calls).expect("few"));
            assert!(ran.iter().flatten().all(|is_cancelled| !is_cancelled) && calls > 0);
            assert!(!context.stack.has_call());
        });
    }

    #[test]
    fn whoever_holds_an_idle_context_delays_calls_and_refuses_none() {
        loom::model(|| {
            let context = context();
            let trimming = {
                let context = Arc::clone(&context);
                thread::spawn(move || {
                    if context.stack.hold() {
                        assert!(!context.stack.has_call() && !context.stack.cancel_call());
                        // SAFETY: as above.
                        context.calls.with_mut(|calls| unsafe { *calls += 1 });
                        context.stack.end();
                    }
                })
            };
            assert_eq!(call(&context, 1000), Some(false));
            trimming.join().expect("no thread panics");
        });
    }

    #[test]
    fn cancelling_changes_no_call_that_has_ended() {
        loom::model(|| {
            let context = context();
            let cancelling = {
                let context = Arc::clone(&context);
                thread::spawn(move || context.stack.cancel_call())
            };
            let first = call(&context, 1000).expect("it runs");
            let second = call(&context, 1000).expect("it runs");
            let found = cancelling.join().expect("no thread panics");
            assert!(!(first && second) && (found || !(first || second)));
            assert!(!context.stack.has_call(), "nothing is left behind");
        });
    }

    #[test]
    fn a_call_that_moves_to_another_thread_stays_cancelled() {
        loom::model(|| {
            let context = context();
            assert!(context.stack.begin(1000));
            let moved = {
                let context = Arc::clone(&context);
                thread::spawn(move || context.stack.change(2000))
            };
            assert!(context.stack.cancel_call());
            moved.join().expect("no thread panics");
            assert!(context.stack.is_cancelled());
        });
    }
}

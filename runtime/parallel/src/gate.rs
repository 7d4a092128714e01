//! The gate of a call. Helpers enter through it until the call closes it.
//!
//! Invariant: every helper inside is counted. When [`Gate::close`] returns, no helper is inside, and none can enter.

use std::sync::PoisonError;
#[cfg(not(all(test, loom)))]
use std::sync::{
    Condvar, Mutex,
    atomic::{AtomicUsize, Ordering},
};

#[cfg(all(test, loom))]
use loom::sync::{
    Condvar, Mutex,
    atomic::{AtomicUsize, Ordering},
};

/// The bit of a closed gate.
const CLOSED: usize = 1;
/// The number that each helper adds.
const HELPER: usize = 2;
/// How often the caller checks before it sleeps: some tens of microseconds. No benchmark shows it alone.
const LOOKS: u32 = if cfg!(all(test, loom)) { 1 } else { 1 << 12 };

/// A gate, open at first.
#[derive(Default)]
pub(crate) struct Gate {
    state: AtomicUsize,
    sleeps: Mutex<bool>,
    wakes: Condvar,
}

impl Gate {
    /// Runs a body inside, if the gate is open.
    pub(crate) fn pass(&self, body: impl FnOnce()) {
        if self.state.fetch_add(HELPER, Ordering::Acquire) & CLOSED == 0 {
            body();
        }
        let before = self.state.fetch_sub(HELPER, Ordering::Release);
        if before == HELPER | CLOSED {
            let sleeps = self.sleeps.lock().unwrap_or_else(PoisonError::into_inner);
            if *sleeps {
                self.wakes.notify_one();
            }
        }
    }

    /// Lets no other helper in, and waits for those inside.
    pub(crate) fn close(&self) {
        self.state.fetch_or(CLOSED, Ordering::AcqRel);
        for _ in 0..LOOKS {
            if self.is_empty() {
                return;
            }
            std::hint::spin_loop();
        }
        let mut sleeps = self.sleeps.lock().unwrap_or_else(PoisonError::into_inner);
        *sleeps = true;
        while !self.is_empty() {
            sleeps = self.wakes.wait(sleeps).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether no helper is inside.
    fn is_empty(&self) -> bool {
        self.state.load(Ordering::Acquire) == CLOSED
    }
}

#[cfg(all(test, loom))]
mod interleavings {
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    /// A call: its gate, and the number of threads that ran its body.
    struct Call {
        gate: Gate,
        runs: [UnsafeCell<u32>; 2],
    }

    // SAFETY: a helper touches a number of its own inside of the gate; loom reports if two threads touch one.
    unsafe impl Sync for Call {}
    // SAFETY: as above.
    unsafe impl Send for Call {}

    /// Closes the gate for helpers, and reads their numbers, as if the frame of the call ended here.
    fn close(helpers: usize) {
        let call = Arc::new(Call { gate: Gate::default(), runs: Default::default() });
        let threads: Vec<_> = (0..helpers)
            .map(|at| {
                let call = Arc::clone(&call);
                thread::spawn(move || {
                    // SAFETY: the number is of this thread until the gate is closed.
                    let run = || call.runs[at].with_mut(|runs| unsafe { *runs += 1 });
                    call.gate.pass(run);
                })
            })
            .collect();
        call.gate.close();
        for runs in &call.runs {
            // SAFETY: no helper is inside.
            runs.with_mut(|runs| unsafe {
                assert!(*runs <= 1);
                *runs = 2;
            });
        }
        for thread in threads {
            thread.join().expect("no thread panics");
        }
    }

    #[test]
    fn no_helper_is_inside_of_a_closed_gate() {
        loom::model(|| close(1));
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| close(2));
    }
}

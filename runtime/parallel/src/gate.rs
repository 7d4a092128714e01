//! The gate of a call. Helpers enter through it until the call closes it.
//!
//! Invariant: every helper inside is counted. When [`Gate::close`] returns, no helper is inside, and none can enter.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use crate::Body;

/// The bit of a closed gate.
const CLOSED: usize = 1;
/// The number that each helper adds.
const HELPER: usize = 2;
/// How often the caller checks before it sleeps: some tens of microseconds.
const LOOKS: u32 = 1 << 12;

/// A gate, open at first.
#[derive(Default)]
pub(crate) struct Gate {
    state: AtomicUsize,
    sleeps: Mutex<bool>,
    wakes: Condvar,
}

impl Gate {
    /// Runs a body inside, if the gate is open.
    pub(crate) fn pass(&self, body: Body) {
        if self.state.fetch_add(HELPER, Ordering::Acquire) & CLOSED == 0 {
            body.run();
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

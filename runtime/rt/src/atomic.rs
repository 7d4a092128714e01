//! The atomic variables of the parts by which threads agree without a lock.
//!
//! Invariant: these parts use no others. So the tests with `--cfg loom` replace them, and run every order in which
//! the threads can take turns.

#[cfg(not(all(test, loom)))]
pub(crate) use core::sync::atomic::{
    AtomicBool, AtomicI64, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering, fence,
};
#[cfg(all(test, loom))]
pub(crate) use loom::sync::atomic::{
    AtomicBool, AtomicI64, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering, fence,
};

/// Passes a moment in which a thread waits for others. `tries` is how often it has checked for them.
#[cfg(not(all(test, loom)))]
pub(crate) fn pause(tries: u32) {
    /// How often a thread checks before it lets others run.
    const SPINS: u32 = 4_000;
    if tries < SPINS {
        core::hint::spin_loop();
    } else {
        // SAFETY: lets other threads run.
        unsafe { libc::sched_yield() };
    }
}

#[cfg(all(test, loom))]
pub(crate) fn pause(_tries: u32) {
    loom::thread::yield_now();
}

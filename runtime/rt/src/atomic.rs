//! The atomic variables of the parts by which threads agree without a lock.
//!
//! Invariant: these parts use no others. So the tests with `--cfg loom` replace them, and run every order in which
//! the threads can take turns.

#[cfg(not(all(test, loom)))]
pub(crate) use core::sync::atomic::{
    AtomicI64, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering, fence,
};
#[cfg(all(test, loom))]
pub(crate) use loom::sync::atomic::{
    AtomicI64, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering, fence,
};

/// A fence in the order of all such fences: what a thread stores before its fence is seen behind the fence of another thread, or
/// the other way round.
#[cfg(all(target_arch = "x86_64", not(all(test, loom))))]
pub(crate) fn fence_in_order() {
    // `mfence`, which Rust's fence becomes, takes eight times as long (16 ns instead of 2), since it also waits for other kinds of
    // memory accesses.
    // SAFETY: the top of the stack stays as it is. An assembly block that may access memory is a fence for the compiler, too.
    unsafe { core::arch::asm!("lock or dword ptr [rsp], 0") };
}

/// The same.
#[cfg(not(all(target_arch = "x86_64", not(all(test, loom)))))]
pub(crate) fn fence_in_order() {
    fence(Ordering::SeqCst);
}

/// Stores a number that follows the thread's own number before it. What another thread has exchanged for that one lies between the two, since
/// nothing lies between the number that an exchange reads and the one that it stores.
#[cfg(not(all(test, loom)))]
pub(crate) fn store_behind(place: &AtomicUsize, value: usize) {
    place.store(value, Ordering::Release);
}

/// The same. Loom does not know that rule: for it, the exchanged number may be the last one, unless the store is an exchange too.
#[cfg(all(test, loom))]
pub(crate) fn store_behind(place: &AtomicUsize, value: usize) {
    place.swap(value, Ordering::Release);
}

/// How often a thread checks for others before it sleeps. `scripts/bench --threads 1,2 scan_f64` has such waits. Not
/// measured by itself.
#[cfg(not(all(test, loom)))]
const SPINS: u32 = 4_000;

/// Passes a moment in which a thread waits for others. `tries` is how often it has checked for them. True if the thread
/// slept.
///
/// A thread that has waited long sleeps, since the others may wait for its core. Where other processes run as well, a
/// thread that yields instead comes last of all, each time.
#[cfg(not(all(test, loom)))]
pub(crate) fn pause(tries: u32) -> bool {
    /// How long it sleeps, in nanoseconds. On two threads beside three busy processes, filters and scans of 16 Mi
    /// numbers take 0.9 to 1.0 of the time of one thread, and took 1.5 to 2.3 when threads yielded (medians of 31
    /// calls, together with the limits of `slices::order`). `scripts/bench --threads 1,2 scan_f64` has such waits.
    const SLEEP: libc::c_long = 20_000;
    if tries < SPINS {
        core::hint::spin_loop();
        return false;
    }
    let time = libc::timespec { tv_sec: 0, tv_nsec: SLEEP };
    // SAFETY: the time is valid, and nothing is stored.
    unsafe { libc::nanosleep(&raw const time, core::ptr::null_mut()) };
    true
}

#[cfg(all(test, loom))]
pub(crate) fn pause(_tries: u32) -> bool {
    loom::thread::yield_now();
    false
}

//! The time that has passed.

/// The time since some moment in the past, in nanoseconds.
#[cfg(not(all(test, loom)))]
pub(crate) fn now() -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the time can be written. The clock exists on each system, so the call cannot fail.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec.saturating_mul(1_000_000_000).saturating_add(time.tv_nsec)
}

/// No time passes in a model.
#[cfg(all(test, loom))]
pub(crate) fn now() -> i64 {
    0
}

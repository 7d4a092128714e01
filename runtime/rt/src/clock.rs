//! The time that has passed.

/// The time since some moment in the past, in nanoseconds.
#[cfg(not(all(test, loom)))]
pub(crate) fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the time can be written. The clock exists on each system, so the call cannot fail.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    let [seconds, rest] = [time.tv_sec, time.tv_nsec].map(|part| u64::try_from(part).unwrap_or(0));
    seconds.saturating_mul(1_000_000_000).saturating_add(rest)
}

/// No time passes in a model.
#[cfg(all(test, loom))]
pub(crate) fn now() -> u64 {
    0
}

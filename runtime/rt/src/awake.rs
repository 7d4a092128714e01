//! Whether short passes are worth several threads: those that begin while helpers are awake.
//!
//! A helper that sleeps comes too late for a pass of less than 100 microseconds. One that has just helped waits for the
//! next pass a moment, and comes at once. So where short passes follow each other closely for some time, helpers are woken
//! once, and stay awake as long as such passes go on. If none comes, because other programs use the cores, they are called
//! less and less often.
//!
//! Invariant: in a time without help, calls for it are at least as far apart as the patience, which doubles.
//!
//! ```text
//! passes of 20 µs at 0, 20 … 180   ⇒   one thread;   at 200, 220 … ⇒ with helpers, as long as one comes every 100 µs
//! ```

use core::sync::atomic::{AtomicI64, Ordering};

/// How long a helper waits for the next pass, in nanoseconds: a little less than it does in the pool.
const AWAKE: i64 = 40_000;
/// How long helpers take to wake up, with the first passes that they miss. In a prototype, a helper that had slept for
/// 0.2 ms came after 37 to 47 µs. No benchmark shows it alone.
const WAKING: i64 = 100_000;
/// Passes follow each other closely if they begin in less than this time. `scripts/bench --threads 1,2 dot_f64 20000`
/// has such passes. Not measured by itself.
const CLOSE: i64 = 100_000;
/// For how long they do so before helpers are woken. `scripts/bench --threads 1,2 dot_f64 20000` shows what helpers
/// save. Not measured by itself.
const PATIENCE: i64 = 200_000;
/// The limit of the patience, which doubles after each call that no helper answers. No benchmark shows it alone.
const MOST_PATIENCE: i64 = 100 * PATIENCE;

/// The state of the helpers of a context. Only the thread of its call reads and changes it. Times are in nanoseconds.
pub(crate) struct Awake {
    /// The time until which helpers are thought to be awake.
    until: AtomicI64,
    /// When the last short pass on one thread began.
    last: AtomicI64,
    /// When the first one of those began that followed each other closely.
    first: AtomicI64,
    patience: AtomicI64,
}

impl Awake {
    /// All helpers sleep.
    pub(crate) const fn nobody() -> Self {
        Self {
            until: AtomicI64::new(i64::MIN),
            last: AtomicI64::new(i64::MIN),
            first: AtomicI64::new(i64::MIN),
            patience: AtomicI64::new(PATIENCE),
        }
    }

    /// Whether a short pass that begins now calls for helpers.
    pub(crate) fn is_worth_a_call(&self, now: i64) -> bool {
        if now < self.until.load(Ordering::Relaxed) {
            return true;
        }
        let last = self.last.swap(now, Ordering::Relaxed);
        if now.saturating_sub(last) >= CLOSE {
            self.first.store(now, Ordering::Relaxed);
        }
        let patience = self.patience.load(Ordering::Relaxed);
        if now.saturating_sub(self.first.load(Ordering::Relaxed)) < patience {
            return false;
        }
        self.first.store(now, Ordering::Relaxed);
        self.patience.store((2 * patience).min(MOST_PATIENCE), Ordering::Relaxed);
        self.until.store(now.saturating_add(WAKING), Ordering::Relaxed);
        true
    }

    /// Notes that a pass ended now in which another thread helped.
    pub(crate) fn note_help(&self, now: i64) {
        self.patience.store(PATIENCE, Ordering::Relaxed);
        self.until.fetch_max(now.saturating_add(AWAKE), Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const STEP: i64 = 20_000;

    /// The times of passes that call for helpers, among passes that begin every 20 microseconds.
    fn calls(awake: &Awake, times: core::ops::Range<i64>) -> Vec<i64> {
        times.step_by(STEP as usize).filter(|&now| awake.is_worth_a_call(now)).collect()
    }

    #[test]
    fn passes_far_from_each_other_wake_nobody() {
        let awake = Awake::nobody();
        for pass in 0..1000 {
            assert!(!awake.is_worth_a_call(pass * CLOSE));
        }
    }

    #[test]
    fn helpers_are_called_while_they_are_awake() {
        let awake = Awake::nobody();
        assert_eq!(calls(&awake, 0..PATIENCE), []);
        let mut now = PATIENCE;
        for _ in 0..1000 {
            assert!(awake.is_worth_a_call(now));
            awake.note_help(now + STEP / 2);
            now += STEP;
        }
        assert!(awake.is_worth_a_call(now + STEP / 2));
        assert!(!awake.is_worth_a_call(now + AWAKE));
    }

    #[test]
    fn helpers_who_do_not_come_are_called_less_and_less_often() {
        let awake = Awake::nobody();
        let all = calls(&awake, 0..100_000_000);
        let times: Vec<i64> = all
            .iter()
            .copied()
            .scan(i64::MIN, |until, now| {
                let is_first = now >= *until;
                *until = if is_first { now + WAKING } else { *until };
                Some(is_first.then_some(now))
            })
            .flatten()
            .collect();
        let apart: Vec<i64> = times.windows(2).map(|two| two[1] - two[0]).collect();
        assert!(apart.is_sorted(), "{apart:?}");
        assert!(apart[0] >= 2 * PATIENCE && apart.last() >= Some(&MOST_PATIENCE), "{apart:?}");
        // One in a thousand passes calls in vain at the end.
        assert!(all.len() < 60, "{}", all.len());
    }

    #[test]
    fn a_helper_that_comes_brings_patience_back() {
        let awake = Awake::nobody();
        calls(&awake, 0..100_000_000);
        awake.note_help(100_000_000);
        let later = 200_000_000;
        assert_eq!(calls(&awake, later..later + PATIENCE), []);
        assert!(awake.is_worth_a_call(later + PATIENCE));
    }
}

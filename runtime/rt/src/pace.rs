//! How long passes and forks take, compared with their estimates.
//!
//! The compiler estimates the time of a step. It assumes a trip count where the program has none, and it does not know how many
//! operations one vector instruction of LLVM does. The estimate of a fork is a time for each element, and recursions that
//! drop elements take a tenth of it. So an estimate can be a hundred times too long, and the pass would
//! run on several threads although it takes a microsecond. The runtime measures passes and forks while they run, and makes later
//! estimates of the same pass or fork shorter.
//!
//! An estimate of a pass that is up to twice the time stays, and a longer one becomes twice the time. So a pass of 10 microseconds
//! is worth several threads that are awake. The estimate of a fork becomes the time.
//!
//! Invariant: estimates only become shorter, and long estimates stay as they are ([`Kind::long`]). So a pass whose time depends on
//! its data loses little if it was measured with other data.
//!
//! ```text
//! estimated 400 µs, measured 2 µs    ⇒   the next pass, estimated at 600 µs, counts as 6 µs, and runs on one thread
//! estimated 400 µs, measured 200 µs  ⇒   the estimates stay
//! ```

use core::sync::atomic::Ordering;

use arr_abi::layout::Pace;

/// One of this number of passes is measured: a clock takes 20 nanoseconds twice. `scripts/bench --threads 1,2 matches`
/// has such passes. Other numbers were not measured.
pub(crate) const OFTEN: u32 = 8;
/// The same for what runs on several threads otherwise. No benchmark shows it alone.
pub(crate) const SELDOM: u32 = 64;

/// Which estimates are corrected, and how.
pub(crate) struct Kind {
    /// How many times too long an estimate may be. The limits that estimates are compared with were measured with such
    /// estimates.
    usual: u64,
    /// Estimates of this time or more are neither corrected nor measured, in picoseconds.
    pub(crate) long: u64,
}

/// The steps of a pass. With corrected estimates, `scripts/bench --threads 1,2 matches` takes 1.02 of the time of one
/// thread on two at 32,768 steps, and 1.57 without. The limits were not measured by themselves.
pub(crate) const PASS: Kind = Kind { usual: 2, long: 1_000_000_000 };
/// The calls of a fork. With corrected estimates, `scripts/bench --threads 1,2 quickhull` takes the time of one thread
/// on two for 10,000 to 50,000 points, and 2.0 to 1.4 of it without (AVX-512). The limits were not measured by
/// themselves.
pub(crate) const FORK: Kind = Kind { usual: 1, long: 4_000_000_000 };

/// The corrected estimate of work that was estimated at `estimate` picoseconds.
pub(crate) fn expected(pace: &Pace, kind: &Kind, estimate: u64) -> u64 {
    let ratio = u64::from(pace.ratio.load(Ordering::Relaxed));
    if ratio == 0 || estimate >= kind.long {
        return estimate;
    }
    estimate.min(estimate * ratio * kind.usual / u64::from(Pace::ONE))
}

/// Whether a pass that begins now, estimated at `estimate` picoseconds, should be measured: the first one, and one of `every`.
pub(crate) fn is_due(pace: &Pace, kind: &Kind, estimate: u64, every: u32) -> bool {
    if estimate >= kind.long {
        return false;
    }
    // Threads may count the same number twice, which only changes when they measure.
    let passes = pace.passes.load(Ordering::Relaxed);
    pace.passes.store(passes.wrapping_add(1), Ordering::Relaxed);
    passes.is_multiple_of(every)
}

/// Notes that work estimated at `estimate` picoseconds took `time` nanoseconds. A shorter time counts at once. A longer one counts
/// by and by, since the thread may have been interrupted.
pub(crate) fn note(pace: &Pace, estimate: u64, time: i64) {
    let one = u64::from(Pace::ONE);
    let time = u64::try_from(time).unwrap_or(0).saturating_mul(1000);
    let measured = time.saturating_mul(one).checked_div(estimate).unwrap_or(one).clamp(1, one);
    let known = u64::from(pace.ratio.load(Ordering::Relaxed));
    let ratio = if known == 0 || measured <= known {
        measured
    } else {
        known + (measured - known).div_ceil(4)
    };
    pace.ratio.store(u32::try_from(ratio).unwrap_or(Pace::ONE), Ordering::Relaxed);
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Picoseconds.
    const MICROSECOND: u64 = 1_000_000;

    #[test]
    fn a_pass_that_was_not_measured_takes_its_estimate() {
        assert_eq!(expected(&Pace::default(), &PASS, 123), 123);
    }

    #[test]
    fn a_measured_pass_makes_later_estimates_shorter() {
        let pace = Pace::default();
        note(&pace, 400 * MICROSECOND, 2_000);
        let found = expected(&pace, &PASS, 600 * MICROSECOND);
        assert!((5 * MICROSECOND..=6 * MICROSECOND).contains(&found), "{found}");
    }

    #[test]
    fn a_usual_estimate_stays() {
        let pace = Pace::default();
        note(&pace, 400 * MICROSECOND, 210_000);
        assert_eq!(expected(&pace, &PASS, 600 * MICROSECOND), 600 * MICROSECOND);
    }

    #[test]
    fn the_estimate_of_a_fork_becomes_its_time() {
        let pace = Pace::default();
        note(&pace, 400 * MICROSECOND, 200_000);
        assert_eq!(expected(&pace, &FORK, 600 * MICROSECOND), 300 * MICROSECOND);
        assert_eq!(expected(&pace, &FORK, FORK.long), FORK.long);
    }

    #[test]
    fn estimates_become_no_longer_and_long_ones_stay() {
        let pace = Pace::default();
        note(&pace, MICROSECOND, 1_000_000);
        assert_eq!(expected(&pace, &PASS, MICROSECOND), MICROSECOND);
        note(&pace, 100 * MICROSECOND, 1);
        assert_eq!(expected(&pace, &PASS, PASS.long), PASS.long);
        assert!(expected(&pace, &PASS, PASS.long - 1) < PASS.long / 100);
        assert!(!is_due(&pace, &PASS, PASS.long, OFTEN));
    }

    #[test]
    fn an_interruption_counts_for_a_quarter() {
        let pace = Pace::default();
        note(&pace, 100 * MICROSECOND, 10_000);
        note(&pace, 100 * MICROSECOND, 50_000);
        let found = expected(&pace, &PASS, 100 * MICROSECOND);
        assert!((40 * MICROSECOND..42 * MICROSECOND).contains(&found), "{found}");
        note(&pace, 100 * MICROSECOND, 10_000);
        assert!(expected(&pace, &PASS, 100 * MICROSECOND) <= 20 * MICROSECOND);
    }

    #[test]
    fn strange_times_are_no_errors() {
        let pace = Pace::default();
        for (estimate, time) in [(0, 0), (0, i64::MAX), (1, i64::MAX), (u64::MAX, 1), (1, -1)] {
            note(&pace, estimate, time);
            assert!(expected(&pace, &PASS, 1000) <= 1000);
        }
    }

    #[test]
    fn the_first_pass_is_measured_and_then_one_of_eight() {
        let pace = Pace::default();
        let due = |_| is_due(&pace, &PASS, MICROSECOND, OFTEN);
        let all: std::vec::Vec<bool> = (0..17).map(due).collect();
        let measured = all.iter().enumerate().filter(|(_, due)| **due).map(|(at, _)| at);
        assert!(measured.eq([0, 8, 16]));
    }
}

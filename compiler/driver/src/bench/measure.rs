//! Interleaved calls, their medians and their spread.
//!
//! Invariant: each round times each call once, so that other load of the machine affects all calls alike.

use std::time::Duration;

use arr_runtime::host::{Call, RunError};

/// The minimum time of a measurement. Short calls are repeated.
const SHORTEST: Duration = Duration::from_millis(4);
/// The maximum number of repeats of a call in a round.
const MAX_REPEATS: u32 = 100_000;

/// Times of one call, in seconds.
#[derive(Clone, PartialEq, Debug)]
pub struct Times {
    /// The mean time of each round, in ascending order.
    rounds: Vec<f64>,
    least: f64,
}

impl Times {
    /// The mean times of the rounds, of which there is at least one, and the least time of a call.
    #[must_use]
    pub fn new(mut rounds: Vec<f64>, least: f64) -> Self {
        rounds.sort_by(f64::total_cmp);
        Self { rounds, least }
    }

    /// The middle of the rounds' times.
    #[must_use]
    pub fn median(&self) -> f64 {
        self.rounds[self.rounds.len() / 2]
    }

    /// The time of the fastest call. On a loaded machine it is the time that other programs disturbed least.
    #[must_use]
    pub fn least(&self) -> f64 {
        self.least
    }

    /// The distance between the quartiles, as a fraction of the median.
    #[must_use]
    pub fn spread(&self) -> f64 {
        let quarter = self.rounds.len() / 4;
        (self.rounds[self.rounds.len() - 1 - quarter] - self.rounds[quarter]) / self.median()
    }
}

/// Times calls round by round, one after the other. Each call must have run once before.
///
/// # Errors
/// The error of a call.
pub fn interleave(calls: &mut [Call<'_>], rounds: usize) -> Result<Vec<Times>, RunError> {
    let mut repeats = Vec::with_capacity(calls.len());
    for call in calls.iter_mut() {
        repeats.push(repeats_of(call.run()?));
    }
    let mut times = vec![(Vec::with_capacity(rounds), Duration::MAX); calls.len()];
    for _ in 0..rounds {
        for ((call, (times, least)), &repeats) in calls.iter_mut().zip(&mut times).zip(&repeats) {
            let mut total = Duration::ZERO;
            for _ in 0..repeats {
                let time = call.run()?;
                total += time;
                *least = time.min(*least);
            }
            times.push(total.as_secs_f64() / f64::from(repeats));
        }
    }
    let times = times.into_iter().map(|(rounds, least)| Times::new(rounds, least.as_secs_f64()));
    Ok(times.collect())
}

/// The number of repeats of a call in one measurement.
fn repeats_of(once: Duration) -> u32 {
    let repeats = SHORTEST.as_nanos() / once.as_nanos().max(1);
    u32::try_from(repeats).unwrap_or(MAX_REPEATS).clamp(1, MAX_REPEATS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_half_makes_the_spread() {
        let times = Times::new(vec![9.0, 1.0, 2.0, 2.0, 2.0, 3.0, 2.0, 2.0, 1.0], 0.5);
        assert_eq!((times.median(), times.spread(), times.least()), (2.0, 0.0, 0.5));
        let times = Times::new(vec![4.0, 1.0, 2.0, 3.0], 1.0);
        assert_eq!((times.median(), times.spread()), (3.0, 1.0 / 3.0));
        assert_eq!(Times::new(vec![5.0], 5.0).spread(), 0.0);
    }

    #[test]
    fn short_calls_are_repeated() {
        assert_eq!(repeats_of(Duration::from_millis(7)), 1);
        assert_eq!(repeats_of(Duration::from_millis(1)), 4);
        assert_eq!(repeats_of(Duration::ZERO), MAX_REPEATS);
    }
}

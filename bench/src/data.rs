//! Numbers as inputs: the same in every run, in an order that no branch predictor learns.

/// Integers from 0 up to but without `below`.
pub(crate) fn integers(size: usize, seed: u64, below: u64) -> impl Iterator<Item = i64> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..size).map(move |_| i64::try_from(random.u64(0..below.max(1))).expect("small bounds"))
}

/// Floats from 0 up to but without 1.
pub(crate) fn floats(size: usize, seed: u64) -> impl Iterator<Item = f64> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..size).map(move |_| random.f64())
}

/// A size as a bound of numbers.
pub(crate) fn whole(size: usize) -> u64 {
    u64::try_from(size).expect("sizes are 64 bits at most")
}

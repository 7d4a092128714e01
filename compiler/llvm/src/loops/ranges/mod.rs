//! Loops whose index set is split: peeled iterations, periods of variants, and trip counts with a small bound.
//!
//! Invariant: every step of a loop runs once, in its order, by the code of the range that it is in. The surplus steps
//! of [`bounded_trips`] have no effect.
//!
//! ```text
//! range from 1 to n - 1 edges of 1, 1  ⇒  step 0; for i in 1 … n - 1 { the range's variant }; step n - 1
//! ```

pub(super) mod bounded_trips;
pub(super) mod peeling;
pub(super) mod periods;

//! Index sets: which steps of a loop need which tests. Index set splitting, facts about integers, checks of bounds,
//! clamped counts.
//!
//! Invariant: neither results nor failures change, whatever a guess about a condition was.
//!
//! ```text
//! loopI i (n) { if 0 < i then a else b }  ⇒  loopI i (n) { …; range from 1 to n { a } }
//! ```

pub mod clamps;
pub(crate) mod facts;
pub mod split;
pub(crate) mod sums;

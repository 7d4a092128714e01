//! Tests of the strategies: the papers' programs, and random graphs against the oracle.
//!
//! Invariant: every clustering here has been verified by [`cluster`](super::cluster) itself.
//!
//! ```text
//! the table of expected loops: unfused, stream, Megiddo, ours
//! ```

mod programs;
mod random;
mod separation;
mod work;

//! What may run at the same time: passes in slices, and the tasks of a block.
//!
//! Invariant: results have the same bits on any number of threads.
//!
//! ```text
//! loopI i (n) { s := s + x }  ⇒  loopI i (n) sliced 16384 { s := s + x }
//! ```

pub mod slice;
pub mod tasks;

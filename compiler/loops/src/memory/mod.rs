//! Which arrays have memory of their own, and whose memory the others are in: views, lifetimes, reuse, scratch buffers,
//! accumulated results.
//!
//! Invariant: an array ends once, and nothing reads an element after another array has overwritten it.
//!
//! ```text
//! ys = newVecI (n); …; release xs  ⇒  ys = newVecI (n) over xs
//! ```

pub mod accumulate;
pub mod element_reads;
pub mod lifetimes;
pub mod reuse;
pub(crate) mod scratch;
pub mod views;

//! A pass one step at a time: its statements, guards and folds, and what makes its loop faster or easier for LLVM.
//!
//! Invariant: the scalar loop can run every step of every pass; [`super::vector`] leaves the remaining steps to it.
//!
//! ```text
//! loopI (i) (length xs) { x = next i xs; s := s + x }  ⇒  for i in 0 … length xs { s = s + xs[i] }
//! ```

pub(super) mod contraction;
pub(super) mod fold_operators;
pub(super) mod free_order;
pub(super) mod guards;
pub(super) mod paired_loads;
pub(super) mod rare_choices;
pub(super) mod scalar_loop;
pub(crate) mod signed_zeros;
mod statements;
pub(super) mod strip_buffers;
pub(super) mod strip_guards;
pub(super) mod strip_mining;
pub(super) mod tie_breaks;
pub(super) mod unrolled_updates;

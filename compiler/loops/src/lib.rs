//! From processes to loop nests with memory, ranges, slices and tasks.
//!
//! In: `arrc_fusion::process`. Out: [`procedure::concrete`], complete: each array has a place and an end, each loop its
//! ranges. Negative invariant: nothing here knows LLVM, and nothing chooses which operations share a pass.
#![forbid(unsafe_code)]

pub mod accumulate;
pub mod affine;
pub mod clamps;
pub mod defer;
pub mod eval;
pub mod lifetimes;
pub mod narrow;
pub mod procedure;
pub mod schedule;
pub mod slice;
pub mod split;
pub mod tasks;
pub mod views;

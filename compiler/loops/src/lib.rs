//! From processes to loop nests with memory, ranges, slices and tasks.
//!
//! In: `arrc_fusion::process`. Out: [`procedure::concrete`], complete: each array has a place and an end, each loop its
//! ranges. Negative invariant: nothing here knows LLVM, and nothing chooses which operations share a pass.
#![forbid(unsafe_code)]

pub mod affine;
pub mod concrete;
pub mod memory;
pub mod procedure;
pub mod ranges;
pub mod schedule;
pub mod threads;
pub mod vector;

//! From processes to loop nests with memory, ranges, slices and tasks.
//!
//! In: `arrc_fusion::process`, whose scalar steps are `arrc_fusion::cnf`. Out: [`concrete`], complete: each array has a
//! place and an end, each loop its ranges. Negative invariant: nothing here knows LLVM, graphs or clusters. No two
//! passes become one here; [`vector::fission`] only divides a pass that is too wide.
#![forbid(unsafe_code)]

pub mod access;
pub mod affine;
pub mod concrete;
pub mod memory;
pub mod procedure;
pub mod ranges;
pub mod schedule;
pub mod threads;
pub mod vector;

//! From the typed program to processes: the passes over memory, chosen by integer linear programming.
//!
//! In: `arrc_front::core`. Out: [`process`]; between them [`cnf`] (combinator normal form), [`graph`] (dependences and
//! rates) and [`clusters`]. Negative invariant: nothing here knows where an array lies in memory, how long it lives, or
//! which loop runs a pass.
#![forbid(unsafe_code)]

pub mod affine;
pub mod chunk;
pub mod chunked;
pub mod cluster;
pub mod clusters;
pub mod cnf;
pub mod copy;
pub mod distribute;
pub mod eval;
pub mod form;
pub mod fuse;
pub mod graph;
pub mod laws;
pub mod passes;
pub mod process;
pub mod rate;
pub mod rematerialise;
pub mod simplify;
pub mod specialise;
pub mod tables;
pub mod testing;

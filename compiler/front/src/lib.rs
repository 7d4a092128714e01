//! From the syntax tree to the typed program: imports, names, types, sizes, uniqueness, indices that are outside of
//! their arrays, traps of numbers, lints, repairs of mistakes, and selections in the place of sorts ([`select`]).
//!
//! In: `arrc_syntax::ast`. Out: [`core`](crate::core), which the reference interpreter in [`eval`] runs. Negative
//! invariant: nothing here knows how a program is compiled: no passes over memory, no loop nests, no target.
#![forbid(unsafe_code)]

pub mod core;
pub mod data;
pub mod effect;
pub mod eval;
pub mod indices;
pub mod infer;
pub mod lint;
pub mod load;
mod parentheses;
pub mod places;
pub mod repair;
pub mod select;
pub mod sorting;
pub mod traps;
pub mod unique;

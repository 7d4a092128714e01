//! Evaluation when compiling: scalar operations on constants, and reference interpreters that the
//! compiled code is compared with.

pub mod array;
pub mod cnf;
pub mod concrete;
pub mod scalar;
mod store;

//! Evaluation: scalar operations on constants, the reference interpreter of typed programs, and interpreters of later
//! forms.

pub mod array;
pub mod cnf;
pub mod concrete;
pub mod core;
pub mod error;
pub mod scalar;
mod signature;
mod store;

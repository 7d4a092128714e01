//! Evaluation: scalar operations on constants, and the reference interpreter of typed programs.

pub mod core;
pub mod run_error;
pub mod scalar;

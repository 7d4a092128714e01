//! Evaluation of combinator normal form: what a function gives for its arguments.

pub mod array;
pub mod cnf;
pub mod signature;
pub mod store;

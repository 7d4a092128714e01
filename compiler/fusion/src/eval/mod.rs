//! Evaluation of combinator normal form: what a function gives for its arguments.

pub mod array;
pub mod check_arguments;
pub mod cnf;
pub mod store;

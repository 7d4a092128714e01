//! The forms that a program takes, in order. Each has its data in `mod.rs`, and prints and
//! verifies itself.

pub mod ast;
pub mod check;
pub mod chunked;
pub mod clusters;
pub mod cnf;
pub mod core;
pub mod data;
pub mod effect;
pub mod graph;
pub mod passes;
pub mod procedure;
pub mod process;
pub mod sorting;
pub mod tables;

//! From Arr text to concrete loop nests: pure, without IO and without LLVM.
//!
//! [`pipeline`] runs the steps in order; [`ir`] has the forms, [`pass`] the steps between them.
#![forbid(unsafe_code)]

pub mod diagnostics;
pub mod eval;
pub mod explain;
pub mod ids;
pub mod ir;
pub mod json;
pub mod names;
pub mod pass;
pub mod pipeline;
pub mod prim;
pub mod source;
mod stack;
pub mod stdlib;

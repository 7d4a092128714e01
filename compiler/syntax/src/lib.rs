//! From text to the syntax tree, and what all crates of the compiler share: places of the text, diagnostics, names,
//! ids, and the scalar operations of the language with their meaning on constants.
//!
//! In: the text of a file. Out: [`ast`]. Negative invariant: the only types here are those of scalars. Nothing
//! knows the type of an expression, a size or a pass.
#![forbid(unsafe_code)]

pub mod ast;
pub mod check;
pub mod diagnostics;
pub mod ids;
pub mod json;
pub mod names;
pub mod parse;
pub mod prim;
pub mod source;
pub mod stack;
pub mod stdlib;

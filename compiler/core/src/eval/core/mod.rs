//! The reference interpreter: what a program of core means. Everything that compiles a program is
//! compared with it.
//!
//! It evaluates expressions as a reader of the language reference would: strictly, from left to right,
//! with tuples, records, arrays of any rank and functions as values. Sizes are found as values tell
//! them, and each value is checked against the sizes of its type: a disagreement is a mistake of
//! inference, and a panic.
//!
//! Invariant: the result is that of compiled code for every program and every argument, up to the
//! order in which reductions of floats are added up. If several parts of a program fail, this reports
//! the first in the order of evaluation; compiled code may report any of them, and need not fail where
//! what fails is not used.
//!
//! A new construct of core has its case in [`expr`], what it binds in [`scope`], a new kind of data in
//! [`value`] and, if entries take it, in [`entry`]; a new combinator has its case in [`intrinsic`].
//!
//! ```text
//! entry f [n] (xs: [n]i64) = reduce (+) 0 (filter (> 0) xs)   of xs = [1, -2, 3]   ⇒ 4
//! ```

mod apply;
mod argument;
mod entry;
mod expr;
mod intrinsic;
mod loops;
mod order;
mod part;
mod scope;
#[cfg(test)]
mod tests;
mod update;
mod value;
mod withs;

use std::rc::Rc;

pub use self::entry::{Component, ComponentType, run, signature};
use self::value::{Code, Value};
use crate::eval::error::RunError;
use crate::ids::{DefId, SizeVar};
use crate::ir::core::Program;
use crate::source::Span;

/// What evaluation gives.
type Run<T> = Result<T, RunError>;

/// The state of a run.
struct Machine<'a> {
    program: &'a Program,
    /// How many calls of recursive definitions are running.
    depth: u32,
}

impl<'a> Machine<'a> {
    /// Calls an entry, which has no type parameters.
    fn entry(
        &mut self,
        (entry, sizes): (DefId, Vec<(SizeVar, i64)>),
        args: Vec<Value<'a>>,
        span: Span,
    ) -> Run<Value<'a>> {
        self.call(&Code::Global(entry, Rc::default(), Rc::new(sizes)), args, &|| None, span)
    }
}

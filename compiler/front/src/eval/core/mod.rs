//! The reference interpreter: it defines the meaning of core programs. Every other way to run a program is compared
//! with it.
//!
//! It evaluates expressions as a reader of the language reference would: strictly, from left to right, with tuples,
//! records, arrays of any rank and functions as values. Values determine the sizes in their types, and each value is
//! checked against the sizes of its type. A disagreement is an error of inference, and a panic.
//!
//! Invariant: the result is the result of compiled code for every program and every argument, except for the order in
//! which reductions of floats are added up. If several parts of a program fail, the interpreter reports the first one
//! in the order of evaluation. Compiled code may report any of them, and need not fail where the failing value is not
//! used.
//!
//! A new construct of core needs a case in [`eval_expr`], and one in [`eval_scope`] if it binds variables. A new kind
//! of data needs a case in [`eval_value`], and one in [`entry`] if entries take it. A new combinator needs a case in
//! [`intrinsic`].
//!
//! ```text
//! entry f [n] (xs: [n]i64) = reduce (+) 0 (filter (> 0) xs)   of xs = [1, -2, 3]   ⇒ 4
//! ```

mod argument;
mod entry;
mod eval_apply;
mod eval_expr;
mod eval_loops;
mod eval_order;
mod eval_part;
mod eval_scope;
mod eval_update;
mod eval_value;
mod eval_withs;
mod intrinsic;
#[cfg(test)]
mod tests;
mod traced;

use std::rc::Rc;

pub use self::entry::{Component, ComponentType, run, run_traced, signature};
use self::eval_value::{Callable, Value};
pub use self::traced::Trace;
use crate::core::Program;
use crate::eval::run_error::RunError;
use arrc_syntax::ids::{DefId, SizeVar};
use arrc_syntax::source::Span;

/// The result of an evaluation.
type Run<T> = Result<T, RunError>;

/// The state of a run.
struct Machine<'a> {
    program: &'a Program,
    /// The number of active calls of recursive definitions.
    depth: u32,
    /// The function that gets each trace.
    tracer: &'a dyn Fn(Trace),
}

impl<'a> Machine<'a> {
    /// Calls an entry, which has no type parameters.
    fn entry(
        &mut self,
        (entry, sizes): (DefId, Vec<(SizeVar, i64)>),
        args: Vec<Value<'a>>,
        span: Span,
    ) -> Run<Value<'a>> {
        self.call(&Callable::Global(entry, Rc::default(), Rc::new(sizes)), args, &|| None, span)
    }
}

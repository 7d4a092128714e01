//! Passes: loops over memory.
//!
//! Invariant: a pass is lowered by [`lower_pass`] and nothing else. What runs before and after its loop
//! is in [`scalar`], and so is the loop that makes the last steps, or all of them; [`vector`] makes many
//! steps at once, where it can and LLVM could not.

mod few;
mod grow;
mod guard;
mod scalar;
mod vector;

use arrc_core::ids::VarId;
use arrc_core::ir::procedure::concrete::{Nest, Procedure, Stmt};
use inkwell::values::IntValue;

use crate::function::Body;

/// Where a loop is in its pass, or a pass in a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    /// In no other one.
    Outermost,
    /// In the steps of another.
    Inner,
}

/// Steps of a pass that are lowered as one loop.
#[derive(Clone, Copy)]
struct Run<'ctx, 'p> {
    procedure: &'p Procedure,
    /// The first step.
    from: IntValue<'ctx>,
    /// The first step after it.
    to: IntValue<'ctx>,
    /// In each step.
    body: &'p [Stmt],
    /// In each step, after the body.
    inner: &'p [Nest],
    /// What ends with each step.
    release: &'p [VarId],
}

/// Lowers a pass: afterwards the variables that it yields are bound.
pub(crate) fn lower_pass<'p>(body: &mut Body<'_, '_, 'p>, pass: &'p Procedure) {
    scalar::lower(body, pass);
}

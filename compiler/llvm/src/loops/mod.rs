//! Passes: loops over memory.
//!
//! Invariant: a pass is lowered by [`lower_pass`] and nothing else. What runs before and after its loop
//! is in [`scalar`], and so is the loop that makes the last steps, or all of them; [`vector`] makes many
//! steps at once, where it can and LLVM could not.

mod few;
mod grow;
mod guard;
mod pass;
mod scalar;
mod vector;

use arrc_core::ir::procedure::concrete::Procedure;

use crate::function::Body;

/// Lowers a pass: afterwards the variables that it yields are bound.
pub(crate) fn lower_pass<'p>(body: &mut Body<'_, '_, 'p>, pass: &'p Procedure) {
    scalar::lower(body, pass);
}

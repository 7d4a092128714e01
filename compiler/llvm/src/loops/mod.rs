//! Passes: loops over memory.
//!
//! Invariant: a pass is lowered by [`lower_pass`] and nothing else. What runs before and after its loop
//! is in [`scalar`], and so is the loop that makes the last steps, or all of them; [`vector`] makes many
//! steps at once, where it can and LLVM could not.

mod bins;
mod bounded_trips;
mod filled;
mod frame;
mod grow;
mod guard;
mod order;
mod pass;
mod scalar;
mod scans;
mod slices;
mod vector;

use arrc_core::ir::procedure::concrete::Procedure;
use inkwell::values::IntValue;

use crate::function::Body;

/// Loops that run as one with a loop inside them. Their own counters stay at 0: elements whose positions are those of all
/// steps in order are found as if the first row had all of them.
#[derive(Clone, Copy)]
pub(crate) struct Collapsed<'ctx> {
    /// How many loops are still to come, up to the innermost one.
    loops: u32,
    /// The first step of the loops so far taken together, and the first one after the last.
    steps: [IntValue<'ctx>; 2],
    /// Where the outermost of them is.
    level: pass::Level,
}

/// Lowers a pass: afterwards the variables that it yields are bound.
pub(crate) fn lower_pass<'p>(body: &mut Body<'_, '_, 'p>, pass: &'p Procedure) {
    scalar::lower(body, pass);
}

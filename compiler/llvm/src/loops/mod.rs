//! Passes: loops over memory.
//!
//! Invariant: a pass is lowered by [`lower_pass`] and nothing else. [`scalar::scalar_loop`] lowers the code before and
//! after its loop, and the loop for the last steps, or for all of them. [`vector`] lowers many steps at once, where it
//! can and LLVM could not. [`ranges`] has the loops of ranges, [`memory`] strips and tiles, [`threads`] slices.

mod memory;
mod pass;
mod ranges;
mod scalar;
mod threads;
mod vector;

use arrc_loops::concrete::Procedure;
use arrc_syntax::ids::VarId;
use inkwell::values::IntValue;

pub(crate) use self::scalar::signed_zeros::Zero;
pub(crate) use self::threads::slices::time;
pub(crate) use self::vector::change_row;
use crate::function::Body;

/// Loops that run as one with a loop inside them. Their own counters stay at 0: an element is addressed as if the first
/// row contained all elements in order.
#[derive(Clone, Copy)]
pub(crate) struct Collapsed<'ctx> {
    /// The number of loops between here and the innermost one.
    loops: u32,
    /// The first step of the loops so far, taken together, and the first step after the last one.
    steps: [IntValue<'ctx>; 2],
    /// The level of the outermost of them.
    level: pass::Level,
}

/// The strip of columns that the loop over rows makes, see [`memory::column_tiling`].
#[derive(Clone, Copy)]
pub(crate) struct Strip<'ctx> {
    /// The row that each step of the loop makes.
    row: VarId,
    /// The first column, and the first column after the last one; the row may end before it.
    steps: [IntValue<'ctx>; 2],
}

/// Lowers a pass: afterwards the variables that it yields are bound.
pub(crate) fn lower_pass<'p>(body: &mut Body<'_, '_, 'p>, pass: &'p Procedure) {
    scalar::scalar_loop::lower(body, pass);
}

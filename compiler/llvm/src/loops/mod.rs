//! Passes: loops over memory.
//!
//! Invariant: a pass is lowered by [`lower_pass`] and nothing else. [`scalar::scalar_loop`] lowers the code before and
//! after its loop, and the loop for the last steps, or for all of them. [`vector`] lowers many steps at once, where it
//! can and LLVM could not. [`ranges`] has the loops of ranges, [`memory`] strips and tiles, [`threads`] slices.

mod memory;
pub(crate) mod nesting;
mod pass;
mod pass_scopes;
mod ranges;
pub(crate) mod scalar;
mod threads;
mod vector;

use arrc_loops::concrete::Procedure;

pub(crate) use self::threads::slices::time;
pub(crate) use self::vector::change_row;
use crate::function::function_body::Body;

/// Lowers a pass: afterwards the variables that it yields are bound.
pub(crate) fn lower_pass<'p>(body: &mut Body<'_, '_, 'p>, pass: &'p Procedure) {
    scalar::scalar_loop::lower(body, pass);
}

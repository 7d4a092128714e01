//! Passes: loops over memory.
//!
//! Invariant: a pass is lowered by [`lower_pass`] and nothing else, so that another way of lowering
//! (to vectors) is another module beside [`scalar`], chosen here.

mod guard;
mod scalar;

use arrc_core::ir::procedure::concrete::Procedure;

use crate::function::Body;

/// Lowers a pass: afterwards the variables that it yields are bound.
pub(crate) fn lower_pass<'p>(body: &mut Body<'_, '_, 'p>, pass: &'p Procedure) {
    scalar::lower(body, pass);
}

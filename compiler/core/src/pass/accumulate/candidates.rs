//! Which functions append what their calls give, and to which of their results.
//!
//! Invariant: the functions of entries are none of them, since the outside calls these.

use indexmap::IndexSet;

use super::Accumulated;
use super::push::sole_maker;
use crate::ids::{FuncId, VarId};
use crate::ir::cnf::{Callee, Type};
use crate::ir::procedure::concrete::{Block, Function, Program, Ranged, Step};

/// For each function the results that it makes of its own calls' by appending.
pub(super) fn candidates(program: &Program<Ranged>) -> Accumulated {
    let entries = program.entries.iter().map(|entry| entry.function).collect::<IndexSet<_>>();
    let functions = program.functions.iter();
    let results = functions.map(|(id, function)| {
        if entries.contains(&id) || !function.recursive {
            IndexSet::new()
        } else {
            of(id, function)
        }
    });
    results.collect()
}

fn of(id: FuncId, function: &Function<Ranged>) -> IndexSet<usize> {
    let is_row = |ty: &Type| matches!(ty, Type::Array { shape, .. } if shape.len() == 1);
    let results = (0..).zip(&function.results).filter(|(_, ty)| is_row(ty));
    results.map(|(at, _)| at).filter(|&at| appends(&function.body, at, id)).collect()
}

/// Whether a result of the block is, in some branch, what a call of the function gives and something else.
fn appends(block: &Block<Ranged>, at: usize, function: FuncId) -> bool {
    let Some((step, value)) = sole_maker(block, at) else { return false };
    let step = &block.steps[step];
    if let Step::If { vars, then, otherwise, .. } = step {
        let place = vars.iter().position(|&var| var == value).expect("the step binds it");
        return [then, otherwise].into_iter().any(|branch| appends(branch, place, function));
    }
    let Step::Append { parts, .. } = step else { return false };
    parts.iter().any(|&part| is_given(block, part, function))
}

/// Whether a call of the function in the block gives the array.
fn is_given(block: &Block<Ranged>, array: VarId, function: FuncId) -> bool {
    block.steps.iter().any(|step| {
        let Step::Call { vars, callee, .. } = step else { return false };
        *callee == Callee::Function(function) && vars.contains(&array)
    })
}

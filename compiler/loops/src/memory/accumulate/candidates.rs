//! The functions that append the results of their own calls, and the results that they make in this way.
//!
//! Invariant: no function of an entry is a candidate, since it is called from outside.

use indexmap::IndexSet;

use super::fresh_variables::AccumulatedResults;
use crate::concrete::{Block, Function, Program, Ranged, Step};
use crate::memory::accumulate::append_results::sole_maker;
use arrc_fusion::cnf::{Callee, Type};
use arrc_syntax::ids::{FuncId, VarId};

/// For each function, the results that it makes by appending to results of its own calls.
pub(super) fn candidates(program: &Program<Ranged>) -> AccumulatedResults {
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

/// Whether, in some branch, a result of the block is an append with a part that a call of the function returns.
fn appends(block: &Block<Ranged>, at: usize, function: FuncId) -> bool {
    let Some((step, value)) = sole_maker(block, at) else { return false };
    let step = &block.steps[step];
    if let Step::If { vars, then, otherwise, .. } = step {
        let place = vars.iter().position(|&var| var == value).expect("the step binds it");
        return [then, otherwise].into_iter().any(|branch| appends(branch, place, function));
    }
    let Step::Append { parts, .. } = step else { return false };
    parts.iter().any(|&part| is_call_result(block, part, function))
}

/// Whether the array is a result of a call of the function in the block.
fn is_call_result(block: &Block<Ranged>, array: VarId, function: FuncId) -> bool {
    block.steps.iter().any(|step| {
        let Step::Call { vars, callee, .. } = step else { return false };
        *callee == Callee::Function(function) && vars.contains(&array)
    })
}

//! A `map` that yields its elements unchanged is replaced by the array.
//!
//! Invariant: an array is replaced only by an array of the same elements in the same order. So `unzip`, or taking a
//! field of each record, costs nothing.
//!
//! ```text
//! as, bs = map (\x y -> { t = x + y; x, t }) xs ys
//! ⇒ bs = map (\x y -> { t = x + y; t }) xs ys     (and as is xs)
//! ```

use super::substitution::Substitution;
use crate::cnf::{Atom, Block, ElementWorker, Function, UNNAMED_ARRAY, Worker};
use arrc_syntax::ids::VarId;

/// Replaces copies by the arrays that they copy; says whether anything changed.
pub(super) fn forward(function: &mut Function) -> bool {
    let mut found = Vec::new();
    block(&function.body, &mut found);
    let mut substitution = Substitution::default();
    for (copy, array) in found {
        let array = substitution.atom(array.into());
        // A copy stays if its size is not known to be that of the array.
        if substitution.replace(function, copy, array) {
            pass_name(function, copy, array);
        }
    }
    // A result that is no longer used is dropped by `dead`.
    substitution.finish(function)
}

/// An array without a name from the user takes the name of its copy.
fn pass_name(function: &mut Function, copy: VarId, array: Atom) {
    if let Atom::Var(array) = array
        && function.tables.vars[array].name == UNNAMED_ARRAY
    {
        function.tables.vars[array].name = function.tables.vars[copy].name.clone();
    }
}

/// The copies in a block and in those inside it, each with the array that it is a copy of.
fn block(this: &Block, found: &mut Vec<(VarId, VarId)>) {
    for bind in &this.binds {
        // A worker that asserts something, or has an effect, runs, whatever it yields.
        if let Some(ElementWorker { worker, accs: 0, inputs }) = bind.op.elements()
            && bind.op.makes_each()
            && !worker.body.stays()
        {
            found.extend(copies(worker, inputs, &bind.vars));
        }
        for inner in bind.op.inner() {
            block(inner.block, found);
        }
    }
}

fn copies(worker: &Worker, inputs: &[VarId], vars: &[VarId]) -> Vec<(VarId, VarId)> {
    let source = |result: Atom| {
        let param = worker.params.iter().position(|&param| result == Atom::Var(param))?;
        Some(inputs[param])
    };
    let results = worker.body.results.iter().zip(vars);
    results.filter_map(|(&result, &var)| Some((var, source(result)?))).collect()
}

//! A `map` that yields its elements unchanged is replaced by the array, and so is a pass that reads each element of an
//! array at its own position, or that gives an array the shape back that it had.
//!
//! Invariant: an array is replaced only by an array of the same elements in the same order. So `unzip`, or taking a
//! field of each record, costs nothing.
//!
//! ```text
//! as, bs = map (\x y -> { t = x + y; x, t }) xs ys
//! ⇒ bs = map (\x y -> { t = x + y; t }) xs ys     (and as is xs)
//!
//! b = generate n (\i -> generate m (\j -> a[i, j]))   (and b is a, if a has n rows of m elements)
//! ```

use indexmap::IndexMap;

use super::substitution::Substitution;
use crate::cnf::{Atom, Bind, Block, ElementWorker, Function, Op, Var, Worker};
use arrc_syntax::ids::{PrimaryMap, VarId};

/// Replaces copies by the arrays that they copy; says whether anything changed.
pub(super) fn forward(function: &mut Function) -> bool {
    let mut found = Vec::new();
    block(&function.body, &function.tables.vars, &mut found);
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
        && function.tables.user_name(array).is_none()
    {
        function.tables.vars[array].name = function.tables.vars[copy].name.clone();
    }
}

/// The copies in a block and in those inside it, each with the array that it is a copy of.
fn block(this: &Block, vars: &PrimaryMap<VarId, Var>, found: &mut Vec<(VarId, VarId)>) {
    let mut reshaped = IndexMap::new();
    for bind in &this.binds {
        // A worker that asserts something, or has an effect, runs, whatever it yields.
        if let Some(ElementWorker { worker, accs: 0, inputs }) = bind.op.elements()
            && bind.op.makes_each()
            && !worker.body.stays()
        {
            found.extend(copies(worker, inputs, &bind.vars));
        }
        // A part of an array is no copy, so the sizes must be known to be equal.
        let same_type = |&(copy, array): &(VarId, VarId)| vars[copy].ty == vars[array].ty;
        found.extend(copy_by_index(bind).filter(same_type));
        if let Op::Reshape { array, .. } = bind.op {
            let source = reshaped.get(&array).copied().unwrap_or(array);
            reshaped.insert(bind.vars[0], source);
            found.extend(Some((bind.vars[0], source)).filter(same_type));
        }
        for inner in bind.op.inner() {
            block(inner.block, vars, found);
        }
    }
}

/// The array that a binding reads element by element, each at its own position: a copy if it has the same type.
fn copy_by_index(bind: &Bind) -> Option<(VarId, VarId)> {
    let mut positions = Vec::new();
    let mut made = bind;
    while let Op::Generate { worker: Worker { params, body }, .. } = &made.op {
        let [inner] = &body.binds[..] else { return None };
        if inner.vars.len() != 1 || body.results[..] != [Atom::Var(inner.vars[0])] {
            return None;
        }
        positions.push(Atom::Var(params[0]));
        made = inner;
    }
    let Op::Index { array, indices, .. } = &made.op else { return None };
    (!positions.is_empty() && *indices == positions).then_some((bind.vars[0], *array))
}

fn copies(worker: &Worker, inputs: &[VarId], vars: &[VarId]) -> Vec<(VarId, VarId)> {
    let source = |result: Atom| {
        let param = worker.params.iter().position(|&param| result == Atom::Var(param))?;
        Some(inputs[param])
    };
    let results = worker.body.results.iter().zip(vars);
    results.filter_map(|(&result, &var)| Some((var, source(result)?))).collect()
}

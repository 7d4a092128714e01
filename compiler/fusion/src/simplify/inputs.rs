//! Workers read only the inputs that they use.
//!
//! Invariant: an operation keeps at least one input, which tells how often it runs. Reductions that may be reassociated
//! keep all inputs: their workers take accumulators in the place of elements.
//!
//! ```text
//! map2 (\x y -> x + 1) xs ys      ⇒ map (\x -> x + 1) xs
//! map2 (\x y -> x * y) xs xs      ⇒ map (\x -> x * x) xs
//! ```

use indexmap::IndexMap;

use crate::cnf::{Atom, Block, ElementWorker, Function, Worker};
use arrc_syntax::ids::{SecondaryMap, VarId};

/// Drops inputs that workers do not use; says whether anything changed.
pub(super) fn trim(function: &mut Function) -> bool {
    let mut used: SecondaryMap<VarId, bool> = SecondaryMap::new();
    function.body.for_each_use(&mut |atom| {
        if let Atom::Var(var) = atom {
            used[var] = true;
        }
    });
    let mut changed = false;
    block(&mut function.body, &used, &mut changed);
    changed
}

fn block(this: &mut Block, used: &SecondaryMap<VarId, bool>, changed: &mut bool) {
    for bind in &mut this.binds {
        // A reduction's and a scan's worker takes an element for each accumulator.
        let paired = bind.op.is_paired();
        if let Some(ElementWorker { worker, accs, inputs }) = bind.op.elements_mut()
            && !paired
        {
            *changed |= trim_inputs(worker, inputs, accs, used);
        }
        for inner in bind.op.blocks_mut() {
            block(inner, used, changed);
        }
    }
}

/// Drops parameters after the first `fixed` that are not used, or read an array that another one
/// reads too.
fn trim_inputs(
    worker: &mut Worker,
    inputs: &mut Vec<VarId>,
    fixed: usize,
    used: &SecondaryMap<VarId, bool>,
) -> bool {
    let before = inputs.len();
    let elems = worker.params.split_off(fixed);
    let mut kept: Vec<(VarId, VarId)> = Vec::new();
    let mut same: IndexMap<VarId, VarId> = IndexMap::new();
    for (&input, elem) in inputs.iter().zip(elems.iter().copied()) {
        if !used[elem] {
            continue;
        }
        match kept.iter().find(|(other, _)| *other == input) {
            Some(&(_, first)) => {
                same.insert(elem, first);
            }
            None => kept.push((input, elem)),
        }
    }
    if kept.is_empty() {
        kept.push((inputs[0], elems[0]));
    }
    if !same.is_empty() {
        worker.body.substitute(&same);
    }
    inputs.clear();
    for (input, elem) in kept {
        inputs.push(input);
        worker.params.push(elem);
    }
    inputs.len() != before
}

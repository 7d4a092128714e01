//! Recognises histograms: loops in which each step updates one element of an array by a commutative, associative
//! operation.
//!
//! A histogram becomes a fold over arrays. The fold fuses with the producers of its inputs, reads its inputs as
//! streams, and runs on several threads. Other loops that carry arrays stay loops.
//!
//! Invariant: the answer affects profitability, not legality. A counted loop and a strict fold over its positions have
//! the same result.
//!
//! ```text
//! \bins i -> { k = keys[i]; b = bins[k]; c = b + 1; bins' = bins with [k] = c; yield bins' }   ⇒   yes
//! \xs i   -> { b = xs[i - 1]; c = b + 1; xs' = xs with [i] = c; yield xs' }                     ⇒   no
//! ```

use indexmap::IndexMap;

use crate::cnf::{Atom, Block, Op, Var, Worker};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::Reassociation;

/// Whether the worker of a loop updates the array that the loop carries as a histogram does. The loop carries no other
/// value.
pub(super) fn are_changed_by(worker: &Worker, vars: &PrimaryMap<VarId, Var>) -> bool {
    let Some(&bins) = worker.params.first() else { return false };
    let mut steps = BinUpdates { bins, made: IndexMap::new(), changes: Vec::new(), reads: 0 };
    vars[bins].ty.is_array()
        && steps.block(&worker.body)
        && steps.reads == 1
        && steps.changes.len() == 1
        && steps.changes.iter().all(|&op| steps.is_exact(op, vars))
}

/// The steps of a worker and of its branches.
struct BinUpdates<'a> {
    /// The array, before the step.
    bins: VarId,
    /// The operations, by the variables that they bind.
    made: IndexMap<VarId, &'a Op>,
    /// The operations that change the array.
    changes: Vec<&'a Op>,
    /// How many read an element of it.
    reads: usize,
}

impl<'a> BinUpdates<'a> {
    /// Collects the steps of a block. False if one of them cannot be part of a histogram.
    fn block(&mut self, block: &'a Block) -> bool {
        block.binds.iter().all(|bind| {
            self.made.extend(bind.vars.iter().map(|&var| (var, &bind.op)));
            if let Op::If { then, otherwise, .. } = &bind.op {
                return self.block(then) && self.block(otherwise);
            }
            let (is_read, is_change) =
                (matches!(bind.op, Op::Index { .. }), matches!(bind.op, Op::Replace { .. }));
            self.reads +=
                usize::from(matches!(bind.op, Op::Index { array, .. } if array == self.bins));
            self.changes.extend(is_change.then_some(&bind.op));
            is_read || is_change || bind.op.operation().is_some() || bind.op.length().is_some()
        })
    }

    /// Whether an update combines the old element with another value by an operation that is exact in any order, at an
    /// index that depends on data.
    fn is_exact(&self, change: &Op, vars: &PrimaryMap<VarId, Var>) -> bool {
        let Op::Replace { array, indices, value: Atom::Var(value), .. } = change else {
            return false;
        };
        let Some((op, operands)) = self.made.get(value).and_then(|op| op.binary()) else {
            return false;
        };
        let is_element = |operand: &Atom| {
            let Atom::Var(operand) = operand else { return false };
            matches!(self.made.get(operand), Some(Op::Index { array: of, indices: at, .. })
                if of == array && at == indices)
        };
        let is_free = match op.fold() {
            Reassociation::Ordered => false,
            Reassociation::Sum => !vars[self.bins].ty.scalars().is_float(),
            Reassociation::Choice => true,
        };
        *array == self.bins
            && is_free
            && operands.iter().any(is_element)
            && indices.iter().any(|&index| self.is_data(index))
    }

    /// Whether a value depends on an element of an array. An index that depends on the counter alone is excluded: LLVM
    /// vectorises many loops with such indices.
    fn is_data(&self, atom: Atom) -> bool {
        let Atom::Var(var) = atom else { return false };
        self.made.get(&var).is_some_and(|op| {
            matches!(op, Op::Index { .. } | Op::If { .. })
                || op.operands().into_iter().any(|operand| self.is_data(operand))
        })
    }
}

//! What the operator of a fold is made of.
//!
//! Invariant: an answer here is about the worker's text alone, and holds for all arguments.
//!
//! ```text
//! \s n x -> (s + x * x, n + 1)                       separate: + of x * x, + of 1
//! \l.0 l.1 r.0 r.1 -> if l.1 > r.1 then l else r     chooses
//! ```

use std::collections::BTreeMap;

use arrc_core::ids::VarId;
use arrc_core::ir::cnf::{Atom, Order};
use arrc_core::ir::procedure::concrete::{Block, Step, Worker};
use arrc_core::prim::{BinOp, Fold, Scalar};

/// How one accumulator of a fold takes an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Separate {
    /// The operation.
    pub(super) op: BinOp,
    /// What it is applied to besides the accumulator.
    pub(super) elem: Atom,
    /// The accumulator's new value.
    pub(super) result: VarId,
}

/// If each accumulator is only combined, by one operation, with what does not depend on accumulators:
/// those operations.
pub(super) fn separate(worker: &Worker, count: usize) -> Option<Vec<Separate>> {
    let mut uses = BTreeMap::new();
    count_uses(&worker.body, &mut uses);
    let once = |var: VarId| uses.get(&var) == Some(&1);
    let (accs, results) = (&worker.params[..count], &worker.body.results);
    let fold = |(&acc, &result): (&VarId, &Atom)| {
        let Atom::Var(result) = result else { return None };
        let combine = |step: &Step| {
            let (var, operation) = step.operation()?;
            let (op, [a, b]) = operation.binary()?;
            let this = Atom::Var(acc);
            let elem = (a == this).then_some(b).or((b == this).then_some(a))?;
            (var == result).then_some((op, elem))
        };
        let (op, elem) = worker.body.steps.iter().find_map(combine)?;
        (once(acc) && once(result)).then_some(Separate { op, elem, result })
    };
    accs.iter().zip(results).map(fold).collect()
}

/// Whether the result is always all of the accumulators, or all of the elements.
///
/// An associative operator that does so orders its arguments, and takes the greatest; of equals either
/// always the first or always the last. So of the choices among some elements and among others, the
/// choice is right if the one that stood first is the first argument.
pub(super) fn chooses(worker: &Worker, count: usize) -> bool {
    worker.params.len() == 2 * count && chooses_in(&worker.body, worker.params.split_at(count))
}

fn chooses_in(block: &Block, (left, right): (&[VarId], &[VarId])) -> bool {
    match choice(block, (left, right)) {
        Some(Choice::Left | Choice::Right) => true,
        Some(Choice::If { then, otherwise, .. }) => {
            chooses_in(then, (left, right)) && chooses_in(otherwise, (left, right))
        }
        None => false,
    }
}

/// How a block of an operator that chooses does so.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choice<'p> {
    /// It yields the accumulators.
    Left,
    /// It yields the elements.
    Right,
    /// It yields what the branches of its last step yield.
    If {
        /// The condition.
        cond: Atom,
        /// If it holds.
        then: &'p Block,
        /// If it does not.
        otherwise: &'p Block,
    },
}

/// How a block chooses, if it does.
pub(super) fn choice<'p>(
    block: &'p Block,
    (left, right): (&[VarId], &[VarId]),
) -> Option<Choice<'p>> {
    let yields = |vars: &[VarId]| {
        let same = |(result, &var): (&Atom, &VarId)| *result == Atom::Var(var);
        block.results.len() == vars.len() && block.results.iter().zip(vars).all(same)
    };
    if yields(left) {
        return Some(Choice::Left);
    }
    if yields(right) {
        return Some(Choice::Right);
    }
    match block.steps.last() {
        Some(Step::If { vars, cond, then, otherwise, .. }) if yields(vars) => {
            Some(Choice::If { cond: *cond, then, otherwise })
        }
        Some(_) | None => None,
    }
}

/// Whether a fold gives the same however its elements are ordered and grouped, or may.
pub(super) fn in_any_order(op: BinOp, ty: Scalar, order: Order) -> bool {
    match op.fold() {
        Fold::Sum => !ty.is_float() || order != Order::Strict,
        Fold::Choice => true,
        Fold::Ordered => false,
    }
}

/// How often each variable is used in a block that [`super::legality`] allows.
fn count_uses(block: &Block, uses: &mut BTreeMap<VarId, usize>) {
    block.for_each_atom(&mut |atom| {
        if let Atom::Var(var) = atom {
            *uses.entry(*var).or_default() += 1;
        }
    });
}

//! Folds whose accumulators take elements by one operation each.
//!
//! Invariant: an answer here is about the worker's text alone, and holds for all arguments.
//!
//! ```text
//! \s n x -> (s + x * x, n + 1)     separate: + of x * x, + of 1
//! ```

use std::collections::BTreeMap;

use super::{Block, Phase, Procedure, Step, Visit, Worker};
use crate::ids::VarId;
use crate::ir::cnf::{Atom, Order};
use crate::prim::{BinOp, Const, Fold, Scalar};

/// How one accumulator of a fold takes an element.
#[derive(Clone, Copy, Debug)]
pub struct Separate {
    /// The operation.
    pub op: BinOp,
    /// The operand that is not the accumulator.
    pub elem: Atom,
    /// The accumulator's new value.
    pub result: VarId,
}

/// If each accumulator is only combined, by one operation, with what does not depend on accumulators: those operations.
/// None if there are loops in the worker.
#[must_use]
pub fn separate<P: Phase>(worker: &Worker<P>, count: usize) -> Option<Vec<Separate>> {
    let uses = count_uses(&worker.body)?;
    let once = |var: VarId| uses.get(&var) == Some(&1);
    let (accs, results) = (&worker.params[..count], &worker.body.results);
    let fold = |(&acc, &result): (&VarId, &Atom)| {
        let Atom::Var(result) = result else { return None };
        let combine = |step: &Step<P>| {
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

/// Whether a fold gives the same however its elements are ordered and grouped, or may.
#[must_use]
pub fn in_any_order(op: BinOp, ty: Scalar, order: Order) -> bool {
    match op.fold() {
        Fold::Sum => !ty.is_float() || order != Order::Strict,
        Fold::Choice => true,
        Fold::Ordered => false,
    }
}

/// What leaves an accumulator of a commutative operation as it is, exactly, also where that is -0 or NaN. Where once is as
/// good as twice, that is the initial value. It serves better than the operation's own neutral element, which LLVM
/// knows, and by which it comes back to choosing accumulators.
#[must_use]
pub fn neutral(op: BinOp, ty: Scalar, init: Atom) -> Option<Atom> {
    match op.fold() {
        Fold::Sum if op == BinOp::Add && ty.is_float() => Some(Const::float(ty, -0.0).into()),
        Fold::Sum => op.row().neutral.map(|neutral| neutral.of(ty).into()),
        Fold::Choice => Some(init),
        Fold::Ordered => None,
    }
}

/// How often each variable is used in a block and its branches; none if there are loops in it.
fn count_uses<P: Phase>(block: &Block<P>) -> Option<BTreeMap<VarId, usize>> {
    let mut uses = Uses::default();
    uses.block(block);
    (!uses.loops).then_some(uses.counts)
}

#[derive(Default)]
struct Uses {
    counts: BTreeMap<VarId, usize>,
    /// Whether a pass or a loop has been met.
    loops: bool,
}

impl Uses {
    fn block<P: Phase>(&mut self, block: &Block<P>) {
        block.steps.iter().for_each(|step| step.visit(self));
        block.results.iter().for_each(|result| self.count(*result));
    }

    fn count(&mut self, atom: Atom) {
        if let Atom::Var(var) = atom {
            *self.counts.entry(var).or_default() += 1;
        }
    }
}

impl<'a, P: Phase> Visit<'a, P> for Uses {
    fn atom(&mut self, atom: &'a Atom) {
        self.count(*atom);
    }

    fn branch(&mut self, block: &'a Block<P>) {
        self.block(block);
    }

    fn worker(&mut self, _: &'a Worker<P>) {
        self.loops = true;
    }

    fn pass(&mut self, _: &'a Procedure<P>) {
        self.loops = true;
    }
}

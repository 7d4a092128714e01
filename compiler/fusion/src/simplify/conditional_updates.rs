//! The least or greatest element and its position, in a step of a loop: the comparison of elements does not wait for
//! that of positions.
//!
//! In `if y < x || y == x && j < i then (j, y) else (i, x)`, the next element waits for both comparisons. Where `y < x`
//! does not hold and the condition does, `x` and `y` are equal. They may still be zeros of different sign; so a float
//! must be an accumulator that is only compared, and that nothing reads after the loop.
//!
//! Invariant: a fold outside of steps does not change, since the lanes of a vector make both choices by one comparison.
//!
//! ```text
//! l = y < x; e = y == x; p = j < i; a = e && p; c = l || a; k, m = if c then j, y else i, x
//! ⇒ …; k = if c then j else i; m = if l then y else x
//! ```

use crate::cnf::{Atom, Bind, Block, Function, Op, Operation, Var, Worker};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::BinOp;

/// Splits such choices; says whether there were any.
pub(super) fn part(function: &mut Function) -> bool {
    split_outside_steps(&mut function.body, &mut function.tables.vars)
}

/// Splits the choices in the steps of combinators of a block that is in no step.
fn split_outside_steps(block: &mut Block, vars: &mut PrimaryMap<VarId, Var>) -> bool {
    let mut changed = false;
    for bind in &mut block.binds {
        let is_step = !matches!(bind.op, Op::If { .. } | Op::Loop { .. });
        for inner in bind.op.blocks_mut() {
            changed |=
                if is_step { split_in_step(inner, vars) } else { split_outside_steps(inner, vars) };
        }
    }
    changed
}

/// Splits the choices of a block in a step.
fn split_in_step(block: &mut Block, vars: &mut PrimaryMap<VarId, Var>) -> bool {
    let mut changed = false;
    for place in 0..block.binds.len() {
        let is_fold = matches!(block.binds[place].op, Op::Fold { .. });
        for acc in (0..block.binds[place].vars.len()).filter(|_| is_fold) {
            let is_read = is_used(block, block.binds[place].vars[acc]);
            if let Op::Fold { worker, .. } = &mut block.binds[place].op {
                changed |= part_choice(worker, (acc, is_read), vars);
            }
        }
        for inner in block.binds[place].op.blocks_mut() {
            changed |= split_in_step(inner, vars);
        }
    }
    changed
}

fn is_used(block: &Block, var: VarId) -> bool {
    let mut is_used = false;
    block.for_each_use(&mut |atom| is_used |= atom == Atom::Var(var));
    is_used
}

/// An accumulator that becomes an element where a condition holds.
struct ConditionalUpdate {
    /// The binding of the `if`.
    place: usize,
    /// Whether the element comes strictly before the accumulator.
    strictly: Atom,
    accumulator: VarId,
    element: Atom,
}

fn part_choice(
    worker: &mut Worker,
    (acc, is_read): (usize, bool),
    vars: &mut PrimaryMap<VarId, Var>,
) -> bool {
    let Some(ConditionalUpdate { place, strictly, accumulator, element }) = choice(worker, acc)
    else {
        return false;
    };
    let var = vars[accumulator].clone();
    let is_float = var.ty.as_scalar().is_some_and(|ty| ty.is_float());
    if is_float && (is_read || !is_only_compared(worker, accumulator)) {
        return false;
    }
    let yields = |atom| Block { binds: Vec::new(), results: vec![atom] };
    let op =
        Op::If { cond: strictly, then: yields(element), otherwise: yields(Atom::Var(accumulator)) };
    let next = vars.push(var);
    let span = worker.body.binds[place].span;
    worker.body.binds.insert(place + 1, Bind { vars: vec![next], op, span });
    worker.body.results[acc] = Atom::Var(next);
    true
}

/// The choice that gives an accumulator's next value, if the condition compares more than the elements.
fn choice(worker: &Worker, acc: usize) -> Option<ConditionalUpdate> {
    let &Atom::Var(next) = worker.body.results.get(acc)? else { return None };
    let accumulator = *worker.params.get(acc)?;
    let place = worker.body.binds.iter().position(|bind| bind.vars.contains(&next))?;
    let Bind { vars, op: Op::If { cond, then, otherwise }, .. } = &worker.body.binds[place] else {
        return None;
    };
    let at = vars.iter().position(|&var| var == next)?;
    let (element, kept) = (then.results[at], otherwise.results[at]);
    let is_outside =
        |atom| !then.binds.iter().any(|bind| bind.vars.iter().any(|&var| Atom::Var(var) == atom));
    if kept != Atom::Var(accumulator) || !is_outside(element) {
        return None;
    }
    let strictly =
        AccumulatorComparisons { body: &worker.body, pair: [element, kept] }.strictly(*cond)?;
    Some(ConditionalUpdate { place, strictly, accumulator, element })
}

/// The comparisons of an element with an accumulator.
struct AccumulatorComparisons<'a> {
    body: &'a Block,
    pair: [Atom; 2],
}

impl AccumulatorComparisons<'_> {
    /// The strict comparison in a condition that consists of it and of a comparison for equal values.
    fn strictly(&self, cond: Atom) -> Option<Atom> {
        let (op, one, other) = self.definition(cond)?;
        [(one, other), (other, one)].into_iter().find_map(|(one, other)| {
            let (inner, a, b) = self.definition(other)?;
            let find = |by| [a, b].into_iter().find(|&flag| self.compares(flag, by));
            if (op, inner) == (BinOp::Or, BinOp::And) {
                let is_strict = self.compares(one, BinOp::Lt) || self.compares(one, BinOp::Gt);
                (is_strict && find(BinOp::Eq).is_some()).then_some(one)
            } else if (op, inner) == (BinOp::And, BinOp::Or) {
                let pairs = [(BinOp::Le, BinOp::Lt), (BinOp::Ge, BinOp::Gt)];
                pairs
                    .into_iter()
                    .find_map(|(weak, strict)| self.compares(one, weak).then(|| find(strict))?)
            } else {
                None
            }
        })
    }

    /// Whether a flag is the result of comparing the element with the accumulator by this operation.
    fn compares(&self, flag: Atom, by: BinOp) -> bool {
        let Some((op, left, right)) = self.definition(flag) else { return false };
        let is_as_is = op == by && [left, right] == self.pair;
        is_as_is || op == by.mirrored() && [right, left] == self.pair
    }

    fn definition(&self, atom: Atom) -> Option<(BinOp, Atom, Atom)> {
        let Atom::Var(var) = atom else { return None };
        let bind = self.body.binds.iter().find(|bind| bind.vars[..] == [var])?;
        let Op::Scalar(Operation::Bin(op, [left, right])) = bind.op else { return None };
        Some((op, left, right))
    }
}

/// Whether a worker uses an accumulator only to compare it, and to keep it.
fn is_only_compared(worker: &Worker, accumulator: VarId) -> bool {
    let is = |atom: Atom| atom == Atom::Var(accumulator);
    let mut uses = 0;
    worker.body.for_each_use(&mut |atom| uses += u32::from(is(atom)));
    let compared = worker.body.binds.iter().map(|bind| {
        let Op::Scalar(Operation::Bin(op, [left, right])) = bind.op else { return 0 };
        if op.is_comparison() { u32::from(is(left)) + u32::from(is(right)) } else { 0 }
    });
    // The other use is in the choice.
    uses == compared.sum::<u32>() + 1 && !worker.body.results.iter().any(|&result| is(result))
}

//! Folds that choose the element with the least position among equal ones, in a loop that takes positions in order.
//!
//! Such a fold compares the position of each element with the chosen one. Once it has chosen an element of the loop,
//! all later positions are greater, so only the first value can be greater than a position. The loop therefore runs
//! without the comparison. If it ends with the first value, it may have missed an element that ties with it, and runs
//! again with the comparison.
//!
//! Invariant: if the loop without the comparison chooses an element, both loops have the same result. Up to that
//! element, the loop with the comparison can only choose elements that are equal to the first value, and the same
//! elements are less than these. From that element on, the loop takes positions that are greater than the chosen one,
//! so the comparison is false.
//!
//! ```text
//! i x := if y < x || y == x && j < i then (j, y) else (i, x)    ⇒    i x := if y < x then (j, y) else (i, x)
//! at the end, i == i0 && i0 > 0                                 ⇒    the same loop as it was, from i0 x0
//! ```

use arrc_fusion::cnf::{Atom, Operation};
use arrc_loops::concrete::{Position, Step, Stmt, Worker};
use arrc_syntax::ids::{AccId, VarId};
use arrc_syntax::prim::{BinOp, Scalar};
use inkwell::IntPredicate;

use crate::loops::pass::{Pass, Steps};
use crate::unit::built;

/// A fold that chooses among equal elements by their positions.
#[derive(Clone, Copy)]
pub(in crate::loops) struct TieBreak {
    /// The accumulator that holds the chosen position.
    acc: AccId,
    /// The result of the comparison.
    is_before: VarId,
}

/// The comparison of positions in the steps of a loop, if they consist of the fold and what it needs.
pub(in crate::loops) fn of(pass: &Pass<'_, '_, '_, '_>, run: Steps<'_, '_>) -> Option<TieBreak> {
    let procedure = pass.procedure;
    let [before @ .., Stmt::Update { accs, worker, args, .. }] = run.body else { return None };
    let is_alone = run.inner.is_empty() && run.release.is_empty() && procedure.nest.collapsed == 0;
    let scalars = procedure.accs.iter().all(|(_, acc)| acc.ty.as_scalar().is_some());
    if !(is_alone && scalars && before.iter().all(binds)) {
        return None;
    }
    let positions = before.iter().filter_map(|stmt| match stmt {
        Stmt::Position { elem, index } => {
            (*index == Position::Var(procedure.nest.counter)).then_some(*elem)
        }
        Stmt::Next { .. }
        | Stmt::Copy { .. }
        | Stmt::Apply { .. }
        | Stmt::Read { .. }
        | Stmt::Update { .. }
        | Stmt::Current { .. }
        | Stmt::Reserve { .. }
        | Stmt::Write { .. } => None,
    });
    let positions = positions.collect::<Vec<_>>();
    let at_position =
        |slot: usize| matches!(args[slot], Atom::Var(var) if positions.contains(&var));
    let fold = ChoosingFold { worker, count: accs.len() };
    if worker.params.len() != 2 * fold.count {
        return None;
    }
    accs.iter().enumerate().find_map(|(slot, &acc)| {
        let is_index = procedure.accs[acc].ty.as_scalar() == Some(Scalar::I64);
        let is_before = fold.comparison(slot).filter(|_| is_index && at_position(slot))?;
        Some(TieBreak { acc, is_before })
    })
}

/// Whether a statement changes nothing, whenever it runs again.
fn binds(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Next { .. }
        | Stmt::Position { .. }
        | Stmt::Copy { .. }
        | Stmt::Apply { .. }
        | Stmt::Read { .. } => true,
        Stmt::Update { .. } | Stmt::Current { .. } | Stmt::Reserve { .. } | Stmt::Write { .. } => {
            false
        }
    }
}

/// The worker of a fold, and how many accumulators it has.
#[derive(Clone, Copy)]
struct ChoosingFold<'p> {
    worker: &'p Worker,
    count: usize,
}

impl<'p> ChoosingFold<'p> {
    /// An accumulator, and the element that may take its place.
    fn slot(self, slot: usize) -> [Atom; 2] {
        [slot, self.count + slot].map(|at| Atom::Var(self.worker.params[at]))
    }

    /// The comparison of positions, in the given slot, if it decides between equal elements only.
    fn comparison(self, position: usize) -> Option<VarId> {
        let [old, new] = self.slot(position);
        let cond = self.chosen_by(position)?;
        let nearer_or_tie = self.operands(cond, BinOp::Or)?;
        let both = |[nearer, tie]: [Atom; 2]| {
            let key = (0..self.count).find(|&slot| self.compares(nearer, self.slot(slot)))?;
            let [equal, before] = self.operands(tie, BinOp::And)?;
            let is_tie = |[equal, before]: [Atom; 2]| {
                let keys = self.operands(equal, BinOp::Eq)?;
                let [x, y] = self.slot(key);
                let is_less = self.operands(before, BinOp::Lt) == Some([new, old])
                    || self.operands(before, BinOp::Gt) == Some([old, new]);
                (is_less && (keys == [x, y] || keys == [y, x])).then_some(before)
            };
            let before = is_tie([equal, before]).or_else(|| is_tie([before, equal]))?;
            let all = |slot| {
                let by = self.chosen_by(slot);
                by == Some(cond) || slot == key && by == Some(nearer)
            };
            (key != position && (0..self.count).all(all)).then_some(before)
        };
        let [a, b] = nearer_or_tie;
        let before = both([a, b]).or_else(|| both([b, a]))?;
        let Atom::Var(before) = before else { return None };
        Some(before)
    }

    /// The condition under which an element takes the place of an accumulator.
    fn chosen_by(self, slot: usize) -> Option<Atom> {
        let [old, new] = self.slot(slot);
        let result = self.worker.body.results[slot];
        self.worker.body.steps.iter().find_map(|step| {
            let Step::If { vars, cond, then, otherwise, .. } = step else { return None };
            let at = vars.iter().position(|&var| Atom::Var(var) == result)?;
            (then.results[at] == new && otherwise.results[at] == old).then_some(*cond)
        })
    }

    /// Whether a condition says that an element is less, or greater, than the accumulator.
    fn compares(self, cond: Atom, [old, new]: [Atom; 2]) -> bool {
        [BinOp::Lt, BinOp::Gt].into_iter().any(|op| {
            let args = self.operands(cond, op);
            args == Some([old, new]) || args == Some([new, old])
        })
    }

    /// The operands of the operation of that kind that makes a value, if one does.
    fn operands(self, value: Atom, kind: BinOp) -> Option<[Atom; 2]> {
        self.worker.body.steps.iter().find_map(|step| {
            let Step::Scalar { var, op: Operation::Bin(op, args), .. } = step else { return None };
            (Atom::Var(*var) == value && *op == kind).then_some(*args)
        })
    }
}

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// Runs steps without a comparison of positions, and again with it where that could make a difference.
    pub(super) fn without_ties(
        &mut self,
        run: Steps<'ctx, 'p>,
        TieBreak { acc, is_before }: TieBreak,
        to_note: (VarId, usize),
    ) {
        let first: Vec<_> = self.procedure.accs.keys().map(|acc| (acc, self.acc(acc))).collect();
        let before = self.acc(acc).into_int_value();
        self.body.never[is_before] = true;
        self.marked(run, to_note);
        self.body.never[is_before] = false;
        let after = self.acc(acc).into_int_value();
        let code = &self.body.code;
        let same = code.compare(IntPredicate::EQ, before, after);
        let greater = code.compare(IntPredicate::SGT, before, run.from);
        let [again, done] = ["ties.again", "ties.done"].map(|name| code.block(name));
        code.branch(built(code.b.build_and(same, greater, "")), again, done);
        code.b.position_at_end(again);
        for (acc, value) in first {
            self.set_acc(acc, value);
        }
        self.without_notes(|pass| pass.run(run, to_note.0));
        self.body.code.jump(done);
        self.body.code.b.position_at_end(done);
    }
}

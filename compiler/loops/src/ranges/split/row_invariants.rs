//! Rows at the edges of an index space: values that all steps of a row share are computed before the row.
//!
//! The steps of a loop outside of its ranges test the loop's counter. A row in such a step need not test it in each
//! element. So the choices of a row move before it, and the row gets ranges of its own. A branch that the row takes or
//! does not take as a whole often reads elements that are there only if it is taken. It reads the first row
//! otherwise, so the ranges of the row can demand that the elements are there.
//!
//! Invariant: a step moves before a pass only if it cannot fail, since the pass may have no steps. A remainder cannot
//! fail if the divisor is certainly positive, as the length of a loop around it is.
//!
//! ```text
//! loopI j (m) body { x = (\j -> { k = if c then { yield (i) } else { yield (h) }; x = a[k, j]; … }) j }
//! ⇒ k = if c then { yield (i) } else { yield (h) }; loopI j (m) body { x = (\j -> { x = a[k, j]; … }) j }
//! loopI j (m) body { x = (\j -> { x = if c then { x = a[k, j]; yield (x) } else … }) j }
//! ⇒ row = if c then { yield (k) } else { yield (0) }; loopI j (m) body { x = (\j -> { x = if c then { x = a[row, j]; yield (x) } else … }) j }
//! ```

use indexmap::{IndexMap, IndexSet};

use super::bounds::Bounds;
use crate::concrete::def_use;
use crate::concrete::{
    Block, Length, Loop, Mapper, PeeledIterations, Plain, Procedure, Step, Stmt, Worker,
};
use crate::ranges::facts::{IntegerFacts, Premises};
use crate::ranges::sums::Sum;
use arrc_fusion::cnf::{Atom, Operation, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};

/// A row of an edge is not copied if its copy has more steps. `scripts/bench wrap_3_f64` copies such rows: that took
/// 1.59 of the time of C for 32 by 32 by 32 elements, before 3.04 (least times on a loaded machine). The limit was not
/// measured by itself.
pub(super) const MAX_STEPS: usize = 240;

/// The size limit of all unrolled iterations of a row together, in steps of blocks. It bounds the size of the code. No
/// benchmark shows it alone.
const MAX_EDGES: usize = 480;
/// The limit of the number of unrolled iterations of a row. `scripts/bench wrap_3_f64` has four: 0.69 of the time of C
/// at 20,000 steps, and 0.90 without unrolled ones (AVX-512, least times on a quiet machine). More were not measured.
const MOST_EDGES: i64 = 8;

/// The numbers of iterations of a row before and behind its range, if these iterations are unrolled. `steps` is the
/// size of the loop body. In an unrolled iteration the counter is known, so its conditions are constants. A row is
/// short and runs many times, so its first and last iterations take a large part of the time.
pub(super) fn peeled_iterations(
    (bounds, length): (&Bounds, Atom),
    steps: usize,
    facts: &IntegerFacts,
) -> Option<PeeledIterations> {
    let edges = bounds.peeled_iterations(length, MOST_EDGES, facts)?;
    let number = usize::from(edges.before) + usize::from(edges.behind);
    (number * steps <= MAX_EDGES).then_some(edges)
}

/// Whether the steps of a loop contain no other loop.
pub(super) fn is_row(nest: &Loop<Plain>) -> bool {
    fn is_straight(block: &Block<Plain>) -> bool {
        block.steps.iter().all(|step| {
            let is_loop = matches!(step, Step::Loop { .. } | Step::Pass(_));
            !is_loop && step.branches().into_iter().flatten().all(is_straight)
        })
    }
    nest.inner.is_empty()
        && nest.body.iter().all(|stmt| match stmt {
            Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } => is_straight(&worker.body),
            Stmt::Next { .. }
            | Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Read { .. }
            | Stmt::Current { .. }
            | Stmt::Reserve { .. }
            | Stmt::Write { .. } => true,
        })
}

/// The facts and the variables at a loop.
#[derive(Clone, Copy)]
pub(super) struct LoopScope<'a> {
    pub(super) facts: &'a IntegerFacts,
    /// The variables that are bound before the loop.
    pub(super) scope: &'a IndexSet<VarId>,
}

/// Moves values that all steps of an inner loop share to the place before it. Adds the rows that branches read to
/// `rows`.
pub(super) fn hoist_row_invariants(
    nest: Loop<Plain>,
    around: LoopScope<'_>,
    rows: &mut IndexSet<VarId>,
    vars: &mut PrimaryMap<VarId, Var>,
) -> Loop<Plain> {
    let (scope, computed, lengths) = (around.scope.clone(), IndexSet::new(), IndexSet::new());
    let positive = IndexSet::new();
    RowHoisting { vars, facts: around.facts, scope, computed, positive, lengths, rows }
        .counted_loop(nest)
}

struct RowHoisting<'a> {
    vars: &'a mut PrimaryMap<VarId, Var>,
    facts: &'a IntegerFacts,
    /// The variables that are bound at the current place.
    scope: IndexSet<VarId>,
    /// Those that steps of blocks bind.
    computed: IndexSet<VarId>,
    /// Those that are not less than a positive constant.
    positive: IndexSet<VarId>,
    /// The lengths of the loops around the current place, which have steps.
    lengths: IndexSet<VarId>,
    /// The rows that branches read.
    rows: &'a mut IndexSet<VarId>,
}

impl Mapper for RowHoisting<'_> {
    type From = Plain;
    type To = Plain;

    fn block(&mut self, block: Block<Plain>) -> Block<Plain> {
        let mut steps = Vec::new();
        let around = self.scope.len();
        for step in block.steps {
            let mut step = self.step(step);
            let before = if let Step::Pass(pass) = &mut step {
                self.hoist_from_pass(pass)
            } else {
                Vec::new()
            };
            for step in before.into_iter().chain([step]) {
                self.note_positive(&step);
                let defined = def_use::defines(&step);
                self.scope.extend(&defined);
                self.computed.extend(defined);
                steps.push(step);
            }
        }
        self.scope.truncate(around);
        Block { steps, results: block.results }
    }

    fn worker(&mut self, worker: Worker<Plain>) -> Worker<Plain> {
        let around = self.scope.len();
        self.scope.extend(&worker.params);
        let body = self.block(worker.body);
        self.scope.truncate(around);
        Worker { params: worker.params, body }
    }

    fn counted_loop(&mut self, nest: Loop<Plain>) -> Loop<Plain> {
        let around = self.lengths.len();
        if let Length::Value(Atom::Var(length)) = nest.length {
            self.lengths.insert(length);
        }
        let nest = self.same_loop(nest);
        self.lengths.truncate(around);
        nest
    }
}

impl RowHoisting<'_> {
    /// Takes steps out of a pass.
    fn hoist_from_pass(&mut self, pass: &mut Procedure<Plain>) -> Vec<Step<Plain>> {
        let (bound, chosen) = (IndexSet::new(), IndexMap::new());
        let mut taking = HoistFromPass { rows: self, taken: Vec::new(), bound, chosen };
        for stmt in &mut pass.nest.body {
            if let Stmt::Apply { worker, .. } = stmt {
                taking.block(&mut worker.body, &mut Vec::new());
            }
        }
        taking.taken
    }

    /// Whether a step cannot fail, and does nothing but bind scalars.
    fn is_safe(&self, step: &Step<Plain>) -> bool {
        match (step.branches(), step) {
            (Some(branches), _) => {
                branches.into_iter().flat_map(|branch| &branch.steps).all(|step| self.is_safe(step))
            }
            // Only a division by zero and a negative power fail.
            (None, Step::Scalar { op: Operation::Bin(_, [_, Atom::Var(by)]), .. })
                if self.is_positive(*by) =>
            {
                true
            }
            (None, step) => step.is_pure(self.vars),
        }
    }

    /// The larger one of a number and a positive constant is positive.
    fn note_positive(&mut self, step: &Step<Plain>) {
        if let Step::Scalar { var, op: Operation::Bin(BinOp::Max, args), .. } = step
            && self.vars[*var].ty.as_scalar() == Some(Scalar::I64)
            && args.iter().any(|arg| matches!(arg, Atom::Const(least) if least.as_i128() > 0))
        {
            self.positive.insert(*var);
        }
    }

    fn is_positive(&self, number: VarId) -> bool {
        self.vars[number].ty.as_scalar() == Some(Scalar::I64)
            && (self.lengths.contains(&number)
                || self.positive.contains(&number)
                || Premises::new(self.facts).is_natural(&Sum::symbol(number).shifted(-1)))
    }
}

/// The outcome of a condition.
type BranchOutcome = (VarId, bool);

/// A pass whose steps are taken out.
struct HoistFromPass<'t, 'a> {
    rows: &'t mut RowHoisting<'a>,
    /// The steps before the pass.
    taken: Vec<Step<Plain>>,
    /// The variables that they bind.
    bound: IndexSet<VarId>,
    /// The indices of the elements that a branch reads, where it is taken.
    chosen: IndexMap<(BranchOutcome, VarId), VarId>,
}

impl HoistFromPass<'_, '_> {
    /// Takes steps out of a block that runs where these conditions have these outcomes.
    fn block(&mut self, block: &mut Block<Plain>, guards: &mut Vec<BranchOutcome>) {
        for mut step in std::mem::take(&mut block.steps) {
            if self.is_same(&step) && self.rows.is_safe(&step) {
                self.take(step);
                continue;
            }
            if let Step::If { cond, then, otherwise, .. } = &mut step {
                self.branch((*cond, true), then, guards);
                self.branch((*cond, false), otherwise, guards);
            } else if let Step::Index { indices, inside: false, .. } = &mut step {
                self.indices(indices, guards);
            }
            block.steps.push(step);
        }
    }

    fn branch(
        &mut self,
        (cond, holds): (Atom, bool),
        block: &mut Block<Plain>,
        guards: &mut Vec<BranchOutcome>,
    ) {
        let Atom::Var(cond) = cond else { return };
        guards.push((cond, holds));
        self.block(block, guards);
        guards.pop();
    }

    /// Replaces the indices of an element that is there only under these conditions.
    fn indices(&mut self, indices: &mut [Atom], guards: &[BranchOutcome]) {
        for index in indices {
            if let Atom::Var(var) = index
                && (self.bound.contains(var) || self.rows.computed.contains(var))
                && self.is_bound(*var)
            {
                *index = Atom::Var(self.row(*var, guards));
            }
        }
    }

    /// The index where these conditions hold that are known before the pass, and 0 elsewhere.
    fn row(&mut self, index: VarId, guards: &[BranchOutcome]) -> VarId {
        let known = guards.iter().rev().filter(|(cond, _)| self.is_bound(*cond));
        let known = known.copied().collect::<Vec<_>>();
        let row = known.iter().fold(index, |index, &guard| self.chosen_index(index, guard));
        if !known.is_empty() {
            self.rows.rows.insert(row);
        }
        row
    }

    fn chosen_index(&mut self, index: VarId, guard: BranchOutcome) -> VarId {
        if let Some(&chosen) = self.chosen.get(&(guard, index)) {
            return chosen;
        }
        let ty = self.rows.vars[index].ty.clone();
        let row = self.rows.vars.push(Var { name: Name::new("row"), ty });
        let (cond, holds) = guard;
        let [taken, other] = [Atom::Var(index), Atom::Const(Const::i64(0))].map(yields);
        let (then, otherwise) = if holds { (taken, other) } else { (other, taken) };
        let cond = Atom::Var(cond);
        self.take(Step::If { vars: vec![row], cond, takes: Vec::new(), then, otherwise });
        self.chosen.insert((guard, index), row);
        row
    }

    fn take(&mut self, step: Step<Plain>) {
        self.rows.note_positive(&step);
        self.bound.extend(def_use::defines(&step));
        self.taken.push(step);
    }

    fn is_bound(&self, var: VarId) -> bool {
        self.bound.contains(&var) || self.rows.scope.contains(&var)
    }

    /// Whether a step computes scalars that are the same in all steps of the pass.
    fn is_same(&self, step: &Step<Plain>) -> bool {
        let mut inside = IndexSet::new();
        let is_scalar = |var: &VarId| self.rows.vars[*var].ty.as_scalar().is_some();
        computes(step, &mut inside)
            && def_use::defines(step).iter().all(is_scalar)
            && def_use::uses(step).iter().all(|var| inside.contains(var) || self.is_bound(*var))
    }
}

/// Whether a step computes scalars from scalars. Adds the variables that it binds in branches.
fn computes(step: &Step<Plain>, inside: &mut IndexSet<VarId>) -> bool {
    match step.branches() {
        Some(branches) => branches.into_iter().flat_map(|branch| &branch.steps).all(|step| {
            inside.extend(def_use::defines(step));
            computes(step, inside)
        }),
        None => matches!(step, Step::Scalar { .. }),
    }
}

fn yields(result: Atom) -> Block<Plain> {
    Block { steps: Vec::new(), results: vec![result] }
}

//! Removes silent stores: empties the ranges of a pass that would only store the elements that are there already. Such
//! a pass writes its result in the place of an array.
//!
//! A with-loop that changes a box of an array keeps the elements outside the box. If its result takes the place of the
//! array, the steps of these elements have nothing to do.
//!
//! Invariant: a range is emptied only if each of its steps stores the elements of the array at its own positions,
//! cannot fail, and does nothing else.
//!
//! ```text
//! range from 0 to p body { i = index k; x = (\i -> { y = inside xs[i]; yield (y) }) i; writeVecI k ys x }   ys over xs
//! ⇒ range from 0 to p
//! ```

use indexmap::IndexSet;

use crate::concrete::{
    Block, End, Loop, Nest, Position, Procedure, Start, Step, Stmt, Variant, WrittenCount,
};
use crate::memory::reuse::loop_level::LoopLevel;
use arrc_fusion::cnf::{Atom, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};

/// Finds the silent stores of a vector that takes the place of an array.
#[derive(Clone, Copy)]
pub(super) struct SilentStores<'a> {
    pub(super) array: VarId,
    pub(super) vars: &'a PrimaryMap<VarId, Var>,
}

impl SilentStores<'_> {
    /// Empties the ranges of a loop that only store the elements that are there. The loop writes the vector `vec`,
    /// inside the loops with the counters `around`.
    pub(super) fn empty_ranges(self, nest: &mut Loop, vec: VarId, around: &[IndexSet<VarId>]) {
        let level = LoopLevel::of(&nest.body, (vec, nest.counter), around);
        self.empty_inside(&mut nest.body, &level);
        for variant in nest.ranges.iter_mut().flat_map(|range| &mut range.variants) {
            let level = LoopLevel::of(&variant.body, (vec, nest.counter), around);
            if self.is_kept(&variant.body, &variant.inner, &level) {
                *variant = Variant { body: Vec::new(), inner: Vec::new(), release: Vec::new() };
            } else {
                self.empty_inside(&mut variant.body, &level);
            }
        }
    }

    /// Empties such ranges in the passes that make rows of the vector.
    fn empty_inside(self, body: &mut [Stmt], level: &LoopLevel) {
        for stmt in body {
            let Stmt::Apply { worker, args, .. } = stmt else { continue };
            let level = level.within(worker, args);
            for step in &mut worker.body.steps {
                if let Step::Pass(pass) = step
                    && let Some(row) = level.row(pass)
                {
                    self.empty_ranges(&mut pass.nest, row, &level.positions);
                }
            }
        }
    }

    /// Whether a step only stores the elements that are there already.
    fn is_kept(self, body: &[Stmt], inner: &[Nest], level: &LoopLevel) -> bool {
        let mut own = IndexSet::new();
        inner.is_empty() && body.iter().all(|stmt| self.stmt(stmt, level, &mut own))
    }

    /// Whether a step with this statement still only stores the elements that are there. `own` has the variables that
    /// hold the array's elements or rows at the positions of the step.
    fn stmt(self, stmt: &Stmt, level: &LoopLevel, own: &mut IndexSet<VarId>) -> bool {
        match stmt {
            Stmt::Position { .. } => true,
            Stmt::Next { elem, array, index } => {
                let is_own = *array == self.array && *index == Position::Var(level.counter);
                if is_own && level.positions.len() == 1 {
                    own.insert(*elem);
                }
                true
            }
            Stmt::Apply { elems, worker, args } => {
                let mut inside = own.clone();
                let params = worker.params.iter().zip(args);
                inside.extend(params.filter(|(_, arg)| is_in(own, arg)).map(|(&param, _)| param));
                let does_nothing =
                    self.block(&worker.body, &level.within(worker, args), &mut inside);
                let results = elems.iter().zip(&worker.body.results);
                own.extend(
                    results.filter(|(_, result)| is_in(&inside, result)).map(|(&elem, _)| elem),
                );
                does_nothing
            }
            Stmt::Write { vec, index, elem, placed: _ } => {
                *vec == level.vec && *index == Position::Var(level.counter) && is_in(own, elem)
            }
            Stmt::Copy { .. }
            | Stmt::Read { .. }
            | Stmt::Reserve { .. }
            | Stmt::Update { .. }
            | Stmt::Current { .. } => false,
        }
    }

    fn block(self, block: &Block, level: &LoopLevel, own: &mut IndexSet<VarId>) -> bool {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others only compute numbers")]
        block.steps.iter().all(|step| match step {
            Step::Index { var, array, indices, inside: true, .. } => {
                if *array == self.array && level.is_at(indices) {
                    own.insert(*var);
                }
                true
            }
            Step::Pass(pass) => match level.row(pass) {
                Some(row) if self.is_kept_row(pass, row, level) => {
                    own.extend(&pass.yields);
                    true
                }
                Some(_) | None => false,
            },
            step => step.branches().is_none() && step.is_total(self.vars),
        })
    }

    /// Whether a pass only makes a row, and the row has the elements that are there already.
    fn is_kept_row(self, pass: &Procedure, row: VarId, level: &LoopLevel) -> bool {
        let makes_one = pass.start.iter().all(|start| match start {
            Start::NewVec { vec, .. } => *vec == row,
            // It was checked that no step fails.
            Start::CheckSize { .. } => true,
            Start::NewAcc { .. } => false,
        });
        let is_whole = matches!(pass.end[..], [End::Slice { length: WrittenCount::All, .. }]);
        let mut variants = pass.nest.variants();
        makes_one
            && is_whole
            && variants.all(|(body, inner)| {
                let level = LoopLevel::of(body, (row, pass.nest.counter), &level.positions);
                self.is_kept(body, inner, &level)
            })
    }
}

fn is_in(own: &IndexSet<VarId>, atom: &Atom) -> bool {
    atom.as_var().is_some_and(|var| own.contains(&var))
}

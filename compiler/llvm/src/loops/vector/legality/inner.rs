//! Whether a loop in a step can run for several steps at once: see [`crate::loops::vector::inner_loops`].
//!
//! Invariant: every value that such a loop carries is a scalar. The loop reads either the same element in all lanes, or
//! consecutive elements in consecutive lanes.
//!
//! ```text
//! r = loop 1.0 for 20 do (\r i -> 0.5 * (r + x / r))        ⇒   r: one value a lane, i: the same in all lanes
//! k = loop (x, 0) while (\y k -> y > 1) do …                ⇒   a lane is masked when its condition no longer holds
//! ```

use arrc_fusion::cnf::{Atom, FoldOrder};
use arrc_loops::concrete::{
    End, Length, LoopForm, Position, Procedure, Start, Stmt, Worker, WrittenCount,
};
use arrc_syntax::ids::{AccId, VarId};
use arrc_syntax::prim::{BinOp, Cost, Scalar};

use super::super::divide::{divides_lanes, is_wide_divisor};
use super::super::inner_bodies::{inner_body, inner_range};
use super::super::plan::{InnerLoopCosts, StepArray};
use super::LegalityChecker;
use super::consecutive::runs_along;
use crate::note::Obstacle;

impl<'p> LegalityChecker<'p> {
    /// `vars = loop init …`.
    pub(super) fn repeat(
        &mut self,
        vars: &[VarId],
        form: &'p LoopForm,
        init: &[Atom],
        worker: &'p Worker,
    ) -> Result<(), Obstacle> {
        self.begin_inner()?;
        self.same_arrays(&worker.params, init);
        if let LoopForm::While { cond } = form {
            self.same_arrays(&cond.params, init);
        }
        let mut differs: Vec<bool> = init.iter().map(|&init| self.varies(init)).collect();
        let InnerLoopCosts { operations, values, stores, .. } = self.facts.inner_loops;
        loop {
            self.facts.inner_loops =
                InnerLoopCosts { operations, values, stores, ..self.facts.inner_loops };
            let next = self.check_iteration(form, &differs, worker)?;
            if next == differs {
                break;
            }
            differs = next;
        }
        self.keeps_arrays(&worker.params[..init.len()], &worker.body.results)?;
        self.same_arrays(vars, init);
        for (&param, &differs) in worker.params.iter().zip(&differs) {
            // A loop around this one may be checked again, with a carried value that differs after all.
            if differs {
                self.facts.uniform.remove(&param);
            } else {
                self.facts.uniform.insert(param);
            }
        }
        self.inner -= 1;
        vars.iter().zip(differs).try_for_each(|(&var, differs)| self.define(var, differs))
    }

    /// Checks one step of the loop. `differs` says which carried values differ between lanes before the step; the
    /// result says which of them differ after it.
    fn check_iteration(
        &mut self,
        form: &'p LoopForm,
        differs: &[bool],
        worker: &'p Worker,
    ) -> Result<Vec<bool>, Obstacle> {
        let (params, counter) = worker.params.split_at(differs.len());
        let masks = match form {
            LoopForm::For { count } => {
                counter.iter().try_for_each(|&counter| self.define(counter, false))?;
                self.varies(*count)
            }
            LoopForm::While { cond } => {
                self.carry(&cond.params, differs)?;
                self.block(&cond.body)?;
                // In a branch, possibly no lane takes part.
                self.masked > 0 || cond.body.results.iter().any(|&flag| self.varies(flag))
            }
        };
        self.carry(params, differs)?;
        let carried = differs.iter().filter(|differs| **differs).count();
        self.note_carried_values(carried, masks);
        let ends_by_lane = masks && matches!(form, LoopForm::While { .. });
        self.masked += u32::from(masks);
        let searches =
            ends_by_lane && worker.body.steps.iter().any(|step| step.branches().is_some());
        self.ends_by_lane += u32::from(ends_by_lane);
        self.searches += u32::from(searches);
        self.block(&worker.body)?;
        self.searches -= u32::from(searches);
        self.ends_by_lane -= u32::from(ends_by_lane);
        self.masked -= u32::from(masks);
        let results = worker.body.results.iter().zip(differs);
        Ok(results.map(|(&next, &differs)| differs || masks || self.varies(next)).collect())
    }

    fn carry(&mut self, params: &[VarId], differs: &[bool]) -> Result<(), Obstacle> {
        for (&param, &differs) in params.iter().zip(differs) {
            self.moves(param, None);
            self.define(param, differs)?;
        }
        Ok(())
    }

    /// A pass in a step that makes nothing but folds, in the order of its steps in each lane.
    pub(super) fn folds(&mut self, pass: &'p Procedure) -> Result<(), Obstacle> {
        self.begin_inner()?;
        let body = inner_body(&pass.nest).ok_or(Obstacle::InnerLoop)?;
        let mut arrays = Vec::new();
        for start in &pass.start {
            self.facts.may_fail |= matches!(start, Start::CheckSize { .. });
            self.new_vec(start)?;
            if let Start::NewAcc { acc, init } = start
                && pass.accs[*acc].ty.is_array()
            {
                match self.held(*init) {
                    Some(held @ StepArray::Local(_)) => arrays.push((*acc, held)),
                    Some(StepArray::Row(_) | StepArray::Part(_)) | None => {
                        return Err(Obstacle::Rows);
                    }
                }
            }
        }
        // A range that is not the whole loop in some lane leaves all of them to the scalar loop.
        self.facts.may_fail |= inner_range(&pass.nest).is_some();
        let masks = match &pass.nest.length {
            Length::Array(array) => {
                // Local arrays are as long in each lane.
                !self.facts.arrays.contains_key(array) && self.inside.contains(array)
            }
            Length::Value(length) => self.varies(*length),
            Length::Product(..) => return Err(Obstacle::InnerLoop),
        };
        if masks && runs_along(&pass.nest, body) {
            return Err(Obstacle::Along);
        }
        self.define(pass.nest.counter, false)?;
        self.note_carried_values(pass.accs.len(), masks);
        self.masked += u32::from(masks);
        self.reads_row = false;
        body.iter().try_for_each(|stmt| self.fold_stmt(stmt, pass.nest.counter, &arrays))?;
        self.masked -= u32::from(masks);
        self.inner -= 1;
        let ordered = |stmt: &Stmt| matches!(stmt, Stmt::Update { order: FoldOrder::Strict, .. });
        if self.reads_row && !self.in_rows && !pass.accs.is_empty() && !body.iter().any(ordered) {
            // LLVM's loop along the row is better, since its elements are consecutive.
            return Err(Obstacle::Rows);
        }
        for end in &pass.end {
            match end {
                End::Read { result, acc } => {
                    let held = arrays.iter().find(|(of, _)| of == acc);
                    self.facts.arrays.extend(held.map(|(_, held)| (*result, *held)));
                    self.define(*result, true)?;
                }
                End::Slice { length: WrittenCount::All, .. } => {}
                End::Slice { .. } => return Err(Obstacle::Control),
            }
        }
        Ok(())
    }

    /// A statement of an inner fold.
    fn fold_stmt(
        &mut self,
        stmt: &'p Stmt,
        counter: VarId,
        arrays: &[(AccId, StepArray)],
    ) -> Result<(), Obstacle> {
        let here = |index: &Position| *index == Position::Var(counter);
        match stmt {
            Stmt::Next { elem, index, array } if here(index) && self.is_array(*elem) => {
                self.part_of(*elem, *array, &[Atom::Var(counter)])
            }
            Stmt::Next { elem, index, array }
                if here(index) && self.held(Atom::Var(*array)).is_some() =>
            {
                self.next_held(*elem, *array, counter)
            }
            Stmt::Next { elem, index, array } if here(index) => {
                self.dimensions(*array, 1)?;
                self.define(*elem, false)
            }
            Stmt::Position { elem, index } if here(index) => self.define(*elem, false),
            Stmt::Next { .. } | Stmt::Position { .. } => Err(Obstacle::Position),
            Stmt::Copy { elem, from } => {
                self.moves(*elem, self.moving(*from));
                self.define(*elem, self.varies(*from))
            }
            Stmt::Apply { elems, worker, args } => {
                self.worker(worker, args)?;
                for (&elem, &result) in elems.iter().zip(&worker.body.results) {
                    self.moves(elem, self.moving(result));
                    self.define(elem, self.varies(result))?;
                }
                Ok(())
            }
            Stmt::Read { elem, array, index, .. } => self.read(*elem, *array, *index),
            Stmt::Update { accs, worker, args, .. } => {
                let held =
                    |acc: &AccId| arrays.iter().find(|(of, _)| of == acc).map(|(_, held)| *held);
                for (&param, acc) in worker.params.iter().zip(accs) {
                    self.facts.arrays.extend(held(acc).map(|held| (param, held)));
                    self.define(param, true)?;
                }
                self.params(&worker.params[accs.len()..], args)?;
                self.block(&worker.body)?;
                self.keeps_arrays(&worker.params[..accs.len()], &worker.body.results)
            }
            Stmt::Current { acc, .. } if arrays.iter().any(|(of, _)| of == acc) => {
                Err(Obstacle::Rows)
            }
            Stmt::Current { elem, .. } => self.define(*elem, true),
            Stmt::Write { vec, index, elem, .. } => {
                let is_local = matches!(self.held(Atom::Var(*vec)), Some(StepArray::Local(_)));
                if !is_local || !here(index) || self.scalar_type(*elem).is_none() {
                    return Err(Obstacle::Control);
                }
                Ok(())
            }
            Stmt::Reserve { .. } => Err(Obstacle::Control),
        }
    }

    /// Checks that an operation on lanes takes a few instructions. Otherwise it is faster to run the loop of each step
    /// by itself.
    pub(super) fn in_inner_loop(&self, op: BinOp, ty: Scalar, right: Atom) -> Result<(), Obstacle> {
        if !matches!(ty, Scalar::I64 | Scalar::U64) {
            return Ok(());
        }
        // A quotient by a power of two is a shift.
        let halves = matches!(right, Atom::Const(by) if by.as_i128() > 0 && !is_wide_divisor(by));
        if op == BinOp::Div && halves && self.isa.shifts_wide_by_constants() {
            return Ok(());
        }
        let multiplies = matches!(op, BinOp::Mul | BinOp::Shr);
        let compares =
            matches!(op, BinOp::Min | BinOp::Max | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge);
        // A remainder is a product, too.
        let divides = op.traps(ty) && divides_lanes(self.isa) && self.isa.multiplies_wide();
        let is_quick = (!multiplies || self.isa.multiplies_wide())
            && (!compares || self.isa.compares_indices())
            && (op.cost(ty) == Cost::Quick || divides);
        if is_quick { Ok(()) } else { Err(Obstacle::Wide) }
    }

    /// Notes the number of values that a loop carries, and whether lanes leave the loop at different iterations.
    fn note_carried_values(&mut self, carried: usize, masks: bool) {
        let inner_loops = &mut self.facts.inner_loops;
        inner_loops.carried = inner_loops.carried.max(u32::try_from(carried).unwrap_or(u32::MAX));
        inner_loops.diverges |= masks;
    }

    /// Goes into a loop of a step.
    fn begin_inner(&mut self) -> Result<(), Obstacle> {
        if self.inner_counter.is_some() {
            return Err(Obstacle::InnerLoop);
        }
        self.inner += 1;
        self.has_loop = true;
        self.facts.loops = true;
        Ok(())
    }
}

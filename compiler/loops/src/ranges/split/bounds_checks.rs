//! Indices that need no check, because the conditions around them imply that they are in bounds, or because a loop only
//! counts them up or down.
//!
//! Nothing is concluded from an assertion, or from the check of an index before. Lanes of a vector run to the end of
//! the step also where an index is out of bounds, or where an assertion in a branch of some lanes fails. Tasks begin
//! before those in front of them have failed.
//!
//! Invariant: an index is marked `inside`, or its check is left out, only if it is in bounds wherever the step runs.
//!
//! ```text
//! loop i = 0 for k < n do if i < length a && a[i] > x then i + 1 else i   ⇒   inside a[i]
//! ```

use arr_abi::ErrorCode;

use super::LoopSplitter;
use crate::concrete::{
    Block, Loop, LoopForm, Mapper, Nest, Plain, Ranged, ReplacedPart, Step, Stmt, Worker,
};
use crate::ranges::facts::ResultBounds;
use arrc_fusion::cnf::{Assertion, Atom};
use arrc_syntax::ids::VarId;

impl LoopSplitter<'_> {
    /// A step whose indices are marked where that is certain.
    pub(super) fn mark_inside(&mut self, step: Step<Plain>) -> Step<Ranged> {
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the others have neither indices nor conditions"
        )]
        match step {
            Step::If { vars, cond, takes, then, otherwise } => {
                let (then, yes) = self.branch(cond, true, then);
                let (otherwise, no) = self.branch(cond, false, otherwise);
                self.facts.choices(&vars, [yes, no]);
                Step::If { vars, cond, takes, then, otherwise }
            }
            Step::Loop { vars, form, init, worker, span } => {
                let (form, worker) = self.repeated(form, &init, worker);
                Step::Loop { vars, form, init, worker, span }
            }
            Step::Index { var, array, indices, inside, span } => {
                let inside = inside || self.is_inside(array, &indices);
                Step::Index { var, array, indices, inside, span }
            }
            Step::Row { var, array, indices, inside, span } => {
                let inside = inside || self.is_inside(array, &indices);
                Step::Row { var, array, indices, inside, span }
            }
            Step::Replace { var, array, indices, target, value, placed, span } => {
                let is_inside = target == ReplacedPart::Checked && self.is_inside(array, &indices);
                let target = if is_inside { ReplacedPart::Inside } else { target };
                Step::Replace { var, array, indices, target, value, placed, span }
            }
            step => self.same_step(step),
        }
    }

    /// Whether a step is the check of an index or a slice that is certainly in bounds.
    pub(super) fn checks_nothing(&mut self, step: &Step<Ranged>) -> bool {
        let Step::Assert { check: Assertion { cond, failure }, .. } = step else { return false };
        matches!(failure.code, ErrorCode::Index | ErrorCode::Slice) && self.facts.holds(*cond)
    }

    /// A loop in whose own statements indices are marked before it gets ranges.
    pub(super) fn proven_steps(&mut self, mut nest: Loop<Plain>) -> Loop<Plain> {
        let (mark, lengths) = (self.facts.mark(), self.facts.lengths());
        self.facts.enter_step(nest.counter, &nest.length, self.vars, self.sizes);
        self.prove_statements(&mut nest.body, &mut nest.inner);
        self.facts.forget_lengths(lengths);
        self.facts.forget(mark);
        nest
    }

    fn prove_statements(&mut self, body: &mut [Stmt<Plain>], inner: &mut [Nest<Plain>]) {
        for stmt in body {
            self.facts.note_stmt(stmt);
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.prove_steps(&mut worker.body);
            }
            self.facts.note_results(stmt);
        }
        for nest in inner {
            if let Nest::Guard(guard) = nest {
                let mark = self.facts.mark();
                self.prove_statements(&mut guard.body, &mut guard.inner);
                self.facts.forget(mark);
            }
        }
    }

    fn prove_steps(&mut self, block: &mut Block<Plain>) {
        for step in &mut block.steps {
            #[allow(clippy::wildcard_enum_match_arm, reason = "the others have no indices")]
            match step {
                Step::Index { array, indices, inside, .. }
                | Step::Row { array, indices, inside, .. } => {
                    *inside = *inside || self.is_inside(*array, indices);
                }
                Step::If { vars, cond, then, otherwise, .. } => {
                    let yes = self.prove_branch(*cond, true, then);
                    let no = self.prove_branch(*cond, false, otherwise);
                    self.facts.choices(vars, [yes, no]);
                }
                _ => {}
            }
            self.facts.note(step, self.vars, self.sizes);
        }
    }

    fn is_inside(&mut self, array: VarId, indices: &[Atom]) -> bool {
        self.facts.is_inside(&self.vars[array].ty, indices, self.sizes)
    }

    fn branch(
        &mut self,
        cond: Atom,
        holds: bool,
        block: Block<Plain>,
    ) -> (Block<Ranged>, Vec<ResultBounds>) {
        self.assuming(cond, holds, |split| {
            let block = split.block(block);
            let reaches = split.facts.result_bounds(&block.results, split.vars);
            (block, reaches)
        })
    }

    fn prove_branch(
        &mut self,
        cond: Atom,
        holds: bool,
        block: &mut Block<Plain>,
    ) -> Vec<ResultBounds> {
        self.assuming(cond, holds, |split| {
            split.prove_steps(block);
            split.facts.result_bounds(&block.results, split.vars)
        })
    }

    /// Does something where a condition holds, or where it does not hold. What becomes known there, as that a number by
    /// which a branch divides is not 0, does not hold elsewhere.
    fn assuming<T>(&mut self, cond: Atom, holds: bool, work: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.facts.mark();
        self.facts.assume(cond, holds);
        let result = work(self);
        self.facts.forget(mark);
        result
    }

    fn repeated(
        &mut self,
        form: LoopForm<Plain>,
        init: &[Atom],
        worker: Worker<Plain>,
    ) -> (LoopForm<Ranged>, Worker<Ranged>) {
        let mark = self.facts.mark();
        self.facts.enter(&form, init, &worker, self.vars);
        let form = match form {
            LoopForm::For { count } => LoopForm::For { count },
            LoopForm::While { cond } => {
                let cond = self.worker(cond);
                self.facts.assume(cond.body.results[0], true);
                LoopForm::While { cond }
            }
        };
        let worker = self.worker(worker);
        self.facts.forget(mark);
        (form, worker)
    }
}

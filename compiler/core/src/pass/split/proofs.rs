//! Indices that need no check, because the conditions around them imply that they are in bounds, or because a loop only
//! counts them up or down.
//!
//! Nothing is concluded from an assertion, or from the check of an index before: vectors run all steps of a pass to their end
//! before one of them fails, and tasks begin before those in front of them have failed.
//!
//! Invariant: an index is marked `inside`, or its check is left out, only if it is in bounds wherever the step runs.
//!
//! ```text
//! loop i = 0 for k < n do if i < length a && a[i] > x then i + 1 else i   ⇒   inside a[i]
//! ```

use arr_abi::ErrorCode;

use super::Split;
use crate::ids::VarId;
use crate::ir::cnf::Atom;
use crate::ir::procedure::concrete::{
    Block, LoopForm, Mapper, Plain, Ranged, Step, Target, Worker,
};

impl Split<'_> {
    /// A step whose indices are marked where that is certain.
    pub(super) fn proven(&mut self, step: Step<Plain>) -> Step<Ranged> {
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the others have neither indices nor conditions"
        )]
        match step {
            Step::If { vars, cond, takes, then, otherwise } => {
                let then = self.branch(cond, true, then);
                let otherwise = self.branch(cond, false, otherwise);
                Step::If { vars, cond, takes, then, otherwise }
            }
            Step::Loop { vars, form, init, worker } => {
                let (form, worker) = self.repeated(form, &init, worker);
                Step::Loop { vars, form, init, worker }
            }
            Step::Index { var, array, indices, inside, span } => {
                let inside = inside || self.is_inside(array, &indices);
                Step::Index { var, array, indices, inside, span }
            }
            Step::Replace { var, array, indices, target, value, placed, span } => {
                let is_inside = target == Target::Checked && self.is_inside(array, &indices);
                let target = if is_inside { Target::Inside } else { target };
                Step::Replace { var, array, indices, target, value, placed, span }
            }
            step => self.same_step(step),
        }
    }

    /// Whether a step is the check of an index that is certainly in bounds.
    pub(super) fn checks_nothing(&mut self, step: &Step<Ranged>) -> bool {
        matches!(step, Step::Assert { cond, fault: ErrorCode::Index, .. } if self.facts.holds(*cond))
    }

    fn is_inside(&mut self, array: VarId, indices: &[Atom]) -> bool {
        self.facts.is_inside(&self.vars[array].ty, indices, self.sizes)
    }

    fn branch(&mut self, cond: Atom, holds: bool, block: Block<Plain>) -> Block<Ranged> {
        let around = self.facts.conditions();
        self.facts.assume(cond, holds);
        let block = self.block(block);
        self.facts.set_conditions(around);
        block
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

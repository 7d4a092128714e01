//! Reads in branches that run before the branch (speculation).
//!
//! A branch that reads an element is a jump, since the read could be out of bounds in a step that does not take the
//! branch. In a range where the element is there in all steps, the read can run in each of them. A short branch then
//! becomes a choice between two values, without a jump that the processor has to predict.
//!
//! Invariant: a read runs early only if each step of the loop already reads some element of the same array, or if the
//! branch is taken by a whole row (`rows`). So the loop reads no more memory, or a row of the array that is read
//! anyway.
//!
//! ```text
//! x = nextI i xs; y = if c then { k = i - 1; z = inside xs[k]; yield (z) } else { yield (x) }      where 1 <= i < length xs
//! ⇒ x = nextI i xs; k = i - 1; z = inside xs[k]; y = if c then { yield (z) } else { yield (x) }
//! ```

use indexmap::IndexSet;

use super::version_state::Version;
use crate::concrete::{Block, Plain, Step, def_use};
use arrc_fusion::cnf::{Atom, Operation, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::{BinOp, Const, Cost};

/// The most operations of a condition that is computed without a jump. `scripts/bench words_u8` has such a condition:
/// words of two million bytes are counted in 0.63 ms, before 3.7 (least times, AVX2, loaded machine). The limit was not
/// measured by itself.
const MAX_JOINED: usize = 8;

impl Version<'_> {
    /// Adds a choice to `done`, after the reads of its branches that may run early.
    pub(super) fn choice(&mut self, mut step: Step<Plain>, done: &mut Vec<Step<Plain>>) {
        let before = done.len();
        if let Step::If { then, otherwise, .. } = &mut step {
            done.extend(self.speculated_steps(then));
            done.extend(self.speculated_steps(otherwise));
        }
        match self.conjunction(&step).filter(|_| done.len() > before) {
            Some(steps) => done.extend(steps),
            None => done.push(step),
        }
    }

    /// The steps of a choice between a truth value and a condition. Both conditions are computed, and joined without a
    /// jump.
    fn conjunction(&self, step: &Step<Plain>) -> Option<Vec<Step<Plain>>> {
        let Step::If { vars, cond, then, otherwise, .. } = step else { return None };
        let &[var] = &vars[..] else { return None };
        let yields = |block: &Block<Plain>, truth: Const| {
            block.steps.is_empty() && block.results == [Atom::Const(truth)]
        };
        let (op, Block { steps, results }) = if yields(then, Const::bool(true)) {
            (BinOp::Or, otherwise)
        } else if yields(otherwise, Const::bool(false)) {
            (BinOp::And, then)
        } else {
            return None;
        };
        let is_short =
            steps.len() <= MAX_JOINED && steps.iter().all(|step| is_cheap(step, self.vars));
        let join =
            Step::Scalar { var, op: Operation::Bin(op, [*cond, results[0]]), span: self.span? };
        is_short.then(|| [steps.clone(), vec![join]].concat())
    }

    /// Takes the reads that may run early, and the operations on which they depend, out of a branch.
    fn speculated_steps(&self, branch: &mut Block<Plain>) -> Vec<Step<Plain>> {
        let mut bound = IndexSet::new();
        let mut may_move = Vec::new();
        for step in &branch.steps {
            let defined = def_use::defines(step);
            let is_read = defined.iter().any(|var| self.early.there.contains(var));
            let is_sum = matches!(step, Step::Scalar { op: Operation::Bin(..), .. })
                && step.is_pure(self.vars);
            let moves = (is_read || is_sum) && def_use::uses(step).is_disjoint(&bound);
            if !moves {
                bound.extend(defined);
            }
            may_move.push(moves);
        }
        let mut needed: IndexSet<VarId> = self.early.there.clone();
        for (step, moves) in branch.steps.iter().zip(&mut may_move).rev() {
            *moves &= def_use::defines(step).iter().any(|var| needed.contains(var));
            if *moves {
                needed.extend(def_use::uses(step));
            }
        }
        let mut may_move = may_move.into_iter();
        let steps = std::mem::take(&mut branch.steps).into_iter();
        let (taken, left) = steps.partition(|_| may_move.next().unwrap_or(false));
        branch.steps = left;
        taken
    }
}

/// Whether a step takes about one instruction, and can run where its branch is not taken.
fn is_cheap(step: &Step<Plain>, vars: &PrimaryMap<VarId, Var>) -> bool {
    let Step::Scalar { op: op @ (Operation::Un(..) | Operation::Bin(..)), .. } = step else {
        return false;
    };
    op.cost(vars) == Cost::Quick && step.is_pure(vars)
}

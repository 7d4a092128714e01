//! Elements that are the same in all steps of a pass are read once, before the pass (loop-invariant code motion). A
//! condition on such an element then divides the pass into ranges, as one on a parameter does.
//!
//! Invariant: only elements that are certainly in their arrays move, since the pass may have no steps, and the step may
//! not read them.
//!
//! ```text
//! loopI c { x = (\c -> { w = inside ws[i]; t = c >= w; … }) c }   ⇒   w = inside ws[i]; loopI c { x = (\c -> { t = c >= w; … }) c }
//! ```

use indexmap::IndexSet;

use crate::concrete::{Block, Plain, Step};
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::VarId;

/// Which reads may move.
pub(super) struct HoistableReads<'a> {
    /// The variables that are bound where the pass begins.
    pub(super) scope: &'a IndexSet<VarId>,
    /// The elements that are in their arrays wherever their indices are bound.
    pub(super) inside: &'a IndexSet<VarId>,
}

impl HoistableReads<'_> {
    /// Takes the reads out of a step that is a pass.
    pub(super) fn hoisted(&self, step: &mut Step<Plain>) -> Vec<Step<Plain>> {
        let mut taken = Vec::new();
        if let Step::Pass(_) = step {
            step.blocks_mut().into_iter().for_each(|block| self.take(block, &mut taken));
        }
        taken
    }

    fn take(&self, block: &mut Block<Plain>, taken: &mut Vec<Step<Plain>>) {
        for mut step in std::mem::take(&mut block.steps) {
            if self.is_movable(&step) {
                taken.push(step);
                continue;
            }
            step.blocks_mut().into_iter().for_each(|inner| self.take(inner, taken));
            block.steps.push(step);
        }
    }

    fn is_movable(&self, step: &Step<Plain>) -> bool {
        let Step::Index { var, array, indices, .. } = step else { return false };
        let is_bound = |index: &Atom| match index {
            Atom::Const(_) => true,
            Atom::Var(var) => self.scope.contains(var),
        };
        self.inside.contains(var) && self.scope.contains(array) && indices.iter().all(is_bound)
    }
}

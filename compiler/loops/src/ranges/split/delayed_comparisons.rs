//! Puts off the comparisons that only one conjunction or disjunction needs. They are copied where that operation
//! stands. The second one is copied only if the first does not decide the outcome.
//!
//! So a path that knows `i < p` does not test `i < q`. The index space is then split in three: before the generator, in
//! it and behind it.
//!
//! Invariant: a comparison that is left out is used nowhere in the copy.
//!
//! ```text
//! a = p <= i; b = i < q; c = a && b; x = if c then … else 0    ⇒   before p: x = 0
//! ```

use indexmap::IndexMap;

use super::version_state::Version;
use crate::concrete::def_use;
use crate::concrete::{Block, Plain, Step};
use arrc_fusion::cnf::{Atom, Operation};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::BinOp;
use arrc_syntax::source::Span;

impl Version<'_> {
    /// Notes the comparisons of a block that one conjunction or disjunction of the block needs, and nothing else. An
    /// assertion needs its condition as a whole.
    pub(super) fn note_operands(&mut self, block: &Block<Plain>) {
        let joins = |step: &Step<Plain>| {
            matches!(step, Step::Scalar { op: Operation::Bin(BinOp::And | BinOp::Or, _), .. })
        };
        if !block.steps.iter().any(joins) {
            return;
        }
        let mut users: IndexMap<VarId, (usize, bool)> = IndexMap::new();
        for step in &block.steps {
            if let Step::Scalar { var, op: Operation::Bin(op, _), .. } = step
                && op.is_comparison()
                && !self.asserted.contains(var)
            {
                users.insert(*var, (0, true));
            }
            let joins = joins(step);
            for used in def_use::uses(step) {
                if let Some((count, is_operand)) = users.get_mut(&used) {
                    *count += 1;
                    *is_operand &= joins;
                }
            }
        }
        for result in block.results.iter().filter_map(Atom::as_var) {
            users.shift_remove(&result);
        }
        let only = users.into_iter().filter(|&(_, (count, is_operand))| count == 1 && is_operand);
        self.operands.waiting.extend(only.map(|(var, _)| (var, None)));
    }

    /// Puts a comparison off if it is such an operand, and tells whether it did.
    pub(super) fn delays(
        &mut self,
        var: VarId,
        (op, args): (BinOp, [Atom; 2]),
        span: Span,
    ) -> bool {
        let Some(waiting) = self.operands.waiting.get_mut(&var) else { return false };
        *waiting = Some((op, args, span));
        true
    }

    /// Copies the operands of a conjunction or disjunction that have waited for it, up to the one that decides the
    /// outcome.
    pub(super) fn operands(&mut self, op: BinOp, args: [Atom; 2], done: &mut Vec<Step<Plain>>) {
        if !matches!(op, BinOp::And | BinOp::Or) {
            return;
        }
        let decides = |this: &Self, arg| this.is_known(arg) && this.holds(arg) == (op == BinOp::Or);
        let is_decided = args.into_iter().any(|arg| decides(self, arg));
        let mut left_out = is_decided;
        for arg in args {
            let Atom::Var(var) = arg else { continue };
            let Some(Some((op, args, span))) = self.operands.waiting.shift_remove(&var) else {
                continue;
            };
            if !left_out {
                self.bin(var, (op, args), span, done);
                left_out = decides(self, arg);
            }
        }
    }
}

//! Folds behind a guard that choose between their accumulators and an element, such as the farthest of the points that
//! a filter keeps, one step at a time.
//!
//! An associative operator that chooses takes the greatest element by an order. In random elements, the n-th step is
//! the greatest so far with a probability of 1 / n. So a branch passes over the steps that keep the accumulators,
//! together with those that the guard leaves out. Without the branch, each step waits for the selects of the step
//! before.
//!
//! Invariant: the operator's steps can run where the branch is not taken, since they are cheap and cannot fail.
//!
//! ```text
//! guard with p: far d := (\f d x e -> if d > e then f d else x e)
//! ⇒ br (%p ? %d > %e : true), next, chosen    chosen: %far = %x, %d = %e
//! ```

use arrc_fusion::cnf::FoldOrder;
use arrc_loops::concrete::{Block, Worker};
use arrc_syntax::ids::{AccId, VarId};
use inkwell::values::IntValue;

use super::fold_operators::{Choice, choice, chooses};
use super::guards::cost;
use crate::loops::nesting::Level;
use crate::loops::pass::Pass;
use crate::value::LoweredValue;

/// An update: its accumulators, its order and its operator.
type FoldUpdate<'a, 'p> = (&'a [AccId], FoldOrder, &'p Worker);

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// Whether few steps of an update are expected to change the accumulators. Loops in steps have few steps of their
    /// own, and a larger part of these is the greatest so far. One accumulator needs one select or one maximum, which
    /// costs no more than a branch.
    pub(super) fn is_rare_choice(&self, accs: &[AccId], order: FoldOrder, worker: &Worker) -> bool {
        self.level == Level::Outermost
            && accs.len() > 1
            && order != FoldOrder::Strict
            && cost(&worker.body).is_some()
            && chooses(worker, accs.len())
    }

    /// Sets the accumulators to the elements, where the operator chooses these and the flag holds.
    pub(super) fn choose_rarely(
        &mut self,
        update: FoldUpdate<'_, 'p>,
        elems: Vec<LoweredValue<'ctx>>,
        flag: IntValue<'ctx>,
    ) {
        let (accs, _, worker) = update;
        self.bind_update(update, elems);
        let sides = worker.params.split_at(accs.len());
        let keeps = self.keeps(&worker.body, sides);
        let code = &self.body.code;
        // The steps may give poison where the flag does not hold, and nothing may branch on that.
        let always = code.types.i1.const_all_ones();
        let keeps = code.select(flag, keeps.into(), always.into()).into_int_value();
        let [chosen, next] = ["chosen", "next"].map(|name| code.block(name));
        code.branch_likely(keeps, next, chosen);
        code.b.position_at_end(chosen);
        for (&acc, &elem) in accs.iter().zip(sides.1) {
            self.set_acc(acc, self.body.scalar(elem.into()));
        }
        self.body.code.jump(next);
        self.body.code.b.position_at_end(next);
    }

    /// Whether the operator chooses the accumulators.
    fn keeps(&mut self, block: &'p Block, sides: (&[VarId], &[VarId])) -> IntValue<'ctx> {
        let bool = self.body.code.types.i1;
        match choice(block, sides).expect("the operator chooses") {
            Choice::Left => bool.const_all_ones(),
            Choice::Right => bool.const_zero(),
            Choice::If { cond, then, otherwise } => {
                let (_, before) = block.steps.split_last().expect("the block ends with an `if`");
                before.iter().for_each(|step| self.body.step(step));
                let [then, otherwise] = [then, otherwise].map(|block| self.keeps(block, sides));
                let cond = self.body.int(cond);
                self.body.code.select(cond, then.into(), otherwise.into()).into_int_value()
            }
        }
    }
}

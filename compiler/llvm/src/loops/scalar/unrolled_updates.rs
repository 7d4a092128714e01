//! Loops whose steps change elements of arrays are unrolled: several steps run in an iteration.
//!
//! A step of a histogram loads an element that a step before it may just have stored. For each load instruction, a
//! processor predicts whether it has to wait for a store. With one load for all steps, the prediction of one step
//! delays the others: on AMD's Zen, a radix sort with one step in an iteration takes 1.7 times as long as with four.
//!
//! LLVM makes the iterations of steps that cannot fail. It would test the counter in each step of the others, since a
//! step that fails leaves the loop; so the steps of an iteration are lowered one by one, and the counter is tested
//! once.
//!
//! Invariant: the steps are short, so that their copies fit the caches of the processor.
//!
//! ```text
//! for i < n { counts[keys[i]] += 1 }
//! ⇒ for i < n - 3 by 4 { counts[keys[i]] += 1; counts[keys[i + 1]] += 1; … }
//!   for i < n { counts[keys[i]] += 1 }
//! ```

use arrc_fusion::cnf::{Extent, Type, Var};
use arrc_loops::concrete::{Block, Nest, ReplacedPart, Step, Stmt};
use arrc_syntax::ids::{PrimaryMap, VarId};
use inkwell::values::InstructionValue;

use super::paired_loads::NarrowRead;
use crate::emit;
use crate::loops::pass::{Pass, Steps};
use crate::unit::built;

/// The steps of an iteration. `scripts/bench many_sums_i64` has such steps. Other numbers were not measured.
pub(in crate::loops) const TOGETHER: u32 = 4;
/// The most operations of a step. No benchmark shows it alone.
const SHORT: usize = 48;
/// The most elements of an array that is so small that most steps change what one of the last steps has changed.
/// `scripts/bench count_by_updates` has ten. The limit was not measured by itself.
const FEW: i64 = 32;

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// Runs several steps in each iteration, if they change elements of arrays and can fail; gives the branch that
    /// repeats the iterations.
    pub(super) fn failing_updates(
        &mut self,
        run: Steps<'ctx, 'p>,
        counter: VarId,
    ) -> Option<InstructionValue<'ctx>> {
        let found = self.found(run);
        let is_one = found.is_short(SHORT) && found.can_fail;
        is_one.then(|| self.steps_together(run, counter, (TOGETHER.into(), &[])))
    }

    /// Tells LLVM how many steps the loop that a branch repeats runs in an iteration, if they change elements of
    /// arrays.
    pub(super) fn unroll_updates(&self, run: Steps<'ctx, 'p>, latch: InstructionValue<'ctx>) {
        if self.updates_within(run, SHORT) {
            emit::loop_metadata::unroll(self.body.code.unit.context, latch, TOGETHER);
        }
    }

    /// Runs an even number of steps in each iteration of a loop, and those that are left one at a time. In an
    /// iteration, one load has the narrow elements of two steps. Gives the branch that repeats the iterations.
    pub(super) fn steps_together(
        &mut self,
        run: Steps<'ctx, 'p>,
        counter: VarId,
        (together, narrow): (u64, &[NarrowRead]),
    ) -> InstructionValue<'ctx> {
        let step = (run.body, run.inner, run.release);
        let code = &self.body.code;
        let last = built(code.b.build_int_sub(run.to, code.size(together - 1), ""));
        let iteration = code.begin_loop(run.from, last);
        let mut pairs = Vec::new();
        for number in 0..together {
            let code = &self.body.code;
            let at = code.add_index(iteration.counter, code.size(number));
            if number % 2 == 0 {
                pairs = narrow.iter().map(|of| self.pair(of, at)).collect();
            }
            for (of, pair) in narrow.iter().zip(&pairs) {
                let [low, high] = *pair;
                self.loaded[of.elem] = Some(if number % 2 == 0 { low } else { high });
            }
            self.step(at, step, counter);
        }
        narrow.iter().for_each(|of| self.loaded[of.elem] = None);
        let code = &self.body.code;
        let latch = code.end_loop_by(&iteration, code.size(together));
        let rest = code.begin_loop(iteration.counter, run.to);
        self.step(rest.counter, step, counter);
        let code = &self.body.code;
        emit::loop_metadata::keep_rolled(code.unit.context, code.end_loop(&rest));
        latch
    }

    /// Whether the steps of a loop change elements of arrays, in `most` operations or fewer.
    pub(super) fn updates_within(&self, run: Steps<'_, 'p>, most: usize) -> bool {
        self.found(run).is_short(most)
    }

    /// Whether steps of a loop can fail, and change elements of an array that is known to have few elements.
    pub(super) fn may_fail_in_few(&self, run: Steps<'_, 'p>) -> bool {
        let found = self.found(run);
        found.can_fail && found.few
    }

    fn found(&self, run: Steps<'_, 'p>) -> StepUpdates<'p> {
        let vars = &self.body.function.tables.vars;
        let mut found = StepUpdates {
            vars,
            operations: 0,
            updates: false,
            few: false,
            can_fail: false,
            is_long: false,
        };
        found.steps(run.body, run.inner);
        found
    }
}

/// What the steps of a loop do.
struct StepUpdates<'p> {
    vars: &'p PrimaryMap<VarId, Var>,
    operations: usize,
    /// Whether an element of an array changes.
    updates: bool,
    /// Whether such an array is known to have few elements.
    few: bool,
    /// Whether a step can fail.
    can_fail: bool,
    /// Whether there is a loop, a call or an operation on whole arrays.
    is_long: bool,
}

impl StepUpdates<'_> {
    /// Whether elements of arrays change, in `most` operations or fewer.
    fn is_short(&self, most: usize) -> bool {
        self.updates && !self.is_long && self.operations <= most
    }

    fn steps(&mut self, body: &[Stmt], inner: &[Nest]) {
        for stmt in body {
            self.operations += 1;
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                self.block(&worker.body);
            }
        }
        for nest in inner {
            match nest {
                Nest::Guard(guard) => self.steps(&guard.body, &guard.inner),
                Nest::Loop(_) => self.is_long = true,
            }
        }
    }

    fn block(&mut self, block: &Block) {
        self.operations += block.steps.len();
        for step in &block.steps {
            match step {
                Step::Scalar { .. } | Step::Length { .. } => {
                    let operation = step.operation();
                    self.can_fail |= operation.is_some_and(|(_, of)| of.fails(self.vars));
                }
                Step::Index { inside, .. } => self.can_fail |= !inside,
                Step::Assert { .. } => self.can_fail = true,
                Step::Replace { array, target, .. } => {
                    self.updates = true;
                    self.few |= has_few(&self.vars[*array].ty);
                    self.can_fail |= *target == ReplacedPart::Checked;
                }
                Step::If { then, otherwise, .. } => {
                    self.block(then);
                    self.block(otherwise);
                }
                Step::Row { .. }
                | Step::Slice { .. }
                | Step::Call { .. }
                | Step::Append { .. }
                | Step::Array { .. }
                | Step::Sort { .. }
                | Step::Constant { .. }
                | Step::Reshape { .. }
                | Step::Loop { .. }
                | Step::Copy { .. }
                | Step::Unique { .. }
                | Step::Share { .. }
                | Step::Release { .. }
                | Step::Pass(_) => self.is_long = true,
            }
        }
    }
}

/// Whether an array is known to have few elements.
fn has_few(ty: &Type) -> bool {
    let Type::Array { shape, .. } = ty else { return false };
    let mut lengths = shape.iter().map(|extent| match extent {
        Extent::Const(length) => Some(*length),
        Extent::Size(_) => None,
    });
    lengths
        .try_fold(1, |product: i64, length| product.checked_mul(length?))
        .is_some_and(|of| of <= FEW)
}

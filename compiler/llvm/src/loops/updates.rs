//! Loops whose steps change elements of arrays: LLVM runs several steps in a turn.
//!
//! A step of a histogram loads an element that a step before it may just have stored. For each load instruction, a processor
//! predicts whether it has to wait for a store. With one load for all steps, the prediction of one step delays the others: on
//! AMD's Zen, a radix sort with one step in a turn takes 1.7 times as long as with four.
//!
//! Invariant: the steps are short, so that their copies fit the caches of the processor.
//!
//! ```text
//! for i < n { counts[keys[i]] += 1 }   ⇒   for i < n by 4 { counts[keys[i]] += 1; counts[keys[i + 1]] += 1; … } …
//! ```

use arrc_core::ir::procedure::concrete::{Block, Nest, Step, Stmt};
use inkwell::values::InstructionValue;

use super::pass::{Pass, Run};
use crate::emit;

/// The steps of a turn.
pub(super) const TOGETHER: u32 = 4;
/// The most operations of a step.
const SHORT: usize = 48;

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// Tells LLVM how many steps the loop that a branch repeats runs in a turn, if they change elements of arrays.
    pub(super) fn unroll_updates(&self, run: Run<'ctx, 'p>, latch: InstructionValue<'ctx>) {
        if updates_within(run, SHORT) {
            emit::loops::unroll(self.body.code.unit.context, latch, TOGETHER);
        }
    }
}

/// Whether the steps of a loop change elements of arrays, in `most` operations or fewer.
pub(super) fn updates_within(run: Run<'_, '_>, most: usize) -> bool {
    let mut found = Found { operations: 0, updates: false, is_long: false };
    found.steps(run.body, run.inner);
    found.updates && !found.is_long && found.operations <= most
}

/// What the steps of a loop do.
struct Found {
    operations: usize,
    /// Whether an element of an array changes.
    updates: bool,
    /// Whether there is a loop, a call or an operation on whole arrays.
    is_long: bool,
}

impl Found {
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
                Step::Un { .. }
                | Step::Bin { .. }
                | Step::Fma { .. }
                | Step::Index { .. }
                | Step::Length { .. }
                | Step::Assert { .. } => {}
                Step::Replace { .. } => self.updates = true,
                Step::If { then, otherwise, .. } => {
                    self.block(then);
                    self.block(otherwise);
                }
                Step::Row { .. }
                | Step::Slice { .. }
                | Step::Call { .. }
                | Step::Append { .. }
                | Step::Array { .. }
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

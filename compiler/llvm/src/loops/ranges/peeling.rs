//! Rows with few steps outside of their range, lowered one by one (loop peeling).
//!
//! The steps at the ends of a row have conditions on the counter, which the steps of the range do not have. In a loop
//! of two or three steps, LLVM keeps the conditions, and such a loop costs as much as many steps of the range. If the
//! counter of each of these steps is known, LLVM decides the conditions, and the steps have no branch.
//!
//! Invariant: the bounds of the range are tested before that, so `peeled` need not be right. A row that does not have
//! them has no range, or a shorter one; all its steps run as those outside of the range.
//!
//! ```text
//! range from a to b edges of 1, 2    ⇒    if a == 1 && b == n - 2 && n >= 3
//!                                           step 0; steps of the range; step n - 2; step n - 1
//!                                         else all steps in a loop
//! ```

use arrc_loops::concrete::{Loop, PeeledIterations, Range, Variant};
use inkwell::IntPredicate;
use inkwell::values::IntValue;

use crate::loops::nesting::Level;
use crate::loops::pass::{Pass, Steps};
use crate::unit::built;

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// The range of a loop in the steps of other ones, and the steps outside of it, if they are lowered one by one.
    pub(in crate::loops) fn peeled_range(
        &self,
        nest: &'p Loop,
        first: IntValue<'ctx>,
        level: Level,
    ) -> Option<(&'p Range, &'p Variant, PeeledIterations)> {
        let [range] = nest.ranges.as_slice() else { return None };
        let ([variant], Some(peeled)) = (range.variants.as_slice(), range.peeled) else {
            return None;
        };
        let is_whole = self.slice.is_none() && first == self.body.code.size(0);
        (self.is_inner(level) && is_whole && range.period.is_none())
            .then_some((range, variant, peeled))
    }

    /// All steps of such a loop.
    pub(in crate::loops) fn lower_peeled(
        &mut self,
        nest: &'p Loop,
        (range, variant, peeled): (&'p Range, &'p Variant, PeeledIterations),
        (length, level): (IntValue<'ctx>, Level),
    ) {
        let Loop { counter, body, inner, release, .. } = nest;
        let (procedure, counter) = (self.procedure, *counter);
        let middle = |pass: &mut Self, [from, to]: [IntValue<'ctx>; 2]| {
            if !variant.is_empty() {
                let Variant { body, inner, release } = variant;
                pass.in_vectors(
                    Steps { procedure, counter, from, to, body, inner, release },
                    counter,
                    level,
                );
            }
        };
        let plain = |pass: &mut Self| {
            let from = pass.body.code.size(0);
            pass.run(Steps { procedure, counter, from, to: length, body, inner, release }, counter);
        };
        self.peel_around(nest, (range, peeled), length, (middle, plain));
    }

    /// The peeled iterations of such a loop, around those of the range. If there are not that many before and behind
    /// the range, `plain` lowers the loop.
    pub(in crate::loops) fn peel_around(
        &mut self,
        nest: &'p Loop,
        (range, peeled): (&Range, PeeledIterations),
        length: IntValue<'ctx>,
        (middle, plain): (impl FnOnce(&mut Self, [IntValue<'ctx>; 2]), impl FnOnce(&mut Self)),
    ) {
        let Loop { counter, body, inner, release, .. } = nest;
        let bounds = [range.from, range.to].map(|bound| self.body.int(bound));
        let code = &self.body.code;
        let [before, behind] = [peeled.before, peeled.behind].map(u64::from);
        let [from, to] = [code.size(before), self.back_from(length, behind)];
        let [edged, unknown, done] =
            ["row.edged", "row.plain", "row.done"].map(|name| code.block(name));
        let tests = [
            code.compare(IntPredicate::SGE, length, code.size(before + behind)),
            code.compare(IntPredicate::EQ, bounds[0], from),
            code.compare(IntPredicate::EQ, bounds[1], to),
        ];
        let [long, starts, ends] = tests;
        let both = built(code.b.build_and(starts, ends, ""));
        code.branch(built(code.b.build_and(long, both, "")), edged, unknown);

        self.body.code.b.position_at_end(edged);
        for step in 0..before {
            self.step(self.body.code.size(step), (body, inner, release), *counter);
        }
        middle(self, [from, to]);
        for step in (1..=behind).rev() {
            self.step(self.back_from(length, step), (body, inner, release), *counter);
        }
        self.body.code.jump(done);

        self.body.code.b.position_at_end(unknown);
        plain(self);
        self.body.code.jump(done);
        self.body.code.b.position_at_end(done);
    }

    /// `length - steps`: the counter of an iteration, counted from the end of the loop. `length` is at least `steps`.
    fn back_from(&self, length: IntValue<'ctx>, steps: u64) -> IntValue<'ctx> {
        let code = &self.body.code;
        built(code.b.build_int_sub(length, code.size(steps), ""))
    }
}

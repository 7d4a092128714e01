//! Ranges whose steps take several variants cyclically.
//!
//! If each variant is one step of a period, a period is one step of the loop in LLVM. Otherwise the periods are a loop,
//! and each variant is a loop inside it, whose bounds are cut to the range. In short periods of constant length, the
//! bounds are cut only in the first and the last period, so LLVM unrolls the loops in all others.
//!
//! Invariant: no step tests which variant it takes.
//!
//! ```text
//! range from a to b turns of w, r from f   ⇒   for (t = f; t < b; t += w + r) {
//!                                                for i from max(t, a) to min(t + w, b) …
//!                                                for i from max(t + w, a) to min(t + w + r, b) … }
//! ```

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::{Period, Range, Step, Stmt, Variant};
use arrc_syntax::ids::VarId;
use inkwell::IntPredicate;
use inkwell::values::IntValue;

use crate::loops::nesting::Level;
use crate::loops::pass::{Pass, SliceSteps, Steps};
use crate::unit::built;

/// The most steps of a period whose loops LLVM may unroll. `scripts/bench space_bands_f64` has periods of 16. Not
/// measured by itself.
const SHORT: i128 = 64;

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// Steps that each take the next variant.
    pub(in crate::loops) fn in_unrolled_periods(
        &mut self,
        [from, to]: [IntValue<'ctx>; 2],
        variants: &'p [Variant],
        counter: VarId,
    ) {
        let counted = self.body.code.begin_loop(from, to);
        for (number, Variant { body, inner, release }) in (0..).zip(variants) {
            let code = &self.body.code;
            let step = code.add_index(counted.counter, code.size(number));
            self.step(step, (body, inner, release), counter);
        }
        let variants = self.body.code.size(variants.len() as u64);
        self.body.code.end_loop_by(&counted, variants);
    }

    /// The whole periods of a range with one variant for each step of a period that lie between two steps of the range.
    pub(in crate::loops) fn whole_periods(
        &self,
        first: IntValue<'ctx>,
        [from, to]: [IntValue<'ctx>; 2],
        variants: usize,
    ) -> [IntValue<'ctx>; 2] {
        let code = &self.body.code;
        let [period_steps, last] = [variants, variants - 1].map(|steps| code.size(steps as u64));
        let whole = |steps| {
            let periods = built(code.b.build_int_signed_div(steps, period_steps, ""));
            built(code.b.build_int_mul(periods, period_steps, ""))
        };
        // The slice may lie before the range.
        let before = code.at_least(built(code.b.build_int_sub(from, first, "")), code.size(0));
        let before = whole(built(code.b.build_int_add(before, last, "")));
        let next = built(code.b.build_int_add(first, before, ""));
        let from = self.pick("llvm.smin", [next, to]);
        let steps = whole(built(code.b.build_int_sub(to, from, "")));
        [from, built(code.b.build_int_add(from, steps, ""))]
    }

    /// Steps of a range whose periods may have several steps of one variant.
    pub(in crate::loops) fn in_periods(
        &mut self,
        [from, to]: [IntValue<'ctx>; 2],
        (range, periods): (&'p Range, &'p Period),
        (counter, level): (VarId, Level),
    ) {
        let steps: Vec<_> = periods.steps.iter().map(|&steps| self.body.int(steps)).collect();
        let period_start = self.period_start(from, (self.body.int(periods.first), &steps), level);
        let counted = self.body.code.begin_loop(period_start, to);
        let mut ends = vec![counted.counter];
        for &steps in &steps {
            let last = ends[ends.len() - 1];
            ends.push(built(self.body.code.b.build_int_nsw_add(last, steps, "")));
        }
        let next = ends[ends.len() - 1];
        if is_short(range, periods) {
            let code = &self.body.code;
            let [whole, cut, done] = ["whole", "cut", "done"].map(|name| code.block(name));
            let begins = code.compare(IntPredicate::SLE, from, counted.counter);
            let ends_here = code.compare(IntPredicate::SLE, next, to);
            code.branch(built(code.b.build_and(begins, ends_here, "")), whole, cut);
            code.b.position_at_end(whole);
            self.whole_period((&ends, &steps), (range, counter));
            self.body.code.jump(done);
            self.body.code.b.position_at_end(cut);
            self.partial_period(&ends, [from, to], (range, counter));
            self.body.code.jump(done);
            self.body.code.b.position_at_end(done);
        } else {
            self.partial_period(&ends, [from, to], (range, counter));
        }
        self.body.code.end_loop_at(&counted, next);
    }

    /// A period whose variants have these ends. LLVM knows how many steps each variant has.
    fn whole_period(
        &mut self,
        (ends, steps): (&[IntValue<'ctx>], &[IntValue<'ctx>]),
        (range, counter): (&'p Range, VarId),
    ) {
        let variants = range.variants.iter().zip(ends.iter().zip(steps));
        for (Variant { body, inner, release }, (&first, &steps)) in variants {
            let code = &self.body.code;
            let counted = code.begin_loop(code.size(0), steps);
            let step = code.add_index(first, counted.counter);
            self.step(step, (body, inner, release), counter);
            self.body.code.end_loop(&counted);
        }
    }

    /// The steps of a period that are between two others.
    fn partial_period(
        &mut self,
        ends: &[IntValue<'ctx>],
        [from, to]: [IntValue<'ctx>; 2],
        (range, counter): (&'p Range, VarId),
    ) {
        for (variant, ends) in range.variants.iter().zip(ends.windows(2)) {
            if variant.is_empty() {
                continue;
            }
            let Variant { body, inner, release } = variant;
            let from = self.pick("llvm.smax", [ends[0], from]);
            let to = self.pick("llvm.smin", [ends[1], to]);
            let procedure = self.procedure;
            self.run(Steps { procedure, counter, from, to, body, inner, release }, counter);
        }
    }

    /// The first step of the period in which steps of a range begin.
    fn period_start(
        &self,
        from: IntValue<'ctx>,
        (first, steps): (IntValue<'ctx>, &[IntValue<'ctx>]),
        level: Level,
    ) -> IntValue<'ctx> {
        let (Level::Outermost, Some(SliceSteps { .. })) = (level, self.slice) else { return first };
        let b = &self.body.code.b;
        let add = |sum, &steps: &IntValue<'ctx>| built(b.build_int_nsw_add(sum, steps, ""));
        let period_steps = steps[1..].iter().fold(steps[0], add);
        // A slice that lies before the range has no period.
        let before = built(b.build_int_sub(from, first, ""));
        let periods = built(b.build_int_signed_div(before, period_steps, ""));
        built(b.build_int_add(first, built(b.build_int_mul(periods, period_steps, "")), ""))
    }

    /// The smaller or larger of two numbers.
    pub(in crate::loops) fn pick(
        &self,
        intrinsic: &str,
        of: [IntValue<'ctx>; 2],
    ) -> IntValue<'ctx> {
        let code = &self.body.code;
        let i64 = [code.types.i64.into()];
        code.call_intrinsic(intrinsic, &i64, &of.map(Into::into)).into_int_value()
    }
}

/// Whether periods have few steps, whose number is constant, and no loops in these steps.
fn is_short(range: &Range, periods: &Period) -> bool {
    let steps = periods.steps.iter().try_fold(0, |sum, steps| match steps {
        Atom::Const(steps) => Some(sum + steps.as_i128()),
        Atom::Var(_) => None,
    });
    steps.is_some_and(|steps| steps <= SHORT)
        && range
            .variants
            .iter()
            .all(|variant| variant.inner.is_empty() && variant.body.iter().all(is_flat))
}

fn is_flat(stmt: &Stmt) -> bool {
    let (Stmt::Apply { worker, .. } | Stmt::Update { worker, .. }) = stmt else { return true };
    worker.body.steps.iter().all(|step| !matches!(step, Step::Pass(_) | Step::Loop { .. }))
}

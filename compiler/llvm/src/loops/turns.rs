//! Ranges whose steps take several ways by turns.
//!
//! If each way is one step of a turn, a turn is one step of the loop in LLVM. Otherwise the turns are a loop, and each way
//! is a loop inside it, whose bounds are cut to the range. In short turns of constant length, the bounds are cut only in
//! the first and the last turn, so LLVM unrolls the loops in all others.
//!
//! Invariant: no step tests which way it takes.
//!
//! ```text
//! range from a to b turns of w, r from f   ⇒   for (t = f; t < b; t += w + r) {
//!                                                for i from max(t, a) to min(t + w, b) …
//!                                                for i from max(t + w, a) to min(t + w + r, b) … }
//! ```

use arrc_fusion::cnf::Atom;
use arrc_loops::procedure::concrete::{Range, Step, Stmt, Turns, Way};
use arrc_syntax::ids::VarId;
use inkwell::IntPredicate;
use inkwell::values::IntValue;

use super::pass::{Level, Pass, Run, Slice};
use crate::unit::built;

/// The most steps of a turn whose loops LLVM may unroll.
const SHORT: i128 = 64;

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// Steps that each take the next way.
    pub(super) fn unrolled(
        &mut self,
        [from, to]: [IntValue<'ctx>; 2],
        ways: &'p [Way],
        counter: VarId,
    ) {
        let counted = self.body.code.begin_loop(from, to);
        for (number, Way { body, inner, release }) in (0..).zip(ways) {
            let code = &self.body.code;
            let step = code.add_index(counted.counter, code.size(number));
            self.step(step, (body, inner, release), counter);
        }
        let ways = self.body.code.size(ways.len() as u64);
        self.body.code.end_loop_by(&counted, ways);
    }

    /// The whole turns of a range with one way for each step of a turn that lie between two steps of the range.
    pub(super) fn whole_turns(
        &self,
        first: IntValue<'ctx>,
        [from, to]: [IntValue<'ctx>; 2],
        ways: usize,
    ) -> [IntValue<'ctx>; 2] {
        let code = &self.body.code;
        let [turn, last] = [ways, ways - 1].map(|steps| code.size(steps as u64));
        let whole = |steps| {
            let turns = built(code.b.build_int_signed_div(steps, turn, ""));
            built(code.b.build_int_mul(turns, turn, ""))
        };
        // The slice may lie before the range.
        let before = code.at_least(built(code.b.build_int_sub(from, first, "")), code.size(0));
        let before = whole(built(code.b.build_int_add(before, last, "")));
        let next = built(code.b.build_int_add(first, before, ""));
        let from = self.pick("llvm.smin", [next, to]);
        let steps = whole(built(code.b.build_int_sub(to, from, "")));
        [from, built(code.b.build_int_add(from, steps, ""))]
    }

    /// Steps of a range whose turns may have several steps of one way.
    pub(super) fn in_turns(
        &mut self,
        [from, to]: [IntValue<'ctx>; 2],
        (range, turns): (&'p Range, &'p Turns),
        (counter, level): (VarId, Level),
    ) {
        let steps: Vec<_> = turns.steps.iter().map(|&steps| self.body.int(steps)).collect();
        let begun = self.begun(from, (self.body.int(turns.first), &steps), level);
        let counted = self.body.code.begin_loop(begun, to);
        let mut ends = vec![counted.counter];
        for &steps in &steps {
            let last = ends[ends.len() - 1];
            ends.push(built(self.body.code.b.build_int_nsw_add(last, steps, "")));
        }
        let next = ends[ends.len() - 1];
        if is_short(range, turns) {
            let code = &self.body.code;
            let [whole, cut, done] = ["whole", "cut", "done"].map(|name| code.block(name));
            let begins = code.compare(IntPredicate::SLE, from, counted.counter);
            let ends_here = code.compare(IntPredicate::SLE, next, to);
            code.branch(built(code.b.build_and(begins, ends_here, "")), whole, cut);
            code.b.position_at_end(whole);
            self.whole_turn((&ends, &steps), (range, counter));
            self.body.code.jump(done);
            self.body.code.b.position_at_end(cut);
            self.cut_turn(&ends, [from, to], (range, counter));
            self.body.code.jump(done);
            self.body.code.b.position_at_end(done);
        } else {
            self.cut_turn(&ends, [from, to], (range, counter));
        }
        self.body.code.end_loop_at(&counted, next);
    }

    /// A turn whose ways have these ends. LLVM knows how many steps each way has.
    fn whole_turn(
        &mut self,
        (ends, steps): (&[IntValue<'ctx>], &[IntValue<'ctx>]),
        (range, counter): (&'p Range, VarId),
    ) {
        let ways = range.ways.iter().zip(ends.iter().zip(steps));
        for (Way { body, inner, release }, (&first, &steps)) in ways {
            let code = &self.body.code;
            let counted = code.begin_loop(code.size(0), steps);
            let step = code.add_index(first, counted.counter);
            self.step(step, (body, inner, release), counter);
            self.body.code.end_loop(&counted);
        }
    }

    /// The steps of a turn that are between two others.
    fn cut_turn(
        &mut self,
        ends: &[IntValue<'ctx>],
        [from, to]: [IntValue<'ctx>; 2],
        (range, counter): (&'p Range, VarId),
    ) {
        for (way, ends) in range.ways.iter().zip(ends.windows(2)) {
            if way.is_empty() {
                continue;
            }
            let Way { body, inner, release } = way;
            let from = self.pick("llvm.smax", [ends[0], from]);
            let to = self.pick("llvm.smin", [ends[1], to]);
            let procedure = self.procedure;
            self.run(Run { procedure, counter, from, to, body, inner, release }, counter);
        }
    }

    /// The first step of the turn in which steps of a range begin.
    fn begun(
        &self,
        from: IntValue<'ctx>,
        (first, steps): (IntValue<'ctx>, &[IntValue<'ctx>]),
        level: Level,
    ) -> IntValue<'ctx> {
        let (Level::Outermost, Some(Slice { .. })) = (level, self.slice) else { return first };
        let b = &self.body.code.b;
        let add = |sum, &steps: &IntValue<'ctx>| built(b.build_int_nsw_add(sum, steps, ""));
        let turn = steps[1..].iter().fold(steps[0], add);
        // A slice that lies before the range has no turn.
        let before = built(b.build_int_sub(from, first, ""));
        let turns = built(b.build_int_signed_div(before, turn, ""));
        built(b.build_int_add(first, built(b.build_int_mul(turns, turn, "")), ""))
    }

    /// The smaller or larger of two numbers.
    pub(super) fn pick(&self, intrinsic: &str, of: [IntValue<'ctx>; 2]) -> IntValue<'ctx> {
        let code = &self.body.code;
        let i64 = [code.types.i64.into()];
        code.call_intrinsic(intrinsic, &i64, &of.map(Into::into)).into_int_value()
    }
}

/// Whether turns have few steps, whose number is constant, and no loops in these steps.
fn is_short(range: &Range, turns: &Turns) -> bool {
    let steps = turns.steps.iter().try_fold(0, |sum, steps| match steps {
        Atom::Const(steps) => Some(sum + steps.as_i128()),
        Atom::Var(_) => None,
    });
    steps.is_some_and(|steps| steps <= SHORT)
        && range.ways.iter().all(|way| way.inner.is_empty() && way.body.iter().all(is_flat))
}

fn is_flat(stmt: &Stmt) -> bool {
    let (Stmt::Apply { worker, .. } | Stmt::Update { worker, .. }) = stmt else { return true };
    worker.body.steps.iter().all(|step| !matches!(step, Step::Pass(_) | Step::Loop { .. }))
}

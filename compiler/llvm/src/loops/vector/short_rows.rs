//! Short rows of whole vectors, folded without loops.
//!
//! Short rows take most of their time in the tests of their loops: whether there are four vectors, one more, and a last
//! one that is not whole. A row whose length is known to be a few whole vectors needs none of them. Where each step of
//! a loop folds a row, and all rows have one length, which is known before the loop, the loop is lowered a second time
//! for rows of [`VECTORS`] vectors. LLVM would not do so: it estimates what all copies of a loop in a nest could cost.
//! In that copy it keeps a row that all steps read in registers.
//!
//! Invariant: the vectors are combined in the order in which the loops combine them.
//!
//! ```text
//! for c < k { for x < d { s += p[x] * q[c][x] } … }
//! ⇒ if d == 8 { for c < k { s = p[0 .. 4] * q[c][0 .. 4] + p[4 .. 8] * q[c][4 .. 8]; … } } else { … as it was }
//! ```

use arrc_fusion::cnf::Extent;
use arrc_loops::concrete::{Length, Procedure, Step, Stmt};
use arrc_syntax::ids::{SizeId, VarId};
use inkwell::IntPredicate;
use inkwell::values::IntValue;

use super::plan::Plan;
use super::planning::planned;
use super::shape;
use super::vector_loop::VectorLoop;
use crate::loops::nesting::Level;
use crate::loops::pass::{Pass, Steps};

/// The vectors of the rows for which a loop is lowered a second time. A shorter row has one vector, whose loop has no
/// second iteration. `scripts/bench means_step` has such rows with AVX2 or wider: a point of 8 numbers and 5 centres
/// take 8.1 ns, before 10.4 (medians, AVX-512, arrays that begin at a cache line).
const VECTORS: u32 = 2;

/// The rows that the steps of a loop fold.
#[derive(Clone, Copy)]
pub(crate) struct ShortRows {
    /// Their length.
    size: SizeId,
    /// The length of short ones.
    steps: u64,
}

/// The number of vectors that a run consists of, if that is known and smaller than those of an iteration.
pub(super) fn vectors_of(run: Steps<'_, '_>, plan: &Plan) -> Option<u64> {
    let [from, to] = [run.from, run.to].map(IntValue::get_zero_extended_constant);
    let steps = to?.checked_sub(from?)?;
    let lanes = u64::from(plan.lanes);
    let vectors = steps / lanes;
    let is_whole = steps % lanes == 0 && plan.facts.spread() == 1;
    (is_whole && (1..u64::from(plan.parts)).contains(&vectors)).then_some(vectors)
}

/// The rows that a loop in the steps of another one folds, one in each step.
pub(crate) fn of(pass: &Pass<'_, '_, '_, '_>, run: Steps<'_, '_>) -> Option<ShortRows> {
    let unit = &pass.body.code.unit;
    if !unit.vectors || pass.level != Level::Inner || !run.inner.is_empty() {
        return None;
    }
    let row = run.body.iter().find_map(|stmt| {
        let Stmt::Apply { worker, .. } = stmt else { return None };
        worker.body.steps.iter().find_map(|step| {
            let Step::Pass(row) = step else { return None };
            Some(row)
        })
    })?;
    let Length::Array(array) = row.nest.length else { return None };
    let Extent::Size(size) = pass.body.type_of(array).shape()[0] else { return None };
    let is_open = pass.body.sizes[size].is_some_and(|length| !length.is_const());
    let plan = plan_of(pass, row).filter(|_| is_open)?;
    Some(ShortRows { size, steps: u64::from(VECTORS * plan.lanes) })
}

/// The plan by which a row is folded in vectors that need no loop.
fn plan_of(pass: &Pass<'_, '_, '_, '_>, row: &Procedure) -> Option<Plan> {
    let nest = &row.nest;
    let none = pass.body.code.size(0);
    let run = Steps {
        procedure: row,
        counter: nest.counter,
        from: none,
        to: none,
        body: &nest.body,
        inner: &nest.inner,
        release: &nest.release,
    };
    let is_plain = nest.inner.is_empty() && nest.ranges.is_empty() && nest.collapsed == 0;
    let plan = planned(run, pass.body.function, pass.body.code.unit.isa, Level::Inner).ok()?;
    let adds = shape::adds_row(&plan.facts, Level::Inner);
    (is_plain && adds && plan.has_rest && plan.parts > VECTORS).then_some(plan)
}

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// Lowers a loop for short rows, and for others.
    pub(crate) fn with_short_rows(
        &mut self,
        run: Steps<'ctx, 'p>,
        ShortRows { size, steps }: ShortRows,
        to_note: (VarId, usize),
    ) {
        let length = self.body.sizes[size].expect("the length is known before the loop");
        let code = &self.body.code;
        let [short, other, done] =
            ["rows.short", "rows.other", "rows.done"].map(|name| code.block(name));
        let steps = code.size(steps);
        code.branch(code.compare(IntPredicate::EQ, length, steps), short, other);
        self.body.code.b.position_at_end(other);
        self.marked_once(run, to_note);
        self.body.code.jump(done);
        self.body.code.b.position_at_end(short);
        self.body.sizes[size] = Some(steps);
        self.without_notes(|pass| pass.run(run, to_note.0));
        self.body.sizes[size] = Some(length);
        self.body.code.jump(done);
        self.body.code.b.position_at_end(done);
    }
}

impl<'ctx, 'p> VectorLoop<'_, '_, '_, 'ctx, 'p> {
    /// Runs all steps, which are a few whole vectors. Returns the step after the last one.
    pub(super) fn without_loop(&mut self, run: Steps<'ctx, 'p>) -> IntValue<'ctx> {
        let vectors = vectors_of(run, &self.plan).expect("the steps are whole vectors");
        let mut state = self.state.clone();
        self.drop_parts(&mut state);
        self.state = state;
        let parts = std::mem::replace(&mut self.plan.parts, 1);
        for vector in 0..vectors {
            let code = &self.pass.body.code;
            let before = code.size(vector * u64::from(self.plan.lanes));
            let at = code.add_index(run.from, before);
            self.all_parts(run, at);
        }
        self.plan.parts = parts;
        run.to
    }
}

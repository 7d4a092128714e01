//! A pass as a scalar loop: one element a step. LLVM vectorises what it can.
//!
//! Invariant: after a pass, its results are bound, and arrays that its accumulators owned and that are no results are
//! released.
//!
//! ```text
//! ys = newVec n; s = newAcc 0       %ys = call @arr_rt_alloc(…)   store 0, %s
//! for i < n                         loop: %i = phi …
//!   x = next i xs                     %x = load …
//!   s := x + s; write i ys x          %s1 = load %s …  store …
//! ```

use arr_abi::ErrorCode;
use arrc_fusion::cnf::{Atom, Type};
use arrc_loops::concrete::{
    Cost, End, Length, Loop, Memory, Nest, Procedure, Range, Start, Stmt, Variant, WrittenCount,
};
use arrc_syntax::ids::{AccId, VarId};
use inkwell::IntPredicate;
use inkwell::values::{InstructionValue, IntValue};

use super::free_order::reassociates;
use super::{guards, strip_mining, tie_breaks};
use crate::emit;
use crate::function::function_body::Body;
use crate::loops::memory::column_tiling;
use crate::loops::nesting::Collapsed;
use crate::loops::nesting::Level;
use crate::loops::pass::{GrowingVector, Pass, SliceSteps, Steps};
use crate::loops::pass_scopes::lower_with_scopes;
use crate::loops::threads::slices;
use crate::loops::vector;
use crate::loops::vector::short_rows;
use crate::note::Technique;
use crate::unit::built;
use crate::value::{Array, LoweredValue};

/// The most work between two checks whether the call is cancelled, in picoseconds. Memory that is new, reads all over an
/// array and other programs make work several times as long as its estimate.
const LONGEST: u64 = 200_000_000;
/// Elements in whole cache lines and vectors.
const LINE: u64 = 64;

/// Lowers a pass.
pub(in crate::loops) fn lower<'p>(body: &mut Body<'_, '_, 'p>, procedure: &'p Procedure) {
    lower_with_scopes(body, procedure, |pass| {
        pass.allocate_accs();
        for start in &procedure.start {
            pass.start(start);
        }
        for counter in guards::counters(&procedure.nest) {
            pass.zero_counter(counter);
        }
        match &procedure.slices {
            Some(slices) => slices::lower(pass, slices),
            None => pass.outermost(&procedure.nest),
        }
        for end in &procedure.end {
            pass.end(end);
        }
        pass.release_accs();
    });
}

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    pub(in crate::loops) fn allocate_accs(&mut self) {
        for (id, acc) in self.procedure.accs.iter() {
            let ty = match &acc.ty {
                Type::Scalar(scalar) => self.body.code.types.scalar(*scalar),
                array @ Type::Array { .. } => self.body.code.types.result(array),
            };
            self.accs[id] = Some(self.body.code.alloca(ty, &acc.name));
        }
    }

    /// Entry counters start at 0; all other accumulators have a [`Start::NewAcc`] after that.
    pub(in crate::loops) fn zero_counter(&self, acc: AccId) {
        self.set_acc(acc, self.body.code.size(0).into());
    }

    pub(in crate::loops) fn start(&mut self, start: &'p Start) {
        match start {
            Start::CheckSize { size, span } => {
                let word = self.body.code.unit.first_word(*span);
                let site = self.body.code.unit.site(*span, &word);
                let size = self.body.int(*size);
                let code = &self.body.code;
                let ok = code.compare(IntPredicate::SGE, size, code.size(0));
                code.check(ok, ErrorCode::Size, site, [size, code.size(0)]);
            }
            Start::NewVec { vec, capacity, memory, span } => {
                let name = self.body.function.tables.vars[*vec].name.clone();
                let (elem, _) = self.body.array_type(*vec);
                let shape = self.shape(*vec, capacity);
                let vector = match memory {
                    Memory::New => {
                        let site = self.body.code.unit.site(*span, &name);
                        if let Length::Product(..) = capacity {
                            self.body.code.check_room(shape[0], site);
                        }
                        let is_exact = !self.is_cut(*vec);
                        let made = self.body.new_array(*vec, is_exact, (elem, shape), site);
                        if self.procedure.growing().contains(vec) {
                            self.growing[*vec] = Some(self.begin_growing(&made, site));
                        }
                        made
                    }
                    Memory::Scratch | Memory::DoubleBuffer => {
                        let site = self.body.code.unit.site(*span, &name);
                        if let Length::Product(..) = capacity {
                            self.body.code.check_room(shape[0], site);
                        }
                        let made = self.body.scratch_array(*vec, elem, shape, site);
                        if self.procedure.growing().contains(vec) {
                            let [owner, capacity] = self.body.scratch_room(*vec);
                            let growing = GrowingVector { owner, capacity, is_scratch: true, site };
                            self.growing[*vec] = Some(growing);
                        }
                        made
                    }
                    Memory::Over(array) => {
                        let Array { data, owner, .. } = *self.body.var(*array).array(*array);
                        Array { data, owner, shape }
                    }
                    Memory::Row(place) => self.body.row_at(place, shape),
                    Memory::Behind(array) => self.body.end_of(*array, shape),
                    Memory::Part(part) => self.body.part_for(part, shape),
                };
                self.body.bind(*vec, LoweredValue::Vector(vector));
            }
            Start::NewAcc { acc, init } => {
                let init = self.body.atom(*init);
                self.fill_acc(*acc, &init);
            }
        }
    }

    /// The loop of the pass. If it reads arrays that may have strides, it runs in strips.
    pub(in crate::loops) fn outermost(&mut self, nest: &'p Loop) {
        let gathered = self.gathered(nest);
        if gathered.is_empty() {
            self.in_order(nest)
        } else {
            self.in_gathered_strips(nest, &gathered)
        }
    }

    /// The loop of the pass, which may run as one with those inside it.
    pub(in crate::loops) fn in_order(&mut self, nest: &'p Loop) {
        let length = self.length(&nest.length);
        let around = self.body.collapsed.take();
        let own = self
            .slice
            .map_or_else(|| [self.body.code.size(0), length], |slice| [slice.from, slice.to]);
        let steps = around
            .map_or(own, |around| around.steps.map(|step| self.body.code.mul_index(step, length)));
        let loops = around.map_or(nest.collapsed, |around| around.loops - 1);
        if loops == 0 {
            let columns = column_tiling::rows_of_columns(nest, &self.body.function.tables.vars);
            if let Some(columns) = columns.filter(|_| self.slice.is_some() && around.is_none()) {
                return self.in_strips(nest, steps, columns);
            }
            let steps = self.cut_to_strip(steps);
            return match self.longest_run(nest) {
                None => self.counted(nest, steps, Level::Outermost),
                Some(most) => self.counted_in_runs(nest, steps, most),
            };
        }
        self.body.collapsed = Some(Collapsed { loops, steps, level: self.level });
        let first = self.body.code.size(0);
        self.body.bind(nest.counter, LoweredValue::Scalar(first.into()));
        self.inside(&nest.body, &nest.inner);
        self.release(&nest.release);
    }

    /// How many steps a pass runs until it has to check whether the call is cancelled; none if it ends soon, or if its
    /// slices check that.
    fn longest_run(&self, nest: &Loop) -> Option<IntValue<'ctx>> {
        let is_alone = self.level == Level::Outermost && self.procedure.slices.is_none();
        let is_short = nest.most.is_some() || matches!(nest.length, Length::Value(Atom::Const(_)));
        if !is_alone || self.slice.is_some_and(|slice| !slice.is_strip) || is_short {
            return None;
        }
        let code = &self.body.code;
        let time = slices::time(self.body, &Cost::of_step(nest, &self.body.function.tables.vars));
        let steps = built(code.b.build_int_unsigned_div(code.size(LONGEST), time, ""));
        // Whole vectors, except where few steps take long.
        let ragged = built(code.b.build_and(steps, code.size(LINE - 1), ""));
        let whole = built(code.b.build_int_sub(steps, ragged, ""));
        let is_long = code.compare(IntPredicate::UGE, steps, code.size(LINE));
        Some(code.at_least(
            code.select(is_long, whole.into(), steps.into()).into_int_value(),
            code.size(1),
        ))
    }

    /// Some steps of a loop in a row, `most` at a time; fails between them if the call is cancelled.
    fn counted_in_runs(
        &mut self,
        nest: &'p Loop,
        [from, to]: [IntValue<'ctx>; 2],
        most: IntValue<'ctx>,
    ) {
        let code = &self.body.code;
        let [run, more, done] = ["run", "run.more", "run.done"].map(|name| code.block(name));
        let before = code.current_block();
        code.jump(run);
        code.b.position_at_end(run);
        let at = built(code.b.build_phi(code.types.i64, "at"));
        let first = at.as_basic_value().into_int_value();
        let is_last =
            code.compare(IntPredicate::SLE, built(code.b.build_int_sub(to, first, "")), most);
        let next = code.select(is_last, to.into(), code.add_index(first, most).into());
        let next = next.into_int_value();
        let sizes = self.body.sizes.clone();
        let around = self.slice;
        let first_of_all = self.body.code.size(0);
        self.slice =
            Some(SliceSteps { from: first, to: next, first: first_of_all, is_strip: false });
        self.counted(nest, [first, next], Level::Outermost);
        self.slice = around;
        self.body.sizes = sizes;
        let code = &self.body.code;
        code.branch(is_last, done, more);
        code.b.position_at_end(more);
        code.check_cancelled();
        at.add_incoming(&[(&from, before), (&next, code.current_block())]);
        code.jump(run);
        code.b.position_at_end(done);
    }

    /// Some steps of a loop in a row. Steps outside of the ranges run one at a time, in order with the ranges. A range
    /// may run in vectors, and so may all steps of a loop that has no ranges. In the steps of other loops, the loops
    /// outside of the ranges are not vectorised: they have few steps or none, and the addresses of their vectors would
    /// take the registers of the rows.
    pub(in crate::loops) fn counted(
        &mut self,
        nest: &'p Loop,
        steps: [IntValue<'ctx>; 2],
        level: Level,
    ) {
        let Loop { counter, body, inner, release, ranges, .. } = nest;
        let (counter, procedure) = (*counter, self.procedure);
        if let Some(edged) = self.peeled_range(nest, steps[0], level) {
            return self.lower_peeled(nest, edged, (steps[1], level));
        }
        let [mut done, length] = steps;
        for range in ranges {
            let [from, to] = self.bounds(range, level);
            let run = Steps { procedure, counter, from: done, to: from, body, inner, release };
            self.outside_ranges(run, counter, level);
            if let Some(period) = &range.period {
                self.in_periods([from, to], (range, period), (counter, level));
            } else if let [Variant { body, inner, release }] = range.variants.as_slice() {
                if range.variants[0].is_empty() {
                    done = to;
                    continue;
                }
                self.in_vectors(Steps { from, to, body, inner, release, ..run }, counter, level);
            } else {
                self.in_unrolled_periods([from, to], &range.variants, counter);
            }
            done = to;
        }
        let rest = Steps { procedure, counter, from: done, to: length, body, inner, release };
        if ranges.is_empty() {
            self.in_vectors(rest, counter, level);
        } else {
            self.outside_ranges(rest, counter, level);
        }
    }

    /// Steps outside of the ranges of a loop.
    pub(in crate::loops) fn outside_ranges(
        &mut self,
        run: Steps<'ctx, 'p>,
        counter: VarId,
        level: Level,
    ) {
        let latch = self.run(run, counter);
        if let Some(latch) = latch.filter(|_| self.is_inner(level)) {
            emit::loop_metadata::has_few_steps(self.body.code.unit.context, latch);
        }
    }

    /// Whether a loop of the pass runs in the steps of another loop.
    pub(in crate::loops) fn is_inner(&self, level: Level) -> bool {
        self.level == Level::Inner || level == Level::Inner
    }

    /// The bounds of a range, cut to the slice if there is one. A range that is unrolled has whole periods.
    fn bounds(&self, range: &Range, level: Level) -> [IntValue<'ctx>; 2] {
        let bounds = [range.from, range.to].map(|bound| self.body.int(bound));
        let (Level::Outermost, Some(slice)) = (level, self.slice) else { return bounds };
        let cut = self.within_slice(bounds, slice);
        if range.variants.len() == 1 || range.period.is_some() {
            return cut;
        }
        self.whole_periods(bounds[0], cut, range.variants.len())
    }

    /// Bounds, cut to the slice.
    fn within_slice(
        &self,
        bounds: [IntValue<'ctx>; 2],
        SliceSteps { from: first, to: end, .. }: SliceSteps<'ctx>,
    ) -> [IntValue<'ctx>; 2] {
        bounds.map(|bound| self.pick("llvm.smin", [self.pick("llvm.smax", [bound, first]), end]))
    }

    /// Steps, in vectors as far as possible.
    pub(in crate::loops) fn in_vectors(
        &mut self,
        run: Steps<'ctx, 'p>,
        counter: VarId,
        level: Level,
    ) {
        if level == Level::Inner {
            let from = vector::lower_inner(self, run);
            self.run(Steps { from, ..run }, counter);
            return;
        }
        let vector::RemainingSteps { from, in_order, are_few } = vector::lower(self, run);
        let rest = Steps { from, ..run };
        let note = self.body.code.unit.notes.len() - 1;
        if from == run.from
            && let Some(behind) = strip_mining::strip_mined_guard(run, counter, self.body.function)
        {
            self.body.code.unit.notes[note].means.insert(Technique::Strips);
            let latch = self.in_strips_before(rest, counter, behind);
            self.mark(latch, note);
            return;
        }
        match in_order {
            Some(steps) if reassociates(run) => self.rest_in_order(rest, (counter, note), steps),
            Some(_) | None if from == run.from => match self.in_pairs(rest, counter) {
                Some(latch) => self.mark(latch, note),
                None => match tie_breaks::of(self, rest) {
                    Some(ties) => self.without_ties(rest, ties, (counter, note)),
                    None => self.marked(rest, (counter, note)),
                },
            },
            Some(_) | None if are_few => {
                if let Some(latch) = self.run(rest, counter) {
                    emit::loop_metadata::has_few_steps(self.body.code.unit.context, latch);
                }
            }
            Some(_) | None => self.marked(rest, (counter, note)),
        }
    }

    /// The steps that vectors leave over. Their folds keep the order that those of the vectors have, so that a result
    /// has the same bits in a vector and outside of one, wherever a slice begins. In a pass without a whole vector the
    /// order is free.
    fn rest_in_order(&mut self, rest: Steps<'ctx, 'p>, to_note: (VarId, usize), at_once: u32) {
        let steps = self.length(&self.procedure.nest.length);
        let code = &self.body.code;
        let [ordered, free, done] =
            ["rest.ordered", "rest.free", "rest.done"].map(|name| code.block(name));
        let is_short = code.compare(IntPredicate::ULT, steps, code.size(at_once.into()));
        code.branch(is_short, free, ordered);
        self.body.code.b.position_at_end(ordered);
        let around = (self.body.keeps_order, self.body.is_left_over);
        (self.body.keeps_order, self.body.is_left_over) = (true, true);
        self.marked(rest, to_note);
        (self.body.keeps_order, self.body.is_left_over) = around;
        self.body.code.jump(done);
        self.body.code.b.position_at_end(free);
        self.without_notes(|pass| pass.run(rest, to_note.0));
        self.body.code.jump(done);
        self.body.code.b.position_at_end(done);
    }

    /// Lowers steps a second time, without further notes on them.
    pub(in crate::loops) fn without_notes<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) {
        let unit = &mut self.body.code.unit;
        let (notes, remarks) = (unit.notes.len(), std::mem::replace(&mut unit.remarks, false));
        lower(self);
        let unit = &mut self.body.code.unit;
        unit.notes.truncate(notes);
        unit.remarks = remarks;
    }

    /// Steps, one at a time; what LLVM does with their loop is added to a note. They are lowered a second time where
    /// they fold rows that may be short.
    pub(super) fn marked(&mut self, run: Steps<'ctx, 'p>, to_note: (VarId, usize)) {
        match short_rows::of(self, run) {
            Some(rows) => self.with_short_rows(run, rows, to_note),
            None => self.marked_once(run, to_note),
        }
    }

    /// The same, lowered once.
    pub(in crate::loops) fn marked_once(
        &mut self,
        run: Steps<'ctx, 'p>,
        (counter, note): (VarId, usize),
    ) {
        if let Some(latch) = self.run(run, counter) {
            self.mark(latch, note);
        }
    }

    /// Adds what LLVM does with a loop to a note.
    fn mark(&self, latch: InstructionValue<'ctx>, note: usize) {
        if self.body.code.unit.remarks {
            emit::loop_metadata::mark(self.body.code.unit.context, latch, note);
        }
    }

    /// Steps, one at a time; returns the branch that repeats them.
    pub(in crate::loops) fn run(
        &mut self,
        run: Steps<'ctx, 'p>,
        counter: VarId,
    ) -> Option<InstructionValue<'ctx>> {
        if run.from == run.to {
            return None;
        }
        if let Some(latch) = self.failing_updates(run, counter) {
            return Some(latch);
        }
        let counted = self.body.code.begin_loop(run.from, run.to);
        self.step(counted.counter, (run.body, run.inner, run.release), counter);
        let latch = self.body.code.end_loop(&counted);
        self.unroll_updates(run, latch);
        Some(latch)
    }

    /// One step.
    pub(in crate::loops) fn step(
        &mut self,
        number: IntValue<'ctx>,
        (body, inner, release): (&'p [Stmt], &'p [Nest], &'p [VarId]),
        counter: VarId,
    ) {
        self.body.bind(counter, LoweredValue::Scalar(number.into()));
        let sizes = self.body.sizes.clone();
        self.inside(body, inner);
        self.release(release);
        self.body.sizes = sizes;
    }

    /// Releases the array elements that the workers of the step made.
    pub(in crate::loops) fn release(&self, made: &[VarId]) {
        for &array in made {
            self.body.code.release(self.body.var(array).array(array));
        }
    }

    fn end(&mut self, end: &'p End) {
        match end {
            End::Read { result, acc } => {
                let value = self.acc_value(*acc);
                self.body.bind(*result, value);
            }
            End::Slice { vec, length } => {
                let vector = match self.growing[*vec] {
                    Some(growing) => self.grown(*vec, growing),
                    None => self.body.var(*vec).vector(*vec).clone(),
                };
                let array = match self.written(length) {
                    None => vector,
                    // The append behind the pass cuts the array of which this vector becomes a part.
                    Some(count) if self.is_behind(*vec) => {
                        let Array { data, owner, mut shape } = vector;
                        shape[0] = count;
                        Array { data, owner, shape }
                    }
                    Some(count) => {
                        let (elem, _) = self.body.array_type(*vec);
                        self.body.code.shorten(elem, &vector, count)
                    }
                };
                self.body.bind(*vec, LoweredValue::Array(array));
            }
        }
    }

    /// Whether a vector may become shorter than it was allocated.
    fn is_cut(&self, vec: VarId) -> bool {
        let is = |end: &End| matches!(end, End::Slice { vec: cut, length } if *cut == vec && self.is_counted(length));
        self.procedure.end.iter().any(is)
    }

    fn is_counted(&self, written: &WrittenCount) -> bool {
        match written {
            WrittenCount::All => false,
            WrittenCount::Counted(_) => true,
            WrittenCount::Rows(rows, _) => self.is_counted(rows),
        }
    }

    /// Whether a vector is made behind the elements of an array.
    fn is_behind(&self, made: VarId) -> bool {
        self.procedure.start.iter().any(|start| {
            matches!(start, Start::NewVec { vec, memory: Memory::Behind(_), .. } if *vec == made)
        })
    }

    /// The extents of a vector: the first is its capacity, the others are its type's.
    fn shape(&self, vec: VarId, capacity: &Length) -> Vec<IntValue<'ctx>> {
        let Type::Array { shape, .. } = self.body.type_of(vec) else {
            panic!("{vec} is made as an array")
        };
        let rows = shape.iter().skip(1).map(|&extent| {
            self.body.extent(extent).unwrap_or_else(|| {
                panic!("the rows of {vec} have an extent that is known before they are made")
            })
        });
        std::iter::once(self.length(capacity)).chain(rows).collect()
    }

    /// Releases arrays that accumulators own and that are no results, as those of scans.
    fn release_accs(&self) {
        let read = |acc: AccId| {
            let is = |end: &End| matches!(end, End::Read { acc: read, .. } if *read == acc);
            self.procedure.end.iter().any(is)
        };
        for acc in self.procedure.accs.keys().filter(|&acc| !read(acc)) {
            if let LoweredValue::Array(array) = self.acc_value(acc) {
                self.body.code.release(&array);
            }
        }
    }
}

//! A loop whose steps change a row element by element, in vectors of the row that stay in registers from step to step
//! (loop interchange).
//!
//! Each step reads and writes all of the row. In the other order, each vector of the row goes through all steps before
//! the next vector: so the row is read and written once, and a step waits for no store of the step before. What a step
//! computes before it changes the row is computed again for each vector, so it may be a few operations only. Vectors
//! read their parts of the matrices that the steps go through, row by row. Where these are larger than the second-level
//! cache, steps stay in their order, which goes along memory.
//!
//! Invariant: each step makes each element of the row from the one at the same position, and from elements that no step
//! changes. So each element goes through the same operations in the same order. No operation on an element can fail.
//! What a step computes before may fail: then the first vectors find the first step that fails.
//!
//! ```text
//! row = loop row for k < m do map2 (\x u -> x - l[k] * u) row a[k]
//! for j in steps of 32      x0 = row[j .. j + 8], …, x3 = row[j + 24 .. j + 32]
//!   for k < m               x0 = x0 - l[k] * a[k, j .. j + 8]; …; x3 = x3 - l[k] * a[k, j + 24 .. j + 32]
//!   row[j .. j + 32] = x0, …, x3
//! the last ones the same way: they may overlap others, and are loaded before any vector is stored
//! ```

use std::collections::BTreeMap;

use arrc_fusion::cnf::{Atom, Operation, Type};
use arrc_loops::concrete::{
    End, Function, Length, Memory, Position, Procedure, Start, Step, Stmt, Worker, WrittenCount,
    def_use,
};
use arrc_syntax::ids::{AccId, VarId};
use arrc_syntax::prim::{Cost, Rounding, Scalar};
use inkwell::IntPredicate;
use inkwell::values::{BasicValue, IntValue, VectorValue};

use super::lanes::Lanes;
use super::plan::Plan;
use super::streaming_stores::Stores;
use super::vector_loop::VectorLoop;
use super::{legality, profitability, shape};
use crate::code::FunctionBuilder;
use crate::emit;
use crate::function::function_body::Body;
use crate::loops::nesting::Level;
use crate::loops::pass::{Pass, Steps};
use crate::loops::pass_scopes::lower_with_scopes;
use crate::scalar::vector_of;
use crate::target::isa::Isa;
use crate::unit::built;
use crate::value::{Array, LoweredValue};

/// The vectors of a row that go through the steps together: enough that no operation waits for the step before.
/// `scripts/bench blocked_lu` solves for rows so. Sums of the columns of 3,000 rows of 10 `f64` take 5.0 µs, before
/// 12.4 (least times, AVX-512). Other numbers were not measured.
pub(super) const VECTORS: u32 = 4;
/// The most operations of a step before it changes the row. No benchmark shows it alone.
const MAX_STEPS: usize = 16;
/// The most bytes of as many rows as there are steps: what the steps read of a matrix then stays in the second-level
/// cache. No benchmark shows it alone.
const MAX_BYTES: u64 = 256 << 10;
/// The fewest bytes of a vector. No benchmark shows it alone.
const LEAST_BYTES: u32 = 16;

/// A pass or loop whose steps change a row.
pub(crate) struct CarriedRow<'p> {
    steps: RowSteps<'p>,
    worker: &'p Worker,
    /// The worker's steps before it changes the row.
    prelude: &'p [Step],
    /// The pass that changes the row.
    inner: &'p Procedure,
    elem: Scalar,
    /// How it runs in vectors.
    pub(super) plan: Plan,
}

/// Vectors of a row that go through the steps together.
struct VectorGroup<'ctx> {
    lanes: u32,
    /// The position of the first lane of each vector.
    places: Vec<IntValue<'ctx>>,
}

impl<'ctx> VectorGroup<'ctx> {
    /// A group of `count` consecutive vectors. The first one begins at a position.
    fn at(
        code: &FunctionBuilder<'_, 'ctx, '_>,
        first: IntValue<'ctx>,
        (lanes, count): (u32, u32),
    ) -> Self {
        let place = |part: u32| code.add_index(first, code.size(u64::from(part * lanes)));
        Self { lanes, places: (0..count).map(place).collect() }
    }

    /// A group of the last `count` vectors of a row, which has at least as many elements as one vector. If the row has
    /// fewer elements than the group, the vectors overlap. Each vector lies within the row.
    fn last(
        code: &FunctionBuilder<'_, 'ctx, '_>,
        row: &Array<'ctx>,
        (lanes, count): (u32, u32),
    ) -> Self {
        let before_end = |elements: u32| {
            built(code.b.build_int_sub(row.shape[0], code.size(elements.into()), ""))
        };
        let extreme = |name, a: IntValue<'ctx>, b: IntValue<'ctx>| {
            let ty = code.types.i64.into();
            code.call_intrinsic(name, &[ty], &[a.into(), b.into()]).into_int_value()
        };
        let first = extreme("llvm.smax", before_end(lanes * count), code.size(0));
        let mut group = Self::at(code, first, (lanes, count));
        let last = before_end(lanes);
        group.places.iter_mut().for_each(|place| *place = extreme("llvm.smin", *place, last));
        group
    }
}

/// Whose steps they are.
#[derive(Clone, Copy)]
pub(crate) enum RowSteps<'p> {
    /// Those of a pass with an accumulator.
    Pass {
        acc: AccId,
        counter: VarId,
        /// The statements of a step before the worker runs.
        before: &'p [Stmt],
        /// The worker's arguments besides the accumulator.
        args: &'p [Atom],
    },
    /// Those of a loop that counts.
    Loop,
}

/// The row that the steps of a pass change, if vectors of it can go through all steps.
pub(super) fn of<'p>(run: Steps<'_, 'p>, function: &Function, isa: Isa) -> Option<CarriedRow<'p>> {
    let [before @ .., Stmt::Update { accs, worker, args, .. }] = run.body else { return None };
    let &[acc] = &accs[..] else { return None };
    let sole = run.procedure.accs.len() == 1 && run.inner.is_empty() && run.release.is_empty();
    let &row = worker.params.first()?;
    let plain = |step: &Step| is_plain(step, row, function);
    if !sole || !before.iter().all(|stmt| binds(stmt, &plain)) {
        return None;
    }
    let steps = RowSteps::Pass { acc, counter: run.procedure.nest.counter, before, args };
    carried(steps, worker, [run.from, run.to], function, isa)
}

/// The same for the steps of a loop that counts.
pub(super) fn of_loop<'ctx, 'p>(
    worker: &'p Worker,
    bounds: [IntValue<'ctx>; 2],
    function: &Function,
    isa: Isa,
) -> Option<CarriedRow<'p>> {
    (worker.params.len() == 2).then_some(())?;
    carried(RowSteps::Loop, worker, bounds, function, isa)
}

fn carried<'ctx, 'p>(
    steps: RowSteps<'p>,
    worker: &'p Worker,
    [from, to]: [IntValue<'ctx>; 2],
    function: &Function,
    isa: Isa,
) -> Option<CarriedRow<'p>> {
    let [prelude @ .., Step::Pass(inner)] = &worker.body.steps[..] else { return None };
    let (&[made], &row) = (&inner.yields[..], worker.params.first()?) else { return None };
    let Type::Array { elem, shape } = &function.tables.vars[row].ty else { return None };
    let whole = worker.body.results == [Atom::Var(made)];
    let is_short = prelude.len() <= MAX_STEPS;
    let plain = prelude.iter().all(|step| is_plain(step, row, function));
    if !(whole && shape.len() == 1 && *elem != Scalar::Bool && is_short && plain) {
        return None;
    }
    if !changes(inner, row, function) {
        return None;
    }
    let nest = &inner.nest;
    let (body, release, counter) = (&nest.body, &nest.release, nest.counter);
    // The bounds do not matter.
    let run = Steps { procedure: inner, counter, from, to, body, inner: &nest.inner, release };
    let facts = legality::facts(run, function, isa).ok()?;
    let gains = profitability::changes_row(&facts, run, Level::Inner);
    let folds = facts.roles.values().any(Option::is_some);
    if !gains || folds || facts.widest_value != elem.bytes() {
        return None;
    }
    let plan = shape::plan(facts, true, function, isa, Level::Inner).ok()?;
    Some(CarriedRow { steps, worker, prelude, inner, elem: *elem, plan })
}

/// Whether a statement binds a variable, perhaps to an element or row of an array at the position of the step.
fn binds(stmt: &Stmt, plain: &impl Fn(&Step) -> bool) -> bool {
    match stmt {
        Stmt::Position { .. } | Stmt::Copy { .. } | Stmt::Next { .. } => true,
        Stmt::Apply { worker, .. } => worker.body.steps.iter().all(plain),
        Stmt::Read { .. }
        | Stmt::Update { .. }
        | Stmt::Current { .. }
        | Stmt::Reserve { .. }
        | Stmt::Write { .. } => false,
    }
}

/// Whether a step takes a few instructions, and reads nothing of the row but its length.
fn is_plain(step: &Step, row: VarId, function: &Function) -> bool {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others take long")]
    match step {
        Step::Scalar { op: Operation::MulAdd(Rounding::Once, _), .. } => false,
        Step::Scalar { op, .. } => op.cost(&function.tables.vars) == Cost::Quick,
        Step::Index { array, .. } | Step::Row { array, .. } | Step::Slice { array, .. } => {
            *array != row
        }
        Step::Length { .. } | Step::Assert { .. } => true,
        _ => false,
    }
}

/// Whether a pass only changes a row in its place.
fn changes(inner: &Procedure, row: VarId, function: &Function) -> bool {
    let [Start::NewVec { vec, memory: Memory::Over(over), .. }] = inner.start[..] else {
        return false;
    };
    let [End::Slice { length: WrittenCount::All, .. }] = inner.end[..] else { return false };
    let nest = &inner.nest;
    let plain = nest.inner.is_empty() && nest.ranges.is_empty() && nest.release.is_empty();
    let length = |array: VarId| function.tables.vars[array].ty.shape()[0];
    let all = matches!(nest.length, Length::Array(array) if length(array) == length(row));
    let own = |index: &Position| *index == Position::Var(nest.counter);
    let is_own = |stmt: &Stmt| match stmt {
        Stmt::Next { array, index, .. } => *array != row || own(index),
        Stmt::Write { vec: written, index, .. } => *written == vec && own(index),
        Stmt::Position { .. } | Stmt::Copy { .. } => true,
        Stmt::Apply { worker, args, .. } => {
            !def_use::uses_in(worker).contains(&row) && !args.contains(&Atom::Var(row))
        }
        Stmt::Read { .. } | Stmt::Update { .. } | Stmt::Current { .. } | Stmt::Reserve { .. } => {
            false
        }
    };
    over == row && plain && all && inner.accs.is_empty() && nest.body.iter().all(is_own)
}

/// The pass or function in which the steps are.
pub(crate) trait RowContext<'u, 'ctx, 'p> {
    /// The function.
    fn body(&mut self) -> &mut Body<'u, 'ctx, 'p>;

    /// Binds what a step binds before its worker runs, and returns the worker's arguments besides the row.
    fn arguments(&mut self, steps: RowSteps<'p>, number: IntValue<'ctx>)
    -> Vec<LoweredValue<'ctx>>;
}

impl<'u, 'ctx, 'p> RowContext<'u, 'ctx, 'p> for Pass<'_, 'u, 'ctx, 'p> {
    fn body(&mut self) -> &mut Body<'u, 'ctx, 'p> {
        self.body
    }

    fn arguments(
        &mut self,
        steps: RowSteps<'p>,
        number: IntValue<'ctx>,
    ) -> Vec<LoweredValue<'ctx>> {
        let RowSteps::Pass { counter, before, args, .. } = steps else {
            panic!("the steps of a pass are in a pass")
        };
        self.body.bind_same(counter, LoweredValue::Scalar(number.into()));
        for stmt in before {
            self.stmt(stmt);
        }
        args.iter().map(|&arg| self.body.atom(arg)).collect()
    }
}

impl<'u, 'ctx, 'p> RowContext<'u, 'ctx, 'p> for Body<'u, 'ctx, 'p> {
    fn body(&mut self) -> &mut Self {
        self
    }

    fn arguments(&mut self, _: RowSteps<'p>, number: IntValue<'ctx>) -> Vec<LoweredValue<'ctx>> {
        vec![LoweredValue::Scalar(number.into())]
    }
}

/// Lowers all steps, for one vector of the row after the other; returns the first step that is left.
pub(super) fn lower<'u, 'ctx: 'u, 'p: 'u>(
    around: &mut impl RowContext<'u, 'ctx, 'p>,
    bounds: [IntValue<'ctx>; 2],
    carried: &CarriedRow<'p>,
    row: &Array<'ctx>,
) -> IntValue<'ctx> {
    let width = row.shape[0];
    let code = &around.body().code;
    let least = code.size(carried.least_lanes().into());
    let count = built(code.b.build_int_sub(bounds[1], bounds[0], ""));
    let bytes = code.product(code.product(count, width), code.size(carried.elem.bytes().into()));
    let [wide, some, near] = [
        code.compare(IntPredicate::SGE, width, least),
        code.compare(IntPredicate::SLT, bounds[0], bounds[1]),
        code.compare(IntPredicate::ULE, bytes, code.size(MAX_BYTES)),
    ];
    let [vectors, next] = ["carried", "carried.done"].map(|name| code.block(name));
    let before = code.current_block();
    let both = built(code.b.build_and(wide, some, ""));
    code.branch(built(code.b.build_and(both, near, "")), vectors, next);
    code.b.position_at_end(vectors);
    carried.short_row(around, bounds, row);
    let code = &around.body().code;
    let done = code.current_block();
    code.jump(next);
    code.b.position_at_end(next);
    let phi = built(code.b.build_phi(code.types.i64, "from"));
    phi.add_incoming(&[(&bounds[0], before), (&bounds[1], done)]);
    phi.as_basic_value().into_int_value()
}

impl<'p> CarriedRow<'p> {
    /// The name of the pass that changes the row.
    pub(super) fn name(&self) -> String {
        self.inner.name.to_string()
    }

    /// The row of a pass, in its place.
    pub(super) fn row_of<'ctx>(&self, pass: &Pass<'_, '_, 'ctx, 'p>) -> Array<'ctx> {
        let RowSteps::Pass { acc, .. } = self.steps else {
            panic!("the steps are those of a pass")
        };
        match pass.acc_value(acc) {
            LoweredValue::Array(row) => row,
            LoweredValue::Scalar(_) | LoweredValue::Vector(_) => panic!("a row is an array"),
        }
    }

    /// The fewest elements of a row that goes through the steps in vectors.
    fn least_lanes(&self) -> u32 {
        self.plan.lanes.min(LEAST_BYTES.div_ceil(self.elem.bytes()))
    }

    /// All vectors of a row. If it is shorter than a vector, they are two that have fewer lanes.
    fn short_row<'u, 'ctx: 'u>(
        &self,
        around: &mut impl RowContext<'u, 'ctx, 'p>,
        bounds: [IntValue<'ctx>; 2],
        row: &Array<'ctx>,
    ) where
        'p: 'u,
    {
        let done = around.body().code.block("carried.row");
        let shorter = |lanes: &u32| Some(lanes / 2).filter(|&lanes| lanes >= self.least_lanes());
        for lanes in std::iter::successors(Some(self.plan.lanes), shorter) {
            let code = &around.body().code;
            let [fits, shorter] = ["carried.fits", "carried.short"].map(|name| code.block(name));
            let wide = code.compare(IntPredicate::SGE, row.shape[0], code.size(lanes.into()));
            code.branch(wide, fits, shorter);
            code.b.position_at_end(fits);
            if lanes == self.plan.lanes {
                self.long_row(around, bounds, row);
            } else {
                let group = VectorGroup::last(&around.body().code, row, (lanes, 2));
                let first = self.load(around.body(), row, &group);
                let made = self.through(around, (bounds, row), (&group, &first));
                self.store(around.body(), row, (&group, &made));
            }
            let code = &around.body().code;
            code.jump(done);
            code.b.position_at_end(shorter);
        }
        // The last test is always true.
        let code = &around.body().code;
        code.jump(done);
        code.b.position_at_end(done);
    }

    /// All vectors of a row that is at least one vector.
    fn long_row<'u, 'ctx: 'u>(
        &self,
        around: &mut impl RowContext<'u, 'ctx, 'p>,
        bounds: [IntValue<'ctx>; 2],
        row: &Array<'ctx>,
    ) where
        'p: 'u,
    {
        let (width, lanes) = (row.shape[0], self.plan.lanes);
        let together = u64::from(lanes * VECTORS);
        let code = &around.body().code;
        let lasts = [2, VECTORS].map(|count| VectorGroup::last(code, row, (lanes, count)));
        let first_of_lasts =
            [&lasts[0], &lasts[1]].map(|group| self.load(around.body(), row, group));
        let code = &around.body().code;
        let mask = code.types.i64.const_int(!(together - 1), false);
        let whole = built(code.b.build_and(width, mask, ""));
        let counted = code.begin_loop(code.size(0), whole);
        let group = VectorGroup::at(code, counted.counter, (lanes, VECTORS));
        let first = self.load(around.body(), row, &group);
        let made = self.through(around, (bounds, row), (&group, &first));
        self.store(around.body(), row, (&group, &made));
        let code = &around.body().code;
        let back = code.end_loop_by(&counted, code.size(together));
        emit::loop_metadata::keep_rolled(code.unit.context, back);
        let [some, few, many, next] =
            ["some", "few", "many", "end"].map(|name| code.block(&format!("carried.{name}")));
        let left = built(code.b.build_int_sub(width, whole, ""));
        code.branch(code.compare(IntPredicate::SGT, left, code.size(0)), some, next);
        code.b.position_at_end(some);
        let is_short = code.compare(IntPredicate::SLE, left, code.size(u64::from(2 * lanes)));
        code.branch(is_short, few, many);
        for ((block, group), first) in [few, many].into_iter().zip(&lasts).zip(&first_of_lasts) {
            around.body().code.b.position_at_end(block);
            let made = self.through(around, (bounds, row), (group, first));
            self.store(around.body(), row, (group, &made));
            around.body().code.jump(next);
        }
        around.body().code.b.position_at_end(next);
    }

    /// The vectors of a group before the first step.
    fn load<'ctx>(
        &self,
        body: &Body<'_, 'ctx, '_>,
        row: &Array<'ctx>,
        group: &VectorGroup<'ctx>,
    ) -> Vec<VectorValue<'ctx>> {
        let (code, data) = (&body.code, row.data);
        let ty = vector_of(code.types.memory(self.elem), group.lanes);
        let load = |&at: &IntValue<'ctx>| {
            let loaded = built(code.b.build_load(ty, code.element(self.elem, data, at), ""));
            let load = loaded.as_instruction_value().expect("a load is an instruction");
            load.set_alignment(self.elem.bytes()).expect("loads have an alignment");
            loaded.into_vector_value()
        };
        group.places.iter().map(load).collect()
    }

    /// Stores the vectors of a group.
    fn store<'ctx>(
        &self,
        body: &Body<'_, 'ctx, '_>,
        row: &Array<'ctx>,
        (group, vectors): (&VectorGroup<'ctx>, &[VectorValue<'ctx>]),
    ) {
        let (code, data) = (&body.code, row.data);
        for (&at, &vector) in group.places.iter().zip(vectors) {
            let store = built(code.b.build_store(code.element(self.elem, data, at), vector));
            store.set_alignment(self.elem.bytes()).expect("stores have an alignment");
        }
    }

    /// The vectors of a group after all steps.
    fn through<'u, 'ctx: 'u>(
        &self,
        around: &mut impl RowContext<'u, 'ctx, 'p>,
        (bounds, row): ([IntValue<'ctx>; 2], &Array<'ctx>),
        (group, first): (&VectorGroup<'ctx>, &[VectorValue<'ctx>]),
    ) -> Vec<VectorValue<'ctx>>
    where
        'p: 'u,
    {
        let code = &around.body().code;
        let (header, done, enter) =
            (code.block("carried.step"), code.block("carried.made"), code.current_block());
        code.jump(header);
        code.b.position_at_end(header);
        let counter = built(code.b.build_phi(code.types.i64, "i"));
        counter.add_incoming(&[(&bounds[0], enter)]);
        let phi = |first: &VectorValue<'ctx>| {
            let phi = built(code.b.build_phi(first.get_type(), ""));
            phi.add_incoming(&[(first, enter)]);
            phi
        };
        let phis: Vec<_> = first.iter().map(phi).collect();
        let step = counter.as_basic_value().into_int_value();
        let vectors: Vec<_> =
            phis.iter().map(|phi| phi.as_basic_value().into_vector_value()).collect();
        let sizes = around.body().sizes.clone();
        let made = self.step(around, (step, row), (group, &vectors));
        around.body().sizes = sizes;
        let code = &around.body().code;
        let latch = code.current_block();
        for (phi, made) in phis.iter().zip(&made) {
            phi.add_incoming(&[(made, latch)]);
        }
        let next = code.add_index(step, code.size(1));
        counter.add_incoming(&[(&next, latch)]);
        let more = code.compare(IntPredicate::SLT, next, bounds[1]);
        let back = built(code.b.build_conditional_branch(more, header, done));
        emit::loop_metadata::keep_rolled(code.unit.context, back);
        code.b.position_at_end(done);
        made
    }

    /// The vectors of a group after one step.
    fn step<'u, 'ctx: 'u>(
        &self,
        around: &mut impl RowContext<'u, 'ctx, 'p>,
        (number, row): (IntValue<'ctx>, &Array<'ctx>),
        (group, vectors): (&VectorGroup<'ctx>, &[VectorValue<'ctx>]),
    ) -> Vec<VectorValue<'ctx>>
    where
        'p: 'u,
    {
        let args = around.arguments(self.steps, number);
        let body = around.body();
        let row = LoweredValue::Array(row.clone());
        for (&param, arg) in self.worker.params.iter().zip(std::iter::once(row).chain(args)) {
            body.bind_same(param, arg);
        }
        for step in self.prelude {
            body.step(step);
        }
        let row = self.worker.params[0];
        let mut made = Vec::new();
        lower_with_scopes(body, self.inner, |inner| {
            let parts = u32::try_from(vectors.len()).expect("there are a few vectors");
            let plan = Plan { lanes: group.lanes, parts, ..self.plan.clone() };
            let mut lanes =
                VectorLoop::new(inner, plan, Stores::Cached, BTreeMap::new(), Vec::new());
            lanes.place_each(&group.places);
            for (part, &vector) in vectors.iter().enumerate() {
                lanes.part = part;
                for stmt in &self.inner.nest.body {
                    match stmt {
                        Stmt::Next { elem, array, .. } if *array == row => {
                            lanes.bind(*elem, Lanes::Each(vector));
                        }
                        Stmt::Write { vec, elem, .. } => made.push(lanes.in_memory(*vec, *elem)),
                        Stmt::Next { .. }
                        | Stmt::Position { .. }
                        | Stmt::Copy { .. }
                        | Stmt::Apply { .. }
                        | Stmt::Read { .. }
                        | Stmt::Update { .. }
                        | Stmt::Current { .. }
                        | Stmt::Reserve { .. } => lanes.stmt(stmt, None),
                    }
                }
            }
        });
        made
    }
}

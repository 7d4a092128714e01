//! A loop whose steps change a row element by element, in vectors of the row that stay in registers from step to step.
//!
//! Each step reads and writes all of the row. In the other order, each vector of the row goes through all steps before
//! the next vector: so the row is read and written once, and a step waits for no store of the step before. What a step computes before it
//! changes the row is computed again for each vector, so it may be a few operations only. Vectors read their parts of the matrices that the steps go
//! through, row by row. Where these are larger than the second-level cache, steps stay in their order, which goes along memory.
//!
//! Invariant: each step makes each element of the row from the one at the same position, and from elements that no step changes. So each
//! element goes through the same operations in the same order. No operation on an element can fail. What a step computes before may fail:
//! then the first vectors find the first step that fails.
//!
//! ```text
//! row = loop row for k < m do map2 (\x u -> x - l[k] * u) row a[k]
//! for j in steps of 32      x0 = row[j .. j + 8], …, x3 = row[j + 24 .. j + 32]
//!   for k < m               x0 = x0 - l[k] * a[k, j .. j + 8]; …; x3 = x3 - l[k] * a[k, j + 24 .. j + 32]
//!   row[j .. j + 32] = x0, …, x3
//! the rest in single vectors, of which the last one overlaps the one before, and has been read at first
//! ```

use std::collections::BTreeMap;

use arrc_core::ids::{AccId, VarId};
use arrc_core::ir::cnf::{Atom, Type};
use arrc_core::ir::procedure::concrete::{
    End, Function, Length, Memory, Position, Procedure, Start, Step, Stmt, Worker, Written,
    mentions,
};
use arrc_core::prim::{Cost, Scalar};
use inkwell::IntPredicate;
use inkwell::values::{BasicValue, IntValue, VectorValue};

use super::body::VectorLoop;
use super::cache::Stores;
use super::lanes::Lanes;
use super::plan::Plan;
use super::{legality, profitability, shape};
use crate::emit;
use crate::loops::pass::{Level, Pass, Run};
use crate::loops::scalar;
use crate::scalar::vector_of;
use crate::target::isa::Isa;
use crate::unit::built;
use crate::value::{Array, LoweredValue};

/// The vectors of a row that go through the steps together: enough that no operation waits for the step before.
pub(super) const VECTORS: u32 = 4;
/// The most operations of a step before it changes the row.
const MAX_STEPS: usize = 16;
/// The most bytes of as many rows as there are steps: what the steps read of a matrix then stays in the second-level cache.
const MAX_BYTES: u64 = 256 << 10;

/// A pass whose steps change a row.
pub(super) struct Carried<'p> {
    acc: AccId,
    /// The statements of a step before it changes the row.
    before: &'p [Stmt],
    worker: &'p Worker,
    args: &'p [Atom],
    /// The worker's steps before it changes the row.
    prelude: &'p [Step],
    /// The pass that changes the row.
    inner: &'p Procedure,
    elem: Scalar,
    /// How it runs in vectors.
    pub(super) plan: Plan,
}

/// The row that the steps change, if vectors of it can go through all steps.
pub(super) fn of<'p>(run: Run<'_, 'p>, function: &Function, isa: Isa) -> Option<Carried<'p>> {
    let [before @ .., Stmt::Update { accs, worker, args, .. }] = run.body else { return None };
    let ([prelude @ .., Step::Pass(inner)], &[acc]) = (&worker.body.steps[..], &accs[..]) else {
        return None;
    };
    let sole = run.procedure.accs.len() == 1 && run.inner.is_empty() && run.release.is_empty();
    let Type::Array { elem, shape } = &run.procedure.accs[acc].ty else { return None };
    let (&[made], &row) = (&inner.yields[..], worker.params.first()?) else { return None };
    let whole = worker.body.results == [Atom::Var(made)];
    if !(sole && whole && shape.len() == 1 && *elem != Scalar::Bool) {
        return None;
    }
    let is_short = prelude.len() <= MAX_STEPS;
    let plain = |step: &Step| is_plain(step, row, function);
    let only_binds = before.iter().all(|stmt| binds(stmt, &plain, function));
    if !(is_short && only_binds && prelude.iter().all(plain) && changes(inner, row)) {
        return None;
    }
    let steps = inner_run(inner, run);
    let facts = legality::facts(steps, function, isa).ok()?;
    let gains = profitability::changes_row(&facts, steps, Level::Inner);
    let folds = facts.roles.values().any(Option::is_some);
    if !gains || folds || facts.widest_value != elem.bytes() {
        return None;
    }
    let plan = shape::plan(facts, true, function, isa, Level::Inner).ok()?;
    Some(Carried { acc, before, worker, args, prelude, inner, elem: *elem, plan })
}

/// The steps of the pass that changes the row. Their bounds do not matter.
fn inner_run<'ctx, 'p>(inner: &'p Procedure, around: Run<'ctx, 'p>) -> Run<'ctx, 'p> {
    let nest = &inner.nest;
    let (body, release) = (&nest.body, &nest.release);
    Run { procedure: inner, body, inner: &nest.inner, release, ..around }
}

/// Whether a statement binds a variable, perhaps to a row of an array, and reads no element.
fn binds(stmt: &Stmt, plain: &impl Fn(&Step) -> bool, function: &Function) -> bool {
    match stmt {
        Stmt::Position { .. } | Stmt::Copy { .. } => true,
        Stmt::Next { elem, .. } => function.tables.vars[*elem].ty.is_array(),
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
    let is_quick = |arg: Atom, cost: &dyn Fn(Scalar) -> Cost| match arg {
        Atom::Const(value) => cost(value.ty) == Cost::Quick,
        Atom::Var(var) => {
            function.tables.vars[var].ty.as_scalar().is_some_and(|ty| cost(ty) == Cost::Quick)
        }
    };
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others take long")]
    match step {
        Step::Un { op, arg, .. } => is_quick(*arg, &|ty| op.cost(ty)),
        Step::Bin { op, args, .. } => is_quick(args[0], &|ty| op.cost(ty)),
        Step::Index { array, .. } | Step::Row { array, .. } | Step::Slice { array, .. } => {
            *array != row
        }
        Step::Length { .. } | Step::Assert { .. } => true,
        _ => false,
    }
}

/// Whether a pass only changes a row in its place.
fn changes(inner: &Procedure, row: VarId) -> bool {
    let [Start::NewVec { vec, memory: Memory::Over(over), .. }] = inner.start[..] else {
        return false;
    };
    let [End::Slice { length: Written::All, .. }] = inner.end[..] else { return false };
    let nest = &inner.nest;
    let plain = nest.inner.is_empty() && nest.ranges.is_empty() && nest.release.is_empty();
    let all = nest.length == Length::Array(row) && inner.accs.is_empty();
    let own = |index: &Position| *index == Position::Var(nest.counter);
    let is_own = |stmt: &Stmt| match stmt {
        Stmt::Next { array, index, .. } => *array != row || own(index),
        Stmt::Write { vec: written, index, .. } => *written == vec && own(index),
        Stmt::Position { .. } | Stmt::Copy { .. } => true,
        Stmt::Apply { worker, args, .. } => {
            !mentions::uses_in(worker).contains(&row) && !args.contains(&Atom::Var(row))
        }
        Stmt::Read { .. } | Stmt::Update { .. } | Stmt::Current { .. } | Stmt::Reserve { .. } => {
            false
        }
    };
    over == row && plain && all && nest.body.iter().all(is_own)
}

/// Lowers all steps, for one vector of the row after the other; returns the first step that is left.
pub(super) fn lower<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Run<'ctx, 'p>,
    carried: &Carried<'p>,
) -> IntValue<'ctx> {
    let width = carried.row(pass).shape[0];
    let code = &pass.body.code;
    let lanes = code.size(carried.plan.lanes.into());
    let count = built(code.b.build_int_sub(run.to, run.from, ""));
    let bytes = code.product(code.product(count, width), code.size(carried.elem.bytes().into()));
    let [wide, some, near] = [
        code.compare(IntPredicate::SGE, width, lanes),
        code.compare(IntPredicate::SLT, run.from, run.to),
        code.compare(IntPredicate::ULE, bytes, code.size(MAX_BYTES)),
    ];
    let [vectors, next] = ["carried", "carried.done"].map(|name| code.block(name));
    let before = code.here();
    let both = built(code.b.build_and(wide, some, ""));
    code.branch(built(code.b.build_and(both, near, "")), vectors, next);
    code.b.position_at_end(vectors);
    all_vectors(pass, run, carried, width);
    let code = &pass.body.code;
    let done = code.here();
    code.jump(next);
    code.b.position_at_end(next);
    let phi = built(code.b.build_phi(code.types.i64, "from"));
    phi.add_incoming(&[(&run.from, before), (&run.to, done)]);
    phi.as_basic_value().into_int_value()
}

/// All vectors of the row.
fn all_vectors<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Run<'ctx, 'p>,
    carried: &Carried<'p>,
    width: IntValue<'ctx>,
) {
    let code = &pass.body.code;
    let lanes = carried.plan.lanes;
    let last = built(code.b.build_int_sub(width, code.size(lanes.into()), ""));
    let at_last = carried.load(pass, 1, last);
    let code = &pass.body.code;
    let together = u64::from(lanes * VECTORS);
    let whole =
        built(code.b.build_and(width, code.types.i64.const_int(!(together - 1), false), ""));
    for (from, to, parts) in [(code.size(0), whole, VECTORS), (whole, last, 1)] {
        let counted = pass.body.code.begin_loop(from, to);
        let first = carried.load(pass, parts, counted.counter);
        let made = carried.through(pass, run, counted.counter, &first);
        carried.store(pass, counted.counter, &made);
        let code = &pass.body.code;
        let back = code.end_loop_by(&counted, code.size(u64::from(lanes * parts)));
        emit::loops::keep_rolled(code.unit.context, back);
    }
    let code = &pass.body.code;
    let [left, next] = ["carried.last", "carried.end"].map(|name| code.block(name));
    code.branch(code.compare(IntPredicate::NE, whole, width), left, next);
    code.b.position_at_end(left);
    let made = carried.through(pass, run, last, &at_last);
    carried.store(pass, last, &made);
    let code = &pass.body.code;
    code.jump(next);
    code.b.position_at_end(next);
}

impl<'p> Carried<'p> {
    /// The row, in its place.
    fn row<'ctx>(&self, pass: &Pass<'_, '_, 'ctx, 'p>) -> Array<'ctx> {
        match pass.acc_value(self.acc) {
            LoweredValue::Array(row) => row,
            LoweredValue::Scalar(_) | LoweredValue::Vector(_) => panic!("a row is an array"),
        }
    }

    /// Some vectors of the row from a position on.
    fn load<'ctx>(
        &self,
        pass: &Pass<'_, '_, 'ctx, 'p>,
        parts: u32,
        at: IntValue<'ctx>,
    ) -> Vec<VectorValue<'ctx>> {
        let code = &pass.body.code;
        let data = self.row(pass).data;
        let ty = vector_of(code.types.memory(self.elem), self.plan.lanes);
        let load = |part: u32| {
            let at = code.add_index(at, code.size(u64::from(part * self.plan.lanes)));
            let loaded = built(code.b.build_load(ty, code.element(self.elem, data, at), ""));
            let load = loaded.as_instruction_value().expect("a load is an instruction");
            load.set_alignment(self.elem.bytes()).expect("loads have an alignment");
            loaded.into_vector_value()
        };
        (0..parts).map(load).collect()
    }

    /// Stores vectors of the row from a position on.
    fn store<'ctx>(
        &self,
        pass: &Pass<'_, '_, 'ctx, 'p>,
        at: IntValue<'ctx>,
        vectors: &[VectorValue<'ctx>],
    ) {
        let code = &pass.body.code;
        let data = self.row(pass).data;
        for (part, &vector) in (0..).zip(vectors) {
            let at = code.add_index(at, code.size(part * u64::from(self.plan.lanes)));
            let store = built(code.b.build_store(code.element(self.elem, data, at), vector));
            store.set_alignment(self.elem.bytes()).expect("stores have an alignment");
        }
    }

    /// The vectors of the row at a position after all steps.
    fn through<'ctx>(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, 'p>,
        run: Run<'ctx, 'p>,
        at: IntValue<'ctx>,
        first: &[VectorValue<'ctx>],
    ) -> Vec<VectorValue<'ctx>> {
        let code = &pass.body.code;
        let (header, done, enter) =
            (code.block("carried.step"), code.block("carried.made"), code.here());
        code.jump(header);
        code.b.position_at_end(header);
        let counter = built(code.b.build_phi(code.types.i64, "i"));
        counter.add_incoming(&[(&run.from, enter)]);
        let phi = |first: &VectorValue<'ctx>| {
            let phi = built(code.b.build_phi(first.get_type(), ""));
            phi.add_incoming(&[(first, enter)]);
            phi
        };
        let phis: Vec<_> = first.iter().map(phi).collect();
        let step = counter.as_basic_value().into_int_value();
        let vectors: Vec<_> =
            phis.iter().map(|phi| phi.as_basic_value().into_vector_value()).collect();
        let sizes = pass.body.sizes.clone();
        let made = self.step(pass, step, (at, &vectors));
        pass.body.sizes = sizes;
        let code = &pass.body.code;
        let latch = code.here();
        for (phi, made) in phis.iter().zip(&made) {
            phi.add_incoming(&[(made, latch)]);
        }
        let next = code.add_index(step, code.size(1));
        counter.add_incoming(&[(&next, latch)]);
        let more = code.compare(IntPredicate::SLT, next, run.to);
        let back = built(code.b.build_conditional_branch(more, header, done));
        emit::loops::keep_rolled(code.unit.context, back);
        code.b.position_at_end(done);
        made
    }

    /// The vectors of the row at a position after one step.
    fn step<'ctx>(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, 'p>,
        number: IntValue<'ctx>,
        (at, vectors): (IntValue<'ctx>, &[VectorValue<'ctx>]),
    ) -> Vec<VectorValue<'ctx>> {
        let row = pass.acc_value(self.acc);
        let counter = pass.procedure.nest.counter;
        pass.body.bind_same(counter, LoweredValue::Scalar(number.into()));
        for stmt in self.before {
            pass.stmt(stmt);
        }
        let args = self.args.iter().map(|&arg| pass.body.atom(arg)).collect::<Vec<_>>();
        for (&param, arg) in self.worker.params.iter().zip(std::iter::once(row).chain(args)) {
            pass.body.bind_same(param, arg);
        }
        for step in self.prelude {
            pass.body.step(step);
        }
        let row = self.worker.params[0];
        let mut made = Vec::new();
        scalar::within(pass.body, self.inner, |inner| {
            let parts = u32::try_from(vectors.len()).expect("there are a few vectors");
            let plan = Plan { parts, ..self.plan.clone() };
            let mut lanes =
                VectorLoop::new(inner, plan, Stores::Cached, BTreeMap::new(), Vec::new());
            lanes.place = lanes.place_at(at);
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

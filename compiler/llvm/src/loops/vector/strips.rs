//! A guard that cannot run in vectors, in a loop whose other statements can: the loop is distributed over strips.
//!
//! In each strip, the other statements run in vectors first. They store the guard's inputs of each kept step in a
//! buffer of the frame, without gaps. Then the guard runs for the kept steps, one at a time. So no branch depends on an
//! element, and the buffer stays in the first cache.
//!
//! Invariant: the guard runs for the same steps in the same order, and touches no accumulator that the other statements touch.
//! If a strip is left early because a step would fail, the guard first runs for the steps before that one.
//!
//! ```text
//! for i in 0 … n                        for strip in 0 … n by 1024
//!   x = next i xs                         for i in strip, in vectors
//!   guard (j) c with x > 0        ⇒         kept lanes of x, stored in buffer
//!     hist := hist with [x % 64] …        for x in buffer
//!                                           hist := hist with [x % 64] …
//! ```

use std::collections::BTreeSet;

use arrc_core::ids::{AccId, VarId};
use arrc_core::ir::procedure::concrete::mentions::{shaped, uses_in_guard};
use arrc_core::ir::procedure::concrete::{
    Complete, Function, Guard, Nest, Procedure, Stmt, VisitPlace, VisitStmt,
};
use arrc_core::prim::Scalar;
use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue, VectorValue};

use super::body::VectorLoop;
use super::plan::Plan;
use super::state::{Kept, phis};
use super::vector_loop;
use crate::function::ROOM;
use crate::loops::pass::{Pass, Run};
use crate::unit::built;
use crate::value::LoweredValue;

/// The most steps of a strip. The buffers of longer strips would not stay in the first cache. At the end of each strip the
/// processor mispredicts the end of the guard's loop, so strips are not shorter without need.
const STEPS: u32 = 1024;
/// The fewest steps of a strip for which the buffers pay.
const FEWEST: u32 = 256;
/// The unused elements at the end of a buffer. A vector stores all of its lanes, kept or not, so the last store may reach them.
const SLACK: u32 = 64;

/// A guard that runs behind the vectors of a strip.
#[derive(Clone, Debug)]
pub(super) struct Deferred {
    /// The guard's counter, by which it is known.
    pub(super) counter: AccId,
    /// The guard's inputs from a step.
    inputs: Vec<(VarId, Scalar)>,
}

impl Deferred {
    /// The inputs of a guard that can run behind its strip: it needs only a few scalars of its own step. `inside` are
    /// the variables of the step.
    pub(super) fn of(
        guard: &Guard,
        (procedure, function): (&Procedure, &Function),
        inside: &BTreeSet<VarId>,
    ) -> Option<Self> {
        if function.recursive || !makes_nothing(guard) {
            return None;
        }
        let uses = uses_in_guard(guard);
        let over = |array: VarId| uses.contains(&array) || writes(guard, array);
        if procedure.overwrites().any(|(vec, array)| over(vec) || over(array)) {
            return None;
        }
        let own = uses.iter().filter(|var| inside.contains(*var) && **var != guard.index);
        let input = |var: &VarId| Some((*var, function.tables.vars[*var].ty.as_scalar()?));
        let deferred =
            Self { counter: guard.counter, inputs: own.map(input).collect::<Option<_>>()? };
        (deferred.steps() >= FEWEST).then_some(deferred)
    }

    /// The number of steps of a strip, so that the buffers have room for all of them.
    pub(super) fn steps(&self) -> u32 {
        let bytes: u32 = self.inputs.iter().map(|(_, ty)| ty.bytes()).sum();
        let most = (ROOM / bytes.max(1)).saturating_sub(SLACK).min(STEPS);
        1 << most.max(1).ilog2()
    }
}

/// Whether no array is made in a guard, and it has no loops.
fn makes_nothing(guard: &Guard) -> bool {
    let makes = |stmt: &Stmt| match stmt {
        Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } => {
            worker.body.steps.iter().any(|step| !shaped(step).is_empty())
        }
        Stmt::Reserve { .. } => true,
        Stmt::Next { .. }
        | Stmt::Position { .. }
        | Stmt::Copy { .. }
        | Stmt::Read { .. }
        | Stmt::Current { .. }
        | Stmt::Write { .. } => false,
    };
    let is_plain = |nest: &Nest| matches!(nest, Nest::Guard(guard) if makes_nothing(guard));
    !guard.body.iter().any(makes) && guard.inner.iter().all(is_plain)
}

/// Whether a guard writes to an array.
fn writes(guard: &Guard, array: VarId) -> bool {
    guard.body.iter().any(|stmt| matches!(stmt, Stmt::Write { vec, .. } if *vec == array))
        || guard.inner.iter().any(|nest| matches!(nest, Nest::Guard(guard) if writes(guard, array)))
}

/// Whether the guard that runs behind touches no accumulator that another statement of the loop touches.
pub(super) fn is_separate(run: Run<'_, '_>, counter: AccId) -> bool {
    let mut accs = Accs { counter, behind: BTreeSet::new(), others: BTreeSet::new() };
    accs.inside(run.body, run.inner, false);
    accs.behind.is_disjoint(&accs.others)
}

/// The accumulators that statements read or change, of the guard that runs behind the vector loop and of the other
/// statements.
struct Accs {
    counter: AccId,
    behind: BTreeSet<AccId>,
    others: BTreeSet<AccId>,
}

impl Accs {
    fn inside(&mut self, body: &[Stmt], inner: &[Nest], is_behind: bool) {
        for stmt in body {
            let mut touched = Touched::default();
            stmt.visit(&mut touched);
            let accs = if is_behind { &mut self.behind } else { &mut self.others };
            accs.extend(touched.0);
        }
        for nest in inner {
            match nest {
                Nest::Loop(nest) => self.inside(&nest.body, &nest.inner, is_behind),
                Nest::Guard(guard) => {
                    let is_behind = is_behind || guard.counter == self.counter;
                    self.inside(&guard.body, &guard.inner, is_behind);
                }
            }
        }
    }
}

/// The accumulators that a statement sees or changes.
#[derive(Default)]
struct Touched(BTreeSet<AccId>);

impl VisitPlace<'_> for Touched {
    fn acc(&mut self, acc: &AccId) {
        self.0.insert(*acc);
    }
}

impl VisitStmt<'_, Complete> for Touched {
    fn change(&mut self, acc: &AccId) {
        self.0.insert(*acc);
    }
}

/// The buffers of a strip, one for each input of the guard.
pub(super) fn buffers<'ctx>(
    pass: &mut Pass<'_, '_, 'ctx, '_>,
    plan: &Plan,
) -> Vec<PointerValue<'ctx>> {
    let Some(deferred) = &plan.facts.deferred else { return Vec::new() };
    let frame = pass.body.buffer();
    let code = &pass.body.code;
    let mut at = 0;
    let place = |(_, ty): &(VarId, Scalar)| {
        let data = code.element(Scalar::U8, frame, code.size(at));
        at += u64::from((deferred.steps() + SLACK) * ty.bytes());
        data
    };
    deferred.inputs.iter().map(place).collect()
}

/// The strips from the loop's first step up to `end`, each with the guard behind it. Returns the first step that is
/// left.
pub(super) fn strips<'ctx, 'p>(
    vectors: &mut VectorLoop<'_, '_, '_, 'ctx, 'p>,
    run: Run<'ctx, 'p>,
    (deferred, guard): (&Deferred, &'p Guard),
    end: IntValue<'ctx>,
) -> IntValue<'ctx> {
    let code = &vectors.pass.body.code;
    let (header, done) = (code.block("strip"), code.block("strips.done"));
    let enter = code.here();
    code.jump(header);
    code.b.position_at_end(header);
    let first = built(code.b.build_phi(code.types.i64, "first"));
    first.add_incoming(&[(&run.from, enter)]);
    let mut before = vectors.state.clone();
    let mut state = before.clone();
    let phis = phis(code, &mut state, [(&mut before, enter)]);
    vectors.state = state;
    let code = &vectors.pass.body.code;
    let from = first.as_basic_value().into_int_value();
    let whole = code.add_index(from, code.size(deferred.steps().into()));
    let least =
        code.call_intrinsic("llvm.umin", &[code.types.i64.into()], &[whole.into(), end.into()]);
    let to = least.into_int_value();
    let made = vector_loop(vectors, Run { from, ..run }, to);
    vectors.run_behind(deferred, guard);
    let code = &vectors.pass.body.code;
    let latch = code.here();
    first.add_incoming(&[(&made, latch)]);
    for (phi, value) in phis.iter().zip(vectors.state.clone().values()) {
        phi.add_incoming(&[(value, latch)]);
    }
    let code = &vectors.pass.body.code;
    let is_whole = code.compare(IntPredicate::EQ, made, to);
    let is_more = code.compare(IntPredicate::ULT, made, end);
    code.branch(built(code.b.build_and(is_whole, is_more, "")), header, done);
    code.b.position_at_end(done);
    made
}

/// The guard with that counter.
pub(super) fn guard_of(inner: &[Nest], counter: AccId) -> Option<&Guard> {
    inner.iter().find_map(|nest| match nest {
        Nest::Guard(guard) if guard.counter == counter => Some(guard),
        Nest::Guard(Guard { inner, .. }) => guard_of(inner, counter),
        Nest::Loop(nest) => guard_of(&nest.inner, counter),
    })
}

impl<'ctx, 'p> VectorLoop<'_, '_, '_, 'ctx, 'p> {
    /// Stores the inputs of the guard behind the strip for the kept lanes, in all parts.
    pub(super) fn defer(&mut self, deferred: &Deferred, kept: &[Kept<'ctx>]) {
        let seen = self.state.behind[deferred.counter][0].into_int_value();
        for (part, kept) in kept.iter().enumerate() {
            self.part = part;
            let code = &self.pass.body.code;
            let at = built(code.b.build_int_sub(kept.position, seen, ""));
            for (number, &(var, ty)) in deferred.inputs.iter().enumerate() {
                let lanes = self.lanes_in_memory(ty, self.input(var));
                let code = &mut self.pass.body.code;
                let lanes = code.kept(self.isa, lanes, kept.flags, kept.bits);
                let place = code.element(ty, self.buffers[number], at);
                let store = built(code.b.build_store(place, lanes));
                store.set_alignment(ty.bytes()).expect("stores have an alignment");
            }
        }
    }

    /// The value of a variable in each lane; the loop's counter is the position.
    fn input(&self, var: VarId) -> VectorValue<'ctx> {
        if var == self.pass.procedure.nest.counter {
            self.positions_here()
        } else {
            self.each_var(var)
        }
    }

    /// Runs the guard for the kept steps of the strip, one step at a time.
    fn run_behind(&mut self, deferred: &Deferred, guard: &'p Guard) {
        let kept = self.state.accs[deferred.counter][0].into_int_value();
        let seen = self.state.behind[deferred.counter][0].into_int_value();
        let buffers = self.buffers.clone();
        let code = &self.pass.body.code;
        let count = built(code.b.build_int_sub(kept, seen, ""));
        let counted = code.begin_loop(code.size(0), count);
        for (&(var, ty), buffer) in deferred.inputs.iter().zip(buffers) {
            let code = &self.pass.body.code;
            let place = code.element(ty, buffer, counted.counter);
            let value = code.load(code.types.memory(ty), place, "");
            let value = code.in_register(ty, value);
            self.pass.body.bind_same(var, LoweredValue::Scalar(value));
        }
        let index = self.pass.body.code.add_index(seen, counted.counter);
        self.pass.body.bind(guard.index, LoweredValue::Scalar(index.into()));
        self.pass.guarded(guard);
        self.pass.body.code.end_loop(&counted);
        self.state.behind[deferred.counter][0] = kept.into();
    }
}

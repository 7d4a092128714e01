//! Guards that run behind a strip of steps: which guards can, and the steps that were kept.
//!
//! The other statements of a strip run first. They store the guard's inputs of each kept step in a buffer of the frame,
//! without gaps. Then the guard runs for the kept steps, one at a time. [`crate::loops::vector`] runs the other
//! statements in vectors. Where it cannot, [`super::strip_mining`] runs them one step at a time, without a branch on
//! the flag.
//!
//! Invariant: the guard runs for the same steps in the same order, and touches no accumulator that the other statements
//! touch.
//!
//! ```text
//! guard (j) c with p { hist := hist with [x % 64] … }   ⇒   the input of a step: x
//! ```

use std::collections::BTreeSet;

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::def_use::{shaped, uses_in_guard};
use arrc_loops::concrete::{
    Complete, Function, Guard, Nest, Procedure, Stmt, VisitPlace, VisitStmt,
};
use arrc_syntax::ids::{AccId, VarId};
use arrc_syntax::prim::{Const, Scalar};
use inkwell::values::{IntValue, PointerValue};

use crate::function::function_body::ROOM;
use crate::loops::pass::{Pass, Steps};
use crate::loops::scalar::strip_buffers::DeferredGuard;
use crate::value::LoweredValue;

/// The most steps of a strip. The buffers of longer strips would not stay in the first cache. At the end of each strip
/// the processor mispredicts the end of the guard's loop, so strips are not shorter without need.
/// `scripts/bench filtered_histogram_i64` has such strips: 0.60 of the time of C at 32,768 numbers (medians of 9
/// rounds). Other lengths were not measured.
const STEPS: u32 = 1024;
/// The fewest steps of a strip for which the buffers pay. No benchmark shows it alone.
const FEWEST: u32 = 256;
/// The unused elements at the end of a buffer. A vector stores all of its lanes, kept or not, so the last store may
/// reach them.
const SLACK: u32 = 64;

impl DeferredGuard {
    /// The inputs of a guard that can run behind its strip: it needs only a few scalars of its own step. `step` is the
    /// counter of the loop, and `inside` are the variables of the step.
    pub(in crate::loops) fn of(
        guard: &Guard,
        (procedure, function): (&Procedure, &Function),
        (step, inside): (VarId, &BTreeSet<VarId>),
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
        let inputs = own.map(input).collect::<Option<_>>()?;
        let keeps_all = guard.flag == Atom::Const(Const::bool(true));
        let deferred = Self { counter: guard.counter, step, keeps_all, inputs };
        (deferred.steps() >= FEWEST).then_some(deferred)
    }

    /// The number of steps of a strip, so that the buffers have room for all of them.
    pub(in crate::loops) fn steps(&self) -> u32 {
        let bytes: u32 = self.inputs.iter().map(|(_, ty)| ty.bytes()).sum();
        let most = (ROOM / bytes.max(1)).saturating_sub(SLACK).min(STEPS);
        1 << most.max(1).ilog2()
    }
    /// The buffers of a strip, one for each input of the guard.
    pub(in crate::loops) fn buffers<'ctx>(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, '_>,
    ) -> Vec<PointerValue<'ctx>> {
        let frame = pass.body.buffer();
        let code = &pass.body.code;
        let mut at = 0;
        let place = |(_, ty): &(VarId, Scalar)| {
            let data = code.element(Scalar::U8, frame, code.size(at));
            at += u64::from((self.steps() + SLACK) * ty.bytes());
            data
        };
        self.inputs.iter().map(place).collect()
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
pub(in crate::loops) fn is_separate(run: Steps<'_, '_>, counter: AccId) -> bool {
    let mut accs = AccumulatorUses { counter, behind: BTreeSet::new(), others: BTreeSet::new() };
    accs.inside(run.body, run.inner, false);
    accs.behind.is_disjoint(&accs.others)
}

/// The accumulators that statements read or change, of the guard that runs behind the vector loop and of the other
/// statements.
struct AccumulatorUses {
    counter: AccId,
    behind: BTreeSet<AccId>,
    others: BTreeSet<AccId>,
}

impl AccumulatorUses {
    fn inside(&mut self, body: &[Stmt], inner: &[Nest], is_behind: bool) {
        for stmt in body {
            let mut touched = TouchedAccumulators::default();
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
struct TouchedAccumulators(BTreeSet<AccId>);

impl VisitPlace<'_> for TouchedAccumulators {
    fn acc(&mut self, acc: &AccId) {
        self.0.insert(*acc);
    }
}

impl VisitStmt<'_, Complete> for TouchedAccumulators {
    fn change(&mut self, acc: &AccId) {
        self.0.insert(*acc);
    }
}

/// The guard with that counter.
pub(in crate::loops) fn guard_of(inner: &[Nest], counter: AccId) -> Option<&Guard> {
    inner.iter().find_map(|nest| match nest {
        Nest::Guard(guard) if guard.counter == counter => Some(guard),
        Nest::Guard(Guard { inner, .. }) => guard_of(inner, counter),
        Nest::Loop(nest) => guard_of(&nest.inner, counter),
    })
}

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// Runs a guard for the kept steps in the buffers, one step at a time. `seen` is the guard's counter before them.
    pub(in crate::loops) fn run_kept(
        &mut self,
        (deferred, guard): (&DeferredGuard, &'p Guard),
        buffers: &[PointerValue<'ctx>],
        [seen, count]: [IntValue<'ctx>; 2],
    ) {
        let code = &self.body.code;
        let counted = code.begin_loop(code.size(0), count);
        for (&(var, ty), &buffer) in deferred.inputs.iter().zip(buffers) {
            let code = &self.body.code;
            let place = code.element(ty, buffer, counted.counter);
            let value = code.load(code.types.memory(ty), place, "");
            let value = code.in_register(ty, value);
            self.body.bind_same(var, LoweredValue::Scalar(value));
        }
        let index = self.body.code.add_index(seen, counted.counter);
        self.body.bind(guard.index, LoweredValue::Scalar(index.into()));
        self.guarded(guard);
        self.body.code.end_loop(&counted);
    }
}

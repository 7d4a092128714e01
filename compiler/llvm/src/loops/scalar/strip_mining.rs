//! Strips of steps with a guard behind each of them, where the steps cannot run in vectors (strip mining, loop
//! distribution).
//!
//! A flag that depends on an element is often mispredicted, and a misprediction takes longer than a few steps. So the
//! steps of a strip store the guard's inputs whether the flag holds or not, and count on only where it does. Then the
//! guard runs for the kept steps, see [`super::strip_guards`]. A guard around this one becomes a part of the flag, if
//! its other statements may run always.
//!
//! Invariant: the statements that run before the guard of an earlier step cannot fail.
//!
//! ```text
//! for i in 0 … n                            for strip in 0 … n by 1024
//!   s := if b then x else s + x               for i in strip
//!   guard (j) c with p                  ⇒       s := if b then x else s + x
//!     guard (k) d with s > 0                    store s, buffer[kept]; kept = kept + (p && s > 0)
//!       hist := hist with [s] …               for s in buffer up to kept
//!                                               hist := hist with [s] …
//! ```

use std::collections::BTreeSet;

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::{Function, Guard, Nest, Stmt};
use arrc_syntax::ids::VarId;
use inkwell::IntPredicate;
use inkwell::values::{InstructionValue, IntValue};

use super::guards::split;
use super::strip_buffers::{DeferredGuard, StripGuard};
use super::strip_guards::{guard_of, is_separate};
use crate::loops::pass::{Pass, Steps};
use crate::unit::built;

/// The steps in an iteration of a strip's loop. They share what they compute of neighbours, such as flags of elements
/// that several steps read. With four, `word_lengths_i64` took 2.15 of the time of C at 32,768 numbers, and 2.4 with
/// one (least times, AVX2). That was before its scan ran in vectors, so no benchmark shows it alone now.
const TOGETHER: u64 = 4;

/// The guard of some steps that runs behind strips of them, if one does.
pub(super) fn strip_mined_guard<'p>(
    run: Steps<'_, 'p>,
    counter: VarId,
    function: &Function,
) -> Option<(DeferredGuard, &'p Guard)> {
    let [Nest::Guard(first)] = run.inner else { return None };
    if !run.release.is_empty() || !run.body.iter().all(|stmt| is_sure(stmt, function)) {
        return None;
    }
    let mut inside: BTreeSet<VarId> = run.body.iter().flat_map(Stmt::defines).collect();
    inside.insert(counter);
    let mut guard = first;
    while let Some(inner) = sole_nested_guard(guard, function) {
        inside.insert(guard.index);
        inside.extend(guard.body.iter().flat_map(Stmt::defines));
        guard = inner;
    }
    let is_chosen = matches!(guard.flag, Atom::Var(_)) && !is_flat(guard, function);
    let deferred = DeferredGuard::of(guard, (run.procedure, function), (counter, &inside))
        .filter(|_| is_chosen)?;
    is_separate(run, deferred.counter).then_some((deferred, guard))
}

/// The guard in a guard that does nothing else but run statements that may run always.
fn sole_nested_guard<'p>(guard: &'p Guard, function: &Function) -> Option<&'p Guard> {
    let [Nest::Guard(inner)] = guard.inner.as_slice() else { return None };
    (has_flat_body(guard, function) && guard.release.is_empty()).then_some(inner)
}

fn is_flat(guard: &Guard, function: &Function) -> bool {
    guard.inner.is_empty() && has_flat_body(guard, function)
}

fn has_flat_body(guard: &Guard, function: &Function) -> bool {
    split(guard, |var| function.tables.vars[var].ty.is_array()).1.is_empty()
}

/// Whether a statement cannot fail, and makes no array.
fn is_sure(stmt: &Stmt, function: &Function) -> bool {
    match stmt {
        Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } => {
            worker.body.steps.iter().all(|step| step.is_pure_choice(&function.tables.vars))
        }
        Stmt::Next { .. }
        | Stmt::Position { .. }
        | Stmt::Copy { .. }
        | Stmt::Current { .. }
        | Stmt::Write { .. } => true,
        Stmt::Read { .. } | Stmt::Reserve { .. } => false,
    }
}

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// Runs steps in strips, each with a guard behind it. Returns the branch that repeats the steps of a strip.
    pub(super) fn in_strips_before(
        &mut self,
        run: Steps<'ctx, 'p>,
        counter: VarId,
        (deferred, guard): (DeferredGuard, &'p Guard),
    ) -> InstructionValue<'ctx> {
        let buffers = deferred.buffers(self);
        let code = &self.body.code;
        let kept = code.alloca(code.types.i64.into(), "kept");
        let [header, strip, done] =
            ["strip.header", "strip", "strips.done"].map(|name| code.block(name));
        let enter = code.current_block();
        code.jump(header);
        code.b.position_at_end(header);
        let phi = built(code.b.build_phi(code.types.i64, "first"));
        phi.add_incoming(&[(&run.from, enter)]);
        let first = phi.as_basic_value().into_int_value();
        let left = built(code.b.build_int_sub(run.to, first, ""));
        code.branch(code.compare(IntPredicate::SGT, left, code.size(0)), strip, done);
        code.b.position_at_end(strip);
        let most = code.size(deferred.steps().into());
        let i64 = code.types.i64.into();
        let steps = code.call_intrinsic("llvm.umin", &[i64], &[left.into(), most.into()]);
        let steps = steps.into_int_value();
        let end = code.add_index(first, steps);
        code.store(kept, code.size(0));
        let seen = self.acc(deferred.counter).into_int_value();
        let behind = StripGuard { deferred: deferred.clone(), buffers: buffers.clone(), kept };
        self.behind = Some(behind);
        let strip = Steps { from: first, to: end, ..run };
        let back = self.steps_together(strip, counter, (TOGETHER, &[]));
        self.behind = None;
        let code = &self.body.code;
        let count = code.load(code.types.i64, kept, "").into_int_value();
        self.run_kept((&deferred, guard), &buffers, [seen, count]);
        let code = &self.body.code;
        phi.add_incoming(&[(&end, code.current_block())]);
        code.jump(header);
        code.b.position_at_end(done);
        back
    }

    /// Whether a guard runs behind the strip that is being lowered.
    pub(super) fn is_behind_strip(&self, guard: &Guard) -> bool {
        let behind = self.behind.as_ref();
        behind.is_some_and(|behind| behind.deferred.counter == guard.counter)
    }

    /// The guard in a guard that does nothing else, if that guard or one inside it runs behind the strip.
    pub(super) fn strip_guard_around(&self, guard: &'p Guard) -> Option<&'p Guard> {
        let counter = self.behind.as_ref()?.deferred.counter;
        guard_of(&guard.inner, counter)?;
        sole_nested_guard(guard, self.body.function)
    }

    /// Stores the inputs of a step for the guard behind the strip, and counts the step if the flag holds.
    pub(super) fn store_guard_inputs(&self, flag: IntValue<'ctx>) {
        let Some(behind) = &self.behind else { return };
        let code = &self.body.code;
        let kept = code.load(code.types.i64, behind.kept, "").into_int_value();
        for (&(var, ty), &buffer) in behind.deferred.inputs.iter().zip(&behind.buffers) {
            let value = self.body.scalar(Atom::Var(var));
            code.store(code.element(ty, buffer, kept), code.in_memory(ty, value));
        }
        let entered = built(code.b.build_int_z_extend(flag, code.types.i64, ""));
        code.store(behind.kept, code.add_index(kept, entered));
    }
}

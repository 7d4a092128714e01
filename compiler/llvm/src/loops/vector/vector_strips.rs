//! A guard that cannot run in vectors, in a loop whose other statements can: the loop is distributed over strips.
//!
//! In each strip, the other statements run in vectors first. They store the guard's inputs of each kept step in a
//! buffer of the frame, without gaps. Then the guard runs for the kept steps, one at a time. So no branch depends on an
//! element, and the buffer stays in the first cache.
//!
//! Invariant: the guard runs for the same steps in the same order, and touches no accumulator that the other statements
//! touch. If a strip is left early because a step would fail, the guard first runs for the steps before that one.
//!
//! ```text
//! for i in 0 … n                        for strip in 0 … n by 1024
//!   x = next i xs                         for i in strip, in vectors
//!   guard (j) c with x > 0        ⇒         kept lanes of x, stored in buffer
//!     hist := hist with [x % 64] …        for x in buffer
//!                                           hist := hist with [x % 64] …
//! ```

use arrc_loops::concrete::Guard;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;
use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue, VectorValue};

use super::plan::Plan;
use super::state::{KeptLanes, phis};
use super::vector_iterations::vector_loop;
use super::vector_loop::VectorLoop;
use crate::loops::pass::{Pass, Steps};
use crate::loops::scalar::strip_buffers::DeferredGuard;
use crate::unit::built;

/// The bytes of a cache line.
const LINE: u32 = 64;

/// The buffers of a strip, one for each input of the guard.
pub(super) fn buffers<'ctx>(
    pass: &mut Pass<'_, '_, 'ctx, '_>,
    plan: &Plan,
) -> Vec<PointerValue<'ctx>> {
    let Some(deferred) = &plan.facts.deferred else { return Vec::new() };
    deferred.buffers(pass)
}

/// The strips from the loop's first step up to `end`, each with the guard behind it. Returns the first step that is
/// left.
pub(super) fn strips<'ctx, 'p>(
    vectors: &mut VectorLoop<'_, '_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    (deferred, guard): (&DeferredGuard, &'p Guard),
    end: IntValue<'ctx>,
) -> IntValue<'ctx> {
    let code = &vectors.pass.body.code;
    let (header, done) = (code.block("strip"), code.block("strips.done"));
    let enter = code.current_block();
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
    let made = vector_loop(vectors, Steps { from, ..run }, to);
    vectors.run_behind(deferred, guard);
    let code = &vectors.pass.body.code;
    let latch = code.current_block();
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

impl<'ctx, 'p> VectorLoop<'_, '_, '_, 'ctx, 'p> {
    /// Stores the inputs of the guard behind the strip for the kept lanes, in all parts.
    pub(super) fn defer(&mut self, deferred: &DeferredGuard, kept: &[KeptLanes<'ctx>]) {
        let seen = self.state.behind[deferred.counter][0].into_int_value();
        for (part, kept) in kept.iter().enumerate() {
            self.part = part;
            let code = &self.pass.body.code;
            let at = built(code.b.build_int_sub(kept.position, seen, ""));
            for (number, &(var, ty)) in deferred.inputs.iter().enumerate() {
                let lanes = self.lanes_in_memory(ty, self.input(var, deferred.step));
                let code = &mut self.pass.body.code;
                let lanes = if deferred.keeps_all {
                    lanes
                } else {
                    code.kept(self.isa, lanes, kept.flags, kept.bits)
                };
                let place = code.element(ty, self.buffers[number], at);
                let store = built(code.b.build_store(place, lanes));
                store.set_alignment(ty.bytes()).expect("stores have an alignment");
            }
        }
    }

    /// Asks for the lines of an array that the next strip loads where this one loads `steps` elements. While the guard
    /// runs, the processor sees no loads of the array, and would begin each strip with lines that no cache holds.
    pub(super) fn prefetch_next_strip(&self, elem: Scalar, data: PointerValue<'ctx>, steps: u32) {
        let Some(deferred) = &self.plan.facts.deferred else { return };
        let bytes = steps * elem.bytes();
        let before = u32::try_from(self.part).expect("a step has few parts") * bytes;
        let code = &self.pass.body.code;
        let here = code.element(elem, data, self.at());
        let next = deferred.steps() * elem.bytes();
        for line in (0..bytes).filter(|byte| (before + byte).is_multiple_of(LINE)) {
            code.prefetch(here, u64::from(next + line));
        }
    }

    /// The value of a variable in each lane; the loop's counter `step` is the position.
    fn input(&self, var: VarId, step: VarId) -> VectorValue<'ctx> {
        if var == step { self.positions_here() } else { self.each_var(var) }
    }

    /// Runs the guard for the kept steps of the strip.
    fn run_behind(&mut self, deferred: &DeferredGuard, guard: &'p Guard) {
        let kept = self.state.accs[deferred.counter][0].into_int_value();
        let seen = self.state.behind[deferred.counter][0].into_int_value();
        let count = built(self.pass.body.code.b.build_int_sub(kept, seen, ""));
        self.pass.run_kept((deferred, guard), &self.buffers, [seen, count]);
        self.state.behind[deferred.counter][0] = kept.into();
    }
}

//! Deferred inner guards, see [`super::deferred_guards`]. They run when the outer guard is [`BEHIND`] elements ahead,
//! for whole vectors, and after the loop once more for the rest.
//!
//! Invariant: the progress of the inner guard is part of the loop's state: if a step is left early, neither guard has
//! seen it.

use arrc_loops::concrete::{Guard, Nest};
use arrc_syntax::ids::VarId;
use inkwell::IntPredicate;
use inkwell::values::{BasicValue, IntValue, VectorValue};

use super::deferred_guards::DeferredInputs;
use super::lanes::Lanes;
use super::state::{AccumulatorState, KeptLanes, phis};
use super::vector_loop::VectorLoop;
use crate::loops::pass::Steps;
use crate::scalar::vector_of;
use crate::unit::built;

/// How many elements the outer guard is ahead when the inner ones run. A loop over fewer elements would end before the
/// branch predictor has learnt its length. `scripts/bench nested_filter_i32` took 0.65 to 0.8 of the time before where
/// up to half is kept. Other distances were not measured.
const BEHIND: u64 = 512;

impl<'ctx, 'p> VectorLoop<'_, '_, '_, 'ctx, 'p> {
    /// Runs the guards in a guard up to the last whole vectors, if it is far ahead.
    pub(super) fn run_lagging_guards(&mut self, guard: &'p Guard, behind: &DeferredInputs) {
        let code = &self.pass.body.code;
        let ahead = self.unprocessed_elements(guard);
        let is_far = code.compare(IntPredicate::UGE, ahead, code.size(BEHIND));
        let [far, near] = ["vector.behind", "vector.near"].map(|name| code.block(name));
        let from = code.current_block();
        code.branch(is_far, far, near);
        code.b.position_at_end(far);
        let mut before = self.state.clone();
        self.whole_vectors(guard, behind);
        let code = &self.pass.body.code;
        let caught_up = code.current_block();
        code.jump(near);
        code.b.position_at_end(near);
        let mut after = self.state.clone();
        self.meet([(&mut before, from), (&mut after, caught_up)]);
    }

    /// After the loop: runs every deferred inner guard for the remaining elements.
    pub(super) fn finish_inner_guards(&mut self, run: Steps<'ctx, 'p>) {
        self.finish_inner_guards_in(run.inner);
    }

    fn finish_inner_guards_in(&mut self, inner: &'p [Nest]) {
        for nest in inner {
            let Nest::Guard(guard) = nest else { continue };
            if let Some(behind) = self.plan.facts.behind.get(&guard.counter).cloned() {
                self.whole_vectors(guard, &behind);
                self.rest(guard, &behind);
            }
            self.finish_inner_guards_in(&guard.inner);
        }
    }

    /// How many elements a guard has kept that the guards in it have not seen.
    fn unprocessed_elements(&self, guard: &Guard) -> IntValue<'ctx> {
        let (kept, seen) = (self.state.accs[guard.counter][0], self.processed_elements(guard));
        built(self.pass.body.code.b.build_int_sub(kept.into_int_value(), seen, ""))
    }

    fn processed_elements(&self, guard: &Guard) -> IntValue<'ctx> {
        self.state.behind[guard.counter][0].into_int_value()
    }

    /// Runs the guards in a guard for whole steps of vectors that it has kept.
    fn whole_vectors(&mut self, guard: &'p Guard, behind: &DeferredInputs) {
        let code = &self.pass.body.code;
        let step = u64::from(self.plan.lanes * self.plan.parts);
        let [header, inside, done] = ["vector.kept.step", "vector.kept.inside", "vector.kept.done"]
            .map(|name| code.block(name));
        let enter = code.current_block();
        code.jump(header);
        code.b.position_at_end(header);
        let mut first = self.state.clone();
        let mut state = first.clone();
        let phis = phis(&self.pass.body.code, &mut state, [(&mut first, enter)]);
        self.state = state.clone();
        let code = &self.pass.body.code;
        let more =
            code.compare(IntPredicate::UGE, self.unprocessed_elements(guard), code.size(step));
        code.branch(more, inside, done);
        code.b.position_at_end(inside);
        let from = self.processed_elements(guard);
        self.run_inner_guards(guard, behind, None);
        let code = &self.pass.body.code;
        self.state.behind[guard.counter][0] = code.add_index(from, code.size(step)).into();
        let latch = code.current_block();
        for (phi, value) in phis.iter().zip(self.state.values()) {
            phi.add_incoming(&[(value, latch)]);
        }
        let code = &self.pass.body.code;
        code.jump(header);
        code.b.position_at_end(done);
        self.state = state;
    }

    /// Runs the guards in a guard for the kept elements that they have not seen, which are fewer than a step has.
    fn rest(&mut self, guard: &'p Guard, behind: &DeferredInputs) {
        let ahead = self.unprocessed_elements(guard);
        let lanes = u64::from(self.plan.lanes);
        let kept: Vec<_> = (0..u64::from(self.plan.parts))
            .map(|part| {
                let code = &self.pass.body.code;
                let first = code.splat(code.size(part * lanes).into(), self.plan.lanes);
                let lane = code.lanes_op(
                    inkwell::values::InstructionOpcode::Add,
                    first,
                    code.count_up(self.plan.lanes),
                );
                let ahead = code.splat(ahead.into(), self.plan.lanes);
                let flags = code.lanes_compare(IntPredicate::ULT, lane, ahead);
                let (bits, position) = (code.wide_bits(flags), self.processed_elements(guard));
                KeptLanes { flags, bits, position, index: None }
            })
            .collect();
        self.run_inner_guards(guard, behind, Some(&kept));
        self.state.behind[guard.counter][0] = self.state.accs[guard.counter][0];
    }

    /// The guards in a guard, for a step of vectors of its kept elements, where the flags hold.
    fn run_inner_guards(
        &mut self,
        guard: &'p Guard,
        behind: &DeferredInputs,
        kept: Option<&[KeptLanes<'ctx>]>,
    ) {
        let here = std::mem::take(&mut self.place);
        self.place = self.place_at(self.processed_elements(guard));
        for part in 0..self.plan.parts as usize {
            self.part = part;
            let flags = kept.map(|kept| kept[part].flags);
            for (&var, &vec) in &behind.stored {
                let lanes = self.reload(vec, flags);
                self.bind(var, Lanes::Each(lanes));
            }
            for &at in &behind.again {
                self.stmt_where(&guard.body[at], flags);
            }
        }
        self.inside(&[], &guard.inner, kept);
        self.place = here;
    }

    /// The elements that were stored at the lanes' positions; any value where the flags do not hold.
    pub(super) fn reload(&self, vec: VarId, flags: Option<VectorValue<'ctx>>) -> VectorValue<'ctx> {
        let body = &self.pass.body;
        let code = &body.code;
        let (elem, _) = body.array_type(vec);
        let at = code.element(elem, body.var(vec).vector(vec).data, self.at());
        let ty = vector_of(code.types.memory(elem), self.plan.lanes);
        let loaded = match flags {
            None => built(code.b.build_load(ty, at, "")),
            Some(flags) => {
                let ptr = at.get_type().into();
                let zero = ty.const_zero().into();
                code.call_intrinsic(
                    "llvm.masked.load",
                    &[ty.into(), ptr],
                    &[at.into(), flags.into(), zero],
                )
            }
        };
        let load = loaded.as_instruction_value().expect("a load is an instruction");
        if flags.is_none() {
            load.set_alignment(elem.bytes()).expect("loads have an alignment");
        }
        if let Some(aliasing) = &body.aliasing {
            aliasing.describe_own(code, load, vec);
        }
        self.in_registers(elem, loaded.into_vector_value())
    }

    /// Goes on with a state that has come from several blocks.
    pub(super) fn meet<const N: usize>(
        &mut self,
        incoming: [(&mut AccumulatorState<'ctx>, inkwell::basic_block::BasicBlock<'ctx>); N],
    ) {
        let mut state = self.state.clone();
        phis(&self.pass.body.code, &mut state, incoming);
        self.state = state;
    }
}

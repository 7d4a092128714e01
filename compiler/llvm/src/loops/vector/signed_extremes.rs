//! The least and greatest floats where zeros have signs, with two instructions for an element.
//!
//! `f64.min` orders -0 before +0, and ignores NaN. Processors without such an instruction need four of them. But the
//! sign matters only if the result is zero. So the loop takes the instruction that ignores the sign, and beside it the
//! `or` of all signs for a minimum, the `and` of all signs for a maximum. Only if the minimum is +0, and something has
//! a sign, the loop runs again, with all four instructions: that may be a -0, or a NaN.
//!
//! Invariant: the second loop begins with the same state as the first, and the first one has changed nothing in memory.
//!
//! ```text
//! s := f64.min s x      s = x < s ? x : s; signs |= x        after the loop: again if s is +0.0 and signs < 0
//! ```

use arrc_loops::concrete::{Nest, Stmt};
use arrc_syntax::ids::AccId;
use arrc_syntax::prim::BinOp;
use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, InstructionOpcode, IntValue, VectorValue};

use super::lanes::has_range;
use super::plan::{LoopFacts, Plan, Role};
use super::state::AccumulatorState;
use super::vector_loop::{Extremes, VectorLoop};
use crate::loops::pass::{Pass, Steps, begins_as_number, stmts};
use crate::loops::scalar::signed_zeros::Zero;
use crate::unit::built;

/// Whether a loop may run twice, and gains if it finds extremes without the signs of zeros first.
pub(super) fn extremes(pass: &Pass<'_, '_, '_, '_>, plan: &Plan, run: Steps<'_, '_>) -> Extremes {
    let LoopFacts { roles, loops, may_fail, tiled, behind, deferred, .. } = &plan.facts;
    let may_repeat = |role: &Option<Role>| {
        matches!(role, None | Some(Role::Each(_) | Role::Count | Role::Counter))
    };
    let changes = |stmt: &&Stmt| matches!(stmt, Stmt::Write { .. } | Stmt::Reserve { .. });
    let runs_once = *loops
        || *may_fail
        || *tiled
        || !behind.is_empty()
        || deferred.is_some()
        || run.inner.iter().any(|nest| matches!(nest, Nest::Loop(_)))
        || stmts(run).iter().any(changes)
        || !roles.values().all(may_repeat);
    let gains = || pass.procedure.accs.keys().any(|acc| has_sign(pass, plan, acc).is_some());
    if !runs_once && gains() { Extremes::Apart } else { Extremes::Exact }
}

/// The operation of an accumulator that is an extreme, if the sign of a zero costs instructions.
fn has_sign(pass: &Pass<'_, '_, '_, '_>, plan: &Plan, acc: AccId) -> Option<BinOp> {
    let Some(Role::Each(op @ (BinOp::Min | BinOp::Max))) = plan.facts.roles[acc] else {
        return None;
    };
    let ty = pass.acc_type(acc);
    let is_costly = ty.is_float()
        && begins_as_number(pass.procedure, acc)
        && pass.zero(acc) == Zero::EitherSign
        && !has_range(pass.body.code.unit.isa, ty, plan.lanes);
    is_costly.then_some(op)
}

impl<'ctx> VectorLoop<'_, '_, '_, 'ctx, '_> {
    /// The operation of an accumulator whose zeros have no sign in this loop.
    fn unsigned_extreme(&self, acc: AccId) -> Option<BinOp> {
        match self.extremes {
            Extremes::Exact => None,
            Extremes::Apart => has_sign(self.pass, &self.plan, acc),
        }
    }

    /// The signs of an accumulator's elements before the first one: none for a minimum, all for a maximum.
    pub(super) fn first_signs(&self, acc: AccId) -> Vec<BasicValueEnum<'ctx>> {
        let signs = |op| {
            let bits = self.pass.acc_type(acc).bits_type().expect("a float has bits");
            let none = if op == BinOp::Min { 0 } else { -1 };
            self.pass.body.code.constant_lanes(bits, none, self.plan.lanes).into()
        };
        self.unsigned_extreme(acc).map(signs).into_iter().collect()
    }

    /// An accumulator combined with an element without the sign of zeros. The sign of the element is noted beside it.
    pub(super) fn combine_unsigned(
        &mut self,
        acc: AccId,
        old: VectorValue<'ctx>,
        elem: VectorValue<'ctx>,
    ) -> Option<VectorValue<'ctx>> {
        let op = self.unsigned_extreme(acc)?;
        let code = &self.pass.body.code;
        let seen = self.state.signs[acc][0].into_vector_value();
        let how = if op == BinOp::Min { InstructionOpcode::Or } else { InstructionOpcode::And };
        let bits = built(code.b.build_bit_cast(elem, seen.get_type(), "")).into_vector_value();
        self.state.signs[acc][0] = code.lanes_op(how, seen, bits).into();
        Some(code.nearer(op, [old.into(), elem.into()]).into_vector_value())
    }

    /// Whether an extreme is a zero whose sign the loop has not found.
    pub(super) fn sign_is_unknown(&self, state: &AccumulatorState<'ctx>) -> IntValue<'ctx> {
        let code = &self.pass.body.code;
        let accs = self.pass.procedure.accs.keys();
        let open = accs.filter_map(|acc| {
            let op = self.unsigned_extreme(acc)?;
            let found = code.lane(self.over_lanes(acc, op, &state.accs[acc]), 0);
            let signs = state.signs[acc][0].into_vector_value();
            let ty = signs.get_type().get_element_type().into_int_type();
            let found = built(code.b.build_bit_cast(found, ty, "")).into_int_value();
            let signed =
                code.lanes_compare(IntPredicate::SLT, signs, signs.get_type().const_zero());
            // The sign of a zero alone is the least integer.
            let sign = ty.const_int(1 << (ty.get_bit_width() - 1), false);
            let (zero, other) = if op == BinOp::Min {
                (ty.const_zero(), code.any(signed))
            } else {
                (sign, code.any(built(code.b.build_not(signed, ""))))
            };
            let is_zero = code.compare(IntPredicate::EQ, found, zero);
            Some(built(code.b.build_and(is_zero, other, "")))
        });
        open.reduce(|a, b| built(code.b.build_or(a, b, ""))).expect("an extreme has signs")
    }
}

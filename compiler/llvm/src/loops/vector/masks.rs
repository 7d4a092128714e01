//! Flags that a loop carries from step to step. If the machine has no mask registers, they are as wide as the other
//! lanes, as comparisons make them, so that they need not be made narrower and wider in each step.
//!
//! Invariant: all bits of a lane are the flag.
//!
//! ```text
//! s := s || x > y, f64   ⇒   s: <4 x i64> = or s, sext (fcmp ogt x, y)
//! ```

use std::num::NonZeroU32;

use inkwell::IntPredicate;
use inkwell::types::VectorType;
use inkwell::values::{InstructionOpcode, IntValue, VectorValue};

use super::vector_loop::VectorLoop;
use crate::code::FunctionBuilder;
use crate::target::isa::Isa;
use crate::unit::built;

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// The flags of wide ones.
    pub(super) fn is_set(&self, wide: VectorValue<'ctx>) -> VectorValue<'ctx> {
        self.lanes_compare(IntPredicate::SLT, wide, wide.get_type().const_zero())
    }
}

impl<'ctx> VectorLoop<'_, '_, '_, 'ctx, '_> {
    /// Flags in the form that a loop carries. Its other values have that many bytes.
    pub(super) fn as_mask(&self, flags: VectorValue<'ctx>, bytes: u32) -> VectorValue<'ctx> {
        if self.isa == Isa::Avx512 { flags } else { self.wide(flags, bytes) }
    }

    /// Flags as integers of that many bytes.
    pub(super) fn wide(&self, flags: VectorValue<'ctx>, bytes: u32) -> VectorValue<'ctx> {
        let code = &self.pass.body.code;
        let bits = NonZeroU32::new(8 * bytes.max(1));
        let int = bits.and_then(|bits| code.unit.context.custom_width_int_type(bits).ok());
        let int = int.expect("scalars have a width");
        built(code.b.build_int_s_extend(flags, int.vec_type(self.plan.lanes), ""))
    }

    /// The flags of a mask.
    pub(super) fn of_mask(&self, mask: VectorValue<'ctx>) -> VectorValue<'ctx> {
        if self.isa == Isa::Avx512 { mask } else { self.pass.body.code.is_set(mask) }
    }

    /// The mask or itself shifted by `distance` lanes. A mask register is an integer with a bit for each lane, so an
    /// integer shift moves the lanes. For a shuffle, LLVM would expand the register to a vector of integers.
    pub(super) fn or_before(&self, mask: VectorValue<'ctx>, distance: u32) -> VectorValue<'ctx> {
        let code = &self.pass.body.code;
        let lanes = mask.get_type().get_size();
        if self.isa != Isa::Avx512 {
            // The first lanes come from the second vector.
            let order = (0..lanes).map(|at| if at < distance { lanes } else { at - distance });
            let before = code.shuffle(mask, mask.get_type().const_zero(), order);
            return code.lanes_op(InstructionOpcode::Or, mask, before);
        }
        let bits = code.bits(mask);
        let distance = bits.get_type().const_int(distance.into(), false);
        let before = built(code.b.build_left_shift(bits, distance, ""));
        let both = built(code.b.build_or(bits, before, ""));
        built(code.b.build_bit_cast(both, mask.get_type(), "")).into_vector_value()
    }

    /// A mask that is also set in the first lanes.
    pub(super) fn with_first(&self, mask: VectorValue<'ctx>, first: u32) -> VectorValue<'ctx> {
        let code = &self.pass.body.code;
        let ty = mask.get_type().get_element_type().into_int_type();
        let flag = |at| if at < first { ty.const_all_ones() } else { ty.const_zero() };
        let flags: Vec<_> = (0..self.plan.lanes).map(flag).collect();
        code.lanes_op(InstructionOpcode::Or, mask, VectorType::const_vector(&flags))
    }

    /// Whether a flag of a mask holds in any lane.
    pub(super) fn any_of_mask(&self, mask: VectorValue<'ctx>) -> IntValue<'ctx> {
        let code = &self.pass.body.code;
        if self.isa == Isa::Avx512 {
            return code.any(mask);
        }
        let ty = mask.get_type().into();
        let any = code.call_intrinsic("llvm.vector.reduce.or", &[ty], &[mask.into()]);
        let any = any.into_int_value();
        code.compare(IntPredicate::NE, any, any.get_type().const_zero())
    }
}

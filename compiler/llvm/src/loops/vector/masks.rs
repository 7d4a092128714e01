//! Flags that a loop carries from step to step. If the machine has no mask registers, they are as wide as the other lanes,
//! as comparisons make them, so that they need not be made narrower and wider in each step.
//!
//! Invariant: all bits of a lane are the flag.
//!
//! ```text
//! s := s || x > y, f64   ⇒   s: <4 x i64> = or s, sext (fcmp ogt x, y)
//! ```

use std::num::NonZeroU32;

use inkwell::IntPredicate;
use inkwell::values::{IntValue, VectorValue};

use super::body::VectorLoop;
use crate::code::Code;
use crate::target::isa::Isa;
use crate::unit::built;

impl<'ctx> Code<'_, 'ctx, '_> {
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

//! Flags that a loop carries from step to step. If the machine has no mask registers, they are as wide as the other lanes,
//! as comparisons make them, so that they need not be made narrower and wider in each step.
//!
//! Invariant: all bits of a lane are the flag.
//!
//! ```text
//! s := s || x > y, f64   ⇒   s: <4 x i64> = or s, sext (fcmp ogt x, y)
//! ```

use inkwell::IntPredicate;
use inkwell::values::{IntValue, VectorValue};

use super::body::VectorLoop;
use crate::target::isa::Isa;
use crate::unit::built;

impl<'ctx> VectorLoop<'_, '_, '_, 'ctx, '_> {
    /// Flags in the form that a loop carries, beside values of so many bytes.
    pub(super) fn as_mask(&self, flags: VectorValue<'ctx>, bytes: u32) -> VectorValue<'ctx> {
        if self.isa == Isa::Avx512 {
            return flags;
        }
        let code = &self.pass.body.code;
        let bits = std::num::NonZeroU32::new(8 * bytes.max(1));
        let int = bits.and_then(|bits| code.unit.context.custom_width_int_type(bits).ok());
        let int = int.expect("scalars have a width");
        built(code.b.build_int_s_extend(flags, int.vec_type(self.plan.lanes), ""))
    }

    /// The flags of a mask.
    pub(super) fn of_mask(&self, mask: VectorValue<'ctx>) -> VectorValue<'ctx> {
        if self.isa == Isa::Avx512 {
            return mask;
        }
        let zero = mask.get_type().const_zero();
        self.pass.body.code.lanes_compare(IntPredicate::SLT, mask, zero)
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

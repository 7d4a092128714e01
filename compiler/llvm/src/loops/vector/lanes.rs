//! Values of several steps at once, and the operations on them.
//!
//! Invariant: an operation gives in each lane the result of [`crate::scalar`] for that lane's operands. It never traps,
//! since the caller replaces divisors of zero.
//!
//! ```text
//! x + 1 : i32, 8 lanes     add <8 x i32> %x, splat (i32 1)
//! ```

use arrc_syntax::prim::{BinOp, Scalar};
use inkwell::types::VectorType;
use inkwell::values::{BasicValueEnum, InstructionOpcode, IntValue, VectorValue};
use inkwell::{FloatPredicate, IntPredicate};

use crate::code::FunctionBuilder;
use crate::loops::scalar::signed_zeros::Zero;
use crate::scalar::vector_of;
use crate::target::isa::Isa;
use crate::unit::built;

/// The value of a variable in the steps that run together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lanes<'ctx> {
    /// The same in all steps.
    Same(BasicValueEnum<'ctx>),
    /// One value for each step.
    Each(VectorValue<'ctx>),
}

impl<'ctx> Lanes<'ctx> {
    /// The value, or the vector of values.
    pub(super) fn value(self) -> BasicValueEnum<'ctx> {
        match self {
            Self::Same(value) => value,
            Self::Each(value) => value.into(),
        }
    }

    /// Another value of the same kind.
    pub(super) fn like(self, value: BasicValueEnum<'ctx>) -> Self {
        match self {
            Self::Same(_) => Self::Same(value),
            Self::Each(_) => Self::Each(value.into_vector_value()),
        }
    }
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// The lanes of two vectors that `order` names, those of the second after those of the first.
    pub(super) fn shuffle(
        &self,
        a: VectorValue<'ctx>,
        b: VectorValue<'ctx>,
        order: impl Iterator<Item = u32>,
    ) -> VectorValue<'ctx> {
        let order: Vec<_> =
            order.map(|at| self.types.i32.const_int(u64::from(at), false)).collect();
        built(self.b.build_shuffle_vector(a, b, VectorType::const_vector(&order), ""))
    }

    /// One lane.
    pub(super) fn lane(&self, of: VectorValue<'ctx>, lane: u32) -> BasicValueEnum<'ctx> {
        let lane = self.types.i32.const_int(u64::from(lane), false);
        built(self.b.build_extract_element(of, lane, ""))
    }

    /// 0, 1, 2, … as `i64`.
    pub(super) fn count_up(&self, lanes: u32) -> VectorValue<'ctx> {
        self.lanes_of(lanes, |lane| lane)
    }

    /// A number for each lane, as `i64`.
    pub(super) fn lanes_of(&self, lanes: u32, number: impl Fn(u32) -> u32) -> VectorValue<'ctx> {
        let numbers: Vec<_> = (0..lanes).map(|at| self.size(u64::from(number(at)))).collect();
        VectorType::const_vector(&numbers)
    }

    /// Whether a flag holds in any lane.
    pub(super) fn any(&self, flags: VectorValue<'ctx>) -> IntValue<'ctx> {
        let bits = self.bits(flags);
        self.compare(IntPredicate::NE, bits, bits.get_type().const_zero())
    }

    /// The flags as the bits of an integer, the first lane's lowest.
    pub(super) fn bits(&self, flags: VectorValue<'ctx>) -> IntValue<'ctx> {
        let lanes = flags.get_type().get_size();
        let width = std::num::NonZeroU32::new(lanes).expect("a vector has lanes");
        let ty = self.unit.context.custom_width_int_type(width).expect("integers are that wide");
        built(self.b.build_bit_cast(flags, ty, "")).into_int_value()
    }

    /// The same as an `i64`.
    pub(super) fn wide_bits(&self, flags: VectorValue<'ctx>) -> IntValue<'ctx> {
        built(self.b.build_int_z_extend_or_bit_cast(self.bits(flags), self.types.i64, ""))
    }

    /// How many bits of an `i64` are set.
    pub(super) fn count_of(&self, bits: IntValue<'ctx>) -> IntValue<'ctx> {
        let i64 = self.types.i64.into();
        self.call_intrinsic("llvm.ctpop", &[i64], &[bits.into()]).into_int_value()
    }

    /// `cond ? a : b` in each lane.
    pub(super) fn blend(
        &self,
        cond: VectorValue<'ctx>,
        a: VectorValue<'ctx>,
        b: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        built(self.b.build_select(cond, a, b, "")).into_vector_value()
    }

    /// An instruction on two vectors.
    pub(super) fn lanes_op(
        &self,
        op: InstructionOpcode,
        a: VectorValue<'ctx>,
        b: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        built(self.b.build_binop(op, a, b, "")).into_vector_value()
    }

    /// A comparison of integers.
    pub(super) fn lanes_compare(
        &self,
        how: IntPredicate,
        a: VectorValue<'ctx>,
        b: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        built(self.b.build_int_compare(how, a, b, ""))
    }

    fn lanes_float_compare(
        &self,
        how: FloatPredicate,
        a: VectorValue<'ctx>,
        b: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        built(self.b.build_float_compare(how, a, b, ""))
    }

    fn lanes_cast(
        &self,
        how: InstructionOpcode,
        x: VectorValue<'ctx>,
        to: Scalar,
    ) -> VectorValue<'ctx> {
        let ty = vector_of(self.types.scalar(to), x.get_type().get_size());
        built(self.b.build_cast(how, x, ty, "")).into_vector_value()
    }

    /// An intrinsic on vectors of one type, and further arguments that are no vectors.
    fn lanes_intrinsic(&self, name: &str, args: &[BasicValueEnum<'ctx>]) -> VectorValue<'ctx> {
        let ty = args.first().expect("intrinsics have an argument").get_type();
        self.call_intrinsic(name, &[ty], args).into_vector_value()
    }

    /// A constant in each lane.
    pub(super) fn constant_lanes(&self, ty: Scalar, value: i64, lanes: u32) -> VectorValue<'ctx> {
        let bits = if ty.is_float() {
            #[allow(clippy::cast_precision_loss, reason = "-1, 0 and 1")]
            self.types.float(ty).const_float(value as f64).into()
        } else {
            self.types.int(ty).const_int(value.cast_unsigned(), true).into()
        };
        self.splat(bits, lanes)
    }

    /// The smaller or larger of floats. The first operands are not NaN; where the second ones are, the result is the
    /// first. Of zeros the negative one is the smaller.
    ///
    /// It takes two instructions and one comparison, where LLVM's `minimumnum` takes eight. Equal floats have the same
    /// bits except the sign of zeros, so `or` and `and` of the bits give the right zero. With AVX-512 it takes one
    /// instruction, and one more that all extremes of the same vector share. Where no zero is negative, it takes one
    /// instruction.
    pub(super) fn lanes_extreme_of(
        &self,
        op: BinOp,
        ty: Scalar,
        [number, other]: [VectorValue<'ctx>; 2],
        zero: Zero,
    ) -> VectorValue<'ctx> {
        let least = op == BinOp::Min;
        if zero == Zero::Positive {
            return self.nearer(op, [number.into(), other.into()]).into_vector_value();
        }
        if self.has_range(ty, number) {
            return self.lanes_range(least, ty, number, other);
        }
        let join = if least { InstructionOpcode::Or } else { InstructionOpcode::And };
        let extreme = self.nearer(op, [number.into(), other.into()]).into_vector_value();
        let is_same = self.lanes_float_compare(FloatPredicate::OEQ, other, extreme);
        let bits = ty.bits_type().expect("a float has bits");
        let as_bits = |x| self.lanes_cast(InstructionOpcode::BitCast, x, bits);
        let joined = self.lanes_op(join, as_bits(other), as_bits(extreme));
        let joined = self.lanes_cast(InstructionOpcode::BitCast, joined, ty);
        self.blend(is_same, joined, extreme)
    }

    /// The smaller or larger of two floats in each lane. Both may be NaN. None where the processor has no instruction
    /// for it.
    pub(crate) fn lanes_extreme(
        &self,
        op: BinOp,
        ty: Scalar,
        [a, b]: [BasicValueEnum<'ctx>; 2],
    ) -> Option<BasicValueEnum<'ctx>> {
        let is_one = a.is_vector_value() && self.has_range(ty, a.into_vector_value());
        is_one.then(|| {
            let a = self.lanes_intrinsic("llvm.canonicalize", &[a]);
            self.lanes_range(op == BinOp::Min, ty, a, b.into_vector_value()).into()
        })
    }

    /// Whether the smaller or larger of such lanes is one instruction.
    fn has_range(&self, ty: Scalar, lanes: VectorValue<'ctx>) -> bool {
        has_range(self.unit.isa, ty, lanes.get_type().get_size())
    }

    /// The same in one instruction. For a signalling NaN it would give a quiet NaN, instead of the number. So the other
    /// operands are multiplied by 1, which makes such NaNs quiet.
    fn lanes_range(
        &self,
        least: bool,
        ty: Scalar,
        number: VectorValue<'ctx>,
        other: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        // The operand selects the minimum or the maximum, with the sign of the result.
        let how = self.types.i32.const_int(if least { 0b0100 } else { 0b0101 }, false);
        let lanes = number.get_type().get_size();
        let suffix = if ty == Scalar::F64 { "pd" } else { "ps" };
        let bytes = lanes * ty.bytes();
        // Masks have at least eight bits.
        let all = std::num::NonZeroU32::new(lanes.max(8));
        let all = all.and_then(|bits| self.unit.context.custom_width_int_type(bits).ok());
        let all = all.expect("integers are that wide").const_all_ones();
        let other = self.lanes_intrinsic("llvm.canonicalize", &[other.into()]);
        let mut args = vec![number.into(), other.into(), how.into(), number.into(), all.into()];
        if bytes == 64 {
            let current_rounding = self.types.i32.const_int(4, false);
            args.push(current_rounding.into());
        }
        let name = format!("llvm.x86.avx512.mask.range.{suffix}.{}", 8 * bytes);
        self.call_intrinsic(&name, &[], &args).into_vector_value()
    }
}

/// Whether the smaller or larger of two vectors of floats is one instruction.
pub(super) fn has_range(isa: Isa, ty: Scalar, lanes: u32) -> bool {
    isa == Isa::Avx512 && matches!(lanes * ty.bytes(), 16 | 32 | 64)
}

//! Operations on integers and truth values, of one value or in each lane.
//!
//! Invariant: all arithmetic wraps, so no instruction here says `nsw` or `nuw`.

use arrc_syntax::prim::{Const, Relation, Scalar};
use inkwell::IntPredicate;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, InstructionOpcode as I, IntValue};

use super::float::float_predicate;
use super::shaped::in_shape_of;
use crate::code::FunctionBuilder;
use crate::unit::built;

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    pub(super) fn negate(&self, ty: Scalar, x: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        if !ty.is_float() {
            self.instruction(I::Sub, [self.zero_like(x), x])
        } else if x.is_vector_value() {
            built(self.b.build_float_neg(x.into_vector_value(), "")).into()
        } else {
            built(self.b.build_float_neg(x.into_float_value(), "")).into()
        }
    }

    pub(super) fn complement(&self, x: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        if x.is_vector_value() {
            built(self.b.build_not(x.into_vector_value(), "")).into()
        } else {
            built(self.b.build_not(x.into_int_value(), "")).into()
        }
    }

    /// The magnitude of an integer. The lowest integer stays itself, since its negation wraps.
    pub(crate) fn magnitude(&self, ty: Scalar, x: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        if !ty.is_signed() {
            return x;
        }
        self.intrinsic_on("llvm.abs", &[x, self.types.i1.const_zero().into()])
    }

    /// A number of bits, as an `i32`. Some of LLVM's functions take a flag for zero, which has no set bit: for it, the
    /// result is the width.
    pub(super) fn bit_count(&self, name: &str, x: IntValue<'ctx>) -> IntValue<'ctx> {
        let defined = self.types.i1.const_zero().into();
        let args = if name == "llvm.ctpop" { vec![x.into()] } else { vec![x.into(), defined] };
        let count = self.intrinsic_on(name, &args).into_int_value();
        let ty = self.types.int(Scalar::I32);
        if x.get_type().get_bit_width() < ty.get_bit_width() {
            built(self.b.build_int_z_extend(count, ty, ""))
        } else {
            built(self.b.build_int_truncate_or_bit_cast(count, ty, ""))
        }
    }

    /// The upper half of the product, which is computed in twice the width.
    pub(super) fn upper_half(
        &self,
        ty: Scalar,
        args: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        let bits = ty.bytes() * 8;
        let wide = std::num::NonZeroU32::new(2 * bits).expect("integers have bits");
        let wide = self.unit.context.custom_width_int_type(wide);
        let wide = wide.expect("LLVM has integers of all widths");
        let wide_lanes = in_shape_of(wide.into(), args[0]);
        let extend = if ty.is_signed() { I::SExt } else { I::ZExt };
        let to = |how, x, ty: BasicTypeEnum<'ctx>| built(self.b.build_cast(how, x, ty, ""));
        let product = self.instruction(I::Mul, args.map(|x| to(extend, x, wide_lanes)));
        let distance = self.spread(wide.const_int(u64::from(bits), false).into(), args[0]);
        let upper = self.instruction(I::LShr, [product, distance]);
        to(I::Trunc, upper, args[0].get_type())
    }

    /// -1, 0 or 1.
    pub(super) fn int_sign(&self, ty: Scalar, x: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        let is = |how| self.cast(I::ZExt, self.compare_ints(how, [x, self.zero_like(x)]), ty);
        if !ty.is_signed() {
            return is(IntPredicate::NE);
        }
        self.instruction(I::Sub, [is(IntPredicate::SGT), is(IntPredicate::SLT)])
    }

    /// An unsigned number in the order of the integers: the sign bit is inverted, so that it is 1 for integers that are
    /// not negative.
    pub(super) fn int_order(&self, ty: Scalar, x: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        if !ty.is_signed() {
            return x;
        }
        self.instruction(I::Xor, [x, self.constant_like(Const::lowest(ty), x)])
    }

    /// A shift by the amount modulo the width: LLVM leaves longer shifts undefined.
    pub(super) fn shift(
        &self,
        how: I,
        ty: Scalar,
        [a, amount]: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        let longest = self.constant_like(Const::int(ty, (8 * ty.bytes() - 1).into()), a);
        self.instruction(how, [a, self.instruction(I::And, [amount, longest])])
    }

    /// The four divisions, by a divisor that is not zero: rounded down or towards zero, the quotient or the
    /// remainder.
    pub(super) fn divide(
        &self,
        ty: Scalar,
        [down, remainder]: [bool; 2],
        [a, b]: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        if !ty.is_signed() {
            // Rounding down and rounding towards zero are the same.
            return self.instruction(if remainder { I::URem } else { I::UDiv }, [a, b]);
        }
        let b = self.without_overflow(ty, [a, b]);
        if !down {
            return self.instruction(if remainder { I::SRem } else { I::SDiv }, [a, b]);
        }
        let (wrong, rest) = self.rounds_up([a, b]);
        if remainder {
            let corrected = self.instruction(I::Add, [rest, b]);
            return self.select(wrong, corrected, rest);
        }
        let quotient = self.instruction(I::SDiv, [a, b]);
        self.instruction(I::Sub, [quotient, self.cast(I::ZExt, wrong, ty)])
    }

    /// A divisor with the same results that does not trap. The lowest integer by -1 traps in hardware. Its quotient
    /// wraps to the lowest integer and its remainder is 0, as with the divisor 1, which is used instead.
    fn without_overflow(
        &self,
        ty: Scalar,
        [a, b]: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        let minus_one = self.constant_like(Const::int(ty, -1), b);
        if b.is_int_value() && b.into_int_value().is_const() && b != minus_one {
            return b;
        }
        let lowest = self.constant_like(Const::lowest(ty), a);
        let by_minus_one = self.compare_ints(IntPredicate::EQ, [b, minus_one]);
        let is_lowest = self.compare_ints(IntPredicate::EQ, [a, lowest]);
        let overflows = self.instruction(I::And, [by_minus_one, is_lowest]);
        self.select(overflows, self.constant_like(Const::int(ty, 1), b), b)
    }

    /// Whether a division towards zero has rounded up, and its remainder. It has rounded up if the remainder is not
    /// zero and does not have the sign of the divisor.
    fn rounds_up(
        &self,
        [a, b]: [BasicValueEnum<'ctx>; 2],
    ) -> (BasicValueEnum<'ctx>, BasicValueEnum<'ctx>) {
        let remainder = self.instruction(I::SRem, [a, b]);
        let zero = self.zero_like(a);
        let inexact = self.compare_ints(IntPredicate::NE, [remainder, zero]);
        let signs = self.instruction(I::Xor, [remainder, b]);
        let other_sign = self.compare_ints(IntPredicate::SLT, [signs, zero]);
        (self.instruction(I::And, [inexact, other_sign]), remainder)
    }

    /// A comparison.
    pub(super) fn relate(
        &self,
        relation: Relation,
        ty: Scalar,
        args: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        if ty.is_float() {
            self.compare_floats(float_predicate(relation), args)
        } else {
            self.compare_ints(predicate(relation, ty.is_signed()), args)
        }
    }
}

/// LLVM's comparison of integers.
fn predicate(relation: Relation, signed: bool) -> IntPredicate {
    match (relation, signed) {
        (Relation::Eq, _) => IntPredicate::EQ,
        (Relation::Ne, _) => IntPredicate::NE,
        (Relation::Lt, true) => IntPredicate::SLT,
        (Relation::Lt, false) => IntPredicate::ULT,
        (Relation::Le, true) => IntPredicate::SLE,
        (Relation::Le, false) => IntPredicate::ULE,
        (Relation::Gt, true) => IntPredicate::SGT,
        (Relation::Gt, false) => IntPredicate::UGT,
        (Relation::Ge, true) => IntPredicate::SGE,
        (Relation::Ge, false) => IntPredicate::UGE,
    }
}

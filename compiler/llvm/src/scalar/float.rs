//! Operations on floats, of one value or in each lane.
//!
//! Invariant: every operation is one of IEEE 754, an elementary function, or a function of the C library; no flag
//! relaxes it here.

use arrc_syntax::prim::{BinOp, Const, Relation, Scalar};
use inkwell::values::{BasicValue, BasicValueEnum, InstructionOpcode};
use inkwell::{FloatPredicate, IntPredicate};

use super::elementary::ElementaryFunction;
use super::limits::constant;
use crate::code::FunctionBuilder;
use crate::target::isa::Isa;

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    pub(super) fn is_infinite(&self, ty: Scalar, x: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        let infinity = self.constant_like(Const::highest(ty), x);
        let magnitude = self.intrinsic_on("llvm.fabs", &[x]);
        self.compare_floats(FloatPredicate::OEQ, [magnitude, infinity])
    }

    /// The bits of a float. All NaNs have the same bits, since machines differ in the NaNs that they make.
    pub(super) fn float_bits(&self, ty: Scalar, x: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        let bits = ty.bits_type().expect("a float has bits");
        let nan = Const { ty: bits, bits: Const::float(ty, f64::NAN).bits };
        let own = self.cast(InstructionOpcode::BitCast, x, bits);
        self.select(self.is_nan(x), self.constant_like(nan, x), own)
    }

    /// An unsigned number in the order of the floats: all bits of a negative float are inverted, and only the sign bit
    /// of the others. Adding 0 first turns a negative zero into zero. All NaNs are above the other floats.
    pub(super) fn float_order(
        &self,
        bits: Scalar,
        x: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        use InstructionOpcode as I;
        let signed = if bits == Scalar::U32 { Scalar::I32 } else { Scalar::I64 };
        let own = self.instruction(I::FAdd, [x, self.zero_like(x)]);
        let own = self.cast(I::BitCast, own, bits);
        let width = Const::int(bits, i128::from(bits.bytes() * 8 - 1));
        let negative = self.instruction(I::AShr, [own, self.constant_like(width, x)]);
        let sign = self.constant_like(Const::lowest(signed), x);
        let turned = self.instruction(I::Xor, [own, self.instruction(I::Or, [negative, sign])]);
        self.select(self.is_nan(x), self.constant_like(Const::highest(bits), x), turned)
    }

    /// `x * x` for the exponent 2, as LLVM does for a constant 2; otherwise arithmetic or C's function.
    pub(super) fn float_pow(
        &self,
        ty: Scalar,
        [x, y]: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        let square = self.instruction(InstructionOpcode::FMul, [x, x]);
        let power = || {
            if ty == Scalar::F32 {
                self.elementary(ElementaryFunction::Pow, ty, &[x, y])
            } else {
                self.library("pow", ty, &[x, y])
            }
        };
        let constant = y.is_float_value().then(|| y.into_float_value().get_constant()).flatten();
        match constant {
            Some((2.0, _)) => square,
            Some(_) => power(),
            None => {
                let two = self.constant_like(Const::float(ty, 2.0), y);
                let is_two = self.compare_floats(FloatPredicate::OEQ, [y, two]);
                self.select(is_two, square, power())
            }
        }
    }

    /// The smaller or larger number, or the other operand if one is NaN.
    ///
    /// For AVX-512, LLVM 22 gives NaN where it knows that one operand is a number and the other is NaN;
    /// so the operands are tested once more there.
    pub(super) fn float_extreme(
        &self,
        op: BinOp,
        ty: Scalar,
        [a, b]: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        if let Some(extreme) = self.lanes_extreme(op, ty, [a, b]) {
            return extreme;
        }
        if let Some((limit, other)) = self.fixed_limit([a, b]) {
            return self.limited(op, ty, limit, other);
        }
        let extreme = self.extreme_number(op, [a, b]);
        if self.unit.isa != Isa::Avx512 {
            return extreme;
        }
        let extreme = self.select(self.is_nan(b), a, extreme);
        self.select(self.is_nan(a), b, extreme)
    }

    /// The operand that is computed in the first blocks of a function, before all loops, and the other one, if that one
    /// is not. For constants, and on AArch64, LLVM's form takes one instruction.
    fn fixed_limit(
        &self,
        [a, b]: [BasicValueEnum<'ctx>; 2],
    ) -> Option<(BasicValueEnum<'ctx>, BasicValueEnum<'ctx>)> {
        if self.unit.isa == Isa::Neon || [a, b].into_iter().any(|x| constant(x).is_some()) {
            return None;
        }
        let first = self.function.get_first_basic_block()?;
        let before = [Some(first), first.get_next_basic_block()];
        let is_fixed = |x: BasicValueEnum<'ctx>| {
            x.as_instruction_value().is_none_or(|by| before.contains(&by.get_parent()))
        };
        match [a, b].map(is_fixed) {
            _ if before.contains(&self.b.get_insert_block()) => None,
            [true, false] => Some((a, b)),
            [false, true] => Some((b, a)),
            [true, true] | [false, false] => None,
        }
    }

    /// The smaller or larger of a limit, which stays the same in a loop, and another float. It takes one comparison and
    /// a choice in each step, where LLVM's form takes five instructions.
    ///
    /// The other float is compared with the limit itself, except with the next number where the limit is the zero that
    /// wins against the other zero, and with an infinity, which no number passes, where the limit is NaN.
    fn limited(
        &self,
        op: BinOp,
        ty: Scalar,
        limit: BasicValueEnum<'ctx>,
        other: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        let is_min = op == BinOp::Min;
        let bits = ty.bits_type().expect("a float has bits");
        let sign = Const::int(bits, i128::from(is_min) << (8 * ty.bytes() - 1));
        let next = Const { ty, bits: sign.bits | 1 };
        let infinity = if is_min { Const::highest(ty) } else { Const::lowest(ty) };
        let own = self.cast(InstructionOpcode::BitCast, limit, bits);
        let wins = self.compare_ints(IntPredicate::EQ, [own, self.constant_like(sign, limit)]);
        let border = self.select(wins, self.constant_like(next, limit), limit);
        let border = self.select(self.is_nan(limit), self.constant_like(infinity, limit), border);
        let passes = if is_min { FloatPredicate::UGT } else { FloatPredicate::ULT };
        self.select(self.compare_floats(passes, [other, border]), limit, other)
    }

    /// The same for operands that are numbers, although LLVM does not know it: an accumulator that begins as a number.
    /// LLVM still recognises this form as a maximum or minimum.
    pub(crate) fn extreme_number(
        &self,
        op: BinOp,
        args: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        let name = if op == BinOp::Min { "llvm.minimumnum" } else { "llvm.maximumnum" };
        self.intrinsic_on(name, &args)
    }

    /// The same where a zero on the wrong side of another one does not matter. The first operand is a number.
    pub(crate) fn nearer(
        &self,
        op: BinOp,
        [number, other]: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        let nearer = if op == BinOp::Min { FloatPredicate::OLT } else { FloatPredicate::OGT };
        self.select(self.compare_floats(nearer, [other, number]), other, number)
    }

    /// -1 or 1 with the sign of `x`; zeros and NaN as they are.
    pub(super) fn float_sign(&self, ty: Scalar, x: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        let one = self.constant_like(Const::float(ty, 1.0), x);
        let sign = self.intrinsic_on("llvm.copysign", &[one, x]);
        let nonzero = self.compare_floats(FloatPredicate::ONE, [x, self.zero_like(x)]);
        self.select(nonzero, sign, x)
    }

    /// The remainder towards zero, plus the divisor where their signs differ. A zero takes the divisor's sign, which
    /// all other remainders have by then.
    pub(super) fn float_remainder(
        &self,
        [a, b]: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        use InstructionOpcode as I;
        let zero = self.zero_like(a);
        let remainder = self.instruction(I::FRem, [a, b]);
        let below = |x| self.compare_floats(FloatPredicate::OLT, [x, zero]);
        let other_sign = self.instruction(I::Xor, [below(remainder), below(b)]);
        let inexact = self.compare_floats(FloatPredicate::ONE, [remainder, zero]);
        let moves = self.instruction(I::And, [inexact, other_sign]);
        let moved = self.instruction(I::FAdd, [remainder, b]);
        self.intrinsic_on("llvm.copysign", &[self.select(moves, moved, remainder), b])
    }
}

/// LLVM's comparison of floats. Only `!=` holds of NaN.
pub(super) fn float_predicate(relation: Relation) -> FloatPredicate {
    match relation {
        Relation::Eq => FloatPredicate::OEQ,
        Relation::Ne => FloatPredicate::UNE,
        Relation::Lt => FloatPredicate::OLT,
        Relation::Le => FloatPredicate::OLE,
        Relation::Gt => FloatPredicate::OGT,
        Relation::Ge => FloatPredicate::OGE,
    }
}

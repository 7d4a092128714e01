//! Operations on integers and truth values.
//!
//! Invariant: all arithmetic wraps, so no instruction here says `nsw` or `nuw`.

use arrc_core::prim::{BinOp, Scalar, UnOp};
use inkwell::IntPredicate;
use inkwell::values::{InstructionOpcode, IntValue};

use super::Binary;
use crate::code::Code;
use crate::runtime::Failure;
use crate::unit::built;

impl<'ctx> Code<'_, 'ctx, '_> {
    pub(super) fn int_unary(&self, op: UnOp, ty: Scalar, x: IntValue<'ctx>) -> IntValue<'ctx> {
        match op {
            UnOp::Neg => built(self.b.build_int_neg(x, "")),
            UnOp::Not => built(self.b.build_not(x, "")),
            UnOp::Abs if ty.is_signed() => {
                // The lowest integer stays what it is: it wraps.
                let wraps = self.types.i1.const_zero().into();
                self.call_intrinsic("llvm.abs", &[x.get_type().into()], &[x.into(), wraps])
                    .into_int_value()
            }
            UnOp::Abs => x,
            UnOp::Signum => self.int_signum(ty, x),
            UnOp::Popc => self.bit_count("llvm.ctpop", x, false),
            UnOp::Clz => self.bit_count("llvm.ctlz", x, true),
            UnOp::Ctz => self.bit_count("llvm.cttz", x, true),
            UnOp::Math(_)
            | UnOp::IsNan
            | UnOp::IsInf
            | UnOp::ToBits
            | UnOp::FromBits
            | UnOp::To(_) => panic!("{} is an operation on floats, not on {ty}", op.name()),
        }
    }

    /// A number of bits, as an `i32`. Some of LLVM's functions ask what they are to do about zero: that
    /// has no bit, so the width is counted.
    fn bit_count(&self, name: &str, x: IntValue<'ctx>, asks: bool) -> IntValue<'ctx> {
        let defined = self.types.i1.const_zero().into();
        let args = if asks { vec![x.into(), defined] } else { vec![x.into()] };
        let count = self.call_intrinsic(name, &[x.get_type().into()], &args).into_int_value();
        let ty = self.types.int(Scalar::I32);
        if x.get_type().get_bit_width() < ty.get_bit_width() {
            built(self.b.build_int_z_extend(count, ty, ""))
        } else {
            built(self.b.build_int_truncate_or_bit_cast(count, ty, ""))
        }
    }

    /// The upper half of the product, which is computed in twice the width.
    fn upper_half(&self, ty: Scalar, a: IntValue<'ctx>, b: IntValue<'ctx>) -> IntValue<'ctx> {
        let bits = a.get_type().get_bit_width();
        let wide = self.unit.context.custom_width_int_type(
            std::num::NonZeroU32::new(2 * bits).expect("integers have bits"),
        );
        let wide = wide.expect("LLVM has integers of all widths");
        let extended = |x| {
            if ty.is_signed() {
                built(self.b.build_int_s_extend(x, wide, ""))
            } else {
                built(self.b.build_int_z_extend(x, wide, ""))
            }
        };
        let product = self.int_op(InstructionOpcode::Mul, extended(a), extended(b));
        let distance = wide.const_int(u64::from(bits), false);
        let upper = self.int_op(InstructionOpcode::LShr, product, distance);
        built(self.b.build_int_truncate(upper, a.get_type(), ""))
    }

    fn int_signum(&self, ty: Scalar, x: IntValue<'ctx>) -> IntValue<'ctx> {
        let zero = x.get_type().const_zero();
        let extended = |cond| built(self.b.build_int_z_extend(cond, x.get_type(), ""));
        if !ty.is_signed() {
            return extended(self.compare(IntPredicate::NE, x, zero));
        }
        let above = extended(self.compare(IntPredicate::SGT, x, zero));
        let below = extended(self.compare(IntPredicate::SLT, x, zero));
        built(self.b.build_int_sub(above, below, ""))
    }

    pub(super) fn int_binary(
        &mut self,
        op: BinOp,
        ty: Scalar,
        a: IntValue<'ctx>,
        b: IntValue<'ctx>,
    ) -> IntValue<'ctx> {
        use InstructionOpcode as I;
        match op {
            BinOp::Add => self.int_op(I::Add, a, b),
            BinOp::Sub => self.int_op(I::Sub, a, b),
            BinOp::Mul => self.int_op(I::Mul, a, b),
            BinOp::And => self.int_op(I::And, a, b),
            BinOp::Or => self.int_op(I::Or, a, b),
            BinOp::Xor => self.int_op(I::Xor, a, b),
            BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem => self.divide(op, ty, a, b),
            BinOp::Pow => self.int_pow(ty, a, b),
            BinOp::Min | BinOp::Max => self.int_min_max(op, ty, a, b),
            BinOp::Shl => self.int_op(I::Shl, a, self.shift_amount(ty, b)),
            BinOp::Shr if ty.is_signed() => self.int_op(I::AShr, a, self.shift_amount(ty, b)),
            BinOp::Shr | BinOp::ShrLogical => self.int_op(I::LShr, a, self.shift_amount(ty, b)),
            BinOp::MulHi => self.upper_half(ty, a, b),
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                self.compare(predicate(op, ty.is_signed()), a, b)
            }
            BinOp::Atan2 | BinOp::Hypot => {
                panic!("{} is an operation on floats, not on {ty}", op.name())
            }
        }
    }

    /// The amount modulo the width: LLVM leaves longer shifts undefined.
    fn shift_amount(&self, ty: Scalar, amount: IntValue<'ctx>) -> IntValue<'ctx> {
        let mask = amount.get_type().const_int(u64::from(8 * ty.bytes() - 1), false);
        self.int_op(InstructionOpcode::And, amount, mask)
    }

    fn int_min_max(
        &self,
        op: BinOp,
        ty: Scalar,
        a: IntValue<'ctx>,
        b: IntValue<'ctx>,
    ) -> IntValue<'ctx> {
        let name = match (op == BinOp::Min, ty.is_signed()) {
            (true, true) => "llvm.smin",
            (true, false) => "llvm.umin",
            (false, true) => "llvm.smax",
            (false, false) => "llvm.umax",
        };
        self.call_intrinsic(name, &[a.get_type().into()], &[a.into(), b.into()]).into_int_value()
    }

    /// The four divisions, after the divisor was checked not to be zero.
    fn divide(
        &self,
        op: BinOp,
        ty: Scalar,
        a: IntValue<'ctx>,
        b: IntValue<'ctx>,
    ) -> IntValue<'ctx> {
        use InstructionOpcode as I;
        let quotient = matches!(op, BinOp::Div | BinOp::Quot);
        if !ty.is_signed() {
            // Rounding down and rounding towards zero are the same.
            return self.int_op(if quotient { I::UDiv } else { I::URem }, a, b);
        }
        let b = self.without_overflow(a, b);
        match op {
            BinOp::Quot => self.int_op(I::SDiv, a, b),
            BinOp::Rem => self.int_op(I::SRem, a, b),
            BinOp::Div => {
                let (wrong, _) = self.rounds_up(a, b);
                let quotient = self.int_op(I::SDiv, a, b);
                let correction = built(self.b.build_int_z_extend(wrong, a.get_type(), ""));
                self.int_op(I::Sub, quotient, correction)
            }
            BinOp::Mod => {
                let (wrong, remainder) = self.rounds_up(a, b);
                let corrected = self.int_op(I::Add, remainder, b);
                self.select(wrong, corrected.into(), remainder.into()).into_int_value()
            }
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Pow
            | BinOp::Min
            | BinOp::Max
            | BinOp::Atan2
            | BinOp::Hypot
            | BinOp::MulHi
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::Shr
            | BinOp::ShrLogical
            | BinOp::Eq
            | BinOp::Ne
            | BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge => panic!("`{}` is no division", op.name()),
        }
    }

    /// A divisor that gives the same, but 1 for the lowest integer by -1, which traps in hardware:
    /// the quotient wraps to the lowest integer, the remainder is 0, and so it is by 1.
    fn without_overflow(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> IntValue<'ctx> {
        let ty = b.get_type();
        let minus_one = ty.const_all_ones();
        if b.is_const() && b != minus_one {
            return b;
        }
        let lowest = ty.const_int(1 << (ty.get_bit_width() - 1), false);
        let by_minus_one = self.compare(IntPredicate::EQ, b, minus_one);
        let is_lowest = self.compare(IntPredicate::EQ, a, lowest);
        let overflows = self.int_op(InstructionOpcode::And, by_minus_one, is_lowest);
        self.select(overflows, ty.const_int(1, false).into(), b.into()).into_int_value()
    }

    /// Whether dividing towards zero rounded up, and the remainder of that: then it is not zero and
    /// has not the sign of the divisor.
    fn rounds_up(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> (IntValue<'ctx>, IntValue<'ctx>) {
        use InstructionOpcode as I;
        let remainder = self.int_op(I::SRem, a, b);
        let inexact = self.compare(IntPredicate::NE, remainder, a.get_type().const_zero());
        let other_sign = self.is_negative(self.int_op(I::Xor, remainder, b));
        (self.int_op(I::And, inexact, other_sign), remainder)
    }

    /// Fails on a divisor of zero, or a negative exponent.
    pub(super) fn check_operand(&mut self, binary: &Binary<'ctx>) {
        let [_, b] = binary.args.map(inkwell::values::BasicValueEnum::into_int_value);
        let zero = self.size(0);
        if binary.op == BinOp::Pow {
            if binary.ty.is_signed() {
                let site = self.unit.site(binary.span, binary.op.name());
                let ok = self.compare(IntPredicate::SGE, b, b.get_type().const_zero());
                let exponent = built(self.b.build_int_s_extend(b, self.types.i64, ""));
                self.check(ok, Failure::Power, site, [exponent, zero]);
            }
            return;
        }
        if b.get_zero_extended_constant().is_some_and(|divisor| divisor != 0) {
            return;
        }
        let site = self.unit.site(binary.span, binary.op.name());
        let ok = self.compare(IntPredicate::NE, b, b.get_type().const_zero());
        self.check(ok, Failure::Division, site, [zero, zero]);
    }

    pub(super) fn int_to_int(&self, from: Scalar, to: Scalar, x: IntValue<'ctx>) -> IntValue<'ctx> {
        if to == Scalar::Bool {
            return self.compare(IntPredicate::NE, x, x.get_type().const_zero());
        }
        let ty = self.types.int(to);
        if ty.get_bit_width() <= x.get_type().get_bit_width() {
            return built(self.b.build_int_truncate_or_bit_cast(x, ty, ""));
        }
        if from.is_signed() && to.is_signed() {
            built(self.b.build_int_s_extend(x, ty, ""))
        } else {
            built(self.b.build_int_z_extend(x, ty, ""))
        }
    }
}

pub(crate) fn predicate(op: BinOp, signed: bool) -> IntPredicate {
    match (op, signed) {
        (BinOp::Eq, _) => IntPredicate::EQ,
        (BinOp::Ne, _) => IntPredicate::NE,
        (BinOp::Lt, true) => IntPredicate::SLT,
        (BinOp::Lt, false) => IntPredicate::ULT,
        (BinOp::Le, true) => IntPredicate::SLE,
        (BinOp::Le, false) => IntPredicate::ULE,
        (BinOp::Gt, true) => IntPredicate::SGT,
        (BinOp::Gt, false) => IntPredicate::UGT,
        (BinOp::Ge, true) => IntPredicate::SGE,
        (BinOp::Ge, false) => IntPredicate::UGE,
        (
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Mod
            | BinOp::Quot
            | BinOp::Rem
            | BinOp::Pow
            | BinOp::Min
            | BinOp::Max
            | BinOp::Atan2
            | BinOp::Hypot
            | BinOp::MulHi
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::Shr
            | BinOp::ShrLogical,
            _,
        ) => panic!("`{}` is no comparison", op.name()),
    }
}

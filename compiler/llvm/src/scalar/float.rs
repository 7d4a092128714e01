//! Operations on floats.
//!
//! Invariant: every operation is IEEE's, or a function of the C library; no flag relaxes it here.

use arrc_core::prim::{BinOp, Const, Scalar, UnOp};
use inkwell::FloatPredicate;
use inkwell::values::{BasicValueEnum, FloatValue, InstructionOpcode, IntValue};

use super::libm::Function;
use crate::code::Code;
use crate::isa::Isa;
use crate::unit::built;

impl<'ctx> Code<'_, 'ctx, '_> {
    pub(super) fn float_unary(
        &self,
        op: UnOp,
        ty: Scalar,
        x: FloatValue<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        let intrinsic = |name| self.float_intrinsic(name, &[x]).into();
        match op {
            UnOp::Neg => built(self.b.build_float_neg(x, "")).into(),
            UnOp::Abs => intrinsic("llvm.fabs"),
            UnOp::Signum => self.float_signum(x).into(),
            UnOp::Math(math) => self.math(math, ty, x).into(),
            UnOp::IsNan => self.float_compare(FloatPredicate::UNO, x, x).into(),
            UnOp::IsInf => {
                let infinity = self.types.float(ty).const_float(f64::INFINITY);
                let magnitude = self.float_intrinsic("llvm.fabs", &[x]);
                self.float_compare(FloatPredicate::OEQ, magnitude, infinity).into()
            }
            UnOp::ToBits => self.float_bits(ty, x).into(),
            UnOp::Not | UnOp::Popc | UnOp::Clz | UnOp::Ctz | UnOp::FromBits | UnOp::To(_) => {
                panic!("`{}` is no operation on {ty}", op.name())
            }
        }
    }

    pub(super) fn float_binary(
        &self,
        op: BinOp,
        ty: Scalar,
        a: FloatValue<'ctx>,
        b: FloatValue<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        use InstructionOpcode as I;
        match op {
            BinOp::Add => self.float_op(I::FAdd, a, b).into(),
            BinOp::Sub => self.float_op(I::FSub, a, b).into(),
            BinOp::Mul => self.float_op(I::FMul, a, b).into(),
            BinOp::Div => self.float_op(I::FDiv, a, b).into(),
            BinOp::Mod => self.float_mod(a, b).into(),
            BinOp::Pow => self.float_pow(ty, a, b).into(),
            BinOp::Min | BinOp::Max => self.float_extreme(op, a, b).into(),
            BinOp::Atan2 => self.libm(Function::Intrinsic("llvm.atan2"), ty, &[a, b]).into(),
            BinOp::Hypot => self.libm(Function::C("hypot"), ty, &[a, b]).into(),
            BinOp::Eq => self.float_compare(FloatPredicate::OEQ, a, b).into(),
            BinOp::Ne => self.float_compare(FloatPredicate::UNE, a, b).into(),
            BinOp::Lt => self.float_compare(FloatPredicate::OLT, a, b).into(),
            BinOp::Le => self.float_compare(FloatPredicate::OLE, a, b).into(),
            BinOp::Gt => self.float_compare(FloatPredicate::OGT, a, b).into(),
            BinOp::Ge => self.float_compare(FloatPredicate::OGE, a, b).into(),
            BinOp::Quot
            | BinOp::Rem
            | BinOp::MulHi
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::Shr
            | BinOp::ShrLogical => {
                panic!("`{}` is no operation on {ty}", op.name())
            }
        }
    }

    /// The bits; of all NaNs those of one, since machines differ in which they make.
    fn float_bits(&self, ty: Scalar, x: FloatValue<'ctx>) -> IntValue<'ctx> {
        let nan = Const::float(ty, f64::NAN).bits;
        let bits = self.types.int(ty.bits_type().expect("a float has bits"));
        let own = built(self.b.build_bit_cast(x, bits, ""));
        let is_nan = self.float_compare(FloatPredicate::UNO, x, x);
        self.select(is_nan, bits.const_int(nan, false).into(), own).into_int_value()
    }

    /// `x * x` for the exponent 2, which is what LLVM makes of a 2 that it sees, and C's function.
    fn float_pow(&self, ty: Scalar, x: FloatValue<'ctx>, y: FloatValue<'ctx>) -> FloatValue<'ctx> {
        let square = self.float_op(InstructionOpcode::FMul, x, x);
        let power = || self.libm(Function::C("pow"), ty, &[x, y]);
        match y.get_constant() {
            Some((2.0, _)) => square,
            Some(_) => power(),
            None => {
                let two = y.get_type().const_float(2.0);
                let is_two = self.float_compare(FloatPredicate::OEQ, y, two);
                self.select(is_two, square.into(), power().into()).into_float_value()
            }
        }
    }

    /// The smaller or larger number, the only one if one is NaN.
    ///
    /// For AVX-512, LLVM 22 gives NaN where it knows that one operand is a number and the other is NaN;
    /// there the operands are asked once more.
    fn float_extreme(
        &self,
        op: BinOp,
        a: FloatValue<'ctx>,
        b: FloatValue<'ctx>,
    ) -> FloatValue<'ctx> {
        let extreme = self.extreme_number(op, [a, b]);
        if self.unit.isa != Isa::Avx512 {
            return extreme;
        }
        let is_nan = |x| self.float_compare(FloatPredicate::UNO, x, x);
        let extreme = self.select(is_nan(b), a.into(), extreme.into());
        self.select(is_nan(a), b.into(), extreme).into_float_value()
    }

    /// The same of numbers that LLVM does not know to be numbers: of an accumulator that begins as one,
    /// which LLVM then still takes for a maximum or minimum.
    pub(crate) fn extreme_number(
        &self,
        op: BinOp,
        args: [FloatValue<'ctx>; 2],
    ) -> FloatValue<'ctx> {
        let name = if op == BinOp::Min { "llvm.minimumnum" } else { "llvm.maximumnum" };
        self.float_intrinsic(name, &args)
    }

    /// -1 or 1 with the sign of `x`; zeros and NaN as they are.
    fn float_signum(&self, x: FloatValue<'ctx>) -> FloatValue<'ctx> {
        let one = x.get_type().const_float(1.0);
        let sign = self.float_intrinsic("llvm.copysign", &[one, x]);
        let nonzero = self.float_compare(FloatPredicate::ONE, x, x.get_type().const_zero());
        self.select(nonzero, sign.into(), x.into()).into_float_value()
    }

    /// The remainder towards zero, moved by the divisor where it has the other sign. A zero takes the
    /// divisor's sign, which all else has by then.
    fn float_mod(&self, a: FloatValue<'ctx>, b: FloatValue<'ctx>) -> FloatValue<'ctx> {
        use InstructionOpcode as I;
        let zero = a.get_type().const_zero();
        let remainder = self.float_op(I::FRem, a, b);
        let below = |x| self.float_compare(FloatPredicate::OLT, x, zero);
        let other_sign = self.int_op(I::Xor, below(remainder), below(b));
        let inexact = self.float_compare(FloatPredicate::ONE, remainder, zero);
        let moves = self.int_op(I::And, inexact, other_sign);
        let moved = self.float_op(I::FAdd, remainder, b);
        let found = self.select(moves, moved.into(), remainder.into()).into_float_value();
        self.float_intrinsic("llvm.copysign", &[found, b])
    }

    /// To any other type.
    pub(super) fn float_to(&self, to: Scalar, x: FloatValue<'ctx>) -> BasicValueEnum<'ctx> {
        match to {
            Scalar::Bool => {
                self.float_compare(FloatPredicate::UNE, x, x.get_type().const_zero()).into()
            }
            Scalar::F32 => built(self.b.build_float_trunc(x, self.types.float(to), "")).into(),
            Scalar::F64 => built(self.b.build_float_ext(x, self.types.float(to), "")).into(),
            Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64 => {
                let name = if to.is_signed() { "llvm.fptosi.sat" } else { "llvm.fptoui.sat" };
                self.call_intrinsic(
                    name,
                    &[self.types.scalar(to), x.get_type().into()],
                    &[x.into()],
                )
            }
        }
    }

    fn float_op(
        &self,
        op: InstructionOpcode,
        a: FloatValue<'ctx>,
        b: FloatValue<'ctx>,
    ) -> FloatValue<'ctx> {
        built(self.b.build_binop(op, a, b, "")).into_float_value()
    }

    fn float_compare(
        &self,
        how: FloatPredicate,
        a: FloatValue<'ctx>,
        b: FloatValue<'ctx>,
    ) -> IntValue<'ctx> {
        built(self.b.build_float_compare(how, a, b, ""))
    }

    pub(super) fn float_intrinsic(
        &self,
        name: &str,
        args: &[FloatValue<'ctx>],
    ) -> FloatValue<'ctx> {
        let ty = args.first().expect("intrinsics have an argument").get_type();
        let args: Vec<_> = args.iter().map(|&arg| arg.into()).collect();
        self.call_intrinsic(name, &[ty.into()], &args).into_float_value()
    }
}

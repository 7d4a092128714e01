//! Operations on scalars: the operations of the tables of [`arrc_syntax::prim`], in LLVM's instructions. The same code
//! serves one value and a vector with a value in each lane.
//!
//! Invariant: nothing here traps in hardware or is undefined in LLVM if the divisor is not zero;
//! [`FunctionBuilder::binary`] checks that first.
//!
//! ```text
//! a / b : i32   check b != 0;  q = sdiv a, b';  q - 1 where the remainder has the other sign
//! ```

mod convert;
mod elementary;
pub(crate) mod fast_math;
mod float;
mod int;
mod libm;
mod limits;
mod pow;
mod shaped;

pub(crate) use elementary::{define_all, inline_offered};
pub(crate) use shaped::vector_of;

use arrc_syntax::prim;
use arrc_syntax::prim::{BinOp, BinaryRecipe, Rounding, Scalar, Trap, UnOp, UnaryRecipe};
use arrc_syntax::source::Span;
use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, InstructionOpcode};

use self::elementary::ElementaryFunction;
use crate::code::FunctionBuilder;
use crate::unit::built;

/// An operation on two scalars, and where it came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BinaryOperation<'ctx> {
    /// The operation.
    pub(crate) op: BinOp,
    /// The operands' type.
    pub(crate) ty: Scalar,
    /// The operands.
    pub(crate) args: [BasicValueEnum<'ctx>; 2],
    /// Where a failure points to.
    pub(crate) span: Span,
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// `op x`, of a scalar or of lanes.
    pub(crate) fn unary(
        &self,
        op: UnOp,
        ty: Scalar,
        x: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        match op.code(ty) {
            prim::Lowering::Intrinsic(name) | prim::Lowering::Signed(name, _) => {
                self.intrinsic_on(name, &[x])
            }
            prim::Lowering::Math(name) => self.math(name, ty, &[x]),
            prim::Lowering::Library(name) => self.library(name, ty, &[x]),
            prim::Lowering::Elementary(function) => {
                self.elementary(ElementaryFunction::Unary(function), ty, &[x])
            }
            prim::Lowering::Recipe(recipe) => self.unary_recipe((op, recipe), ty, x),
        }
    }

    fn unary_recipe(
        &self,
        (op, recipe): (UnOp, UnaryRecipe),
        ty: Scalar,
        x: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        match recipe {
            UnaryRecipe::Negate => self.negate(ty, x),
            UnaryRecipe::Complement => self.complement(x),
            UnaryRecipe::Magnitude => self.magnitude(ty, x),
            UnaryRecipe::Sign if ty.is_float() => self.float_sign(ty, x),
            UnaryRecipe::Sign => self.int_sign(ty, x),
            UnaryRecipe::CountBits(name) => self.bit_count(name, x.into_int_value()).into(),
            UnaryRecipe::IsNan => self.is_nan(x),
            UnaryRecipe::IsInfinite => self.is_infinite(ty, x),
            UnaryRecipe::ToBits => self.float_bits(ty, x),
            UnaryRecipe::FromBits => self.cast(InstructionOpcode::BitCast, x, op.result(ty)),
            UnaryRecipe::Order if ty.is_float() => self.float_order(op.result(ty), x),
            UnaryRecipe::Order => self.int_order(ty, x),
            UnaryRecipe::Convert => self.convert(ty, op.result(ty), x),
        }
    }

    /// `a * b + c` of floats. Rounded once, it is an instruction, or C's function on machines that have none.
    pub(crate) fn mul_add(
        &self,
        rounding: Rounding,
        [a, b, c]: [BasicValueEnum<'ctx>; 3],
    ) -> BasicValueEnum<'ctx> {
        match rounding {
            Rounding::Once => self.intrinsic_on("llvm.fma", &[a, b, c]),
            Rounding::Any => self.intrinsic_on("llvm.fmuladd", &[a, b, c]),
        }
    }

    /// `a op b` of scalars; what can fail is checked first.
    pub(crate) fn binary(&mut self, binary: BinaryOperation<'ctx>) -> BasicValueEnum<'ctx> {
        let BinaryOperation { op, ty, args, .. } = binary;
        if let Some(trap) = op.trap(ty) {
            self.check_operand(trap, &binary);
        }
        self.apply(op, ty, args)
    }

    /// `a op b`, of scalars or of lanes; it does not fail on these operands.
    pub(crate) fn apply(
        &self,
        op: BinOp,
        ty: Scalar,
        args: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        if let Some(relation) = op.row().relation {
            return self.relate(relation, ty, args);
        }
        match op.code(ty) {
            prim::Lowering::Intrinsic(name) => self.intrinsic_on(name, &args),
            prim::Lowering::Signed(signed, unsigned) => {
                self.intrinsic_on(if ty.is_signed() { signed } else { unsigned }, &args)
            }
            prim::Lowering::Math(name) => self.math(name, ty, &args),
            prim::Lowering::Library(name) => self.library(name, ty, &args),
            prim::Lowering::Elementary(function) => {
                self.elementary(ElementaryFunction::Unary(function), ty, &args)
            }
            prim::Lowering::Recipe(recipe) => self.binary_recipe((op, recipe), ty, args),
        }
    }

    fn binary_recipe(
        &self,
        (op, recipe): (BinOp, BinaryRecipe),
        ty: Scalar,
        args: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        use BinaryRecipe as R;
        use InstructionOpcode as I;
        let either = |int, float| self.instruction(if ty.is_float() { float } else { int }, args);
        match recipe {
            R::Add => either(I::Add, I::FAdd),
            R::Sub => either(I::Sub, I::FSub),
            R::Mul => either(I::Mul, I::FMul),
            R::And => self.instruction(I::And, args),
            R::Or => self.instruction(I::Or, args),
            R::Xor => self.instruction(I::Xor, args),
            R::FloatDivide => self.instruction(I::FDiv, args),
            R::FloatRemainder => self.float_remainder(args),
            R::FloatPower => self.float_pow(ty, args),
            R::Extreme => self.float_extreme(op, ty, args),
            R::Divide { down, remainder } => self.divide(ty, [down, remainder], args),
            R::UpperHalf => self.upper_half(ty, args),
            R::ShiftLeft => self.shift(I::Shl, ty, args),
            R::ShiftRight { logical } if ty.is_signed() && !logical => {
                self.shift(I::AShr, ty, args)
            }
            R::ShiftRight { .. } => self.shift(I::LShr, ty, args),
            R::IntPower => self.int_pow(ty, args.map(BasicValueEnum::into_int_value)).into(),
        }
    }

    /// Fails on an operand for which the operation has no result.
    fn check_operand(&mut self, trap: Trap, binary: &BinaryOperation<'ctx>) {
        let b = binary.args[1].into_int_value();
        let (zero, none) = (self.size(0), b.get_type().const_zero());
        match trap {
            Trap::NegativeExponent => {
                if binary.ty.is_signed() {
                    let site = self.unit.site(binary.span, binary.op.name());
                    let ok = self.compare(IntPredicate::SGE, b, none);
                    let exponent = built(self.b.build_int_s_extend(b, self.types.i64, ""));
                    self.check(ok, trap.code(), site, [exponent, zero]);
                }
            }
            Trap::DivisionByZero => {
                if b.get_zero_extended_constant().is_some_and(|divisor| divisor != 0) {
                    return;
                }
                let site = self.unit.site(binary.span, binary.op.name());
                let ok = self.compare(IntPredicate::NE, b, none);
                self.check(ok, trap.code(), site, [zero, zero]);
            }
        }
    }
}

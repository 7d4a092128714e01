//! Operations on scalars: what [`arrc_core::prim`] says, in LLVM's instructions.
//!
//! Invariant: nothing here traps in hardware or is undefined in LLVM; what can fail is checked first.
//!
//! ```text
//! a / b : i32   check b != 0;  q = sdiv a, b';  q - 1 where the remainder has the other sign
//! ```

mod float;
mod int;
mod libm;
mod pow;

pub(crate) use int::predicate;

use arrc_core::prim::{BinOp, Scalar, UnOp};
use arrc_core::source::Span;
use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, InstructionOpcode, IntValue};

use crate::code::Code;
use crate::unit::built;

/// An operation on two scalars, and where it came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binary<'ctx> {
    /// The operation.
    pub(crate) op: BinOp,
    /// The operands' type.
    pub(crate) ty: Scalar,
    /// The operands.
    pub(crate) args: [BasicValueEnum<'ctx>; 2],
    /// Where a failure points to.
    pub(crate) span: Span,
}

impl<'ctx> Code<'_, 'ctx, '_> {
    /// `op arg`.
    pub(crate) fn unary(
        &self,
        op: UnOp,
        ty: Scalar,
        arg: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        match op {
            UnOp::To(to) => self.convert(ty, to, arg),
            UnOp::FromBits => {
                let float = self.types.scalar(op.result(ty));
                built(self.b.build_bit_cast(arg, float, ""))
            }
            UnOp::Neg
            | UnOp::Not
            | UnOp::Abs
            | UnOp::Signum
            | UnOp::Popc
            | UnOp::Clz
            | UnOp::Ctz
            | UnOp::Math(_)
            | UnOp::IsNan
            | UnOp::IsInf
            | UnOp::ToBits => {
                if ty.is_float() {
                    self.float_unary(op, ty, arg.into_float_value())
                } else {
                    self.int_unary(op, ty, arg.into_int_value()).into()
                }
            }
        }
    }

    /// `a * b + c`, rounded once: an instruction, or C's function on machines that have none.
    pub(crate) fn fma(&self, args: [BasicValueEnum<'ctx>; 3]) -> BasicValueEnum<'ctx> {
        self.call_intrinsic("llvm.fma", &[args[0].get_type()], &args)
    }

    /// `a op b`; what can fail is checked first.
    pub(crate) fn binary(&mut self, binary: Binary<'ctx>) -> BasicValueEnum<'ctx> {
        let Binary { op, ty, args: [a, b], .. } = binary;
        if ty.is_float() {
            return self.float_binary(op, ty, a.into_float_value(), b.into_float_value());
        }
        if op.traps(ty) {
            self.check_operand(&binary);
        }
        self.int_binary(op, ty, a.into_int_value(), b.into_int_value()).into()
    }

    fn convert(&self, from: Scalar, to: Scalar, arg: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        if from == to {
            return arg;
        }
        match (from.is_float(), to.is_float()) {
            (true, _) => self.float_to(to, arg.into_float_value()),
            (false, true) => {
                let how = if from.is_signed() {
                    InstructionOpcode::SIToFP
                } else {
                    InstructionOpcode::UIToFP
                };
                built(self.b.build_cast(how, arg, self.types.scalar(to), ""))
            }
            (false, false) => self.int_to_int(from, to, arg.into_int_value()).into(),
        }
    }

    /// `cond ? a : b`.
    pub(crate) fn select(
        &self,
        cond: IntValue<'ctx>,
        a: BasicValueEnum<'ctx>,
        b: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        built(self.b.build_select(cond, a, b, ""))
    }

    /// An instruction on two integers.
    fn int_op(
        &self,
        op: InstructionOpcode,
        a: IntValue<'ctx>,
        b: IntValue<'ctx>,
    ) -> IntValue<'ctx> {
        built(self.b.build_binop(op, a, b, "")).into_int_value()
    }

    fn is_negative(&self, value: IntValue<'ctx>) -> IntValue<'ctx> {
        self.compare(IntPredicate::SLT, value, value.get_type().const_zero())
    }
}

//! Instructions on values that are one scalar, or a vector with a scalar in each lane.
//!
//! Invariant: both operands of an instruction have one shape, and the result has it, too.
//!
//! ```text
//! one(x) + 1 : i32     add i32 %x, 1         add <8 x i32> %x, splat (i32 1)
//! ```

use arrc_syntax::prim::{Const, Scalar};
use inkwell::types::{BasicTypeEnum, VectorType};
use inkwell::values::{BasicValueEnum, InstructionOpcode, VectorValue};
use inkwell::{FloatPredicate, IntPredicate};

use crate::code::FunctionBuilder;
use crate::unit::built;

/// The type of `lanes` values.
pub(crate) fn vector_of(ty: BasicTypeEnum<'_>, lanes: u32) -> VectorType<'_> {
    match ty {
        BasicTypeEnum::IntType(ty) => ty.vec_type(lanes),
        BasicTypeEnum::FloatType(ty) => ty.vec_type(lanes),
        BasicTypeEnum::PointerType(_)
        | BasicTypeEnum::ArrayType(_)
        | BasicTypeEnum::StructType(_)
        | BasicTypeEnum::VectorType(_)
        | BasicTypeEnum::ScalableVectorType(_) => panic!("lanes are scalars, not {ty}"),
    }
}

/// A type in the shape of a value.
pub(super) fn in_shape_of<'ctx>(
    ty: BasicTypeEnum<'ctx>,
    value: BasicValueEnum<'ctx>,
) -> BasicTypeEnum<'ctx> {
    match value {
        BasicValueEnum::VectorValue(value) => vector_of(ty, value.get_type().get_size()).into(),
        BasicValueEnum::IntValue(_) | BasicValueEnum::FloatValue(_) => ty,
        BasicValueEnum::ArrayValue(_)
        | BasicValueEnum::PointerValue(_)
        | BasicValueEnum::StructValue(_)
        | BasicValueEnum::ScalableVectorValue(_) => panic!("{value} is no scalar"),
    }
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// A vector of `lanes` equal values.
    pub(crate) fn splat(&self, value: BasicValueEnum<'ctx>, lanes: u32) -> VectorValue<'ctx> {
        let ty = vector_of(value.get_type(), lanes);
        let (none, first) = (ty.get_poison(), self.types.i32.const_zero());
        let one = built(self.b.build_insert_element(none, value, first, ""));
        let order = VectorType::const_vector(&vec![first; lanes as usize]);
        built(self.b.build_shuffle_vector(one, none, order, ""))
    }

    /// A constant in the shape of a value.
    pub(super) fn constant_like(
        &self,
        constant: Const,
        value: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        self.spread(self.constant(constant), value)
    }

    /// A scalar in the shape of a value.
    pub(super) fn spread(
        &self,
        scalar: BasicValueEnum<'ctx>,
        value: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        if value.is_vector_value() {
            let lanes = value.into_vector_value().get_type().get_size();
            self.splat(scalar, lanes).into()
        } else {
            scalar
        }
    }

    /// Zero in the shape of a value.
    pub(super) fn zero_like(&self, value: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        value.get_type().const_zero()
    }

    /// An instruction on two operands.
    pub(super) fn instruction(
        &self,
        how: InstructionOpcode,
        [a, b]: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        built(self.b.build_binop(how, a, b, ""))
    }

    /// A comparison of integers.
    pub(super) fn compare_ints(
        &self,
        how: IntPredicate,
        [a, b]: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        if a.is_vector_value() {
            let [a, b] = [a, b].map(BasicValueEnum::into_vector_value);
            built(self.b.build_int_compare(how, a, b, "")).into()
        } else {
            self.compare(how, a.into_int_value(), b.into_int_value()).into()
        }
    }

    /// A comparison of floats.
    pub(super) fn compare_floats(
        &self,
        how: FloatPredicate,
        [a, b]: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        if a.is_vector_value() {
            let [a, b] = [a, b].map(BasicValueEnum::into_vector_value);
            built(self.b.build_float_compare(how, a, b, "")).into()
        } else {
            let [a, b] = [a, b].map(BasicValueEnum::into_float_value);
            built(self.b.build_float_compare(how, a, b, "")).into()
        }
    }

    /// Whether a float is no number.
    pub(super) fn is_nan(&self, x: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        self.compare_floats(FloatPredicate::UNO, [x, x])
    }

    /// `cond ? a : b`.
    pub(crate) fn select(
        &self,
        cond: impl Into<BasicValueEnum<'ctx>>,
        a: BasicValueEnum<'ctx>,
        b: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        let cond = cond.into();
        if cond.is_vector_value() {
            built(self.b.build_select(cond.into_vector_value(), a, b, ""))
        } else {
            built(self.b.build_select(cond.into_int_value(), a, b, ""))
        }
    }

    /// A conversion by one instruction.
    pub(super) fn cast(
        &self,
        how: InstructionOpcode,
        x: BasicValueEnum<'ctx>,
        to: Scalar,
    ) -> BasicValueEnum<'ctx> {
        let ty = in_shape_of(self.types.scalar(to), x);
        built(self.b.build_cast(how, x, ty, ""))
    }

    /// An intrinsic that is overloaded by its first argument's type.
    pub(super) fn intrinsic_on(
        &self,
        name: &str,
        args: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        let ty = args.first().expect("intrinsics have an argument").get_type();
        self.call_intrinsic(name, &[ty], args)
    }
}

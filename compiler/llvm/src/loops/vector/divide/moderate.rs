//! Quotients in doubles, for vectors whose lanes are all moderate: of a magnitude below 2^49.
//!
//! Shorter integers are moderate, and so are most integers of 64 bits in programs. For them, a product with the
//! reciprocal of the divisor takes a third of the instructions that a product of 64-bit integers takes, and vectors
//! have a division of doubles, but none of integers. A vector with a lane that is not moderate goes the general way.
//!
//! ```text
//! t = x * (1 / d)              differs from x / d by less than 2^-3, since x / d is below 2^49
//! q = the integer nearest t    the quotient or one more, since q differs from x / d by less than 5/8
//! q |d| > x sign(d)            it is one more
//! ```
//!
//! Invariant: all products but the first are exact. `q d` is below 2^51 where d is below 2^53, and q is 0 where d is
//! not. So the results are those of integers, also on processors that contract no operations.

use arrc_syntax::prim::{BinOp, Scalar};
use inkwell::FloatPredicate;
use inkwell::IntPredicate;
use inkwell::types::FloatType;
use inkwell::values::{InstructionOpcode as I, IntValue, VectorValue};

use crate::code::FunctionBuilder;
use crate::unit::built;

/// The magnitude of a moderate number needs at most this many bits.
const MODERATE_BITS: u32 = 49;
/// 1.5 * 2^52. Around it, the doubles are the integers: the bits of n + NEAR less those of NEAR are n, for n from -2^51
/// to 2^51 - 1.
const NEAR: f64 = 6_755_399_441_055_744.0;

/// A divisor of moderate numbers, in every lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moderate<'ctx> {
    inverse: VectorValue<'ctx>,
    magnitude: VectorValue<'ctx>,
    /// 1 or -1.
    sign: VectorValue<'ctx>,
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// Prepares for divisions of moderate numbers by a divisor of 64 bits.
    pub(super) fn moderate(
        &self,
        ty: Scalar,
        divisor: IntValue<'ctx>,
        lanes: u32,
    ) -> Moderate<'ctx> {
        let divisor = built(self.b.build_cast(to_double(ty), divisor, self.double(), ""));
        self.moderate_by(self.splat(divisor, lanes))
    }

    /// The same for a divisor in each lane, which is moderate.
    pub(super) fn moderate_of_lanes(
        &self,
        ty: Scalar,
        divisors: VectorValue<'ctx>,
    ) -> Moderate<'ctx> {
        self.moderate_by(self.doubles(ty, divisors))
    }

    fn moderate_by(&self, divisors: VectorValue<'ctx>) -> Moderate<'ctx> {
        let one = self.splat(self.double().const_float(1.0).into(), divisors.get_type().get_size());
        let ty = divisors.get_type().into();
        let sign = self.call_intrinsic("llvm.copysign", &[ty], &[one.into(), divisors.into()]);
        Moderate {
            inverse: self.lanes_op(I::FDiv, one, divisors),
            magnitude: self.absolute(divisors),
            sign: sign.into_vector_value(),
        }
    }

    /// Whether all lanes are moderate.
    pub(super) fn are_moderate(&self, ty: Scalar, x: VectorValue<'ctx>) -> IntValue<'ctx> {
        let lanes = x.get_type().get_size();
        let splat = |value: u64| self.splat(self.size(value).into(), lanes);
        let (offset, bits) = if ty.is_signed() {
            (1 << MODERATE_BITS, MODERATE_BITS + 1)
        } else {
            (0, MODERATE_BITS)
        };
        let moved = self.lanes_op(I::Add, x, splat(offset));
        let above = self.lanes_op(I::And, moved, splat(u64::MAX << bits));
        let any = self.call_intrinsic(
            "llvm.vector.reduce.or",
            &[above.get_type().into()],
            &[above.into()],
        );
        self.compare(IntPredicate::EQ, any.into_int_value(), self.size(0))
    }

    /// The quotients of moderate numbers.
    pub(super) fn moderate_quotient(
        &self,
        by: &Moderate<'ctx>,
        (op, ty): (BinOp, Scalar),
        x: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let number = self.doubles(ty, x);
        let quotient = if !ty.is_signed() {
            self.rounded_down(number, number, by.inverse, by.magnitude)
        } else if matches!(op, BinOp::Div | BinOp::Mod) {
            let signed = self.lanes_op(I::FMul, number, by.sign);
            self.rounded_down(number, signed, by.inverse, by.magnitude)
        } else {
            let absolute = self.absolute(number);
            let inverse = self.absolute(by.inverse);
            let quotient = self.rounded_down(absolute, absolute, inverse, by.magnitude);
            let differ =
                self.lanes_op(I::Xor, self.bits_of_lanes(number), self.bits_of_lanes(by.sign));
            let below = self.signs(Scalar::I64, differ);
            self.lanes_op(I::Sub, self.lanes_op(I::Xor, quotient, below), below)
        };
        if ty.bytes() == 8 {
            return quotient;
        }
        built(self.b.build_cast(I::Trunc, quotient, x.get_type(), "")).into_vector_value()
    }

    /// The integers not above `number * inverse`; `signed` is the number where the divisor is positive, and its
    /// negation where it is negative.
    fn rounded_down(
        &self,
        number: VectorValue<'ctx>,
        signed: VectorValue<'ctx>,
        inverse: VectorValue<'ctx>,
        magnitude: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let near = self.near(number.get_type().get_size());
        let moved = self.lanes_op(I::FAdd, self.lanes_op(I::FMul, number, inverse), near);
        let nearest = self.lanes_op(I::FSub, moved, near);
        let product = self.lanes_op(I::FMul, nearest, magnitude);
        let is_above: VectorValue<'ctx> =
            built(self.b.build_float_compare(FloatPredicate::OGT, product, signed, ""));
        let (moved, near) = (self.bits_of_lanes(moved), self.bits_of_lanes(near));
        let nearest = self.lanes_op(I::Sub, moved, near);
        let excess = built(self.b.build_cast(I::SExt, is_above, nearest.get_type(), ""));
        self.lanes_op(I::Add, nearest, excess.into_vector_value())
    }

    /// Moderate integers as doubles.
    fn doubles(&self, ty: Scalar, x: VectorValue<'ctx>) -> VectorValue<'ctx> {
        let near = self.near(x.get_type().get_size());
        if ty.bytes() < 8 {
            return built(self.b.build_cast(to_double(ty), x, near.get_type(), ""))
                .into_vector_value();
        }
        let moved = self.lanes_op(I::Add, x, self.bits_of_lanes(near));
        let moved = built(self.b.build_bit_cast(moved, near.get_type(), "")).into_vector_value();
        self.lanes_op(I::FSub, moved, near)
    }

    fn near(&self, lanes: u32) -> VectorValue<'ctx> {
        self.splat(self.double().const_float(NEAR).into(), lanes)
    }

    fn double(&self) -> FloatType<'ctx> {
        self.types.float(Scalar::F64)
    }

    fn absolute(&self, x: VectorValue<'ctx>) -> VectorValue<'ctx> {
        self.call_intrinsic("llvm.fabs", &[x.get_type().into()], &[x.into()]).into_vector_value()
    }

    fn bits_of_lanes(&self, x: VectorValue<'ctx>) -> VectorValue<'ctx> {
        let ty = self.types.i64.vec_type(x.get_type().get_size());
        built(self.b.build_bit_cast(x, ty, "")).into_vector_value()
    }
}

/// The conversion of integers of that type to floats.
fn to_double(ty: Scalar) -> I {
    if ty.is_signed() { I::SIToFP } else { I::UIToFP }
}

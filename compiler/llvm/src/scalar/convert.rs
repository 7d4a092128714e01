//! Conversions between types of scalars.
//!
//! LLVM takes vectors apart where the processor has no instruction for a conversion: between floats and 64-bit integers
//! without AVX-512, and wherever floats outside of the range of an integer are to give its limits. The forms here
//! stay in vectors.
//!
//! Invariant: the results are those of the interpreter, for all numbers and NaN.
//!
//! ```text
//! u8.f32 x     y = min(max(x, 0), 255); trunc (fptosi y to i32) to i8
//! f64.i64 x    (double(2^84 | x >> 32 ^ 2^31) - (2^84 + 2^63 + 2^52)) + double(2^52 | x & (2^32 - 1))
//! ```

use arrc_syntax::prim::{Const, Scalar};
use inkwell::values::{BasicValueEnum, InstructionOpcode};
use inkwell::{FloatPredicate, IntPredicate};

use super::limits::FloatLimits;
use super::shaped::in_shape_of;
use crate::code::FunctionBuilder;
use crate::target::isa::Isa;

/// 2^32, 2^52, 2^63 and 2^84.
const TO_32: f64 = 4_294_967_296.0;
const TO_52: f64 = 4_503_599_627_370_496.0;
const TO_63: f64 = 9_223_372_036_854_775_808.0;
const TO_84: f64 = TO_32 * TO_52;

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// From one type to another.
    pub(super) fn convert(
        &self,
        from: Scalar,
        to: Scalar,
        x: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        use InstructionOpcode as I;
        let wider = to.bytes() > from.bytes() || from == Scalar::Bool;
        match (from.is_float(), to.is_float()) {
            _ if from == to => x,
            (true, true) => self.cast(if wider { I::FPExt } else { I::FPTrunc }, x, to),
            (true, false) => self.float_to_int(from, to, x),
            (false, true) if to == Scalar::F64 && from.bytes() == 8 && self.goes_by_halves(x) => {
                self.float_of_halves(from, x)
            }
            (false, true) => self.cast(if from.is_signed() { I::SIToFP } else { I::UIToFP }, x, to),
            (false, false) if to == Scalar::Bool => {
                self.compare_ints(IntPredicate::NE, [x, self.zero_like(x)])
            }
            (false, false) if !wider && to.bytes() == from.bytes() => x,
            (false, false) if !wider => self.cast(I::Trunc, x, to),
            (false, false) if from.is_signed() && to.is_signed() => self.cast(I::SExt, x, to),
            (false, false) => self.cast(I::ZExt, x, to),
        }
    }

    /// To an integer, truncating and saturating, or to whether it is not zero.
    fn float_to_int(
        &self,
        from: Scalar,
        to: Scalar,
        x: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        if to == Scalar::Bool {
            return self.compare_floats(FloatPredicate::UNE, [x, self.zero_like(x)]);
        }
        match self.unit.isa {
            // The processor's instruction saturates.
            Isa::Neon => {
                let name = if to.is_signed() { "llvm.fptosi.sat" } else { "llvm.fptoui.sat" };
                let ty = in_shape_of(self.types.scalar(to), x);
                self.call_intrinsic(name, &[ty, x.get_type()], &[x])
            }
            Isa::Sse2 | Isa::Ssse3 | Isa::Avx2 | Isa::Avx512 => self.clamped_to_int(from, to, x),
        }
    }

    /// The same in operations that LLVM runs in vectors, while it takes `llvm.fptosi.sat` apart. The number is brought
    /// into the range of the integers before it is converted. The greatest of 32 or 64 bits may be no float; then it is
    /// chosen afterwards. NaN becomes 0 first. A number that the program keeps in this range is converted at once.
    fn clamped_to_int(
        &self,
        from: Scalar,
        to: Scalar,
        x: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        let constant = |value| self.constant_like(Const::float(from, value), x);
        let above = |y, least| {
            let least = constant(least);
            self.select(self.compare_floats(FloatPredicate::OGT, [y, least]), y, least)
        };
        let magnitude = f64::from(8 * to.bytes() - u32::from(to.is_signed())).exp2();
        let least = if to.is_signed() { -magnitude } else { 0.0 };
        let limits =
            FloatLimits::of(x).filter(|limits| limits.low >= least && limits.high < magnitude);
        if let Some(limits) = limits {
            return self.limited_to_int(limits, to, x);
        }
        let digits = if from == Scalar::F32 { f32::MANTISSA_DIGITS } else { f64::MANTISSA_DIGITS };
        if magnitude <= f64::from(digits).exp2() {
            let is_number = self.compare_floats(FloatPredicate::ORD, [x, x]);
            let number =
                if to.is_signed() { self.select(is_number, x, self.zero_like(x)) } else { x };
            let number = above(number, least);
            let most = constant(magnitude - 1.0);
            let is_below = self.compare_floats(FloatPredicate::OLT, [number, most]);
            return self.truncated(to, self.select(is_below, number, most));
        }
        let limit = constant(magnitude);
        let is_below = self.compare_floats(FloatPredicate::OLT, [x, limit]);
        let integer = self.truncated(to, above(self.select(is_below, x, self.zero_like(x)), least));
        let most = self.constant_like(Const::highest(to), x);
        self.select(self.compare_floats(FloatPredicate::OGE, [x, limit]), most, integer)
    }

    /// To an integer that has room for it. One of 64 bits within limits of 32 is widened afterwards, because most
    /// processors convert vectors of floats to 32 bits only.
    fn limited_to_int(
        &self,
        limits: FloatLimits,
        to: Scalar,
        x: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        use InstructionOpcode as I;
        let [least, most] = [i32::MIN, i32::MAX].map(f64::from);
        if to.bytes() < 4 {
            // LLVM narrows vectors with the instructions that saturate if it knows that they do not.
            return self.cast(if to.is_signed() { I::FPToSI } else { I::FPToUI }, x, to);
        }
        if to.bytes() == 4 || limits.low < least || limits.high > most {
            return self.truncated(to, x);
        }
        let widen = if limits.low >= 0.0 { I::ZExt } else { I::SExt };
        self.cast(widen, self.cast(I::FPToSI, x, Scalar::I32), to)
    }

    /// To an integer that has room for it.
    fn truncated(&self, to: Scalar, x: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        use InstructionOpcode as I;
        match (to.bytes(), to.is_signed()) {
            (8, _) if self.goes_by_halves(x) => self.halves_of_float(x),
            (..4, _) => self.cast(I::Trunc, self.cast(I::FPToSI, x, Scalar::I32), to),
            (4.., true) => self.cast(I::FPToSI, x, to),
            (4.., false) => self.cast(I::FPToUI, x, to),
        }
    }

    /// Whether a vector of doubles and 64-bit integers is converted by its 32-bit halves.
    fn goes_by_halves(&self, x: BasicValueEnum<'ctx>) -> bool {
        x.is_vector_value() && self.unit.isa.converts_by_halves()
    }

    /// The integer of a float that is in range. Its halves are floats whose last bits are those of the integer, once
    /// 2^52 is added.
    fn halves_of_float(&self, x: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        use InstructionOpcode as I;
        let ty = in_shape_of(self.types.scalar(Scalar::F64), x);
        let x = if x.get_type() == ty { x } else { self.cast(I::FPExt, x, Scalar::F64) };
        let float = |value| self.constant_like(Const::float(Scalar::F64, value), x);
        let bits = |value| self.cast(I::BitCast, value, Scalar::I64);
        let int = |value: u64| self.constant_like(Const::int(Scalar::U64, value.into()), bits(x));
        let whole = self.intrinsic_on("llvm.trunc", &[x]);
        let scaled = self.instruction(I::FMul, [whole, float(TO_32.recip())]);
        let high = self.intrinsic_on("llvm.floor", &[scaled]);
        let low =
            self.instruction(I::FSub, [whole, self.instruction(I::FMul, [high, float(TO_32)])]);
        // Of a negative half, the last bits are those of its complement.
        let high = bits(self.instruction(I::FAdd, [high, float(1.5 * TO_52)]));
        let low = bits(self.instruction(I::FAdd, [low, float(TO_52)]));
        let low = self.instruction(I::Xor, [low, int(TO_52.to_bits())]);
        self.instruction(I::Or, [self.instruction(I::Shl, [high, int(32)]), low])
    }

    /// The float of an integer. Each half is the last bits of a float. Their sum is rounded once.
    fn float_of_halves(&self, from: Scalar, x: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        use InstructionOpcode as I;
        let int = |value: u64| self.constant_like(Const::int(Scalar::U64, value.into()), x);
        let float = |bits| self.cast(I::BitCast, bits, Scalar::F64);
        let (sign, bias) = if from.is_signed() { (1 << 31, TO_63) } else { (0, 0.0) };
        let high = self.instruction(I::LShr, [x, int(32)]);
        let high = float(self.instruction(I::Xor, [high, int(TO_84.to_bits() ^ sign)]));
        let low = self.instruction(I::And, [x, int(u64::from(u32::MAX))]);
        let low = float(self.instruction(I::Or, [low, int(TO_52.to_bits())]));
        let zero = self.constant_like(Const::float(Scalar::F64, TO_84 + bias + TO_52), low);
        self.instruction(I::FAdd, [self.instruction(I::FSub, [high, zero]), low])
    }
}

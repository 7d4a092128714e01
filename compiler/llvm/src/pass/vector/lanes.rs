//! Values of several steps at once, and the operations on them.
//!
//! Invariant: an operation gives in each lane what [`crate::scalar`] gives for that lane's operands, and
//! never traps: a divisor of zero is for the caller to replace.
//!
//! ```text
//! x + 1 : i32, 8 lanes     add <8 x i32> %x, splat (i32 1)
//! ```

use arrc_core::prim::{BinOp, Const, Math, Scalar, UnOp};
use inkwell::types::{BasicTypeEnum, VectorType};
use inkwell::values::{BasicValueEnum, InstructionOpcode, IntValue, VectorValue};
use inkwell::{FloatPredicate, IntPredicate};

use crate::code::Code;
use crate::isa::Isa;
use crate::scalar::predicate;
use crate::unit::built;

/// What a variable is in the steps that run together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lanes<'ctx> {
    /// The same in all steps.
    Same(BasicValueEnum<'ctx>),
    /// One value for each step.
    Each(VectorValue<'ctx>),
}

/// The type of so many values.
pub(super) fn vector_of(ty: BasicTypeEnum<'_>, lanes: u32) -> VectorType<'_> {
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

impl<'ctx> Code<'_, 'ctx, '_> {
    /// So many times the same value.
    pub(super) fn splat(&self, value: BasicValueEnum<'ctx>, lanes: u32) -> VectorValue<'ctx> {
        let ty = vector_of(value.get_type(), lanes);
        let one = built(self.b.build_insert_element(
            ty.get_poison(),
            value,
            self.types.i32.const_zero(),
            "",
        ));
        self.shuffle(one, ty.get_poison(), (0..lanes).map(|_| 0))
    }

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

    /// `op x` in each lane.
    pub(super) fn lanes_unary(
        &self,
        op: UnOp,
        ty: Scalar,
        x: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let intrinsic = |name| self.lanes_intrinsic(name, &[x.into()]);
        match op {
            UnOp::To(to) => self.lanes_convert(ty, to, x),
            UnOp::Neg if ty.is_float() => built(self.b.build_float_neg(x, "")),
            UnOp::Neg => built(self.b.build_int_neg(x, "")),
            UnOp::Not => built(self.b.build_not(x, "")),
            UnOp::Abs if ty.is_float() => intrinsic("llvm.fabs"),
            UnOp::Abs if ty.is_signed() => self.lanes_abs(x),
            UnOp::Abs => x,
            UnOp::Signum => self.lanes_signum(ty, x),
            UnOp::Math(Math::Sqrt) => intrinsic("llvm.sqrt"),
            UnOp::Math(Math::Floor) => intrinsic("llvm.floor"),
            UnOp::Math(Math::Ceil) => intrinsic("llvm.ceil"),
            UnOp::Math(Math::Round) => intrinsic("llvm.rint"),
            UnOp::Math(Math::Trunc) => intrinsic("llvm.trunc"),
            UnOp::ToBits => self.lanes_bits(ty, x),
            UnOp::FromBits => self.lanes_cast(InstructionOpcode::BitCast, x, op.result(ty)),
            UnOp::IsNan => self.lanes_float_compare(FloatPredicate::UNO, x, x),
            UnOp::IsInf => {
                let infinity = self.types.float(ty).const_float(f64::INFINITY).into();
                let infinity = self.splat(infinity, x.get_type().get_size());
                self.lanes_float_compare(FloatPredicate::OEQ, intrinsic("llvm.fabs"), infinity)
            }
            UnOp::Popc | UnOp::Clz | UnOp::Ctz | UnOp::Math(_) => {
                panic!("`{}` is no operation on lanes", op.name())
            }
        }
    }

    /// The bits of floats, of all NaNs those of one.
    fn lanes_bits(&self, ty: Scalar, x: VectorValue<'ctx>) -> VectorValue<'ctx> {
        let bits = ty.bits_type().expect("a float has bits");
        let own = self.lanes_cast(InstructionOpcode::BitCast, x, bits);
        let nan = self.types.int(bits).const_int(Const::float(ty, f64::NAN).bits, false);
        let nan = self.splat(nan.into(), x.get_type().get_size());
        self.blend(self.lanes_float_compare(FloatPredicate::UNO, x, x), nan, own)
    }

    /// The magnitude of integers; the lowest stays what it is.
    pub(super) fn lanes_abs(&self, x: VectorValue<'ctx>) -> VectorValue<'ctx> {
        self.lanes_intrinsic("llvm.abs", &[x.into(), self.types.i1.const_zero().into()])
    }

    fn lanes_signum(&self, ty: Scalar, x: VectorValue<'ctx>) -> VectorValue<'ctx> {
        let zero = x.get_type().const_zero();
        let constant = |value| self.constant_lanes(ty, value, x.get_type().get_size());
        if ty.is_float() {
            let sign = self.lanes_intrinsic("llvm.copysign", &[constant(1).into(), x.into()]);
            let nonzero = self.lanes_float_compare(FloatPredicate::ONE, x, zero);
            return self.blend(nonzero, sign, x);
        }
        let nonzero = self.lanes_compare(IntPredicate::NE, x, zero);
        let sign = if ty.is_signed() {
            let below = self.lanes_compare(IntPredicate::SLT, x, zero);
            self.blend(below, constant(-1), constant(1))
        } else {
            constant(1)
        };
        self.blend(nonzero, sign, zero)
    }

    fn lanes_convert(&self, from: Scalar, to: Scalar, x: VectorValue<'ctx>) -> VectorValue<'ctx> {
        use InstructionOpcode as I;
        let zero = x.get_type().const_zero();
        let wider = to.bytes() > from.bytes() || from == Scalar::Bool;
        match (from.is_float(), to.is_float()) {
            _ if from == to => x,
            (true, true) => self.lanes_cast(if wider { I::FPExt } else { I::FPTrunc }, x, to),
            (true, false) if to == Scalar::Bool => {
                self.lanes_float_compare(FloatPredicate::UNE, x, zero)
            }
            (false, false) if to == Scalar::Bool => self.lanes_compare(IntPredicate::NE, x, zero),
            (true, false) => {
                let name = if to.is_signed() { "llvm.fptosi.sat" } else { "llvm.fptoui.sat" };
                let ty = vector_of(self.types.scalar(to), x.get_type().get_size());
                self.call_intrinsic(name, &[ty.into(), x.get_type().into()], &[x.into()])
                    .into_vector_value()
            }
            (false, true) => {
                self.lanes_cast(if from.is_signed() { I::SIToFP } else { I::UIToFP }, x, to)
            }
            (false, false) if !wider && to.bytes() == from.bytes() => x,
            (false, false) if !wider => self.lanes_cast(I::Trunc, x, to),
            (false, false) if from.is_signed() && to.is_signed() => self.lanes_cast(I::SExt, x, to),
            (false, false) => self.lanes_cast(I::ZExt, x, to),
        }
    }

    /// `a op b` in each lane; no divisor is 0.
    pub(super) fn lanes_binary(
        &self,
        op: BinOp,
        ty: Scalar,
        a: VectorValue<'ctx>,
        b: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        if ty.is_float() { self.lanes_float(op, a, b) } else { self.lanes_int(op, ty, a, b) }
    }

    fn lanes_float(
        &self,
        op: BinOp,
        a: VectorValue<'ctx>,
        b: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        use InstructionOpcode as I;
        let intrinsic = |name| self.lanes_intrinsic(name, &[a.into(), b.into()]);
        let compare = |how| self.lanes_float_compare(how, a, b);
        match op {
            BinOp::Add => self.lanes_op(I::FAdd, a, b),
            BinOp::Sub => self.lanes_op(I::FSub, a, b),
            BinOp::Mul => self.lanes_op(I::FMul, a, b),
            BinOp::Div => self.lanes_op(I::FDiv, a, b),
            BinOp::Min => self.lanes_extreme(intrinsic("llvm.minimumnum"), a, b),
            BinOp::Max => self.lanes_extreme(intrinsic("llvm.maximumnum"), a, b),
            BinOp::Eq => compare(FloatPredicate::OEQ),
            BinOp::Ne => compare(FloatPredicate::UNE),
            BinOp::Lt => compare(FloatPredicate::OLT),
            BinOp::Le => compare(FloatPredicate::OLE),
            BinOp::Gt => compare(FloatPredicate::OGT),
            BinOp::Ge => compare(FloatPredicate::OGE),
            BinOp::Mod
            | BinOp::Quot
            | BinOp::Rem
            | BinOp::Pow
            | BinOp::Atan2
            | BinOp::Hypot
            | BinOp::MulHi
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::Shr
            | BinOp::ShrLogical => panic!("`{}` is no operation on lanes of floats", op.name()),
        }
    }

    /// The smaller or larger numbers, put right where LLVM is wrong about NaN, as for scalars.
    fn lanes_extreme(
        &self,
        extreme: VectorValue<'ctx>,
        a: VectorValue<'ctx>,
        b: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        if self.unit.isa != Isa::Avx512 {
            return extreme;
        }
        let is_nan = |x| self.lanes_float_compare(FloatPredicate::UNO, x, x);
        self.blend(is_nan(a), b, self.blend(is_nan(b), a, extreme))
    }

    /// The smaller or larger of floats, of which the first are no NaN: the first where the second are. Of zeros the
    /// negative one is the smaller.
    ///
    /// Two instructions and one comparison, where LLVM's `minimumnum` takes eight: equal floats have the same bits
    /// but for the sign of zeros, so `or` and `and` of the bits give the zero that is right. With AVX-512, one
    /// instruction, and one for all that are taken of the same vector.
    pub(super) fn lanes_extreme_of(
        &self,
        op: BinOp,
        ty: Scalar,
        number: VectorValue<'ctx>,
        other: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let least = op == BinOp::Min;
        if self.unit.isa == Isa::Avx512 && number.get_type().get_size() * ty.bytes() == 64 {
            return self.lanes_range(least, ty, number, other);
        }
        let nearer = if least { FloatPredicate::OLT } else { FloatPredicate::OGT };
        let join = if least { InstructionOpcode::Or } else { InstructionOpcode::And };
        let takes = self.lanes_float_compare(nearer, other, number);
        let extreme = self.blend(takes, other, number);
        let is_same = self.lanes_float_compare(FloatPredicate::OEQ, other, extreme);
        let bits = ty.bits_type().expect("a float has bits");
        let as_bits = |x| self.lanes_cast(InstructionOpcode::BitCast, x, bits);
        let joined = self.lanes_op(join, as_bits(other), as_bits(extreme));
        let joined = self.lanes_cast(InstructionOpcode::BitCast, joined, ty);
        self.blend(is_same, joined, extreme)
    }

    /// The same in one instruction. Of a NaN that signals it would make one that does not, instead of taking
    /// the number; so the others are multiplied by 1, which leaves no such NaN.
    fn lanes_range(
        &self,
        least: bool,
        ty: Scalar,
        number: VectorValue<'ctx>,
        other: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        // Which of them; and with the sign that it has.
        let how = self.types.i32.const_int(if least { 0b0100 } else { 0b0101 }, false);
        let current_rounding = self.types.i32.const_int(4, false);
        let lanes = std::num::NonZeroU32::new(number.get_type().get_size());
        let all = lanes.and_then(|lanes| self.unit.context.custom_width_int_type(lanes).ok());
        let all = all.expect("integers are that wide").const_all_ones();
        let name = if ty == Scalar::F64 {
            "llvm.x86.avx512.mask.range.pd.512"
        } else {
            "llvm.x86.avx512.mask.range.ps.512"
        };
        let other = self.lanes_intrinsic("llvm.canonicalize", &[other.into()]);
        let args = [
            number.into(),
            other.into(),
            how.into(),
            number.into(),
            all.into(),
            current_rounding.into(),
        ];
        self.call_intrinsic(name, &[], &args).into_vector_value()
    }

    fn lanes_int(
        &self,
        op: BinOp,
        ty: Scalar,
        a: VectorValue<'ctx>,
        b: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        use InstructionOpcode as I;
        let intrinsic = |name| self.lanes_intrinsic(name, &[a.into(), b.into()]);
        let shift = |how| {
            let longest = i64::from(8 * ty.bytes() - 1);
            let longest = self.constant_lanes(ty, longest, a.get_type().get_size());
            self.lanes_op(how, a, self.lanes_op(I::And, b, longest))
        };
        match op {
            BinOp::Add => self.lanes_op(I::Add, a, b),
            BinOp::Sub => self.lanes_op(I::Sub, a, b),
            BinOp::Mul => self.lanes_op(I::Mul, a, b),
            BinOp::And => self.lanes_op(I::And, a, b),
            BinOp::Or => self.lanes_op(I::Or, a, b),
            BinOp::Xor => self.lanes_op(I::Xor, a, b),
            BinOp::Min => intrinsic(if ty.is_signed() { "llvm.smin" } else { "llvm.umin" }),
            BinOp::Max => intrinsic(if ty.is_signed() { "llvm.smax" } else { "llvm.umax" }),
            BinOp::Shl => shift(I::Shl),
            BinOp::Shr => shift(if ty.is_signed() { I::AShr } else { I::LShr }),
            BinOp::ShrLogical => shift(I::LShr),
            BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem => self.lanes_divide(op, ty, a, b),
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                self.lanes_compare(predicate(op, ty.is_signed()), a, b)
            }
            BinOp::Pow | BinOp::Atan2 | BinOp::Hypot | BinOp::MulHi => {
                panic!("`{}` is no operation on lanes", op.name())
            }
        }
    }
}

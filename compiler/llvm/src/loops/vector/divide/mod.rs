//! Division of lanes: by anything, and by a divisor that is the same in all steps.
//!
//! The second kind is a multiplication and shifts (Granlund and Montgomery 1994, figure 4.1): with
//! 2^l the first power of two that is not below d,
//!
//! ```text
//! m = 2^N (2^l - d) / d + 1         once, before the loop
//! h = high half of m x              ⇒  x / d = (h + ((x - h) >> min(l, 1))) >> max(l - 1, 0)
//! ```
//!
//! Signed numbers are made unsigned before and signed after: rounding down, x / d is the complement of
//! (the complement of x) / d for a negative x.
//!
//! For 64 bits the high half takes four multiplications, so vectors of smaller numbers go another way ([`moderate`]).
//!
//! Invariant: no divisor is 0 here, and nothing traps.

use arrc_syntax::prim::{BinOp, Const, Scalar};
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::basic_block::BasicBlock;
use inkwell::module::Linkage;
use inkwell::values::{FunctionValue, InstructionOpcode as I, IntValue, VectorValue};

use self::moderate::Moderate;
use crate::code::FunctionBuilder;
use crate::target::isa::Isa;
use crate::unit::{FASTCC, Unit, built};

mod moderate;

/// The constants for dividing by a number, in every lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reciprocal<'ctx> {
    divisor: VectorValue<'ctx>,
    /// The low N bits of the multiplier m. Its bit N is 1.
    magic: VectorValue<'ctx>,
    shifts: [VectorValue<'ctx>; 2],
    /// For 64 bits only.
    moderate: Option<Moderate<'ctx>>,
}

/// Whether vectors divide by a divisor in each lane faster than one lane after the other. Shorter registers have two
/// doubles. `scripts/bench ratios_i64` takes 0.22 of the time of C at 32,768 steps (least times, AVX-512).
pub(super) fn divides_lanes(isa: Isa) -> bool {
    isa.register() >= 32
}

/// The quotient of a division that has the quotient or the remainder as its result.
fn quotient_of(op: BinOp) -> BinOp {
    if matches!(op, BinOp::Div | BinOp::Mod) { BinOp::Div } else { BinOp::Quot }
}

/// Whether a constant divides 64-bit integers by more than a shift.
pub(super) fn is_wide_divisor(divisor: Const) -> bool {
    divisor.ty.bytes() == 8 && !divisor.as_i128().unsigned_abs().is_power_of_two()
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// Prepares for divisions by `divisor`, which is not 0.
    pub(super) fn reciprocal(
        &mut self,
        ty: Scalar,
        divisor: IntValue<'ctx>,
        lanes: u32,
    ) -> Reciprocal<'ctx> {
        let (int, i64) = (divisor.get_type(), self.types.i64);
        let no = self.types.i1.const_zero().into();
        let mut magnitude = divisor;
        if ty.is_signed() {
            let abs = self.call_intrinsic("llvm.abs", &[int.into()], &[divisor.into(), no]);
            magnitude = abs.into_int_value();
        }
        let op =
            |how, a: IntValue<'ctx>, b| built(self.b.build_binop(how, a, b, "")).into_int_value();
        let d = built(self.b.build_int_z_extend_or_bit_cast(magnitude, i64, ""));
        let one = self.size(1);
        let below = op(I::Sub, d, one);
        let zeros = self.call_intrinsic("llvm.ctlz", &[i64.into()], &[below.into(), no]);
        let log = op(I::Sub, self.size(64), zeros.into_int_value());
        // 2^64 is 0 in 64 bits, which is right below.
        let fits = self.compare(IntPredicate::ULT, log, self.size(64));
        let power = op(I::Shl, one, op(I::And, log, self.size(63)));
        let power = built(self.b.build_select(fits, power, i64.const_zero(), "")).into_int_value();
        let excess = op(I::Sub, power, d);
        let quotient = if ty.bytes() == 8 {
            let call = built(self.b.build_call(helper(self.unit), &[excess.into(), d.into()], ""));
            call.set_call_convention(FASTCC);
            call.try_as_basic_value().expect_basic("a quotient is a value").into_int_value()
        } else {
            op(I::UDiv, op(I::Shl, excess, self.size(u64::from(8 * ty.bytes()))), d)
        };
        let first = self
            .call_intrinsic("llvm.umin", &[i64.into()], &[log.into(), one.into()])
            .into_int_value();
        let second = op(I::Sub, log, first);
        let splat = |value: IntValue<'ctx>| {
            let value = built(self.b.build_int_truncate_or_bit_cast(value, int, ""));
            self.splat(value.into(), lanes)
        };
        Reciprocal {
            divisor: self.splat(divisor.into(), lanes),
            magic: splat(op(I::Add, quotient, one)),
            shifts: [splat(first), splat(second)],
            moderate: (ty.bytes() == 8).then(|| self.moderate(ty, divisor, lanes)),
        }
    }

    /// `x op divisor` in each lane, for one of the four divisions.
    pub(super) fn divide_by(
        &self,
        by: &Reciprocal<'ctx>,
        (op, ty): (BinOp, Scalar),
        x: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let general = || self.general_quotient(by, (op, ty), x);
        let quotient = match &by.moderate {
            None => general(),
            Some(moderate) => self.either_quotient(moderate, (op, ty), x, general),
        };
        self.remainder_if_asked(op, x, quotient, by.divisor)
    }

    /// `x op divisor` in each lane, for one of the four divisions and a divisor that is not 0.
    pub(super) fn divide_by_constant(
        &self,
        divisor: Const,
        (op, ty): (BinOp, Scalar),
        x: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let lanes = x.get_type().get_size();
        let number = self.constant(divisor);
        let divisors = self.splat(number, lanes);
        let by_llvm = |op| self.apply(op, ty, [x.into(), divisors.into()]).into_vector_value();
        if !is_wide_divisor(divisor) {
            return by_llvm(op);
        }
        let moderate = self.moderate(ty, number.into_int_value(), lanes);
        let found = self.either_quotient(&moderate, (op, ty), x, || by_llvm(quotient_of(op)));
        self.remainder_if_asked(op, x, found, divisors)
    }

    /// `x op divisor` in each lane, for one of the four divisions and divisors that are not 0.
    pub(super) fn divide_by_lanes(
        &self,
        divisors: VectorValue<'ctx>,
        (op, ty): (BinOp, Scalar),
        x: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let by_llvm = |op| self.apply(op, ty, [x.into(), divisors.into()]).into_vector_value();
        if !divides_lanes(self.unit.isa) {
            return by_llvm(op);
        }
        let in_doubles = || {
            let by = self.moderate_of_lanes(ty, divisors);
            self.moderate_quotient(&by, (op, ty), x)
        };
        let quotient = if ty.bytes() < 8 {
            in_doubles()
        } else {
            let [a, b] = [x, divisors].map(|lanes| self.are_moderate(ty, lanes));
            let both = built(self.b.build_and(a, b, ""));
            self.phi_of(self.two_ways(both, in_doubles, || by_llvm(quotient_of(op))))
        };
        self.remainder_if_asked(op, x, quotient, divisors)
    }

    /// The quotient, or the remainder if that is the result of the operation.
    fn remainder_if_asked(
        &self,
        op: BinOp,
        x: VectorValue<'ctx>,
        quotient: VectorValue<'ctx>,
        divisor: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        if matches!(op, BinOp::Div | BinOp::Quot) {
            return quotient;
        }
        self.lanes_op(I::Sub, x, self.lanes_op(I::Mul, quotient, divisor))
    }

    /// Branches to the way for moderate numbers where all lanes are moderate.
    fn either_quotient(
        &self,
        moderate: &Moderate<'ctx>,
        of: (BinOp, Scalar),
        x: VectorValue<'ctx>,
        general: impl FnOnce() -> VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let near = || self.moderate_quotient(moderate, of, x);
        self.phi_of(self.two_ways(self.are_moderate(of.1, x), near, general))
    }

    /// The values of two ways, with the blocks where they end.
    fn two_ways(
        &self,
        is_near: IntValue<'ctx>,
        near: impl FnOnce() -> VectorValue<'ctx>,
        far: impl FnOnce() -> VectorValue<'ctx>,
    ) -> [(VectorValue<'ctx>, BasicBlock<'ctx>); 2] {
        let [moderate, large, done] =
            ["divide.moderate", "divide.large", "divided"].map(|name| self.block(name));
        self.branch(is_near, moderate, large);
        self.b.position_at_end(moderate);
        let near = (near(), self.current_block());
        self.jump(done);
        self.b.position_at_end(large);
        let far = (far(), self.current_block());
        self.jump(done);
        self.b.position_at_end(done);
        [near, far]
    }

    fn general_quotient(
        &self,
        by: &Reciprocal<'ctx>,
        (op, ty): (BinOp, Scalar),
        x: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        if !ty.is_signed() {
            self.quotient(by, x)
        } else if matches!(op, BinOp::Div | BinOp::Mod) {
            self.quotient_down(by, ty, x)
        } else {
            self.quotient_to_zero(by, ty, x)
        }
    }

    /// The quotient of unsigned numbers and the divisor's magnitude.
    fn quotient(&self, by: &Reciprocal<'ctx>, x: VectorValue<'ctx>) -> VectorValue<'ctx> {
        let high = self.high_half(x, by.magic);
        let rest = self.lanes_op(I::LShr, self.lanes_op(I::Sub, x, high), by.shifts[0]);
        self.lanes_op(I::LShr, self.lanes_op(I::Add, high, rest), by.shifts[1])
    }

    fn quotient_down(
        &self,
        by: &Reciprocal<'ctx>,
        ty: Scalar,
        x: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        // For a negative divisor, -x is divided by its magnitude. `-x & !x` is negative where x is above 0, also where
        // -x wraps.
        let sign = self.signs(ty, by.divisor);
        let flipped = self.lanes_op(I::Xor, x, sign);
        let negated = self.lanes_op(I::Sub, flipped, sign);
        let below = self.signs(ty, self.lanes_op(I::And, negated, flipped));
        let quotient = self.quotient(by, self.lanes_op(I::Xor, negated, below));
        self.lanes_op(I::Xor, quotient, below)
    }

    fn quotient_to_zero(
        &self,
        by: &Reciprocal<'ctx>,
        ty: Scalar,
        x: VectorValue<'ctx>,
    ) -> VectorValue<'ctx> {
        let below = self.signs(ty, self.lanes_op(I::Xor, x, by.divisor));
        let quotient = self.quotient(by, self.magnitude(ty, x.into()).into_vector_value());
        self.lanes_op(I::Sub, self.lanes_op(I::Xor, quotient, below), below)
    }

    /// -1 where a number is negative, and 0 elsewhere.
    fn signs(&self, ty: Scalar, x: VectorValue<'ctx>) -> VectorValue<'ctx> {
        let last = i64::from(8 * ty.bytes() - 1);
        self.lanes_op(I::AShr, x, self.constant_lanes(ty, last, x.get_type().get_size()))
    }

    /// The high half of unsigned products with a factor that is the same in all lanes.
    fn high_half(&self, a: VectorValue<'ctx>, b: VectorValue<'ctx>) -> VectorValue<'ctx> {
        let ty = a.get_type();
        let width = ty.get_element_type().into_int_type().get_bit_width();
        match width {
            64 => return self.high_half_of_64(a, b),
            32 => return self.high_half_of_32(a, b),
            _ => {}
        }
        let wide = std::num::NonZeroU32::new(2 * width).expect("twice a width");
        let wide = self.unit.context.custom_width_int_type(wide).expect("integers are that wide");
        let wide_lanes = wide.vec_type(ty.get_size());
        let extend = |x| built(self.b.build_cast(I::ZExt, x, wide_lanes, "")).into_vector_value();
        let product = self.lanes_op(I::Mul, extend(a), extend(b));
        let half = wide.const_int(u64::from(width), false);
        let high = self.lanes_op(I::LShr, product, self.splat(half.into(), ty.get_size()));
        built(self.b.build_cast(I::Trunc, high, ty, "")).into_vector_value()
    }

    /// The same for 32-bit lanes: the even and the odd lanes are multiplied separately, as halves of 64-bit lanes. The
    /// second factor is the same in all lanes.
    fn high_half_of_32(&self, a: VectorValue<'ctx>, b: VectorValue<'ctx>) -> VectorValue<'ctx> {
        let lanes = a.get_type().get_size();
        let pairs = self.types.i64.vec_type(lanes / 2);
        let cast = |x, ty| built(self.b.build_bit_cast(x, ty, "")).into_vector_value();
        let constant = |value| self.splat(self.size(value).into(), lanes / 2);
        let (half, low_half) = (constant(32), constant(u64::from(u32::MAX)));
        let even = |x| self.lanes_op(I::And, cast(x, pairs), low_half);
        let odd = |x| self.lanes_op(I::LShr, cast(x, pairs), half);
        let evens = cast(self.lanes_op(I::Mul, even(a), even(b)), a.get_type());
        let odds = cast(self.lanes_op(I::Mul, odd(a), even(b)), a.get_type());
        // The second half of each product, since the low half comes first in memory.
        let order = (0..lanes).map(|at| if at % 2 == 0 { at + 1 } else { lanes + at });
        self.shuffle(evens, odds, order)
    }

    /// The same for 64-bit lanes, from products of their halves, for which processors have instructions.
    fn high_half_of_64(&self, a: VectorValue<'ctx>, b: VectorValue<'ctx>) -> VectorValue<'ctx> {
        let lanes = a.get_type().get_size();
        let constant = |value| self.splat(self.size(value).into(), lanes);
        let (half, low_half) = (constant(32), constant(u64::from(u32::MAX)));
        let low = |x| self.lanes_op(I::And, x, low_half);
        let high = |x| self.lanes_op(I::LShr, x, half);
        // LLVM hoists the halves of the common factor out of the loop, and forgets that they have only 32 bits. A mask
        // that it does not recognise as redundant stays with the half, so the high half is swapped and masked.
        let halves = self.types.i32.vec_type(2 * lanes);
        let cast = |x, ty| built(self.b.build_bit_cast(x, ty, "")).into_vector_value();
        let swapped = cast(b, halves);
        let swapped = self.shuffle(swapped, swapped, (0..2 * lanes).map(|at| at ^ 1));
        let swapped = cast(swapped, b.get_type());
        let mul = |x, y| self.lanes_op(I::Mul, x, y);
        let add = |x, y| self.lanes_op(I::Add, x, y);
        let (a0, a1, b0, b1) = (low(a), high(a), low(b), low(swapped));
        let middle = add(mul(a1, b0), high(mul(a0, b0)));
        let other = add(mul(a0, b1), low(middle));
        add(add(mul(a1, b1), high(middle)), high(other))
    }
}

/// `(high, divisor) -> high * 2^64 / divisor`, for `high` below the divisor, bit by bit: it runs once
/// before a loop, and the division that processors have for it is a call in LLVM.
fn helper<'ctx>(unit: &Unit<'ctx, '_>) -> FunctionValue<'ctx> {
    let name = "arr.reciprocal.i64";
    if let Some(known) = unit.module.get_function(name) {
        return known;
    }
    let i64 = unit.types.i64;
    let signature = i64.fn_type(&[i64.into(), i64.into()], false);
    let function = unit.module.add_function(name, signature, Some(Linkage::Internal));
    function.set_call_conventions(FASTCC);
    unit.describe(function);
    for (attribute, value) in [("willreturn", 0), ("memory", 0), ("noinline", 0)] {
        function.add_attribute(AttributeLoc::Function, unit.attribute(attribute, value));
    }
    let b = unit.context.create_builder();
    let block = |name| unit.context.append_basic_block(function, name);
    let (entry, body, done) = (block("entry"), block("bit"), block("done"));
    let param = |n| function.get_nth_param(n).expect("two numbers").into_int_value();
    let number = |value| i64.const_int(value, false);
    let op = |how, x: IntValue<'ctx>, y| built(b.build_binop(how, x, y, "")).into_int_value();

    b.position_at_end(entry);
    built(b.build_unconditional_branch(body));
    b.position_at_end(body);
    let [left, rest, quotient] =
        ["left", "rest", "quotient"].map(|name| built(b.build_phi(i64, name)));
    let value = |phi: inkwell::values::PhiValue<'ctx>| phi.as_basic_value().into_int_value();
    // If the shift loses a bit, the rest is above the divisor.
    let lost = op(I::LShr, value(rest), number(63));
    let doubled = op(I::Shl, value(rest), number(1));
    let compare = |how, x, y| built(b.build_int_compare(how, x, y, ""));
    let above = compare(IntPredicate::NE, lost, number(0));
    let fits = op(I::Or, above, compare(IntPredicate::UGE, doubled, param(1)));
    let taken = built(b.build_select(fits, param(1), number(0), "")).into_int_value();
    let new_rest = op(I::Sub, doubled, taken);
    let bit = built(b.build_int_z_extend(fits, i64, ""));
    let new_quotient = op(I::Or, op(I::Shl, value(quotient), number(1)), bit);
    let new_left = op(I::Sub, value(left), number(1));
    built(b.build_conditional_branch(compare(IntPredicate::NE, new_left, number(0)), body, done));
    left.add_incoming(&[(&number(64), entry), (&new_left, body)]);
    rest.add_incoming(&[(&param(0), entry), (&new_rest, body)]);
    quotient.add_incoming(&[(&number(0), entry), (&new_quotient, body)]);

    b.position_at_end(done);
    built(b.build_return(Some(&new_quotient)));
    function
}

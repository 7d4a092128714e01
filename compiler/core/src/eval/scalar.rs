//! Scalar operations on constants, exactly as `prim` describes them.
//!
//! Invariant: total on the operand types that [`UnOp::accepts`] and [`BinOp::accepts`] allow, except
//! for the traps that [`BinOp::traps`] announces.
//!
//! ```text
//! bin(Div, -7i64, 2i64) ⇒ Ok(-4i64)      bin(Div, 1i64, 0i64) ⇒ Err(DivisionByZero)
//! ```

use arr_libm::Libm;

use crate::prim::{BinOp, Const, Math, Scalar, UnOp};

/// Why an operation has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trap {
    /// An integer was divided by zero.
    DivisionByZero,
    /// An integer was raised to a negative power.
    NegativeExponent,
}

/// Evaluates an operation on one scalar.
///
/// # Panics
/// If the operation is not defined on the operand's type.
#[must_use]
pub fn un(op: UnOp, x: Const) -> Const {
    assert!(op.accepts(x.ty), "`{}` is not defined on {}", op.name(), x.ty);
    match op {
        UnOp::To(to) => convert(to, x),
        UnOp::FromBits => Const { ty: op.result(x.ty), bits: x.bits },
        UnOp::Not if x.ty == Scalar::Bool => Const::bool(x.bits == 0),
        _ if x.ty.is_float() => un_float(op, x),
        UnOp::Neg => Const::int(x.ty, -x.as_i128()),
        UnOp::Not => Const::int(x.ty, !x.as_i128()),
        UnOp::Abs => Const::int(x.ty, x.as_i128().abs()),
        UnOp::Signum => Const::int(x.ty, x.as_i128().signum()),
        UnOp::Popc => count(u64::count_ones(own_bits(x))),
        UnOp::Clz => count(own_bits(x).leading_zeros() - (64 - width(x.ty))),
        UnOp::Ctz => count(own_bits(x).trailing_zeros().min(width(x.ty))),
        UnOp::Math(_) | UnOp::IsNan | UnOp::IsInf | UnOp::ToBits => {
            unreachable!("`{}` is defined on floats only", op.name())
        }
    }
}

/// The bits of an integer, zeros above them.
fn own_bits(x: Const) -> u64 {
    x.bits & (u64::MAX >> (64 - width(x.ty)))
}

/// A number of bits.
fn count(bits: u32) -> Const {
    Const::int(Scalar::I32, bits.into())
}

/// Evaluates `a * b + c`, rounded once.
///
/// # Panics
/// If the operands are not floats of one type.
#[must_use]
pub fn fma(a: Const, b: Const, c: Const) -> Const {
    assert!(a.ty.is_float() && a.ty == b.ty && b.ty == c.ty, "`fma` is of floats of one type");
    if a.ty == Scalar::F32 {
        from_f32(to_f32(a).mul_add(to_f32(b), to_f32(c)))
    } else {
        from_f64(a.as_f64().mul_add(b.as_f64(), c.as_f64()))
    }
}

/// Evaluates an operation on two scalars.
///
/// # Errors
/// The trap, where [`BinOp::traps`] allows one.
///
/// # Panics
/// If the operands' types differ, or the operation is not defined on them.
pub fn bin(op: BinOp, x: Const, y: Const) -> Result<Const, Trap> {
    assert_eq!(x.ty, y.ty, "the operands of `{}` have one type", op.name());
    assert!(op.accepts(x.ty), "`{}` is not defined on {}", op.name(), x.ty);
    if op.is_comparison() {
        Ok(Const::bool(compare(op, x, y)))
    } else if x.ty.is_float() {
        Ok(bin_float(op, x, y))
    } else if x.ty == Scalar::Bool {
        Ok(bin_bool(op, x.bits != 0, y.bits != 0))
    } else {
        bin_int(op, x, y)
    }
}

/// A value as messages show it: without its type.
#[must_use]
pub fn shown(value: Const) -> String {
    let text = value.to_string();
    text.strip_suffix(value.ty.name()).unwrap_or(&text).to_owned()
}

/// The bits of `ty`.
fn width(ty: Scalar) -> u32 {
    ty.bytes() * 8
}

/// `To`: truncating and saturating from floats; between integers the low bits, above which there are
/// zeros if either type is unsigned, and copies of the sign if both are signed.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    clippy::cast_lossless
)]
fn convert(to: Scalar, x: Const) -> Const {
    if x.ty.is_float() {
        let value = x.as_f64();
        return match to {
            Scalar::Bool => Const::bool(value != 0.0),
            Scalar::I8 => Const::int(to, (value as i8).into()),
            Scalar::I16 => Const::int(to, (value as i16).into()),
            Scalar::I32 => Const::int(to, (value as i32).into()),
            Scalar::I64 => Const::int(to, (value as i64).into()),
            Scalar::U8 => Const::int(to, (value as u8).into()),
            Scalar::U16 => Const::int(to, (value as u16).into()),
            Scalar::U32 => Const::int(to, (value as u32).into()),
            Scalar::U64 => Const::int(to, (value as u64).into()),
            Scalar::F32 | Scalar::F64 => Const::float(to, value),
        };
    }
    let value = x.as_i128();
    match to {
        Scalar::Bool => Const::bool(value != 0),
        // Straight to `f32`: by way of `f64` it would be rounded twice.
        Scalar::F32 => from_f32(value as f32),
        Scalar::F64 => from_f64(value as f64),
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => Const::int(to, value),
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => Const::int(to, own_bits(x).into()),
    }
}

fn from_f32(value: f32) -> Const {
    Const { ty: Scalar::F32, bits: u64::from(value.to_bits()) }
}

fn from_f64(value: f64) -> Const {
    Const { ty: Scalar::F64, bits: value.to_bits() }
}

fn to_f32(x: Const) -> f32 {
    f32::from_bits(u32::try_from(x.bits).expect("an f32 has 32 bits"))
}

macro_rules! float_un {
    ($name:ident, $math:ident, $ty:ident, $wrap:ident, $bits:ident) => {
        fn $name(op: UnOp, x: $ty) -> Const {
            $wrap(match op {
                UnOp::Neg => -x,
                UnOp::Abs => x.abs(),
                // Zeros keep their sign and NaN stays NaN.
                UnOp::Signum if x > 0.0 => 1.0,
                UnOp::Signum if x < 0.0 => -1.0,
                UnOp::Signum => x,
                UnOp::Math(math) => $math(math, x),
                UnOp::IsNan => return Const::bool(x.is_nan()),
                UnOp::IsInf => return Const::bool(x.is_infinite()),
                UnOp::ToBits => {
                    let bits = if x.is_nan() { $ty::NAN } else { x }.to_bits();
                    return Const { ty: Scalar::$bits, bits: bits.into() };
                }
                UnOp::Not | UnOp::Popc | UnOp::Clz | UnOp::Ctz | UnOp::FromBits | UnOp::To(_) => {
                    unreachable!("`{}` has no case for floats here", op.name())
                }
            })
        }

        fn $math(math: Math, x: $ty) -> $ty {
            match math {
                Math::Sqrt => x.sqrt(),
                Math::Exp => Libm::exp(x),
                Math::Exp2 => Libm::exp2(x),
                Math::Expm1 => Libm::expm1(x),
                Math::Log => Libm::log(x),
                Math::Log2 => Libm::log2(x),
                Math::Log10 => Libm::log10(x),
                Math::Log1p => Libm::log1p(x),
                Math::Sin => Libm::sin(x),
                Math::Cos => Libm::cos(x),
                Math::Tan => Libm::tan(x),
                Math::Asin => Libm::asin(x),
                Math::Acos => Libm::acos(x),
                Math::Atan => Libm::atan(x),
                Math::Sinh => Libm::sinh(x),
                Math::Cosh => Libm::cosh(x),
                Math::Tanh => Libm::tanh(x),
                Math::Asinh => Libm::asinh(x),
                Math::Acosh => Libm::acosh(x),
                Math::Atanh => Libm::atanh(x),
                Math::Gamma => Libm::gamma(x),
                Math::Lgamma => Libm::lgamma(x),
                Math::Erf => Libm::erf(x),
                Math::Erfc => Libm::erfc(x),
                Math::Floor => x.floor(),
                Math::Ceil => x.ceil(),
                Math::Round => x.round_ties_even(),
                Math::Trunc => x.trunc(),
            }
        }
    };
}

float_un!(un_f32, math_f32, f32, from_f32, U32);
float_un!(un_f64, math_f64, f64, from_f64, U64);

fn un_float(op: UnOp, x: Const) -> Const {
    if x.ty == Scalar::F32 { un_f32(op, to_f32(x)) } else { un_f64(op, x.as_f64()) }
}

macro_rules! float_bin {
    ($name:ident, $ty:ty, $wrap:ident) => {
        fn $name(op: BinOp, x: $ty, y: $ty) -> Const {
            $wrap(match op {
                BinOp::Add => x + y,
                BinOp::Sub => x - y,
                BinOp::Mul => x * y,
                BinOp::Div => x / y,
                BinOp::Mod => {
                    let rem = x % y;
                    let moves = rem != 0.0 && (rem < 0.0) != (y < 0.0);
                    // The remainder has the divisor's sign, a zero as well.
                    if moves { rem + y } else { rem.copysign(y) }
                }
                BinOp::Pow if y == 2.0 => x * x,
                BinOp::Pow => Libm::pow(x, y),
                BinOp::Atan2 => Libm::atan2(x, y),
                BinOp::Hypot => Libm::hypot(x, y),
                BinOp::Min if x.is_nan() => y,
                BinOp::Min if y.is_nan() || x < y => x,
                BinOp::Min if y < x => y,
                BinOp::Min => {
                    if x.is_sign_negative() {
                        x
                    } else {
                        y
                    }
                }
                BinOp::Max if x.is_nan() => y,
                BinOp::Max if y.is_nan() || x > y => x,
                BinOp::Max if y > x => y,
                BinOp::Max => {
                    if x.is_sign_negative() {
                        y
                    } else {
                        x
                    }
                }
                BinOp::Quot
                | BinOp::Rem
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
                | BinOp::Ge => unreachable!("`{}` has no case for floats here", op.name()),
            })
        }
    };
}

float_bin!(bin_f32, f32, from_f32);
float_bin!(bin_f64, f64, from_f64);

fn bin_float(op: BinOp, x: Const, y: Const) -> Const {
    if x.ty == Scalar::F32 {
        bin_f32(op, to_f32(x), to_f32(y))
    } else {
        bin_f64(op, x.as_f64(), y.as_f64())
    }
}

fn bin_bool(op: BinOp, x: bool, y: bool) -> Const {
    Const::bool(match op {
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
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
        | BinOp::Shl
        | BinOp::Shr
        | BinOp::ShrLogical
        | BinOp::Eq
        | BinOp::Ne
        | BinOp::Lt
        | BinOp::Le
        | BinOp::Gt
        | BinOp::Ge => unreachable!("`{}` has no case for bool here", op.name()),
    })
}

/// Integers are computed in 128 bits, of which `Const::int` keeps the low ones: that is wrapping.
fn bin_int(op: BinOp, x: Const, y: Const) -> Result<Const, Trap> {
    let (a, b) = (x.as_i128(), y.as_i128());
    if b == 0 && matches!(op, BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem) {
        return Err(Trap::DivisionByZero);
    }
    let shift = u32::try_from(y.bits % u64::from(width(x.ty))).expect("a shift is below 64");
    let value = match op {
        BinOp::Add => a + b,
        BinOp::Sub => a - b,
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::Div => a / b - i128::from(a % b != 0 && (a < 0) != (b < 0)),
        BinOp::Mod => {
            let rem = a % b;
            if rem != 0 && (rem < 0) != (b < 0) { rem + b } else { rem }
        }
        BinOp::Quot => a / b,
        BinOp::Rem => a % b,
        BinOp::Pow => power(a, b)?,
        BinOp::Min => a.min(b),
        BinOp::Max => a.max(b),
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => a << shift,
        BinOp::Shr => a >> shift,
        BinOp::ShrLogical => i128::from(own_bits(x) >> shift),
        BinOp::MulHi => upper_half(x, y),
        BinOp::Atan2
        | BinOp::Hypot
        | BinOp::Eq
        | BinOp::Ne
        | BinOp::Lt
        | BinOp::Le
        | BinOp::Gt
        | BinOp::Ge => unreachable!("`{}` has no case for integers here", op.name()),
    };
    Ok(Const::int(x.ty, value))
}

/// The upper half of a product's bits. That of two `u64`s has no room in an `i128`.
fn upper_half(x: Const, y: Const) -> i128 {
    if x.ty == Scalar::U64 {
        let product = u128::from(x.bits) * u128::from(y.bits);
        return i128::try_from(product >> 64).expect("half of 128 bits");
    }
    (x.as_i128() * y.as_i128()) >> width(x.ty)
}

fn power(base: i128, exponent: i128) -> Result<i128, Trap> {
    if exponent < 0 {
        return Err(Trap::NegativeExponent);
    }
    let (mut base, mut exponent, mut product) = (base, exponent, 1i128);
    while exponent > 0 {
        if exponent & 1 == 1 {
            product = product.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    Ok(product)
}

fn compare(op: BinOp, x: Const, y: Const) -> bool {
    let order = if x.ty.is_float() {
        x.as_f64().partial_cmp(&y.as_f64())
    } else {
        Some(x.as_i128().cmp(&y.as_i128()))
    };
    match op {
        BinOp::Eq => order.is_some_and(std::cmp::Ordering::is_eq),
        BinOp::Ne => !order.is_some_and(std::cmp::Ordering::is_eq),
        BinOp::Lt => order.is_some_and(std::cmp::Ordering::is_lt),
        BinOp::Le => order.is_some_and(std::cmp::Ordering::is_le),
        BinOp::Gt => order.is_some_and(std::cmp::Ordering::is_gt),
        BinOp::Ge => order.is_some_and(std::cmp::Ordering::is_ge),
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
        | BinOp::ShrLogical => unreachable!("`{}` is no comparison", op.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(op: BinOp, x: i128, y: i128) -> i128 {
        int_of(Scalar::I64, op, x, y)
    }

    fn int_of(ty: Scalar, op: BinOp, x: i128, y: i128) -> i128 {
        bin(op, Const::int(ty, x), Const::int(ty, y)).expect("no trap").as_i128()
    }

    #[test]
    fn division_rounds_as_its_sign_says() {
        assert_eq!(int(BinOp::Div, -7, 2), -4);
        assert_eq!(int(BinOp::Mod, -7, 2), 1);
        assert_eq!(int(BinOp::Mod, 7, -2), -1);
        assert_eq!(int(BinOp::Quot, -7, 2), -3);
        assert_eq!(int(BinOp::Rem, -7, 2), -1);
        assert_eq!(int(BinOp::Div, i64::MIN.into(), -1), i64::MIN.into());
        assert_eq!(int(BinOp::Rem, i64::MIN.into(), -1), 0);
        let (one, zero) = (Const::i64(1), Const::i64(0));
        assert_eq!(bin(BinOp::Mod, one, zero), Err(Trap::DivisionByZero));
    }

    #[test]
    fn integers_wrap() {
        assert_eq!(int_of(Scalar::U8, BinOp::Add, 250, 10), 4);
        assert_eq!(int_of(Scalar::I8, BinOp::Mul, 100, 3), 44);
        assert_eq!(int_of(Scalar::U64, BinOp::Mul, u64::MAX.into(), u64::MAX.into()), 1);
        assert_eq!(int_of(Scalar::I32, BinOp::Shl, 1, 33), 2);
        assert_eq!(int_of(Scalar::I8, BinOp::Shr, -4, 1), -2);
        assert_eq!(int_of(Scalar::U8, BinOp::Shr, 0xfc, 1), 0x7e);
        assert_eq!(int(BinOp::Pow, 3, 4), 81);
        assert_eq!(int(BinOp::Pow, 2, 64), 0);
        let minus = Const::i64(-1);
        assert_eq!(bin(BinOp::Pow, Const::i64(2), minus), Err(Trap::NegativeExponent));
        assert_eq!(un(UnOp::Abs, Const::int(Scalar::I8, -128)).as_i128(), -128);
        assert_eq!(un(UnOp::Neg, Const::int(Scalar::U8, 1)).as_i128(), 255);
    }

    #[test]
    fn floats_follow_ieee_and_minimum_number() {
        let f = |value| Const::float(Scalar::F64, value);
        let get = |op, x, y| bin(op, f(x), f(y)).expect("floats do not trap").as_f64();
        assert_eq!(get(BinOp::Min, f64::NAN, 1.0), 1.0);
        assert_eq!(get(BinOp::Max, 1.0, f64::NAN), 1.0);
        assert!(get(BinOp::Min, 0.0, -0.0).is_sign_negative());
        assert!(get(BinOp::Max, -0.0, 0.0).is_sign_positive());
        assert_eq!(get(BinOp::Mod, -7.5, 2.0), 0.5);
        assert!(get(BinOp::Mod, -4.0, 2.0).is_sign_positive());
        assert!(get(BinOp::Mod, 4.0, -2.0).is_sign_negative());
        assert_eq!(bin(BinOp::Eq, f(f64::NAN), f(f64::NAN)), Ok(Const::bool(false)));
        assert_eq!(bin(BinOp::Ne, f(f64::NAN), f(f64::NAN)), Ok(Const::bool(true)));
        assert_eq!(un(UnOp::Math(Math::Round), f(2.5)).as_f64(), 2.0);
        assert_eq!(un(UnOp::Signum, f(-3.0)).as_f64(), -1.0);
        assert_eq!(un(UnOp::Math(Math::Trunc), f(-2.5)).as_f64(), -2.0);
    }

    #[test]
    fn bits_are_counted_within_the_width() {
        let un = |op, ty, x| un(op, Const::int(ty, x)).as_i128();
        assert_eq!(un(UnOp::Popc, Scalar::I8, -1), 8);
        assert_eq!(un(UnOp::Clz, Scalar::I8, -1), 0);
        assert_eq!(un(UnOp::Clz, Scalar::U16, 1), 15);
        assert_eq!(un(UnOp::Clz, Scalar::I32, 0), 32);
        assert_eq!(un(UnOp::Ctz, Scalar::I8, 0), 8);
        assert_eq!(un(UnOp::Ctz, Scalar::I64, i64::MIN.into()), 63);
        assert_eq!(int_of(Scalar::I8, BinOp::ShrLogical, -1, 4), 15);
        assert_eq!(int_of(Scalar::I64, BinOp::ShrLogical, -1, 63), 1);
        assert_eq!(int_of(Scalar::I8, BinOp::MulHi, -128, -128), 64);
        assert_eq!(int_of(Scalar::I64, BinOp::MulHi, -1, 1), -1);
        let most = u64::MAX.into();
        assert_eq!(int_of(Scalar::U64, BinOp::MulHi, most, most), i128::from(u64::MAX) - 1);
    }

    #[test]
    fn all_nans_have_the_same_bits() {
        let bits = |x| un(UnOp::ToBits, Const::float(Scalar::F32, x)).as_i128();
        assert_eq!(bits(f64::NAN), 0x7fc0_0000);
        assert_eq!(bits(-f64::NAN), bits(f64::NAN));
        assert_eq!(bits(-0.0), 0x8000_0000);
        let one = Const::int(Scalar::U64, 0x3ff0_0000_0000_0000);
        assert_eq!(un(UnOp::FromBits, one), Const::float(Scalar::F64, 1.0));
    }

    #[test]
    fn fma_rounds_once() {
        let f = |value| Const::float(Scalar::F64, value);
        let above = 1.0 + f64::EPSILON;
        let below = 1.0 - f64::EPSILON;
        assert_eq!(fma(f(above), f(below), f(-1.0)), f(-f64::EPSILON * f64::EPSILON));
    }

    #[test]
    fn conversions_saturate_and_wrap() {
        let f = |value| Const::float(Scalar::F64, value);
        let to = |ty, x| un(UnOp::To(ty), x);
        assert_eq!(to(Scalar::U8, f(300.7)).as_i128(), 255);
        assert_eq!(to(Scalar::I32, f(f64::NAN)).as_i128(), 0);
        assert_eq!(to(Scalar::I64, f(f64::NEG_INFINITY)).as_i128(), i64::MIN.into());
        assert_eq!(to(Scalar::U8, Const::i64(-1)).as_i128(), 255);
        assert_eq!(to(Scalar::U32, Const::int(Scalar::I16, -1)).as_i128(), 65535);
        assert_eq!(to(Scalar::U64, Const::int(Scalar::I8, -128)).as_i128(), 128);
        assert_eq!(to(Scalar::U16, Const::int(Scalar::I16, -1)).as_i128(), 65535);
        assert_eq!(to(Scalar::U8, Const::int(Scalar::I16, -2)).as_i128(), 254);
        assert_eq!(to(Scalar::I64, Const::int(Scalar::I16, -1)).as_i128(), -1);
        assert_eq!(to(Scalar::I32, Const::int(Scalar::U16, 65535)).as_i128(), 65535);
        assert_eq!(to(Scalar::U16, Const::bool(true)).as_i128(), 1);
        assert_eq!(to(Scalar::F64, Const::bool(true)), f(1.0));
        assert_eq!(to(Scalar::Bool, f(0.5)), Const::bool(true));
        let big = Const::int(Scalar::U64, (1 << 63) + (1 << 39) + 1);
        #[allow(clippy::cast_precision_loss)]
        let rounded = ((1u64 << 63) + (1 << 39) + 1) as f32;
        assert_eq!(to(Scalar::F32, big).as_f64(), f64::from(rounded));
    }
}

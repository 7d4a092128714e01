//! Scalar operations on constants, as the tables of `prim` describe them.
//!
//! Invariant: total on the operand types that [`UnOp::accepts`] and [`BinOp::accepts`] allow, except for the traps
//! that [`BinOp::traps`] describes.
//!
//! ```text
//! bin(Div, -7i64, 2i64) ⇒ Ok(-4i64)      bin(Div, 1i64, 0i64) ⇒ Err(DivisionByZero)
//! ```

use arr_abi::scalar::{F32_DIGITS, F64_DIGITS};
use arrc_syntax::prim::{
    BinOp, Const, Implementation, Int, Relation, Rounding, Scalar, Trap, UnOp,
};

/// Evaluates an operation on one scalar.
///
/// # Panics
/// If the operation is not defined on the operand's type.
#[must_use]
pub fn un(op: UnOp, x: Const) -> Const {
    if let UnOp::To(to) = op {
        return convert(to, x);
    }
    let row = op.row();
    match x.ty {
        Scalar::F32 => (defined(row.float, op.name()).f32)(to_f32(x)),
        Scalar::F64 => (defined(row.float, op.name()).f64)(x.as_f64()),
        Scalar::Bool => Const::bool(defined(row.bool, op.name())(x.bits != 0)),
        Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64
        | Scalar::U8
        | Scalar::U16
        | Scalar::U32
        | Scalar::U64 => {
            let bits = Const::int(Scalar::U64, defined(row.int, op.name())(Int::from(x))).bits;
            wrapped(op.result(x.ty), bits)
        }
    }
}

/// The evaluation of an operation, which must be defined on its operands' type.
fn defined<F, R>(on: Option<Implementation<F, R>>, name: &str) -> F {
    on.unwrap_or_else(|| panic!("`{name}` is not defined on its operand")).eval
}

/// The value with these bits. An integer type keeps the low bits.
fn wrapped(ty: Scalar, bits: u64) -> Const {
    if ty.is_float() { Const { ty, bits } } else { Const::int(ty, bits.into()) }
}

/// Evaluates `a * b + c`, rounded once.
///
/// # Panics
/// If the operands are not floats of one type.
#[must_use]
pub fn fma(a: Const, b: Const, c: Const) -> Const {
    assert!(a.ty.is_float() && a.ty == b.ty && b.ty == c.ty, "`fma` is of floats of one type");
    if a.ty == Scalar::F32 {
        to_f32(a).mul_add(to_f32(b), to_f32(c)).into()
    } else {
        a.as_f64().mul_add(b.as_f64(), c.as_f64()).into()
    }
}

/// Evaluates `a * b + c` of floats. Where any rounding is allowed, it is rounded twice.
///
/// # Panics
/// If the operands are not floats of one type.
#[must_use]
pub fn mul_add(rounding: Rounding, [a, b, c]: [Const; 3]) -> Const {
    let plain = |op, x, y| bin(op, x, y).expect("sums and products of floats do not fail");
    match rounding {
        Rounding::Once => fma(a, b, c),
        Rounding::Any => plain(BinOp::Add, plain(BinOp::Mul, a, b), c),
    }
}

/// Evaluates an operation on two scalars.
///
/// # Errors
/// The trap, if the operation has one on these operands.
///
/// # Panics
/// If the operands' types differ, or the operation is not defined on them.
pub fn bin(op: BinOp, x: Const, y: Const) -> Result<Const, Trap> {
    assert_eq!(x.ty, y.ty, "the operands of `{}` have one type", op.name());
    let row = op.row();
    if let Some(relation) = row.relation {
        return Ok(Const::bool(compare(relation, x, y)));
    }
    Ok(match x.ty {
        Scalar::F32 => (defined(row.float, op.name()).f32)(to_f32(x), to_f32(y)),
        Scalar::F64 => (defined(row.float, op.name()).f64)(x.as_f64(), y.as_f64()),
        Scalar::Bool => Const::bool(defined(row.bool, op.name())(x.bits != 0, y.bits != 0)),
        Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64
        | Scalar::U8
        | Scalar::U16
        | Scalar::U32
        | Scalar::U64 => {
            if let Some(trap) = row.trap.filter(|trap| trap.traps_on(y.as_i128())) {
                return Err(trap);
            }
            // The operation computes in 128 bits. Keeping the low bits is wrapping.
            Const::int(x.ty, defined(row.int, op.name())(Int::from(x), Int::from(y)))
        }
    })
}

fn compare(relation: Relation, x: Const, y: Const) -> bool {
    relation.holds(if x.ty.is_float() {
        x.as_f64().partial_cmp(&y.as_f64())
    } else {
        Some(x.as_i128().cmp(&y.as_i128()))
    })
}

/// A value as messages and traces show it, without its type: the text that the runtime writes for compiled code.
#[must_use]
pub fn shown(value: Const) -> String {
    if value.ty.is_float() {
        return shown_float(value);
    }
    let text = value.to_string();
    text.strip_suffix(value.ty.name()).unwrap_or(&text).to_owned()
}

/// A float as `printf` writes it by `%g`, with the fewest digits of a range that distinguish it from all others.
#[allow(clippy::cast_possible_truncation, reason = "a number of type f32 is compared as f32")]
fn shown_float(value: Const) -> String {
    let number = value.as_f64();
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return number.to_string();
    }
    let is_narrow = value.ty == Scalar::F32;
    let digits = if is_narrow { F32_DIGITS } else { F64_DIGITS };
    let most = usize::from(*digits.end());
    let is_same = |digits: &usize| {
        let read: f64 = rounded(number, *digits).parse().expect("Rust reads what it wrote");
        if is_narrow { read as f32 == number as f32 } else { read == number }
    };
    let digits = digits.map(usize::from).find(is_same).unwrap_or(most);
    let text = rounded(number, digits);
    let (mantissa, exponent) = text.split_once('e').expect("it has an exponent");
    let exponent: isize = exponent.parse().expect("Rust writes a number");
    let decimals = digits.checked_sub_signed(exponent + 1).filter(|_| exponent >= -4);
    let Some(decimals) = decimals else {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", without_zeros(mantissa), exponent.unsigned_abs());
    };
    let text = format!("{number:.decimals$}");
    let text = without_zeros(&text);
    if text.contains('.') { text.to_owned() } else { format!("{text}.0") }
}

/// Prints a number in scientific notation, rounded to `digits` significant digits.
fn rounded(number: f64, digits: usize) -> String {
    format!("{number:.*e}", digits - 1)
}

/// A number without the zeros at the end of its fraction.
fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// `To`: it truncates and saturates from floats. Between integers it keeps the low bits; the bits above them are
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
        // Directly to `f32`: a conversion to `f64` first would round twice.
        Scalar::F32 => Const::from(value as f32),
        Scalar::F64 => Const::from(value as f64),
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => Const::int(to, value),
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => {
            Const::int(to, Int::from(x).bits.into())
        }
    }
}

fn to_f32(x: Const) -> f32 {
    f32::from_bits(u32::try_from(x.bits).expect("an f32 has 32 bits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_shown_as_by_the_runtime() {
        let texts = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.5, "1.5"),
            (1e14, "100000000000000.0"),
            (1e15, "1e+15"),
            (1.25e-7, "1.25e-07"),
            (0.0001, "0.0001"),
            (1.0 / 3.0, "0.3333333333333333"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
            // C writes the first number of digits that gives the same float.
            (5e-324, "4.94065645841247e-324"),
            // Halfway between two texts, to the even digit.
            (862_113_617_878_871.0 + 0.25, "862113617878871.2"),
        ];
        for (number, text) in texts {
            assert_eq!(shown(Const::float(Scalar::F64, number)), text);
        }
        assert_eq!(shown(Const::float(Scalar::F32, f64::from(0.1_f32))), "0.1");
        assert_eq!(shown(Const::float(Scalar::F32, 1e6)), "1e+06");
        assert_eq!(shown(Const::i64(-3)), "-3");
    }

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
        assert_eq!(un(UnOp::Round, f(2.5)).as_f64(), 2.0);
        assert_eq!(un(UnOp::Signum, f(-3.0)).as_f64(), -1.0);
        assert_eq!(un(UnOp::Trunc, f(-2.5)).as_f64(), -2.0);
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

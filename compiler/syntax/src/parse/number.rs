//! Numbers: decimal, hexadecimal and binary, with underscores, fractions, exponents and suffixes.
//!
//! Invariant: a literal has the value of its text, rounded once to the precision of its suffix.
//!
//! ```text
//! 1_000   0xffu8   0b101   1.5e-3f32   2f64   0x1.8p-3
//! ```

use crate::ast::{FloatLiteral, Literal};
use crate::prim::Scalar;

/// An error in a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NumberProblem {
    /// What follows the digits is no type of numbers.
    Suffix {
        /// What follows.
        suffix: String,
    },
    /// A suffix that says integer after a fraction or an exponent.
    IntegerSuffix {
        /// The suffix.
        suffix: Scalar,
    },
    /// A digit that the radix does not have.
    Digit {
        /// The digit.
        digit: char,
        /// `binary`, the radix in words.
        radix: &'static str,
    },
    /// A prefix such as `0x` without digits.
    NoDigits {
        /// The prefix.
        prefix: &'static str,
    },
    /// A hexadecimal fraction without an exponent.
    NoExponent,
    /// No type holds the value.
    TooLarge,
    /// The value is beyond the type's largest float.
    FloatTooLarge { ty: Scalar },
}

/// How many bytes at the start of `text`, which begins with a digit, are meant as one number.
///
/// Letters that touch the digits belong to it, so that a mistake in them is one mistake.
pub(super) fn length(text: &str) -> usize {
    let word = |from: usize| {
        from + text[from..]
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(text.len() - from)
    };
    let prefixed = text.starts_with("0x") || text.starts_with("0b");
    let mut end = word(0);
    if prefixed {
        return if text.starts_with("0x") { hexadecimal_length(text, end) } else { end };
    }
    let has_digits = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let fraction = text[end..].strip_prefix('.').is_some_and(has_digits);
    if fraction && text[..end].bytes().all(|b| b.is_ascii_digit() || b == b'_') {
        end = word(end + 1);
    }
    // `1e-3`: the sign ends the word, so the exponent goes on behind it.
    if text[..end].ends_with(['e', 'E'])
        && text[end..].strip_prefix(['+', '-']).is_some_and(has_digits)
    {
        end = word(end + 1);
    }
    end
}

/// The length of a hexadecimal number whose first word has the length `word`. After a dot it goes on if hexadecimal
/// digits come, and after a `p` if a sign and digits do.
fn hexadecimal_length(text: &str, word: usize) -> usize {
    let is_digit = |c: char| c.is_ascii_hexdigit();
    let mut end = word;
    if text[2..word].chars().all(|c| is_digit(c) || c == '_')
        && let Some(fraction) = text[word..].strip_prefix('.')
        && fraction.starts_with(is_digit)
    {
        let letters = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
        end += 1 + fraction.find(letters).unwrap_or(fraction.len());
    }
    let signed = text[end..].strip_prefix(['+', '-']);
    if text[..end].ends_with(['p', 'P'])
        && let Some(exponent) = signed
        && exponent.starts_with(|c: char| c.is_ascii_digit())
    {
        let letters = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
        end += 1 + exponent.find(letters).unwrap_or(exponent.len());
    }
    end
}

/// The value of the number `text`, whose extent is that of [`length`].
pub(super) fn literal(text: &str) -> Result<Literal, NumberProblem> {
    if let Some(rest) = text.strip_prefix("0x") {
        return match rest.contains(['.', 'p', 'P']) {
            true => hexadecimal_float(rest),
            false => radix_literal(rest, 16, "0x", "hexadecimal"),
        };
    }
    if let Some(rest) = text.strip_prefix("0b") {
        return radix_literal(rest, 2, "0b", "binary");
    }
    let digits_end = decimal_end(text);
    let (digits, suffix) = text.split_at(digits_end);
    let suffix = suffix_type(suffix)?;
    let digits = digits.replace('_', "");
    if digits.bytes().all(|b| b.is_ascii_digit()) {
        let value = digits.parse().map_err(|_| NumberProblem::TooLarge)?;
        return Ok(Literal::Int(value, suffix));
    }
    float_literal(&digits, suffix)
}

/// Where the digits, fraction and exponent of a decimal number end and its suffix begins.
fn decimal_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(|b| b.is_ascii_digit() || *b == b'_') {
            at += 1;
        }
        at
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            end = digits(end + 1 + sign);
        }
    }
    end
}

fn float_literal(digits: &str, suffix: Option<Scalar>) -> Result<Literal, NumberProblem> {
    if let Some(suffix) = suffix.filter(|suffix| !suffix.is_float()) {
        return Err(NumberProblem::IntegerSuffix { suffix });
    }
    let number = "digits with a fraction or an exponent are a float";
    finite(digits.parse().expect(number), digits.parse().expect(number), suffix)
}

/// A float, rounded to the type of its suffix. It is an error if the number is too large for the type.
fn finite(double: f64, single: f32, suffix: Option<Scalar>) -> Result<Literal, NumberProblem> {
    let ty = suffix.unwrap_or(Scalar::F64);
    let float = if ty == Scalar::F32 {
        FloatLiteral::new(single.into())
    } else {
        FloatLiteral { double, single }
    };
    if float.value(ty).is_finite() {
        Ok(Literal::Float(float, suffix))
    } else {
        Err(NumberProblem::FloatTooLarge { ty })
    }
}

/// `1.8p3f32`, what follows `0x`: sixteenths, and a power of 2.
fn hexadecimal_float(rest: &str) -> Result<Literal, NumberProblem> {
    let Some((digits, exponent)) = rest.split_once(['p', 'P']) else {
        return Err(NumberProblem::NoExponent);
    };
    let end = exponent.find(|c: char| !(c.is_ascii_digit() || "_+-".contains(c)));
    let (exponent, suffix) = exponent.split_at(end.unwrap_or(exponent.len()));
    let suffix = suffix_type(suffix)?;
    if let Some(suffix) = suffix.filter(|suffix| !suffix.is_float()) {
        return Err(NumberProblem::IntegerSuffix { suffix });
    }
    let exponent = exponent.replace('_', "");
    let magnitude = exponent.trim_start_matches(['+', '-']);
    if magnitude.is_empty() || !digits.contains(|c: char| c.is_ascii_hexdigit()) {
        return Err(NumberProblem::NoExponent);
    }
    // An exponent beyond a million is beyond all floats.
    let far = magnitude.parse::<i64>().unwrap_or(i64::MAX).min(1_000_000);
    let (mantissa, shift) = sixteenths(digits);
    let exponent = shift + if exponent.starts_with('-') { -far } else { far };
    #[allow(clippy::cast_possible_truncation, reason = "it is rounded to 24 bits")]
    let single = rounded(mantissa, exponent, 24, -149) as f32;
    finite(rounded(mantissa, exponent, 53, -1074), single, suffix)
}

/// The digits as a whole number, and the power of 2 that it is to be multiplied by. Of the digits beyond the precision
/// of all floats, only whether one is not 0 is kept.
fn sixteenths(digits: &str) -> (u128, i64) {
    let (mut mantissa, mut shift, mut fraction) = (0_u128, 0, false);
    for c in digits.chars() {
        let Some(digit) = c.to_digit(16) else {
            fraction |= c == '.';
            continue;
        };
        let has_room = mantissa >> 120 == 0;
        mantissa = if has_room {
            mantissa << 4 | u128::from(digit)
        } else {
            mantissa | u128::from(digit != 0)
        };
        // A digit before the dot adds 4 to the power, and a digit that the number takes in subtracts 4.
        shift += 4 * (i64::from(!fraction) - i64::from(has_room));
    }
    (mantissa, shift)
}

/// `mantissa` times 2 to the power `exponent`, rounded to `bits` bits, halves to the even side; the last
/// of them stands for no less than 2 to the power `lowest`.
fn rounded(mantissa: u128, exponent: i64, bits: i64, lowest: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let length = i64::from(u128::BITS - mantissa.leading_zeros());
    let last = (exponent + length - bits).max(lowest);
    #[allow(clippy::cast_precision_loss, reason = "what is left has no more bits than a float")]
    let scaled = |mantissa: u128, by: i64| mantissa as f64 * (by as f64).exp2();
    let cut = match u32::try_from(last - exponent) {
        Err(_) | Ok(0) => return scaled(mantissa, exponent),
        // All of it is less than half of the last bit.
        Ok(128..) => return 0.0,
        Ok(cut) => cut,
    };
    let (kept, half) = (mantissa >> cut, 1 << (cut - 1));
    let rest = mantissa & ((1 << cut) - 1);
    let up = rest > half || (rest == half && kept & 1 == 1);
    scaled(kept + u128::from(up), last)
}

fn radix_literal(
    rest: &str,
    radix: u32,
    prefix: &'static str,
    words: &'static str,
) -> Result<Literal, NumberProblem> {
    let end = rest.find(|c: char| !(c.is_digit(radix) || c == '_')).unwrap_or(rest.len());
    let (digits, suffix) = rest.split_at(end);
    if let Some(digit) = suffix.chars().next().filter(char::is_ascii_digit) {
        return Err(NumberProblem::Digit { digit, radix: words });
    }
    let digits = digits.replace('_', "");
    if digits.is_empty() {
        return Err(NumberProblem::NoDigits { prefix });
    }
    let suffix = suffix_type(suffix)?;
    let value = u128::from_str_radix(&digits, radix).map_err(|_| NumberProblem::TooLarge)?;
    Ok(Literal::Int(value, suffix))
}

fn suffix_type(suffix: &str) -> Result<Option<Scalar>, NumberProblem> {
    if suffix.is_empty() {
        return Ok(None);
    }
    match Scalar::from_name(suffix).filter(|scalar| scalar.is_numeric()) {
        Some(scalar) => Ok(Some(scalar)),
        None => Err(NumberProblem::Suffix { suffix: suffix.to_owned() }),
    }
}

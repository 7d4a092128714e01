//! Numbers: decimal, hexadecimal and binary, with underscores, exponents and suffixes.
//!
//! Invariant: a literal has the value of its text, rounded once to the precision of its suffix.
//!
//! ```text
//! 1_000   0xffu8   0b101   1.5e-3f32   2f64
//! ```

use crate::ir::ast::Literal;
use crate::prim::Scalar;

/// What is wrong with a number.
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
    /// A digit that the radix has not.
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
        return end;
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

/// The value of the number `text`, whose extent is that of [`length`].
pub(super) fn literal(text: &str) -> Result<Literal, NumberProblem> {
    if let Some(rest) = text.strip_prefix("0x") {
        return radix_literal(rest, 16, "0x", "hexadecimal");
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
    // Rounding to f64 first and to f32 later could differ in the last bit.
    let value = if suffix == Some(Scalar::F32) {
        digits.parse::<f32>().map(f64::from)
    } else {
        digits.parse::<f64>()
    };
    let value = value.expect("digits with a fraction or an exponent are a float");
    if value.is_finite() {
        Ok(Literal::Float(value, suffix))
    } else {
        Err(NumberProblem::FloatTooLarge { ty: suffix.unwrap_or(Scalar::F64) })
    }
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

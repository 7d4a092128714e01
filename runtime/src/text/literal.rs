//! Literals in Futhark's value syntax, read as a given type.
//!
//! ```text
//! 2.5   -3i32   0xff   0x1.8p3   f64.inf   true   [1, 2, 3]   [[1,2],[3,4]]   empty([0]f64)   "text"
//! ```
//! A number without a suffix has the type that is wanted. The suffix of a number must be that type.

use std::fmt;

use crate::host::{ArrayData, ArrayValue, Scalar, ScalarValue, Value, ValueType};

/// The error that a text is no literal of the wanted type, with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiteralError {
    /// Where the text stops making sense, in bytes.
    pub at: usize,
    /// How many bytes the word there has.
    pub length: usize,
    /// What does not fit.
    pub problem: String,
}

impl fmt::Display for LiteralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for LiteralError {}

/// Reads a whole text as a value of a type.
///
/// # Errors
/// A sentence that says what does not fit, and the place.
pub fn literal(text: &str, ty: ValueType) -> Result<Value, LiteralError> {
    let mut reader = Reader { text, at: 0, open: 0 };
    let value = match ty {
        ValueType::Scalar(scalar) => Value::Scalar(reader.scalar(scalar)?),
        ValueType::Array { scalar, rank } => Value::Array(reader.array(scalar, rank as usize)?),
    };
    reader.space();
    match reader.rest().chars().next() {
        None => Ok(value),
        Some(_) => {
            Err(reader.error(format!("`{}` is left over after the value", shown(reader.rest()))))
        }
    }
}

/// The type that a literal has by itself: that of its first suffix. Without a suffix, it is an `i32` or an `f64`.
///
/// # Errors
/// If the text does not begin as a literal does.
pub fn type_of(text: &str) -> Result<ValueType, LiteralError> {
    let mut reader = Reader { text, at: 0, open: 0 };
    let of = |scalar, rank| match rank {
        0 => ValueType::Scalar(scalar),
        rank => ValueType::Array { scalar, rank },
    };
    let mut rank = 0;
    while reader.take("[") {
        rank += 1;
    }
    if reader.rest().starts_with('"') {
        return Ok(of(Scalar::U8, rank + 1));
    }
    if reader.take("empty") {
        reader.expect("(")?;
        while reader.take("[") {
            reader.word();
            reader.expect("]")?;
            rank += 1;
        }
        let name = reader.word();
        let unknown = || reader.error(format!("`{name}` is no type of Arr"));
        return Ok(of(Scalar::from_name(name).ok_or_else(unknown)?, rank));
    }
    let first = Reader { ..reader };
    let word = reader.word();
    let scalar = natural(word).ok_or_else(|| first.error(format!("`{word}` is no value")))?;
    Ok(of(scalar, rank))
}

/// The type of a word without its context.
fn natural(word: &str) -> Option<Scalar> {
    let (digits, suffix) = split_suffix(word);
    let digits = digits.replace('_', "");
    match suffix {
        Some(_) => suffix,
        None if digits == "true" || digits == "false" => Some(Scalar::Bool),
        None if integer(&digits).is_some() => Some(Scalar::I32),
        None => parse(&digits, Scalar::F64).map(|_| Scalar::F64),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// How many arrays are not closed yet.
    open: usize,
}

/// The value that was read, or the reason why the text has none.
type Read<T> = Result<T, LiteralError>;

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// An error at the word, or at the sign, that comes next.
    fn error(&self, problem: impl Into<String>) -> LiteralError {
        let mut next = Self { ..*self };
        next.space();
        let at = next.at;
        let word = next.word().len();
        let sign = next.rest().chars().next().map_or(0, char::len_utf8);
        LiteralError { at, length: if word == 0 { sign } else { word }, problem: problem.into() }
    }

    /// Takes a sign if it is next.
    fn take(&mut self, sign: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        if self.take(sign) {
            return Ok(());
        }
        Err(self.error(match self.rest() {
            "" if self.open > 0 => format!("`{}` is missing at the end", "]".repeat(self.open)),
            "" => format!("`{sign}` is missing at the end"),
            rest if self.open > 0 && rest.starts_with([')', '}']) => {
                format!("`]` was expected, not `{}`", shown(rest))
            }
            rest => format!("`{sign}` was expected before `{}`", shown(rest)),
        }))
    }

    /// The error that brackets are missing at the end, if fewer are closed than opened.
    fn unclosed(&self) -> Option<LiteralError> {
        let count = |sign: char| self.text.matches(sign).count();
        let missing = count('[').saturating_sub(count(']'));
        (missing > 0 && !self.text.contains('"')).then(|| LiteralError {
            at: self.text.len(),
            length: 0,
            problem: format!("`{}` is missing at the end", "]".repeat(missing)),
        })
    }

    /// The mistake in `rest` where an array begins.
    fn unbracketed(&self, rest: &str) -> String {
        let count = |sign: char| self.text.matches(sign).count();
        let missing = count(']').saturating_sub(count('['));
        if missing > 0 && !self.text.contains('"') {
            return format!("`{}` is missing at the beginning", "[".repeat(missing));
        }
        format!("an array was expected, written in brackets, not `{}`", shown(rest))
    }

    /// Takes the characters that words and numbers are made of; a sign only in front or after an
    /// exponent.
    fn word(&mut self) -> &'a str {
        self.space();
        let rest = self.rest();
        let hex = rest.trim_start_matches('-').starts_with("0x");
        let mut previous = ' ';
        let end = rest
            .char_indices()
            .find(|&(place, character)| {
                let sign = matches!(character, '-' | '+')
                    && (place == 0
                        || matches!(previous, 'p' | 'P')
                        || (!hex && matches!(previous, 'e' | 'E')));
                previous = character;
                !(sign || character.is_ascii_alphanumeric() || matches!(character, '.' | '_'))
            })
            .map_or(rest.len(), |(place, _)| place);
        self.at += end;
        &rest[..end]
    }

    fn scalar(&mut self, ty: Scalar) -> Read<ScalarValue> {
        self.space();
        if self.rest().starts_with('[') {
            return Err(self.error(format!("a single {ty} was expected, not an array")));
        }
        let start = self.at;
        match self.word() {
            "" if self.rest().is_empty() && self.open > 0 => {
                Err(self.error(format!("`{}` is missing at the end", "]".repeat(self.open))))
            }
            "" if self.rest().is_empty() => {
                Err(self.error(format!("a value of type {ty} was expected, but there is nothing")))
            }
            "" => Err(self.error(format!(
                "a value of type {ty} was expected before `{}`",
                shown(self.rest())
            ))),
            word => scalar(word, ty).map_err(|problem| LiteralError {
                at: start,
                length: word.len(),
                problem,
            }),
        }
    }

    fn array(&mut self, ty: Scalar, rank: usize) -> Read<ArrayValue> {
        self.space();
        if self.rest().starts_with("empty") {
            return self.empty(ty, rank);
        }
        if (ty, rank) == (Scalar::U8, 1) && self.take("\"") {
            return self.bytes_of_text();
        }
        let mut shape = vec![None; rank];
        let mut scalars = Vec::new();
        self.rows(ty, &mut shape, &mut scalars)?;
        let shape = shape.into_iter().map(|size| size.unwrap_or(0)).collect();
        let data = ArrayData::collect(ty, scalars).expect("each scalar was read as this type");
        Ok(ArrayValue::new(shape, data).expect("rows of one length fill their shape"))
    }

    /// `[row, …]`: `shape` has the sizes that earlier rows have shown.
    fn rows(
        &mut self,
        ty: Scalar,
        shape: &mut [Option<i64>],
        scalars: &mut Vec<ScalarValue>,
    ) -> Read<()> {
        let Some((size, inner)) = shape.split_first_mut() else {
            scalars.push(self.scalar(ty)?);
            return Ok(());
        };
        self.space();
        let start = self.at;
        if !self.rest().starts_with('[') {
            return Err(self.error(match self.rest() {
                "" if self.open > 0 => {
                    format!("`{}` is missing at the end", "]".repeat(self.open))
                }
                "" => "an array was expected, but there is nothing".to_string(),
                rest => self.unbracketed(rest),
            }));
        }
        self.expect("[")?;
        self.open += 1;
        let mut count = 0;
        while !self.take("]") {
            if count > 0 {
                self.expect(",")?;
            }
            self.rows(ty, inner, scalars)?;
            count += 1;
        }
        self.open -= 1;
        match size {
            Some(size) if *size != count => {
                let problem = format!("one row has {size} elements and another {count}");
                Err(self.unclosed().unwrap_or(LiteralError {
                    at: start,
                    length: self.at - start,
                    problem,
                }))
            }
            Some(_) => Ok(()),
            None => {
                *size = Some(count);
                Ok(())
            }
        }
    }

    /// The bytes of a text in quotes, behind the first one.
    fn bytes_of_text(&mut self) -> Read<ArrayValue> {
        let rest = self.rest();
        let Some(length) = rest.find('"') else {
            return Err(self.error("`\"` is missing at the end"));
        };
        self.at += length + 1;
        Ok(ArrayValue::vector(ArrayData::U8(rest.as_bytes()[..length].to_vec().into())))
    }

    /// `empty([0][3]f64)`.
    fn empty(&mut self, ty: Scalar, rank: usize) -> Read<ArrayValue> {
        let start = self.at;
        self.expect("empty")?;
        self.expect("(")?;
        let mut shape = Vec::new();
        while self.take("[") {
            let size = Self { ..*self };
            let word = self.word();
            shape.push(word.parse().map_err(|_| size.error(format!("`{word}` is no size")))?);
            self.expect("]")?;
        }
        let name = self.word();
        self.expect(")")?;
        let error = |problem| LiteralError { at: start, length: self.at - start, problem };
        if Scalar::from_name(name) != Some(ty) || shape.len() != rank {
            let rank = u32::try_from(rank).expect("ranks are small");
            let ty = ValueType::Array { scalar: ty, rank };
            return Err(error(format!("an empty array of type {ty} was expected")));
        }
        let none =
            ArrayData::collect(ty, []).expect("there is nothing that could be of another type");
        ArrayValue::new(shape, none)
            .ok_or_else(|| error("an empty array has a size of 0".to_string()))
    }
}

/// Reads one word as a scalar. It may also be a cell of a table.
pub(super) fn scalar(word: &str, ty: Scalar) -> Result<ScalarValue, String> {
    let (digits, suffix) = split_suffix(word);
    if let Some(suffix) = suffix.filter(|&suffix| suffix != ty) {
        return Err(format!("`{word}` is of type {suffix}, not {ty}"));
    }
    let digits: String = digits.chars().filter(|&character| character != '_').collect();
    match parse(&digits, ty) {
        Some(value) => Ok(value),
        None if is_number(&digits) => {
            Err(format!("`{word}` is no value of type {ty}: {}", range(ty)))
        }
        None => Err(format!("`{word}` is no value of type {ty}")),
    }
}

/// A number and its suffix; `f64.inf` and `f64.nan` are the words `inf` and `nan` of that type.
fn split_suffix(word: &str) -> (String, Option<Scalar>) {
    let negative = word.starts_with('-');
    let body = word.trim_start_matches('-');
    for ty in Scalar::ALL {
        let name = ty.name();
        if let Some(special) = body.strip_prefix(name).and_then(|rest| rest.strip_prefix('.')) {
            return (format!("{}{special}", if negative { "-" } else { "" }), Some(ty));
        }
        let is_hex_digit = body.starts_with("0x")
            && name.starts_with('f')
            && !body.contains('.')
            && !body.contains('p');
        if let Some(digits) = word.strip_suffix(name)
            && !digits.is_empty()
            && !is_hex_digit
        {
            return (digits.to_string(), Some(ty));
        }
    }
    (word.to_string(), None)
}

fn parse(digits: &str, ty: Scalar) -> Option<ScalarValue> {
    match ty {
        Scalar::Bool => digits.parse().ok().map(ScalarValue::Bool),
        Scalar::I8 => integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::I8),
        Scalar::I16 => {
            integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::I16)
        }
        Scalar::I32 => {
            integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::I32)
        }
        Scalar::I64 => {
            integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::I64)
        }
        Scalar::U8 => integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::U8),
        Scalar::U16 => {
            integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::U16)
        }
        Scalar::U32 => {
            integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::U32)
        }
        Scalar::U64 => {
            integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::U64)
        }
        Scalar::F32 => match hexadecimal(digits) {
            #[allow(clippy::cast_possible_truncation, reason = "rounding is what is wanted")]
            Some(value) => Some(ScalarValue::F32(value as f32)),
            None => float(digits)?.parse().ok().map(ScalarValue::F32),
        },
        Scalar::F64 => match hexadecimal(digits) {
            Some(value) => Some(ScalarValue::F64(value)),
            None => float(digits)?.parse().ok().map(ScalarValue::F64),
        },
    }
}

/// A float in hexadecimal: `0x1.8p3` is 12. The digits have to be those of an f64 at most.
fn hexadecimal(digits: &str) -> Option<f64> {
    const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
    let (sign, body) = digits.strip_prefix('-').map_or((1.0, digits), |body| (-1.0, body));
    let (mantissa, exponent) = body.strip_prefix("0x")?.split_once(['p', 'P'])?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let value = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    if mantissa.starts_with(['+', '-']) || value > EXACT {
        return None;
    }
    let exponent: i32 = exponent.parse().ok()?;
    let places = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    #[allow(clippy::cast_precision_loss, reason = "seen to be exact above")]
    let value = value as f64;
    // In two steps, since the first power alone may be too small for a normal number.
    let power = exponent.checked_sub(places)?.clamp(-2200, 2200);
    Some(sign * value * 2_f64.powi(power / 2) * 2_f64.powi(power - power / 2))
}

/// An integer: decimal, `0x` or `0b`.
fn integer(digits: &str) -> Option<i128> {
    let (sign, body) = digits.strip_prefix('-').map_or((1, digits), |body| (-1, body));
    let value = if let Some(hex) = body.strip_prefix("0x") {
        i128::from_str_radix(hex, 16)
    } else if let Some(binary) = body.strip_prefix("0b") {
        i128::from_str_radix(binary, 2)
    } else {
        body.parse()
    };
    value.ok().filter(|_| !body.starts_with(['-', '+'])).map(|value| sign * value)
}

/// The text of a float, if Rust reads it as Arr does.
fn float(digits: &str) -> Option<&str> {
    let body = digits.trim_start_matches('-');
    let special = matches!(body, "inf" | "nan");
    let number = body.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    (special || number).then_some(digits)
}

fn is_number(digits: &str) -> bool {
    integer(digits).is_some() || float(digits).is_some_and(|text| text.parse::<f64>().is_ok())
}

/// The range of a type, for a message about a number outside of it.
fn range(ty: Scalar) -> String {
    match ty {
        Scalar::Bool => "it is `true` or `false`".to_string(),
        Scalar::I8 => format!("whole numbers from {} to {}", i8::MIN, i8::MAX),
        Scalar::I16 => format!("whole numbers from {} to {}", i16::MIN, i16::MAX),
        Scalar::I32 => format!("whole numbers from {} to {}", i32::MIN, i32::MAX),
        Scalar::I64 => format!("whole numbers from {} to {}", i64::MIN, i64::MAX),
        Scalar::U8 => format!("whole numbers from 0 to {}", u8::MAX),
        Scalar::U16 => format!("whole numbers from 0 to {}", u16::MAX),
        Scalar::U32 => format!("whole numbers from 0 to {}", u32::MAX),
        Scalar::U64 => format!("whole numbers from 0 to {}", u64::MAX),
        Scalar::F32 | Scalar::F64 => "numbers such as 2, 2.5 or 1e9".to_string(),
    }
}

/// The beginning of a text, for a message.
fn shown(text: &str) -> String {
    const LONGEST: usize = 20;
    let mut shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar_type(name: &str) -> ValueType {
        ValueType::Scalar(Scalar::from_name(name).expect("a test names a type"))
    }

    fn vector(name: &str) -> ValueType {
        ValueType::Array { scalar: Scalar::from_name(name).expect("a test names a type"), rank: 1 }
    }

    #[test]
    fn numbers_take_the_type_that_is_wanted() {
        assert_eq!(literal("3", scalar_type("f64")), Ok(Value::from(3.0_f64)));
        assert_eq!(literal(" 1_000i64 ", scalar_type("i64")), Ok(Value::from(1000_i64)));
        assert_eq!(literal("0xff", scalar_type("u8")), Ok(Value::from(255_u8)));
        assert_eq!(literal("0x1f32", scalar_type("i32")), Ok(Value::from(0x1f32_i32)));
        assert_eq!(literal("-f64.inf", scalar_type("f64")), Ok(Value::from(f64::NEG_INFINITY)));
        assert_eq!(literal("[1, 2.5e-1]", vector("f64")), Ok(Value::from(vec![1.0, 0.25])));
        assert_eq!(literal("[]", vector("i8")), Ok(Value::from(Vec::<i8>::new())));
    }

    #[test]
    fn a_literal_has_a_type_of_its_own() {
        for (text, name, rank) in [
            ("[1, 2]", "i32", 1),
            ("-7", "i32", 0),
            ("0xffu8", "u8", 0),
            ("1e3", "f64", 0),
            ("[[1.0f32], [2.0]]", "f32", 2),
            ("true", "bool", 0),
            ("-f32.inf", "f32", 0),
            ("empty([0][3]i64)", "i64", 2),
            ("\"text\"", "u8", 1),
        ] {
            let scalar = Scalar::from_name(name).expect("a test names a type");
            let ty = if rank == 0 {
                ValueType::Scalar(scalar)
            } else {
                ValueType::Array { scalar, rank }
            };
            assert_eq!(type_of(text), Ok(ty), "{text}");
        }
        assert!(type_of("hello").is_err() && type_of("[]").is_err());
        assert_eq!(literal("\"hi\"", vector("u8")), Ok(Value::from(b"hi".to_vec())));
    }

    #[test]
    fn floats_may_be_hexadecimal() {
        for (text, value) in [
            ("0x1.8p3", 12.0),
            ("-0x.8p0", -0.5),
            ("0x10p-4f64", 1.0),
            ("0x1p-1074", f64::from_bits(1)),
            ("0x1.fffffffffffffp1023", f64::MAX),
        ] {
            assert_eq!(literal(text, scalar_type("f64")), Ok(Value::from(value)), "{text}");
        }
        assert_eq!(literal("0x1.8p-1", scalar_type("f32")), Ok(Value::from(0.75_f32)));
        assert!(literal("0x1.8", scalar_type("f64")).is_err());
    }

    #[test]
    fn mistakes_have_places() {
        let cases = [
            ("[1, x2, 3]", vector("i32"), 4..6),
            ("[1, 2 3]", vector("i32"), 6..7),
            ("[[1, 2], [3]]", ValueType::Array { scalar: Scalar::I8, rank: 2 }, 9..12),
            (" [1]", scalar_type("i32"), 1..2),
        ];
        for (text, ty, place) in cases {
            let error = literal(text, ty).expect_err(text);
            assert_eq!(error.at..error.at + error.length, place, "{text}");
        }
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let cases = [
            (
                "1.5",
                scalar_type("i32"),
                "`1.5` is no value of type i32: whole numbers from -2147483648 to 2147483647",
            ),
            ("300", scalar_type("u8"), "`300` is no value of type u8: whole numbers from 0 to 255"),
            ("1i32", scalar_type("i64"), "`1i32` is of type i32, not i64"),
            ("[1, 2", vector("i32"), "`]` is missing at the end"),
            ("[1,", vector("i32"), "`]` is missing at the end"),
            (
                "[[1,2],[3]",
                ValueType::Array { scalar: Scalar::I32, rank: 2 },
                "`]` is missing at the end",
            ),
            (
                "[[1,2],[3",
                ValueType::Array { scalar: Scalar::I32, rank: 2 },
                "`]]` is missing at the end",
            ),
            ("[1 2]", vector("i32"), "`,` was expected before `2]`"),
            ("[1, 2)", vector("i32"), "`]` was expected, not `)`"),
            ("1, 2]", vector("i32"), "`[` is missing at the beginning"),
            (
                "[1, 2], [3]]",
                ValueType::Array { scalar: Scalar::I32, rank: 2 },
                "`[` is missing at the beginning",
            ),
            ("5", vector("i32"), "an array was expected, written in brackets, not `5`"),
            ("[1]", scalar_type("i32"), "a single i32 was expected, not an array"),
            ("1 2", scalar_type("i32"), "`2` is left over after the value"),
            ("hello", scalar_type("bool"), "`hello` is no value of type bool"),
            ("", scalar_type("i32"), "a value of type i32 was expected, but there is nothing"),
        ];
        for (text, ty, problem) in cases {
            let found = literal(text, ty).map_err(|error| error.problem);
            assert_eq!(found, Err(problem.to_string()), "{text}");
        }
    }
}

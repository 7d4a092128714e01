//! Literals in Futhark's value syntax, read as a given type.
//!
//! ```text
//! 2.5   -3i32   0xff   f64.inf   true   [1, 2, 3]   [[1,2],[3,4]]   empty([0]f64)
//! ```
//! A number without a suffix is of whatever type is wanted; one with a suffix must have it.

use crate::host::{ArrayData, ArrayValue, ScalarType, ScalarValue, Value, ValueType};

/// Reads a whole text as a value of a type.
///
/// # Errors
/// A sentence that says what does not fit.
pub fn literal(text: &str, ty: ValueType) -> Result<Value, String> {
    let mut reader = Reader { text, at: 0 };
    let value = match ty {
        ValueType::Scalar(scalar) => Value::Scalar(reader.scalar(scalar)?),
        ValueType::Array { scalar, rank } => Value::Array(reader.array(scalar, rank as usize)?),
    };
    reader.space();
    match reader.rest().chars().next() {
        None => Ok(value),
        Some(_) => Err(format!("`{}` is left over after the value", shown(reader.rest()))),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
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

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.take(sign) {
            return Ok(());
        }
        match self.rest() {
            "" => Err(format!("`{sign}` is missing at the end")),
            rest => Err(format!("`{sign}` was expected before `{}`", shown(rest))),
        }
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

    fn scalar(&mut self, ty: ScalarType) -> Result<ScalarValue, String> {
        self.space();
        if self.rest().starts_with('[') {
            return Err(format!("a single {ty} was expected, not an array"));
        }
        match self.word() {
            "" if self.rest().is_empty() => {
                Err(format!("a value of type {ty} was expected, but there is nothing"))
            }
            "" => Err(format!("a value of type {ty} was expected before `{}`", shown(self.rest()))),
            word => scalar(word, ty),
        }
    }

    fn array(&mut self, ty: ScalarType, rank: usize) -> Result<ArrayValue, String> {
        self.space();
        if self.rest().starts_with("empty") {
            return self.empty(ty, rank);
        }
        let mut shape = vec![None; rank];
        let mut scalars = Vec::new();
        self.rows(ty, &mut shape, &mut scalars)?;
        let shape = shape.into_iter().map(|size| size.unwrap_or(0)).collect();
        let data = ArrayData::collect(ty, scalars).expect("each scalar was read as this type");
        ArrayValue::new(shape, data).ok_or_else(|| "the rows have different lengths".to_string())
    }

    /// `[row, …]`: `shape` has the sizes that earlier rows have shown.
    fn rows(
        &mut self,
        ty: ScalarType,
        shape: &mut [Option<i64>],
        scalars: &mut Vec<ScalarValue>,
    ) -> Result<(), String> {
        let Some((size, inner)) = shape.split_first_mut() else {
            scalars.push(self.scalar(ty)?);
            return Ok(());
        };
        self.space();
        if !self.rest().starts_with('[') {
            return Err(match self.rest() {
                "" => "an array was expected, but there is nothing".to_string(),
                rest => {
                    format!("an array was expected, written in brackets, not `{}`", shown(rest))
                }
            });
        }
        self.expect("[")?;
        let mut count = 0;
        while !self.take("]") {
            if count > 0 {
                self.expect(",")?;
            }
            self.rows(ty, inner, scalars)?;
            count += 1;
        }
        match size {
            Some(size) if *size != count => {
                Err(format!("one row has {size} elements and another {count}"))
            }
            Some(_) => Ok(()),
            None => {
                *size = Some(count);
                Ok(())
            }
        }
    }

    /// `empty([0][3]f64)`.
    fn empty(&mut self, ty: ScalarType, rank: usize) -> Result<ArrayValue, String> {
        self.expect("empty")?;
        self.expect("(")?;
        let mut shape = Vec::new();
        while self.take("[") {
            let word = self.word();
            shape.push(word.parse().map_err(|_| format!("`{word}` is no size"))?);
            self.expect("]")?;
        }
        let name = self.word();
        self.expect(")")?;
        if ScalarType::from_name(name) != Some(ty) || shape.len() != rank {
            return Err(format!(
                "an empty array of type {} was expected",
                ValueType::Array {
                    scalar: ty,
                    rank: u32::try_from(rank).expect("ranks are small")
                }
            ));
        }
        let none =
            ArrayData::collect(ty, []).expect("there is nothing that could be of another type");
        ArrayValue::new(shape, none).ok_or_else(|| "an empty array has a size of 0".to_string())
    }
}

/// Reads one word as a scalar: also what a cell of a table holds.
pub(super) fn scalar(word: &str, ty: ScalarType) -> Result<ScalarValue, String> {
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
fn split_suffix(word: &str) -> (String, Option<ScalarType>) {
    let negative = word.starts_with('-');
    let body = word.trim_start_matches('-');
    for ty in ScalarType::ALL {
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

fn parse(digits: &str, ty: ScalarType) -> Option<ScalarValue> {
    match ty {
        ScalarType::Bool => digits.parse().ok().map(ScalarValue::Bool),
        ScalarType::I8 => {
            integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::I8)
        }
        ScalarType::I16 => {
            integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::I16)
        }
        ScalarType::I32 => {
            integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::I32)
        }
        ScalarType::I64 => {
            integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::I64)
        }
        ScalarType::U8 => {
            integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::U8)
        }
        ScalarType::U16 => {
            integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::U16)
        }
        ScalarType::U32 => {
            integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::U32)
        }
        ScalarType::U64 => {
            integer(digits).and_then(|value| value.try_into().ok()).map(ScalarValue::U64)
        }
        ScalarType::F32 => {
            float(digits).map(|text| text.parse().map(ScalarValue::F32)).and_then(Result::ok)
        }
        ScalarType::F64 => {
            float(digits).map(|text| text.parse().map(ScalarValue::F64)).and_then(Result::ok)
        }
    }
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

/// The text of a float if it is one that Rust reads as Arr does.
fn float(digits: &str) -> Option<&str> {
    let body = digits.trim_start_matches('-');
    let special = matches!(body, "inf" | "nan");
    let number = body.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    (special || number).then_some(digits)
}

fn is_number(digits: &str) -> bool {
    integer(digits).is_some() || float(digits).is_some_and(|text| text.parse::<f64>().is_ok())
}

/// What values a type has, for a number that is none.
fn range(ty: ScalarType) -> String {
    match ty {
        ScalarType::Bool => "it is `true` or `false`".to_string(),
        ScalarType::I8 => format!("whole numbers from {} to {}", i8::MIN, i8::MAX),
        ScalarType::I16 => format!("whole numbers from {} to {}", i16::MIN, i16::MAX),
        ScalarType::I32 => format!("whole numbers from {} to {}", i32::MIN, i32::MAX),
        ScalarType::I64 => format!("whole numbers from {} to {}", i64::MIN, i64::MAX),
        ScalarType::U8 => format!("whole numbers from 0 to {}", u8::MAX),
        ScalarType::U16 => format!("whole numbers from 0 to {}", u16::MAX),
        ScalarType::U32 => format!("whole numbers from 0 to {}", u32::MAX),
        ScalarType::U64 => format!("whole numbers from 0 to {}", u64::MAX),
        ScalarType::F32 | ScalarType::F64 => "numbers such as 2, 2.5 or 1e9".to_string(),
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
        ValueType::Scalar(ScalarType::from_name(name).expect("a test names a type"))
    }

    fn vector(name: &str) -> ValueType {
        ValueType::Array {
            scalar: ScalarType::from_name(name).expect("a test names a type"),
            rank: 1,
        }
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
    fn what_does_not_fit_is_said() {
        let cases = [
            (
                "1.5",
                scalar_type("i32"),
                "`1.5` is no value of type i32: whole numbers from -2147483648 to 2147483647",
            ),
            ("300", scalar_type("u8"), "`300` is no value of type u8: whole numbers from 0 to 255"),
            ("1i32", scalar_type("i64"), "`1i32` is of type i32, not i64"),
            ("[1, 2", vector("i32"), "`,` is missing at the end"),
            ("[1 2]", vector("i32"), "`,` was expected before `2]`"),
            ("5", vector("i32"), "an array was expected, written in brackets, not `5`"),
            ("[1]", scalar_type("i32"), "a single i32 was expected, not an array"),
            ("1 2", scalar_type("i32"), "`2` is left over after the value"),
            ("hello", scalar_type("bool"), "`hello` is no value of type bool"),
            ("", scalar_type("i32"), "a value of type i32 was expected, but there is nothing"),
        ];
        for (text, ty, problem) in cases {
            assert_eq!(literal(text, ty), Err(problem.to_string()), "{text}");
        }
    }
}

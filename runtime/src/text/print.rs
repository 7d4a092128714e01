//! Values as literals.

use std::fmt::Write;

use crate::host::{ScalarValue, Slice, View};

/// A value as a literal that reads back as the same value: `2.5f64`, `[1i64, 2i64]`,
/// `empty([0]f64)`.
#[must_use]
pub fn print<'a>(value: impl Into<View<'a>>) -> String {
    let value = value.into();
    if let Some(scalar) = value.scalar() {
        return print_scalar(scalar);
    }
    if value.elements().is_empty() {
        let shape: String = value.shape().iter().map(|size| format!("[{size}]")).collect();
        return format!("empty({shape}{})", value.elements().ty());
    }
    let mut text = String::new();
    rows(value.shape(), value.elements(), &mut 0, &mut text);
    text
}

/// Writes the part of an array that starts at `next` and has the given shape.
fn rows(shape: &[i64], elements: Slice<'_>, next: &mut usize, text: &mut String) {
    let Some((&size, inner)) = shape.split_first() else {
        let scalar = elements.get(*next).expect("an array has the elements of its shape");
        *next += 1;
        text.push_str(&print_scalar(scalar));
        return;
    };
    text.push('[');
    for at in 0..size {
        if at > 0 {
            text.push_str(", ");
        }
        rows(inner, elements, next, text);
    }
    text.push(']');
}

/// A scalar with its type as suffix.
fn print_scalar(scalar: ScalarValue) -> String {
    match scalar {
        ScalarValue::Bool(value) => value.to_string(),
        ScalarValue::I8(value) => format!("{value}i8"),
        ScalarValue::I16(value) => format!("{value}i16"),
        ScalarValue::I32(value) => format!("{value}i32"),
        ScalarValue::I64(value) => format!("{value}i64"),
        ScalarValue::U8(value) => format!("{value}u8"),
        ScalarValue::U16(value) => format!("{value}u16"),
        ScalarValue::U32(value) => format!("{value}u32"),
        ScalarValue::U64(value) => format!("{value}u64"),
        ScalarValue::F32(value) => non_finite(f64::from(value), "f32")
            .unwrap_or_else(|| float(&format!("{value:?}"), "f32")),
        ScalarValue::F64(value) => {
            non_finite(value, "f64").unwrap_or_else(|| float(&format!("{value:?}"), "f64"))
        }
    }
}

/// Infinities and NaN, which have no digits.
fn non_finite(value: f64, ty: &str) -> Option<String> {
    if value.is_nan() {
        Some(format!("{ty}.nan"))
    } else if value.is_infinite() {
        Some(format!("{}{ty}.inf", if value < 0.0 { "-" } else { "" }))
    } else {
        None
    }
}

/// The shortest digits that read back as the same float, with the type.
fn float(digits: &str, ty: &str) -> String {
    let mut text = String::from(digits);
    write!(text, "{ty}").expect("writing to a string succeeds");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{ArrayData, ArrayValue, Value};
    use crate::text::literal;

    #[test]
    fn values_read_back() {
        let matrix = ArrayValue::new(vec![2, 2], ArrayData::I8(vec![1, -2, 3, 4].into()))
            .expect("2 times 2 is 4");
        let empty =
            ArrayValue::new(vec![0, 3], ArrayData::F32(Vec::new().into())).expect("no rows");
        let values: [(Value, &str); 7] = [
            (Value::from(true), "true"),
            (Value::from(-3_i32), "-3i32"),
            (Value::from(1e300_f64), "1e300f64"),
            (Value::from(f32::NEG_INFINITY), "-f32.inf"),
            (Value::from(vec![1_u8, 2]), "[1u8, 2u8]"),
            (Value::Array(matrix), "[[1i8, -2i8], [3i8, 4i8]]"),
            (Value::Array(empty), "empty([0][3]f32)"),
        ];
        for (value, text) in values {
            assert_eq!(print(&value), text);
            assert_eq!(literal(text, value.ty()), Ok(value));
        }
    }
}

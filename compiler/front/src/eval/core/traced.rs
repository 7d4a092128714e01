//! The text of a traced value, as the runtime prints it.
//!
//! Invariant: the text is the one that the runtime prints for compiled code (`runtime/rt/src/trace.rs`).
//!
//! ```text
//! trace "p" {x = 1.0, y = #some 2}   ⇒   p = {x = 1.0, y = #some 2}
//! ```

use arr_abi::trace::{AT_EACH_END, MOST};

use crate::eval::core::eval_value::{Shape, Value};
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::Span;

/// A value that was traced.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The place of the trace.
    pub span: Span,
    /// The name and the value.
    pub text: String,
}

/// The name, if there is one, and the value.
pub(super) fn text(name: &Value<'_>, value: &Value<'_>) -> String {
    let bytes = name.expect_array().elems.iter().map(|byte| byte.expect_scalar().bits);
    let bytes: Vec<u8> = bytes
        .map(|byte| u8::try_from(byte).unwrap_or(b'?'))
        .map(|byte| if byte.is_ascii_control() { b'?' } else { byte })
        .collect();
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if !text.is_empty() {
        text.push_str(" = ");
    }
    Printer { elides: scalars(&value.shape()) > MOST }.value(value, &mut text);
    text
}

/// How many scalars a value has, tags and the payloads of all constructors included.
fn scalars(shape: &Shape) -> i64 {
    let sum =
        |shapes: &mut dyn Iterator<Item = &Shape>| shapes.map(scalars).fold(0, i64::saturating_add);
    match shape {
        Shape::Scalar(_) => 1,
        Shape::Tuple(items) => sum(&mut items.iter()),
        Shape::Record(fields) => sum(&mut fields.values()),
        Shape::Sum(cases) => sum(&mut cases.values().flatten()).saturating_add(1),
        Shape::Array(size, elem) => size.saturating_mul(scalars(elem)),
        Shape::Fun => 0,
    }
}

/// How values are printed.
struct Printer {
    /// Whether only the elements at both ends of arrays are printed.
    elides: bool,
}

impl Printer {
    fn value(&self, value: &Value<'_>, text: &mut String) {
        match value {
            Value::Scalar(value) => text.push_str(&scalar(*value)),
            Value::Tuple(items) => {
                text.push('(');
                self.list(items.iter(), text);
                text.push(')');
            }
            Value::Record(fields) => {
                let mut fields: Vec<_> = fields.iter().collect();
                fields.sort_by_key(|(name, _)| *name);
                text.push('{');
                for (at, (name, field)) in fields.into_iter().enumerate() {
                    text.push_str(if at > 0 { ", " } else { "" });
                    text.push_str(name);
                    text.push_str(" = ");
                    self.value(field, text);
                }
                text.push('}');
            }
            Value::Sum(sum) => {
                let Some((name, payloads)) = sum.constructor() else { return };
                text.push('#');
                text.push_str(name);
                for payload in payloads {
                    let is_sum = matches!(payload, Value::Sum(_));
                    text.push_str(if is_sum { " (" } else { " " });
                    self.value(payload, text);
                    text.push_str(if is_sum { ")" } else { "" });
                }
            }
            Value::Array(array) => self.array(&array.elems, text),
            Value::Fun(_) => text.push_str("a function"),
        }
    }

    fn array(&self, elems: &[Value<'_>], text: &mut String) {
        let end = usize::try_from(AT_EACH_END).expect("it is small");
        text.push('[');
        match elems {
            [first @ .., _] if self.elides && elems.len() > 2 * end => {
                self.list(first[..end].iter(), text);
                text.push_str(", …, ");
                self.list(elems[elems.len() - end..].iter(), text);
            }
            _ => self.list(elems.iter(), text),
        }
        text.push(']');
    }

    fn list<'v>(&self, values: impl Iterator<Item = &'v Value<'v>>, text: &mut String) {
        for (at, value) in values.enumerate() {
            text.push_str(if at > 0 { ", " } else { "" });
            self.value(value, text);
        }
    }
}

fn scalar(value: Const) -> String {
    match value.ty {
        Scalar::Bool => (value.bits != 0).to_string(),
        #[allow(clippy::cast_possible_truncation, reason = "an f32 constant is an f32's value")]
        Scalar::F32 => float(value.as_f64(), &format!("{:e}", value.as_f64() as f32), 6),
        Scalar::F64 => float(value.as_f64(), &format!("{:e}", value.as_f64()), 15),
        Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64
        | Scalar::U8
        | Scalar::U16
        | Scalar::U32
        | Scalar::U64 => value.as_i128().to_string(),
    }
}

/// A float as `printf` writes it with `%g`, given its shortest digits, and the fewest digits from which `%g` writes no
/// exponent.
fn float(value: f64, shortest: &str, fewest: usize) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    let Some((digits, exponent)) = shortest.split_once('e') else { return shortest.to_owned() };
    let exponent: i32 = exponent.parse().expect("Rust writes a number");
    let precision = digits.chars().filter(char::is_ascii_digit).count().max(fewest);
    let precision = i32::try_from(precision).expect("a float has few digits");
    if (-4..precision).contains(&exponent) {
        let text = shortest.parse::<f64>().expect("Rust reads what it wrote").to_string();
        return if text.contains('.') { text } else { format!("{text}.0") };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_as_in_c() {
        let f64 = |value: f64| scalar(Const::float(Scalar::F64, value));
        let texts = [0.0, -0.0, 1.5, 1e14, 1e15, 1.25e-7, 0.0001, 1.0 / 3.0, f64::NEG_INFINITY];
        let texts = texts.map(f64);
        let expected = [
            "0.0",
            "-0.0",
            "1.5",
            "100000000000000.0",
            "1e+15",
            "1.25e-07",
            "0.0001",
            "0.3333333333333333",
            "-inf",
        ];
        assert_eq!(texts, expected);
        assert_eq!(scalar(Const::float(Scalar::F32, f64::from(0.1_f32))), "0.1");
        assert_eq!(scalar(Const::float(Scalar::F32, 1e6)), "1e+06");
    }
}

//! The text of a traced value, as the runtime prints it.
//!
//! Invariant: the text is the one that the runtime prints for compiled code (`runtime/rt/src/trace.rs`).
//!
//! ```text
//! trace "p" {x = 1.0, y = #some 2}   ⇒   p = {x = 1.0, y = #some 2}
//! ```

use arr_abi::trace::{AT_EACH_END, MOST};

use crate::eval::core::eval_value::{Shape, Value};
use crate::eval::scalar::shown;
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
            Value::Scalar(value) => text.push_str(&shown(*value)),
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

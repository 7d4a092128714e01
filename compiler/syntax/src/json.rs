//! JSON: the only place that knows `serde_json`.
//!
//! Invariant: the fields of an object are in the order in which they were written down.
//!
//! ```text
//! {"byte":8,"line":1,"column":9}
//! ```

pub use serde_json::{Value, from_value, json, to_value};

use crate::source::{Sources, Span};

/// The file of a span, and its two ends.
#[must_use]
pub fn place(span: Span, sources: &Sources) -> (&str, Value, Value) {
    let end = |byte: u32| {
        let at = sources.line_col(Span::new(span.file, byte, byte));
        json!({"byte": byte, "line": at.line, "column": at.column})
    };
    (&sources.get(span.file).path, end(span.start), end(span.end))
}

/// An object with the fields of another one after its own.
///
/// # Panics
///
/// If one of them is no object.
#[must_use]
pub fn extended(object: Value, more: Value) -> Value {
    let (Value::Object(mut object), Value::Object(more)) = (object, more) else {
        panic!("two objects are joined");
    };
    object.extend(more);
    Value::Object(object)
}

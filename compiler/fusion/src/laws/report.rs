//! Warnings about operators that break a law.
//!
//! Invariant: the place is in a file of the user: that of the call, or of the operator if a library calls it.
//!
//! ```text
//! warning[A0707]: the operator of this `reduce` or `scan` is not associative
//! ```

use std::collections::BTreeSet;

use super::operator::{AssociativityCounterexample, NeutralityCounterexample, Operator, scalars};
use super::samples::Sample;
use crate::cnf::Worker;
use crate::eval::cnf::Value;
use arrc_front::eval::scalar::shown;
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::ids::FileId;
use arrc_syntax::source::Span;

/// The place of the call, or of the operator; none if both are in libraries.
pub(super) fn place(call: Span, worker: &Worker, own: &BTreeSet<FileId>) -> Option<Span> {
    let inside = worker.body.binds.iter().map(|bind| bind.span);
    std::iter::once(call).chain(inside).find(|span| own.contains(&span.file))
}

/// The laws that the operator breaks.
pub(super) fn laws(operator: &Operator<'_>, span: Span) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    found.extend(operator.regrouped().map(|regrouped| not_associative(&regrouped, span)));
    if let Some(init) = &operator.init {
        found.extend(operator.changed().map(|changed| not_neutral(init, &changed, span)));
    }
    found
}

fn not_associative(regrouped: &AssociativityCounterexample, span: Span) -> Diagnostic {
    let [x, y, z] = [0, 1, 2].map(|at: usize| text(&regrouped.args[at]));
    let [left, right] = [0, 1].map(|at: usize| text(&regrouped.results[at]));
    Diagnostic::warning(Code::NOT_ASSOCIATIVE, span, "this operator is not associative")
        .label("the result depends on how the elements are grouped")
        .note(format!("`op (op {x} {y}) {z}` is {left}, but `op {x} (op {y} {z})` is {right}"))
        .help("write `fold`, which applies the operator from the left")
}

fn not_neutral(init: &Sample, changed: &NeutralityCounterexample, span: Span) -> Diagnostic {
    let [init, value, result] = [init, &changed.value, &changed.result].map(text);
    let (left, right) = if changed.is_first { (&init, &value) } else { (&value, &init) };
    let message = format!("{init} is not neutral for this operator");
    Diagnostic::warning(Code::NOT_NEUTRAL, span, message)
        .label("the result depends on how often the initial value is used")
        .note(format!("`op {left} {right}` is {result}, and not {value}"))
        .help("begin with the neutral element, and apply the operator to the result and the initial value")
}

/// A sample as a literal.
fn text(sample: &Sample) -> String {
    let one = |value: &Value| {
        let scalars: Vec<String> = scalars(value).into_iter().map(shown).collect();
        match value {
            Value::Scalar(_) => scalars.concat(),
            Value::Array(_) => format!("[{}]", scalars.join(", ")),
        }
    };
    match sample.as_slice() {
        [value @ Value::Scalar(_)] if one(value).starts_with('-') => format!("({})", one(value)),
        [value] => one(value),
        values => format!("({})", values.iter().map(one).collect::<Vec<_>>().join(", ")),
    }
}

//! Warnings about operators that break a law.
//!
//! Invariant: the place is in a file of the user: that of the call, or of the operator if a library calls it.
//!
//! ```text
//! warning[A0707]: the operator of this `reduce` is not associative
//! ```

use std::collections::BTreeSet;

use super::operator::{AssociativityCounterexample, NeutralityCounterexample, Operator, scalars};
use super::samples::Sample;
use super::{BrokenLaw, Use};
use crate::cnf::{Block, Worker};
use crate::eval::cnf::Value;
use arrc_front::eval::scalar::shown;
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::ids::FileId;
use arrc_syntax::names::Name;
use arrc_syntax::source::{Call, CallId, Calls, Span};

/// Where a law is broken.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The call, or the operator if a library calls it.
    pub(super) span: Span,
    /// The function that is called, if it is the call.
    called: Option<Name>,
    /// What the operator computes last, if the user wrote it elsewhere: a call in a function may have several operators.
    operator: Option<Span>,
}

/// The place of the call by the user, or of the operator if a library calls it.
pub(super) fn place(
    calls: &Calls,
    (call, name): (Span, &'static str),
    worker: &Worker,
    own: &BTreeSet<FileId>,
) -> Option<Place> {
    let written = |span: Span| Span { calls: CallId::NONE, ..span };
    let mut inside = Vec::new();
    spans(&worker.body, &mut inside);
    inside.retain(|span| own.contains(&span.file));
    let is_call = own.contains(&call.file);
    if !is_call && inside.is_empty() {
        let Call { name, at } = users_call(calls, call, own)?;
        return Some(Place { span: written(*at), called: Some(name.clone()), operator: None });
    }
    let span = if is_call { call } else { *inside.first()? };
    let is_outside =
        |at: &&Span| at.file != call.file || at.end <= call.start || call.end <= at.start;
    let operator = inside.last().filter(|at| is_call && is_outside(at));
    let operator = operator.copied().map(written);
    let called = is_call.then(|| name.into());
    Some(Place { span: written(span), called, operator })
}

/// The call in a file of the user that led to a place in a library.
fn users_call<'a>(calls: &'a Calls, place: Span, own: &BTreeSet<FileId>) -> Option<&'a Call> {
    let mut call = calls.get(place.calls)?;
    while !own.contains(&call.at.file) {
        call = calls.get(call.at.calls)?;
    }
    Some(call)
}

/// The places of the operations of a block, those inside of operations before them.
fn spans(block: &Block, found: &mut Vec<Span>) {
    for bind in &block.binds {
        bind.op.inner().iter().for_each(|inner| spans(inner.block, found));
        found.push(bind.span);
    }
}

/// The law that the operator breaks. If it is not associative, the initial value does not matter any more.
pub(super) fn law(operator: &Operator<'_>, used: Use<'_>, place: &Place) -> Option<BrokenLaw> {
    let of = match &place.called {
        Some(name) => format!("the operator of this `{name}`"),
        None => "this operator".to_owned(),
    };
    let (diagnostic, mapped) = match operator.regrouped() {
        Some(regrouped) => (not_associative(&regrouped, &of, place.span), operator.mapped()),
        None => {
            let changed = operator.changed()?;
            let init = operator.init.as_ref()?;
            (not_neutral(init, &changed, &of, place.span), operator.joined())
        }
    };
    let diagnostic = match place.operator {
        Some(span) => diagnostic.also(span, "the operator"),
        None => diagnostic,
    };
    Some(BrokenLaw { diagnostic, is_scan: used.is_scan, mapped })
}

fn not_associative(
    regrouped: &AssociativityCounterexample,
    operator: &str,
    span: Span,
) -> Diagnostic {
    let [x, y, z] = [0, 1, 2].map(|at: usize| text(&regrouped.args[at]));
    let [left, right] = [0, 1].map(|at: usize| text(&regrouped.results[at]));
    let message = format!("{operator} is not associative");
    Diagnostic::warning(Code::NOT_ASSOCIATIVE, span, message)
        .label("the result depends on how the elements are grouped")
        .note(format!("`op (op {x} {y}) {z}` is {left}, but `op {x} (op {y} {z})` is {right}"))
}

fn not_neutral(
    init: &Sample,
    changed: &NeutralityCounterexample,
    operator: &str,
    span: Span,
) -> Diagnostic {
    let [init, value, result] = [init, &changed.value, &changed.result].map(text);
    let (left, right) = if changed.is_first { (&init, &value) } else { (&value, &init) };
    let message = format!("{init} is not neutral for {operator}");
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

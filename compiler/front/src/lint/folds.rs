//! What to write in place of a fold of floats, if its order does not matter.
//!
//! Invariant: a change is proposed only if the fold joins a function of each element to its accumulator, by an operation
//! that reduces.
//!
//! ```text
//! fold (\s x -> s + x * x) 0 xs             ⇒   f64.sum (map (\x -> x * x) xs)
//! loop p = start for i < n do p * xs[i]      ⇒   start * f64.product (tabulate n (\i -> xs[i]))
//! ```

#![allow(clippy::wildcard_enum_match_arm, reason = "only a few kinds of expressions are folds")]

use super::operators::{Call, Joined, LambdaParts, bound_name, expression_at, is_neutral, within};
use crate::parentheses::bare;
use arrc_syntax::ast::{Expr, ExprKind, File, Loop, LoopForm, Pat};
use arrc_syntax::diagnostics::{Change, Diagnostic, Edit};
use arrc_syntax::names::Name;
use arrc_syntax::source::{CallId, Sources, Span};

/// The hint on a fold whose order costs time, with the reduction that may take its place. `is_accepted` says whether the
/// program has no errors after a change.
#[must_use]
pub fn reduced(
    (files, sources): (&[File], &Sources),
    hint: Diagnostic,
    joined: Joined,
    is_accepted: impl FnOnce(&[Edit]) -> bool,
) -> Diagnostic {
    let place = hint.primary.as_ref().map(|label| Span { calls: CallId::NONE, ..label.span });
    let edit = place.and_then(|place| {
        let file = files.iter().find(|file| file.id == place.file)?;
        let text = &*sources.get(place.file).text;
        expression_at(file, place, |expr| Fold::of(expr, text, joined)?.reduction(text, joined))
    });
    let text = "if the order does not matter, write a reduction".to_owned();
    let change = edit.map(|edit| Change { text, edits: vec![edit] });
    match change.and_then(|one| one.tried(|change| is_accepted(&change.edits))) {
        Some(help) => Diagnostic { helps: vec![help], ..hint },
        None => hint,
    }
}

/// A fold of the text.
struct Fold<'a> {
    span: Span,
    init: &'a Expr,
    /// The array that the reduction takes.
    mapped: Mapped<'a>,
    /// Whether the place has parentheses around it.
    is_enclosed: bool,
}

/// The array that a reduction takes, as the fold gives it.
enum Mapped<'a> {
    /// The elements of an array, which may stand before `|>`.
    Elements { array: &'a Expr, is_piped: bool },
    /// A function of the elements, with its parameter.
    Map { parameter: Span, element: String, array: &'a Expr, is_piped: bool },
    /// A function of the positions below a number.
    Tabulate { parameter: &'a Name, element: String, count: &'a Expr },
}

impl<'a> Fold<'a> {
    fn of(expr: &'a Expr, text: &str, joined: Joined) -> Option<Self> {
        match &expr.kind {
            ExprKind::Loop(of) => Self::of_loop(expr, of, text, joined),
            _ => Self::of_call(Call::of(expr)?, text, joined),
        }
    }

    fn of_call(call: Call<'a>, text: &str, joined: Joined) -> Option<Self> {
        let Call { span, head, operator, init, array, is_piped } = call;
        if *head.name.name != *"fold" {
            return None;
        }
        let mapped = match &operator.kind {
            ExprKind::Lambda(params, _, body) => {
                let [acc, element] = params.as_slice() else { return None };
                let parts = LambdaParts { text, joined, acc: bound_name(acc)? };
                let (parameter, element) = (element.span, parts.element(body)?);
                Mapped::Map { parameter, element, array, is_piped }
            }
            _ if within(text, operator.span) == joined.function() => {
                Mapped::Elements { array, is_piped }
            }
            _ => return None,
        };
        let is_enclosed = call.is_enclosed();
        Some(Self { span, init, mapped, is_enclosed })
    }

    fn of_loop(expr: &Expr, of: &'a Loop, text: &str, joined: Joined) -> Option<Self> {
        let Loop { pat, init, form, body } = of;
        let parts = LambdaParts { text, joined, acc: bound_name(pat)? };
        let element = parts.element(body)?;
        let mapped = match form {
            LoopForm::For(parameter, count) => {
                Mapped::Tabulate { parameter: &parameter.name, element, count }
            }
            LoopForm::In(of, array) if is_one(of, &element) => {
                Mapped::Elements { array, is_piped: false }
            }
            LoopForm::In(of, array) => {
                Mapped::Map { parameter: of.span, element, array, is_piped: false }
            }
            LoopForm::While(_) => return None,
        };
        let is_enclosed = within(text, expr.span).starts_with('(');
        Some(Self { span: expr.span, init: init.as_ref()?, mapped, is_enclosed })
    }

    fn reduction(&self, text: &str, joined: Joined) -> Option<Edit> {
        let reduction = format!("{}.{}", joined.ty.name(), joined.op.row().reduction?);
        let reduced = match &self.mapped {
            Mapped::Elements { array, is_piped: true } => {
                format!("{} |> {reduction}", within(text, array.span))
            }
            Mapped::Elements { array, is_piped: false } => {
                format!("{reduction} {}", argument(text, array))
            }
            Mapped::Map { parameter, element, array, is_piped } => {
                let function = format!("map (\\{} -> {element})", within(text, *parameter));
                if *is_piped {
                    format!("{} |> {function} |> {reduction}", within(text, array.span))
                } else {
                    format!("{reduction} ({function} {})", argument(text, array))
                }
            }
            Mapped::Tabulate { parameter, element, count } => {
                format!(
                    "{reduction} (tabulate {} (\\{parameter} -> {element}))",
                    argument(text, count)
                )
            }
        };
        let is_whole = is_neutral(self.init, joined);
        let whole = if is_whole {
            reduced
        } else {
            let is_piped = reduced.contains("|>");
            let reduced = if is_piped { format!("({reduced})") } else { reduced };
            joined.text(&argument(text, self.init), &reduced)
        };
        // An operation needs parentheses inside another one.
        let is_enclosed = self.is_enclosed || !is_whole;
        let replacement = if is_enclosed { format!("({whole})") } else { whole };
        Some(Edit { span: self.span, replacement })
    }
}

/// Whether an element of a loop is the parameter alone.
fn is_one(pat: &Pat, element: &str) -> bool {
    bound_name(pat).is_some_and(|name| **name == *element)
}

/// The text of an expression as an argument.
fn argument(text: &str, expr: &Expr) -> String {
    let own = within(text, expr.span);
    match &expr.kind {
        _ if bare(own) != own => own.to_owned(),
        ExprKind::Name(_) | ExprKind::Literal(_) | ExprKind::Index(..) | ExprKind::Field(..) => {
            own.to_owned()
        }
        _ => format!("({own})"),
    }
}

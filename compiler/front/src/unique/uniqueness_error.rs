//! Errors of uniqueness marks, as diagnostics.
//!
//! Invariant: each message tells where an array is consumed, where it comes from or is used again, and how a copy
//! helps.
//!
//! ```text
//! Consumed { name: xs, how: Call(f) }
//! ⇒ error[A0326]: `xs` is used after it was consumed
//! ```

use super::state::{Consumer, Consumption, ScopeKind};
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// Something wrong with a mark.
#[derive(Clone, Debug)]
pub(super) enum Error {
    /// A use of consumed memory.
    Consumed { name: Option<String>, span: Span, how: Consumption },
    /// A consumption of memory that the function does not own.
    NotConsumable { how: Consumption, reason: Reason },
    /// A result with a mark that shares memory with something else.
    Result { span: Span, name: Name, how: Sharing, is_name: bool },
    /// A value that a loop owns, or that a function argument has to give unshared, and that shares memory with
    /// something else.
    Shared { span: Span, how: Sharing, is_name: bool },
    /// A function that consumes its argument, where its type does not say so.
    ConsumingFunction { name: Name, span: Span },
}

/// Why something may not be consumed.
#[derive(Clone, Debug)]
pub(super) enum Reason {
    /// It is a parameter without a mark.
    Parameter { name: Option<Name>, span: Span },
    /// It is a definition.
    Constant { name: Option<Name>, span: Span },
    /// It is made outside of a loop or a function.
    Outside { name: Option<Name>, span: Span, kind: ScopeKind, scope: Span },
}

/// The other owner of a shared array.
#[derive(Clone, Debug)]
pub(super) enum Sharing {
    /// The caller.
    Parameter { name: Option<Name>, span: Span },
    /// The program.
    Constant { name: Option<Name>, span: Span },
    /// The memory outside of a loop or a function.
    Outside { name: Option<Name>, span: Span },
    /// Another part of the same value.
    Twice { name: Option<Name>, span: Span },
    /// The owners of a function's arguments.
    Function(Name),
}

impl From<Error> for Diagnostic {
    fn from(error: Error) -> Self {
        match error {
            Error::Consumed { name, span, how } => consumed(name, span, &how),
            Error::NotConsumable { how, reason } => not_consumable(&how, reason),
            Error::Result { span, name, how, is_name } => {
                let message = if name.is_empty() {
                    "what this function gives is marked `*`, but somebody else has it too"
                        .to_owned()
                } else {
                    format!("what `{name}` gives is marked `*`, but somebody else has it too")
                };
                copied(shared(Self::error(Code::SHARED_RESULT, span, message), how), span, is_name)
            }
            Error::Shared { span, how: Sharing::Function(name), .. } => {
                let message = format!("`{name}` may give an array that others have");
                Self::error(Code::SHARED_RESULT, span, message)
                    .label("what is passed here has to give arrays of its own: its result is marked `*` there")
                    .fix("copy what it gives", [(span, format!("(\\x -> copy ({name} x))"))])
            }
            Error::Shared { span, how, is_name } => {
                let message = "what this loop owns is somebody else's too";
                copied(shared(Self::error(Code::SHARED_RESULT, span, message), how), span, is_name)
            }
            Error::ConsumingFunction { name, span } => Self::error(
                Code::CONSUMING_FUNCTION,
                span,
                format!("`{name}` consumes its argument, and cannot be passed on here"),
            )
            .label("whoever calls it does not know that its parameter is marked `*`")
            .fix("copy the argument", [(span, format!("(\\x -> {name} (copy x))"))]),
        }
    }
}

fn consumed(name: Option<String>, span: Span, how: &Consumption) -> Diagnostic {
    let subject = name.as_ref().map_or_else(|| "this array".to_owned(), |name| format!("`{name}`"));
    let message = format!("{subject} is used after it was consumed");
    let error = Diagnostic::error(Code::CONSUMED, span, message).label("used here");
    let error = error.also(how.span, by(how));
    let error = match &how.name {
        Some(other) if Some(other) != name.as_ref() => {
            error.note(format!("{subject} and `{other}` may be the same array"))
        }
        Some(_) | None => error,
    };
    copied(error, how.span, how.name.is_some())
}

/// What consumes, for a label.
fn by(how: &Consumption) -> String {
    match &how.by {
        Consumer::Call(function) => {
            format!("consumed here: the parameter of `{function}` is marked `*`")
        }
        Consumer::Update => "consumed here: it is marked `*`, and updated".to_owned(),
        Consumer::Let(name) => format!("consumed here: `{name}` is marked `*`"),
        Consumer::Loop => "consumed here: the loop owns what it carries".to_owned(),
    }
}

fn not_consumable(how: &Consumption, reason: Reason) -> Diagnostic {
    let subject = how.name.as_ref().map_or_else(|| "this".to_owned(), |name| format!("`{name}`"));
    let message = format!("{subject} is consumed, but others may use it");
    let error = Diagnostic::error(Code::NOT_CONSUMABLE, how.span, message).label(by(how));
    let called = |name: &Option<Name>, what: &str| match name {
        Some(name) => format!("`{name}` {what}"),
        None => format!("it {what}"),
    };
    match reason {
        Reason::Parameter { name, span } => copied(
            error
                .also(span, called(&name, "is a parameter without `*`: it stays the caller's"))
                .help("mark the parameter: `*` before its type"),
            how.span,
            how.name.is_some(),
        ),
        Reason::Constant { name, span } => copied(
            error.also(span, called(&name, "is a definition, which any part of the program uses")),
            how.span,
            how.name.is_some(),
        ),
        Reason::Outside { name, span, kind, scope } => {
            let around = match kind {
                ScopeKind::Loop => "this loop, each step of which would consume it again",
                ScopeKind::Function | ScopeKind::Definition => {
                    "this function, each call of which would consume it again"
                }
            };
            let error = error.also(span, called(&name, "is made here"));
            copied(error.also(scope, format!("consumed in {around}")), how.span, how.name.is_some())
        }
    }
}

/// Says which other owner an array has.
fn shared(error: Diagnostic, how: Sharing) -> Diagnostic {
    let called = |name: &Option<Name>| {
        name.as_ref().map_or_else(|| "another array".to_owned(), |name| format!("`{name}`"))
    };
    match how {
        Sharing::Parameter { name, span } => error
            .label(format!("this may be {}", called(&name)))
            .also(span, "a parameter without `*`: it stays the caller's"),
        Sharing::Constant { name, span } => error
            .label(format!("this may be {}", called(&name)))
            .also(span, "a definition, which any part of the program uses"),
        Sharing::Outside { name, span } => {
            error.label(format!("this may be {}", called(&name))).also(span, "made here, around it")
        }
        Sharing::Twice { name, span } => error
            .label(format!("this may be {}, which is another part of the value too", called(&name)))
            .also(span, "made here"),
        Sharing::Function(name) => error.label(format!("`{name}` may give what it was given")),
    }
}

/// Advises to copy the expression at a place.
fn copied(error: Diagnostic, span: Span, is_name: bool) -> Diagnostic {
    let before = Span { end: span.start, ..span };
    let after = Span { start: span.end, ..span };
    let (open, close) = if is_name { ("(copy ", ")") } else { ("(copy (", "))") };
    error.fix("give it a copy", [(before, open), (after, close)])
}

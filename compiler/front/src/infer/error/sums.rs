//! Errors of constructors and cases, as diagnostics.
//!
//! Invariant: constructors are named with their `#`, and missing cases are shown as patterns that can
//! be copied into the program.
//!
//! ```text
//! NotExhaustive { missing: [#some (#leaf _)], … }
//! ⇒ error[A0333]: this `match` has no case for `#some (#leaf _)`
//! ```

use super::Error;
use crate::infer::error::name_errors::suggest;
use arrc_syntax::diagnostics::{Code, Diagnostic, Help, Severity};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// Something wrong with a sum or a match.
#[derive(Clone, Debug)]
pub(crate) enum SumError {
    /// A constructor whose sum type is not known.
    UnknownSum { name: Name, span: Span, all: Vec<Name> },
    /// A constructor that the type does not have.
    UnknownConstructor { name: Name, span: Span, sum: Sum, near: Vec<Name> },
    /// A constructor with too many or too few payloads.
    Payloads { name: Name, span: Span, sum: Sum, takes: usize, given: usize },
    /// A `match` that has no case for some values.
    NotExhaustive { span: Span, value: Span, end: Span, ty: String, missing: MissingPatterns },
    /// A case that no value reaches, and the cases before it that take all its values.
    Unreachable { span: Span, before: Vec<Span> },
    /// A pattern outside of a `match` that does not fit every value.
    Refutable { span: Span, what: &'static str, ty: String, missing: MissingPatterns },
}

/// A sum type, for messages.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    /// The type.
    pub(crate) ty: String,
    /// Its constructors with their payloads.
    pub(crate) constructors: Vec<String>,
    /// Where a type with these constructors is declared, and its name.
    pub(crate) declared: Option<(Name, Span)>,
}

/// Values that no case takes.
#[derive(Clone, Debug)]
pub(crate) struct MissingPatterns {
    /// Patterns of these values.
    pub(crate) patterns: Vec<String>,
    /// Whether there are more.
    pub(crate) more: bool,
    /// The types for which a `_` in these patterns stands for all values that no case names.
    pub(crate) others: Vec<Name>,
}

impl From<SumError> for Error {
    fn from(error: SumError) -> Self {
        Self::Sum(error)
    }
}

impl From<SumError> for Diagnostic {
    fn from(error: SumError) -> Self {
        match error {
            SumError::UnknownSum { name, span, all } => unknown_sum(&name, span, &all),
            SumError::UnknownConstructor { name, span, sum, near } => {
                unknown_constructor(&name, span, &sum, &near)
            }
            SumError::Payloads { name, span, sum, takes, given } => {
                payloads(&name, span, &sum, (takes, given))
            }
            SumError::NotExhaustive { span, value, end, ty, missing } => {
                not_exhaustive((span, end), value, &ty, missing)
            }
            SumError::Unreachable { span, before } => unreachable(span, &before),
            SumError::Refutable { span, what, ty, missing } => refutable(span, what, &ty, missing),
        }
    }
}

/// A constructor whose sum type is not known.
pub(super) fn unknown_sum(name: &Name, span: Span, all: &[Name]) -> Diagnostic {
    let message = format!("which sum type does `#{name}` belong to? Nothing here tells it");
    Diagnostic::error(Code::UNKNOWN_SUM, span, message)
        .label("the other constructors of its type are not known")
        .advise(Help::naming(
            "write the type of this value, or of the definition that it is the result of: a type \
             abbreviation's name, or all constructors, such as `(… : #one i64 | #other)`, with {}",
            all.iter().map(|name| format!("#{name}")),
        ))
}

/// A constructor that the type does not have.
pub(super) fn unknown_constructor(name: &Name, span: Span, sum: &Sum, near: &[Name]) -> Diagnostic {
    let message = format!("`{}` has no constructor `#{name}`", sum.ty);
    let error =
        Diagnostic::error(Code::UNDEFINED_CONSTRUCTOR, span, message).label("no such constructor");
    let error = declared(error, sum);
    if near.is_empty() {
        return match sum.constructors.as_slice() {
            [] => error.help("only values of sum types are made by constructors"),
            constructors => error.advise(Help::naming("it has {}", constructors)),
        };
    }
    suggest(error, &near.iter().map(|name| format!("#{name}").into()).collect::<Vec<_>>())
}

/// A constructor with too many or too few payloads.
pub(super) fn payloads(
    name: &Name,
    span: Span,
    sum: &Sum,
    (takes, given): (usize, usize),
) -> Diagnostic {
    let values = match takes {
        0 => "no values".to_owned(),
        1 => "1 value".to_owned(),
        _ => format!("{takes} values"),
    };
    let message = format!("`#{name}` holds {values}, but has {given} here");
    let error =
        Diagnostic::error(Code::PAYLOADS, span, message).label(format!("of type `{}`", sum.ty));
    let whole =
        sum.constructors.iter().find(|one| one.split(' ').next() == Some(&format!("#{name}")));
    let error = declared(error, sum);
    let error = match whole {
        Some(whole) => error.advise(Help::naming("it is declared as {}", [whole])),
        None => error,
    };
    error.help("a computed value, or one with values itself, stands in parentheses: `#some (f x)`")
}

/// Adds the place where the type is declared.
fn declared(error: Diagnostic, sum: &Sum) -> Diagnostic {
    match &sum.declared {
        Some((name, span)) => error.also(*span, format!("the type `{name}` is declared here")),
        None => error,
    }
}

/// A `match` that has no case for some values.
pub(super) fn not_exhaustive(
    (span, end): (Span, Span),
    value: Span,
    ty: &str,
    missing: MissingPatterns,
) -> Diagnostic {
    let message = format!("this `match` has no case for {}", listed(&missing));
    let error = Diagnostic::error(Code::NOT_EXHAUSTIVE, span, message)
        .label(format!("{} not covered", listed(&missing)))
        .also(value, format!("this is `{ty}`"));
    // What remains after the listed patterns, and a pattern that consists of `_` only, are as good as `_`.
    let is_rest = |one: &String| one.chars().all(|c| matches!(c, '_' | '(' | ')' | ',' | ' '));
    let all = missing.patterns.iter().filter(|_| !missing.more);
    let all = all.filter(|one| !is_rest(one)).cloned().collect::<Vec<_>>();
    let cases = |patterns: &[String]| {
        patterns.iter().map(|one| format!("\n  case {one} -> ???")).collect::<String>()
    };
    let error = others(error, missing);
    let error = if all.is_empty() {
        error
    } else {
        error.fix("add a case for what is missing", [(end, cases(&all))])
    };
    error.fix("add a case for all that is left", [(end, cases(&["_".to_owned()]))])
}

/// The diagnostic of a case that no value reaches.
pub(super) fn unreachable(span: Span, before: &[Span]) -> Diagnostic {
    let error = Diagnostic::error(Code::UNREACHABLE_CASE, span, "no value gets to this case")
        .label("the cases before it take all its values");
    let error = match before {
        [one] => error.label("never chosen").also(*one, "this case takes all its values"),
        _ => error,
    };
    let error = error.help("remove it, or put it before the more general cases");
    Diagnostic { severity: Severity::Warning, ..error }
}

/// A pattern outside of a `match` that does not fit every value.
pub(super) fn refutable(span: Span, what: &str, ty: &str, missing: MissingPatterns) -> Diagnostic {
    let message = format!("this pattern does not fit {}", listed(&missing));
    let error = Diagnostic::error(Code::REFUTABLE_PATTERN, span, message)
        .label(format!("the pattern of {what} must fit every `{ty}`"));
    others(error, missing)
        .help("use `match` with a case for each kind of value: `match e case p -> … case _ -> …`")
}

/// The missing patterns, with commas.
fn listed(missing: &MissingPatterns) -> String {
    let patterns: Vec<String> =
        missing.patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
    match patterns.as_slice() {
        [front @ .., last] if !missing.more && !front.is_empty() => {
            format!("{} and {last}", front.join(", "))
        }
        all if missing.more => format!("{} and more", all.join(", ")),
        all => all.join(", "),
    }
}

/// Says what `_` stands for in patterns that name scalars.
fn others(error: Diagnostic, missing: MissingPatterns) -> Diagnostic {
    missing.others.into_iter().fold(error, |error, ty| {
        error.note(format!("`_` stands for every `{ty}` that no case names"))
    })
}

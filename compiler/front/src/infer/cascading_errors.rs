//! Diagnostics that are left out, because they may only follow from others, or say the same at another place.
//!
//! Invariant: a diagnostic is left out only if another one is shown.
//!
//! ```text
//! def 2g x = x   def f x = g x      ⇒   nothing of `g`, which may be what `2g` was meant to be
//! def f x = (x + 1 y                ⇒   nothing of `1 y`, as the bracket was meant to end somewhere
//! def f x = g x + g 1               ⇒   one error for both uses of `g`, which is defined nowhere
//! ```

use super::environment::globals::Globals;
use super::error::{Error, NameError, SizeError, SumError, TypeError};
use arrc_syntax::diagnostics;
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::source::Span;

/// The errors with a cause of their own.
pub(super) fn causes(mut errors: Vec<Error>, globals: &Globals<'_>) -> Vec<Diagnostic> {
    errors.retain(|error| !is_lost(error, globals));
    let mut found: Vec<Diagnostic> = errors.into_iter().map(Diagnostic::from).collect();
    found.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
    found.dedup();
    found.retain(|diagnostic| !places(diagnostic).any(|span| globals.is_doubtful(span)));
    without_functions(&mut found);
    diagnostics::once_each(found, |one| one.message.clone())
}

/// Whether an error is about an unknown name that may be declared in text that could not be read.
fn is_lost(error: &Error, globals: &Globals<'_>) -> bool {
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "the others are about something that is known"
    )]
    match error {
        Error::Name(NameError::UnknownName { name, .. })
        | Error::Size(SizeError::UnknownSize { name, .. }) => globals.may_be_opened(name),
        Error::Name(NameError::UnknownType { name, .. }) if !name.contains('.') => {
            globals.may_be_opened(name)
        }
        Error::Name(
            NameError::UnknownType { name, .. }
            | NameError::UnknownMember { name, .. }
            | NameError::UnknownModule { name, .. }
            | NameError::UnknownField { name, .. },
        )
        | Error::Type(TypeError::UnknownFieldType { name, .. })
        | Error::Sum(
            SumError::UnknownSum { name, .. } | SumError::UnknownConstructor { name, .. },
        ) => globals.may_be_lost(name),
        _ => false,
    }
}

/// Drops the diagnostics of arrays that hold functions, where another diagnostic shows the same place. Both mean that
/// an argument is missing.
fn without_functions(diagnostics: &mut Vec<Diagnostic>) {
    let others = diagnostics.iter().filter(|found| found.code != Code::FUNCTION_IN_DATA);
    let told: Vec<Span> = others.flat_map(places).collect();
    diagnostics.retain(|found| {
        let place = found.primary.as_ref().map(|label| label.span);
        found.code != Code::FUNCTION_IN_DATA || !place.is_some_and(|span| told.contains(&span))
    });
}

/// The places that a diagnostic shows.
fn places(diagnostic: &Diagnostic) -> impl Iterator<Item = Span> {
    diagnostic.primary.iter().chain(&diagnostic.secondary).map(|label| label.span)
}

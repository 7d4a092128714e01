//! Diagnostics that are left out, because they may only follow from others, or say the same at another place.
//!
//! Invariant: a diagnostic is left out only if another one is shown.
//!
//! ```text
//! def 2g x = x   def f x = g x      ⇒   nothing of `g`, which may be what `2g` was meant to be
//! def f x = (x + 1 y                ⇒   nothing of `1 y`, as the bracket was meant to end somewhere
//! def f x = g x + g 1               ⇒   one error for both uses of `g`, which is defined nowhere
//! ```

use indexmap::IndexMap;

use super::environment::globals::Globals;
use super::error::{Error, NameError, SizeError, SumError, TypeError};
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
    once_each(found)
}

/// The codes of names that mean nothing. Such an error has one cause at all places where the name is used.
const NAMES: [Code; 5] = [
    Code::UNDEFINED_NAME,
    Code::UNDEFINED_MODULE,
    Code::UNDEFINED_TYPE,
    Code::UNDEFINED_FIELD,
    Code::UNDEFINED_CONSTRUCTOR,
];

/// The diagnostics, with one for all uses of a name that means nothing.
fn once_each(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut told: Vec<Diagnostic> = Vec::new();
    let mut known: IndexMap<(Code, String), usize> = IndexMap::new();
    for one in found {
        if !NAMES.contains(&one.code) {
            told.push(one);
            continue;
        }
        match known.get(&(one.code, one.message.clone())) {
            Some(&first) => repeat(&mut told[first], one),
            None => {
                known.insert((one.code, one.message.clone()), told.len());
                told.push(one);
            }
        }
    }
    told
}

/// Adds the next use of a name to the error at the first one. Advice is kept if it is the same for all uses.
fn repeat(first: &mut Diagnostic, other: Diagnostic) {
    let Some(place) = other.primary.map(|label| label.span) else { return };
    if first.places().last() == Some(place) {
        return;
    }
    first.repeats.push(place);
    first.helps.retain_mut(|help| {
        let same = other.helps.iter().find(|other| other.text == help.text);
        // An edit that all uses share, such as an import, is the first one.
        let edits = same.into_iter().flat_map(|same| &same.edits).cloned();
        help.edits.extend(edits.filter(|edit| help.edits.first() != Some(edit)).collect::<Vec<_>>());
        same.is_some()
    });
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

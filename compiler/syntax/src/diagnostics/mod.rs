//! The one type of diagnostics, the registry of codes, and rendering.
//!
//! Invariant: each [`Code`] has one page in `docs/errors/` and one ui test. The edits of one help do
//! not overlap.
//!
//! Each phase has an error enum with named fields, and turns each error into a [`Diagnostic`] beside that enum. The
//! message says what was found. The labels show where each side came from. The help says what to do. A [`Failure`] is
//! the message of a check that fails while the program runs.

mod codes;
mod diagnostics_json;
mod excerpt;
mod failure;
mod help;
mod patch;
mod render;
mod suggest;
mod wrap;

pub use codes::{Code, REGISTRY};
pub use diagnostics_json::{json, object};
pub use failure::{Failure, RangeNumbers, WrongRange};
pub use help::{Change, Help};
pub use render::{RenderOptions, render, render_remark, shows_colors};
pub use suggest::nearest;
pub use wrap::{words, wrapped};

use std::collections::BTreeMap;

use crate::source::Span;

/// How serious a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The program is not compiled.
    Error,
    /// The program is compiled, but something is suspicious.
    Warning,
    /// The program is correct, but would be faster if it were written in another way.
    Hint,
}

impl Severity {
    /// The word with which a message begins.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Hint => "hint",
        }
    }
}

/// A place that matters, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The text of the label; empty where the place speaks for itself.
    pub text: String,
}

/// An edit: a piece of source and its replacement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The replaced text; empty where text is only inserted.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

/// What an error is about, for whoever looks for a change that mends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// An array, where something else is needed, or the other way round.
    Array,
    /// The size of an argument, which can be checked when the program runs.
    ArgumentSize,
}

/// One message to the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The stable code, such as `A0301`.
    pub code: Code,
    /// How serious it is.
    pub severity: Severity,
    /// The finding, in one line.
    pub message: String,
    /// The place it is about; none for a file or a command line.
    pub primary: Option<Label>,
    /// The other places where the same mistake has the same message. It is told once.
    pub repeats: Vec<Span>,
    /// Other places that matter, such as where each side of a mismatch came from.
    pub secondary: Vec<Label>,
    /// Facts without a place.
    pub notes: Vec<String>,
    /// Advice, the most likely one first.
    pub helps: Vec<Help>,
    /// What it is about, if a search for a change asks that.
    pub about: Option<Subject>,
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        let primary = Some(Label { span, text: String::new() });
        Self { primary, ..Self::global(code, message) }
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// A hint at a place.
    #[must_use]
    pub fn hint(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Hint, ..Self::error(code, span, message) }
    }

    /// An error that has no place in a source file.
    #[must_use]
    pub fn global(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            primary: None,
            repeats: Vec::new(),
            secondary: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
            about: None,
        }
    }

    /// Says what it is about.
    #[must_use]
    pub fn about(self, subject: Subject) -> Self {
        Self { about: Some(subject), ..self }
    }

    /// The places that it is about: the first one, and those where the mistake is repeated.
    pub fn places(&self) -> impl Iterator<Item = Span> + '_ {
        self.primary.iter().map(|label| label.span).chain(self.repeats.iter().copied())
    }

    /// The facts without a place, and the number of places where it is repeated.
    pub fn facts(&self) -> impl Iterator<Item = String> + '_ {
        let count = Some(self.places().count()).filter(|_| !self.repeats.is_empty());
        let repeated = count.map(|count| format!("it is used in {count} places"));
        repeated.into_iter().chain(self.notes.iter().cloned())
    }

    /// Adds the text of the primary label.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// Adds another place that matters.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds facts.
    #[must_use]
    pub fn with_notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// Says what to do. Code in the words is a form of the language.
    #[must_use]
    pub fn help(self, words: &'static str) -> Self {
        self.advise(Help::words(words))
    }

    /// Says what to do about a command line, a file or the speed of a program. The front end does not use it: it has constant words,
    /// and changes that are tried.
    #[must_use]
    pub fn instruct(self, words: impl Into<String>) -> Self {
        self.advise(Help::outside(words.into()))
    }

    /// Adds advice.
    #[must_use]
    pub fn advise(mut self, help: Help) -> Self {
        self.helps.push(help);
        self
    }

    /// The advice to show: all but changes that were not tried.
    pub fn shown_helps(&self) -> impl Iterator<Item = &Help> {
        self.helps.iter().filter(|help| !help.is_proposal())
    }

    /// The same with all changes that it proposes, as if they had been tried.
    #[cfg(test)]
    pub(crate) fn with_proposals(self) -> Self {
        let tried = |help: Help| match help.change() {
            Some(change) => change.clone().tried(|_| true).expect("it is right"),
            None => help,
        };
        Self { helps: self.helps.into_iter().map(tried).collect(), ..self }
    }

    /// Proposes a change, which is shown if somebody tries it. Each edit replaces the text at its span.
    #[must_use]
    pub fn fix<T: Into<String>>(
        self,
        text: impl Into<String>,
        edits: impl IntoIterator<Item = (Span, T)>,
    ) -> Self {
        self.advise(Help::proposing(text, edits))
    }
}

/// The codes of names that mean nothing. Such an error has one cause at all places where the name is used.
const NAMES: [Code; 5] = [
    Code::UNDEFINED_NAME,
    Code::UNDEFINED_MODULE,
    Code::UNDEFINED_TYPE,
    Code::UNDEFINED_FIELD,
    Code::UNDEFINED_CONSTRUCTOR,
];

/// The diagnostics, with one for all uses of a name that means nothing. The uses are in the order of their places.
/// Errors are about one name if `key` gives the same text for them.
#[must_use]
pub fn once_each(found: Vec<Diagnostic>, key: impl Fn(&Diagnostic) -> String) -> Vec<Diagnostic> {
    let mut told: Vec<Diagnostic> = Vec::new();
    let mut known: BTreeMap<(Code, String), usize> = BTreeMap::new();
    for one in found {
        if !NAMES.contains(&one.code) {
            told.push(one);
            continue;
        }
        let name = (one.code, key(&one));
        match known.get(&name) {
            Some(&first) => repeat(&mut told[first], one),
            None => {
                known.insert(name, told.len());
                told.push(one);
            }
        }
    }
    told
}

/// Adds the next uses of a name to the error at the first one. Advice is kept if it is the same for all uses.
fn repeat(first: &mut Diagnostic, other: Diagnostic) {
    let last = first.places().last();
    first.repeats.extend(other.places().filter(|place| Some(*place) != last).collect::<Vec<_>>());
    first.helps.retain_mut(|help| {
        let same = other.helps.iter().find(|other| other.text() == help.text());
        same.inspect(|same| help.join(same)).is_some()
    });
}

/// Sorts by place and drops duplicates. Diagnostics without a place come first. Files come in the order in which they
/// were read.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    let place = |diagnostic: &Diagnostic| diagnostic.primary.as_ref().map(|label| label.span);
    diagnostics.sort_by(|a, b| {
        let key = |diagnostic| (place(diagnostic), diagnostic.code);
        key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
    });
    diagnostics.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{EntityRef, FileId};

    #[test]
    fn sorting_goes_by_place_and_drops_what_is_said_twice() {
        let at = |file, start| Span::new(FileId::new(file), start, start + 1);
        let error =
            |file, start, text: &str| Diagnostic::error(Code::SYNTAX, at(file, start), text);
        let mut found = vec![
            error(1, 0, "d"),
            error(0, 9, "c"),
            error(0, 3, "b"),
            error(0, 3, "a"),
            error(0, 9, "c"),
            Diagnostic::global(Code::SYNTAX, "first"),
        ];
        sort(&mut found);
        let messages: Vec<&str> =
            found.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
        assert_eq!(messages, ["first", "a", "b", "c", "d"]);
    }
}

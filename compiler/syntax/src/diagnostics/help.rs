//! What to do about a diagnostic.
//!
//! Invariant: a change that is shown was tried. Code in the words of other advice is a form of the language, and not made of the
//! user's text: the words are constants of the compiler, and names of what the program has.
//!
//! ```text
//! the change `xs` ⇒ `ys`, proposed by an error   ⇒   shown, if whoever can type the program says that it is right
//! ```

use std::fmt::Display;

use super::Edit;
use crate::source::Span;

/// Advice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Help(Kind);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    /// Words only.
    Words(String),
    /// A change that was not tried. It is not shown.
    Proposed(Change),
    /// A change that was tried.
    Tried(Change),
}

/// A change of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// What it does, in words.
    pub text: String,
    /// The edits, which are made together.
    pub edits: Vec<Edit>,
}

impl Change {
    /// The change as advice, if it is right.
    pub fn tried(self, is_right: impl FnOnce(&Self) -> bool) -> Option<Help> {
        is_right(&self).then_some(Help(Kind::Tried(self)))
    }
}

impl Help {
    /// Advice in words. Code in them is a form of the language.
    #[must_use]
    pub fn words(words: &'static str) -> Self {
        Self(Kind::Words(words.to_owned()))
    }

    /// A change that somebody has to try.
    pub fn proposing<T: Into<String>>(
        text: impl Into<String>,
        edits: impl IntoIterator<Item = (Span, T)>,
    ) -> Self {
        let edit = |(span, replacement): (Span, T)| Edit { span, replacement: replacement.into() };
        Self(Kind::Proposed(Change {
            text: text.into(),
            edits: edits.into_iter().map(edit).collect(),
        }))
    }

    /// Advice with names or types that the program has, which take the place of `{}` in the words.
    pub fn naming(words: &'static str, names: impl IntoIterator<Item = impl Display>) -> Self {
        let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
        let names = match names.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            names => names.concat(),
        };
        Self(Kind::Words(words.replace("{}", &names)))
    }

    /// Advice about something outside of programs, such as a command line.
    pub(super) fn outside(words: String) -> Self {
        Self(Kind::Words(words))
    }

    /// The words.
    #[must_use]
    pub fn text(&self) -> &str {
        match &self.0 {
            Kind::Words(words) => words,
            Kind::Proposed(change) | Kind::Tried(change) => &change.text,
        }
    }

    /// The edits; none if the user has to decide.
    #[must_use]
    pub fn edits(&self) -> &[Edit] {
        match &self.0 {
            Kind::Words(_) => &[],
            Kind::Proposed(change) | Kind::Tried(change) => &change.edits,
        }
    }

    /// The change, if it is one.
    #[must_use]
    pub fn change(&self) -> Option<&Change> {
        match &self.0 {
            Kind::Words(_) => None,
            Kind::Proposed(change) | Kind::Tried(change) => Some(change),
        }
    }

    /// Adds the edits of the same advice at another place.
    pub(super) fn join(&mut self, other: &Self) {
        let (Kind::Proposed(change) | Kind::Tried(change)) = &mut self.0 else { return };
        // An edit that all places share, such as an import, is there already.
        let is_new = |edit: &&Edit| edit.span.start < edit.span.end || !change.edits.contains(edit);
        let new: Vec<Edit> = other.edits().iter().filter(is_new).cloned().collect();
        change.edits.extend(new);
        if other.is_proposal() {
            self.0 = Kind::Proposed(change.clone());
        }
    }

    /// The same with other edits, which are to be tried again.
    #[must_use]
    pub fn with_edits(&self, edits: Vec<Edit>) -> Self {
        match self.change() {
            Some(Change { text, .. }) => Self(Kind::Proposed(Change { text: text.clone(), edits })),
            None => self.clone(),
        }
    }

    /// Whether it is a change that somebody has to try.
    #[must_use]
    pub fn is_proposal(&self) -> bool {
        matches!(self.0, Kind::Proposed(_))
    }
}

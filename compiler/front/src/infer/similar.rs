//! The similar names of names that mean nothing.
//!
//! Invariant: how many times all names in scope are compared with one that means nothing is bounded, so that errors take time in
//! proportion. After that, a name has the similar names that it had at its last use.
//!
//! ```text
//! lenght, at its uses 1 to 200   ⇒   compared with the names in scope there
//! lenght, at its use 201         ⇒   length, as before        widht, first used there   ⇒   none
//! ```

use indexmap::IndexMap;

use arrc_syntax::names::Name;

/// How many times similar names are looked for in a program.
const MAX_LOOKUPS: usize = 200;

/// The similar names that were found.
#[derive(Debug, Default)]
pub(super) struct SimilarNames {
    are_wanted: bool,
    known: IndexMap<Name, Vec<Name>>,
    /// How many times they may still be looked for.
    left: usize,
}

impl SimilarNames {
    /// They are looked for.
    pub(super) fn wanted() -> Self {
        Self { are_wanted: true, known: IndexMap::new(), left: MAX_LOOKUPS }
    }

    /// They are not looked for: only the errors matter.
    pub(super) fn unwanted() -> Self {
        Self::default()
    }

    /// Whether advice is wanted at all.
    pub(super) fn are_wanted(&self) -> bool {
        self.are_wanted
    }

    /// Whether similar names may be looked for once more.
    pub(super) fn take_lookup(&mut self) -> bool {
        let is_left = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_left
    }

    /// Remembers the similar names of a name.
    pub(super) fn know(&mut self, name: &Name, near: Vec<Name>) -> Vec<Name> {
        self.known.insert(name.clone(), near.clone());
        near
    }

    /// The similar names that a name had at its last use.
    pub(super) fn last(&self, name: &Name) -> Vec<Name> {
        self.known.get(name).cloned().unwrap_or_default()
    }
}

//! The similar names of names that mean nothing.
//!
//! Invariant: how many times all names in scope are compared with one that means nothing is bounded, so that errors take time in
//! proportion. After that, a name has the similar names that it had at its last use.
//!
//! ```text
//! lenght, at its uses 1 to 100   ⇒   compared with the names in scope there
//! lenght, at its use 101         ⇒   length, as before        widht, first used there   ⇒   none
//! ```

use indexmap::IndexMap;

use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;

/// How many times similar names are looked for in a program.
const MAX_LOOKUPS: usize = 100;

/// The similar names that were found.
#[derive(Debug, Default)]
pub(super) struct SimilarNames {
    known: IndexMap<Name, NameElsewhere>,
    /// How many times they may still be looked for.
    left: usize,
}

/// What a name that means nothing may mean elsewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct NameElsewhere {
    /// The similar names.
    pub(super) near: Vec<Name>,
    /// A scalar type whose module has the name.
    pub(super) scalar: Option<Scalar>,
    /// A file of the library that has the name.
    pub(super) file: Option<&'static str>,
}

impl SimilarNames {
    /// They are looked for.
    pub(super) fn wanted() -> Self {
        Self { known: IndexMap::new(), left: MAX_LOOKUPS }
    }

    /// They are not looked for: only the errors matter.
    pub(super) fn unwanted() -> Self {
        Self::default()
    }

    /// Whether similar names may be looked for once more.
    pub(super) fn take_lookup(&mut self) -> bool {
        let is_left = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_left
    }

    /// Stores the result of the search for a name.
    pub(super) fn know(&mut self, name: &Name, found: NameElsewhere) -> NameElsewhere {
        self.known.insert(name.clone(), found.clone());
        found
    }

    /// The stored result of the last search for a name.
    pub(super) fn last(&self, name: &Name) -> NameElsewhere {
        self.known.get(name).cloned().unwrap_or_default()
    }
}

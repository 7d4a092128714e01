//! The parts of an explanation that a reader needs first.
//!
//! Invariant: a note that is left out has the same cause as a shown note, or follows from other notes.
//!
//! ```text
//! `hull` is a barrier (with `first`); `hull` is a barrier (with `last`)   ⇒   `hull` is a barrier (with `first`)
//! ```

use std::collections::BTreeSet;

use super::{Explanation, Separation, SeparationReason};

/// The cause that separates two nodes. Cuts with the same cause need one note.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Cause<'a> {
    /// One node, which can share no pass with others.
    Node(usize),
    /// An array or a scalar that is complete only when its pass has ended.
    Value(&'a str),
    /// Two different sizes.
    Sizes(Option<&'a str>, Option<&'a str>),
    /// Two nodes: the pair itself, or their concestors.
    Pair(usize, usize),
}

impl Explanation {
    /// The separations that explain the passes: one for each cause, in the order of the program.
    ///
    /// A separation at a constant array has no cause, since no pass makes the array. Neither has one that follows from
    /// the order of other nodes, or one that costs nothing.
    #[must_use]
    pub fn notes(&self) -> Vec<&Separation> {
        let mut seen = BTreeSet::new();
        let causes = self.cuts.iter().filter_map(|cut| Some((cut, self.cause(cut)?)));
        causes.filter_map(|(cut, cause)| seen.insert(cause).then_some(cut)).collect()
    }

    fn cause<'a>(&'a self, cut: &'a Separation) -> Option<Cause<'a>> {
        let (a, b) = cut.nodes;
        Some(match &cut.why {
            SeparationReason::Constant(_)
            | SeparationReason::Between(_)
            | SeparationReason::NoBetter => return None,
            SeparationReason::Barrier(node)
            | SeparationReason::View(node)
            | SeparationReason::External(node) => Cause::Node(*node),
            SeparationReason::Edge(_, via) => Cause::Value(via),
            SeparationReason::Sizes => {
                Cause::Sizes(self.nodes[a].size.as_deref(), self.nodes[b].size.as_deref())
            }
            SeparationReason::Concestors(of_a, of_b) => Cause::Pair(*of_a, *of_b),
            SeparationReason::Effects
            | SeparationReason::Dearer { .. }
            | SeparationReason::NotSought
            | SeparationReason::Unknown => Cause::Pair(a, b),
        })
    }
}

//! What could not be read of a file.
//!
//! Invariant: without mistakes in the text there are no gaps.
//!
//! ```text
//! def f = (x + 1    ⇒   doubtful: `(x + 1`, as the bracket may have been meant to end elsewhere
//! def 2g h = 3          words: g, h
//! ```

use indexmap::IndexSet;

use crate::names::Name;
use crate::source::Span;

/// What could not be read, so that nothing is told that may only follow from it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Gaps {
    /// The names in the text that was skipped, which may be declared there.
    pub words: IndexSet<Name>,
    /// Whether names may be declared there that do not stand there, as by an import.
    pub any_name: bool,
    /// Text that was read in a way that the user may not have meant: disjoint places, in order.
    doubtful: Vec<Span>,
}

impl Gaps {
    /// Notes what may be meant otherwise.
    pub fn doubt(&mut self, mut spans: Vec<Span>) {
        spans.append(&mut self.doubtful);
        spans.sort_unstable();
        for span in spans {
            match self.doubtful.last_mut().filter(|last| span.start <= last.end) {
                Some(last) => *last = last.to(span),
                None => self.doubtful.push(span),
            }
        }
    }

    /// Whether all of a place may be meant otherwise.
    #[must_use]
    pub fn covers(&self, span: Span) -> bool {
        let next = self.doubtful.partition_point(|doubt| doubt.end < span.end);
        self.doubtful.get(next).is_some_and(|doubt| doubt.start <= span.start)
    }

    /// Whether a place, or a part of it, may be meant otherwise.
    #[must_use]
    pub fn is_doubtful(&self, span: Span) -> bool {
        let next = self.doubtful.partition_point(|doubt| doubt.end <= span.start);
        self.doubtful.get(next).is_some_and(|doubt| doubt.start < span.end.max(span.start + 1))
    }

    /// Whether a name may be declared in the text that was skipped.
    #[must_use]
    pub fn may_declare(&self, name: &Name) -> bool {
        self.any_name || self.words.contains(name)
    }
}

//! The parts of a file that could not be read.
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

/// The parts of a file that could not be read. An error that may only follow from them is not reported.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct UnparsedRegions {
    /// The names in the text that was skipped. They may be declared there.
    pub words: IndexSet<Name>,
    /// Whether the skipped text may declare names that it does not contain, as an import does.
    pub any_name: bool,
    /// Text that the parser may have read in another way than the user meant: disjoint spans, in order.
    doubtful: Vec<Span>,
}

impl UnparsedRegions {
    /// Adds spans of text that may be meant in another way.
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

    /// Adds the regions of a part of the file.
    pub fn join(&mut self, part: Self) {
        self.words.extend(part.words);
        self.any_name |= part.any_name;
        self.doubt(part.doubtful);
    }

    /// Whether the whole span is in doubtful text.
    #[must_use]
    pub fn covers(&self, span: Span) -> bool {
        let next = self.doubtful.partition_point(|doubt| doubt.end < span.end);
        self.doubtful.get(next).is_some_and(|doubt| doubt.start <= span.start)
    }

    /// Whether a part of the span is in doubtful text.
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

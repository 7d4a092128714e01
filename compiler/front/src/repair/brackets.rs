//! Where a bracket that is missing probably belongs.
//!
//! Invariant: a suggestion closes the bracket that was reported, and was tried. Of the places that leave the fewest
//! errors it is the one that the lines show, or else the last.
//!
//! ```text
//! map (\x -> x + 1 xs   ⇒   map (\x -> x + 1) xs
//! ```

use super::lexed_text::LexedText;
use super::trial::TrialOutcome;
use super::{RemovedErrors, Repairer, Replacement};
use arrc_syntax::diagnostics::{Code, Diagnostic, Edit};

impl Repairer<'_> {
    /// What to say of a bracket that is never closed, with the best place to close it.
    pub(super) fn close_bracket(
        &mut self,
        page: &LexedText<'_>,
        error: &Diagnostic,
    ) -> Option<Replacement> {
        if error.code != Code::UNCLOSED_BRACKET {
            return None;
        }
        let (open, noticed) = (error.primary.as_ref()?.span, error.secondary.first()?.span);
        let help = error.helps.iter().position(|help| !help.edits.is_empty())?;
        let shown = error.helps[help].edits.clone();
        let others = page.closings(open, noticed).into_iter().map(|edit| vec![edit]);
        let mut best: Option<(TrialOutcome, Vec<Edit>)> = None;
        self.trials.end();
        self.trials.begin();
        for edits in std::iter::once(shown).chain(others) {
            let Some(outcome) = self.trials.try_edits((page.file, page.text), &edits, 1, error)
            else {
                continue;
            };
            let is_right = outcome.is_right();
            if best.as_ref().is_none_or(|(known, _)| outcome.is_better(known)) {
                best = Some((outcome, edits));
            }
            if is_right {
                break;
            }
        }
        let (outcome, edits) = best?;
        let mut diagnostic = error.clone();
        diagnostic.helps[help].edits = edits;
        Some(Replacement { diagnostic, removes: RemovedErrors::Tried(outcome) })
    }
}

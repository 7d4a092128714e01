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
use arrc_syntax::diagnostics::{Change, Code, Diagnostic, Help};

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
        let (at, shown) = error
            .helps
            .iter()
            .enumerate()
            .find_map(|(at, help)| Some((at, help.change()?.clone())))?;
        let others = page.closings(open, noticed).into_iter();
        let others = others.map(|edit| Change { text: shown.text.clone(), edits: vec![edit] });
        let mut best: Option<(TrialOutcome, Help)> = None;
        self.trials.end();
        self.trials.begin();
        for change in std::iter::once(shown.clone()).chain(others) {
            let text = (page.file, page.text);
            let Some((help, outcome)) = self.trials.try_change(text, change, 1, error) else {
                continue;
            };
            let is_right = outcome.is_right();
            if best.as_ref().is_none_or(|(known, _)| outcome.is_better(known)) {
                best = Some((outcome, help));
            }
            if is_right {
                break;
            }
        }
        let (outcome, help) = best?;
        let mut diagnostic = error.clone();
        diagnostic.helps[at] = help;
        Some(Replacement { diagnostic, removes: RemovedErrors::Tried(outcome) })
    }
}

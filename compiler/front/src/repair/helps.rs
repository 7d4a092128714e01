//! The helps that an error was found with.
//!
//! Invariant: a help whose change does not leave fewer errors is not shown.
//!
//! ```text
//! def f (xs: [3]bool): i64 = xsum xs   ⇒   nothing of `sum`, which does not fit there
//! ```

use super::{RemovedErrors, Repairer, Replacement, TrialOutcome};
use arrc_syntax::diagnostics::{Diagnostic, Help};

impl Repairer<'_> {
    /// The error with its helps, if the change of one is right.
    pub(super) fn good_helps(&mut self, error: &Diagnostic) -> Option<Replacement> {
        let (helps, best) = self.tried_helps(error);
        let diagnostic = Diagnostic { helps, ..error.clone() };
        Some(Replacement { diagnostic, removes: RemovedErrors::Tried(best?) })
    }

    /// The error without those helps whose change is not right.
    pub(super) fn with_good_helps(&mut self, error: &Diagnostic) -> Option<Replacement> {
        if error.helps.iter().all(|help| help.edits.is_empty()) {
            return None;
        }
        let (helps, best) = self.tried_helps(error);
        let diagnostic = Diagnostic { helps, ..error.clone() };
        let removes = best.map_or(RemovedErrors::Nothing, RemovedErrors::Tried);
        Some(Replacement { diagnostic, removes })
    }

    /// The helps without a change and those whose change leaves fewer errors, with the outcome of the best.
    fn tried_helps(&mut self, error: &Diagnostic) -> (Vec<Help>, Option<TrialOutcome>) {
        self.trials.begin_helps();
        let (mut helps, mut best) = (Vec::new(), None);
        for help in &error.helps {
            if help.edits.is_empty() {
                helps.push(help.clone());
                continue;
            }
            let Some(outcome) = self.tried_help(help, error) else { continue };
            helps.push(help.clone());
            if best.as_ref().is_none_or(|known| outcome.is_better(known)) {
                best = Some(outcome);
            }
        }
        (helps, best)
    }

    /// The remaining errors after the change of a help, if it is better.
    fn tried_help(&mut self, help: &Help, error: &Diagnostic) -> Option<TrialOutcome> {
        let file = help.edits.first()?.span.file;
        let is_one = help.edits.iter().all(|edit| edit.span.file == file);
        let text = &*self.sources.get(file).text;
        self.trials.try_edits((file, text), &help.edits, 1, error).filter(|_| is_one)
    }
}

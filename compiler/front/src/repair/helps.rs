//! The helps that an error was found with.
//!
//! Invariant: a help whose change does not leave fewer errors is not shown.
//!
//! ```text
//! def f (xs: [3]bool): i64 = smu xs    ⇒   nothing of `sum`, which does not fit there
//! def f: []u8 = “text”                 ⇒   both quotes are changed: one alone would leave a text without an end
//! ```

use super::{RemovedErrors, Repairer, Replacement, TrialOutcome, is_syntax};
use arrc_syntax::diagnostics::{Change, Code, Diagnostic, Edit, Help};
use arrc_syntax::source::Span;

/// The helps of an error that are shown, and the outcome of the best change.
#[derive(Default)]
struct TriedHelps {
    helps: Vec<Help>,
    best: Option<TrialOutcome>,
}

impl Repairer<'_> {
    /// The error with its helps, if the change of one is right.
    pub(super) fn good_helps(
        &mut self,
        all: &[Diagnostic],
        error: &Diagnostic,
    ) -> Option<Replacement> {
        let TriedHelps { helps, best } = self.tried_helps(all, error);
        let diagnostic = Diagnostic { helps, ..error.clone() };
        Some(Replacement { diagnostic, removes: RemovedErrors::Tried(best?) })
    }

    /// The error without those helps whose change is not right.
    pub(super) fn with_good_helps(
        &mut self,
        all: &[Diagnostic],
        error: &Diagnostic,
    ) -> Option<Replacement> {
        if !error.helps.iter().any(Help::is_proposal) {
            return None;
        }
        let TriedHelps { mut helps, best } = self.tried_helps(all, error);
        helps.extend(self.general_advice(error).filter(|_| best.is_none()));
        let diagnostic = Diagnostic { helps, ..error.clone() };
        let removes = best.map_or(RemovedErrors::Nothing, RemovedErrors::Tried);
        Some(Replacement { diagnostic, removes })
    }

    /// What to do about a bracket where no change is right.
    fn general_advice(&self, error: &Diagnostic) -> Option<Help> {
        if error.code == Code::UNOPENED_BRACKET {
            return Some(Help::words("remove it, or add the bracket that it should close"));
        }
        let open = error.primary.as_ref().filter(|_| error.code == Code::UNCLOSED_BRACKET)?;
        Some(Help::words(match self.sources.text(open.span) {
            "(" => "add `)` where it should end",
            "{" => "add `}` where it should end",
            _ => "add `]` where it should end",
        }))
    }

    /// The helps without a change and those whose change leaves fewer errors.
    fn tried_helps(&mut self, all: &[Diagnostic], error: &Diagnostic) -> TriedHelps {
        self.trials.begin_helps();
        let mut tried = TriedHelps::default();
        for help in &error.helps {
            let Some(change) = help.change() else {
                tried.helps.push(help.clone());
                continue;
            };
            let alone = self.tried_help(change.clone(), error);
            let found = alone.or_else(|| {
                let change = self.with_others(all, error, change)?;
                self.tried_help(change, error)
            });
            let Some((help, outcome)) = found else { continue };
            tried.helps.push(help);
            if tried.best.as_ref().is_none_or(|known| outcome.is_better(known)) {
                tried.best = Some(outcome);
            }
        }
        self.trials.end_helps();
        tried
    }

    /// A help and the remaining errors after its change, if it is better.
    fn tried_help(&mut self, change: Change, error: &Diagnostic) -> Option<(Help, TrialOutcome)> {
        let file = change.edits.first()?.span.file;
        if change.edits.iter().any(|edit| edit.span.file != file) {
            return None;
        }
        let text = &*self.sources.get(file).text;
        self.trials.try_help((file, text), change, error)
    }

    /// A change with the changes of all errors of this kind in the line: signs that belong together are changed
    /// together.
    fn with_others(
        &self,
        all: &[Diagnostic],
        error: &Diagnostic,
        change: &Change,
    ) -> Option<Change> {
        let is_possible = is_syntax(error.code) && !self.trials.are_spent();
        let place = error.places().next().filter(|_| is_possible)?;
        let line = self.sources.line_col(place).line;
        let is_here = |other: &&Diagnostic| {
            let is_at = |at: Span| at.file == place.file && self.sources.line_col(at).line == line;
            other.code == error.code && other.places().next().is_some_and(is_at)
        };
        let mut others = all.iter().filter(is_here).flat_map(|other| &other.helps);
        let mut edits: Vec<Edit> = Vec::new();
        others.try_for_each(|other| {
            edits.extend(other.edits().iter().cloned());
            (edits.len() <= MAX_TOGETHER).then_some(())
        })?;
        (edits.len() > change.edits.len()).then(|| Change { text: change.text.clone(), edits })
    }
}

/// How many changes are made together.
const MAX_TOGETHER: usize = 8;

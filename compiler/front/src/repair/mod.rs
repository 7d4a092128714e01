//! What an error probably comes from: a word of another language, or a slip that is easily made.
//!
//! Invariant: a change of the text that an error suggests was tried, whoever proposed it: the program with it was read
//! and typed, and had fewer errors. The number of trials has a limit, which depends on the program alone. A change that
//! was not tried is not suggested.
//!
//! ```text
//! map xs f                   ⇒   the arguments of `map` stand in another order: `map f xs`
//! if c then a elif d then b  ⇒   `elif` is written `else if`
//! ```
//!
//! [`rules`] and [`foreign_words`] are the tables. A rule has a [`token_pattern`] of the text and what to write in its
//! place; [`lexed_text`] finds it near an error, and [`trial`] tries it. [`brackets`] tries places for a
//! missing bracket, and [`bare_lambdas`] parentheses around a function. [`elementwise`] repairs operators of scalars that
//! are applied to arrays. [`helps`] tries the helps of the errors themselves.

mod bare_lambdas;
mod brackets;
mod elementwise;
mod foreign_words;
mod helps;
mod lexed_text;
mod library;
mod messages;
mod rules;
mod sizes;
#[cfg(test)]
mod tests;
mod token_pattern;
mod trial;

use self::lexed_text::{LexedText, PatternMatch};
use self::library::{Library, LibraryName};
use self::rules::{Applicability, Rule};
use self::token_pattern::{Pattern, fill};
use self::trial::{TrialOutcome, Trials};
use crate::infer;
use arrc_syntax::ast;
use arrc_syntax::diagnostics;
use arrc_syntax::diagnostics::{Code, Diagnostic, Edit, Help, Label, Severity};
use arrc_syntax::ids::FileId;
use arrc_syntax::source::{Sources, Span};

/// How many errors of a program are looked at.
const MAX_ERRORS: usize = 12;

/// At how many of its places an error is looked at.
const MAX_TURNS: usize = 4;

/// How many places are changed at once.
const MAX_PLACES: usize = 8;

/// How many places of one error are changed at once.
const MAX_REPEATS: usize = 100;

/// The diagnostics on a program, with the repairs by which it has fewer errors. `read` are the diagnostics of the
/// parser, and `typed` those of type inference.
#[must_use]
pub fn repair(
    sources: &Sources,
    prelude: &ast::File,
    program: &ast::Program,
    read: Vec<Diagnostic>,
    typed: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = read.iter().chain(&typed).cloned().collect();
    if !all.iter().any(is_error) {
        return all;
    }
    diagnostics::sort(&mut all);
    let trials = Trials::new(sources, prelude, program, &read, &typed);
    let rules = rules::all();
    let mut repairer = Repairer { sources, trials, prelude, program, page: None };
    let mut told: Vec<RepairedDiagnostic> =
        all.iter().cloned().map(RepairedDiagnostic::as_found).collect();
    let mut at = 0;
    while at < all.len() {
        if !told[at].is_gone
            && is_error(&all[at])
            && repairer.is_user(&all[at], program)
            && let Some(found) = repairer.examined(&rules, &all, at)
        {
            remove(&found, &mut all, &mut told, at);
            if let Some(rest) = found.rest(&all[at]) {
                let later = all[at + 1..].iter().position(|other| is_before(&rest, other));
                let next = later.map_or(all.len(), |later| at + 1 + later);
                all.insert(next, rest.clone());
                told.insert(next, RepairedDiagnostic::as_found(rest));
            }
            told[at] = RepairedDiagnostic { diagnostic: found.told(&all[at]), is_gone: false };
        }
        at += 1;
    }
    let mut told: Vec<Diagnostic> =
        told.into_iter().filter(|one| !one.is_gone).map(|one| one.diagnostic).collect();
    diagnostics::sort(&mut told);
    diagnostics::once_each(told, |one| {
        let helps = one.helps.iter().map(Help::text);
        std::iter::once(one.message.as_str()).chain(helps).collect::<Vec<_>>().join("\n")
    })
}

/// Whether an error is at an earlier place than another one.
fn is_before(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.places().next() <= other.places().next()
}

/// Takes away the errors that are removed by the repair of the error at `at`, at the places where they are.
fn remove(found: &Replacement, all: &mut [Diagnostic], told: &mut [RepairedDiagnostic], at: usize) {
    for (other, (error, told)) in all.iter_mut().zip(told).enumerate() {
        if other == at || !is_error(error) {
            continue;
        }
        match found.left_of(error) {
            RemainingPlaces::All => {}
            RemainingPlaces::None => told.is_gone = true,
            RemainingPlaces::Some(places) => {
                if let Some(left) = at_places(error, &places).filter(|_| other > at) {
                    (*error, told.diagnostic) = (left.clone(), left);
                }
            }
        }
    }
}

/// An error at some of its places only; none if there is no place.
fn at_places(error: &Diagnostic, places: &[Span]) -> Option<Diagnostic> {
    let (first, repeats) = places.split_first()?;
    let label = error.primary.clone()?;
    let is_there = |edit: &Edit| {
        let is_use = error.places().any(|place| place == edit.span);
        !is_use || places.contains(&edit.span)
    };
    let helps = error.helps.iter().map(|help| {
        help.with_edits(help.edits().iter().filter(|edit| is_there(edit)).cloned().collect())
    });
    Some(Diagnostic {
        primary: Some(Label { span: *first, ..label }),
        repeats: repeats.to_vec(),
        helps: helps.collect(),
        ..error.clone()
    })
}

/// Tries changes of a program without errors: whether it has none after each of them. Changes of large programs are not tried, and
/// count as wrong.
pub struct RightEdits<'a> {
    sources: &'a Sources,
    trials: Trials<'a>,
}

impl<'a> RightEdits<'a> {
    /// The changes of this program.
    #[must_use]
    pub fn new(sources: &'a Sources, prelude: &'a ast::File, program: &'a ast::Program) -> Self {
        Self { sources, trials: Trials::new(sources, prelude, program, &[], &[]) }
    }

    /// Whether the program has no error after a change.
    pub fn accepts(&mut self, edits: &[Edit]) -> bool {
        let Some(file) = edits.first().map(|edit| edit.span.file) else { return false };
        let is_there = edits.iter().all(|edit| edit.span.file == file);
        is_there && self.trials.is_right_after((file, &*self.sources.get(file).text), edits)
    }

    /// The diagnostics with those of their changes that are right. All are tried together first, since they rarely meet.
    #[must_use]
    pub fn with_right_helps(&mut self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let helps = found.iter().flat_map(|one| &one.helps).filter(|help| help.is_proposal());
        let all: Vec<Edit> = helps.flat_map(Help::edits).cloned().collect();
        let are_right = self.accepts(&all);
        let mut right = |help: Help| match help.change() {
            Some(change) if help.is_proposal() => {
                change.clone().tried(|change| are_right || self.accepts(&change.edits))
            }
            Some(_) | None => Some(help),
        };
        let told = found.into_iter().map(|one| Diagnostic {
            helps: one.helps.iter().cloned().filter_map(&mut right).collect(),
            ..one
        });
        told.collect()
    }
}

/// Whether a module of another language has this name.
pub(crate) fn is_foreign_module(name: &str) -> bool {
    foreign_words::FOREIGN_MODULES.contains(&name)
}

/// A diagnostic that replaces one that was found.
struct RepairedDiagnostic {
    diagnostic: Diagnostic,
    /// Whether the repair of another error removes it.
    is_gone: bool,
}

impl RepairedDiagnostic {
    fn as_found(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, is_gone: false }
    }
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
}

/// Whether an error was found by reading the text.
fn is_syntax(code: Code) -> bool {
    code.0.starts_with("A01") || code == Code::PARAMETRIC_MODULE
}

/// The state while errors are examined.
struct Repairer<'a> {
    sources: &'a Sources,
    trials: Trials<'a>,
    prelude: &'a ast::File,
    program: &'a ast::Program,
    /// The text that was looked at last.
    page: Option<LexedText<'a>>,
}

/// What replaces an error.
struct Replacement {
    diagnostic: Diagnostic,
    removes: RemovedErrors,
}

/// The errors that a repair removes, which are not reported.
enum RemovedErrors {
    /// The errors that are missing in the outcome of a trial.
    Tried(TrialOutcome),
    /// The errors at a place.
    At(Span),
    /// None.
    Nothing,
}

/// The places of an error that a repair does not remove.
enum RemainingPlaces {
    All,
    Some(Vec<Span>),
    None,
}

impl Replacement {
    /// Where an error still is after the repair.
    fn left_of(&self, error: &Diagnostic) -> RemainingPlaces {
        match &self.removes {
            RemovedErrors::Tried(outcome) if error.repeats.is_empty() => {
                if outcome.has(error) {
                    RemainingPlaces::All
                } else {
                    RemainingPlaces::None
                }
            }
            RemovedErrors::Tried(outcome) => match outcome.places(error) {
                places if places.is_empty() => RemainingPlaces::None,
                places => RemainingPlaces::Some(places),
            },
            RemovedErrors::At(place) => {
                let is_in = |at: &Span| {
                    at.file == place.file && place.start <= at.start && at.end <= place.end
                };
                let left: Vec<Span> = error.places().filter(|at| !is_in(at)).collect();
                match (left.len(), error.places().count()) {
                    (left, all) if left == all => RemainingPlaces::All,
                    (0, _) => RemainingPlaces::None,
                    _ => RemainingPlaces::Some(left),
                }
            }
            RemovedErrors::Nothing => RemainingPlaces::All,
        }
    }

    /// The diagnostic that replaces an error. It repeats at the places that an edit changes, or at all places of the error
    /// if no edit changes one.
    fn told(self, error: &Diagnostic) -> Diagnostic {
        if let RemovedErrors::At(_) = self.removes {
            return self.diagnostic;
        }
        let edits = self.diagnostic.helps.iter().flat_map(Help::edits);
        let changed: Vec<Span> = edits.map(|edit| edit.span).collect();
        let is_changed = |at: &Span| {
            let is_around =
                |edit: &Span| edit.file == at.file && edit.start <= at.start && at.end <= edit.end;
            changed.iter().any(is_around)
        };
        let places: Vec<Span> = error.places().collect();
        let reached: Vec<Span> = places.iter().copied().filter(is_changed).collect();
        let reached = if reached.is_empty() { places } else { reached };
        let repeats = reached.into_iter().skip(1).collect();
        Diagnostic { repeats, ..self.diagnostic }
    }

    /// The error that was repaired, at those of its places that the repair does not reach.
    fn rest(&self, error: &Diagnostic) -> Option<Diagnostic> {
        match self.left_of(error) {
            RemainingPlaces::Some(places) => at_places(error, &places),
            RemainingPlaces::All | RemainingPlaces::None => None,
        }
    }
}

/// A change of the text that a rule asks for.
struct CandidateEdit {
    edits: Vec<Edit>,
    /// How many errors it has to remove to be better.
    removes: usize,
    matched: PatternMatch,
    meant: &'static str,
    /// The new text of the match.
    better: String,
    /// The import that it needs.
    import: Option<String>,
}

impl<'a> Repairer<'a> {
    /// Whether an error is in a text that the user can change.
    fn is_user(&self, error: &Diagnostic, program: &ast::Program) -> bool {
        error.primary.as_ref().is_some_and(|label| {
            let file = label.span.file;
            program.files.iter().any(|one| one.id == file && !one.is_library)
        })
    }

    /// What to say in place of an error. What explains an error at its first place may not explain it at the others,
    /// and the other way round.
    fn examined(
        &mut self,
        rules: &[(Rule, Pattern)],
        all: &[Diagnostic],
        at: usize,
    ) -> Option<Replacement> {
        let error = &all[at];
        if at >= MAX_ERRORS {
            return self.with_good_helps(all, error);
        }
        let places: Vec<Span> = error.places().collect();
        let turned = (0..places.len().min(MAX_TURNS)).filter_map(|first| {
            let mut places = places.clone();
            places[..=first].rotate_right(1);
            at_places(error, &places)
        });
        for error in turned.collect::<Vec<_>>() {
            let found = self.error(rules, all, &error);
            if found.is_some() {
                return found;
            }
        }
        self.with_good_helps(all, error)
    }

    /// What to say in place of an error, if a rule knows better.
    fn error(
        &mut self,
        rules: &[(Rule, Pattern)],
        all: &[Diagnostic],
        error: &Diagnostic,
    ) -> Option<Replacement> {
        self.trials.begin();
        let file = error.primary.as_ref()?.span.file;
        let page = self.page.take().filter(|page| page.file == file);
        let page = page.unwrap_or_else(|| LexedText::new(&self.sources.get(file).text, file));
        let found = self.first_successful_rule(&page, rules, all, error);
        let found = found.or_else(|| self.close_bracket(&page, error));
        let found = found.or_else(|| self.other_array(error));
        self.trials.end();
        let found = found.or_else(|| self.good_helps(all, error));
        let found = found.or_else(|| self.bare_lambda(error));
        let found = found.or_else(|| self.elementwise(error));
        let found = found.or_else(|| advised(&page, rules, error));
        self.page = Some(page);
        found
    }

    /// The first rule whose change leaves fewer errors.
    fn first_successful_rule(
        &mut self,
        page: &LexedText<'_>,
        rules: &[(Rule, Pattern)],
        all: &[Diagnostic],
        error: &Diagnostic,
    ) -> Option<Replacement> {
        for (rule, pattern) in rules {
            let mut best: Option<(TrialOutcome, CandidateEdit, Help)> = None;
            for candidate in self.candidates(page, rule, pattern, all, error) {
                let text = (page.file, page.text);
                let change = messages::change(page, rule, pattern, &candidate);
                let tried = self.trials.try_change(text, change, candidate.removes, error);
                let Some((help, outcome)) = tried else { continue };
                if best.as_ref().is_none_or(|(known, ..)| outcome.is_better(known)) {
                    best = Some((outcome, candidate, help));
                }
            }
            if let Some((outcome, candidate, help)) = best {
                let notes = self.signatures(page, &candidate);
                let diagnostic = messages::repaired(page, rule, pattern, &candidate, error);
                let diagnostic = diagnostic.advise(help).with_notes(notes);
                return Some(Replacement { diagnostic, removes: RemovedErrors::Tried(outcome) });
            }
        }
        None
    }

    /// The changes that a rule asks for near an error: one at all places of the error and of the declaration that have
    /// an error, and one at each place near this error.
    fn candidates(
        &self,
        page: &LexedText<'_>,
        rule: &Rule,
        pattern: &Pattern,
        all: &[Diagnostic],
        error: &Diagnostic,
    ) -> Vec<CandidateEdit> {
        if !explains(page, rule.when, error) {
            return Vec::new();
        }
        let near = page.find(pattern, rule.when, error);
        let Some(first) = near.first() else { return Vec::new() };
        let everywhere = if pattern.is_comment() {
            page.all(pattern)
        } else {
            everywhere(page, rule, pattern, all, error)
        };
        let is_repeated = matches!(
            rule.when,
            Applicability::Always
                | Applicability::Typed
                | Applicability::Names
                | Applicability::Members
                | Applicability::Fields
        );
        let mut found = Vec::new();
        for meant in rule.meant {
            if everywhere.len() > 1 && is_repeated {
                let removes = if pattern.is_comment() { 1 } else { everywhere.len() };
                let whole = self.candidate(page, rule, meant, &everywhere);
                found.push(CandidateEdit { removes, matched: first.clone(), ..whole });
            }
            let each = near.iter().map(std::slice::from_ref);
            found.extend(each.map(|one| self.candidate(page, rule, meant, one)));
        }
        found
    }

    /// The change at some places.
    fn candidate(
        &self,
        page: &LexedText<'_>,
        rule: &Rule,
        meant: &'static str,
        places: &[PatternMatch],
    ) -> CandidateEdit {
        let named = |one: &PatternMatch| {
            let text = fill(meant, page, one);
            match rule.when {
                Applicability::Names => self.library().named(page.file, text),
                Applicability::Always
                | Applicability::Fields
                | Applicability::Syntax
                | Applicability::Typed
                | Applicability::Types
                | Applicability::Members => LibraryName { text, import: None },
            }
        };
        let LibraryName { text, import } = named(&places[0]);
        let edit = |one: &PatternMatch| Edit { span: page.span(one), replacement: named(one).text };
        let mut edits: Vec<Edit> = places.iter().map(edit).collect();
        edits.extend(import.as_deref().map(|import| library::insert(page.file, import)));
        let matched = places[0].clone();
        CandidateEdit { edits, removes: 1, matched, meant, better: text, import }
    }

    fn library(&self) -> Library<'a> {
        Library { prelude: self.prelude, program: self.program }
    }

    /// The types of the functions of the prelude that a change names.
    fn signatures(&self, page: &LexedText<'_>, candidate: &CandidateEdit) -> Vec<String> {
        let text = fill(candidate.meant, page, &candidate.matched);
        messages::signatures(&text, self.prelude, self.sources)
    }
}

/// The first rule that certainly applies, although it has no change to try, or other errors hide the effect of its
/// change.
fn advised(
    page: &LexedText<'_>,
    rules: &[(Rule, Pattern)],
    error: &Diagnostic,
) -> Option<Replacement> {
    let (rule, pattern, matched) = rules.iter().find_map(|(rule, pattern)| {
        let is_sure = rule.is_advice() || pattern.is_foreign();
        if !is_sure || !explains(page, rule.when, error) {
            return None;
        }
        Some((rule, pattern, page.find_at(pattern, rule.when, error)?))
    })?;
    let diagnostic = messages::advised(page, rule, pattern, &matched, error);
    Some(Replacement { diagnostic, removes: RemovedErrors::At(page.span(&matched)) })
}

/// The matches of a rule where the errors of a declaration are.
fn everywhere(
    page: &LexedText<'_>,
    rule: &Rule,
    pattern: &Pattern,
    all: &[Diagnostic],
    error: &Diagnostic,
) -> Vec<PatternMatch> {
    let mut found: Vec<PatternMatch> = Vec::new();
    let place = |error: &Diagnostic| error.primary.as_ref().map(|label| label.span);
    let mut add = |matches: Vec<PatternMatch>, most: usize| {
        for one in matches {
            let is_new = found.iter().all(|known| !known.overlaps(&one));
            if is_new && found.len() < most {
                found.push(one);
            }
        }
    };
    let in_file = |span: &&Span| span.file == page.file;
    for other in error.repeats.iter().filter(in_file).take(MAX_REPEATS) {
        add(page.find_near(pattern, rule.when, error.code, *other), MAX_REPEATS);
    }
    for other in all.iter().filter(|other| is_error(other) && is_in(other, page.file)) {
        if page.are_together(place(error), place(other)) {
            add(page.find(pattern, rule.when, other), MAX_PLACES);
        }
    }
    found
}

/// Whether a rule may explain an error.
fn explains(page: &LexedText<'_>, when: Applicability, error: &Diagnostic) -> bool {
    match when {
        Applicability::Always => true,
        Applicability::Names => {
            [Code::UNDEFINED_NAME, Code::UNDEFINED_MODULE].contains(&error.code)
        }
        Applicability::Fields => error.code == Code::UNDEFINED_FIELD,
        Applicability::Syntax => is_syntax(error.code),
        Applicability::Typed => !is_syntax(error.code),
        Applicability::Types => is_type_error(error.code),
        Applicability::Members => {
            let place = error.primary.as_ref().map(|label| label.span);
            let name = place.and_then(|span| page.text.get(span.start as usize..span.end as usize));
            error.code == Code::UNDEFINED_NAME && name.is_some_and(infer::is_scalar_member)
        }
    }
}

fn is_in(error: &Diagnostic, file: FileId) -> bool {
    error.primary.as_ref().is_some_and(|label| label.span.file == file)
}

/// Whether an error is about types that do not fit, not about sizes.
fn is_type_error(code: Code) -> bool {
    [
        Code::TYPE_MISMATCH,
        Code::BRANCH_MISMATCH,
        Code::CONDITION_NOT_BOOL,
        Code::OPERAND_TYPE,
        Code::NOT_A_FUNCTION,
        Code::PATTERN_MISMATCH,
        Code::FUNCTION_IN_DATA,
        Code::NOT_COMPARABLE,
        Code::INFINITE_TYPE,
        Code::UNREACHABLE_CASE,
        Code::NOT_EXHAUSTIVE,
        Code::UNDEFINED_CONSTRUCTOR,
    ]
    .contains(&code)
}

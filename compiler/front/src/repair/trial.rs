//! Trying a change of the text: what there would be to say about the program with it.
//!
//! Invariant: a trial leaves nothing behind: the changed text is read and typed from the start, with the files of the
//! library that it imports. All trials together read a bounded number of bytes.
//!
//! ```text
//! map xs f [7..11 ⇒ f xs]   ⇒   2 errors before, none after: better
//! ```

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::{is_error, is_syntax};
use crate::{infer, load};
use arrc_syntax::ast;
use arrc_syntax::diagnostics::{Change, Code, Diagnostic, Edit, Help};
use arrc_syntax::ids::{EntityRef, FileId};
use arrc_syntax::source::{Sources, Span};
use arrc_syntax::{parse, stdlib};

/// How many trials there are for a program.
const MAX_TRIALS: usize = 160;

/// How many of them there are for an error.
const MAX_FOR_ONE: usize = 32;

/// How many of them there are for the helps of an error.
const MAX_FOR_HELPS: usize = 8;

/// The part of the trials that is for helps.
const PART_FOR_HELPS: usize = 3;

/// How many bytes of the program are read by all trials, if it has few errors.
const MAX_BYTES: usize = 1_000_000;

/// How many errors halve that number: a program with many errors takes longer to type.
const MANY_ERRORS: usize = 200;

/// The trials of one program.
pub(super) struct Trials<'a> {
    prelude: &'a ast::File,
    program: &'a ast::Program,
    /// The errors of reading the files.
    read: Vec<Diagnostic>,
    /// The errors of the program.
    errors: ErrorsByPlace,
    before: ErrorCounts,
    /// How many trials may follow for rules, and for helps.
    trials: usize,
    helps: usize,
    /// How many may follow for this error.
    own: usize,
}

/// How many errors there are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct ErrorCounts {
    syntax: usize,
    all: usize,
}

/// Where an error begins in the text before a change.
type Place = (FileId, u32);

/// The errors of a changed program.
#[derive(Clone, Debug)]
pub(super) struct TrialOutcome {
    counts: ErrorCounts,
    /// The errors that begin at each place. An error with several places is at each of them.
    left: BTreeMap<Place, Vec<Rc<Diagnostic>>>,
    /// The errors that have no place.
    without_place: Vec<Diagnostic>,
    /// Whether an error begins in new text.
    is_wrong: bool,
}

impl TrialOutcome {
    fn new(errors: Vec<Diagnostic>, before: impl Fn(Span) -> Option<Place>) -> Self {
        let counts = counts(&errors);
        let (left, without_place) = (BTreeMap::new(), Vec::new());
        let mut outcome = Self { counts, left, without_place, is_wrong: false };
        for error in errors {
            if error.primary.is_none() {
                outcome.without_place.push(error);
                continue;
            }
            let error = Rc::new(error);
            for (at, span) in error.places().enumerate() {
                match before(span) {
                    Some(place) => outcome.left.entry(place).or_default().push(Rc::clone(&error)),
                    None => outcome.is_wrong |= at == 0,
                }
            }
        }
        outcome
    }

    /// Whether fewer errors are left than by another change.
    pub(super) fn is_better(&self, other: &Self) -> bool {
        self.counts < other.counts
    }

    /// Whether no error is left.
    pub(super) fn is_right(&self) -> bool {
        self.counts.all == 0
    }

    /// Whether an error of the program before the change is still there.
    pub(super) fn has(&self, error: &Diagnostic) -> bool {
        match error.primary {
            Some(_) => error.places().any(|place| self.has_at(error, place)),
            None => self.without_place.iter().any(|left| is_same(left, error)),
        }
    }

    /// The places of an error where it still is.
    pub(super) fn places(&self, error: &Diagnostic) -> Vec<Span> {
        error.places().filter(|place| self.has_at(error, *place)).collect()
    }

    /// Whether an error is still at its first place.
    fn has_first(&self, error: &Diagnostic) -> bool {
        error.places().next().map_or_else(|| self.has(error), |first| self.has_at(error, first))
    }

    fn has_at(&self, error: &Diagnostic, place: Span) -> bool {
        let left = self.left.get(&(place.file, place.start));
        left.is_some_and(|left| left.iter().any(|left| is_same(left, error)))
    }

    /// Whether the changed program has an error that the program did not have before.
    fn has_others(&self, before: &ErrorsByPlace) -> bool {
        let is_new = |place: Option<&Place>, left: &Diagnostic| {
            let known = before.get(&place.copied());
            !known.is_some_and(|known| {
                known.iter().any(|(code, message)| *code == left.code && *message == left.message)
            })
        };
        self.is_wrong
            || self.without_place.iter().any(|left| is_new(None, left))
            || self
                .left
                .iter()
                .any(|(place, left)| left.iter().any(|left| is_new(Some(place), left)))
    }
}

/// The codes and messages of errors, by the places where they begin.
type ErrorsByPlace = BTreeMap<Option<Place>, Vec<(Code, String)>>;

fn by_place(errors: &[Diagnostic]) -> ErrorsByPlace {
    let mut found = ErrorsByPlace::new();
    for error in errors {
        let mut add = |place| {
            found.entry(place).or_default().push((error.code, error.message.clone()));
        };
        if error.primary.is_none() {
            add(None);
        }
        error.places().for_each(|span| add(Some((span.file, span.start))));
    }
    found
}

fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.code == other.code && one.message == other.message
}

impl<'a> Trials<'a> {
    /// The trials for a program, with the errors of reading and typing it.
    pub(super) fn new(
        sources: &Sources,
        prelude: &'a ast::File,
        program: &'a ast::Program,
        read: &[Diagnostic],
        typed: &[Diagnostic],
    ) -> Self {
        let size: usize = program.files.iter().map(|file| sources.get(file.id).text.len()).sum();
        let mut errors: Vec<Diagnostic> = read.iter().chain(typed).cloned().collect();
        errors.retain(is_error);
        let before = counts(&errors);
        let errors = by_place(&errors);
        let bytes = MAX_BYTES * MANY_ERRORS / (MANY_ERRORS + before.all);
        let trials = MAX_TRIALS.min(bytes / size.max(1));
        let helps = trials.div_ceil(PART_FOR_HELPS);
        let trials = trials - helps;
        Self { prelude, program, read: read.to_vec(), errors, before, trials, helps, own: 0 }
    }

    /// Begins the trials for another error.
    pub(super) fn begin(&mut self) {
        self.own = MAX_FOR_ONE.min(self.trials);
        self.trials -= self.own;
    }

    /// Ends the trials for the rules of an error.
    pub(super) fn end(&mut self) {
        self.trials += std::mem::take(&mut self.own);
    }

    /// Whether no trial may follow.
    pub(super) fn are_spent(&self) -> bool {
        self.own == 0
    }

    /// Begins the trials for the helps of an error.
    pub(super) fn begin_helps(&mut self) {
        self.own = MAX_FOR_HELPS.min(self.helps);
        self.helps -= self.own;
    }

    /// Ends the trials for the helps of an error.
    pub(super) fn end_helps(&mut self) {
        self.helps += std::mem::take(&mut self.own);
    }

    /// A change as advice, with the remaining errors after it, if it is better, apart from the error that it is for: it
    /// removes at least `removes` errors and adds none. An error of another kind may have been hidden before by text
    /// that could not be read.
    pub(super) fn try_change(
        &mut self,
        text: (FileId, &str),
        change: Change,
        removes: usize,
        error: &Diagnostic,
    ) -> Option<(Help, TrialOutcome)> {
        tried(change, |edits| {
            let outcome = self.outcome(text, edits, error)?;
            self.is_better(&outcome, removes, error).then_some(outcome)
        })
    }

    /// The same for a help that an error came with. Where a name means nothing, it is enough that the name that is
    /// proposed fits: it may show errors that were hidden before, one for a value and any number for a type.
    pub(super) fn try_help(
        &mut self,
        text: (FileId, &str),
        change: Change,
        error: &Diagnostic,
    ) -> Option<(Help, TrialOutcome)> {
        tried(change, |edits| {
            let outcome = self.outcome(text, edits, error)?;
            self.fits(&outcome, error).then_some(outcome)
        })
    }

    /// Whether a name that is proposed fits, or fewer errors are left.
    fn fits(&self, outcome: &TrialOutcome, error: &Diagnostic) -> bool {
        let may_show = match error.code {
            Code::UNDEFINED_TYPE => true,
            Code::UNDEFINED_NAME | Code::UNDEFINED_MODULE | Code::UNDEFINED_FIELD => {
                outcome.counts.all <= self.before.all
            }
            _ => false,
        };
        may_show && !outcome.is_wrong || self.is_better(outcome, 1, error)
    }

    /// The remaining errors after a change that removes the error that it is for.
    fn outcome(
        &mut self,
        (file, text): (FileId, &str),
        edits: &[Edit],
        error: &Diagnostic,
    ) -> Option<TrialOutcome> {
        self.own = self.own.checked_sub(1)?;
        let changed = applied(text, edits)?;
        let mut errors = self.errors(file, &changed.text)?;
        // A hole in the new text is intended: only the user can fill it.
        let is_anew = |span: Span| span.file == file && changed.before(span.start).is_none();
        errors.retain(|one| {
            one.code != Code::HOLE || !one.primary.as_ref().is_some_and(|label| is_anew(label.span))
        });
        let before = |span: Span| {
            let start = if span.file == file { changed.before(span.start)? } else { span.start };
            Some((span.file, start))
        };
        let outcome = TrialOutcome::new(errors, before);
        (!outcome.has_first(error)).then_some(outcome)
    }

    /// Whether fewer errors are left, and no other ones.
    fn is_better(&self, outcome: &TrialOutcome, removes: usize, error: &Diagnostic) -> bool {
        let fewer = |after: usize, before: usize| after + removes <= before;
        let (after, before) = (outcome.counts, self.before);
        if is_syntax(error.code) {
            (fewer(after.all, before.all) || fewer(after.syntax, before.syntax))
                && !outcome.is_wrong
        } else {
            fewer(after.all, before.all) && !outcome.has_others(&self.errors)
        }
    }

    /// Whether the program has no error after a change.
    pub(super) fn is_right_after(&mut self, (file, text): (FileId, &str), edits: &[Edit]) -> bool {
        let Some(trials) = self.trials.checked_sub(1) else { return false };
        self.trials = trials;
        let changed = applied(text, edits);
        let errors = changed.and_then(|changed| self.errors(file, &changed.text));
        errors.is_some_and(|errors| errors.is_empty())
    }

    /// The errors of the program if a file had another text.
    fn errors(&self, file: FileId, text: &str) -> Option<Vec<Diagnostic>> {
        let (changed, mut left) = parse::parse_text(text, file);
        let is_of_text = |one: &&Diagnostic| {
            is_syntax(one.code) && one.primary.as_ref().is_some_and(|label| label.span.file == file)
        };
        left.extend(self.read.iter().filter(|one| !is_of_text(one)).cloned());
        let mut program = self.program.clone();
        import_library(&mut program, &changed, self.prelude.id);
        let place = program.files.iter_mut().find(|one| one.id == file)?;
        *place = changed;
        left.extend(infer::errors(self.prelude, &program));
        left.retain(is_error);
        Some(left)
    }
}

/// A change as advice, and its outcome, if it has one.
fn tried(
    change: Change,
    outcome: impl FnOnce(&[Edit]) -> Option<TrialOutcome>,
) -> Option<(Help, TrialOutcome)> {
    let mut found = None;
    let help = change.tried(|change| {
        found = outcome(&change.edits);
        found.is_some()
    })?;
    Some((help, found?))
}

/// Adds the files of the library that a changed file imports, and the program did not.
fn import_library(program: &mut ast::Program, changed: &ast::File, prelude: FileId) {
    let mut next = program.files.iter().map(|file| file.id.index()).max().unwrap_or(0);
    next = next.max(prelude.index());
    for import in load::imports(&changed.decls) {
        let key = (changed.id, import.path.clone());
        if program.imports.contains_key(&key) {
            continue;
        }
        let Some(text) = stdlib::file(&import.path) else { continue };
        next += 1;
        let (file, _) = parse::parse_text(text, FileId::new(next));
        program.imports.insert(key, file.id);
        program.files.insert(0, ast::File { is_library: true, ..file });
    }
}

/// The number of errors. One that is told once counts at each of its places.
fn counts(errors: &[Diagnostic]) -> ErrorCounts {
    errors.iter().fold(ErrorCounts { syntax: 0, all: 0 }, |counts, one| ErrorCounts {
        syntax: counts.syntax + usize::from(is_syntax(one.code)),
        all: counts.all + 1 + one.repeats.len(),
    })
}

/// A text after its edits.
pub(super) struct EditedText {
    /// The text.
    pub(super) text: String,
    /// The new texts, and the lengths of the old ones.
    new: Vec<(Range<usize>, usize)>,
}

impl EditedText {
    /// Where a place was before the edits; none in new text.
    fn before(&self, at: u32) -> Option<u32> {
        let at = at as usize;
        let mut place = at;
        for (new, old) in self.new.iter().take_while(|(new, _)| new.start <= at) {
            if new.contains(&at) {
                return None;
            }
            place = place + old - new.len();
        }
        u32::try_from(place).ok()
    }
}

/// A text after its edits; none if they overlap.
pub(super) fn applied(text: &str, edits: &[Edit]) -> Option<EditedText> {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let (mut out, mut new) = (String::new(), Vec::new());
    let mut at = 0;
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        out.push_str(text.get(at..start)?);
        new.push((out.len()..out.len() + edit.replacement.len(), end - start));
        out.push_str(&edit.replacement);
        at = end;
    }
    out.push_str(text.get(at..)?);
    Some(EditedText { text: out, new })
}

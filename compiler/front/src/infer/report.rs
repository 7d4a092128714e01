//! The errors that were found so far in a program.
//!
//! Invariant: one mistake is reported once. A variable that does not fit is reported once for each reason, and a type
//! or a size that is too large once.
//!
//! ```text
//! let told = mark(); …walk…; is_clean_since(told)   ⇒   whether the walk found nothing wrong
//! ```

use indexmap::IndexSet;

use super::blame::MismatchedVariable;
use super::error::Error;

/// The errors that were reported.
#[derive(Default, Debug)]
pub(super) struct Reporter {
    errors: Vec<Error>,
    /// The variables whose type errors were reported.
    misfits: IndexSet<MismatchedVariable>,
    /// Whether a type or the size of an array was too large. Types made of it are too large as well.
    is_oversized: bool,
}

/// A mark in the history of a [`Reporter`]: how many errors it had.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReportMark(usize);

impl Reporter {
    /// Adds an error.
    pub(super) fn push(&mut self, error: impl Into<Error>) {
        self.errors.push(error.into());
    }

    /// Adds errors.
    pub(super) fn extend(&mut self, errors: impl IntoIterator<Item: Into<Error>>) {
        self.errors.extend(errors.into_iter().map(Into::into));
    }

    /// The place where the history is now.
    pub(super) fn mark(&self) -> ReportMark {
        ReportMark(self.errors.len())
    }

    /// All errors.
    pub(super) fn all(&self) -> &[Error] {
        &self.errors
    }

    /// The errors since `told`.
    pub(super) fn since(&self, told: ReportMark) -> &[Error] {
        &self.errors[told.0..]
    }

    /// Whether there are no errors since `told`.
    pub(super) fn is_clean_since(&self, told: ReportMark) -> bool {
        self.since(told).is_empty()
    }

    /// The number of errors since `told` that prevent the program from being compiled.
    pub(super) fn wrong_since(&self, told: ReportMark) -> usize {
        self.since(told).iter().filter(|error| !error.is_warning()).count()
    }

    /// Removes and returns the errors since `told`.
    pub(super) fn take_since(&mut self, told: ReportMark) -> Vec<Error> {
        self.errors.split_off(told.0)
    }

    /// Returns all errors.
    pub(super) fn into_errors(self) -> Vec<Error> {
        self.errors
    }

    /// Notes that a variable does not fit. Returns whether that was known.
    pub(super) fn is_known(&mut self, misfit: MismatchedVariable) -> bool {
        !self.misfits.insert(misfit)
    }

    /// Whether something too large was reported.
    pub(super) fn is_oversized(&self) -> bool {
        self.is_oversized
    }

    /// Adds the error of something too large, if it is the first.
    pub(super) fn push_oversized(&mut self, error: impl Into<Error>) {
        if !std::mem::replace(&mut self.is_oversized, true) {
            self.push(error);
        }
    }
}

//! Reads the text of a form, as `arrc build --emit=cnf` prints it.
//!
//! Invariant: never panics, whatever the text. A form that was read prints as the same text.
//!
//! ```text
//! def f (x: i64): i64 =            ⇒   a function of one binding
//!   let t = x + 1i64
//!   in t
//! ```

pub mod cursor;
pub mod extents;
pub mod signature;
pub mod tree;

use std::fmt;

use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::ids::{EntityRef, FileId};
use arrc_syntax::parse::form_tokens::{FormTokens, form_tokens};
use arrc_syntax::source::{LineCol, Sources, Span};

/// An error in the text of a form, and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormError {
    /// The place.
    pub at: LineCol,
    /// The errors.
    pub message: String,
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.at.line, self.at.column, self.message)
    }
}

/// An error at a place of the text.
pub struct LocatedError {
    /// The place.
    pub at: Span,
    /// The error.
    pub message: String,
}

/// The part of the form that was read, or the first mistake in its text.
pub type ReadResult<T> = Result<T, LocatedError>;

/// A mistake at a place.
///
/// # Errors
/// Always.
pub fn error_at<T>(at: Span, message: impl Into<String>) -> ReadResult<T> {
    Err(LocatedError { at, message: message.into() })
}

/// Reads a form of that text.
///
/// # Errors
/// The first mistake in the text.
pub fn read<T>(
    text: &str,
    read: impl FnOnce(&Sources, &FormTokens<'_>) -> ReadResult<T>,
) -> Result<T, FormError> {
    let mut sources = Sources::default();
    let file = sources.add("form", text);
    let read = form_tokens(text, file)
        .map_err(|error| located(&error))
        .and_then(|tokens| read(&sources, &tokens));
    read.map_err(|LocatedError { at, message }| FormError { at: sources.line_col(at), message })
}

fn located(error: &Diagnostic) -> LocatedError {
    let nowhere = Span::new(FileId::new(0), 0, 0);
    let at = error.primary.as_ref().map_or(nowhere, |label| label.span);
    LocatedError { at, message: error.message.clone() }
}

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
use arrc_syntax::parse::error::SyntaxError;
use arrc_syntax::parse::lexer;
use arrc_syntax::parse::lexer::Lexed;
use arrc_syntax::parse::token::Token;
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
    pub at: Span,
    pub message: String,
}

pub type ReadResult<T> = Result<T, LocatedError>;

pub fn error_at<T>(at: Span, message: impl Into<String>) -> ReadResult<T> {
    Err(LocatedError { at, message: message.into() })
}

/// What stands between the steps of concrete programs: the lexer of Arr has no token for `;`.
pub const SEPARATOR: Token<'static> = Token::Bad;

/// Reads a form of that text.
///
/// # Errors
/// The first mistake in the text.
pub fn read<T>(
    text: &str,
    read: impl FnOnce(&Sources, &Lexed<'_>) -> ReadResult<T>,
) -> Result<T, FormError> {
    let mut sources = Sources::default();
    let file = sources.add("form", text);
    let read = lexed(text, file).and_then(|lexed| read(&sources, &lexed));
    read.map_err(|LocatedError { at, message }| FormError { at: sources.line_col(at), message })
}

/// The tokens.
fn lexed(text: &str, file: FileId) -> ReadResult<Lexed<'_>> {
    let mut lexed = lexer::lex(text, file);
    for error in std::mem::take(&mut lexed.errors) {
        let SyntaxError::Stray { at, found: ';' } = error else { return form_error(error) };
        lexed.tokens.push((SEPARATOR, at));
    }
    lexed.tokens.sort_by_key(|(_, span)| span.start);
    Ok(lexed)
}

fn form_error<T>(error: SyntaxError) -> ReadResult<T> {
    let diagnostic = Diagnostic::from(error);
    let at = diagnostic.primary.as_ref().map_or(Span::new(FileId::new(0), 0, 0), |at| at.span);
    error_at(at, diagnostic.message)
}

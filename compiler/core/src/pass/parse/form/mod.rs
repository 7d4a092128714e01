//! From the text of a form to the form: what `arrc build --emit=cnf` prints, as it was.
//!
//! Invariant: never panics, whatever the text. What was read prints as the same text.
//!
//! ```text
//! def f (x: i64): i64 =            ⇒   a function of one binding
//!   let t = x + 1i64
//!   in t
//! ```

mod cnf;
mod extents;
mod grammar;
mod ops;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use chumsky::Parser as _;
use chumsky::input::Input as _;

use self::tree::Decl;
use super::error::SyntaxError;
use super::lexer;
use super::token::Token;
use crate::diagnostics::Diagnostic;
use crate::ids::{EntityRef, FileId};
use crate::ir;
use crate::source::{LineCol, Sources, Span};

/// What is wrong in the text of a form, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormError {
    /// The place.
    pub at: LineCol,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.at.line, self.at.column, self.message)
    }
}

/// What is wrong at a place of the text.
struct Wrong {
    at: Span,
    message: String,
}

type Read<T> = Result<T, Wrong>;

fn wrong<T>(at: Span, message: impl Into<String>) -> Read<T> {
    Err(Wrong { at, message: message.into() })
}

/// Reads a program in combinator normal form. It need not verify.
///
/// # Errors
/// The first mistake in the text.
pub fn cnf(text: &str) -> Result<ir::cnf::Program, FormError> {
    let mut sources = Sources::default();
    let file = sources.add("form", text);
    let read = declarations(text, file).and_then(|form| cnf::program(&form));
    read.map_err(|Wrong { at, message }| FormError { at: sources.line_col(at), message })
}

/// The declarations of a form, and what else its text says.
struct Form {
    decls: Vec<Decl>,
    /// The comments before declarations, by where these begin.
    docs: BTreeMap<u32, String>,
    /// Every name in the text.
    names: BTreeSet<String>,
}

fn declarations(text: &str, file: FileId) -> Read<Form> {
    let lexed = lexer::lex(text, file);
    if let Some(error) = lexed.errors.into_iter().next() {
        return told(error);
    }
    let tokens = lexed.tokens;
    let end = Span::new(file, length(text), length(text));
    let parsed = grammar::declarations().parse(tokens.split_token_span(end)).into_result();
    let decls = match parsed {
        Ok(decls) => decls,
        Err(errors) => {
            let found = errors.into_iter().find_map(|error| super::syntax_error(error, text));
            return match found {
                Some(error) => told(error),
                None => wrong(end, "this is no form"),
            };
        }
    };
    let docs = lexed.docs.into_iter();
    let docs = docs.filter_map(|(place, doc)| Some((tokens.get(place)?.1.start, doc))).collect();
    let names = tokens.iter().filter_map(|(token, _)| {
        if let Token::Name(name) = token { Some((*name).to_owned()) } else { None }
    });
    Ok(Form { decls, docs, names: names.collect() })
}

fn told<T>(error: SyntaxError) -> Read<T> {
    let diagnostic = Diagnostic::from(error);
    let at = diagnostic.primary.as_ref().map_or(Span::new(FileId::new(0), 0, 0), |at| at.span);
    wrong(at, diagnostic.message)
}

fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}

//! The tokens of the text of a form, such as combinator normal form: those of Arr, and a separator.
//!
//! Invariant: never panics, whatever the text.
//!
//! ```text
//! { y = x + 1i64; yield (y) }   ⇒   `;` is [`SEPARATOR`], which Arr does not have
//! ```

use std::collections::BTreeMap;

use super::error::SyntaxError;
use super::lexer;
use super::token::Token;
use crate::diagnostics::Diagnostic;
use crate::ids::FileId;
use crate::source::Span;

/// The token that stands for `;`.
pub const SEPARATOR: Token<'static> = Token::Bad;

/// The tokens of a form.
pub struct FormTokens<'src> {
    /// The tokens with their places.
    pub tokens: Vec<(Token<'src>, Span)>,
    /// The text of each `-- |` comment, by the index of the token that follows it.
    pub docs: BTreeMap<usize, String>,
}

/// The tokens of the text.
///
/// # Errors
/// The first character that no token has.
pub fn form_tokens(text: &str, file: FileId) -> Result<FormTokens<'_>, Box<Diagnostic>> {
    let lexer::Lexed { mut tokens, docs, errors } = lexer::lex(text, file);
    for error in errors {
        let SyntaxError::Stray { at, found: ';' } = error else {
            return Err(Box::new(error.into()));
        };
        tokens.push((SEPARATOR, at));
    }
    tokens.sort_by_key(|(_, span)| span.start);
    Ok(FormTokens { tokens, docs })
}

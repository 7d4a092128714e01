//! From text to [`ast`]: the only place that knows chumsky.
//!
//! Invariant: never panics, whatever the text; takes time linear in it; and reports every mistake
//! that is independent of the ones before it. What could not be read stands in the tree as an
//! error, and has been reported.
//!
//! ```text
//! def f (x: i64) = x +     ⇒   f with an error as its body, and a report
//! def g (x: i64) = x + 1   ⇒   g as usual
//! ```
//!
//! The steps: [`lexer`] makes tokens, [`brackets`] cuts them into declarations and balances their
//! brackets, [`grammar`] reads each declaration for itself.

mod brackets;
mod error;
mod expected;
mod grammar;
mod lexer;
mod number;
#[cfg(test)]
mod tests;
mod token;

use std::collections::BTreeSet;

use chumsky::Parser as _;
use chumsky::input::Input as _;

use self::error::SyntaxError;
use self::expected::{Expected, ParseError, What};
use self::grammar::Parse;
use self::token::{Keyword, Token};
use crate::diagnostics::{self, Diagnostic};
use crate::ids::FileId;
use crate::ir::ast::{self, Decl};
use crate::source::{Sources, Span};

/// The declarations of a file, and the mistakes in it in the order of their places.
#[must_use]
pub fn parse(sources: &Sources, file: FileId) -> (ast::File, Vec<Diagnostic>) {
    let text = sources.get(file).text.as_str();
    let lexed = lexer::lex(text, file);
    let balanced = brackets::balance(&lexed.tokens, text);
    let declaration = grammar::declaration();
    let mut reported: BTreeSet<u32> =
        lexed.errors.iter().map(|error| error.place().start).collect();
    let mut errors = lexed.errors;
    let mut decls = Vec::new();
    for chunk in balanced.chunks {
        let tokens = &balanced.tokens[chunk.tokens];
        let (decl, found) = read(&declaration, tokens, text);
        let doc = lexed.docs.get(&chunk.first).cloned();
        decls.extend(decl.map(|decl| with_doc(decl, doc)));
        // With a bracket amiss, a second report would only be about the first one's consequences.
        if chunk.errors.is_empty() {
            // Where a phrase was skipped, the phrase around it may stumble over the same token.
            errors.extend(found.into_iter().filter(|error| reported.insert(error.place().start)));
        } else {
            errors.extend(chunk.errors);
        }
    }
    let mut diagnostics = errors.into_iter().map(Diagnostic::from).collect();
    diagnostics::sort(&mut diagnostics);
    (ast::File { id: file, decls }, diagnostics)
}

/// Reads the tokens of one declaration.
fn read<'tok, 'src: 'tok>(
    declaration: &Parse<'tok, 'src, Option<Decl>>,
    tokens: &'tok [(Token<'src>, Span)],
    text: &str,
) -> (Option<Decl>, Vec<SyntaxError>) {
    let (Some((first, at)), Some((_, last))) = (tokens.first(), tokens.last()) else {
        return (None, Vec::new());
    };
    if !matches!(first, Token::Keyword(keyword) if keyword.begins_declaration()) {
        let expected = Expected::only(What::Declaration);
        return (None, vec![SyntaxError::unexpected(*at, text_at(text, *at), expected)]);
    }
    let (start, end) = (at, Span { start: last.end, ..*last });
    let (decl, errors) = declaration.parse(tokens.split_token_span(end)).into_output_errors();
    let errors = errors.into_iter().map(|error| match error {
        ParseError::Unexpected { at, expected } => {
            match definition_without_word(text, *start, at) {
                Some(name) if expected.has(What::Argument) => SyntaxError::unexpected(
                    name,
                    text_at(text, name),
                    Expected::only(What::Declaration),
                ),
                _ => SyntaxError::unexpected(at, text_at(text, at), expected),
            }
        }
        ParseError::Known(error) => error,
    });
    (decl.flatten(), errors.collect())
}

/// The name at the start of the line of the `=` at `at`: `f x = x` is read as a part of the declaration
/// above, which begins at `first`, but meant as a definition of its own.
fn definition_without_word(text: &str, first: Span, at: Span) -> Option<Span> {
    if text_at(text, at) != Some("=") {
        return None;
    }
    let above = &text[first.start as usize..at.start as usize];
    let line = first.start as usize + above.rfind(lexer::is_line_end)? + 1;
    let name = text[line..at.start as usize].split(|c| !lexer::is_name_char(c)).next()?;
    let start = u32::try_from(line).expect("spans are 32 bits, so lines are");
    let end = start + u32::try_from(name.len()).expect("spans are 32 bits, so names are");
    let is_name = name.starts_with(lexer::is_name_start) && Keyword::from_word(name).is_none();
    is_name.then_some(Span { start, end, ..at })
}

/// The token at `at`; none at the end of the declaration.
fn text_at(text: &str, at: Span) -> Option<&str> {
    (at.start < at.end).then(|| &text[at.start as usize..at.end as usize])
}

fn with_doc(decl: Decl, doc: Option<String>) -> Decl {
    match decl {
        Decl::Def(def) => Decl::Def(ast::Def { doc, ..def }),
        Decl::Type(def) => Decl::Type(ast::TypeDef { doc, ..def }),
    }
}

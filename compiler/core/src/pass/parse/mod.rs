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
mod declarations;
mod error;
mod expected;
mod grammar;
mod lexer;
mod number;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod token;

use std::collections::{BTreeMap, BTreeSet};

use chumsky::Parser as _;
use chumsky::input::Input as _;

use self::brackets::{Chunk, Part};
use self::error::SyntaxError;
use self::expected::{Expected, ParseError, What};
use self::grammar::{ModuleHead, Parse};
use self::token::{Keyword, Opening, Token};
use crate::diagnostics::{self, Diagnostic};
use crate::ids::FileId;
use crate::ir::ast::{self, Decl, ModuleDef, ModuleExpr};
use crate::source::{Sources, Span};

/// The declarations of a file, and the mistakes in it in the order of their places.
#[must_use]
pub fn parse(sources: &Sources, file: FileId) -> (ast::File, Vec<Diagnostic>) {
    let text = sources.get(file).text.as_str();
    let lexed = lexer::lex(text, file);
    let balanced = brackets::balance(&lexed.tokens, text);
    let mut reader = Reader {
        text,
        docs: lexed.docs,
        declaration: grammar::declaration(),
        module_head: grammar::module_head(),
        reported: lexed.errors.iter().map(|error| error.place().start).collect(),
        errors: lexed.errors,
        decls: Vec::new(),
        modules: Vec::new(),
    };
    for chunk in balanced.chunks {
        reader.chunk(chunk, &balanced.tokens);
    }
    let mut diagnostics = reader.errors.into_iter().map(Diagnostic::from).collect();
    diagnostics::sort(&mut diagnostics);
    (ast::File { id: file, decls: reader.decls }, diagnostics)
}

/// Makes declarations of the parts of a file.
struct Reader<'tok, 'src> {
    text: &'src str,
    docs: BTreeMap<usize, String>,
    declaration: Parse<'tok, 'src, Option<Decl>>,
    module_head: Parse<'tok, 'src, ModuleHead>,
    /// Where something is reported.
    reported: BTreeSet<u32>,
    errors: Vec<SyntaxError>,
    /// The declarations of the innermost module, or of the file.
    decls: Vec<Decl>,
    /// The modules around, and the declarations before each.
    modules: Vec<(Option<ModuleHead>, Option<String>, Vec<Decl>)>,
}

impl<'tok, 'src: 'tok> Reader<'tok, 'src> {
    fn chunk(&mut self, chunk: Chunk, tokens: &'tok [(Token<'src>, Span)]) {
        let tokens = &tokens[chunk.tokens];
        let doc = self.docs.get(&chunk.first).cloned();
        let found = match chunk.part {
            Part::Declaration => {
                let (decl, found) = read(&self.declaration, tokens, self.text);
                self.decls.extend(decl.map(|decl| with_doc(decl, doc)));
                found
            }
            Part::Begin => {
                let (Some((_, first)), Some((_, last))) = (tokens.first(), tokens.last()) else {
                    panic!("a module begins with a word");
                };
                let end = Span { start: last.end, ..*last };
                let parsed = self.module_head.parse(tokens.split_token_span(end));
                let (head, errors) = parsed.into_output_errors();
                self.modules.push((head, doc, std::mem::take(&mut self.decls)));
                errors.into_iter().map(|error| syntax_error(error, self.text, *first)).collect()
            }
            Part::End => {
                self.end_module(tokens.first().map(|(_, span)| *span));
                Vec::new()
            }
        };
        // With a bracket amiss, a second report would only be about the first one's consequences.
        if chunk.errors.is_empty() {
            // Where a phrase was skipped, the phrase around it may stumble over the same token.
            let reported = &mut self.reported;
            self.errors
                .extend(found.into_iter().filter(|error| reported.insert(error.place().start)));
        } else {
            self.errors.extend(chunk.errors);
        }
    }

    /// A module ends, at its brace if it has one.
    fn end_module(&mut self, brace: Option<Span>) {
        let (head, doc, before) = self.modules.pop().expect("a module ends that has begun");
        let decls = std::mem::replace(&mut self.decls, before);
        // What could not be read is reported; its declarations would be unknown to all.
        let Some(ModuleHead { is_local, name, span, brace: open }) = head else { return };
        let last = brace.or(decls.last().map(Decl::span)).unwrap_or(open);
        let body = ModuleExpr::Body(decls, open.to(last));
        let span = span.to(last);
        let start = name.span.start;
        let decl = ModuleDef { doc, name, body, span };
        self.decls.push(if is_local {
            let word = "local".len();
            let inner = span.start + u32::try_from(word).expect("a word is short");
            debug_assert!(inner < start, "`module` is between `local` and the name");
            let decl = Decl::Module(ModuleDef { span: Span { start: inner, ..span }, ..decl });
            Decl::Local(ast::Local { decl: Box::new(decl), span })
        } else {
            Decl::Module(decl)
        });
    }
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
    let is_word = matches!(first, Token::Keyword(keyword) if keyword.begins_declaration());
    let begins = is_word || *first == Token::Open(Opening::Attribute);
    if !begins {
        let expected = Expected::only(What::Declaration);
        return (None, vec![SyntaxError::unexpected(*at, text_at(text, *at), expected)]);
    }
    let (start, end) = (at, Span { start: last.end, ..*last });
    let (decl, errors) = declaration.parse(tokens.split_token_span(end)).into_output_errors();
    (decl.flatten(), errors.into_iter().map(|error| syntax_error(error, text, *start)).collect())
}

fn syntax_error(error: ParseError, text: &str, first: Span) -> SyntaxError {
    match error {
        ParseError::Unexpected { at, expected } => match definition_without_word(text, first, at) {
            Some(name) if expected.has(What::Argument) => SyntaxError::unexpected(
                name,
                text_at(text, name),
                Expected::only(What::Declaration),
            ),
            _ => SyntaxError::unexpected(at, text_at(text, at), expected),
        },
        ParseError::Known(error) => error,
    }
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
        Decl::Module(def) => Decl::Module(ast::ModuleDef { doc, ..def }),
        Decl::Local(ast::Local { decl, span }) => {
            Decl::Local(ast::Local { decl: Box::new(with_doc(*decl, doc)), span })
        }
        decl @ (Decl::Open(_) | Decl::Import(_)) => decl,
    }
}

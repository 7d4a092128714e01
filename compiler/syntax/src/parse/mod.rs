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

mod balancer;
mod brackets;
mod conflict;
mod declaration_heads;
mod depth;
mod doubtful;
mod error;
mod expected;
pub mod form_tokens;
mod grammar;
mod lexeme;
mod lexer;
mod message;
mod number;
mod pending_keywords;
#[cfg(test)]
mod tests;
pub mod text;
pub mod token;

use std::collections::{BTreeMap, BTreeSet};

use chumsky::Parser as _;
use chumsky::input::Input as _;

use self::brackets::{Chunk, ChunkKind};
use self::error::SyntaxError;
use self::expected::{Expected, ExpectedItem, ParseError};
use self::grammar::{ModuleHead, Parse};
pub use self::lexeme::{Lexeme, LexemeKind, lexemes};
use self::token::{Keyword, Opening, Token};
use crate::ast;
use crate::ast::{Decl, ModuleDef, ModuleExpr, UnparsedRegions};
use crate::diagnostics;
use crate::diagnostics::Diagnostic;
use crate::ids::FileId;
use crate::names::Name;
use crate::source::{Sources, Span};

/// The words that cannot be names.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    token::KEYWORDS.into_iter().map(|(word, _)| word)
}

/// The declarations of a file, and the mistakes in it in the order of their places.
#[must_use]
pub fn parse(sources: &Sources, file: FileId) -> (ast::File, Vec<Diagnostic>) {
    let source = sources.get(file);
    let (tree, found) = parse_text(&source.text, file);
    let is_in_order = source.path.ends_with(".fut");
    (ast::File { is_library: source.is_library, is_in_order, ..tree }, found)
}

/// [`parse`] of a text that stands for the content of `file`, which the user can change.
pub fn parse_text(text: &str, file: FileId) -> (ast::File, Vec<Diagnostic>) {
    let lexed = lexer::lex(text, file);
    let place = |at: usize| lexed.tokens.get(at).map(|(_, span)| span.start);
    let docs = lexed.docs.into_iter().filter_map(|(at, doc)| Some((place(at)?, doc))).collect();
    let TokensRead { mut errors, decls, mut gaps, doubts, mut garbage } =
        read_tokens(&lexed.tokens, &docs, text, lexed.errors);
    gaps.doubt(doubts);
    // An error at the beginning of such text stands for all of it. Where a bracket was wrong, only the bracket was
    // reported.
    let told: BTreeSet<u32> = errors.iter().map(|error| error.place().start).collect();
    garbage.retain(|span| told.contains(&span.start));
    let is_garbage = |at: Span| {
        let next = garbage.partition_point(|span| span.end <= at.start);
        garbage.get(next).is_some_and(|span| span.start < at.start)
    };
    errors.retain(|error| !is_garbage(error.place()));
    let mut diagnostics = errors.into_iter().map(Diagnostic::from).collect();
    diagnostics::sort(&mut diagnostics);
    (ast::File { id: file, decls, gaps, is_library: false, is_in_order: false }, diagnostics)
}

/// What tokens were read as.
struct TokensRead {
    decls: Vec<Decl>,
    errors: Vec<SyntaxError>,
    gaps: UnparsedRegions,
    /// The places whose reading is doubtful.
    doubts: Vec<Span>,
    /// Text in the place of a declaration. Only one error is reported about it.
    garbage: Vec<Span>,
}

/// The declarations in the tokens of a file, or in those between the braces of a module.
fn read_tokens<'src>(
    tokens: &[(Token<'src>, Span)],
    docs: &BTreeMap<u32, String>,
    text: &'src str,
    errors: Vec<SyntaxError>,
) -> TokensRead {
    let balanced = brackets::balance(tokens, text);
    let grammar = grammar::grammar();
    let mut reader = DeclarationParser {
        text,
        docs,
        declaration: grammar::declaration(&grammar),
        module_head: grammar::module_head(&grammar),
        reported: errors.iter().map(|error| error.place().start).collect(),
        decls: Vec::new(),
        modules: Vec::new(),
        out: TokensRead {
            decls: Vec::new(),
            errors,
            gaps: UnparsedRegions::default(),
            doubts: Vec::new(),
            garbage: Vec::new(),
        },
    };
    doubtful::mark_stray_lines(&reader.out.errors, text, &mut reader.out.doubts);
    for chunk in balanced.chunks {
        reader.chunk(chunk, &balanced.tokens);
    }
    let DeclarationParser { out, decls, .. } = reader;
    TokensRead { decls, ..out }
}

/// Makes declarations of the parts of a file.
struct DeclarationParser<'tok, 'src> {
    text: &'src str,
    /// The text of each `-- |` comment, by the place of the token that follows it.
    docs: &'tok BTreeMap<u32, String>,
    declaration: Parse<'tok, 'src, Option<Decl>>,
    module_head: Parse<'tok, 'src, ModuleHead>,
    /// Where something is reported.
    reported: BTreeSet<u32>,
    /// The declarations of the innermost module, or of the file.
    decls: Vec<Decl>,
    /// The modules around, and the declarations before each.
    modules: Vec<(Option<ModuleHead>, Option<String>, Vec<Decl>)>,
    /// What was read, except the declarations.
    out: TokensRead,
}

impl<'tok, 'src: 'tok> DeclarationParser<'tok, 'src> {
    fn chunk(&mut self, chunk: Chunk, tokens: &'tok [(Token<'src>, Span)]) {
        let tokens = &tokens[chunk.tokens.clone()];
        let first = tokens.first().map(|(_, span)| span.start);
        let doc = first.and_then(|first| self.docs.get(&first).cloned());
        let found = match chunk.part {
            ChunkKind::Declaration => {
                return self.declaration(chunk, tokens, doc);
            }
            ChunkKind::Begin => {
                let (head, errors) = read_all(&self.module_head, tokens);
                if head.is_none() {
                    self.skipped(tokens);
                }
                self.modules.push((head, doc, std::mem::take(&mut self.decls)));
                errors
            }
            ChunkKind::End => {
                self.end_module(tokens.first().map(|(_, span)| *span));
                Vec::new()
            }
        };
        self.errors(chunk.errors, found, tokens);
    }

    /// A declaration. If it has mistakes, a line that stands as far to the left as it does, and can only
    /// be an argument of what stands above, is taken for something else.
    fn declaration(
        &mut self,
        chunk: Chunk,
        tokens: &'tok [(Token<'src>, Span)],
        doc: Option<String>,
    ) {
        let (mut tokens, mut rest) = (tokens, [].as_slice());
        let (mut decl, mut found) = read(&self.declaration, tokens);
        if let Some(line) = chunk.line.filter(|_| !found.is_empty()) {
            (tokens, rest) = tokens.split_at(line - chunk.tokens.start);
            (decl, found) = read(&self.declaration, tokens);
        }
        if decl.is_none() {
            self.skipped(tokens);
            let places = tokens.first().zip(tokens.last()).filter(|_| !begins(tokens));
            self.out.garbage.extend(places.map(|((_, first), (_, last))| first.to(*last)));
        }
        if let Some(decl) = &mut decl {
            self.fill(decl, tokens);
        }
        self.decls.extend(decl.map(|decl| with_doc(decl, doc)));
        self.errors(chunk.errors, found, tokens);
        if !rest.is_empty() {
            self.declaration(Chunk { errors: Vec::new(), line: None, ..chunk }, rest, None);
        }
    }

    /// Reads the declarations between braces in the module expression of a declaration.
    fn fill(&mut self, decl: &mut Decl, tokens: &[(Token<'src>, Span)]) {
        match decl {
            Decl::Module(def) => self.fill_module(&mut def.body, tokens),
            Decl::Open(open) => self.fill_module(&mut open.module, tokens),
            Decl::Local(local) => self.fill(&mut local.decl, tokens),
            Decl::Def(_) | Decl::Type(_) | Decl::ModuleType(_) | Decl::Import(_) => {}
        }
    }

    fn fill_module(&mut self, module: &mut ModuleExpr, tokens: &[(Token<'src>, Span)]) {
        match module {
            ModuleExpr::Name(_) | ModuleExpr::Import(_) | ModuleExpr::Error(_) => {}
            ModuleExpr::Apply(function, given, _) => {
                self.fill_module(function, tokens);
                self.fill_module(given, tokens);
            }
            ModuleExpr::Ascribe(module, ..) | ModuleExpr::Function(_, _, module, _) => {
                self.fill_module(module, tokens);
            }
            ModuleExpr::Body(decls, span) => {
                let first = tokens.partition_point(|(_, at)| at.start <= span.start);
                let last = tokens.partition_point(|(_, at)| at.end < span.end);
                let inside = &tokens[first..last.max(first)];
                let read = read_tokens(inside, self.docs, self.text, Vec::new());
                *decls = read.decls;
                self.out.errors.extend(read.errors);
                self.out.gaps.join(read.gaps);
                self.out.doubts.extend(read.doubts);
                self.out.garbage.extend(read.garbage);
            }
        }
    }

    /// Keeps the mistakes of a part: those of its brackets, and what was found by reading it.
    fn errors(
        &mut self,
        brackets: Vec<SyntaxError>,
        found: Vec<ParseError>,
        tokens: &[(Token<'_>, Span)],
    ) {
        if tokens.is_empty() {
            // Nothing is known of expressions that are nested too deeply.
            let is_lost = |error: &SyntaxError| matches!(error, SyntaxError::TooDeep { .. });
            self.out.gaps.any_name |= brackets.iter().any(is_lost);
            return self.out.errors.extend(brackets);
        }
        let mut errors = Vec::new();
        for error in found {
            if let ParseError::Skipped(span) = error {
                let inside = |(_, at): &&(_, Span)| span.start <= at.start && at.end <= span.end;
                self.skipped(tokens.iter().filter(inside));
            } else {
                errors.extend(syntax_error(error, self.text));
            }
        }
        doubtful::mark_doubtful(brackets.iter().chain(&errors), tokens, &mut self.out.doubts);
        // Where a bracket is wrong, a second report would only be about the consequences of the first one.
        let is_balanced = brackets.iter().all(SyntaxError::is_put_right);
        self.out.errors.extend(brackets);
        if is_balanced {
            // Where a phrase was skipped, the phrase around it may stumble over the same token.
            let reported = &mut self.reported;
            self.out
                .errors
                .extend(errors.into_iter().filter(|error| reported.insert(error.place().start)));
        }
    }

    /// Notes the names in tokens that became no declaration.
    fn skipped<'t>(&mut self, tokens: impl IntoIterator<Item = &'t (Token<'t>, Span)>) {
        for (token, _) in tokens {
            if let Token::Name(name) | Token::Constructor(name) = token {
                self.out.gaps.words.insert(Name::new(name));
            } else if let Token::Keyword(Keyword::Open | Keyword::Import) = token {
                self.out.gaps.any_name = true;
            }
        }
    }

    /// A module ends, at its brace if it has one.
    fn end_module(&mut self, brace: Option<Span>) {
        let (head, doc, before) = self.modules.pop().expect("a module ends that has begun");
        let decls = std::mem::replace(&mut self.decls, before);
        // A head that could not be read is reported, and the module's declarations are dropped: nothing could name
        // them.
        let Some(head) = head else { return };
        let ModuleHead { is_local, name, params, ascription, span, brace: open } = head;
        let last = brace.or(decls.last().map(Decl::span)).unwrap_or(open);
        let place = open.to(last);
        let body = ModuleExpr::Body(decls, place);
        let span = span.to(last);
        let start = name.span.start;
        let decl = ModuleDef { doc, name, params, ascription, body, span };
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
) -> (Option<Decl>, Vec<ParseError>) {
    let Some((_, at)) = tokens.first() else { return (None, Vec::new()) };
    if !begins(tokens) {
        if let Some((Token::Keyword(Keyword::Let), _)) = tokens.first() {
            return (None, vec![ParseError::Known(SyntaxError::BodyAlone { at: *at })]);
        }
        let expected = Expected::only(ExpectedItem::Declaration);
        return (None, vec![ParseError::Unexpected { at: *at, expected }]);
    }
    let (decl, errors) = read_all(declaration, tokens);
    (decl.flatten(), errors)
}

/// Whether a declaration begins with the first of these tokens.
fn begins(tokens: &[(Token<'_>, Span)]) -> bool {
    match tokens.first() {
        Some((Token::Keyword(keyword), _)) => keyword.begins_declaration(),
        Some((token, _)) => *token == Token::Open(Opening::Attribute),
        None => false,
    }
}

/// Reads tokens, at least one.
fn read_all<'tok, 'src: 'tok, O>(
    parser: &Parse<'tok, 'src, O>,
    tokens: &'tok [(Token<'src>, Span)],
) -> (Option<O>, Vec<ParseError>) {
    let (_, last) = tokens.last().expect("a part of a file that is read has tokens");
    let end = Span { start: last.end, ..*last };
    parser.parse(tokens.split_token_span(end)).into_output_errors()
}

/// The mistake that an error stands for; none if it stands for skipped text only.
fn syntax_error(error: ParseError, text: &str) -> Option<SyntaxError> {
    Some(match error {
        ParseError::Unexpected { at, expected } => {
            SyntaxError::unexpected(at, text_at(text, at), expected)
        }
        ParseError::Known(error) => error,
        ParseError::Skipped(_) => return None,
    })
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
        Decl::ModuleType(def) => Decl::ModuleType(ast::ModuleTypeDef { doc, ..def }),
        Decl::Local(ast::Local { decl, span }) => {
            Decl::Local(ast::Local { decl: Box::new(with_doc(*decl, doc)), span })
        }
        decl @ (Decl::Open(_) | Decl::Import(_)) => decl,
    }
}

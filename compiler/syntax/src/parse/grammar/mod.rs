//! The grammar, from tokens to the tree: one file a part of the language.
//!
//! Invariant: an expression always succeeds. One with a mistake in it is reported, skipped up to
//! where an expression must end, and stands in the tree as an error; what comes before and after it
//! is read as usual. Choices are decided by the next one or two tokens, so that reading takes time
//! linear in the text; phrases that repeat are lists here and become nested afterwards, so that long
//! ones need no deep stack.
//!
//! ```text
//! let a = 1 + let b = (2 3,) in c   ⇒   two reports, and let a = error let b = error in c
//! ```

mod atoms;
mod attributes;
mod declarations;
mod expressions;
mod infix;
mod lets;
mod loops;
mod matches;
mod module_types;
mod modules;
mod paths;
mod patterns;
mod types;
mod withs;

use chumsky::input::MappedInput;
use chumsky::prelude::*;
use chumsky::primitive::select;

pub(super) use declarations::declaration;
pub(super) use expressions::grammar;
pub(super) use modules::{ModuleHead, module_head};

use super::expected::{ExpectedItem, ParseError};
use super::token::{Bracket, Keyword, Opening, Token};
use crate::ast::operators::is_word;
use crate::ast::{Expr, ExprKind, Ident, QualName};
use crate::ids::FileId;
use crate::names::Name;
use crate::source::Span;

/// What the grammar reads.
pub(super) type Tokens<'tok, 'src> =
    MappedInput<'tok, Token<'src>, Span, &'tok [(Token<'src>, Span)]>;

/// A parser of `O`s. Boxed, so that the compiler has no giant types to chew on.
pub(super) type Parse<'tok, 'src, O> =
    Boxed<'tok, 'tok, Tokens<'tok, 'src>, O, extra::Err<ParseError>>;

impl chumsky::span::Span for Span {
    type Context = FileId;
    type Offset = u32;

    /// The span of an empty phrase reaches from the next token back to the last one: it is made
    /// empty, behind the last one.
    fn new(file: FileId, range: std::ops::Range<u32>) -> Self {
        Self::new(file, range.start.min(range.end), range.end)
    }

    fn context(&self) -> FileId {
        self.file
    }

    fn start(&self) -> u32 {
        self.start
    }

    fn end(&self) -> u32 {
        self.end
    }
}

/// A token, named in messages.
pub(super) fn sign<'tok, 'src: 'tok>(token: Token<'src>) -> Parse<'tok, 'src, Span> {
    just(token).map_with(|_, e| e.span()).boxed()
}

/// A token that messages do not name, since it is possible in most places.
pub(super) fn quiet_sign<'tok, 'src: 'tok>(token: Token<'src>) -> Parse<'tok, 'src, Span> {
    token_that(move |found| found == token).map_with(|(), e| e.span()).boxed()
}

/// A token that fits. (With `any().filter(…)`, chumsky takes the failure for one behind the token,
/// and forgets what else could stand in its place.)
fn token_that<'tok, 'src: 'tok>(
    fits: impl Fn(Token<'src>) -> bool + Clone + 'tok,
) -> impl Parser<'tok, Tokens<'tok, 'src>, (), extra::Err<ParseError>> + Clone + 'tok {
    select(move |token, _| fits(token).then_some(()))
}

pub(super) fn keyword<'tok, 'src: 'tok>(keyword: Keyword) -> Parse<'tok, 'src, Span> {
    sign(Token::Keyword(keyword))
}

/// `[`, whatever is before it.
pub(super) fn open_square<'tok, 'src: 'tok>() -> Parse<'tok, 'src, ()> {
    token_that(|token| matches!(token, Token::Open(Opening::Square | Opening::Index))).boxed()
}

pub(super) fn ident<'tok, 'src: 'tok>(what: ExpectedItem) -> Parse<'tok, 'src, Ident> {
    select! { Token::Name(name) = e => ident_at(name, e.span()) }.labelled(what).boxed()
}

/// A name that messages do not mention.
fn quiet_ident<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Ident> {
    select! { Token::Name(name) = e => ident_at(name, e.span()) }.boxed()
}

/// The name of a field: a name, or a number in a tuple.
fn field<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Ident> {
    let name =
        select! { Token::Name(name) | Token::FieldNumber(name) = e => ident_at(name, e.span()) };
    name.labelled(ExpectedItem::Field).boxed()
}

/// `#some`: the name without its mark, at the place of the whole.
fn constructor<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Ident> {
    select! { Token::Constructor(name) = e => ident_at(name, e.span()) }.boxed()
}

/// `M.N.x`, with a name read by `ident`.
fn qual_name<'tok, 'src: 'tok>(ident: Parse<'tok, 'src, Ident>) -> Parse<'tok, 'src, QualName> {
    let path = ident.separated_by(quiet_sign(Token::Dot)).at_least(1).collect::<Vec<_>>();
    path.map(|mut quals| {
        let name = quals.pop().expect("the path has at least one name");
        QualName { quals, name }
    })
    .boxed()
}

/// A sign or a name in backquotes, with its qualifiers.
fn qual_operator<'tok, 'src: 'tok>() -> Parse<'tok, 'src, QualName> {
    let path = select! {
        Token::Operator(path) | Token::Backquoted(path) | Token::QualOperator(path) = e => {
            path_at(path, e.span())
        }
    };
    path.labelled(ExpectedItem::Operator).boxed()
}

/// The parts of a path that is one token, which may stand in backquotes.
fn path_at(path: &str, span: Span) -> QualName {
    let quotes = span.end - span.start - u32::try_from(path.len()).expect("spans are 32 bits");
    let mut start = span.start + quotes / 2;
    let mut quals = Vec::new();
    let mut rest = path;
    // A dot before the sign ends a qualifier; a dot in the sign is none.
    while let Some((qual, more)) = rest.split_once('.').filter(|_| is_word(rest)) {
        let end = start + u32::try_from(qual.len()).expect("spans are 32 bits");
        quals.push(ident_at(qual, Span { start, end, ..span }));
        (start, rest) = (end + 1, more);
    }
    // A name without qualifiers has the place of the whole, quotes included.
    let span =
        if quals.is_empty() { span } else { Span { start, end: span.end - quotes / 2, ..span } };
    QualName { quals, name: ident_at(rest, span) }
}

/// A sign or a name in backquotes.
fn operator<'tok, 'src: 'tok>() -> Parse<'tok, 'src, Ident> {
    let name =
        select! { Token::Operator(name) | Token::Backquoted(name) = e => ident_at(name, e.span()) };
    name.labelled(ExpectedItem::Operator).boxed()
}

fn ident_at(name: &str, span: Span) -> Ident {
    Ident { name: Name::new(name), span }
}

/// Whether an expression must have ended before `token`, wherever it stands.
fn stops(token: Token<'_>) -> bool {
    match token {
        Token::Close(_) | Token::Comma | Token::Semicolon => true,
        Token::Keyword(keyword) => {
            matches!(
                keyword,
                Keyword::Let
                    | Keyword::In
                    | Keyword::Then
                    | Keyword::Else
                    | Keyword::For
                    | Keyword::While
                    | Keyword::Do
                    | Keyword::Case
            )
        }
        Token::Name(_)
        | Token::TypeVar(_)
        | Token::Constructor(_)
        | Token::Operator(_)
        | Token::Backquoted(_)
        | Token::QualOperator(_)
        | Token::Text(_)
        | Token::Hole
        | Token::Literal(_)
        | Token::FieldNumber(_)
        | Token::Open(_)
        | Token::Colon
        | Token::Coerce
        | Token::Dot
        | Token::Step
        | Token::Range(_)
        | Token::Equals
        | Token::Arrow
        | Token::Backslash
        | Token::Bang
        | Token::Question
        | Token::Underscore
        | Token::Bad => false,
    }
}

/// Succeeds, and reads nothing, before a token that [`stops`] and at the end.
fn stop<'tok, 'src: 'tok>() -> Parse<'tok, 'src, ()> {
    token_that(stops).or(end()).rewind().boxed()
}

/// One bracket with all that is in it.
fn bracketed<'tok, 'src: 'tok>() -> Parse<'tok, 'src, ()> {
    recursive(|bracketed| {
        let other = token_that(|token| !matches!(token, Token::Open(_) | Token::Close(_)));
        token_that(|token| matches!(token, Token::Open(_)))
            .then(bracketed.or(other).repeated())
            .then(token_that(|token| matches!(token, Token::Close(_))))
            .ignored()
    })
    .boxed()
}

/// Skips tokens, brackets as a whole, as long as they fit.
fn skip_while<'tok, 'src: 'tok>(fits: fn(Token<'_>) -> bool) -> Parse<'tok, 'src, ()> {
    let token =
        token_that(move |token| !matches!(token, Token::Open(_) | Token::Close(_)) && fits(token));
    skipped(bracketed().or(token).repeated())
}

/// Skips all that is left.
fn skip_rest<'tok, 'src: 'tok>() -> Parse<'tok, 'src, ()> {
    skipped(any().repeated())
}

/// Reports the text that `parser` reads as skipped.
fn skipped<'tok, 'src: 'tok>(
    parser: impl Parser<'tok, Tokens<'tok, 'src>, (), extra::Err<ParseError>> + Clone + 'tok,
) -> Parse<'tok, 'src, ()> {
    parser.validate(|(), e, emitter| emitter.emit(ParseError::Skipped(e.span()))).boxed()
}

/// Error recovery: an expression that cannot fail. A mistake in it, or behind it where it should have ended, is
/// reported, and an error stands for all of it.
fn with_recovery<'tok, 'src: 'tok>(
    expr: impl Parser<'tok, Tokens<'tok, 'src>, Expr, extra::Err<ParseError>> + Clone + 'tok,
) -> Parse<'tok, 'src, Expr> {
    let skip = skip_while(|token| !stops(token))
        .map_with(|(), e| Expr { kind: ExprKind::Error, span: e.span() });
    expr.then_ignore(stop()).recover_with(via_parser(skip)).boxed()
}

/// The closing bracket. Tokens before it that cannot stand there are reported and skipped.
fn close<'tok, 'src: 'tok>(bracket: Bracket) -> Parse<'tok, 'src, ()> {
    let close = sign(Token::Close(bracket)).ignored();
    close.clone().recover_with(via_parser(skip_while(|_| true).then(close).ignored())).boxed()
}

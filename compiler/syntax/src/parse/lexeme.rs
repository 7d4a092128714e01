//! The pieces of a text as the lexer cuts them, with those that mean nothing in Arr.
//!
//! Invariant: pieces ascend and do not overlap; every closing bracket knows its opening one and the other
//! way round, where they match.
//!
//! ```text
//! x ? f(y) : 0   ⇒   Name(x) Other(?) Name(f) Open Name(y) Close Other(:) Number(0)
//! ```

use super::error::SyntaxError;
use super::lexer;
use super::token::{Opening, Token};
use crate::ast::Literal;
use crate::ids::FileId;
use crate::source::Span;

/// A piece of a text.
#[derive(Clone, Copy, Debug)]
pub struct Lexeme {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: LexemeKind,
    /// The index of the bracket that belongs to this one.
    pub partner: Option<usize>,
}

/// What a piece of a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LexemeKind {
    /// `x`.
    Name,
    /// `let`.
    Keyword,
    /// `1.5`.
    Number,
    /// `true`, `"abc"`, `#some`: another operand.
    Value,
    /// `+`.
    Operator,
    /// `(`, `[` or `{` where an operand begins.
    Open,
    /// `[` right behind an operand, or `#[`.
    OpenIndex,
    /// `)`, `]` or `}`.
    Close,
    /// Anything else.
    Other,
}

impl LexemeKind {
    /// Whether an operand can begin with it.
    pub fn begins_operand(self) -> bool {
        matches!(self, Self::Name | Self::Number | Self::Value | Self::Open)
    }

    /// Whether an operand can end with it.
    pub fn ends_operand(self) -> bool {
        matches!(self, Self::Name | Self::Number | Self::Value | Self::Close)
    }
}

/// The pieces of `text`, which is the content of `file`.
pub fn lexemes(text: &str, file: FileId) -> Vec<Lexeme> {
    let lexed = lexer::lex(text, file);
    let strays = lexed.errors.iter().filter_map(|error| {
        if let SyntaxError::Stray { at, .. } = error {
            Some((*at, LexemeKind::Other))
        } else {
            None
        }
    });
    let tokens = lexed.tokens.iter().map(|(token, span)| (*span, kind(*token)));
    let mut pieces: Vec<(Span, LexemeKind)> = tokens.chain(strays).collect();
    pieces.sort_by_key(|(span, _)| span.start);
    pieces.dedup_by_key(|(span, _)| span.start);
    let lexeme = |(span, kind)| Lexeme { span, kind, partner: None };
    let mut lexemes: Vec<Lexeme> = pieces.into_iter().map(lexeme).collect();
    let mut open: Vec<usize> = Vec::new();
    for at in 0..lexemes.len() {
        let kind = lexemes[at].kind;
        if matches!(kind, LexemeKind::Open | LexemeKind::OpenIndex) {
            open.push(at);
        } else if kind == LexemeKind::Close
            && let Some(begin) = open.pop()
        {
            lexemes[begin].partner = Some(at);
            lexemes[at].partner = Some(begin);
        }
    }
    lexemes
}

fn kind(token: Token<'_>) -> LexemeKind {
    match token {
        Token::Name(_) => LexemeKind::Name,
        Token::Keyword(_) => LexemeKind::Keyword,
        Token::Literal(Literal::Int(..) | Literal::Float(..)) | Token::FieldNumber(_) => {
            LexemeKind::Number
        }
        Token::Literal(Literal::Bool(_))
        | Token::Constructor(_)
        | Token::Text(_)
        | Token::Hole
        | Token::Underscore
        | Token::Bad => LexemeKind::Value,
        Token::Operator(_) | Token::Backquoted(_) | Token::QualOperator(_) | Token::Bang => {
            LexemeKind::Operator
        }
        Token::Open(Opening::Round | Opening::Square | Opening::Curly) => LexemeKind::Open,
        Token::Open(Opening::Index | Opening::Attribute) => LexemeKind::OpenIndex,
        Token::Close(_) => LexemeKind::Close,
        Token::TypeVar(_)
        | Token::Comma
        | Token::Semicolon
        | Token::Colon
        | Token::Coerce
        | Token::Dot
        | Token::Step
        | Token::Range(_)
        | Token::Equals
        | Token::Arrow
        | Token::Backslash
        | Token::Question => LexemeKind::Other,
    }
}

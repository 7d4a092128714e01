//! What could stand at a place, in words; and chumsky's errors as sets of such words.
//!
//! Invariant: merging errors of one place joins their sets, so no alternative is lost and none is
//! named twice.
//!
//! ```text
//! {Expression} ∪ {Close}   ⇒   "an expression"
//! ```

use chumsky::DefaultExpected;
use chumsky::error::{Error, LabelError};
use chumsky::util::MaybeRef;

use super::error::SyntaxError;
use super::grammar::Tokens;
use super::token::{Bracket, Keyword, Token};
use crate::source::Span;

/// A thing that could stand at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum ExpectedItem {
    /// `def`, `entry` or `type`.
    Declaration,
    /// The name that a declaration or a type parameter binds.
    Name,
    /// The name of a field, or a number.
    Field,
    /// A pattern after `let`.
    Pattern,
    /// A pattern after the name of a function.
    Parameter,
    /// A type.
    Type,
    /// An expression or an operand.
    Expression,
    /// An infix operator.
    Operator,
    /// An argument of an application.
    Argument,
    /// `=`.
    Equals,
    /// `->`.
    Arrow,
    /// `:`.
    Colon,
    /// `.`.
    Dot,
    /// `,`.
    Comma,
    /// `[`.
    OpenSquare,
    /// `{`.
    OpenCurly,
    /// `)`.
    CloseRound,
    /// `]`.
    CloseSquare,
    /// `}`.
    CloseCurly,
    /// `then`.
    Then,
    /// A path in quotes.
    Path,
    /// A module.
    Module,
    /// A module type.
    ModuleType,
    /// An item of a module type.
    ModuleItem,
    /// An attribute.
    Attribute,
    /// `case`.
    Case,
    /// `for` or `while`.
    LoopForm,
    /// `<` or `in`, behind `for`.
    ForBound,
    /// `do`.
    Do,
    /// A generator.
    Generator,
    /// `(`, behind an operation of a with-loop.
    OpenRound,
    /// `<` or `<=`, in a generator.
    Below,
    /// `genarray`, `modarray` or `fold`.
    Operation,
}

impl ExpectedItem {
    const ALL: [Self; 33] = [
        Self::Declaration,
        Self::Name,
        Self::Field,
        Self::Pattern,
        Self::Parameter,
        Self::Type,
        Self::Expression,
        Self::Operator,
        Self::Argument,
        Self::Equals,
        Self::Arrow,
        Self::Colon,
        Self::Dot,
        Self::Comma,
        Self::OpenSquare,
        Self::OpenCurly,
        Self::CloseRound,
        Self::CloseSquare,
        Self::CloseCurly,
        Self::Then,
        Self::Path,
        Self::Module,
        Self::ModuleType,
        Self::ModuleItem,
        Self::Attribute,
        Self::Case,
        Self::LoopForm,
        Self::ForBound,
        Self::Do,
        Self::Generator,
        Self::OpenRound,
        Self::Below,
        Self::Operation,
    ];

    fn words(self) -> &'static str {
        match self {
            Self::Declaration => "a declaration (`def`, `entry` or `type`)",
            Self::Name => "a name",
            Self::Field => "a field's name",
            Self::Pattern => "a pattern",
            Self::Parameter => "a parameter",
            Self::Type => "a type",
            Self::Expression => "an expression",
            Self::Operator => "an operator",
            Self::Argument => "an argument",
            Self::Equals => "`=`",
            Self::Arrow => "`->`",
            Self::Colon => "`:`",
            Self::Dot => "`.`",
            Self::Comma => "`,`",
            Self::OpenSquare => "`[`",
            Self::OpenCurly => "`{`",
            Self::CloseRound => "`)`",
            Self::CloseSquare => "`]`",
            Self::CloseCurly => "`}`",
            Self::Then => "`then`",
            Self::Path => "a path in quotes",
            Self::Module => "a module",
            Self::ModuleType => "a module type",
            Self::ModuleItem => "`val`, `type`, `module` or `include`",
            Self::Attribute => "an attribute",
            Self::Case => "`case`",
            Self::LoopForm => "`for` or `while`",
            Self::ForBound => "`<` or `in`",
            Self::Do => "`do`",
            Self::Generator => "a generator",
            Self::OpenRound => "`(`",
            Self::Below => "`<` or `<=`",
            Self::Operation => "`genarray`, `modarray` or `fold`",
        }
    }

    /// What chumsky expects when it expects just this token.
    fn from_token(token: Token<'_>) -> Option<Self> {
        Some(match token {
            Token::Name(_) => Self::Name,
            Token::Equals => Self::Equals,
            Token::Arrow => Self::Arrow,
            Token::Colon => Self::Colon,
            Token::Dot => Self::Dot,
            Token::Comma => Self::Comma,
            Token::Close(Bracket::Round) => Self::CloseRound,
            Token::Close(Bracket::Square) => Self::CloseSquare,
            Token::Close(Bracket::Curly) => Self::CloseCurly,
            Token::Keyword(Keyword::Then) => Self::Then,
            Token::Keyword(Keyword::Case) => Self::Case,
            Token::Keyword(Keyword::For | Keyword::While) => Self::LoopForm,
            Token::Keyword(Keyword::Do) => Self::Do,
            Token::Operator(_) | Token::Backquoted(_) | Token::QualOperator(_) => Self::Operator,
            Token::Keyword(_)
            | Token::TypeVar(_)
            | Token::Constructor(_)
            | Token::Literal(_)
            | Token::FieldNumber(_)
            | Token::Open(_)
            | Token::Semicolon
            | Token::Coerce
            | Token::Step
            | Token::Range(_)
            | Token::Backslash
            | Token::Bang
            | Token::Question
            | Token::Underscore
            | Token::Text(_)
            | Token::Hole
            | Token::Bad => return None,
        })
    }
}

/// A set of things that could stand at a place.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Expected(u64);

impl Expected {
    /// The set of `what` alone.
    pub(super) fn only(what: ExpectedItem) -> Self {
        Self(1 << what as u64)
    }

    /// Whether `what` could stand there.
    pub(super) fn has(self, what: ExpectedItem) -> bool {
        self.0 & Self::only(what).0 != 0
    }

    fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The things in words, joined by commas and an "or"; none if there is nothing to say.
    pub(super) fn words(self) -> Option<String> {
        let words: Vec<&str> = ExpectedItem::ALL
            .into_iter()
            .filter(|&what| self.has(what))
            .map(ExpectedItem::words)
            .collect();
        let (last, first) = words.split_last()?;
        if first.is_empty() {
            return Some((*last).to_owned());
        }
        Some(format!("{} or {last}", first.join(", ")))
    }
}

impl FromIterator<ExpectedItem> for Expected {
    fn from_iter<I: IntoIterator<Item = ExpectedItem>>(iter: I) -> Self {
        iter.into_iter().fold(Self::default(), |set, what| set.union(Self::only(what)))
    }
}

/// An error inside the token parser: the token that it met, or a mistake that the grammar knows by name.
#[derive(Clone, Debug)]
pub(super) enum ParseError {
    /// Something else could stand there.
    Unexpected {
        /// The token that was met, or the end of the declaration.
        at: Span,
        /// What could stand there.
        expected: Expected,
    },
    /// A mistake that has its own explanation.
    Known(SyntaxError),
    /// No mistake: the text that was skipped because of one.
    Skipped(Span),
}

impl<'tok, 'src: 'tok> Error<'tok, Tokens<'tok, 'src>> for ParseError {
    fn merge(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unexpected { at, expected }, Self::Unexpected { expected: more, .. }) => {
                Self::Unexpected { at, expected: expected.union(more) }
            }
            (Self::Unexpected { .. } | Self::Skipped(_), known) => known,
            (known @ Self::Known(_), _) => known,
        }
    }
}

impl<'tok, 'src: 'tok> LabelError<'tok, Tokens<'tok, 'src>, DefaultExpected<'tok, Token<'src>>>
    for ParseError
{
    fn expected_found<E: IntoIterator<Item = DefaultExpected<'tok, Token<'src>>>>(
        expected: E,
        _found: Option<MaybeRef<'tok, Token<'src>>>,
        at: Span,
    ) -> Self {
        let expected = expected.into_iter().filter_map(|one| {
            if let DefaultExpected::Token(token) = one {
                ExpectedItem::from_token(*token)
            } else {
                None
            }
        });
        let expected = expected.collect();
        Self::Unexpected { at, expected }
    }
}

impl<'tok, 'src: 'tok> LabelError<'tok, Tokens<'tok, 'src>, ExpectedItem> for ParseError {
    fn expected_found<E: IntoIterator<Item = ExpectedItem>>(
        expected: E,
        _found: Option<MaybeRef<'tok, Token<'src>>>,
        at: Span,
    ) -> Self {
        Self::Unexpected { at, expected: expected.into_iter().collect() }
    }

    fn label_with(&mut self, label: ExpectedItem) {
        match self {
            Self::Unexpected { expected, .. } => *expected = Expected::only(label),
            Self::Known(_) | Self::Skipped(_) => {}
        }
    }
}

//! Mistakes in the text.
//!
//! Invariant: each mistake has one place, so that it is reported once.
//!
//! ```text
//! def f (x: i64) x + 1   ⇒   MissingEquals at `+`
//! ```

use super::expected::{Expected, ExpectedItem};
use super::number::NumberProblem;
use super::pending_keywords::AwaitedKeyword;
use super::token::Bracket;
use crate::source::Span;

/// A mistake in the text.
#[derive(Clone, Debug)]
pub(super) enum SyntaxError {
    /// Something that cannot stand there.
    Unexpected {
        /// Where.
        at: Span,
        /// The text of the token; none at the end of the declaration.
        found: Option<String>,
        /// What could stand there.
        expected: Expected,
    },
    /// `let … in …` in the place of a declaration.
    BodyAlone {
        /// The first word.
        at: Span,
    },
    /// A line that is meant as a definition and has no word before it.
    DefinitionWithoutWord {
        /// The name.
        at: Span,
    },
    /// A bracket that nothing closes.
    Unclosed {
        /// The opening bracket.
        open: Span,
        /// Its shape.
        bracket: Bracket,
        /// Where it was noticed.
        noticed: Span,
        /// What stands there.
        by: UnclosedEvidence,
        /// Where the closing bracket belongs, if that is likely enough to be suggested.
        close: Option<Span>,
    },
    /// A word is missing, and the lines show where it belongs.
    MissingWord {
        /// The word.
        word: AwaitedKeyword,
        /// The word that waits for it.
        begin: Span,
        /// The end of the token before it.
        at: Span,
        /// What stands behind it.
        next: Span,
    },
    /// Two versions of some lines, between the marks of a version control system.
    Conflict {
        /// The mark before the first version.
        first: Span,
        /// The mark between them.
        between: Span,
        /// The mark behind the second one.
        last: Span,
    },
    /// `"""`, which begins a comment or a text elsewhere.
    ThreeQuotes {
        /// All of it.
        at: Span,
        /// Whether it is a comment: nothing stands before it in its line.
        is_comment: bool,
        /// The edits that make it a comment or a text of Arr, if they are known.
        edits: Vec<(Span, &'static str)>,
    },
    /// Brackets in a row that close nothing.
    Unopened {
        /// The first one.
        at: Span,
        /// Its shape.
        bracket: Bracket,
        /// Those behind it, with their shapes.
        more: Vec<(Span, Bracket)>,
    },
    /// A malformed number.
    Number {
        /// Where.
        at: Span,
        /// Its error.
        problem: NumberProblem,
    },
    /// A character that begins no token.
    Stray {
        /// Where.
        at: Span,
        /// The character.
        found: char,
    },
    /// A text that nothing closes in its line.
    OpenText {
        /// From the quote to the end of the line.
        at: Span,
    },
    /// A backslash in a text that means nothing.
    Escape {
        /// Where.
        at: Span,
        /// The backslash, and the character behind it.
        escape: String,
    },
    /// Brackets, operators or `let`s stand in one another more often than the compiler follows.
    TooDeep {
        /// Where the limit was reached.
        at: Span,
    },
    /// A `let` without `in`.
    LetWithoutBody {
        /// The word `let`.
        binding: Span,
        /// Where the body should begin.
        at: Span,
    },
    /// A definition or binding without `=`.
    MissingEquals {
        /// Where it should stand.
        at: Span,
        /// What stands there.
        found: Option<String>,
    },
    /// An `if` without `then` or `else`.
    IncompleteIf {
        /// The word `if`.
        condition: Span,
        /// Where the missing word should stand.
        at: Span,
        /// `then` or `else`.
        missing: &'static str,
    },
}

/// What shows that a bracket should have been closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum UnclosedEvidence {
    /// A closing bracket of another shape.
    Bracket(Bracket),
    /// A word that closes another one, which stands before the bracket.
    Word(String),
    /// The next declaration.
    Declaration,
    /// The end of the declaration, which is the last one.
    End,
    /// The end of the file, in a module.
    FileEnd,
}

impl SyntaxError {
    /// Whether the text could be read as if the mistake were not there.
    pub(super) fn is_put_right(&self) -> bool {
        matches!(
            self,
            Self::MissingWord { .. } | Self::Conflict { .. } | Self::DefinitionWithoutWord { .. }
        )
    }

    /// The error for a token that cannot stand at `at`: the text of it, or none at the end of the
    /// declaration.
    pub(super) fn unexpected(at: Span, found: Option<&str>, expected: Expected) -> Self {
        let found = found.map(str::to_owned);
        let begins_body = found.as_ref().is_none_or(|text| {
            matches!(text.as_str(), "let" | "if" | "in" | "\\" | "->")
                || text.starts_with(super::lexer::is_operator_char)
        });
        let begins_body =
            expected.has(ExpectedItem::Equals) && expected.has(ExpectedItem::Colon) && begins_body;
        if expected == Expected::only(ExpectedItem::Equals) || begins_body {
            return Self::MissingEquals { at, found };
        }
        Self::Unexpected { at, found, expected }
    }

    /// The place the error is about.
    pub(super) fn place(&self) -> Span {
        match self {
            Self::Unexpected { at, .. }
            | Self::DefinitionWithoutWord { at }
            | Self::BodyAlone { at }
            | Self::Unopened { at, .. }
            | Self::Number { at, .. }
            | Self::Stray { at, .. }
            | Self::OpenText { at }
            | Self::ThreeQuotes { at, .. }
            | Self::Escape { at, .. }
            | Self::TooDeep { at }
            | Self::LetWithoutBody { at, .. }
            | Self::MissingEquals { at, .. }
            | Self::IncompleteIf { at, .. } => *at,
            Self::Unclosed { open, .. } => *open,
            Self::MissingWord { word: AwaitedKeyword::Equals, at, .. } => *at,
            Self::MissingWord { next, .. } => *next,
            Self::Conflict { first, .. } => *first,
        }
    }
}

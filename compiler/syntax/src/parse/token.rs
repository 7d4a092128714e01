//! The tokens of Arr: slices of the text, without spaces and comments.
//!
//! Invariant: a token owns nothing; its text is the source at its span. A bracket that the
//! repair of [`super::brackets`] made up has an empty span.
//!
//! ```text
//! a[i] + [1u8]   ⇒   Name(a) Open(Index) Name(i) Close(Square) Operator(+) Open(Square) …
//! ```

use crate::ast::{Literal, RangeEnd};

/// The smallest unit of the text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Token<'src> {
    /// `x`, `x'`, `_x`.
    Name(&'src str),
    /// `'a`, `'~a`, `'^a`: the name without its marks.
    TypeVar(&'src str),
    /// `#some`: the name without its mark.
    Constructor(&'src str),
    /// `+`, `<=`, `<+>`, also a minus that negates.
    Operator(&'src str),
    /// `` `f` ``, `` `m.f` ``: the path between the quotes.
    Backquoted(&'src str),
    /// `m.+`: an operator with its qualifiers.
    QualOperator(&'src str),
    /// `"…"`: the text between the quotes, as written.
    Text(&'src str),
    /// `???`.
    Hole,
    /// A number, or `true` or `false`.
    Literal(Literal),
    /// The digits of `.0`.
    FieldNumber(&'src str),
    /// A word that cannot be a name.
    Keyword(Keyword),
    /// `(`, `[` or `{`.
    Open(Opening),
    /// `)`, `]` or `}`.
    Close(Bracket),
    /// `,`.
    Comma,
    /// `;`, in the braces of a with-loop.
    Semicolon,
    /// `:`.
    Colon,
    /// `:>`.
    Coerce,
    /// `.`.
    Dot,
    /// `..`.
    Step,
    /// `...`, `..<` or `..>`.
    Range(RangeEnd),
    /// `=`.
    Equals,
    /// `->`.
    Arrow,
    /// `\`.
    Backslash,
    /// `!`.
    Bang,
    /// `?`.
    Question,
    /// `_`.
    Underscore,
    /// Stands for an operand that the lexer has reported.
    Bad,
}

impl Token<'_> {
    /// Whether an operand can end here, so that what follows continues it or begins a new part.
    pub(super) fn ends_operand(self) -> bool {
        match self {
            Self::Name(_)
            | Self::TypeVar(_)
            | Self::Constructor(_)
            | Self::Literal(_)
            | Self::FieldNumber(_)
            | Self::Close(_)
            | Self::Underscore
            | Self::Text(_)
            | Self::Hole
            | Self::Bad => true,
            Self::Operator(_)
            | Self::Backquoted(_)
            | Self::QualOperator(_)
            | Self::Keyword(_)
            | Self::Open(_)
            | Self::Comma
            | Self::Semicolon
            | Self::Colon
            | Self::Coerce
            | Self::Dot
            | Self::Step
            | Self::Range(_)
            | Self::Equals
            | Self::Arrow
            | Self::Backslash
            | Self::Bang
            | Self::Question => false,
        }
    }
}

/// The shape of a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bracket {
    /// `(` and `)`.
    Round,
    /// `[` and `]`.
    Square,
    /// `{` and `}`.
    Curly,
}

impl Bracket {
    /// The opening sign.
    pub(super) fn open(self) -> char {
        match self {
            Self::Round => '(',
            Self::Square => '[',
            Self::Curly => '{',
        }
    }

    /// The closing sign.
    pub(super) fn close(self) -> char {
        match self {
            Self::Round => ')',
            Self::Square => ']',
            Self::Curly => '}',
        }
    }
}

/// An opening bracket: a `[` that follows an operand without a space indexes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opening {
    /// `(`.
    Round,
    /// ` [`.
    Square,
    /// `a[`.
    Index,
    /// `{`.
    Curly,
    /// `#[`.
    Attribute,
}

impl Opening {
    /// The bracket's shape.
    pub(super) fn bracket(self) -> Bracket {
        match self {
            Self::Round => Bracket::Round,
            Self::Square | Self::Index | Self::Attribute => Bracket::Square,
            Self::Curly => Bracket::Curly,
        }
    }
}

/// A word that cannot be a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keyword {
    /// `def`.
    Def,
    /// `entry`.
    Entry,
    /// `intrinsic`.
    Intrinsic,
    /// `external`.
    External,
    /// `type`.
    Type,
    /// `module`.
    Module,
    /// `open`.
    Open,
    /// `import`.
    Import,
    /// `local`.
    Local,
    /// `let`.
    Let,
    /// `in`.
    In,
    /// `if`.
    If,
    /// `then`.
    Then,
    /// `else`.
    Else,
    /// `with`.
    With,
    /// `assert`.
    Assert,
    /// `loop`.
    Loop,
    /// `for`.
    For,
    /// `while`.
    While,
    /// `do`.
    Do,
    /// `match`.
    Match,
    /// `case`.
    Case,
}

impl Keyword {
    /// The keyword that `word` is.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        KEYWORDS.into_iter().find(|(other, _)| *other == word).map(|(_, keyword)| keyword)
    }

    /// Whether a declaration begins with the keyword.
    pub(super) fn begins_declaration(self) -> bool {
        matches!(
            self,
            Self::Def
                | Self::Entry
                | Self::Intrinsic
                | Self::External
                | Self::Type
                | Self::Module
                | Self::Open
                | Self::Import
                | Self::Local
        )
    }
}

/// The keywords and their words.
pub(super) const KEYWORDS: [(&str, Keyword); 22] = [
    ("def", Keyword::Def),
    ("entry", Keyword::Entry),
    ("intrinsic", Keyword::Intrinsic),
    ("external", Keyword::External),
    ("type", Keyword::Type),
    ("module", Keyword::Module),
    ("open", Keyword::Open),
    ("import", Keyword::Import),
    ("local", Keyword::Local),
    ("let", Keyword::Let),
    ("in", Keyword::In),
    ("if", Keyword::If),
    ("then", Keyword::Then),
    ("else", Keyword::Else),
    ("with", Keyword::With),
    ("assert", Keyword::Assert),
    ("loop", Keyword::Loop),
    ("for", Keyword::For),
    ("while", Keyword::While),
    ("do", Keyword::Do),
    ("match", Keyword::Match),
    ("case", Keyword::Case),
];

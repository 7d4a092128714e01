//! Words that wait for others, as brackets do: `let` for `in`, `if` for `then` and `else`, a loop for
//! `do`, and the head of a definition for `=`.
//!
//! Invariant: in a program without mistakes, an awaited word comes in the same brackets as the word that waits for it,
//! so such a program is never changed here.
//!
//! ```text
//! let y = (x + 1 in y   ⇒   the bracket must have ended before `in`
//! let y = x + 1         ⇒   `in` belongs before the second line
//! y * 2
//! ```

use super::token::{Keyword, Opening, Token};
use crate::source::Span;

/// The awaited word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AwaitedKeyword {
    /// `in`, after `let`.
    In,
    /// `in`, after `for`, where `<` may stand instead.
    Each,
    /// `then`.
    Then,
    /// `else`.
    Else,
    /// `do`.
    Do,
    /// `=`, after the head of a definition.
    Equals,
    /// `=`, after `with` and a part of a value.
    Update,
}

impl AwaitedKeyword {
    /// The token that is waited for.
    pub(super) fn token(self) -> Token<'static> {
        match self {
            Self::In | Self::Each => Token::Keyword(Keyword::In),
            Self::Then => Token::Keyword(Keyword::Then),
            Self::Else => Token::Keyword(Keyword::Else),
            Self::Do => Token::Keyword(Keyword::Do),
            Self::Equals | Self::Update => Token::Equals,
        }
    }
}

/// A word that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingKeyword {
    /// The word that it waits for.
    pub(super) word: AwaitedKeyword,
    /// The word itself.
    pub(super) begin: Span,
    /// The column that it stands in.
    column: usize,
    /// The index of the token before which, judged by the lines, the missing word belongs.
    pub(super) place: Option<usize>,
}

/// Where a token stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct TokenPosition {
    /// Its place in the text.
    pub(super) span: Span,
    /// How far from the beginning of its line.
    pub(super) column: usize,
    /// Its index among the tokens that are kept.
    pub(super) index: usize,
    /// Whether it is the first one in its line.
    pub(super) begins_line: bool,
    /// Whether an operand ends before it.
    pub(super) after_operand: bool,
}

/// The words that wait, for each level of brackets.
#[derive(Debug)]
pub(super) struct PendingKeywords {
    levels: Vec<Vec<PendingKeyword>>,
}

impl PendingKeywords {
    /// None yet.
    pub(super) fn new() -> Self {
        Self { levels: vec![Vec::new()] }
    }

    /// Whether nothing waits, and no bracket is open.
    pub(super) fn is_idle(&self) -> bool {
        self.levels.len() == 1 && self.levels[0].is_empty()
    }

    /// A bracket opens.
    pub(super) fn open(&mut self) {
        self.levels.push(Vec::new());
    }

    /// A bracket closes. Returns the words inside of it that still wait for other words, and wait in vain.
    pub(super) fn close(&mut self) -> Vec<PendingKeyword> {
        let level = if self.levels.len() > 1 { self.levels.pop() } else { None };
        level.unwrap_or_default()
    }

    /// The declaration ends.
    pub(super) fn end(&mut self) -> Vec<PendingKeyword> {
        std::mem::take(&mut self.levels[0])
    }

    /// How many open brackets must have ended before a token. These are the brackets between a word and the word that
    /// waits for it, or between a `let` and the `let` right above it.
    pub(super) fn brackets_before(&self, token: Token<'_>, at: TokenPosition) -> usize {
        let outwards = self.levels.iter().rev();
        if token == Token::Keyword(Keyword::Let) && at.begins_line && at.after_operand {
            let is_above =
                |one: &PendingKeyword| one.word == AwaitedKeyword::In && one.column == at.column;
            let here = self.levels.last().is_some_and(|level| level.iter().any(is_let));
            let found = outwards.clone().position(|level| level.last().is_some_and(is_above));
            return if here { 0 } else { found.unwrap_or(0) };
        }
        // An `=` in brackets has many meanings.
        if token == Token::Equals {
            return 0;
        }
        let waits = |level: &Vec<PendingKeyword>| level.iter().any(|one| one.word.token() == token);
        outwards.clone().position(waits).unwrap_or(0)
    }

    /// Takes notice of a token, and gives the word that it shows to be missing before it.
    pub(super) fn token(&mut self, token: Token<'_>, at: TokenPosition) -> Option<PendingKeyword> {
        let level = self.levels.last_mut().expect("a declaration is a level");
        if at.begins_line && begins_operand(token) {
            note_line(level, token, at);
        }
        let missing = closes(level, token);
        begins(level, token, at);
        missing
    }
}

fn is_let(one: &PendingKeyword) -> bool {
    one.word == AwaitedKeyword::In
}

/// A line begins with an operand: here the word may be missing that was waited for last.
fn note_line(level: &mut [PendingKeyword], token: Token<'_>, at: TokenPosition) {
    let Some(last) = level.last_mut().filter(|last| last.place.is_none()) else { return };
    let belongs = match last.word {
        AwaitedKeyword::In => {
            let is_next = token == Token::Keyword(Keyword::Let);
            !is_next && at.after_operand && at.column <= last.column
        }
        AwaitedKeyword::Then => at.after_operand,
        AwaitedKeyword::Equals => at.after_operand && !matches!(token, Token::Open(_)),
        AwaitedKeyword::Each
        | AwaitedKeyword::Else
        | AwaitedKeyword::Do
        | AwaitedKeyword::Update => false,
    };
    if belongs {
        last.place = Some(at.index);
    }
}

/// Ends the wait for `token`. An `else` shows that the `then` before it is missing.
fn closes(level: &mut Vec<PendingKeyword>, token: Token<'_>) -> Option<PendingKeyword> {
    if token == Token::Equals {
        level.pop_if(|last| last.word.token() == Token::Equals);
        return None;
    }
    if token == Token::Keyword(Keyword::Else)
        && let Some(missing) = level.pop_if(|last| last.word == AwaitedKeyword::Then)
    {
        return Some(missing);
    }
    let found = level.iter().rposition(|one| one.word.token() == token)?;
    let waiting = level[found];
    level.truncate(found);
    if waiting.word == AwaitedKeyword::Then {
        level.push(PendingKeyword { word: AwaitedKeyword::Else, place: None, ..waiting });
    }
    None
}

/// Begins to wait, if `token` does.
fn begins(level: &mut Vec<PendingKeyword>, token: Token<'_>, at: TokenPosition) {
    let Token::Keyword(keyword) = token else { return };
    let Some(word) = waits_for(keyword) else { return };
    // `with` begins a with-loop, unless an expression that it could update stands before it.
    if keyword == Keyword::With && !at.after_operand {
        return;
    }
    // `let`s in a row share the `in` of the last one.
    if word == AwaitedKeyword::In && at.after_operand {
        level.pop_if(|last| last.word == AwaitedKeyword::In);
    }
    let TokenPosition { span, column, .. } = at;
    level.push(PendingKeyword { word, begin: span, column, place: None });
}

/// What a word waits for.
fn waits_for(keyword: Keyword) -> Option<AwaitedKeyword> {
    const WAITING: [(Keyword, AwaitedKeyword); 7] = [
        (Keyword::With, AwaitedKeyword::Update),
        (Keyword::Def, AwaitedKeyword::Equals),
        (Keyword::Entry, AwaitedKeyword::Equals),
        (Keyword::Let, AwaitedKeyword::In),
        (Keyword::For, AwaitedKeyword::Each),
        (Keyword::If, AwaitedKeyword::Then),
        (Keyword::Loop, AwaitedKeyword::Do),
    ];
    WAITING.into_iter().find(|(word, _)| *word == keyword).map(|(_, waited)| waited)
}

/// Whether an operand can begin with a token that stands first in its line.
pub(super) fn begins_operand(token: Token<'_>) -> bool {
    match token {
        Token::Name(_)
        | Token::Constructor(_)
        | Token::Literal(_)
        | Token::Text(_)
        | Token::Hole
        | Token::Bad
        | Token::Backslash
        | Token::Bang
        | Token::Open(Opening::Round | Opening::Square | Opening::Curly)
        | Token::Keyword(
            Keyword::If | Keyword::Match | Keyword::Loop | Keyword::Assert | Keyword::Let,
        ) => true,
        Token::TypeVar(_)
        | Token::Operator(_)
        | Token::Backquoted(_)
        | Token::QualOperator(_)
        | Token::FieldNumber(_)
        | Token::Open(Opening::Index | Opening::Attribute)
        | Token::Close(_)
        | Token::Keyword(_)
        | Token::Colon
        | Token::Coerce
        | Token::Comma
        | Token::Semicolon
        | Token::Dot
        | Token::Step
        | Token::Range(_)
        | Token::Equals
        | Token::Arrow
        | Token::Question
        | Token::Underscore => false,
    }
}

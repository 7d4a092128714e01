//! A bound on how deep the tree of some tokens is, before there is a tree.
//!
//! Invariant: the tree that the parser makes of the tokens so far is no deeper than [`Depth::total`].
//!
//! ```text
//! (a + b) * c   ⇒   1 at `a`, 2 at `b`, 3 at `c`
//! ```

use super::token::{Keyword, Token};

/// A bound on the depth of the tree: nested phrases count, siblings do not.
#[derive(Default)]
pub(super) struct Depth {
    /// The phrases around the next token, over all levels.
    pub(super) total: u32,
    levels: Vec<Level>,
    here: Level,
}

/// The text between two brackets, or the bound expression of a `let`.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Whether `in` or the next `let` ends the level.
    is_let: bool,
    /// The phrases around the next token, within the level.
    now: u32,
    /// The largest depth of the parts before the last comma or `case`.
    max: u32,
    /// The phrases around the last `match` in the level, with one for each of its cases so far: a case may become a
    /// branch inside the branches of those before it.
    cases: Option<u32>,
}

impl Depth {
    pub(super) fn token(&mut self, token: Token<'_>, before: Option<Token<'_>>) {
        match token {
            Token::Open(_) => self.open(false),
            Token::Comma | Token::Semicolon => {
                self.end_lets();
                self.sibling(0);
                self.here.cases = None;
            }
            Token::Keyword(Keyword::Match) => {
                self.deeper();
                self.here.cases = Some(self.here.now);
            }
            Token::Keyword(Keyword::Case) => {
                if let Some(cases) = self.here.cases {
                    self.sibling(cases + 1);
                    self.here.cases = Some(cases + 1);
                }
            }
            Token::Keyword(Keyword::Let) => {
                if self.here.is_let && before.is_some_and(Token::ends_operand) {
                    self.end_level();
                }
                self.deeper();
                self.open(true);
            }
            Token::Keyword(Keyword::In) if self.here.is_let => self.end_level(),
            Token::Keyword(Keyword::If | Keyword::With)
            | Token::Operator(_)
            | Token::Backquoted(_)
            | Token::QualOperator(_)
            | Token::Colon
            | Token::Coerce
            | Token::Dot
            | Token::Step
            | Token::Range(_)
            | Token::Arrow
            | Token::Backslash
            | Token::Bang
            | Token::Question => self.deeper(),
            Token::Name(_)
            | Token::TypeVar(_)
            | Token::Constructor(_)
            | Token::Literal(_)
            | Token::FieldNumber(_)
            | Token::Keyword(_)
            | Token::Close(_)
            | Token::Equals
            | Token::Underscore
            | Token::Text(_)
            | Token::Hole
            | Token::Bad => {}
        }
    }

    fn deeper(&mut self) {
        self.here.now += 1;
        self.total += 1;
    }

    /// Ends a phrase. The next one, its sibling, is at this depth in the level.
    fn sibling(&mut self, depth: u32) {
        self.total = self.total - self.here.now + depth;
        self.here.max = self.here.max.max(self.here.now);
        self.here.now = depth;
    }

    fn open(&mut self, is_let: bool) {
        self.levels.push(self.here);
        self.here = Level { is_let, ..Level::default() };
    }

    pub(super) fn close(&mut self) {
        self.end_lets();
        self.end_level();
    }

    fn end_lets(&mut self) {
        while self.here.is_let {
            self.end_level();
        }
    }

    /// Goes back to the enclosing level. The depth of this level counts there, since it may become an operand of the
    /// text behind it. A `let`'s bound expression does not count: it is a sibling of that text.
    fn end_level(&mut self) {
        let Some(outer) = self.levels.pop() else { return };
        let most = self.here.max.max(self.here.now);
        self.total -= self.here.now;
        let bound = self.here.is_let;
        self.here = outer;
        if bound {
            self.here.max = self.here.max.max(self.here.now + most);
        } else {
            self.here.now += most + 1;
            self.total += most + 1;
        }
    }
}

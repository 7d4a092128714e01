//! Brackets: every opening one gets its closing one before anything is parsed.
//!
//! Invariant: in each declaration that comes out, brackets are balanced and of equal shape, and the
//! tree that the parser makes of it is at most as deep as [`MAX_BRACKETS`] and [`MAX_DEPTH`] allow.
//! The parser can therefore skip a bracket with a mistake in it and go on behind it, and recursion
//! over the tree is bounded.
//!
//! ```text
//! def f = g (1 + 2   ⇒   def f = g (1 + 2)   and the report that the bracket is open
//! def h = 3              def h = 3
//! ```

use std::ops::Range;

use super::declarations;
use super::error::SyntaxError;
use super::lexer::is_line_end;
use super::token::{Bracket, Keyword, Opening, Token};
use crate::source::{Span, mark};

/// How many brackets may be open at once.
pub(super) const MAX_BRACKETS: usize = 256;

/// How many phrases may stand in one another, counted over operators, `let`s, `if`s and so on.
pub(super) const MAX_DEPTH: u32 = 5_000;

/// What a part of the tokens is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// A declaration, or what stands before the first one.
    Declaration,
    /// `module m = {`.
    Begin,
    /// The `}` of a module; without tokens if it is missing.
    End,
}

/// A part of the tokens that is read for itself.
pub(super) struct Chunk {
    /// What it is.
    pub(super) part: Part,
    /// Its tokens, as indices of [`Balanced::tokens`]; none if it is nested too deeply.
    pub(super) tokens: Range<usize>,
    /// The index of its first token before the repair.
    pub(super) first: usize,
    /// What is wrong with its brackets.
    pub(super) errors: Vec<SyntaxError>,
}

/// A file's tokens with balanced brackets, cut into declarations.
pub(super) struct Balanced<'src> {
    /// The tokens with their places.
    pub(super) tokens: Vec<(Token<'src>, Span)>,
    /// The declarations, in order.
    pub(super) chunks: Vec<Chunk>,
}

/// Cuts `tokens` of the file `text` before each declaration, and around the braces of modules, and
/// balances the brackets of each part.
pub(super) fn balance<'src>(tokens: &[(Token<'src>, Span)], text: &str) -> Balanced<'src> {
    let mut cutter = Cutter {
        tokens,
        text,
        out: Balanced { tokens: Vec::with_capacity(tokens.len()), chunks: Vec::new() },
        modules: Vec::new(),
    };
    let mut first = 0;
    while first < tokens.len() {
        first = cutter.part(first);
    }
    cutter.end();
    cutter.out
}

/// Cuts a file into parts.
struct Cutter<'tok, 'src> {
    tokens: &'tok [(Token<'src>, Span)],
    text: &'tok str,
    out: Balanced<'src>,
    /// The opening braces of the modules around.
    modules: Vec<Span>,
}

impl<'src> Cutter<'_, 'src> {
    /// One part, from `first` to what is given.
    fn part(&mut self, first: usize) -> usize {
        if !self.modules.is_empty() && self.tokens[first].0 == Token::Close(Bracket::Curly) {
            self.modules.pop();
            self.whole(Part::End, first, first + 1);
            return first + 1;
        }
        let begin = declarations::begin(self.tokens, first);
        let brace = begin.and_then(|word| declarations::module_brace(self.tokens, word));
        if let Some(brace) = brace {
            let attributes = declarations::attributes(self.tokens, first);
            self.modules.push(self.tokens[brace].1);
            self.whole(Part::Begin, attributes, brace + 1);
            if self.modules.len() > MAX_BRACKETS {
                return self.too_deep(brace);
            }
            return brace + 1;
        }
        self.declaration(first, begin)
    }

    /// A part whose brackets are known.
    fn whole(&mut self, part: Part, first: usize, end: usize) {
        let start = self.out.tokens.len();
        self.out.tokens.extend_from_slice(&self.tokens[first..end]);
        let tokens = start..self.out.tokens.len();
        self.out.chunks.push(Chunk { part, tokens, first, errors: Vec::new() });
    }

    /// Modules in modules without end: nothing behind is looked at.
    fn too_deep(&mut self, brace: usize) -> usize {
        let chunk = self.out.chunks.last_mut().expect("the module's beginning was just cut");
        chunk.errors.push(SyntaxError::TooDeep { at: self.tokens[brace].1 });
        for _ in self.modules.drain(..) {
            let end = self.out.tokens.len();
            let tokens = end..end;
            self.out.chunks.push(Chunk {
                part: Part::End,
                tokens,
                first: brace,
                errors: Vec::new(),
            });
        }
        self.tokens.len()
    }

    /// A declaration, whose word is at `begin`.
    fn declaration(&mut self, first: usize, begin: Option<usize>) -> usize {
        let mut balancer = Balancer::new(&mut self.out.tokens);
        let mut next = first;
        while next < self.tokens.len() {
            let is_head = next == first || begin.is_some_and(|begin| next <= begin);
            let ends_module = !self.modules.is_empty() && balancer.ends_module(self.tokens[next].0);
            // What stands in the braces of a type of modules is no declaration.
            let is_type = begin.is_some_and(|begin| declarations::module_type(self.tokens, begin));
            let cuts = !(is_type && balancer.has_open())
                && balancer.cuts_before(self.tokens, next, self.text);
            if !is_head && (ends_module || cuts) {
                break;
            }
            balancer.token(self.tokens[next]);
            next += 1;
        }
        let end = self.tokens.get(next).map(|(_, span)| *span);
        let chunk = balancer.finish(first, end);
        self.out.chunks.push(chunk);
        next
    }

    /// Closes the modules that are still open, and reports the innermost one.
    fn end(&mut self) {
        let Some((_, last)) = self.tokens.last() else { return };
        let noticed = Span { start: last.end, ..*last };
        let (first, end) = (self.tokens.len(), self.out.tokens.len());
        let mut unclosed = self.modules.pop().map(|open| {
            vec![SyntaxError::Unclosed { open, bracket: Bracket::Curly, noticed, instead: None }]
        });
        while let Some(errors) = unclosed {
            self.out.chunks.push(Chunk { part: Part::End, tokens: end..end, first, errors });
            unclosed = self.modules.pop().map(|_| Vec::new());
        }
    }
}

/// The state of one declaration.
struct Balancer<'out, 'src> {
    out: &'out mut Vec<(Token<'src>, Span)>,
    start: usize,
    open: Vec<(Opening, Span)>,
    depth: Depth,
    errors: Vec<SyntaxError>,
    too_deep: bool,
}

impl<'out, 'src> Balancer<'out, 'src> {
    fn new(out: &'out mut Vec<(Token<'src>, Span)>) -> Self {
        let start = out.len();
        Self {
            out,
            start,
            open: Vec::new(),
            depth: Depth::default(),
            errors: Vec::new(),
            too_deep: false,
        }
    }

    /// Whether a declaration begins with token `at`: at the start of a line always, so that an open
    /// bracket spoils one declaration only, and elsewhere if no bracket is open.
    fn cuts_before(&self, tokens: &[(Token<'_>, Span)], at: usize, text: &str) -> bool {
        if declarations::begin(tokens, at).is_none() || declarations::continues(tokens, at) {
            return false;
        }
        let before = text[..tokens[at].1.start as usize].trim_end_matches([' ', '\t']);
        self.open.is_empty() || before.len() == mark(text).len() || before.ends_with(is_line_end)
    }

    /// Whether a bracket is open.
    fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether `token` is the brace that ends the module around, as no brace is open here.
    fn ends_module(&self, token: Token<'_>) -> bool {
        let has_brace = self.open.iter().any(|(opening, _)| *opening == Opening::Curly);
        token == Token::Close(Bracket::Curly) && !has_brace
    }

    fn token(&mut self, (token, span): (Token<'src>, Span)) {
        if self.too_deep {
            return;
        }
        if let Token::Close(bracket) = token {
            return self.close(bracket, span);
        }
        if let Token::Open(opening) = token {
            self.open.push((opening, span));
        }
        let before = self.out[self.start..].last().map(|(token, _)| *token);
        self.depth.token(token, before);
        self.out.push((token, span));
        if self.open.len() > MAX_BRACKETS || self.depth.total > MAX_DEPTH {
            self.too_deep = true;
            self.errors.push(SyntaxError::TooDeep { at: span });
        }
    }

    fn close(&mut self, bracket: Bracket, span: Span) {
        let Some(&(opening, open)) = self.open.last() else {
            self.errors.push(SyntaxError::Unopened { at: span, bracket });
            return;
        };
        self.depth.close();
        let token = (Token::Close(opening.bracket()), span);
        if opening.bracket() == bracket {
            self.open.pop();
            self.out.push(token);
            return;
        }
        self.errors.push(SyntaxError::Unclosed {
            open,
            bracket: opening.bracket(),
            noticed: span,
            instead: Some(bracket),
        });
        // The wrong sign closes this bracket if it can close none further out.
        if self.open.iter().all(|(other, _)| other.bracket() != bracket) {
            self.open.pop();
            self.out.push(token);
            return;
        }
        while let Some((opening, _)) = self.open.pop() {
            if opening.bracket() == bracket {
                self.out.push((Token::Close(bracket), span));
                return;
            }
            self.depth.close();
            self.out.push((Token::Close(opening.bracket()), span.before()));
        }
    }

    /// Closes what is open and reports it: the innermost bracket is the likeliest one.
    fn finish(mut self, first: usize, next: Option<Span>) -> Chunk {
        if self.too_deep {
            self.out.truncate(self.start);
            self.open.clear();
        }
        let last = self.out[self.start..].last().map(|(_, span)| *span);
        if let (Some(&(opening, open)), Some(last)) = (self.open.last(), last) {
            let end = Span { start: last.end, ..last };
            self.errors.push(SyntaxError::Unclosed {
                open,
                bracket: opening.bracket(),
                noticed: next.unwrap_or(end),
                instead: None,
            });
            for (opening, _) in self.open.iter().rev() {
                self.out.push((Token::Close(opening.bracket()), end));
            }
        }
        let tokens = self.start..self.out.len();
        Chunk { part: Part::Declaration, tokens, first, errors: self.errors }
    }
}

/// A bound on the depth of the tree: what stands in one another, without siblings.
#[derive(Default)]
struct Depth {
    /// The phrases around the next token, over all levels.
    total: u32,
    levels: Vec<Level>,
    here: Level,
}

/// What is between two brackets, or the bound expression of a `let`.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Whether `in` or the next `let` ends the level.
    is_let: bool,
    /// The phrases around the next token, within the level.
    now: u32,
    /// The most that parts before the last comma had.
    most: u32,
}

impl Depth {
    fn token(&mut self, token: Token<'_>, before: Option<Token<'_>>) {
        match token {
            Token::Open(_) => self.open(false),
            Token::Comma => {
                self.end_lets();
                self.total -= self.here.now;
                self.here.most = self.here.most.max(self.here.now);
                self.here.now = 0;
            }
            Token::Keyword(Keyword::Let) => {
                if self.here.is_let && before.is_some_and(Token::ends_operand) {
                    self.end_level();
                }
                self.deeper();
                self.open(true);
            }
            Token::Keyword(Keyword::In) if self.here.is_let => self.end_level(),
            Token::Keyword(Keyword::If | Keyword::With | Keyword::Match)
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

    fn open(&mut self, is_let: bool) {
        self.levels.push(self.here);
        self.here = Level { is_let, ..Level::default() };
    }

    fn close(&mut self) {
        self.end_lets();
        self.end_level();
    }

    fn end_lets(&mut self) {
        while self.here.is_let {
            self.end_level();
        }
    }

    /// Goes back to the level around; what stood in this one counts there, as it may be the operand
    /// of what follows. A `let`'s bound expression is a sibling of what follows instead.
    fn end_level(&mut self) {
        let Some(outer) = self.levels.pop() else { return };
        let most = self.here.most.max(self.here.now);
        self.total -= self.here.now;
        let bound = self.here.is_let;
        self.here = outer;
        if bound {
            self.here.most = self.here.most.max(self.here.now + most);
        } else {
            self.here.now += most + 1;
            self.total += most + 1;
        }
    }
}

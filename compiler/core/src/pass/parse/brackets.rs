//! Brackets: every opening one gets its closing one before anything is parsed, and words such as `in`
//! are put in where the lines show that they are missing.
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
use super::depth::Depth;
use super::error::{Noticed, SyntaxError};
use super::lexer::is_line_end;
use super::token::{Bracket, Keyword, Opening, Token};
use super::words::{self, Position, Waiting, Word, Words};
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
    /// Where a line begins that stands as far to the left as the declaration, between brackets of none,
    /// though it can only be an argument of what stands above; if there is one.
    pub(super) line: Option<usize>,
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
    // Lines say where a module ends only if no brace does.
    cut(tokens, text, Ends::Braces).or_else(|| cut(tokens, text, Ends::Lines)).expect("with lines")
}

fn cut<'src>(tokens: &[(Token<'src>, Span)], text: &str, ends: Ends) -> Option<Balanced<'src>> {
    let mut cutter = Cutter {
        tokens,
        text,
        ends,
        out: Balanced { tokens: Vec::with_capacity(tokens.len()), chunks: Vec::new() },
        modules: Vec::new(),
        headless: None,
    };
    let mut first = 0;
    while first < tokens.len() {
        first = cutter.part(first);
    }
    if ends == Ends::Braces && !cutter.modules.is_empty() {
        return None;
    }
    cutter.end();
    Some(cutter.out)
}

/// Where modules end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ends {
    /// At their braces.
    Braces,
    /// Also before a declaration that stands as far to the left as they do, though what is in them does
    /// not.
    Lines,
}

/// A module around.
struct Module {
    /// Its opening brace.
    brace: Span,
    /// The column of its word.
    column: usize,
    /// The column of the first declaration in it.
    body: Option<usize>,
}

/// Cuts a file into parts.
struct Cutter<'tok, 'src> {
    tokens: &'tok [(Token<'src>, Span)],
    text: &'tok str,
    out: Balanced<'src>,
    ends: Ends,
    /// The modules around.
    modules: Vec<Module>,
    /// A token that begins a definition which has no word before it.
    headless: Option<usize>,
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
        if begin.is_some() && self.ends == Ends::Lines && self.leaves_module(first) {
            return first;
        }
        let brace = begin.and_then(|word| declarations::module_brace(self.tokens, word));
        if let Some(brace) = brace {
            let attributes = declarations::attributes(self.tokens, first);
            let column = if self.ends == Ends::Lines { self.column(first) } else { 0 };
            self.modules.push(Module { brace: self.tokens[brace].1, column, body: None });
            self.whole(Part::Begin, attributes, brace + 1);
            if self.modules.len() > MAX_BRACKETS {
                return self.too_deep(brace);
            }
            return brace + 1;
        }
        self.declaration(first, begin)
    }

    /// Whether the module around ends before the declaration at `first`, as the lines show.
    fn leaves_module(&mut self, first: usize) -> bool {
        let column = self.column(first);
        let Some(module) = self.modules.last_mut() else { return false };
        let body = *module.body.get_or_insert(column);
        let leaves = column <= module.column && body > module.column;
        if leaves {
            let (open, noticed) = (module.brace, self.tokens[first].1);
            self.unclosed_module(first, open, noticed, Noticed::Declaration);
        }
        leaves
    }

    /// Ends the module around, whose brace nothing closes.
    fn unclosed_module(&mut self, first: usize, open: Span, noticed: Span, by: Noticed) {
        self.modules.pop();
        let end = self.out.tokens.len();
        let bracket = Bracket::Curly;
        let errors = vec![SyntaxError::Unclosed { open, bracket, noticed, by, close: None }];
        let (part, tokens, line) = (Part::End, end..end, None);
        self.out.chunks.push(Chunk { part, tokens, first, line, errors });
    }

    /// How far a token is from the beginning of its line.
    fn column(&self, token: usize) -> usize {
        let before = &self.text[..self.tokens[token].1.start as usize];
        before.len() - before.rfind(is_line_end).map_or(0, |at| at + 1)
    }

    /// A part whose brackets are known.
    fn whole(&mut self, part: Part, first: usize, end: usize) {
        let start = self.out.tokens.len();
        self.out.tokens.extend_from_slice(&self.tokens[first..end]);
        let tokens = start..self.out.tokens.len();
        self.out.chunks.push(Chunk { part, tokens, first, line: None, errors: Vec::new() });
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
                line: None,
                errors: Vec::new(),
            });
        }
        self.tokens.len()
    }

    /// A declaration, whose word is at `begin`.
    fn declaration(&mut self, first: usize, begin: Option<usize>) -> usize {
        let seen = first.checked_sub(1).map_or(0, |before| self.tokens[before].1.end as usize);
        let mut balancer = Balancer::new(&mut self.out.tokens, self.text, seen);
        let mut next = first;
        if self.tokens[first].0 == Token::Keyword(Keyword::Let) {
            balancer.top_let(self.tokens[first].1);
            next += 1;
        } else if self.headless == Some(first) {
            balancer.headless(self.tokens[first].1);
        }
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
            balancer.token(self.tokens[next], next);
            next += 1;
            if let Some(line) = balancer.cut.take() {
                (next, self.headless) = (line, Some(line));
                break;
            }
        }
        let end = self.tokens.get(next).map(|(_, span)| *span);
        let chunk = balancer.finish(first, end);
        self.out.chunks.push(chunk);
        next
    }

    /// Closes the modules that are still open.
    fn end(&mut self) {
        let Some((_, last)) = self.tokens.last() else { return };
        let noticed = Span { start: last.end, ..*last };
        while let Some(module) = self.modules.last() {
            self.unclosed_module(self.tokens.len(), module.brace, noticed, Noticed::FileEnd);
        }
    }
}

/// The state of one declaration.
struct Balancer<'out, 'src> {
    out: &'out mut Vec<(Token<'src>, Span)>,
    text: &'out str,
    start: usize,
    open: Vec<(Opening, Span)>,
    words: Words,
    /// How much of the text has been looked at.
    seen: usize,
    /// Where the line of the last token begins in the text.
    line: usize,
    depth: Depth,
    /// The column of the first token.
    column: Option<usize>,
    /// The last line that stands as far to the left, between brackets of none, and can only be an
    /// argument of what stands above: where it begins among the tokens that are kept, and among all.
    left: Option<(usize, usize)>,
    /// Where the declaration must end, as another one begins there.
    cut: Option<usize>,
    errors: Vec<SyntaxError>,
    too_deep: bool,
}

impl<'out, 'src> Balancer<'out, 'src> {
    fn new(out: &'out mut Vec<(Token<'src>, Span)>, text: &'out str, seen: usize) -> Self {
        let start = out.len();
        Self {
            out,
            text,
            start,
            open: Vec::new(),
            words: Words::new(),
            seen,
            line: seen,
            depth: Depth::default(),
            column: None,
            left: None,
            cut: None,
            errors: Vec::new(),
            too_deep: false,
        }
    }

    /// Begins with a `let` that is meant as `def`.
    fn top_let(&mut self, at: Span) {
        self.errors.push(SyntaxError::TopLet { at });
        self.keep(Token::Keyword(Keyword::Def), at);
    }

    /// Begins with a name, before which `def` is missing.
    fn headless(&mut self, at: Span) {
        self.errors.push(SyntaxError::DefinitionWithoutWord { at });
        self.keep(Token::Keyword(Keyword::Def), at.before());
    }

    /// Takes the first token.
    fn keep(&mut self, token: Token<'src>, span: Span) {
        let at = self.position(span);
        self.words.token(token, at);
        self.out.push((token, span));
    }

    /// Whether a declaration begins with token `at`: at the start of a line always, so that an open
    /// bracket spoils one declaration only, and elsewhere if no bracket is open.
    fn cuts_before(&self, tokens: &[(Token<'_>, Span)], at: usize, text: &str) -> bool {
        if declarations::begin(tokens, at).is_none() || declarations::continues(tokens, at) {
            return false;
        }
        let before = text[..tokens[at].1.start as usize].trim_end_matches([' ', '\t']);
        let is_name =
            matches!(self.out.last(), Some((Token::Keyword(Keyword::Def | Keyword::Entry), _)));
        (self.open.is_empty() && !is_name)
            || before.len() == mark(text).len()
            || before.ends_with(is_line_end)
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

    /// Takes a token, which is the one at `input` of all.
    fn token(&mut self, (token, span): (Token<'src>, Span), input: usize) {
        if self.too_deep {
            return;
        }
        let at = self.position(span);
        if self.begins_other(token, at, input) {
            return;
        }
        if let Token::Close(bracket) = token {
            return self.close(bracket, span);
        }
        self.close_before(self.words.brackets_before(token, at), span);
        let at = Position { index: self.out.len(), ..at };
        if let Some(missing) = self.words.token(token, at) {
            self.put_in(missing);
        }
        if let Token::Open(opening) = token {
            self.open.push((opening, span));
            self.words.open();
        }
        let before = self.out[self.start..].last().map(|(token, _)| *token);
        self.depth.token(token, before);
        self.out.push((token, span));
        if self.open.len() > MAX_BRACKETS || self.depth.total > MAX_DEPTH {
            self.too_deep = true;
            self.errors.push(SyntaxError::TooDeep { at: span });
        }
    }

    /// Whether a token shows that another definition, whose word is missing or wrong, has begun.
    fn begins_other(&mut self, token: Token<'src>, at: Position, input: usize) -> bool {
        if !self.words.is_idle() {
            return false;
        }
        let is_left = Some(at.column) <= self.column && at.begins_line && at.after_operand;
        if is_left && words::begins_operand(token) {
            self.left = Some((self.out.len(), input));
            self.cut = (token == Token::Keyword(Keyword::Let)).then_some(input);
        } else if token == Token::Equals
            && let Some((line, first)) = self.left
            && matches!(self.out[line].0, Token::Name(_))
        {
            self.out.truncate(line);
            self.left = None;
            self.cut = Some(first);
        }
        self.cut.is_some()
    }

    /// Where the next token stands.
    fn position(&mut self, span: Span) -> Position {
        let line_end = self.text[self.seen..span.start as usize].rfind(is_line_end);
        self.line = line_end.map_or(self.line, |at| self.seen + at + 1);
        self.seen = span.end as usize;
        let last = self.out[self.start..].last();
        let column = (span.start as usize).saturating_sub(self.line);
        self.column.get_or_insert(column);
        Position {
            span,
            column,
            index: self.out.len(),
            begins_line: line_end.is_some(),
            after_operand: last.is_some_and(|(token, _)| token.ends_operand()),
        }
    }

    fn close(&mut self, bracket: Bracket, span: Span) {
        let Some(&(opening, open)) = self.open.last() else {
            self.errors.push(SyntaxError::Unopened { at: span, bracket });
            return;
        };
        if opening.bracket() == bracket {
            return self.close_one(span);
        }
        self.errors.push(SyntaxError::Unclosed {
            open,
            bracket: opening.bracket(),
            noticed: span,
            by: Noticed::Bracket(bracket),
            close: None,
        });
        // The wrong sign closes this bracket if it can close none further out.
        if self.open.iter().all(|(other, _)| other.bracket() != bracket) {
            return self.close_one(span);
        }
        while self.open.last().is_some_and(|(opening, _)| opening.bracket() != bracket) {
            self.close_one(span.before());
        }
        self.close_one(span);
    }

    /// Closes the innermost bracket.
    fn close_one(&mut self, span: Span) {
        let waiting = self.words.close();
        self.lines(waiting);
        if let Some((opening, _)) = self.open.pop() {
            self.depth.close();
            self.out.push((Token::Close(opening.bracket()), span));
        }
    }

    /// Closes `count` brackets before the word at `span`, which shows that they should have ended.
    fn close_before(&mut self, count: usize, span: Span) {
        let Some(&(opening, open)) = self.open.last().filter(|_| count > 0) else { return };
        let last = self.out.last().map_or(open, |(_, last)| *last);
        let close = Span { start: last.end, ..last };
        self.errors.push(SyntaxError::Unclosed {
            open,
            bracket: opening.bracket(),
            noticed: span,
            by: Noticed::Word(self.text[span.start as usize..span.end as usize].to_owned()),
            close: Some(close),
        });
        for _ in 0..count {
            self.close_one(close);
        }
    }

    /// Puts words in that are still waited for, where lines show that they belong.
    fn lines(&mut self, waiting: Vec<Waiting>) {
        for missing in waiting.into_iter().rev() {
            if matches!(missing.word, Word::In | Word::Equals) {
                self.put_in(missing);
            }
        }
    }

    /// Puts in a word that is missing, if its place is known.
    fn put_in(&mut self, missing: Waiting) {
        let is_certain = self.errors.iter().all(SyntaxError::is_put_right);
        let Some(place) = missing.place.filter(|_| is_certain) else { return };
        let (before, next) = (self.out[place - 1].1, self.out[place].1);
        self.errors.push(SyntaxError::MissingWord {
            word: missing.word,
            begin: missing.begin,
            at: Span { start: before.end, ..before },
            next,
        });
        self.out.insert(place, (missing.word.token(), next.before()));
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
            let line = &self.text[open.end as usize..last.end as usize];
            self.errors.push(SyntaxError::Unclosed {
                open,
                bracket: opening.bracket(),
                noticed: next.unwrap_or(end),
                by: if next.is_some() { Noticed::Declaration } else { Noticed::End },
                close: (!line.contains(is_line_end)).then_some(end),
            });
            while self.has_open() {
                self.close_one(end);
            }
        }
        if !self.too_deep {
            let waiting = self.words.end();
            self.lines(waiting);
        }
        let tokens = self.start..self.out.len();
        let line = self.left.map(|(line, _)| line);
        Chunk { part: Part::Declaration, tokens, first, line, errors: self.errors }
    }
}

//! The brackets and words of one declaration, token by token.
//!
//! Invariant: the tokens that are kept are balanced when the declaration is finished, and so is each part
//! of them that a bracket has closed.
//!
//! ```text
//! let y = (x + 1 in y   ⇒   let y = (x + 1) in y   and the report that the bracket is open
//! ```

use super::brackets::{Chunk, ChunkKind, MAX_BRACKETS, MAX_DEPTH};
use super::depth::Depth;
use super::error::{SyntaxError, UnclosedEvidence};
use super::lexer::is_line_end;
use super::pending_keywords;
use super::pending_keywords::{AwaitedKeyword, PendingKeyword, PendingKeywords, TokenPosition};
use super::token::{Bracket, Keyword, Opening, Token};
use crate::parse::declaration_heads;
use crate::source::{Span, mark};

/// How far a token is from the beginning of its line.
pub(super) fn column(text: &str, token: Span) -> usize {
    let before = &text[..token.start as usize];
    before.len() - before.rfind(is_line_end).map_or(0, |at| at + 1)
}

/// The state of one declaration.
pub(super) struct Balancer<'out, 'src> {
    out: &'out mut Vec<(Token<'src>, Span)>,
    text: &'out str,
    start: usize,
    open: Vec<(Opening, Span)>,
    words: PendingKeywords,
    /// How much of the text has been looked at.
    seen: usize,
    /// Where the line of the last token begins in the text.
    line: usize,
    depth: Depth,
    /// The column of the first token.
    column: Option<usize>,
    /// The last line that begins at the declaration's column, in no bracket, and can only be an argument of the text
    /// above: the index of its first token among the kept tokens, and among all tokens.
    left: Option<(usize, usize)>,
    /// Where the declaration must end, since another one begins there.
    pub(super) cut: Option<usize>,
    errors: Vec<SyntaxError>,
    too_deep: bool,
    /// Whether it is an expression in the place of a declaration: no other declaration begins at a `let`.
    is_body: bool,
}

impl<'out, 'src> Balancer<'out, 'src> {
    pub(super) fn new(
        out: &'out mut Vec<(Token<'src>, Span)>,
        text: &'out str,
        seen: usize,
    ) -> Self {
        let start = out.len();
        Self {
            out,
            text,
            start,
            open: Vec::new(),
            words: PendingKeywords::new(),
            seen,
            line: seen,
            depth: Depth::default(),
            column: None,
            left: None,
            cut: None,
            errors: Vec::new(),
            too_deep: false,
            is_body: false,
        }
    }

    /// Takes a `let` in the place of `def`.
    pub(super) fn top_let(&mut self, at: Span) {
        self.keep(Token::Keyword(Keyword::Def), at);
    }

    /// Begins with `let … in …`, which is no declaration.
    pub(super) fn body_alone(&mut self) {
        self.is_body = true;
    }

    /// Begins with a name, before which `def` is missing.
    pub(super) fn headless(&mut self, at: Span) {
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
    pub(super) fn cuts_before(&self, tokens: &[(Token<'_>, Span)], at: usize, text: &str) -> bool {
        if declaration_heads::begin(tokens, at).is_none()
            || declaration_heads::continues(tokens, at)
        {
            return false;
        }
        // `#[a] let x = …` may also be an expression with an attribute.
        if declaration_heads::is_let(tokens, at) && self.column != Some(column(text, tokens[at].1))
        {
            return false;
        }
        let before = text[..tokens[at].1.start as usize].trim_end_matches([' ', '\t']);
        // A word behind one of these is meant as a name, as in `let open = 1`.
        let is_name = matches!(
            self.out.last(),
            Some((
                Token::Keyword(
                    Keyword::Def | Keyword::Entry | Keyword::Let | Keyword::Loop | Keyword::For
                ),
                _
            ))
        );
        (self.open.is_empty() && !is_name)
            || before.len() == mark(text).len()
            || before.ends_with(is_line_end)
    }

    /// Whether an expression may end behind the tokens so far: no bracket and no word waits for another one.
    pub(super) fn is_complete(&self) -> bool {
        let ends = self.out[self.start..].last().is_some_and(|(token, _)| token.ends_operand());
        ends && self.open.is_empty() && self.words.is_idle() && !self.is_body
    }

    /// Whether a bracket is open.
    pub(super) fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether `token` is the brace that ends the module around, as no brace is open here.
    pub(super) fn ends_module(&self, token: Token<'_>) -> bool {
        token == Token::Close(Bracket::Curly) && !self.has_brace()
    }

    /// Whether a brace is open.
    pub(super) fn has_brace(&self) -> bool {
        self.open.iter().any(|(opening, _)| *opening == Opening::Curly)
    }

    /// Takes a token, whose index among all tokens is `input`.
    pub(super) fn token(&mut self, (token, span): (Token<'src>, Span), input: usize) {
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
        let at = TokenPosition { index: self.out.len(), ..at };
        if let Some(missing) = self.words.token(token, at) {
            self.insert_missing(missing);
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
    fn begins_other(&mut self, token: Token<'src>, at: TokenPosition, input: usize) -> bool {
        if !self.words.is_idle() || self.is_body {
            return false;
        }
        let is_left = Some(at.column) <= self.column && at.begins_line && at.after_operand;
        if is_left && pending_keywords::begins_operand(token) {
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
    fn position(&mut self, span: Span) -> TokenPosition {
        let line_end = self.text[self.seen..span.start as usize].rfind(is_line_end);
        self.line = line_end.map_or(self.line, |at| self.seen + at + 1);
        self.seen = span.end as usize;
        let last = self.out[self.start..].last();
        let column = (span.start as usize).saturating_sub(self.line);
        self.column.get_or_insert(column);
        TokenPosition {
            span,
            column,
            index: self.out.len(),
            begins_line: line_end.is_some(),
            after_operand: last.is_some_and(|(token, _)| token.ends_operand()),
        }
    }

    fn close(&mut self, bracket: Bracket, span: Span) {
        let Some(&(opening, open)) = self.open.last() else {
            return self.unopened(bracket, span);
        };
        if opening.bracket() == bracket {
            return self.close_one(span);
        }
        self.errors.push(SyntaxError::Unclosed {
            open,
            bracket: opening.bracket(),
            noticed: span,
            by: UnclosedEvidence::Bracket(bracket),
            // The closing bracket belongs in the place of the wrong one, or before it.
            close: Some(if self.open.iter().all(|(other, _)| other.bracket() != bracket) {
                span
            } else {
                self.out.last().map_or(open, |(_, last)| Span { start: last.end, ..*last })
            }),
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

    /// Reports a bracket that closes nothing, once for several in a row.
    fn unopened(&mut self, bracket: Bracket, span: Span) {
        let text = self.text;
        let follows = |last: Span| text[last.end as usize..span.start as usize].trim().is_empty();
        match self.errors.last_mut() {
            Some(SyntaxError::Unopened { at, more, .. })
                if follows(more.last().map_or(*at, |(last, _)| *last)) =>
            {
                more.push((span, bracket));
            }
            Some(_) | None => {
                let more = Vec::new();
                self.errors.push(SyntaxError::Unopened { at: span, bracket, more });
            }
        }
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
            by: UnclosedEvidence::Word(
                self.text[span.start as usize..span.end as usize].to_owned(),
            ),
            close: Some(close),
        });
        for _ in 0..count {
            self.close_one(close);
        }
    }

    /// Inserts the words that are still missing, where the lines show their places.
    fn lines(&mut self, waiting: Vec<PendingKeyword>) {
        for missing in waiting.into_iter().rev() {
            if matches!(missing.word, AwaitedKeyword::In | AwaitedKeyword::Equals) {
                self.insert_missing(missing);
            }
        }
    }

    /// Puts in a word that is missing, if its place is known.
    fn insert_missing(&mut self, missing: PendingKeyword) {
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

    /// Where a bracket probably ends: before the first line behind it that stands as far to the left as the line that
    /// it opens in.
    fn likely_end(&self, open: Span) -> Option<Span> {
        let indent = |at: usize| {
            let line = self.text[..at].rfind(is_line_end).map_or(0, |end| end + 1);
            self.text[line..].len() - self.text[line..].trim_start_matches([' ', '\t']).len()
        };
        let around = indent(open.start as usize);
        let behind = self.out[self.start..].windows(2).filter(|pair| pair[0].1.start >= open.start);
        let mut lines = behind.filter(|pair| {
            let between = &self.text[pair[0].1.end as usize..pair[1].1.start as usize];
            between.contains(is_line_end) && indent(pair[1].1.start as usize) <= around
        });
        lines.next().map(|pair| Span { start: pair[0].1.end, ..pair[0].1 })
    }

    /// Closes the open brackets and reports them: the innermost bracket is the likeliest one.
    pub(super) fn finish(mut self, next: Option<Span>) -> Chunk {
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
                by: if next.is_some() {
                    UnclosedEvidence::Declaration
                } else {
                    UnclosedEvidence::End
                },
                close: Some(self.likely_end(open).unwrap_or(end)),
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
        Chunk { part: ChunkKind::Declaration, tokens, line, errors: self.errors }
    }
}

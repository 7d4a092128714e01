//! The tokens of a text, each with what stands before it: line breaks and comments.
//!
//! Invariant: the tokens and the comments together are the whole text, except for blanks. The last token is empty and
//! stands for the end of the file.
//!
//! ```text
//! x  -- why    ⇒   x, nothing before it; +, before it the comment `-- why` and a line break
//!   + 1
//! ```

use std::mem;

use arrc_syntax::ids::FileId;
use arrc_syntax::parse;
use arrc_syntax::source;

/// A token and what stands before it.
#[derive(Clone, Debug)]
pub(crate) struct Token<'a> {
    /// Its text; empty for the end of the file.
    pub(crate) text: &'a str,
    /// Its first byte.
    pub(crate) start: usize,
    /// One past its last byte.
    pub(crate) end: usize,
    /// The bracket that belongs to this one.
    pub(crate) partner: Option<usize>,
    /// What stands between the token before and this one.
    pub(crate) before: Between<'a>,
}

/// What stands between two tokens.
#[derive(Clone, Default, Debug)]
pub(crate) struct Between<'a> {
    /// Whether a line ends there.
    pub(crate) breaks: bool,
    /// Whether the token is behind an empty line, or behind one after the last comment.
    pub(crate) blank: bool,
    /// The comments.
    pub(crate) comments: Vec<Comment<'a>>,
}

/// A comment, which ends with its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment<'a> {
    /// Its text, from the dashes on.
    pub(crate) text: &'a str,
    /// Whether it stands behind a token, on its line.
    pub(crate) trails: bool,
    /// Whether it is behind an empty line.
    pub(crate) blank: bool,
}

/// The tokens of a text, in order.
pub(crate) struct Tokens<'a> {
    tokens: Vec<Token<'a>>,
}

impl<'a> Tokens<'a> {
    /// The tokens of `text`, which is the content of `file`.
    pub(crate) fn new(text: &'a str, file: FileId) -> Self {
        let mut end = source::mark(text).len();
        let mut tokens = Vec::new();
        let mut push = |span: (usize, usize), partner| {
            let before = Between::new(&text[end..span.0], tokens.is_empty());
            let text = &text[span.0..span.1];
            tokens.push(Token { text, start: span.0, end: span.1, partner, before });
            end = span.1;
        };
        for lexeme in parse::lexemes(text, file) {
            push((lexeme.span.start as usize, lexeme.span.end as usize), lexeme.partner);
        }
        push((text.len(), text.len()), None);
        Self { tokens }
    }

    /// All tokens.
    pub(crate) fn all(&self) -> &[Token<'a>] {
        &self.tokens
    }

    /// The text of a token; empty beyond the end.
    pub(crate) fn text(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    /// The bracket that belongs to a token.
    pub(crate) fn partner(&self, at: usize) -> Option<usize> {
        self.tokens[at].partner
    }

    /// Whether a token begins a line.
    pub(crate) fn begins_line(&self, at: usize) -> bool {
        self.tokens[at].before.breaks
    }

    /// Whether nothing stands between a token and the one before it.
    pub(crate) fn touches(&self, at: usize) -> bool {
        self.tokens[at - 1].end == self.tokens[at].start
    }

    /// How many bytes the tokens from one to another have.
    pub(crate) fn width(&self, first: usize, last: usize) -> usize {
        self.tokens[first..=last].iter().map(|token| token.text.len()).sum()
    }

    /// The token that begins at a byte.
    pub(crate) fn starting(&self, byte: u32) -> usize {
        self.tokens.partition_point(|token| token.start < byte as usize)
    }

    /// The token that ends at a byte.
    pub(crate) fn ending(&self, byte: u32) -> usize {
        self.tokens.partition_point(|token| token.end < byte as usize)
    }

    /// Takes what stands before a token, to write it.
    pub(crate) fn take(&mut self, at: usize) -> Between<'a> {
        mem::take(&mut self.tokens[at].before)
    }

    /// Moves the comments before a token to before the next one.
    pub(crate) fn move_comments_on(&mut self, at: usize) {
        let mut comments = mem::take(&mut self.tokens[at].before.comments);
        let next = &mut self.tokens[at + 1].before;
        comments.append(&mut next.comments);
        next.breaks |= !comments.is_empty();
        next.comments = comments;
    }

    /// Moves the comments behind a token to before it.
    pub(crate) fn move_comments_back(&mut self, at: usize) {
        let mut comments = mem::take(&mut self.tokens[at + 1].before.comments);
        let before = &mut self.tokens[at].before;
        before.breaks |= !comments.is_empty();
        before.comments.append(&mut comments);
    }
}

impl<'a> Between<'a> {
    fn new(text: &'a str, is_first: bool) -> Self {
        let mut out = Self::default();
        let mut lines = lines(text).enumerate().peekable();
        while let Some((number, line)) = lines.next() {
            let line = line.trim();
            if !line.is_empty() {
                let trails = number == 0 && !is_first;
                let blank = mem::take(&mut out.blank);
                out.comments.push(Comment { text: line, trails, blank });
            } else if number > 0 && lines.peek().is_some() {
                out.blank = true;
            }
            out.breaks |= lines.peek().is_some();
        }
        out
    }
}

/// The lines of a text. A line ends with `\n`, `\r\n` or `\r`.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(['\n', '\r']) else { return rest.take() };
        let behind = &text[end..];
        rest = Some(behind.strip_prefix("\r\n").unwrap_or(&behind[1..]));
        Some(&text[..end])
    })
}

//! From text to tokens, in one pass from left to right.
//!
//! Invariant: every byte of the text is in a token, a comment, a blank, or was reported; spans
//! ascend and do not overlap.
//!
//! ```text
//! -- | Adds one.
//! def f x = x + 1   ⇒   docs: {0: "Adds one."}, tokens: Keyword(Def) Name(f) Name(x) Equals …
//! ```

use std::collections::BTreeMap;
use std::ops::Range;

use super::conflict;
use super::conflict::Conflict;
use super::error::SyntaxError;
use super::number;
use super::text;
use super::token::{Bracket, Keyword, Opening, Token};
use crate::ast::{Literal, RangeEnd};
use crate::ids::FileId;
use crate::source;
use crate::source::Span;

/// What the lexer makes of a file.
pub(super) struct Lexed<'src> {
    /// The tokens with their places.
    pub(super) tokens: Vec<(Token<'src>, Span)>,
    /// The text of each `-- |` comment, by the index of the token that follows it.
    pub(super) docs: BTreeMap<usize, String>,
    /// The text that is no token, as errors.
    pub(super) errors: Vec<SyntaxError>,
}

/// The tokens of `text`, which is the content of `file`.
pub(super) fn lex(text: &str, file: FileId) -> Lexed<'_> {
    let mut lexer = Lexer {
        text,
        file,
        at: source::mark(text).len(),
        open: Vec::new(),
        conflicts: conflict::find(text),
        out: Lexed { tokens: Vec::new(), docs: BTreeMap::new(), errors: Vec::new() },
    };
    while lexer.skip_blanks() {
        if !lexer.conflict() {
            lexer.token();
        }
    }
    lexer.out
}

/// Whether `c` can be in an operator.
pub(super) fn is_operator_char(c: char) -> bool {
    matches!(c, '+' | '-' | '*' | '/' | '%' | '=' | '!' | '>' | '<' | '|' | '&' | '^')
}

/// Whether a line ends with `c`.
pub(super) fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// Whether a name can begin with `c`.
pub(super) fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Whether a name can go on with `c`.
pub(super) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '\''
}

struct Lexer<'src> {
    text: &'src str,
    file: FileId,
    /// The byte to read next.
    at: usize,
    /// The open brackets, the innermost last: whether each is the brace of a with-loop.
    open: Vec<bool>,
    /// The conflicts in the text that is not read yet, the next one last.
    conflicts: Vec<Conflict>,
    out: Lexed<'src>,
}

/// What begins a comment or a text of several lines in Python.
const THREE_QUOTES: &str = "\"\"\"";

impl<'src> Lexer<'src> {
    /// Moves over blanks and comments, and says whether a token follows.
    fn skip_blanks(&mut self) -> bool {
        loop {
            self.take_while(char::is_whitespace);
            if self.rest().starts_with("--") {
                self.comment();
            } else {
                return self.at < self.text.len();
            }
        }
    }

    /// Moves over a mark of a conflict; the first version of its lines is read.
    fn conflict(&mut self) -> bool {
        let Some(conflict) = self.conflicts.last() else { return false };
        if self.at == conflict.first.start {
            let [first, between, last] =
                [&conflict.first, &conflict.between, &conflict.last].map(|mark| self.span(mark));
            self.at = conflict.first.end;
            self.out.errors.push(SyntaxError::Conflict { first, between, last });
            return true;
        }
        if self.at != conflict.skipped {
            return false;
        }
        self.at = conflict.last.end;
        self.conflicts.pop();
        true
    }

    /// A comment to the end of its line, or the lines of a doc comment.
    fn comment(&mut self) {
        let line = self.take_while(|c| !is_line_end(c));
        let Some(first) = line["--".len()..].trim_start().strip_prefix('|') else { return };
        let mut lines = vec![doc_line(first)];
        while let Some(line) = self.comment_line_below() {
            lines.push(doc_line(line));
        }
        self.out.docs.insert(self.out.tokens.len(), lines.join("\n"));
    }

    /// The text of a comment that is alone on the next line.
    fn comment_line_below(&mut self) -> Option<&'src str> {
        let rest = self.rest();
        let below = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(is_line_end))?;
        let below = below.trim_start_matches([' ', '\t']);
        let line = below.strip_prefix("--")?.split(is_line_end).next()?;
        if line.trim_start().starts_with('|') {
            return None;
        }
        self.at = self.text.len() - below.len() + "--".len() + line.len();
        Some(line)
    }

    fn token(&mut self) {
        let start = self.at;
        let first = self.rest().chars().next().expect("blanks are skipped only up to a token");
        let token = match first {
            '0'..='9' => Some(self.number()),
            '\'' => self.quoted(),
            '`' => self.backquoted(),
            '"' if self.rest().starts_with(THREE_QUOTES) => self.three_quotes(),
            '"' => Some(self.string()),
            '?' if self.rest().starts_with("???") => Some(self.hole()),
            '#' if self.rest().starts_with("#[") => Some(self.attribute()),
            '#' => self.constructor(),
            c if is_name_start(c) => Some(self.word()),
            c if is_operator_char(c) => Some(self.operator()),
            c => self.sign(c),
        };
        let span = self.span_from(start);
        if let Some(token) = token {
            self.bracket(token);
            self.out.tokens.push((token, span));
        }
    }

    /// Follows the brackets: a semicolon means something in a with-loop only.
    fn bracket(&mut self, token: Token<'src>) {
        if let Token::Open(opening) = token {
            let before = self.out.tokens.last().map(|(token, _)| *token);
            let is_with = before == Some(Token::Keyword(Keyword::With));
            self.open.push(opening == Opening::Curly && is_with);
        } else if let Token::Close(_) = token {
            self.open.pop();
        }
    }

    fn hole(&mut self) -> Token<'src> {
        self.take_while(|c| c == '?');
        Token::Hole
    }

    fn attribute(&mut self) -> Token<'src> {
        self.at += "#[".len();
        Token::Open(Opening::Attribute)
    }

    fn word(&mut self) -> Token<'src> {
        let start = self.at;
        // Behind a dot of a path, the path's first word has already shown that no operator ends it.
        let within = matches!(self.out.tokens.last(), Some((Token::Dot, _)));
        let operator = if within { None } else { qualified_operator(self.rest()) };
        if let Some(length) = operator {
            self.at += length;
            return Token::QualOperator(&self.text[start..self.at]);
        }
        let word = self.take_while(is_name_char);
        if let Some(found) = self.rest().chars().next().filter(|c| c.is_alphabetic()) {
            return self.foreign_word(start, found);
        }
        match word {
            "_" => Token::Underscore,
            "true" => Token::Literal(Literal::Bool(true)),
            "false" => Token::Literal(Literal::Bool(false)),
            name => Keyword::from_word(name).map_or(Token::Name(name), Token::Keyword),
        }
    }

    /// A word with letters that are not ours: meant as a name, so something stands for it.
    fn foreign_word(&mut self, start: usize, found: char) -> Token<'src> {
        self.take_while(|c| is_name_char(c) || c.is_alphanumeric());
        self.out.errors.push(SyntaxError::Stray { at: self.span_from(start), found });
        Token::Bad
    }

    fn operator(&mut self) -> Token<'src> {
        match self.take_while(is_operator_char) {
            "=" => Token::Equals,
            "->" => Token::Arrow,
            "!" => Token::Bang,
            sign => Token::Operator(sign),
        }
    }

    /// A number; after a dot that belongs to an operand, digits are the name of a component.
    fn number(&mut self) -> Token<'src> {
        let start = self.at;
        if matches!(self.out.tokens.last(), Some((Token::Dot, dot)) if dot.end as usize == start) {
            return Token::FieldNumber(self.take_while(|c| c.is_ascii_digit()));
        }
        let length = number::length(self.rest());
        let text = &self.rest()[..length];
        self.at += length;
        match number::literal(text) {
            Ok(literal) => Token::Literal(literal),
            Err(problem) => {
                self.out.errors.push(SyntaxError::Number { at: self.span_from(start), problem });
                Token::Bad
            }
        }
    }

    /// A character or a type parameter, which both begin with `'`.
    fn quoted(&mut self) -> Option<Token<'src>> {
        let start = self.at;
        if let Some(length) = character(self.rest()) {
            self.at += length;
            return Some(self.character(start));
        }
        self.at += 1;
        if self.rest().starts_with(['~', '^']) {
            self.at += 1;
        }
        if self.rest().starts_with(is_name_start) {
            return Some(Token::TypeVar(self.take_while(is_name_char)));
        }
        self.out.errors.push(SyntaxError::Stray { at: self.span_from(start), found: '\'' });
        None
    }

    /// A character is the number that stands for it.
    fn character(&mut self, start: usize) -> Token<'src> {
        let content = &self.text[start + 1..self.at - 1];
        self.escapes(content, start + 1);
        match text::unescaped(content).chars().next() {
            Some(c) => Token::Literal(Literal::Int(u128::from(u32::from(c)), None)),
            None => Token::Bad,
        }
    }

    fn constructor(&mut self) -> Option<Token<'src>> {
        let start = self.at;
        self.at += 1;
        if self.rest().starts_with(is_name_start) {
            return Some(Token::Constructor(self.take_while(is_name_char)));
        }
        self.out.errors.push(SyntaxError::Stray { at: self.span_from(start), found: '#' });
        None
    }

    fn backquoted(&mut self) -> Option<Token<'src>> {
        let start = self.at;
        self.at += 1;
        let path = self.take_while(|c| is_name_char(c) || c == '.');
        let is_path = path.split('.').all(|name| name.starts_with(is_name_start));
        if is_path && self.rest().starts_with('`') {
            self.at += 1;
            return Some(Token::Backquoted(path));
        }
        self.out.errors.push(SyntaxError::Stray { at: self.span_from(start), found: '`' });
        None
    }

    /// `"…"`, which ends in its line.
    fn string(&mut self) -> Token<'src> {
        let start = self.at;
        let Some(length) = text::quoted(self.rest(), '"') else {
            self.take_while(|c| !is_line_end(c));
            self.out.errors.push(SyntaxError::OpenText { at: self.span_from(start) });
            return Token::Bad;
        };
        self.at += length;
        let content = &self.text[start + 1..self.at - 1];
        self.escapes(content, start + 1);
        Token::Text(content)
    }

    /// `"""…"""`, which is no text of ours: a comment if it begins a line.
    fn three_quotes(&mut self) -> Option<Token<'src>> {
        let start = self.at;
        let before = self.text[..start].trim_end_matches([' ', '\t']);
        let is_comment = before.is_empty() || before.ends_with(is_line_end);
        self.at += THREE_QUOTES.len();
        let first = self.at;
        let length = self.rest().find(THREE_QUOTES);
        let content = match length {
            Some(length) => &self.rest()[..length],
            None => self.rest().split(is_line_end).next().unwrap_or_default(),
        };
        self.at += content.len();
        let last = self.at;
        self.at += if length.is_some() { THREE_QUOTES.len() } else { 0 };
        let (begin, end) = match is_comment {
            true if content.starts_with(char::is_whitespace) => ("--", ""),
            true => ("-- ", ""),
            false => ("\"", "\""),
        };
        let mut edits = vec![(self.span(&(start..first)), begin)];
        if is_comment {
            let lines = content.match_indices('\n').map(|(at, _)| first + at + 1);
            edits.extend(lines.map(|line| (self.span(&(line..line)), "-- ")));
        } else if content.contains(is_line_end) {
            edits.clear();
        }
        if length.is_some() && !edits.is_empty() {
            edits.push((self.span(&(last..self.at)), end));
        }
        let at = self.span_from(start);
        self.out.errors.push(SyntaxError::ThreeQuotes { at, is_comment, edits });
        (!is_comment).then_some(Token::Text(content))
    }

    /// Reports errors in escapes.
    fn escapes(&mut self, content: &str, start: usize) {
        for (at, escape) in text::bad_escapes(content) {
            let offset =
                |byte: usize| u32::try_from(byte).expect("a source file has less than 4 GiB");
            let at = start + at;
            let at = Span::new(self.file, offset(at), offset(at + escape.len()));
            self.out.errors.push(SyntaxError::Escape { at, escape: escape.to_owned() });
        }
    }

    /// A token of one character.
    fn sign(&mut self, first: char) -> Option<Token<'src>> {
        let start = self.at;
        self.at += first.len_utf8();
        Some(match first {
            '(' => Token::Open(Opening::Round),
            '[' if self.follows_operand(start) => Token::Open(Opening::Index),
            '[' => Token::Open(Opening::Square),
            '{' => Token::Open(Opening::Curly),
            ')' => Token::Close(Bracket::Round),
            ']' => Token::Close(Bracket::Square),
            '}' => Token::Close(Bracket::Curly),
            ',' => Token::Comma,
            ';' if self.open.last() == Some(&true) => Token::Semicolon,
            ':' if self.take_sign(">") => Token::Coerce,
            ':' => Token::Colon,
            '.' if self.take_sign("..") => Token::Range(RangeEnd::With),
            '.' if self.take_sign(".<") => Token::Range(RangeEnd::Below),
            '.' if self.take_sign(".>") => Token::Range(RangeEnd::Above),
            '.' if self.take_sign(".") => Token::Step,
            '.' => Token::Dot,
            '\\' => Token::Backslash,
            '?' => Token::Question,
            '~' if self.follows_type() => Token::Operator("~"),
            letter if letter.is_alphabetic() => self.foreign_word(start, letter),
            found => {
                // A run of the same character is one mistake, and so is a run of invalid UTF-8.
                self.take_while(|c| {
                    c == found || (c.is_control() && found.is_control() && !c.is_whitespace())
                });
                self.out.errors.push(SyntaxError::Stray { at: self.span_from(start), found });
                return match text::lookalike(found)? {
                    "->" => Some(Token::Arrow),
                    sign => sign.starts_with(is_operator_char).then_some(Token::Operator(sign)),
                };
            }
        })
    }

    /// Whether the last token is the word `type`.
    fn follows_type(&self) -> bool {
        matches!(self.out.tokens.last(), Some((Token::Keyword(Keyword::Type), _)))
    }

    /// Whether the token before `start` ends an operand just there.
    fn follows_operand(&self, start: usize) -> bool {
        self.out
            .tokens
            .last()
            .is_some_and(|(token, span)| span.end as usize == start && token.ends_operand())
    }

    /// Takes the sign, if it follows.
    fn take_sign(&mut self, sign: &str) -> bool {
        let follows = self.rest().starts_with(sign);
        self.at += if follows { sign.len() } else { 0 };
        follows
    }

    fn rest(&self) -> &'src str {
        &self.text[self.at..]
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'src str {
        let rest = self.rest();
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn span_from(&self, start: usize) -> Span {
        self.span(&(start..self.at))
    }

    fn span(&self, bytes: &Range<usize>) -> Span {
        let offset = |byte: usize| u32::try_from(byte).expect("a source file has less than 4 GiB");
        Span::new(self.file, offset(bytes.start), offset(bytes.end))
    }
}

/// A line of a doc comment without the space that sets it off from the dashes.
fn doc_line(line: &str) -> &str {
    line.strip_prefix(' ').unwrap_or(line).trim_end()
}

/// How many bytes at the start of `text` are an operator behind qualifiers: `m.n.+`.
fn qualified_operator(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let name = rest.find(|c| !is_name_char(c)).unwrap_or(rest.len());
        if at > 0 && name == 0 {
            let sign = rest.find(|c| !is_operator_char(c)).unwrap_or(rest.len());
            // `m.=` would be the start of nothing.
            return (sign > 0 && &rest[..sign] != "=").then_some(at + sign);
        }
        if !rest.starts_with(is_name_start) || !rest[name..].starts_with('.') {
            return None;
        }
        at += name + 1;
    }
}

/// How many bytes at the start of `text` are a character in quotes.
fn character(text: &str) -> Option<usize> {
    let length = text::quoted(text, '\'')?;
    let content = &text[1..length - 1];
    let is_one = content.starts_with('\\') || content.chars().count() == 1;
    is_one.then_some(length)
}

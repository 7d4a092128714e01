//! The little language of the tables: the text that was written, and its meaning.
//!
//! Invariant: pieces of a pattern stand between blanks. A piece is a word, which stands for itself, or `$`
//! and a letter, which tells what it stands for.
//!
//! ```text
//! pattern  $e ? $h : $i              matches   x > 0 ? x : 0
//! meant    if $e then $h else $i     gives     if x > 0 then x else 0
//! ```

use super::lexed_text::{LexedText, PatternMatch};

/// A pattern of a text.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// Its pieces.
    pub(super) pieces: Vec<PatternItem>,
}

/// A piece of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PatternItem {
    /// A word or a sign; `~` at a side asks for a blank there, and for none at the other side. `^` before it asks
    /// for the beginning of a line, and behind it for the end.
    Word(&'static str, Whitespace),
    /// Anything of a kind, by a name.
    Part(char, PlaceholderKind),
}

/// Where blanks have to stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whitespace {
    /// Anywhere.
    Any,
    /// Before, and not behind.
    Before,
    /// At both sides.
    Both,
    /// Nothing else may stand before it in its line.
    Line,
    /// Nothing else may stand behind it in its line.
    End,
}

/// What a part of a pattern stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PlaceholderKind {
    /// `$x $y $z`: a name.
    Name,
    /// `$o`: a module of another language.
    Module,
    /// `$f $g`: a name with its qualifiers, which begins an application.
    Function,
    /// `$a $b $c $d`: an operand.
    Operand,
    /// `$k`: the name of a scalar type.
    Scalar,
    /// `$s $t $u`: operands and operators that bind more tightly than a comparison.
    Sum,
    /// `$e $h $i $j`: an expression.
    Expr,
    /// `$v $w`: anything within the brackets around it, or nothing.
    Any,
    /// `$r`: the rest of the line, or nothing.
    Line,
    /// `$p $q`: a comparison.
    Comparison,
    /// `$l`: a constructor that begins a line; the meaning has its name without the sign.
    LineSign,
    /// `$m`: a constructor, likewise.
    Sign,
}

impl PlaceholderKind {
    fn of(letter: char) -> Self {
        match letter {
            'x'..='z' => Self::Name,
            'o' => Self::Module,
            'f' | 'g' => Self::Function,
            'a'..='d' => Self::Operand,
            'k' => Self::Scalar,
            's'..='u' => Self::Sum,
            'e' | 'h'..='j' => Self::Expr,
            'v' | 'w' => Self::Any,
            'r' => Self::Line,
            'l' => Self::LineSign,
            'm' => Self::Sign,
            'p' | 'q' => Self::Comparison,
            other => panic!("`${other}` stands for nothing in a pattern"),
        }
    }
}

impl Pattern {
    /// A pattern as the tables have it.
    pub(super) fn new(written: &'static str) -> Self {
        Self { pieces: written.split_whitespace().map(piece).collect() }
    }

    /// The place of the first word; none if there is no word.
    pub(super) fn anchor(&self) -> Option<usize> {
        self.pieces.iter().position(|piece| matches!(piece, PatternItem::Word(..)))
    }

    /// Whether it matches the sign of a comment, which may stand in many lines of a file.
    pub(super) fn is_comment(&self) -> bool {
        matches!(
            self.pieces.first(),
            Some(
                PatternItem::Word("#", _)
                    | PatternItem::Word("//", Whitespace::Line)
                    | PatternItem::Part(_, PlaceholderKind::LineSign)
            )
        )
    }

    /// Whether it ends in a rest that matches anything.
    pub(super) fn is_open(&self) -> bool {
        matches!(
            self.pieces.last(),
            Some(PatternItem::Part(_, PlaceholderKind::Line | PlaceholderKind::Any))
        )
    }

    /// Whether it is a call that needs all its arguments.
    pub(super) fn is_whole_call(&self) -> bool {
        let is_argument = |piece: &PatternItem| {
            matches!(
                piece,
                PatternItem::Part(_, PlaceholderKind::Operand) | PatternItem::Word(")", _)
            )
        };
        let begins = match self.pieces.first() {
            Some(PatternItem::Part(_, PlaceholderKind::Function)) => true,
            Some(PatternItem::Word(word, Whitespace::Any)) => {
                word.starts_with(|c: char| c.is_alphabetic())
            }
            Some(PatternItem::Word(..) | PatternItem::Part(..)) | None => false,
        };
        begins && self.pieces.len() > 1 && self.pieces.last().is_some_and(is_argument)
    }

    /// Whether it has a word that no program of Arr has.
    pub(super) fn is_foreign(&self) -> bool {
        const FOREIGN: [&str; 14] = [
            "elif", "elseif", "elsif", "lambda", "fun", "return", "where", "=>", "?", "fn",
            "function", "mut", "rec", "not",
        ];
        let is_foreign = |piece: &PatternItem| matches!(piece, PatternItem::Word(word, _) if FOREIGN.contains(word));
        self.pieces.iter().any(is_foreign)
    }

    /// The pattern for people: its words, and `…` for what may differ.
    pub(super) fn shape(&self) -> String {
        let pieces: Vec<&str> = self
            .pieces
            .iter()
            .map(|piece| match piece {
                PatternItem::Word(word, _) => word,
                PatternItem::Part(..) => "…",
            })
            .collect();
        let text = pieces.join(" ");
        let close = [("( ", "("), (" )", ")"), ("[ ", "["), (" ]", "]"), (" . ", "."), (" ,", ",")];
        close.into_iter().fold(text, |text, (from, to)| text.replace(from, to))
    }
}

fn piece(written: &'static str) -> PatternItem {
    if let Some(letter) = written.strip_prefix('$')
        && let Some(letter) = letter.chars().next()
        && written.len() == 2
        && letter.is_ascii_alphabetic()
    {
        return PatternItem::Part(letter, PlaceholderKind::of(letter));
    }
    if let Some(word) = written.strip_prefix('^').filter(|rest| !rest.is_empty()) {
        return PatternItem::Word(word, Whitespace::Line);
    }
    if let Some(word) = written.strip_suffix('^').filter(|rest| !rest.is_empty()) {
        return PatternItem::Word(word, Whitespace::End);
    }
    match written.strip_prefix('~').filter(|rest| !rest.is_empty()) {
        Some(rest) => match rest.strip_suffix('~') {
            Some(word) => PatternItem::Word(word, Whitespace::Both),
            None => PatternItem::Word(rest, Whitespace::Before),
        },
        None => PatternItem::Word(written, Whitespace::Any),
    }
}

/// The meaning, with the parts of a match: `$x` as it was written, `$(x)` in parentheses where it needs them,
/// and `$_` for what stands behind the part before it.
pub(super) fn fill(meant: &str, page: &LexedText<'_>, matched: &PatternMatch) -> String {
    let mut out = String::new();
    let mut rest = meant;
    let mut end = matched.whole.end;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let (letter, length, in_brackets) = match rest.as_bytes() {
            [b'(', letter, b')', ..] => (char::from(*letter), 3, true),
            [letter, ..] => (char::from(*letter), 1, false),
            [] => break,
        };
        rest = &rest[length..];
        if letter == '_' {
            out.push_str(page.text_after(end));
        }
        if let Some(range) = matched.part(letter) {
            let text = page.slice(range.clone());
            let text = if matches!(letter, 'l' | 'm') { &text[1..] } else { text };
            end = range.end;
            if in_brackets && !page.is_operand(range) {
                out.push_str(&format!("({text})"));
            } else {
                out.push_str(text);
            }
        }
    }
    out + rest
}

/// The meaning, for people.
pub(super) fn meant_shape(meant: &str) -> String {
    let mut out = String::new();
    let mut chars = meant.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '$' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('_') => {
                out.push(' ');
                continue;
            }
            Some('(') => {
                chars.next();
                chars.next();
            }
            Some(_) | None => {}
        }
        out.push('…');
    }
    out
}

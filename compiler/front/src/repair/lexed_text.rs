//! A text in pieces, and where a pattern is in it.
//!
//! Invariant: a match is near the error that it is looked for: it shares a place with it, or, where the text
//! could not be read, it is in the same declaration.
//!
//! ```text
//! $a and  in  "x < 1 and y < 2"   ⇒   `1 and`
//! ```

use std::ops::Range;

use super::foreign_words::FOREIGN_MODULES;
use super::is_syntax;
use super::rules::Applicability;
use crate::repair::token_pattern::{Pattern, PatternItem, PlaceholderKind, Whitespace};
use arrc_syntax::diagnostics::{Code, Diagnostic, Edit};
use arrc_syntax::ids::FileId;
use arrc_syntax::parse::{Lexeme, LexemeKind, lexemes};
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// How many matches of a pattern that begin at one place are looked at.
const MAX_MATCHES: usize = 6;
/// How many ways to match a pattern that begins at one place are tried.
const MAX_WAYS: usize = 1_000;
/// How far from an error, in pieces, a match may begin, and how many pieces a part of it may have: a declaration may be
/// the whole of a long file.
const MAX_PIECES: usize = 1_000;

/// What a part of a pattern stands for.
type Placeholder = (char, Range<usize>);

/// A text in pieces.
pub(super) struct LexedText<'t> {
    /// The text.
    pub(super) text: &'t str,
    /// The file that contains it.
    pub(super) file: FileId,
    lexemes: Vec<Lexeme>,
    /// Whether a piece stands in the head of a definition.
    heads: Vec<bool>,
    /// The `let` that a piece closes as its `in`.
    lets: Vec<Option<usize>>,
}

/// Where a pattern is.
#[derive(Clone, Debug)]
pub(super) struct PatternMatch {
    /// All of it.
    pub(super) whole: Range<usize>,
    /// Its words, if it has any.
    pub(super) words: Range<usize>,
    /// All of it but a rest that matches anything.
    core: Range<usize>,
    parts: Vec<Placeholder>,
}

impl PatternMatch {
    /// What a part of the pattern stands for.
    pub(super) fn part(&self, name: char) -> Option<Range<usize>> {
        self.parts.iter().find(|(other, _)| *other == name).map(|(_, range)| range.clone())
    }

    /// Whether two matches share a piece of the text.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.whole.start < other.whole.end && other.whole.start < self.whole.end
    }
}

impl<'t> LexedText<'t> {
    /// The content of a file.
    pub(super) fn new(text: &'t str, file: FileId) -> Self {
        let lexemes = lexemes(text, file);
        let heads = vec![false; lexemes.len()];
        let lets = vec![None; lexemes.len()];
        let mut page = Self { text, file, lexemes, heads, lets };
        page.heads = page.heads();
        page.lets = page.lets();
        page
    }

    /// Which pieces stand between the word of a definition and its `=`.
    fn heads(&self) -> Vec<bool> {
        let mut is_head = false;
        let mut depth = 0_usize;
        let head = |(at, one): (usize, &Lexeme)| {
            match one.kind {
                LexemeKind::Open | LexemeKind::OpenIndex => depth += 1,
                LexemeKind::Close => depth = depth.saturating_sub(1),
                LexemeKind::Keyword => {
                    let begins = matches!(self.word(at), "def" | "entry" | "external" | "type");
                    (is_head, depth) = if begins { (true, 0) } else { (is_head, depth) };
                }
                LexemeKind::Other if depth == 0 && self.word(at) == "=" => is_head = false,
                LexemeKind::Name
                | LexemeKind::Number
                | LexemeKind::Value
                | LexemeKind::Operator
                | LexemeKind::Other => {}
            }
            is_head
        };
        self.lexemes.iter().enumerate().map(head).collect()
    }

    /// The `let` of each `in`. Of `let`s in a row at one depth of brackets, only the last one has an `in`; that of a `for` is
    /// its own.
    fn lets(&self) -> Vec<Option<usize>> {
        let (mut depth, mut open) = (0_usize, Vec::<(usize, Option<usize>)>::new());
        let closed = |(at, one): (usize, &Lexeme)| {
            match one.kind {
                LexemeKind::Open | LexemeKind::OpenIndex => depth += 1,
                LexemeKind::Close => {
                    depth = depth.saturating_sub(1);
                    open.retain(|(around, _)| *around <= depth);
                }
                LexemeKind::Keyword => match self.word(at) {
                    "def" | "entry" => (depth, open) = (0, Vec::new()),
                    "let" => {
                        open.retain(|(around, binder)| *around < depth || binder.is_none());
                        open.push((depth, Some(at)));
                    }
                    "for" => open.push((depth, None)),
                    "in" => return open.pop().and_then(|(_, binder)| binder),
                    _ => {}
                },
                LexemeKind::Name
                | LexemeKind::Number
                | LexemeKind::Value
                | LexemeKind::Operator
                | LexemeKind::Other => {}
            }
            None
        };
        self.lexemes.iter().enumerate().map(closed).collect()
    }

    /// Whether some pieces have the `in` of a `let` before them: a change of them would take it away.
    fn closes_let(&self, mut pieces: Range<usize>) -> bool {
        let start = pieces.start;
        pieces.any(|at| self.lets[at].is_some_and(|binder| binder < start))
    }

    /// The text between the piece before `end` and the piece at `end`.
    pub(super) fn text_after(&self, end: usize) -> &'t str {
        let from = end.checked_sub(1).map_or(0, |last| self.lexemes[last].span.end as usize);
        let to = self.lexemes.get(end).map_or(self.text.len(), |one| one.span.start as usize);
        &self.text[from..to]
    }

    /// The text of some pieces, with the text between them.
    pub(super) fn slice(&self, range: Range<usize>) -> &'t str {
        let Some(span) = self.span_of(range) else { return "" };
        &self.text[span.start as usize..span.end as usize]
    }

    /// The place of some pieces.
    pub(super) fn span_of(&self, range: Range<usize>) -> Option<Span> {
        let pieces = self.lexemes.get(range)?;
        Some(pieces.first()?.span.to(pieces.last()?.span))
    }

    /// The place of a match.
    pub(super) fn span(&self, one: &PatternMatch) -> Span {
        self.span_of(one.whole.clone()).expect("a match has at least one piece")
    }

    /// Whether pieces are one operand.
    pub(super) fn is_operand(&self, range: Range<usize>) -> bool {
        self.operand(range.start) == Some(range.end)
    }

    /// The matches of a pattern near an error, in order: where the error is, or in the same declaration if the
    /// text could not be read, or if no program of Arr has the pattern's words.
    pub(super) fn find(
        &self,
        pattern: &Pattern,
        when: Applicability,
        error: &Diagnostic,
    ) -> Vec<PatternMatch> {
        let place = error.primary.as_ref().map(|label| label.span);
        place.map_or_else(Vec::new, |place| self.find_near(pattern, when, error.code, place))
    }

    /// The matches of a pattern near a place of an error with this code.
    pub(super) fn find_near(
        &self,
        pattern: &Pattern,
        when: Applicability,
        code: Code,
        place: Span,
    ) -> Vec<PatternMatch> {
        let mut found = Vec::new();
        for at in self.nearby_lexemes(place) {
            self.matches_at(pattern, at, &mut found);
        }
        if when == Applicability::Names {
            found.iter_mut().for_each(|one| self.take_module(pattern, one));
        }
        let is_anywhere = is_syntax(code) || pattern.is_foreign();
        found.retain(|one| is_anywhere || self.is_at(one, place));
        if matches!(when, Applicability::Types | Applicability::Typed) {
            found.retain(|one| !one.whole.clone().any(|at| self.heads[at]));
        }
        found
    }

    /// Adds the module of another language that stands before the word that begins a match: `np` of `np.zeros n`. It is
    /// one of the words of the match.
    fn take_module(&self, pattern: &Pattern, one: &mut PatternMatch) {
        if let Some(PatternItem::Part(_, PlaceholderKind::Module)) = pattern.pieces.first() {
            one.words = one.whole.clone();
        }
        if pattern.anchor() != Some(0)
            || one.whole.start == 0
            || self.word(one.whole.start - 1) != "."
        {
            return;
        }
        if let Some(begin) = self.foreign_module(one.whole.start - 1) {
            (one.whole.start, one.words.start, one.core.start) = (begin, begin, begin);
        }
    }

    /// The beginning of the path before a piece, if a module of another language begins it: `np.linalg`.
    fn foreign_module(&self, end: usize) -> Option<usize> {
        let mut begin = end.checked_sub(1)?;
        while begin >= 2
            && self.word(begin - 1) == "."
            && self.kind(begin - 2) == Some(LexemeKind::Name)
        {
            begin -= 2;
        }
        FOREIGN_MODULES.contains(&self.word(begin)).then_some(begin)
    }

    /// All matches of a pattern.
    pub(super) fn all(&self, pattern: &Pattern) -> Vec<PatternMatch> {
        let mut found = Vec::new();
        (0..self.lexemes.len()).for_each(|at| self.matches_at(pattern, at, &mut found));
        found
    }

    /// The first match of a pattern where an error begins. Heads of definitions count as well.
    pub(super) fn find_at(
        &self,
        pattern: &Pattern,
        when: Applicability,
        error: &Diagnostic,
    ) -> Option<PatternMatch> {
        let place = error.primary.as_ref()?.span;
        let when = if when == Applicability::Names { when } else { Applicability::Always };
        let mut found = self.find(pattern, when, error).into_iter();
        found.find(|one| self.is_at(one, place))
    }

    /// The edits that close the bracket at `open` before `end`, the last place first. A place counts only if all
    /// brackets that are open there have the shape of the bracket at `open`.
    pub(super) fn closings(&self, open: Span, end: Span) -> Vec<Edit> {
        let first = self.lexemes.partition_point(|one| one.span.start < open.start);
        let last = self.lexemes.partition_point(|one| one.span.end <= end.start);
        let sign = |at: usize| match self.word(at).as_bytes().last() {
            Some(b'(') => ")",
            Some(b'{') => "}",
            Some(_) | None => "]",
        };
        let (mut around, mut edits) = (Vec::new(), Vec::new());
        for at in first..last {
            match self.lexemes[at].kind {
                LexemeKind::Open | LexemeKind::OpenIndex => around.push(sign(at)),
                LexemeKind::Close => drop(around.pop()),
                LexemeKind::Name
                | LexemeKind::Keyword
                | LexemeKind::Number
                | LexemeKind::Value
                | LexemeKind::Operator
                | LexemeKind::Other => {}
            }
            if around.iter().all(|other| *other == sign(first)) {
                let span = self.lexemes[at].span;
                let span = Span { start: span.end, ..span };
                edits.push(Edit { span, replacement: sign(first).to_owned() });
            }
        }
        edits.reverse();
        edits
    }

    /// Whether a place begins in a match.
    fn is_at(&self, one: &PatternMatch, place: Span) -> bool {
        self.span_of(one.core.clone())
            .is_some_and(|span| span.start <= place.start && place.start < span.end)
    }

    /// The pieces of the declaration that a place is in: a line that begins at the left begins one.
    fn window(&self, place: Span) -> Range<usize> {
        let first = self.lexemes.partition_point(|one| one.span.end < place.start);
        let first = first.min(self.lexemes.len().saturating_sub(1));
        let begins = |at: &usize| self.is_left(*at);
        let start = (0..=first).rev().find(begins);
        let end = (first + 1..self.lexemes.len()).find(begins);
        start.unwrap_or(0)..end.unwrap_or(self.lexemes.len())
    }

    /// The pieces of the declaration that a place is in which are not far from it.
    fn nearby_lexemes(&self, place: Span) -> Range<usize> {
        let Range { start, end } = self.window(place);
        let first = self.lexemes.partition_point(|one| one.span.end < place.start);
        start.max(first.saturating_sub(MAX_PIECES))..end.min(first + MAX_PIECES)
    }

    /// Whether a piece stands at the left of the page, and closes nothing.
    fn is_left(&self, at: usize) -> bool {
        self.lexemes.get(at).is_some_and(|one| {
            let start = one.span.start as usize;
            let is_left = start == 0 || self.text[..start].ends_with(['\n', '\r']);
            is_left && one.kind != LexemeKind::Close
        })
    }

    /// Whether two places are in one declaration.
    pub(super) fn are_together(&self, one: Option<Span>, other: Option<Span>) -> bool {
        one.zip(other).is_some_and(|(one, other)| self.window(one) == self.window(other))
    }

    /// The matches whose first word is at a piece. A match without words begins there itself.
    fn matches_at(&self, pattern: &Pattern, at: usize, out: &mut Vec<PatternMatch>) {
        let anchor = pattern.anchor().unwrap_or(0);
        let (before, behind) = pattern.pieces.split_at(anchor);
        if let Some(PatternItem::Word(word, blanks)) = behind.first()
            && !self.is_word(at, word, *blanks)
        {
            return;
        }
        let mut start = at;
        let mut parts = Vec::new();
        for piece in before.iter().rev() {
            let PatternItem::Part(name, kind) = piece else { return };
            let Some(begin) = self.begin(*kind, start) else { return };
            parts.push((*name, begin..start));
            start = begin;
        }
        let known = out.len();
        let mut ways = MAX_WAYS;
        self.match_from(behind, at, &mut parts, &mut ways, &mut |end, parts| {
            if pattern.is_whole_call() && self.kind(end).is_some_and(LexemeKind::begins_operand) {
                return true;
            }
            let last = behind.iter().rposition(|piece| matches!(piece, PatternItem::Word(..)));
            let words = match last {
                // What stands behind the last word is a part, or nothing.
                Some(last) if last + 1 < behind.len() => {
                    let behind = parts.iter().rev().take(behind.len() - last - 1);
                    at..behind.map(|(_, range)| range.start).min().unwrap_or(end)
                }
                Some(_) => at..end,
                None => start..end,
            };
            if start < end && !self.closes_let(start..end) {
                let open = parts.last().filter(|_| pattern.is_open());
                let core = start..open.map_or(end, |(_, range)| range.start);
                out.push(PatternMatch { whole: start..end, words, core, parts: parts.to_vec() });
            }
            out.len() < known + MAX_MATCHES
        });
    }

    /// Matches pieces from a place on, in each way, until `found` says that it is enough, or the bound of tries is
    /// reached.
    fn match_from(
        &self,
        pieces: &[PatternItem],
        at: usize,
        parts: &mut Vec<Placeholder>,
        ways: &mut usize,
        found: &mut dyn FnMut(usize, &[Placeholder]) -> bool,
    ) -> bool {
        let Some((piece, rest)) = pieces.split_first() else { return found(at, parts) };
        let (name, kind) = match piece {
            PatternItem::Word(word, blanks) => {
                return !self.is_word(at, word, *blanks)
                    || self.match_from(rest, at + 1, parts, ways, found);
            }
            PatternItem::Part(name, kind) => (*name, *kind),
        };
        for end in self.ends(kind, at, rest.is_empty()) {
            let Some(left) = ways.checked_sub(1) else { return false };
            *ways = left;
            parts.push((name, at..end));
            let goes_on = self.match_from(rest, end, parts, ways, found);
            parts.pop();
            if !goes_on {
                return false;
            }
        }
        true
    }

    fn kind(&self, at: usize) -> Option<LexemeKind> {
        self.lexemes.get(at).map(|one| one.kind)
    }

    fn word(&self, at: usize) -> &'t str {
        self.slice(at..at + 1)
    }

    /// Whether a blank, or the end of the text, stands before a piece.
    fn is_apart(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).and_then(|before| self.lexemes.get(before)) else {
            return true;
        };
        self.lexemes.get(at).is_none_or(|one| one.span.start > before.span.end)
    }

    /// Whether a piece is the first one in its line.
    fn begins_line(&self, at: usize) -> bool {
        self.lexemes.get(at).is_some_and(|one| {
            let before = &self.text[..one.span.start as usize];
            before.trim_end_matches([' ', '\t']).ends_with(['\n', '\r']) || before.trim().is_empty()
        })
    }

    fn is_word(&self, at: usize, word: &str, blanks: Whitespace) -> bool {
        let fits = match blanks {
            Whitespace::Any => true,
            Whitespace::Before => self.is_apart(at) && !self.is_apart(at + 1),
            Whitespace::Both => self.is_apart(at) && self.is_apart(at + 1),
            Whitespace::Line => self.begins_line(at),
            Whitespace::End => at + 1 >= self.lexemes.len() || self.begins_line(at + 1),
        };
        self.word(at) == word && fits
    }

    /// The beginning of a part of this kind that ends before a piece.
    fn begin(&self, kind: PlaceholderKind, end: usize) -> Option<usize> {
        let begin = match kind {
            PlaceholderKind::Name => {
                end.checked_sub(1).filter(|at| self.kind(*at) == Some(LexemeKind::Name))?
            }
            PlaceholderKind::Operand | PlaceholderKind::Function => self.operand_before(end)?,
            PlaceholderKind::Module => self.foreign_module(end)?,
            PlaceholderKind::Expr | PlaceholderKind::Sum => {
                let mut begin = end;
                while let Some(before) = begin.checked_sub(1)
                    && let Some(next) = self.step_back(before)
                    && !self.separates(next, kind)
                {
                    begin = next;
                }
                begin
            }
            PlaceholderKind::Scalar => {
                end.checked_sub(1).filter(|at| Scalar::from_name(self.word(*at)).is_some())?
            }
            PlaceholderKind::Any
            | PlaceholderKind::Line
            | PlaceholderKind::Comparison
            | PlaceholderKind::LineSign
            | PlaceholderKind::Sign => return None,
        };
        (begin < end).then_some(begin)
    }

    /// The beginning of the piece, or of the bracket that it closes; none at an opening bracket.
    fn step_back(&self, at: usize) -> Option<usize> {
        let one = self.lexemes.get(at)?;
        match one.kind {
            LexemeKind::Close => one.partner,
            LexemeKind::Open | LexemeKind::OpenIndex => None,
            LexemeKind::Name
            | LexemeKind::Keyword
            | LexemeKind::Number
            | LexemeKind::Value
            | LexemeKind::Operator
            | LexemeKind::Other => Some(at),
        }
    }

    fn operand_before(&self, end: usize) -> Option<usize> {
        let mut begin = self.step_back(end.checked_sub(1)?)?;
        self.kind(end - 1).filter(|kind| kind.ends_operand())?;
        loop {
            let is_index = self.kind(begin) == Some(LexemeKind::OpenIndex);
            let before = if is_index {
                begin.checked_sub(1)?
            } else if begin >= 2 && self.word(begin - 1) == "." && !self.is_apart(begin) {
                begin - 2
            } else {
                return Some(begin);
            };
            begin = self.step_back(before)?;
        }
    }

    /// Where a part of a kind may end that begins at a piece; `last` if nothing of the pattern follows.
    fn ends(&self, kind: PlaceholderKind, at: usize, last: bool) -> Vec<usize> {
        let one = |fits: bool| if fits { vec![at + 1] } else { Vec::new() };
        match kind {
            PlaceholderKind::Name => one(self.kind(at) == Some(LexemeKind::Name)),
            PlaceholderKind::Module => one(FOREIGN_MODULES.contains(&self.word(at))),
            PlaceholderKind::Scalar => one(Scalar::from_name(self.word(at)).is_some()),
            PlaceholderKind::Comparison => one(is_comparison(self.word(at))),
            PlaceholderKind::Sign => one(is_constructor(self.word(at))),
            PlaceholderKind::LineSign => one(is_constructor(self.word(at)) && self.begins_line(at)),
            PlaceholderKind::Function => self.function(at).into_iter().collect(),
            PlaceholderKind::Operand => self.operand(at).into_iter().collect(),
            PlaceholderKind::Sum => {
                self.placeholder_ends(at, kind).last().copied().into_iter().collect()
            }
            PlaceholderKind::Expr if last => {
                self.placeholder_ends(at, kind).last().copied().into_iter().collect()
            }
            PlaceholderKind::Expr => self.placeholder_ends(at, kind),
            PlaceholderKind::Any if last => {
                vec![self.placeholder_ends(at, kind).last().copied().unwrap_or(at)]
            }
            PlaceholderKind::Any => {
                std::iter::once(at).chain(self.placeholder_ends(at, kind)).collect()
            }
            PlaceholderKind::Line => {
                let same_line = |next: &usize| {
                    let (from, to) = (self.lexemes[*next - 1].span, self.lexemes[*next].span);
                    !self.text[from.end as usize..to.start as usize].contains(['\n', '\r'])
                };
                let begin = at.max(1);
                let rest = (begin..self.lexemes.len()).take_while(same_line).count();
                vec![begin + rest]
            }
        }
    }

    /// The ends of what can be read from a piece on without leaving the brackets around it; none if it is long.
    fn placeholder_ends(&self, at: usize, kind: PlaceholderKind) -> Vec<usize> {
        let mut ends = Vec::new();
        let mut next = at;
        let mut inner = 0_usize;
        while let Some(one) = self.lexemes.get(next) {
            if one.kind == LexemeKind::Close || (next > at && self.is_left(next)) {
                break;
            }
            if kind != PlaceholderKind::Any && self.word(next) == "," {
                break;
            }
            if kind == PlaceholderKind::Sum && self.separates(next, kind) {
                break;
            }
            if kind == PlaceholderKind::Expr {
                match self.word(next) {
                    "if" | "let" | "match" | "loop" => inner += 1,
                    "else" | "in" if inner > 0 => inner -= 1,
                    "then" | "else" | "in" | "do" | "case" if inner == 0 => break,
                    "def" | "entry" | "type" | "module" => break,
                    _ => {}
                }
            }
            if ends.len() == MAX_PIECES {
                return Vec::new();
            }
            next = one.partner.unwrap_or(next) + 1;
            ends.push(next);
        }
        ends
    }

    /// Whether a piece stands between expressions of a kind.
    fn separates(&self, at: usize, kind: PlaceholderKind) -> bool {
        let word = self.word(at);
        match self.kind(at) {
            Some(LexemeKind::Keyword) => true,
            Some(LexemeKind::Operator) if kind == PlaceholderKind::Sum => {
                is_comparison(word) || matches!(word, "&&" | "||" | "|>" | "<|")
            }
            Some(LexemeKind::Other) if kind == PlaceholderKind::Sum && word.starts_with("..") => {
                true
            }
            Some(_) => matches!(word, "," | "=" | "->" | ":" | "\\" | ";"),
            None => true,
        }
    }

    fn function(&self, at: usize) -> Option<usize> {
        let begins =
            at == 0 || !self.lexemes[at - 1].kind.ends_operand() && self.word(at - 1) != ".";
        if self.kind(at) != Some(LexemeKind::Name) || !begins {
            return None;
        }
        let mut end = at + 1;
        while self.word(end) == "." && self.kind(end + 1) == Some(LexemeKind::Name) {
            end += 2;
        }
        Some(end)
    }

    /// The end of the operand that begins at a piece.
    fn operand(&self, at: usize) -> Option<usize> {
        let one = self.lexemes.get(at).filter(|one| one.kind.begins_operand())?;
        let mut end = if one.kind == LexemeKind::Open { one.partner? + 1 } else { at + 1 };
        loop {
            if self.kind(end) == Some(LexemeKind::OpenIndex) && !self.is_apart(end) {
                end = self.lexemes[end].partner? + 1;
            } else if self.word(end) == "." && !self.is_apart(end) && !self.is_apart(end + 1) {
                let part = self.lexemes.get(end + 1)?;
                end = part.partner.unwrap_or(end + 1) + 1;
            } else {
                return Some(end);
            }
        }
    }
}

fn is_constructor(word: &str) -> bool {
    // `#include` of C begins no comment.
    let name = word.strip_prefix('#').filter(|name| *name != "include");
    name.is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic()))
}

fn is_comparison(word: &str) -> bool {
    matches!(word, "<" | "<=" | ">" | ">=" | "==" | "!=")
}

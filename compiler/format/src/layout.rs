//! What all writers share: the place in the text, tokens as documents, and what stands between them.
//!
//! Invariant: [`Layout::gap`] and [`Layout::token`] take turns, so each token and each comment is written once and in
//! order, whatever the writers do with the documents.
//!
//! ```text
//! gap(Line), token   ⇒   a line break if the user wrote one, or if the group around it does not fit into a line
//! ```

use arrc_syntax::source::Span;
use pretty::{Arena, DocAllocator, DocBuilder, RefDoc};

use crate::render::TrailingComment;
use crate::source::{Between, Tokens};

/// A part of the formatted text.
pub(crate) type Doc<'a> = DocBuilder<'a, Arena<'a, TrailingComment>, TrailingComment>;

/// What stands between two tokens, if no comment does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gap {
    /// Nothing.
    Tight,
    /// A space.
    Space,
    /// A line break if the user wrote one; a space or a line break, as the group decides, otherwise.
    Line,
    /// As `Line`, with nothing instead of a space.
    Soft,
    /// A space or a line break, as the group decides, whatever the user wrote.
    Flow,
    /// As `Line`, with an empty line if the user wrote one.
    Step,
    /// A line break, with an empty line if the user wrote one.
    Break,
}

/// Which commas of a list end lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Commas {
    /// All, or none.
    Alike,
    /// Those at which the user breaks, and further ones where a line is full.
    Fill,
    /// Those where a line is full.
    Flow,
}

/// The place in the text, and where documents are made.
pub(crate) struct Layout<'a> {
    arena: &'a Arena<'a, TrailingComment>,
    tokens: Tokens<'a>,
    /// The next token.
    at: usize,
    /// The token before which the gap is written already.
    spaced: Option<usize>,
    /// How many line breaks are written that no group can take back.
    breaks: usize,
}

impl<'a> Layout<'a> {
    /// At the first token.
    pub(crate) fn new(arena: &'a Arena<'a, TrailingComment>, tokens: Tokens<'a>) -> Self {
        Self { arena, tokens, at: 0, spaced: None, breaks: 0 }
    }

    /// The document of nothing.
    pub(crate) fn nil(&self) -> Doc<'a> {
        self.arena.nil()
    }

    /// A text that stands only where the group around it is broken.
    pub(crate) fn if_broken(&self, text: &'static str) -> Doc<'a> {
        self.arena.text(text).flat_alt(self.arena.nil())
    }

    /// The number of the next token.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The tokens.
    pub(crate) fn tokens(&self) -> &Tokens<'a> {
        &self.tokens
    }

    /// The next token's text.
    pub(crate) fn next(&self) -> &'a str {
        self.tokens.text(self.at)
    }

    /// How many line breaks are written that no group can take back.
    pub(crate) fn breaks(&self) -> usize {
        self.breaks
    }

    /// A space, in the place of a gap that another layout needs.
    pub(crate) fn space(&self) -> Doc<'a> {
        self.arena.space()
    }

    /// A document behind a space, if its first line fits there. Otherwise it begins a line and is indented by two.
    pub(crate) fn below_or_behind(&self, doc: Doc<'a>) -> Doc<'a> {
        let arena = self.arena;
        let below: RefDoc<'a, _> = doc.into_doc();
        let behind: RefDoc<'a, _> = DocBuilder(arena, below.into()).nest(-2).into_doc();
        let place = arena.column(move |column| {
            let choice = move |nesting| if column > nesting { behind } else { below };
            arena.nesting(choice).into_doc()
        });
        arena.line().group().append(place).nest(2)
    }

    /// Whether the user begins a line with the next token.
    pub(crate) fn begins_line(&self) -> bool {
        self.tokens.begins_line(self.at)
    }

    /// The first and the last token of a node.
    pub(crate) fn ends(&self, span: Span) -> (usize, usize) {
        (self.tokens.starting(span.start), self.tokens.ending(span.end))
    }

    /// How many pairs of parentheses stand around all tokens from one to another.
    pub(crate) fn layers(&self, first: usize, last: usize) -> usize {
        let is_pair = |layer: &usize| {
            let (open, close) = (first + layer, last - layer);
            open < close && self.is_bracket("(", open, close)
        };
        (0..=(last - first) / 2).take_while(is_pair).count()
    }

    /// How many pairs of parentheses stand around a node. `own` of them belong to it, unless braces do, as to the pair
    /// `{0 = x, 1 = y}`.
    pub(crate) fn layers_around(&self, first: usize, last: usize, own: usize) -> usize {
        let layers = self.layers(first, last);
        let has_braces =
            layers * 2 < last - first && self.is_bracket("{", first + layers, last - layers);
        if has_braces { layers } else { layers - own.min(layers) }
    }

    /// Whether the next token is the bracket that `last` closes.
    pub(crate) fn opens(&self, bracket: &str, last: usize) -> bool {
        self.is_bracket(bracket, self.at, last)
    }

    fn is_bracket(&self, bracket: &str, open: usize, close: usize) -> bool {
        self.tokens.text(open) == bracket && self.tokens.partner(open) == Some(close)
    }

    /// What stands before the next token.
    pub(crate) fn gap(&mut self, gap: Gap) -> Doc<'a> {
        self.gap_broken(gap, false)
    }

    /// As [`Layout::gap`], where the user may have written the line break elsewhere.
    pub(crate) fn gap_broken(&mut self, gap: Gap, is_broken: bool) -> Doc<'a> {
        debug_assert_ne!(self.spaced, Some(self.at), "a gap is written once");
        self.spaced = Some(self.at);
        let is_first = self.at == 0;
        let between = self.tokens.take(self.at);
        if between.comments.is_empty() {
            if is_first { self.nil() } else { self.blanks(gap, &between, is_broken) }
        } else {
            self.comments(gap, &between, is_first)
        }
    }

    fn blanks(&mut self, gap: Gap, between: &Between<'a>, is_broken: bool) -> Doc<'a> {
        let is_broken = is_broken || between.breaks;
        self.breaks += match gap {
            Gap::Tight | Gap::Space | Gap::Flow => 0,
            Gap::Line | Gap::Soft | Gap::Step => usize::from(is_broken),
            Gap::Break => 1,
        };
        match gap {
            Gap::Tight => self.arena.nil(),
            Gap::Space => self.arena.space(),
            Gap::Line if is_broken => self.arena.hardline(),
            Gap::Line | Gap::Flow => self.arena.line(),
            Gap::Soft if is_broken => self.arena.hardline(),
            Gap::Soft => self.arena.line_(),
            Gap::Step | Gap::Break if between.blank => self.lines(true),
            Gap::Step if !is_broken => self.arena.line(),
            Gap::Step | Gap::Break => self.arena.hardline(),
        }
    }

    /// Comments take the lines that they have; behind the last one, a line begins.
    fn comments(&mut self, gap: Gap, between: &Between<'a>, is_first: bool) -> Doc<'a> {
        self.breaks += 1;
        let keeps_blank = matches!(gap, Gap::Step | Gap::Break);
        let mut doc = self.nil();
        for (number, comment) in between.comments.iter().enumerate() {
            // A comment is no reason to break a line: it takes no columns.
            let text = self.arena.alloc(pretty::Doc::BorrowedText(comment.text));
            let text = DocBuilder(self.arena, pretty::Doc::RenderLen(0, text).into());
            doc = if comment.trails && number == 0 {
                doc.append(self.arena.text("  ")).append(text.annotate(TrailingComment))
            } else if is_first && number == 0 {
                text
            } else {
                let blank = comment.blank && (keeps_blank || number > 0);
                doc.append(self.lines(blank)).append(text)
            };
        }
        doc.append(self.lines(between.blank && keeps_blank))
    }

    fn lines(&self, blank: bool) -> Doc<'a> {
        let line = self.arena.hardline();
        if blank { line.append(self.arena.hardline()) } else { line }
    }

    /// The next token. The gap before it is written.
    pub(crate) fn token(&mut self) -> Doc<'a> {
        debug_assert_eq!(self.spaced, Some(self.at), "a gap stands before each token");
        let text = self.tokens.text(self.at);
        self.at += 1;
        self.arena.text(text)
    }

    /// A gap and a token.
    pub(crate) fn then(&mut self, gap: Gap) -> Doc<'a> {
        self.gap(gap).append(self.token())
    }

    /// The tokens up to `last`, with spaces behind commas only. The gap before the first is written.
    pub(crate) fn tight(&mut self, last: usize) -> Doc<'a> {
        let mut doc = self.token();
        while self.at <= last {
            let is_behind_comma = self.tokens.text(self.at - 1) == ",";
            let gap = if is_behind_comma { Gap::Space } else { Gap::Tight };
            doc = doc.append(self.then(gap));
        }
        doc
    }

    /// The tokens up to `last`, with a space where the user wrote a blank. The gap before the first is written.
    pub(crate) fn as_written(&mut self, last: usize) -> Doc<'a> {
        let mut doc = self.token();
        while self.at <= last {
            let gap = if self.tokens.touches(self.at) { Gap::Tight } else { Gap::Space };
            doc = doc.append(self.then(gap));
        }
        doc
    }

    /// The next token is a bracket: all up to its partner, as [`Layout::tight`].
    pub(crate) fn tight_brackets(&mut self) -> Doc<'a> {
        self.tight(self.tokens.partner(self.at).expect("brackets match in a text without mistakes"))
    }

    /// Items with commas behind them, in the brackets that begin with the next token.
    pub(crate) fn brackets<T>(
        &mut self,
        items: &[T],
        commas: Commas,
        item: impl FnMut(&mut Self, &T) -> Doc<'a>,
    ) -> Doc<'a> {
        let open = self.token();
        let items = if items.is_empty() { self.nil() } else { self.within(items, commas, item) };
        open.append(items).append(self.last_comma()).append(self.then(Gap::Tight)).group()
    }

    /// The comma behind the last item, if there is one.
    pub(crate) fn last_comma(&mut self) -> Doc<'a> {
        if self.next() == "," { self.then(Gap::Tight) } else { self.nil() }
    }

    fn within<T>(
        &mut self,
        items: &[T],
        commas: Commas,
        item: impl FnMut(&mut Self, &T) -> Doc<'a>,
    ) -> Doc<'a> {
        let gap = self.gap(Gap::Tight);
        gap.append(self.commas(items, commas, item)).align()
    }

    /// Items with commas behind them. The gap before the first is written.
    pub(crate) fn commas<T>(
        &mut self,
        items: &[T],
        commas: Commas,
        mut item: impl FnMut(&mut Self, &T) -> Doc<'a>,
    ) -> Doc<'a> {
        let mut doc = self.nil();
        for (number, one) in items.iter().enumerate() {
            if number == 0 {
                doc = item(self, one);
                continue;
            }
            let is_broken = self.begins_line();
            self.tokens.move_comments_on(self.at);
            doc = doc.append(self.then(Gap::Tight));
            let gap = if commas == Commas::Flow { Gap::Flow } else { Gap::Line };
            let gap = self.gap_broken(gap, is_broken);
            let next = gap.append(item(self, one));
            doc = doc.append(if commas == Commas::Alike { next } else { next.group() });
        }
        doc
    }

    /// The fields of a record, in the braces that begin with the next token. If they take several lines, each begins
    /// with the brace or a comma.
    pub(crate) fn fields<T>(
        &mut self,
        fields: &[T],
        mut field: impl FnMut(&mut Self, &T) -> Doc<'a>,
    ) -> Doc<'a> {
        let mut doc = self.token();
        for (number, one) in fields.iter().enumerate() {
            if number == 0 {
                doc = doc.append(self.if_broken(" ")).append(self.gap(Gap::Tight));
            } else {
                let is_broken = self.tokens.begins_line(self.at + 1);
                self.tokens.move_comments_back(self.at);
                doc = doc.append(self.gap_broken(Gap::Soft, is_broken)).append(self.token());
                doc = doc.append(self.gap(Gap::Space));
            }
            doc = doc.append(field(self, one).nest(4));
        }
        doc = doc.append(self.last_comma());
        if !fields.is_empty() {
            doc = doc.append(self.if_broken(" "));
        }
        doc.append(self.then(Gap::Tight)).group().align()
    }

    /// What stands before an infix operator, which is the next token. A break behind it counts as one before it.
    pub(crate) fn before_operator(&mut self) -> Doc<'a> {
        let is_broken = self.tokens.begins_line(self.at + 1);
        self.move_comments_before_operator();
        self.gap_broken(Gap::Line, is_broken)
    }

    /// Moves the comments behind an operator, which is the next token, to before it.
    pub(crate) fn move_comments_before_operator(&mut self) {
        self.tokens.move_comments_back(self.at);
    }
}

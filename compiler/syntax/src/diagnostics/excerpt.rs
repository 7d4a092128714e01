//! The part of a file that a diagnostic shows, as a source for ariadne. It has the lines of the labels. Long lines
//! are cut around the labels.
//!
//! Invariant: the excerpt has one line for each line of the file up to the last line with a label, so line numbers
//! are those of the file. A line without a label is empty. Each character of the excerpt stands for one character of
//! the file, with two exceptions: a `…` stands for text that is cut out, and blanks at the end of a line, which
//! ariadne does not show, make the line as long as the true column of the diagnostic's place.
//!
//! ```text
//! def xs = [0, 1, 2, … 10000 numbers …, x + 1]    label at x
//! ⇒ … 9997, 9998, 9999, 10000, x + 1]
//! ```

use std::ops::Range;

use arr_printable as printable;

use crate::ids::FileId;
use crate::source::{Sources, Span};

/// The longest line that is shown whole if no width is asked for, in characters.
pub(super) const LONGEST: usize = 140;
/// How many characters around the ends of a label stay when its line is cut, as a part of the longest line.
const AROUND: (usize, usize) = (2, 7);

/// A part of a file, with the place of each shown byte. A place is an offset in the excerpt, in characters.
#[derive(Debug, Default)]
pub(super) struct Excerpt {
    text: String,
    /// How many characters the text has.
    length: usize,
    /// Bytes of the file in ascending order, with their places. They are the bytes of the shown characters, the first
    /// byte of each text that is cut out, and the end of each line from the first line with a label on.
    places: Vec<(u32, usize)>,
    /// The line and the column of the diagnostic's subject, as a place.
    location: usize,
}

impl Excerpt {
    /// Makes the excerpt that shows the spans, which are all in this file. The first span is the diagnostic's
    /// subject.
    pub(super) fn new(sources: &Sources, file: FileId, spans: &[Span], longest: usize) -> Self {
        let text = &sources.get(file).text;
        let length = u32::try_from(text.len()).expect("spans are 32 bits");
        let ends = spans.iter().flat_map(|span| {
            let start = span.start.min(length);
            // The last character of a span belongs to it. The character behind it may be on another line.
            [start, span.end.min(length).saturating_sub(1).max(start)]
        });
        let mut ends: Vec<u32> = ends.collect();
        let about = sources.line_of(file, ends[0]);
        let column = sources.line_col(spans[0]).column as usize - 1;
        ends.sort_unstable();
        let (first, last) =
            (sources.line_of(file, ends[0]), sources.line_of(file, ends[ends.len() - 1]));
        let mut excerpt = Self { text: "\n".repeat(first), length: first, ..Self::default() };
        let mut ends = ends.as_slice();
        for number in first..=last {
            let range = sources.line_range(file, number);
            let here = ends.iter().take_while(|&&end| end <= range.end || number == last);
            let (here, rest) = ends.split_at(here.count());
            ends = rest;
            let start = excerpt.length;
            excerpt.line(text, range, here, longest);
            if number == about {
                excerpt.location = start + column;
                while excerpt.length <= excerpt.location {
                    excerpt.push(' ');
                }
            }
            excerpt.push('\n');
        }
        excerpt
    }

    /// Adds the visible parts of a line, without its end.
    fn line(&mut self, text: &str, range: Range<u32>, ends: &[u32], longest: usize) {
        let mut at = range.start;
        if !ends.is_empty() {
            let whole = &text[range.start as usize..range.end as usize];
            for kept in visible_ranges(whole, range.start, ends, longest) {
                if kept.start > at {
                    self.show(at, '…');
                }
                at = kept.end;
                let piece = &text[kept.start as usize..kept.end as usize];
                for (offset, c) in piece.char_indices() {
                    let byte = kept.start + u32::try_from(offset).expect("a span's byte");
                    self.show(byte, printable::sign(c));
                }
            }
            if at < range.end {
                self.show(at, '…');
            }
        }
        self.places.push((range.end, self.length));
    }

    /// Adds the character that is shown for this byte of the file.
    fn show(&mut self, byte: u32, c: char) {
        self.places.push((byte, self.length));
        self.push(c);
    }

    fn push(&mut self, c: char) {
        self.text.push(c);
        self.length += 1;
    }

    /// The text of the excerpt.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where a span is in the excerpt.
    pub(super) fn range(&self, span: Span) -> Range<usize> {
        let start = self.place(span.start);
        start..self.place(span.end).max(start)
    }

    /// The place with the line and the column that the diagnostic's subject has in the file. The excerpt may show
    /// another character there.
    pub(super) fn location(&self) -> Range<usize> {
        self.location..self.location
    }

    /// Where a byte of the file is in the excerpt.
    fn place(&self, byte: u32) -> usize {
        let before = self.places.partition_point(|&(start, _)| start <= byte);
        self.places[before.saturating_sub(1)].1
    }
}

/// Whether a line is too long to be shown whole.
fn is_long(line: &str, longest: usize) -> bool {
    line.len() > longest && line.chars().count() > longest
}

/// Whether the line on which a span begins is cut.
pub(super) fn is_cut(sources: &Sources, span: Span, longest: usize) -> bool {
    let range = sources.line_range(span.file, sources.line_of(span.file, span.start));
    is_long(&sources.get(span.file).text[range.start as usize..range.end as usize], longest)
}

/// The visible parts of a line: all of it, or the surroundings of the labels' ends.
fn visible_ranges(line: &str, start: u32, ends: &[u32], longest: usize) -> Vec<Range<u32>> {
    let around = longest * AROUND.0 / AROUND.1;
    let offset = |bytes: usize| start + u32::try_from(bytes).expect("a span's byte");
    let whole = start..offset(line.len());
    if !is_long(line, longest) {
        return vec![whole];
    }
    let mut kept: Vec<Range<u32>> = Vec::new();
    for &end in ends {
        let mut at = (end.saturating_sub(start) as usize).min(line.len());
        while !line.is_char_boundary(at) {
            at -= 1;
        }
        let (left, right) = line.split_at(at);
        let left = left.char_indices().rev().take(around).last().map_or(at, |(at, _)| at);
        let right = right.char_indices().nth(around).map_or(line.len(), |(more, _)| at + more);
        match kept.last_mut() {
            Some(last) if last.end >= offset(left) => last.end = last.end.max(offset(right)),
            Some(_) | None => kept.push(offset(left)..offset(right)),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, spans: &[(u32, u32)]) -> (Excerpt, Vec<Range<usize>>) {
        let mut sources = Sources::default();
        let file = sources.add("a.arr", text);
        let spans: Vec<Span> =
            spans.iter().map(|&(start, end)| Span::new(file, start, end)).collect();
        let excerpt = Excerpt::new(&sources, file, &spans, LONGEST);
        let ranges = spans.iter().map(|&span| excerpt.range(span)).collect();
        (excerpt, ranges)
    }

    /// The text that each range covers.
    fn covered(text: &str, spans: &[(u32, u32)]) -> Vec<String> {
        let (excerpt, ranges) = excerpt(text, spans);
        let chars: Vec<char> = excerpt.text().chars().collect();
        ranges.into_iter().map(|range| chars[range].iter().collect()).collect()
    }

    #[test]
    fn lines_without_a_label_are_empty() {
        let (excerpt, ranges) = excerpt("one\ntwo\nthree\nfour\n", &[(4, 7), (14, 18)]);
        assert_eq!(excerpt.text(), "\ntwo\n\nfour\n");
        assert_eq!(ranges, [1..4, 6..10]);
    }

    #[test]
    fn a_long_line_is_cut_around_its_labels() {
        let text = format!("{} x {} y {}", "é".repeat(500), "ü".repeat(500), "ö".repeat(500));
        let x = text.find('x').map(|at| u32::try_from(at).expect("short")).expect("it has one");
        let y = text.find('y').map(|at| u32::try_from(at).expect("short")).expect("it has one");
        assert_eq!(covered(&text, &[(x, x + 1), (y, y + 1)]), ["x", "y"]);
        let (excerpt, _) = excerpt(&text, &[(x, x + 1), (y, y + 1)]);
        assert!(excerpt.text().trim_end().chars().count() < 180, "{}", excerpt.text());
        assert_eq!(excerpt.text().matches('…').count(), 3);
    }

    #[test]
    fn a_long_label_keeps_its_ends() {
        let text = format!("({})", "1 + ".repeat(400));
        let end = u32::try_from(text.len()).expect("short");
        let found = covered(&text, &[(0, end)]);
        assert!(found[0].starts_with("(1 + 1") && found[0].ends_with("+ )"), "{found:?}");
        assert!(found[0].chars().count() < 100, "{found:?}");
    }

    #[test]
    fn every_span_of_every_text_has_its_place() {
        for text in ["", "a", "\n", "a\n\nb", "é\r\nü", "\r\r", "a\u{2028}b\n"] {
            let length = u32::try_from(text.len()).expect("short") + 2;
            for start in 0..length {
                for end in start..length {
                    let (excerpt, ranges) = excerpt(text, &[(start, end)]);
                    let chars = excerpt.text().chars().count();
                    assert!(ranges[0].end <= chars, "{text:?} {start}..{end}: {ranges:?}");
                }
            }
        }
    }
}

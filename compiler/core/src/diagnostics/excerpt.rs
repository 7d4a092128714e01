//! The part of a file that a diagnostic shows: the lines of its labels, long ones cut around them.
//!
//! Invariant: the excerpt has a line for each line of the file up to the last that has a label, so
//! that lines have their numbers; a line without a label is empty. Each character stands for one character of the file, except
//! for the `…` that stand for what is cut out.
//!
//! ```text
//! def xs = [0, 1, 2, … 10000 numbers …, x + 1]    label at x
//! ⇒ … 9997, 9998, 9999, 10000, x + 1]
//! ```

use std::ops::Range;

use crate::ids::FileId;
use crate::source::{Sources, Span};

/// The longest line that is shown whole, in characters.
const LONGEST: usize = 140;
/// How many characters around the ends of a label stay when its line is cut.
const AROUND: usize = 40;

/// A part of a file, and where its text was.
#[derive(Debug)]
pub(super) struct Excerpt {
    text: String,
    /// The lines from the first with a label.
    lines: Vec<Line>,
    /// The length of the file in bytes.
    file: u32,
}

/// One line of an excerpt.
#[derive(Debug, Default)]
struct Line {
    /// The first byte of it in the file.
    start: u32,
    /// The place of its first character in the excerpt.
    place: usize,
    /// What is kept: the bytes in the file, and the place of the first of them in the excerpt.
    kept: Vec<(Range<u32>, usize)>,
    /// The characters of what is kept, by the byte where each begins in the file.
    chars: Vec<u32>,
    /// The place after its last character.
    end: usize,
}

impl Excerpt {
    /// The excerpt that shows the spans, which are of this file.
    pub(super) fn new(sources: &Sources, file: FileId, spans: impl Iterator<Item = Span>) -> Self {
        let source = sources.get(file);
        let length = u32::try_from(source.text.len()).expect("spans are 32 bits");
        let mut ends: Vec<u32> = spans
            .flat_map(|span| {
                let start = span.start.min(length);
                // The last character of a span is in it; what follows may be another line.
                [start, span.end.min(length).saturating_sub(1).max(start)]
            })
            .collect();
        ends.sort_unstable();
        let (first, last) = (ends[0], ends[ends.len() - 1]);
        let (first_line, last_line) = (sources.line_of(file, first), sources.line_of(file, last));
        let mut excerpt = Self { text: "\n".repeat(first_line), lines: Vec::new(), file: length };
        let mut place = first_line;
        let mut ends = ends.as_slice();
        for number in first_line..=last_line {
            let range = sources.line_range(file, number);
            let here = ends.iter().take_while(|&&end| end <= range.end || number == last_line);
            let (here, rest) = ends.split_at(here.count());
            ends = rest;
            place = excerpt.line(&source.text, range, here, place);
        }
        excerpt
    }

    /// Adds a line, and gives the place after it.
    fn line(&mut self, text: &str, range: Range<u32>, ends: &[u32], place: usize) -> usize {
        let mut line = Line { start: range.start, place, ..Line::default() };
        let mut at = place;
        if !ends.is_empty() {
            let whole = &text[range.start as usize..range.end as usize];
            for kept in kept(whole, range.start, ends) {
                if kept.start > line.kept.last().map_or(range.start, |(last, _)| last.end) {
                    self.text.push('…');
                    at += 1;
                }
                line.kept.push((kept.clone(), at));
                let piece = &text[kept.start as usize..kept.end as usize];
                for (offset, c) in piece.char_indices() {
                    line.chars.push(kept.start + u32::try_from(offset).expect("a span's byte"));
                    self.text.push(printable(c));
                    at += 1;
                }
            }
            if line.kept.last().is_some_and(|(last, _)| last.end < range.end) {
                self.text.push('…');
                at += 1;
            }
        }
        line.end = at;
        self.text.push('\n');
        self.lines.push(line);
        at + 1
    }

    /// The text of the excerpt.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where a span is in the excerpt, in characters.
    pub(super) fn range(&self, span: Span) -> Range<usize> {
        let start = self.place(span.start.min(self.file));
        start..self.place(span.end.min(self.file)).max(start)
    }

    /// Where a byte of the file is in the excerpt.
    fn place(&self, byte: u32) -> usize {
        let line = self.lines.partition_point(|line| line.start <= byte).saturating_sub(1);
        let line = &self.lines[line];
        let before = line.kept.partition_point(|(kept, _)| kept.start <= byte);
        let Some((kept, place)) = before.checked_sub(1).map(|last| &line.kept[last]) else {
            return line.place;
        };
        let count = |byte: u32| line.chars.partition_point(|&start| start < byte);
        (place + count(byte) - count(kept.start)).min(line.end)
    }
}

/// What is shown of a line: all of it, or what is around the labels' ends.
fn kept(line: &str, start: u32, ends: &[u32]) -> Vec<Range<u32>> {
    let offset = |bytes: usize| start + u32::try_from(bytes).expect("a span's byte");
    let whole = start..offset(line.len());
    if line.len() <= LONGEST || line.chars().count() <= LONGEST {
        return vec![whole];
    }
    let mut kept: Vec<Range<u32>> = Vec::new();
    for &end in ends {
        let mut at = (end.saturating_sub(start) as usize).min(line.len());
        while !line.is_char_boundary(at) {
            at -= 1;
        }
        let (left, right) = line.split_at(at);
        let left = left.char_indices().rev().take(AROUND).last().map_or(at, |(at, _)| at);
        let right = right.char_indices().nth(AROUND).map_or(line.len(), |(more, _)| at + more);
        match kept.last_mut() {
            Some(last) if last.end >= offset(left) => last.end = last.end.max(offset(right)),
            Some(_) | None => kept.push(offset(left)..offset(right)),
        }
    }
    kept
}

/// The character, or a sign for one that steers a terminal or breaks a line.
fn printable(c: char) -> char {
    let breaks = matches!(c, '\u{2028}' | '\u{2029}');
    // These turn the direction of the text after them, which hides what a program is.
    let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if (c.is_control() && c != '\t') || breaks || turns { '\u{fffd}' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, spans: &[(u32, u32)]) -> (Excerpt, Vec<Range<usize>>) {
        let mut sources = Sources::default();
        let file = sources.add("a.arr", text);
        let spans: Vec<Span> =
            spans.iter().map(|&(start, end)| Span::new(file, start, end)).collect();
        let excerpt = Excerpt::new(&sources, file, spans.iter().copied());
        let ranges = spans.iter().map(|&span| excerpt.range(span)).collect();
        (excerpt, ranges)
    }

    /// What the ranges cover.
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
        assert!(excerpt.text().chars().count() < 180, "{}", excerpt.text());
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

//! Source texts and places in them.
//!
//! Invariant: a [`Span`] is a half-open byte range on `char` boundaries of the file it names.

use std::ops::Range;

use indexmap::IndexSet;

use crate::ids::{FileId, PrimaryMap};
use crate::names::Name;

/// A half-open byte range of one source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// The file that the bytes are of.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The calls through which code from this place was copied to where it is; those of
    /// [`CallId::NONE`] if it stands where it was written.
    pub calls: CallId,
}

impl Span {
    /// The range `start..end` of `file`.
    #[must_use]
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end, calls: CallId::NONE }
    }

    /// The smallest span that covers both; they must be of one file.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        debug_assert_eq!(self.file, other.file, "a span covers one file");
        let (start, end) = (self.start.min(other.start), self.end.max(other.end));
        Self { start, end, ..self }
    }

    /// The empty span at this one's start.
    #[must_use]
    pub fn before(self) -> Self {
        Self { end: self.start, ..self }
    }
}

/// A call whose function's code was copied to where it was called.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Call {
    /// The function's name.
    pub name: Name,
    /// Where it was called, and through which calls that place was reached itself.
    pub at: Span,
}

/// The calls of a program, each once.
#[derive(Clone, Default, Debug)]
pub struct Calls(IndexSet<Call>);

impl Calls {
    /// The id of a call.
    pub fn add(&mut self, call: Call) -> CallId {
        let (place, _) = self.0.insert_full(call);
        CallId(u32::try_from(place + 1).expect("calls are fewer than bindings"))
    }

    /// The call that an id names; none for [`CallId::NONE`].
    #[must_use]
    pub fn get(&self, id: CallId) -> Option<&Call> {
        self.0.get_index((id.0 as usize).checked_sub(1)?)
    }
}

/// A call of a program, or none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct CallId(u32);

impl CallId {
    /// No call.
    pub const NONE: Self = Self(0);
}

/// One source file: the name that diagnostics print, and its text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as the user gave it.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// Where each line begins, in bytes; a line ends with `\n`, `\r\n` or `\r`. A byte order mark stands
    /// before the first.
    lines: Vec<u32>,
    /// Whether it is part of the compiler.
    pub is_library: bool,
}

/// A one-based place, as editors count: lines, and columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineCol {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// Every source file of one compilation.
#[derive(Clone, Default, Debug)]
pub struct Sources {
    files: PrimaryMap<FileId, Source>,
}

impl Sources {
    /// Adds a file and names it by an id.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> FileId {
        self.add_source(path.into(), text.into(), false)
    }

    /// Adds a file that is part of the compiler: what fails in it is told of where the user calls it.
    pub fn add_library(&mut self, path: impl Into<String>, text: impl Into<String>) -> FileId {
        self.add_source(path.into(), text.into(), true)
    }

    fn add_source(&mut self, path: String, text: String, is_library: bool) -> FileId {
        let byte = |at: usize| u32::try_from(at).expect("spans are 32 bits, so texts are");
        let bytes = text.as_bytes();
        let ends_line = |at: &usize| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let ends = (0..bytes.len()).filter(ends_line).map(|at| byte(at + 1));
        let lines = [byte(mark(&text).len())].into_iter().chain(ends).collect();
        self.files.push(Source { path, text, lines, is_library })
    }

    /// The file that `id` names.
    #[must_use]
    pub fn get(&self, id: FileId) -> &Source {
        &self.files[id]
    }

    /// All files, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter()
    }

    /// The text that `span` covers.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        &self.files[span.file].text[span.start as usize..span.end as usize]
    }

    /// Where `span` starts, as editors count. Beyond the file that is the file's end.
    #[must_use]
    pub fn line_col(&self, span: Span) -> LineCol {
        let source = &self.files[span.file];
        let line = self.line_of(span.file, span.start);
        let before = &source.text[source.lines[line] as usize..];
        let column = before.char_indices();
        let offset = span.start.saturating_sub(source.lines[line]);
        let column = column.take_while(|(at, _)| *at < offset as usize).count() + 1;
        LineCol {
            line: u32::try_from(line + 1).expect("spans are 32 bits, so lines are"),
            column: u32::try_from(column).expect("spans are 32 bits, so columns are"),
        }
    }

    /// The byte at a line and a column, if the file has them.
    #[must_use]
    pub fn byte_at(&self, file: FileId, at: LineCol) -> Option<u32> {
        let source = &self.files[file];
        let start = *source.lines.get(at.line.checked_sub(1)? as usize)?;
        let column = at.column.checked_sub(1)? as usize;
        let (offset, _) = source.text.get(start as usize..)?.char_indices().nth(column)?;
        Some(start + u32::try_from(offset).ok()?)
    }

    /// The line that a byte is on, from 0. Beyond the file that is the last.
    #[must_use]
    pub fn line_of(&self, file: FileId, byte: u32) -> usize {
        self.files[file].lines.partition_point(|&start| start <= byte).saturating_sub(1)
    }

    /// The bytes of a line, without what ends it.
    #[must_use]
    pub fn line_range(&self, file: FileId, line: usize) -> Range<u32> {
        let source = &self.files[file];
        let start = source.lines[line];
        let length = u32::try_from(source.text.len()).expect("spans are 32 bits, so texts are");
        let end = source.lines.get(line + 1).map_or(length, |next| next - 1);
        let is_return = end > start && source.text.as_bytes()[end as usize - 1] == b'\r';
        start..if is_return { end - 1 } else { end }
    }
}

/// The byte order mark that a text begins with, or nothing: it belongs to the encoding, not to the
/// text.
#[must_use]
pub fn mark(text: &str) -> &str {
    const MARK: char = '\u{feff}';
    if text.starts_with(MARK) { &text[..MARK.len_utf8()] } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_end_a_line_ends_one() {
        let mut sources = Sources::default();
        let text = "\u{feff}a\rbc\r\n\n\rd";
        let file = sources.add("a.arr", text);
        let line = |number| {
            let range = sources.line_range(file, number);
            &text[range.start as usize..range.end as usize]
        };
        assert_eq!((0..5).map(line).collect::<Vec<_>>(), ["a", "bc", "", "", "d"]);
        let place = |at| {
            let at = sources.line_col(Span::new(file, at, at));
            (at.line, at.column)
        };
        assert_eq!([0, 3, 5, 6].map(place), [(1, 1), (1, 1), (2, 1), (2, 2)]);
    }
}

//! Source texts and places in them.
//!
//! Invariant: a [`Span`] is a half-open byte range on `char` boundaries of the file it names.

use crate::ids::{FileId, PrimaryMap};

/// A half-open byte range of one source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// The file that the bytes are of.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`.
    #[must_use]
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }

    /// The smallest span that covers both; they must be of one file.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        debug_assert_eq!(self.file, other.file, "a span covers one file");
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span at this one's start.
    #[must_use]
    pub fn before(self) -> Self {
        Self { end: self.start, ..self }
    }
}

/// One source file: the name that diagnostics print, and its text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as the user gave it.
    pub path: String,
    /// The whole text.
    pub text: String,
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
        self.files.push(Source { path: path.into(), text: text.into() })
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

    /// Where `span` starts, as editors count.
    #[must_use]
    pub fn line_col(&self, span: Span) -> LineCol {
        let before = &self.files[span.file].text[..span.start as usize];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        LineCol {
            line: u32::try_from(line).expect("spans are 32 bits, so lines are"),
            column: u32::try_from(column).expect("spans are 32 bits, so columns are"),
        }
    }
}

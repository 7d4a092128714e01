//! Places in the protocol, and bytes of texts.
//!
//! Invariant: only this module counts as editors do: lines from 0, and columns in units of UTF-16. A position behind the
//! end of its line is the end of the line.
//!
//! ```text
//! "é𝄞x", byte 6   ⇒   line 0, character 3
//! ```

use gen_lsp_types::{Position, Range};

/// Where the lines of a text begin. A line ends with `\n`, `\r\n` or `\r`.
#[derive(Clone, Debug)]
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    /// The lines of a text.
    pub(crate) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends_line = |at: &usize| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let ends = (0..bytes.len()).filter(ends_line).map(|at| at + 1);
        Self(std::iter::once(0).chain(ends).collect())
    }

    /// The number of lines.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The byte where a line begins.
    pub(crate) fn start(&self, line: usize) -> usize {
        self.0[line]
    }

    /// The line that a byte is on.
    pub(crate) fn line_of(&self, byte: usize) -> usize {
        self.0.partition_point(|&start| start <= byte).saturating_sub(1)
    }

    /// The text of a line, without what ends it.
    pub(crate) fn line<'t>(&self, text: &'t str, line: usize) -> &'t str {
        let end = self.0.get(line + 1).copied().unwrap_or(text.len());
        text[self.0[line]..end].trim_end_matches(['\n', '\r'])
    }

    /// The position of a byte of the text.
    pub(crate) fn position(&self, text: &str, byte: usize) -> Position {
        let byte = byte.min(text.len());
        let line = self.line_of(byte);
        let before = &text[self.0[line]..byte];
        let character = before.chars().map(char::len_utf16).sum::<usize>();
        Position { line: number(line), character: number(character) }
    }

    /// The range of some bytes of the text.
    pub(crate) fn range(&self, text: &str, start: usize, end: usize) -> Range {
        Range { start: self.position(text, start), end: self.position(text, end) }
    }

    /// The byte at a position.
    pub(crate) fn byte(&self, text: &str, position: Position) -> usize {
        let line = position.line as usize;
        if line >= self.0.len() {
            return text.len();
        }
        let mut left = position.character as usize;
        let mut byte = self.0[line];
        for char in self.line(text, line).chars() {
            if left < char.len_utf16() {
                break;
            }
            left -= char.len_utf16();
            byte += char.len_utf8();
        }
        byte
    }
}

/// A number of the protocol.
pub(crate) fn number(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\r\né𝄞x\rb\n";

    #[test]
    fn every_byte_has_a_position_and_back() {
        let lines = Lines::new(TEXT);
        assert_eq!(lines.count(), 4);
        for (byte, char) in TEXT.char_indices() {
            let position = lines.position(TEXT, byte);
            if !matches!(char, '\n' | '\r') {
                assert_eq!(lines.byte(TEXT, position), byte, "{position:?}");
            }
        }
        let x = TEXT.find('x').expect("it is there");
        assert_eq!(lines.position(TEXT, x), Position { line: 1, character: 3 });
    }

    #[test]
    fn positions_behind_an_end_are_the_end() {
        let lines = Lines::new(TEXT);
        let byte = |line, character| lines.byte(TEXT, Position { line, character });
        assert_eq!(byte(0, 99), 1);
        assert_eq!(byte(9, 0), TEXT.len());
        // The middle of a pair of units is its beginning.
        assert_eq!(byte(1, 2), byte(1, 1));
    }
}

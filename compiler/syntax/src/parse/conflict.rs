//! Lines that a version control system left in two versions.
//!
//! Invariant: marks count only if they come in their order, each at the start of a line.
//!
//! ```text
//! <<<<<<< HEAD
//! def f = 1      is read
//! =======
//! def f = 2      is skipped
//! >>>>>>> other
//! ```

use std::ops::Range;

use super::lexer::is_line_end;

/// Two versions of some lines, with the lines of the marks.
pub(super) struct Conflict {
    /// `<<<<<<<`.
    pub(super) first: Range<usize>,
    /// `=======`.
    pub(super) between: Range<usize>,
    /// `>>>>>>>`.
    pub(super) last: Range<usize>,
    /// Where the skipped text begins: at the mark between, or at that of a common ancestor before it.
    pub(super) skipped: usize,
}

/// The conflicts in a text, the last one first.
pub(super) fn find(text: &str) -> Vec<Conflict> {
    let mut found = Vec::new();
    let (mut first, mut ancestor, mut between) = (None, None, None);
    // Nearly all texts have no such mark, and looking for it is quick.
    if !text.contains("<<<<<<<") {
        return found;
    }
    let mut at = 0;
    for line in text.split_inclusive(is_line_end) {
        let mark = at..at + line.trim_end_matches(is_line_end).len();
        at += line.len();
        if is_mark(line, '<') {
            (first, ancestor, between) = (Some(mark), None, None);
        } else if is_mark(line, '|') && between.is_none() {
            ancestor = Some(mark.start);
        } else if is_mark(line, '=') && first.is_some() && between.is_none() {
            between = Some(mark);
        } else if is_mark(line, '>')
            && let (Some(first), Some(between)) = (first.take(), between.take())
        {
            let skipped = ancestor.take().unwrap_or(between.start);
            found.push(Conflict { first, between, last: mark, skipped });
        }
    }
    found.reverse();
    found
}

/// Whether a line is a mark made of `sign`.
fn is_mark(line: &str, sign: char) -> bool {
    let rest = line.trim_start_matches(sign);
    line.len() - rest.len() == 7 && rest.chars().next().is_none_or(char::is_whitespace)
}

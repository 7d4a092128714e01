//! A change of the text, shown as the lines before and the lines after.
//!
//! Invariant: edits that overlap, or that lie beyond the end of their file, change nothing.
//!
//! ```text
//! xs[0..2 ⇒ ys] in "let xs = map2 f as bs"
//! ⇒ - let xs = map2 f as bs
//!   + let ys = map2 f as bs
//! ```

use std::collections::BTreeMap;

use arr_printable as printable;

use super::Edit;
use crate::ids::FileId;
use crate::source::Sources;

/// The longest line that is shown, in characters.
const LONGEST: usize = 120;

/// Whether a line belongs to the old or to the new text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DiffSide {
    /// A line of the old text.
    Old,
    /// A line of the new text.
    New,
}

/// The lines that edits change, before and after, file by file. There are none if a line is too long to be shown.
pub(super) fn patch(edits: &[Edit], sources: &Sources) -> Vec<(DiffSide, String)> {
    let mut of_file: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    for edit in edits {
        of_file.entry(edit.span.file).or_default().push(edit);
    }
    let lines = of_file.into_iter().flat_map(|(file, edits)| file_patch(file, edits, sources));
    let lines: Vec<(DiffSide, String)> = lines.collect();
    if lines.iter().any(|(_, line)| line.chars().count() > LONGEST) { Vec::new() } else { lines }
}

/// The lines of one file. Edits whose lines overlap make one change.
fn file_patch(file: FileId, mut edits: Vec<&Edit>, sources: &Sources) -> Vec<(DiffSide, String)> {
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let text = &sources.get(file).text;
    let overlap = edits.windows(2).any(|pair| pair[0].span.end > pair[1].span.start);
    let valid = |edit: &&Edit| text.get(edit.span.start as usize..edit.span.end as usize).is_some();
    if overlap || !edits.iter().all(valid) {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut rest = edits.as_slice();
    while let Some(first) = rest.first() {
        let start = sources.line_range(file, sources.line_of(file, first.span.start)).start;
        let mut end = start;
        let mut count = 0;
        for edit in rest {
            if count > 0 && edit.span.start > end {
                break;
            }
            end = sources.line_range(file, sources.line_of(file, edit.span.end)).end;
            count += 1;
        }
        let (here, more) = rest.split_at(count);
        let old = &text[start as usize..end as usize];
        out.extend(old.lines().map(|line| (DiffSide::Old, shown(line))));
        let new = edited(old, start, here);
        out.extend(new.lines().map(|line| (DiffSide::New, shown(line))));
        rest = more;
    }
    out
}

/// A line of source as a message shows it: each tab as four blanks, control characters as visible signs.
fn shown(line: &str) -> String {
    line.trim_end().replace('\t', "    ").chars().map(printable::sign).collect()
}

/// The text after its edits. It begins at the byte `start` of its file.
fn edited(old: &str, start: u32, edits: &[&Edit]) -> String {
    let mut new = String::new();
    let mut at = 0;
    for edit in edits {
        let place = |byte: u32| (byte - start) as usize;
        new.push_str(&old[at..place(edit.span.start)]);
        new.push_str(&edit.replacement);
        at = place(edit.span.end);
    }
    new.push_str(&old[at..]);
    new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    fn shown(text: &str, edits: &[(u32, u32, &str)]) -> Vec<String> {
        let mut sources = Sources::default();
        let file = sources.add("a.arr", text);
        let edit = |&(start, end, replacement): &(u32, u32, &str)| Edit {
            span: Span::new(file, start, end),
            replacement: replacement.to_owned(),
        };
        let edits: Vec<Edit> = edits.iter().map(edit).collect();
        let sign = |mark| if mark == DiffSide::Old { '-' } else { '+' };
        let lines = patch(&edits, &sources).into_iter();
        lines.map(|(mark, line)| format!("{}{line}", sign(mark))).collect()
    }

    #[test]
    fn edits_of_one_line_change_it_together() {
        assert_eq!(shown("one\ntwo three\n", &[(8, 13, "3"), (4, 7, "2")]), ["-two three", "+2 3"]);
    }

    #[test]
    fn edits_of_lines_apart_are_shown_apart() {
        assert_eq!(
            shown("a\nb\nc\n", &[(0, 1, "x"), (4, 4, "y\n")]),
            ["-a", "+x", "-c", "+y", "+c"]
        );
    }

    #[test]
    fn an_edit_may_cross_lines() {
        assert_eq!(shown("a (\nb)\nc", &[(2, 5, "[b")]), ["-a (", "-b)", "+a [b)"]);
    }

    #[test]
    fn edits_that_overlap_or_lie_outside_are_not_shown() {
        assert!(shown("abc", &[(0, 2, "x"), (1, 3, "y")]).is_empty());
        assert!(shown("abc", &[(2, 9, "x")]).is_empty());
    }
}

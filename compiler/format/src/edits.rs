//! Formatting as edits, for editors: what changes between the tokens of a part of a text.
//!
//! Invariant: the edits ascend and do not overlap; each replaces blanks and comments between two tokens.
//!
//! ```text
//! def f x=x   ⇒   before `=` and behind it: a space
//! ```

use std::ops::Range;

use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::ids::FileId;
use arrc_syntax::parse;

use crate::check;
use crate::source::Tokens;

/// A part of a text, in bytes, and what takes its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What is replaced.
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
}

/// The edits that format the declarations that a range of bytes touches, at least in part.
///
/// # Errors
/// The mistakes in a text that cannot be read.
pub fn format_range(
    text: &str,
    file: FileId,
    range: Range<usize>,
) -> Result<Vec<Edit>, Vec<Diagnostic>> {
    let (tree, mistakes) = parse::parse_text(text, file);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let formatted = crate::of_tree(text, &tree);
    check::same_tokens(text, &formatted, file);
    let (old, new) = (Tokens::new(text, file), Tokens::new(&formatted, file));
    let mut edits = Vec::new();
    let mut ends = (0, 0);
    let mut decls = tree.decls.iter().map(|decl| decl.span().end as usize).peekable();
    // Where the declaration begins that the token is of, with its comments.
    let mut start = 0;
    for (token, other) in old.all().iter().zip(new.all()) {
        if let Some(end) = decls.next_if(|&end| end < token.end) {
            start = end;
        }
        let end = decls.peek().copied().unwrap_or(text.len());
        let (before, after) = (ends.0..token.start, &formatted[ends.1..other.start]);
        let touches = start <= range.end && range.start <= end;
        if touches && text[before.clone()] != *after {
            edits.push(Edit { range: before, text: after.to_owned() });
        }
        ends = (token.end, other.end);
    }
    Ok(edits)
}

//! The formatter: from a text to the same program in the one style of Arr.
//!
//! In: a text. Out: a text with the same tokens and the same comments, in order; only blanks and line breaks differ.
//! Negative invariant: nothing here knows names, types or files.
#![forbid(unsafe_code)]

mod check;
mod clauses;
mod declarations;
mod edits;
mod expressions;
mod layout;
mod modules;
mod patterns;
mod render;
mod source;
mod types;

pub use edits::{Edit, format_range};

use arrc_syntax::ast;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::ids::FileId;
use arrc_syntax::parse;
use arrc_syntax::source as text_source;
use pretty::Arena;

use crate::layout::{Gap, Layout};
use crate::source::Tokens;

/// The formatted text of `text`, which is the content of `file`.
///
/// # Errors
/// The mistakes in a text that cannot be read.
pub fn format(text: &str, file: FileId) -> Result<String, Vec<Diagnostic>> {
    let (tree, mistakes) = parse::parse_text(text, file);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let formatted = of_tree(text, &tree);
    check::same_tokens(text, &formatted, file);
    Ok(formatted)
}

/// The text of a tree that was read from `text` without mistakes.
fn of_tree(text: &str, tree: &ast::File) -> String {
    let arena = Arena::new();
    let mut layout = Layout::new(&arena, Tokens::new(text, tree.id));
    let mut doc = layout.gap(Gap::Break);
    if !tree.decls.is_empty() {
        doc = doc.append(layout.decls(&tree.decls)).append(layout.gap(Gap::Break));
    }
    let doc = doc.append(layout.token());
    let formatted = format!("{}{}", text_source::mark(text), render::text(doc.into_doc()));
    if ends_lines_with_return(text) { formatted.replace('\n', "\r\n") } else { formatted }
}

/// Whether the first line of a text ends as in the files of Windows.
fn ends_lines_with_return(text: &str) -> bool {
    text.find('\n').is_some_and(|end| text[..end].ends_with('\r'))
}

//! A text in the style of `arrc fmt`.
//!
//! Invariant: a text that cannot be read stays as it is.
//!
//! ```text
//! def f x=x   ⇒   one edit: def f x = x
//! ```

use arrc_syntax::ids::{EntityRef, FileId};
use gen_lsp_types as lsp;

use crate::paths::path_of;
use crate::positions::Lines;
use crate::server::{Refusal, Server};

/// The edit that formats a text; none if nothing changes.
pub(crate) fn formatting(
    server: &mut Server,
    params: lsp::DocumentFormattingParams,
) -> Result<Option<Vec<lsp::TextEdit>>, Refusal> {
    let path = path_of(&params.text_document.uri);
    let Some(text) = server.workspace.text(&path) else { return Ok(None) };
    let Ok(new_text) = arrc_format::format(&text, FileId::new(0)) else { return Ok(None) };
    if *new_text == *text {
        return Ok(Some(Vec::new()));
    }
    let range = Lines::new(&text).range(&text, 0, text.len());
    Ok(Some(vec![lsp::TextEdit { range, new_text }]))
}

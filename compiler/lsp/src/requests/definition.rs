//! Where a name is declared.
//!
//! Invariant: the text of the library is shown as a file of the shelf, which the editor can open.
//!
//! ```text
//! map in map f xs   ⇒   the `map` of prelude.arr
//! ```

use arrc_syntax::source::Span;
use gen_lsp_types as lsp;

use super::names::Target;
use crate::server::{Refusal, Server};

/// The place where the name at a place is declared. The path of an import leads to the file.
pub(crate) fn definition(
    server: &mut Server,
    params: lsp::DefinitionParams,
) -> Result<Option<lsp::DefinitionResponse>, Refusal> {
    let place = &params.text_document_position_params;
    let Some((analysis, byte)) = server.at(place) else { return Ok(None) };
    let import = analysis.import_at(byte).map(|(_, file)| Span::new(file, 0, 0));
    let named = || Target::at(&analysis, byte)?.span_in(&analysis);
    let Some(declared) = import.or_else(named) else { return Ok(None) };
    let location = server.workspace.location(&analysis, declared);
    Ok(location.map(|location| lsp::Definition::Location(location).into()))
}

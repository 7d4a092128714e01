//! The uses of a declaration, in all programs that can see it.
//!
//! Invariant: each use is told once, in the order of the files and of their texts.
//!
//! ```text
//! area in lib/geometry.arr   ⇒   its uses there and in main.arr, which imports it
//! ```

use arrc_syntax::source::Span;
use gen_lsp_types as lsp;

use super::names::Target;
use super::program_files;
use crate::server::{Refusal, Server};

/// The places of a name.
pub(crate) fn references(
    server: &mut Server,
    params: lsp::ReferenceParams,
) -> Result<Option<Vec<lsp::Location>>, Refusal> {
    let place = &params.text_document_position_params;
    let Some((analysis, byte)) = server.at(place) else { return Ok(None) };
    let Some(target) = Target::at(&analysis, byte) else { return Ok(None) };
    let workspace = &mut server.workspace;
    let programs = match target.is_local || target.is_library {
        true => vec![analysis],
        false => program_files::with(workspace, &analysis, &target.path),
    };
    let mut found: Vec<lsp::Location> = Vec::new();
    for program in programs {
        for span in target.places_in(&program, params.context.include_declaration) {
            found.extend(workspace.location(&program, span));
        }
    }
    let key =
        |one: &lsp::Location| (one.uri.0.clone(), one.range.start.line, one.range.start.character);
    found.sort_by_key(key);
    found.dedup();
    Ok(Some(found))
}

/// The places of a name in the open text.
pub(crate) fn highlights(
    server: &mut Server,
    params: lsp::DocumentHighlightParams,
) -> Result<Option<Vec<lsp::DocumentHighlight>>, Refusal> {
    let place = &params.text_document_position_params;
    let Some((analysis, byte)) = server.at(place) else { return Ok(None) };
    let Some(target) = Target::at(&analysis, byte) else { return Ok(None) };
    let declared = target.span_in(&analysis);
    let kind = |span: Span| match Some(span) == declared {
        true => lsp::DocumentHighlightKind::Write,
        false => lsp::DocumentHighlightKind::Read,
    };
    let places = target.places_in(&analysis, true).into_iter();
    let places = places.filter(|span| span.file == analysis.root);
    let highlight =
        |span| lsp::DocumentHighlight { range: analysis.range(span), kind: Some(kind(span)) };
    Ok(Some(places.map(highlight).collect()))
}

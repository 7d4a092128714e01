//! The parts of a text around a place, from the inside out.
//!
//! Invariant: each part is inside the next one, and larger ones follow smaller ones.
//!
//! ```text
//! x in f (x + 1)   ⇒   x, x + 1, f (x + 1), …
//! ```

use arrc_syntax::source::Span;
use gen_lsp_types as lsp;

use crate::analysis::Analysis;
use crate::paths::path_of;
use crate::server::{Refusal, Server};

/// The parts around each of some places.
pub(crate) fn selection_ranges(
    server: &mut Server,
    params: lsp::SelectionRangeParams,
) -> Result<Option<Vec<lsp::SelectionRange>>, Refusal> {
    let path = path_of(&params.text_document.uri);
    let Some(analysis) = server.workspace.analysis(&path) else { return Ok(None) };
    let of_place = |place: lsp::Position| around(&analysis, place);
    Ok(Some(params.positions.into_iter().map(of_place).collect()))
}

fn around(analysis: &Analysis, place: lsp::Position) -> lsp::SelectionRange {
    let byte = analysis.byte(place);
    let whole = Span::new(analysis.root, 0, crate::positions::number(analysis.text().len()));
    let mut spans = vec![whole];
    for node in analysis.nodes_at(byte) {
        let (span, outer) = (node.span(), spans[spans.len() - 1]);
        let is_inside = outer.start <= span.start && span.end <= outer.end;
        if is_inside && span != outer {
            spans.push(span);
        }
    }
    let mut spans = spans.into_iter().map(|span| analysis.range(span));
    let outermost = lsp::SelectionRange { range: spans.next().unwrap_or_default(), parent: None };
    spans.fold(outermost, |outer, range| lsp::SelectionRange {
        range,
        parent: Some(Box::new(outer)),
    })
}

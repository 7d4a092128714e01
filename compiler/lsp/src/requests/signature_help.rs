//! The function that a place is an argument of, and which argument.
//!
//! Invariant: the active parameter is the one that the next word belongs to.
//!
//! ```text
//! map2 f |   ⇒   def map2 (f: a -> b -> c) (xs: [n]a) (ys: [n]b): [n]c, the second parameter
//! ```

use arrc_syntax::ast::visit::Node;
use arrc_syntax::ast::{Expr, ExprKind};
use arrc_syntax::source::Span;
use gen_lsp_types as lsp;

use super::{markdown, signatures};
use crate::analysis::Analysis;
use crate::positions::number;
use crate::server::{Refusal, Server};

/// The signature at a place.
pub(crate) fn signature_help(
    server: &mut Server,
    params: lsp::SignatureHelpParams,
) -> Result<Option<lsp::SignatureHelp>, Refusal> {
    let place = &params.text_document_position_params;
    let Some((analysis, byte)) = server.at(place) else { return Ok(None) };
    Ok(calls_at(&analysis, byte)
        .into_iter()
        .find_map(|(function, at)| help(&analysis, function, at)))
}

/// The ends of the functions of the calls around a byte, from the inside out, and the numbers of the arguments there.
fn calls_at(analysis: &Analysis, byte: u32) -> Vec<(u32, usize)> {
    let before = analysis.text().get(..byte as usize).unwrap_or_default().trim_end();
    let last = number(before.len());
    let is_closed = |span: Span| span.end < byte && analysis.sources.text(span).starts_with('(');
    let nodes = analysis.nodes_at(last);
    let expressions = nodes
        .into_iter()
        .rev()
        .filter_map(|node| if let Node::Expr(expr) = node { Some(expr) } else { None });
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others are no calls")]
    let calls = expressions.filter(|expr| !is_closed(expr.span)).filter_map(
        |Expr { kind, span }| match kind {
            ExprKind::Apply(function, args) if function.span.end < byte => {
                let done = args.iter().filter(|arg| arg.span.end < byte);
                Some((function.span.end, done.count()))
            }
            ExprKind::Name(_) | ExprKind::Field(..) if span.end < byte && span.end == last => {
                Some((span.end, 0))
            }
            _ => None,
        },
    );
    calls.collect()
}

fn help(analysis: &Analysis, function: u32, at: usize) -> Option<lsp::SignatureHelp> {
    let (_, declared) = analysis.places().declared_at(analysis.root, function)?;
    let signature = signatures::signature(analysis, declared)?;
    if signature.params.is_empty() {
        return None;
    }
    let doc = analysis.written(declared).and_then(|written| written.doc().map(str::to_owned));
    let params = parameters(&signature.label, &signature.params);
    let active = (at < params.len()).then(|| lsp::ActiveParameter::Int(number(at)));
    let active = active.or(Some(lsp::ActiveParameter::Null));
    let signatures = vec![lsp::SignatureInformation {
        label: signature.label,
        documentation: doc.map(|doc| markdown(doc.trim().to_owned()).into()),
        parameters: Some(params),
        active_parameter: None,
    }];
    Some(lsp::SignatureHelp { signatures, active_signature: Some(0), active_parameter: active })
}

/// The places of the parameters in a label.
fn parameters(label: &str, params: &[String]) -> Vec<lsp::ParameterInformation> {
    let units = |text: &str| number(text.encode_utf16().count());
    let mut from = 0;
    let found = params.iter().map(|param| {
        let start = label[from..].find(param.as_str()).map_or(from, |at| from + at);
        from = (start + param.len()).min(label.len());
        let place = (units(&label[..start]), units(&label[..from]));
        lsp::ParameterInformation { label: place.into(), documentation: None }
    });
    found.collect()
}

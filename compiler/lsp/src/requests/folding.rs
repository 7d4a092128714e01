//! The parts of a text that can be folded: declarations, bindings of several lines, and comments.
//!
//! Invariant: a part has at least two lines.
//!
//! ```text
//! def f x =        ⇒   lines 0 to 2
//!   let y = x
//!   in y
//! ```

use arrc_syntax::ast::visit::Node;
use arrc_syntax::ast::{Decl, Expr, ExprKind};
use gen_lsp_types as lsp;

use crate::analysis::Analysis;
use crate::paths::path_of;
use crate::positions::number;
use crate::server::{Refusal, Server};

/// The parts of a text.
pub(crate) fn folding_ranges(
    server: &mut Server,
    params: lsp::FoldingRangeParams,
) -> Result<Option<Vec<lsp::FoldingRange>>, Refusal> {
    let path = path_of(&params.text_document.uri);
    let Some(analysis) = server.workspace.analysis(&path) else { return Ok(None) };
    let mut found = comments(&analysis);
    let mut open: Vec<Node<'_>> = analysis.tree().decls.iter().map(Node::Decl).collect();
    while let Some(node) = open.pop() {
        let is_local = matches!(node, Node::Decl(Decl::Local(_)));
        let is_function =
            matches!(node, Node::Expr(Expr { kind: ExprKind::Loop(_) | ExprKind::Lambda(..), .. }));
        let is_part = is_function || matches!(node, Node::Decl(_) | Node::Def(_) | Node::Case(_));
        let range = analysis.range(node.span());
        if range.start.line == range.end.line {
            continue;
        }
        if is_part && !is_local {
            found.push(part(range.start.line, range.end.line, None));
        }
        open.extend(node.children());
    }
    found.sort_by_key(|part| (part.start_line, std::cmp::Reverse(part.end_line)));
    found.dedup_by_key(|part| part.start_line);
    Ok(Some(found))
}

/// The comments of several lines.
fn comments(analysis: &Analysis) -> Vec<lsp::FoldingRange> {
    let lines = analysis.lines(analysis.root);
    let is_comment =
        |line: &usize| lines.line(analysis.text(), *line).trim_start().starts_with("--");
    let mut found = Vec::new();
    let mut line = 0;
    while line < lines.count() {
        let length = (line..lines.count()).take_while(is_comment).count();
        if length > 1 {
            let kind = Some(lsp::FoldingRangeKind::Comment);
            found.push(part(number(line), number(line + length - 1), kind));
        }
        line += length + 1;
    }
    found
}

fn part(start_line: u32, end_line: u32, kind: Option<lsp::FoldingRangeKind>) -> lsp::FoldingRange {
    lsp::FoldingRange { start_line, end_line, kind, ..Default::default() }
}

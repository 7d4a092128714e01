//! The place of an error at run time, from the text of its message.
//!
//! Invariant: a message that does not begin with a place in the program stays as it is.
//!
//! ```text
//! f.arr:2:11: division by zero   ⇒   division by zero, at `x * 2 / y` in line 2 of f.arr
//! ```

use arrc_syntax::ast::visit::Node;
use arrc_syntax::ast::{Expr, ExprKind};
use arrc_syntax::diagnostics::{Diagnostic, Label};
use arrc_syntax::parse;
use arrc_syntax::prim::{BinOp, Scalar};
use arrc_syntax::source::{LineCol, Sources, Span};

/// The diagnostic with its place, if its message begins with one.
pub(crate) fn placed(told: Diagnostic, sources: &Sources) -> Diagnostic {
    let Some((start, message)) = place(&told.message, sources) else { return told };
    let span = failing(sources, start);
    let primary = Some(Label { span, text: "it failed here".to_owned() });
    Diagnostic { message: message.to_owned(), primary, ..told }
}

/// The place that a message begins with, and the rest of the message.
fn place<'a>(message: &'a str, sources: &Sources) -> Option<(Span, &'a str)> {
    sources.iter().find_map(|(file, source)| {
        let rest = message.strip_prefix(&*arr_printable::line(&source.path))?.strip_prefix(':')?;
        let (at, message) = rest.split_once(": ")?;
        let (line, column) = at.split_once(':')?;
        let at = LineCol { line: line.parse().ok()?, column: column.parse().ok()? };
        let start = sources.byte_at(file, at)?;
        Some((Span::new(file, start, start), message))
    })
}

/// The expression that begins where something failed, and can fail. Without one it is the smallest one there.
fn failing(sources: &Sources, place: Span) -> Span {
    let (file, _) = parse::parse_text(&sources.get(place.file).text, place.file);
    let mut there = Vec::new();
    let mut nodes: Vec<Node<'_>> = file.decls.iter().map(Node::Decl).collect();
    while let Some(node) = nodes.pop() {
        let span = node.span();
        if span.start == place.start {
            there.push(node);
        }
        if span.start <= place.start && place.start < span.end {
            nodes.extend(node.children());
        }
    }
    let fails = |node: &&Node<'_>| matches!(node, Node::Expr(expr) if can_fail(expr));
    there.sort_by_key(|node| node.span().end);
    let found = there.iter().find(fails).or(there.first());
    found.map_or(place, |node| node.span())
}

/// Whether an expression can fail by itself, not in a part of it.
#[allow(clippy::wildcard_enum_match_arm, reason = "most expressions call or check something")]
fn can_fail(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Literal(_) | ExprKind::Field(..) | ExprKind::Tuple(_) => {
            false
        }
        ExprKind::Infix(_, op, _) => {
            let is_it = |known: &&BinOp| known.name() == op.name.name;
            BinOp::ALL.iter().find(is_it).is_none_or(|known| known.traps(Scalar::I64))
        }
        _ => true,
    }
}

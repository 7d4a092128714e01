//! Checks that the spans in a tree fit together.
//!
//! Invariant: the tree is walked with a list of our own, so that deep trees need no deep stack.
//!
//! ```text
//! Infix(x @ 0..1, + @ 2..3, y @ 4..5) @ 0..5   is fine
//! Infix(x @ 0..1, + @ 2..3, y @ 2..5) @ 0..5   is not: `+` and `y` overlap
//! ```

use super::File;
use super::visit::Node;
use crate::source::Span;

/// Checks that spans nest and that siblings stand side by side, in the order of the tree.
///
/// # Errors
/// The first span that does not fit, in words.
pub fn verify(file: &File) -> Result<(), String> {
    let decls: Vec<Node<'_>> = file.decls.iter().map(Node::Decl).collect();
    if let Some(decl) = decls.iter().find(|decl| decl.span().file != file.id) {
        return Err(format!("{} is not of {}", decl.words(), file.id));
    }
    siblings(&decls)?;
    let mut todo = decls;
    while let Some(node) = todo.pop() {
        let outer = node.span();
        let children = node.children();
        if let Some(child) = children.iter().find(|child| !within(child.span(), outer)) {
            return Err(format!("{} reaches beyond {}", child.words(), node.words()));
        }
        siblings(&children)?;
        todo.extend(children);
    }
    Ok(())
}

fn within(inner: Span, outer: Span) -> bool {
    inner.file == outer.file
        && outer.start <= inner.start
        && inner.start <= inner.end
        && inner.end <= outer.end
}

fn siblings(nodes: &[Node<'_>]) -> Result<(), String> {
    match nodes.windows(2).find(|pair| pair[0].span().end > pair[1].span().start) {
        Some(pair) => Err(format!("{} and {} overlap", pair[0].words(), pair[1].words())),
        None => Ok(()),
    }
}

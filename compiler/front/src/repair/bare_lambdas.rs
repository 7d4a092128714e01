//! Functions without parentheses that have taken the arguments behind them.
//!
//! Invariant: the parentheses end before an argument of the last call in the function's body, and were tried.
//!
//! ```text
//! map \x -> x + 1 xs   ⇒   map (\x -> x + 1) xs
//! ```

use super::sizes::path_to;
use super::{RemovedErrors, Repairer, Replacement};
use arrc_syntax::ast::visit::Node;
use arrc_syntax::ast::{Expr, ExprKind};
use arrc_syntax::diagnostics::{Change, Diagnostic, Edit};
use arrc_syntax::source::Span;

impl Repairer<'_> {
    /// The error with parentheses around a function near it, if there are fewer errors with them.
    pub(super) fn bare_lambda(&mut self, error: &Diagnostic) -> Option<Replacement> {
        let place = error.primary.as_ref()?.span;
        let file = self.program.files.iter().find(|file| file.id == place.file)?;
        let text = &*self.sources.get(place.file).text;
        let path = path_to(file, place);
        let lambda = path.iter().rev().find_map(|node| bare_lambda(*node, text))?;
        self.trials.begin();
        let tried = ends(lambda).into_iter().find_map(|end| {
            let insert = |at: u32, bracket: &str| Edit {
                span: Span { start: at, end: at, ..place },
                replacement: bracket.to_owned(),
            };
            let words = "put the function in parentheses: it reaches as far as it can".to_owned();
            let edits = vec![insert(lambda.span.start, "("), insert(end, ")")];
            self.trials.try_change((place.file, text), Change { text: words, edits }, 1, error)
        });
        self.trials.end();
        let (help, outcome) = tried?;
        let diagnostic = Diagnostic { helps: vec![help], ..error.clone() };
        Some(Replacement { diagnostic, removes: RemovedErrors::Tried(outcome) })
    }
}

/// The last argument of a call, if it is a function without parentheses.
fn bare_lambda<'a>(node: Node<'a>, text: &str) -> Option<&'a Expr> {
    let Node::Expr(Expr { kind: ExprKind::Apply(_, args), .. }) = node else { return None };
    let last = args.last()?;
    let begin = text.get(usize::try_from(last.span.start).ok()?..)?;
    (matches!(last.kind, ExprKind::Lambda(..)) && begin.starts_with('\\')).then_some(last)
}

/// Where a function may end: before one of the arguments of the call that ends where it does, the last one first.
fn ends(lambda: &Expr) -> Vec<u32> {
    let mut node = Node::Expr(lambda);
    loop {
        if let Node::Expr(Expr { kind: ExprKind::Apply(function, args), .. }) = node {
            let parts = std::iter::once(&**function).chain(args);
            let mut ends: Vec<u32> = parts.map(|part| part.span.end).collect();
            ends.pop();
            ends.reverse();
            return ends;
        }
        let reaches = |child: &Node<'_>| child.span().end == lambda.span.end;
        let Some(last) = node.children().into_iter().rfind(reaches) else { return Vec::new() };
        node = last;
    }
}

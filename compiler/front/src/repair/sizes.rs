//! Other arrays for an argument of the wrong size: one with another name, or one with its dimensions exchanged.
//!
//! Invariant: as for rules, a change is proposed only if the program then has fewer errors. So a `:>`, which moves the error to
//! the time when the program runs, is never the only change where the sizes of another array are right.
//!
//! ```text
//! map2 (+) xs ys, with zs: [n]f64 in scope   ⇒   is `zs` meant?
//! dot x a[0], x: [n]f64, a: [n][m]f64        ⇒   dot x (transpose a)[0], where that has fewer errors
//! ```

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "only a few kinds of expressions bind names or call functions"
)]

use super::{RemovedErrors, Repairer, Replacement, TrialOutcome};
use arrc_syntax::ast;
use arrc_syntax::ast::visit::Node;
use arrc_syntax::ast::{Expr, ExprKind, Pat, PatKind};
use arrc_syntax::diagnostics::{Change, Diagnostic, Edit, Help, Subject};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// How many changes are tried for an error.
const MOST: usize = 16;

impl Repairer<'_> {
    /// The error with a change of the array, if one has fewer errors.
    pub(super) fn other_array(&mut self, error: &Diagnostic) -> Option<Replacement> {
        let place = error.primary.as_ref()?.span;
        if error.about != Some(Subject::ArgumentSize) {
            return None;
        }
        let file = self.program.files.iter().find(|file| file.id == place.file)?;
        let text = &*self.sources.get(place.file).text;
        let mut best: Option<(TrialOutcome, Help)> = None;
        for candidate in candidates(file, text, place).into_iter().take(MOST) {
            let text = (place.file, text);
            let Some((help, outcome)) = self.trials.try_change(text, candidate, 1, error) else {
                continue;
            };
            if best.as_ref().is_none_or(|(known, _)| outcome.is_better(known)) {
                best = Some((outcome, help));
            }
        }
        let (outcome, best) = best?;
        // A change that leaves more errors is no alternative.
        let others = error.helps.iter().filter_map(|help| {
            let Some(change) = help.change() else { return Some(help.clone()) };
            let text = (place.file, text);
            let (help, other) = self.trials.try_change(text, change.clone(), 1, error)?;
            (!outcome.is_better(&other)).then_some(help)
        });
        let helps = std::iter::once(best).chain(others).collect();
        let diagnostic = Diagnostic { helps, ..error.clone() };
        Some(Replacement { diagnostic, removes: RemovedErrors::Tried(outcome) })
    }
}

/// The changes of the array at a place, those that take least away first.
fn candidates(file: &ast::File, text: &str, place: Span) -> Vec<Change> {
    let path = path_to(file, place);
    let Some(Node::Decl(ast::Decl::Def(def))) = path.first() else { return Vec::new() };
    let Some(body) = &def.body else { return Vec::new() };
    let transposes = transposes(body, text);
    let bound = names_in_scope(&path, place);
    let uses = |name: &Name| count(Node::Expr(body), name);
    let call = call_around(&path, place);
    let near: Vec<Name> = call.map(names_of).unwrap_or_default();
    let (fresh, others): (Vec<&Name>, Vec<&Name>) =
        bound.iter().filter(|name| !near.contains(name)).partition(|name| uses(name) == 0);
    let named = |names: &[&Name], at: Span| -> Vec<Change> {
        let candidate = |name: &&Name| Change {
            text: format!("is `{name}` meant? It has this size"),
            edits: vec![Edit { span: at, replacement: name.to_string() }],
        };
        names.iter().map(candidate).collect()
    };
    // The array that is missing may also belong in the place of another argument.
    let siblings = call.map(array_arguments).unwrap_or_default().into_iter();
    let siblings = siblings.filter(|at| *at != place).flat_map(|at| named(&fresh, at));
    let here = named(&fresh, place).into_iter().chain(siblings);
    here.chain(transposes).chain(named(&others, place)).collect()
}

/// The places of the arguments of a call that are names.
fn array_arguments(call: &Expr) -> Vec<Span> {
    let ExprKind::Apply(_, args) = &call.kind else { return Vec::new() };
    let is_name = |arg: &&Expr| matches!(arg.kind, ExprKind::Name(_));
    args.iter().filter(is_name).map(|arg| arg.span).collect()
}

/// The declaration and the expressions around a place, outer ones first.
pub(super) fn path_to(file: &ast::File, place: Span) -> Vec<Node<'_>> {
    let is_around =
        |node: &Node<'_>| node.span().start <= place.start && place.end <= node.span().end;
    let mut path: Vec<Node<'_>> = Vec::new();
    let mut next = file.decls.iter().map(Node::Decl).find(|node| is_around(node));
    while let Some(node) = next {
        path.push(node);
        next = node.children().into_iter().find(|child| is_around(child));
    }
    path
}

/// The names that are bound around a place, inner ones first.
fn names_in_scope(path: &[Node<'_>], place: Span) -> Vec<Name> {
    let mut names = Vec::new();
    for node in path.iter().rev() {
        let pats: Vec<&Pat> = match *node {
            Node::Decl(ast::Decl::Def(def)) | Node::Def(def) => def.params.iter().collect(),
            Node::Expr(Expr { kind: ExprKind::Lambda(params, ..), .. }) => params.iter().collect(),
            Node::Expr(Expr { kind: ExprKind::Let(pat, _, body), .. })
                if body.span.start <= place.start =>
            {
                vec![pat]
            }
            _ => Vec::new(),
        };
        for pat in pats {
            bound(pat, &mut names);
        }
    }
    names
}

/// The names of a pattern.
fn bound(pat: &Pat, names: &mut Vec<Name>) {
    if let PatKind::Name(name) = &pat.kind
        && !names.contains(&name.name)
    {
        names.push(name.name.clone());
    }
    for child in Node::Pat(pat).children() {
        if let Node::Pat(inner) = child {
            bound(inner, names);
        }
    }
}

/// The innermost call that has the place as an argument.
fn call_around<'a>(path: &[Node<'a>], place: Span) -> Option<&'a Expr> {
    path.iter().rev().find_map(|node| match node {
        Node::Expr(expr)
            if expr.span != place
                && matches!(expr.kind, ExprKind::Apply(..) | ExprKind::Infix(..)) =>
        {
            Some(*expr)
        }
        _ => None,
    })
}

/// The names in an expression.
fn names_of(expr: &Expr) -> Vec<Name> {
    let (mut nodes, mut names) = (vec![Node::Expr(expr)], Vec::new());
    while let Some(node) = nodes.pop() {
        if let Node::Path(path) = node {
            names.push(path.quals.first().unwrap_or(&path.name).name.clone());
        }
        nodes.extend(node.children());
    }
    names
}

/// How often a name occurs in a node.
fn count(node: Node<'_>, name: &Name) -> usize {
    let (mut nodes, mut count) = (vec![node], 0);
    while let Some(node) = nodes.pop() {
        if let Node::Path(path) = node {
            count += usize::from(path.quals.first().unwrap_or(&path.name).name == *name);
        }
        nodes.extend(node.children());
    }
    count
}

/// The changes that exchange the dimensions of an array in a body: a `transpose` that is left out, or one for a name.
fn transposes(body: &Expr, text: &str) -> Vec<Change> {
    let (mut nodes, mut less, mut more) = (vec![Node::Expr(body)], Vec::new(), Vec::new());
    while let Some(node) = nodes.pop() {
        let Node::Expr(expr) = node else {
            nodes.extend(node.children());
            continue;
        };
        match &expr.kind {
            ExprKind::Apply(function, args)
                if args.len() == 1 && is_named(function, "transpose") =>
            {
                let inner = text.get(args[0].span.start as usize..args[0].span.end as usize);
                let replacement = inner.unwrap_or_default().to_owned();
                let words = format!("leave `transpose` out: `{replacement}` has these sizes");
                less.push(Change {
                    text: words,
                    edits: vec![Edit { span: expr.span, replacement }],
                });
            }
            ExprKind::Apply(_, args) => more.extend(args.iter().filter_map(transposed)),
            ExprKind::Index(array, _) | ExprKind::Slice(array, _) => more.extend(transposed(array)),
            _ => {}
        }
        nodes.extend(node.children().into_iter().rev());
    }
    less.into_iter().chain(more).collect()
}

/// A name with its dimensions exchanged.
fn transposed(array: &Expr) -> Option<Change> {
    let ExprKind::Name(name) = &array.kind else { return None };
    let (is_local, name) = (name.quals.is_empty(), &name.name.name);
    is_local.then(|| Change {
        text: format!("`transpose {name}` has these sizes"),
        edits: vec![Edit { span: array.span, replacement: format!("(transpose {name})") }],
    })
}

fn is_named(function: &Expr, known: &str) -> bool {
    matches!(&function.kind, ExprKind::Name(name) if name.name.name == known)
}

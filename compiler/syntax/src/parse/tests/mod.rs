//! The parser's tests: programs, precedence, mistakes, and limits.
//!
//! Invariant: each test reads a text as a user wrote it and looks at the tree, the printed text or
//! the rendered diagnostics.
//!
//! ```text
//! "a + b * c"   ⇒   "(a + (b * c))"
//! ```

mod limits;
mod mistakes;
mod programs;
mod round_trip;
mod trees;

use super::parse;
use crate::ast;
use crate::ast::{Decl, Expr, File};
use crate::diagnostics::{Diagnostic, RenderOptions, render};
use crate::source::Sources;

/// The tree of a text and its mistakes; the tree's places fit together in any case.
fn read(text: &str) -> (File, Vec<Diagnostic>, Sources) {
    let mut sources = Sources::default();
    let file = sources.add("test.arr", text);
    let (tree, diagnostics) = parse(&sources, file);
    ast::verify(&tree).unwrap_or_else(|problem| panic!("{problem} in\n{text}"));
    (tree, diagnostics, sources)
}

/// The tree of a text without mistakes.
fn good(text: &str) -> File {
    let (tree, diagnostics, sources) = read(text);
    if let Some(first) = diagnostics.first() {
        panic!("{}", render(first, &sources, RenderOptions::default()));
    }
    tree
}

/// The names of the definitions and types of a file.
fn names(tree: &File) -> Vec<&str> {
    let defs = tree.decls.iter().filter_map(|decl| match decl {
        Decl::Type(def) => Some(&def.name),
        decl => decl.as_def().map(|def| &def.name),
    });
    defs.map(|name| name.name.as_str()).collect()
}

/// The body of `def it = …`.
fn expr(text: &str) -> Expr {
    let mut tree = good(&format!("def it = {text}"));
    match tree.decls.pop() {
        Some(Decl::Def(def)) => def.body.expect("a definition has a body"),
        other => panic!("{text} gives {other:?}"),
    }
}

/// The tree without its places.
fn shape(tree: &File) -> String {
    let debug = format!("{tree:?}");
    let mut parts = debug.split("Span { ");
    let first = parts.next().expect("splitting gives at least one part").to_owned();
    parts.fold(first, |shape, part| {
        shape + part.split_once('}').expect("a span is printed in braces").1
    })
}

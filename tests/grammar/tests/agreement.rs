//! The grammar for tree-sitter reads every program of the project as the compiler does.
//!
//! Compared are all declarations, with the places of their names, and all expressions of the kinds of [`kind`], with
//! their places without parentheses around them.

use std::fs;
use std::path::{Path, PathBuf};

use arrc_syntax::ast::visit::Node as Ours;
use arrc_syntax::ast::{Decl, Expr, ExprKind};
use arrc_syntax::ids::{EntityRef, FileId};
use arrc_syntax::parse::{self, Lexeme};
use tree_sitter::{Node, Parser, Query};

/// Programs that the grammar reads in another way: it takes the words `step` and `width` of a generator for arguments of
/// the bound before them. In the last one, `(x + 1).(f 2)` means nothing.
const OTHERWISE: [&str; 8] = [
    "bench/programs/spaces.arr",
    "tests/emit/with_steps_generators.arr",
    "tests/run/with_loops.arr",
    "tests/run/with_steps.arr",
    "tests/ui/with_outside.arr",
    "tests/ui/with_overlap.arr",
    "tests/ui/with_ranks.arr",
    "tests/ui/module_opened.arr",
];

/// A part of a program: its kind, and its first and last byte.
type Part = (&'static str, usize, usize);

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a crate").to_path_buf()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
    {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "arr") {
            found.push(path);
        }
    }
}

fn language() -> tree_sitter::Language {
    arr_grammar::LANGUAGE.into()
}

/// The kinds of expressions that are compared, by their names in the grammar.
fn kind(expr: &ExprKind) -> Option<&'static str> {
    Some(match expr {
        ExprKind::Apply(..) => "application",
        ExprKind::Constructor(_, args) if !args.is_empty() => "application",
        ExprKind::Infix(..) => "infix",
        ExprKind::Neg(_) | ExprKind::Not(_) => "prefix",
        ExprKind::SectionRight(..) | ExprKind::SectionLeft(..) | ExprKind::SectionPath(_) => {
            "section"
        }
        ExprKind::Lambda(..) => "lambda",
        ExprKind::Let(..) | ExprKind::LetFun(..) | ExprKind::LetUpdate(..) => "let",
        ExprKind::If(..) => "if",
        ExprKind::Match(..) => "match",
        ExprKind::Tuple(_) => "tuple",
        ExprKind::Record(_) => "record",
        ExprKind::Update(..) => "update",
        ExprKind::Loop(_) => "loop",
        ExprKind::With(_) => "with_loop",
        ExprKind::Array(_) => "array",
        ExprKind::Index(..) | ExprKind::Slice(..) => "index",
        ExprKind::Range(_) => "range",
        ExprKind::Ascribe(..) | ExprKind::Coerce(..) => "ascription",
        ExprKind::Assert(..) => "assert",
        ExprKind::Attr(..) => "attributed",
        ExprKind::Opened(..) => "opened",
        ExprKind::Literal(_)
        | ExprKind::Name(_)
        | ExprKind::Text(_)
        | ExprKind::Hole
        | ExprKind::Constructor(..)
        | ExprKind::Field(..)
        | ExprKind::Error => return None,
    })
}

const KINDS: [&str; 21] = [
    "application",
    "infix",
    "prefix",
    "section",
    "lambda",
    "let",
    "if",
    "match",
    "tuple",
    "record",
    "update",
    "loop",
    "with_loop",
    "array",
    "index",
    "range",
    "ascription",
    "assert",
    "attributed",
    "opened",
    "import",
];

/// The place of an expression without parentheses that are no part of it.
fn place(expr: &Expr, tokens: &[Lexeme], text: &str) -> (usize, usize) {
    let is_own = matches!(kind(&expr.kind), Some("tuple" | "section"));
    let mut first = tokens.partition_point(|token| token.span.start < expr.span.start);
    let mut last = tokens.partition_point(|token| token.span.end < expr.span.end);
    // The place of the expression of `m.(e)` begins with the dot, and ends with the parenthesis.
    if text.as_bytes()[tokens[first].span.start as usize] == b'.' {
        (first, last) = if is_own { (first + 1, last) } else { (first + 2, last - 1) };
    }
    let is_pair = |first: usize, last: usize| {
        first < last
            && text.as_bytes()[tokens[first].span.start as usize] == b'('
            && tokens[first].partner == Some(last)
    };
    while is_pair(first, last) && (!is_own || is_pair(first + 1, last - 1)) {
        (first, last) = (first + 1, last - 1);
    }
    (tokens[first].span.start as usize, tokens[last].span.end as usize)
}

/// The parts of a program as the compiler reads it; none if it has mistakes.
fn ours(text: &str) -> Option<Vec<Part>> {
    let (tree, mistakes) = parse::parse_text(text, FileId::new(0));
    if !mistakes.is_empty() {
        return None;
    }
    let tokens = parse::lexemes(text, FileId::new(0));
    let mut parts = Vec::new();
    let mut todo: Vec<Ours<'_>> = tree.decls.iter().map(Ours::Decl).collect();
    while let Some(node) = todo.pop() {
        if let Ours::Expr(expr) = node
            && let Some(kind) = kind(&expr.kind)
        {
            let (start, end) = place(expr, &tokens, text);
            parts.push((kind, start, end));
        } else if let Ours::Decl(decl) = node {
            let (kind, span) = match decl {
                Decl::Def(def) => ("definition", def.name.span),
                Decl::Type(def) => ("type_definition", def.name.span),
                Decl::Module(def) => ("module_definition", def.name.span),
                Decl::Open(open) => ("open", open.module.span()),
                Decl::Import(import) => ("import", import.path_span),
                Decl::Local(local) => {
                    todo.push(Ours::Decl(&local.decl));
                    continue;
                }
            };
            parts.push((kind, span.start as usize, span.end as usize));
        }
        todo.extend(node.children());
    }
    parts.sort_unstable();
    Some(parts)
}

/// The parts of a program as the grammar reads it.
fn theirs(root: Node<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut todo = vec![root];
    while let Some(node) = todo.pop() {
        if !node.is_named() {
            continue;
        }
        let children: Vec<Node<'_>> = node.children(&mut node.walk()).collect();
        let named = match node.kind() {
            "definition" => Some(("definition", "name")),
            "type_definition" => Some(("type_definition", "name")),
            "module_definition" => Some(("module_definition", "name")),
            _ => None,
        };
        if let Some((kind, field)) = named {
            let name = node.child_by_field_name(field).expect("a declaration has a name");
            let is_operator = name.kind() == "operator_name";
            let name = name.child(1).filter(|_| is_operator).unwrap_or(name);
            parts.push((kind, name.start_byte(), name.end_byte()));
        } else if node.kind() == "open" {
            let module = children.last().expect("a module is opened");
            parts.push(("open", module.start_byte(), module.end_byte()));
        } else if node.kind() == "import" {
            let parent = node.parent().map_or("", |parent| parent.kind());
            if ["source_file", "module_body"].contains(&parent) {
                let path = children.last().expect("a path is imported");
                parts.push(("import", path.start_byte(), path.end_byte()));
            }
        } else if let Some(kind) = KINDS.iter().find(|kind| **kind == node.kind()) {
            parts.push((*kind, node.start_byte(), node.end_byte()));
        }
        todo.extend(children);
    }
    parts.sort_unstable();
    parts
}

#[test]
fn both_read_the_same_trees() {
    let mut parser = Parser::new();
    parser.set_language(&language()).expect("the versions fit");
    let mut paths = Vec::new();
    for folder in ["bench", "compiler", "docs", "examples", "stdlib", "tests"] {
        collect(&project().join(folder), &mut paths);
    }
    paths.sort();
    let (mut compared, mut wrong) = (0, Vec::new());
    for path in paths {
        if OTHERWISE.iter().any(|program| path.ends_with(program)) {
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let Some(ours) = ours(&text) else { continue };
        let tree = parser.parse(&text, None).expect("no time limit is set");
        let theirs = theirs(tree.root_node());
        compared += 1;
        let lost = ours.iter().find(|part| theirs.binary_search(part).is_err());
        let made_up = theirs.iter().find(|part| ours.binary_search(part).is_err());
        if tree.root_node().has_error() || lost.is_some() || made_up.is_some() {
            let shown = |part: Option<&Part>| {
                part.map(|&(kind, start, end)| (kind, text[start..end].to_owned()))
            };
            wrong.push(format!(
                "{}: only ours {:?}, only theirs {:?}",
                path.display(),
                shown(lost),
                shown(made_up)
            ));
        }
    }
    assert!(compared > 700, "{compared} programs have no mistakes");
    assert!(
        wrong.is_empty(),
        "{} programs are read in another way:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn queries_name_nodes_of_the_grammar() {
    let queries = project().join("docs/editors/tree-sitter-arr/queries");
    let mut count = 0;
    for entry in fs::read_dir(queries).expect("the folder of queries") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a query is text");
        if let Err(error) = Query::new(&language(), &text) {
            panic!("{}: {error}", path.display());
        }
        count += 1;
    }
    assert_eq!(count, 5);
}

//! The grammar for tree-sitter reads every program of the project as the compiler does.
//!
//! Compared are all declarations and items of module types, with the places of their names, and all expressions, modules
//! and module types of the kinds of [`expression`], [`module`] and [`module_type`], with their places without parentheses
//! around them.

use std::fs;
use std::path::{Path, PathBuf};

use arrc_syntax::ast::visit::Node as Ours;
use arrc_syntax::ast::{Decl, Expr, ExprKind, ModuleExpr, ModuleType, Spec};
use arrc_syntax::ids::{EntityRef, FileId};
use arrc_syntax::parse::{self, Lexeme};
use arrc_syntax::source::Span;
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
        } else if path.extension().is_some_and(|extension| extension == "arr" || extension == "fut")
        {
            found.push(path);
        }
    }
}

fn language() -> tree_sitter::Language {
    arr_grammar::LANGUAGE.into()
}

/// The kinds of expressions that are compared, by their names in the grammar.
fn expression(expr: &ExprKind) -> Option<&'static str> {
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

/// The kinds of modules that are compared.
fn module(module: &ModuleExpr) -> Option<&'static str> {
    Some(match module {
        ModuleExpr::Body(..) => "module_body",
        ModuleExpr::Apply(..) => "module_application",
        ModuleExpr::Ascribe(..) => "module_ascription",
        ModuleExpr::Function(..) => "module_function",
        ModuleExpr::Import(_) => "import",
        ModuleExpr::Name(_) | ModuleExpr::Error(_) => return None,
    })
}

/// The kinds of module types that are compared.
fn module_type(ty: &ModuleType) -> Option<&'static str> {
    Some(match ty {
        ModuleType::Specs(..) => "module_type_body",
        ModuleType::With(..) => "refined_type",
        ModuleType::Function(..) => "module_function_type",
        ModuleType::Name(_) | ModuleType::Error(_) => return None,
    })
}

/// An item of a module type: its kind, and the place that is compared.
fn item(spec: &Spec) -> (&'static str, Span) {
    match spec {
        Spec::Value(def) => ("value_item", def.name.span),
        Spec::Type(spec) => ("type_item", spec.name.span),
        Spec::Module(spec) => ("module_item", spec.name.span),
        Spec::Include(include) => ("include", include.span),
    }
}

/// What is declared or asked for by a name, whose place is compared.
const NAMED: [&str; 7] = [
    "definition",
    "type_definition",
    "module_definition",
    "module_type_definition",
    "value_item",
    "type_item",
    "module_item",
];

/// The other kinds that are compared.
const KINDS: [&str; 32] = [
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
    "open",
    "import",
    "module_body",
    "module_application",
    "module_ascription",
    "module_function",
    "module_type_body",
    "refined_type",
    "module_function_type",
    "module_parameter",
    "refinement",
    "include",
];

/// The place of an expression without parentheses that are no part of it.
fn place(expr: &Expr, tokens: &[Lexeme], text: &str) -> (usize, usize) {
    let is_own = matches!(expression(&expr.kind), Some("tuple" | "section"));
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

/// A declaration: its kind, and the place that is compared. What is local is a declaration of its own.
fn declaration(decl: &Decl) -> Option<(&'static str, Span)> {
    Some(match decl {
        Decl::Def(def) => ("definition", def.name.span),
        Decl::Type(def) => ("type_definition", def.name.span),
        Decl::Module(def) => ("module_definition", def.name.span),
        Decl::ModuleType(def) => ("module_type_definition", def.name.span),
        Decl::Open(open) => ("open", open.span),
        Decl::Import(import) => ("import", import.span),
        Decl::Local(_) => return None,
    })
}

fn spanning((kind, span): (&'static str, Span)) -> Part {
    (kind, span.start as usize, span.end as usize)
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
        let part = match node {
            Ours::Expr(expr) => expression(&expr.kind).map(|kind| {
                let (start, end) = place(expr, &tokens, text);
                (kind, start, end)
            }),
            Ours::Decl(decl) => declaration(decl).map(spanning),
            Ours::Module(of) => module(of).map(|kind| spanning((kind, of.span()))),
            Ours::ModuleType(of) => module_type(of).map(|kind| spanning((kind, of.span()))),
            Ours::ModuleParam(param) => Some(spanning(("module_parameter", param.span))),
            Ours::Refinement(refinement) => Some(spanning(("refinement", refinement.span))),
            Ours::Spec(spec) => Some(spanning(item(spec))),
            Ours::Def(_)
            | Ours::Pat(_)
            | Ours::Type(_)
            | Ours::Ident(_)
            | Ours::Path(_)
            | Ours::Attr(_)
            | Ours::Case(_)
            | Ours::Infer(_) => None,
        };
        parts.extend(part);
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
        if NAMED.contains(&node.kind()) {
            let name = node.child_by_field_name("name").expect("a declaration has a name");
            let is_operator = name.kind() == "operator_name";
            let name = name.child(1).filter(|_| is_operator).unwrap_or(name);
            parts.push((node.kind(), name.start_byte(), name.end_byte()));
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

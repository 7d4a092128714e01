//! What is known of the places of programs: it changes nothing, and every name has a meaning.

use std::fs;
use std::path::{Path, PathBuf};

use crate::typed::{Typed, Wish, typed};
use arrc_front::load::{LoadError, Loader};
use arrc_front::places::{DeclarationKind, Meaning, Sight};
use arrc_syntax::ast::visit::Node;
use arrc_syntax::ast::{Decl, Def};
use arrc_syntax::diagnostics::Severity;
use arrc_syntax::source::{Sources, Span};

/// The files of the project.
struct Files;

impl Loader for Files {
    fn load(&self, path: &str) -> Result<String, LoadError> {
        fs::read_to_string(path).map_err(|_| LoadError::NotFound)
    }

    fn files(&self, _folder: &str) -> Vec<String> {
        Vec::new()
    }
}

fn read(path: &str, text: &str, wish: Wish) -> (Sources, Typed) {
    let mut sources = Sources::default();
    let file = sources.add(path, text);
    let typed = typed(&mut sources, file, &Files, wish);
    (sources, typed)
}

/// The examples, and the programs of the tests of results.
fn programs() -> Vec<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in ["examples", "tests/run"] {
        let entries = fs::read_dir(project.join(folder)).expect("the folder is there");
        let paths = entries.map(|entry| entry.expect("an entry can be read").path());
        found.extend(paths.filter(|path| path.extension().is_some_and(|ending| ending == "arr")));
    }
    found.sort();
    found
}

/// The definitions with shape parameters around a place: what their instances do not need is not walked.
fn is_in_template(decls: &[Decl], span: Span) -> bool {
    let is_around = |def: &Def| def.span.start <= span.start && span.end <= def.span.end;
    let mut open: Vec<Node<'_>> = decls.iter().map(Node::Decl).collect();
    while let Some(node) = open.pop() {
        if let Node::Decl(Decl::Def(def)) | Node::Def(def) = node
            && is_around(def)
            && !def.shapes.is_empty()
        {
            return true;
        }
        open.extend(node.children());
    }
    false
}

#[test]
fn notes_change_nothing_and_every_name_has_a_meaning() {
    let (mut count, mut missing) = (0, Vec::new());
    for path in programs() {
        // Some are no text at all.
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let path = path.display().to_string();
        let (_, plain) = read(&path, &text, Wish::Program);
        let (sources, noted) = read(&path, &text, Wish::Places);
        let core = |typed: &Typed| typed.core.as_ref().map(ToString::to_string);
        assert_eq!(core(&plain), core(&noted), "{path}");
        let is_wrong = noted.diagnostics.iter().any(|one| one.severity == Severity::Error);
        if noted.core.is_none() || is_wrong {
            continue;
        }
        let root = noted.ast.root();
        let mut open: Vec<Node<'_>> = root.decls.iter().map(Node::Decl).collect();
        while let Some(node) = open.pop() {
            // What a refinement names is a part of the module type, and no scope has it.
            if matches!(node, Node::Refinement(_)) {
                continue;
            }
            open.extend(node.children());
            let Node::Path(name) = node else { continue };
            let first = name.quals.first().unwrap_or(&name.name);
            let is_word = first.name.starts_with(|sign: char| sign.is_alphabetic());
            if !is_word || is_in_template(&root.decls, first.span) {
                continue;
            }
            count += 1;
            let line = sources.line_col(first.span).line;
            let meaning = noted.places.uses.get(&first.span);
            let Some(meaning) = meaning else {
                missing.push(format!("{path}:{line}: `{}`", first.name));
                continue;
            };
            if let Meaning::Declared(declared) = meaning
                && !sources.get(declared.file).is_library
            {
                let is_declared = noted.places.declarations.contains_key(declared);
                assert!(is_declared, "{path}:{line}: `{}` is declared somewhere", first.name);
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new(), "these names have no meaning");
    assert!(count > 1_000, "the programs have names");
}

#[test]
fn names_mean_what_is_declared_around_them() {
    let text = "def f 'a (x: a) (y: a) = (x, \\x -> (x, y))";
    let (sources, typed) = read("a.arr", text, Wish::Places);
    let places = &typed.places;
    let file = typed.ast.root().id;
    let meaning = |byte: usize| {
        let (span, declared) = places
            .declared_at(file, u32::try_from(byte).expect("the text is short"))
            .expect("a name stands there");
        (sources.text(span).to_owned(), declared.start as usize)
    };
    let at = |word: &str| text.find(word).expect("the text has it");
    assert_eq!(meaning(at("(x, \\") + 1), ("x".to_owned(), at("x: a")));
    assert_eq!(meaning(at("(x, y)") + 1), ("x".to_owned(), at("\\x") + 1));
    assert_eq!(meaning(at("y))")), ("y".to_owned(), at("y: a")));
    assert_eq!(meaning(at("a) (")), ("a".to_owned(), at("'a")));
    let f = Span::new(file, 4, 5);
    let declared = &places.declarations[&f];
    assert_eq!(declared.kind, DeclarationKind::Definition);
    let ty = declared.ty.as_ref().expect("it has a type");
    assert_eq!(places.text(ty), "a -> a -> (a, b -> (b, a))");
}

#[test]
fn what_can_be_named_is_what_inference_would_find() {
    let names = |text: &str, word: &str| {
        let start = u32::try_from(text.find(word).expect("the text has it")).expect("it is short");
        let mut sources = Sources::default();
        let file = sources.add("a.arr", text);
        let end = start + u32::try_from(word.len()).expect("it is short");
        let asked = Wish::Sight(Span::new(file, start, end));
        let typed = typed(&mut sources, file, &Files, asked);
        match typed.places.sight.clone().expect("inference comes there") {
            Sight::Names(all) | Sight::Members(all) | Sight::Types(all) => {
                all.into_iter().map(|visible| visible.name.to_string()).collect()
            }
            Sight::Fields(ty) => vec![typed.places.text(&ty)],
        }
    };
    let inner: Vec<String> = names("def f x = let y = x in let z = here in y def g = 1", "here");
    assert_eq!(inner[..2], ["y", "x"], "inner names come first, and `z` is not there yet");
    assert!(inner.contains(&"g".to_owned()) && inner.contains(&"map".to_owned()));
    assert_eq!(names("module m = {def a = 1 local def b = 2} def c = m.here", "here"), ["a"]);
    assert_eq!(names("def f (p: {x: i64}) = p.here", "here"), ["{x: i64}"]);
    let types = names("type t = i64 def f 'a (x: here) = x", "here");
    assert!(["t", "i64"].iter().all(|name| types.contains(&(*name).to_owned())));
}

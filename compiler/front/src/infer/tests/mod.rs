//! Tests of inference on programs that are accepted. Programs with errors are in `tests/ui`, with their diagnostics.

mod accepted;
mod modules;

use crate::core;
use crate::core::Program;
use crate::infer::infer;
use arrc_syntax::ast;
use arrc_syntax::diagnostics::{Diagnostic, RenderOptions, render};
use arrc_syntax::parse::parse;
use arrc_syntax::source::Sources;

/// Checks a program against the prelude. Returns the program, or the errors as the user sees them.
pub(crate) fn check(text: &str) -> Result<Program, String> {
    check_with(include_str!("../../../../../stdlib/prelude.arr"), text)
}

/// Checks a program against any prelude.
fn check_with(prelude: &str, text: &str) -> Result<Program, String> {
    let mut sources = Sources::default();
    let prelude = parsed(&mut sources, "prelude.arr", prelude);
    let file = parsed(&mut sources, "test.arr", text);
    let (program, told) = infer(&prelude, &ast::Program::single(file));
    let Some(program) = program else { return Err(rendered(&told, &sources)) };
    assert_eq!(rendered(&told, &sources), "", "a program that is given has no errors");
    core::verify(&program).unwrap_or_else(|wrong| panic!("{wrong}\n{program}"));
    Ok(program)
}

fn parsed(sources: &mut Sources, path: &str, text: &str) -> ast::File {
    let id = sources.add(path, text);
    let (file, errors) = parse(sources, id);
    assert_eq!(rendered(&errors, sources), "", "{path} parses");
    file
}

fn rendered(told: &[Diagnostic], sources: &Sources) -> String {
    told.iter().map(|one| render(one, sources, RenderOptions::default())).collect()
}

/// Checks that a program is accepted, that its core is `expected` up to the layout, and that the core's text reads
/// back as the same core.
fn core_of(text: &str, expected: &str) {
    let program = check(text).unwrap_or_else(|errors| panic!("{errors}"));
    let printed = program.to_string();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(&printed), words(expected), "\n{printed}");
    reads_back(&printed);
}

/// Checks that the text of a core program is accepted, and gives the same core.
fn reads_back(printed: &str) {
    let again = check(printed).unwrap_or_else(|errors| panic!("{errors}\n{printed}"));
    assert_eq!(again.to_string(), printed);
}

//! Tests of the inference, on programs as text.

use crate::diagnostics::{RenderOptions, render};
use crate::ir::core::Program;
use crate::pass::{infer::infer, parse::parse};
use crate::source::Sources;

/// Checks a program; gives it, or the errors as the user sees them.
fn check(text: &str) -> Result<Program, String> {
    let mut sources = Sources::default();
    let prelude = sources.add("prelude.arr", include_str!("../../../../../../stdlib/prelude.arr"));
    let file = sources.add("test.arr", text);
    let (prelude, errors) = parse(&sources, prelude);
    let (file, more) = parse(&sources, file);
    let show = |diagnostics: &[crate::diagnostics::Diagnostic]| -> String {
        let options = RenderOptions::default();
        diagnostics.iter().map(|one| render(one, &sources, options)).collect()
    };
    assert_eq!(show(&errors), "");
    assert_eq!(show(&more), "");
    let (program, diagnostics) = infer(&prelude, &file);
    match program {
        Some(program) => Ok(program),
        None => Err(show(&diagnostics)),
    }
}

#[test]
fn scratch() {
    let text = std::fs::read_to_string(std::env::var("SCRATCH").expect("a file")).expect("text");
    match check(&text) {
        Ok(program) => println!("{program:#?}"),
        Err(text) => println!("{text}"),
    }
}

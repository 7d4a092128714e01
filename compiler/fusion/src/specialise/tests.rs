//! Programs as text, taken to normal form: the normal form, and its results.

mod errors;
mod examples;
mod language;

use super::{Traces, specialise};
use crate::cnf;
use crate::cnf::verify;
use crate::eval::cnf::{Value, run};
use crate::simplify::simplify;
use arrc_front::core;
use arrc_front::eval::run_error::RunError;
use arrc_front::infer::infer;
use arrc_syntax::ast;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::parse::parse;
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::Sources;

const PRELUDE: &str = include_str!("../../../../stdlib/prelude.arr");

/// The typed program of a text.
fn core(text: &str) -> core::Program {
    let mut sources = Sources::default();
    let prelude = sources.add("prelude.arr", PRELUDE);
    let file = sources.add("test.arr", text);
    let (prelude, errors) = parse(&sources, prelude);
    assert_eq!(errors, [], "the prelude parses");
    let (file, errors) = parse(&sources, file);
    assert_eq!(errors, [], "the program parses");
    let (core, errors) = infer(&prelude, &ast::Program::single(file));
    assert_eq!(errors, [], "the program is well-typed");
    core.expect("a program without errors")
}

/// The program in normal form, before it is simplified.
fn plain(text: &str) -> cnf::Program {
    let cnf = specialise(&core(text), Traces::Removed).expect("the program can be compiled");
    verify(&cnf).unwrap_or_else(|broken| panic!("{broken}\n{cnf}"));
    cnf
}

/// The program in normal form.
fn normal(text: &str) -> cnf::Program {
    simplified(plain(text))
}

fn simplified(plain: cnf::Program) -> cnf::Program {
    let cnf = simplify(plain);
    verify(&cnf).unwrap_or_else(|broken| panic!("{broken}\n{cnf}"));
    cnf
}

/// Why the program cannot be compiled.
fn rejected(text: &str) -> Vec<Diagnostic> {
    specialise(&core(text), Traces::Removed).expect_err("the program cannot be compiled")
}

/// Calls an entry, both before and after the program is simplified; the results must agree.
fn call(text: &str, entry: &str, args: &[Value]) -> Result<Vec<Value>, RunError> {
    let plain = plain(text);
    let simple = simplified(plain.clone());
    let run = |program: &cnf::Program| {
        let entry = program.entries.iter().find(|candidate| candidate.name == entry);
        let entry = entry.expect("the program has the entry");
        run(program, entry.function, args.to_vec())
    };
    let result = run(&simple);
    // A simplified program need not fail where the failing value is not used.
    match run(&plain) {
        Ok(plain) => assert!(same(&plain, result.as_ref().expect("it does not fail")), "{simple}"),
        Err(_) => drop(plain),
    }
    result
}

/// Whether all values are equal, NaN being equal to NaN.
fn same(left: &[Value], right: &[Value]) -> bool {
    format!("{left:?}") == format!("{right:?}")
}

fn ints(values: &[i64]) -> Value {
    Value::array(Scalar::I64, values.iter().map(|&value| Const::i64(value)))
}

fn int(value: i64) -> Value {
    Value::Scalar(Const::i64(value))
}

fn floats(values: &[f64]) -> Value {
    Value::array(Scalar::F64, values.iter().map(|&value| Const::float(Scalar::F64, value)))
}

fn float(value: f64) -> Value {
    Value::Scalar(Const::float(Scalar::F64, value))
}

fn boolean(value: bool) -> Value {
    Value::Scalar(Const::bool(value))
}

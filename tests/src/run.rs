//! Programs in, results out: the test blocks of `run/*.arr` and of the examples, by the reference
//! interpreter and natively, at every fusion strategy and optimisation level; all must agree with what is expected.

use std::path::{Path, PathBuf};
use std::process::Command;

use arr_runtime::host::{Library, Session, SessionOptions, Value, ValueType};
use arr_runtime::text;
use libtest_mimic::{Failed, Trial};
use regex::Regex;

use crate::blocks::{Case, Expected, cases};
use crate::interpret::{self, Program};
use crate::tools::{arrc, files, project, read, stem, succeed};

/// How a program is compiled: a strategy and an optimisation level. Every strategy and every level
/// occurs in the quick suite; `ARR_TESTS=all` takes every pair.
const QUICK: [(&str, u8); 7] =
    [("ilp", 3), ("ilp", 2), ("ilp", 1), ("none", 0), ("stream", 3), ("megiddo", 3), ("greedy", 0)];

/// Trials: each program under each way to compile it, and interpreted.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let folders = [project().join("tests/run"), project().join("examples")];
    let programs = folders.iter().flat_map(|folder| files(folder, "arr"));
    let mut trials = Vec::new();
    for path in programs.filter(|path| has_blocks(path)) {
        let name = stem(&path);
        let interpreted = path.clone();
        trials.push(Trial::test(format!("run::{name}::interpreter"), move || {
            interpreter(&interpreted)
        }));
        for (strategy, level) in ways() {
            let path = path.clone();
            trials.push(Trial::test(format!("run::{name}::{strategy}-O{level}"), move || {
                native(&path, strategy, level)
            }));
        }
    }
    trials
}

fn has_blocks(path: &Path) -> bool {
    read(path).is_ok_and(|text| text.lines().any(|line| line.trim() == "-- =="))
}

fn ways() -> Vec<(&'static str, u8)> {
    if std::env::var_os("ARR_TESTS").is_none_or(|value| value != "all") {
        return QUICK.to_vec();
    }
    let strategies = ["ilp", "greedy", "megiddo", "stream", "none"];
    strategies.iter().flat_map(|&strategy| (0..=3).map(move |level| (strategy, level))).collect()
}

/// Every case of a program by the reference interpreter.
fn interpreter(path: &Path) -> Result<(), Failed> {
    let text = read(path)?;
    let program = Program::new(&text)?;
    each(path, &text, &program, |case, inputs, _| program.call(&case.entry, inputs))
}

/// Every case of a program by compiled code: one library, and one context for all cases, so that a
/// failing call is followed by others.
fn native(path: &Path, strategy: &str, level: u8) -> Result<(), Failed> {
    let text = read(path)?;
    let program = Program::new(&text)?;
    let folder = tempfile::tempdir()?;
    let library = Library::open(&library(path, strategy, level, folder.path())?)?;
    let session = Session::new(&library, &SessionOptions::default())?;
    each(path, &text, &program, |case, inputs, outputs| {
        session.call(&case.entry, inputs, outputs).map_err(|error| error.message)
    })
}

fn library(path: &Path, strategy: &str, level: u8, folder: &Path) -> Result<PathBuf, Failed> {
    let output = folder.join("libprogram.so");
    succeed(
        Command::new(arrc())
            .args(["build", "--lib=shared", &format!("--fusion={strategy}"), &format!("-O{level}")])
            .arg(path)
            .arg("-o")
            .arg(&output),
    )?;
    Ok(output)
}

/// Calls each case and compares.
fn each(
    path: &Path,
    text: &str,
    program: &Program,
    mut call: impl FnMut(&Case, &[Value], &[ValueType]) -> Result<Vec<Value>, String>,
) -> Result<(), Failed> {
    let cases = cases(text)?;
    let mut wrong = Vec::new();
    for case in &cases {
        let (inputs, outputs) = program.types(&case.entry)?;
        let values = literals(&case.input, &inputs)?;
        let found = call(case, &values, &outputs);
        if let Err(problem) = judge(case, &outputs, found) {
            wrong.push(format!("{}:{}: {problem}", path.display(), case.line));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

fn literals(texts: &[String], types: &[ValueType]) -> Result<Vec<Value>, String> {
    if texts.len() != types.len() {
        return Err(format!("{} values for {} types", texts.len(), types.len()));
    }
    texts.iter().zip(types).map(|(literal, &ty)| text::literal(literal, ty)).collect()
}

fn judge(
    case: &Case,
    outputs: &[ValueType],
    found: Result<Vec<Value>, String>,
) -> Result<(), String> {
    match (&case.expected, found) {
        (Expected::Output(texts), Ok(found)) => {
            let expected = literals(texts, outputs)?;
            if expected.iter().zip(&found).all(|(expected, found)| same(expected, found)) {
                return Ok(());
            }
            let found: Vec<_> = found.iter().map(text::print).collect();
            Err(format!("gave {}, not {}", found.join(" "), texts.join(" ")))
        }
        (Expected::Error(pattern), Err(message)) => {
            let regex = Regex::new(pattern).map_err(|error| error.to_string())?;
            if regex.is_match(&message) {
                Ok(())
            } else {
                Err(format!("failed with `{message}`, not `{pattern}`"))
            }
        }
        (Expected::Output(_), Err(message)) => Err(format!("failed with `{message}`")),
        (Expected::Error(pattern), Ok(_)) => {
            Err(format!("succeeded, but `{pattern}` was expected"))
        }
    }
}

/// Equality of values: of floats up to the last digits, which reassociation may change.
fn same(left: &Value, right: &Value) -> bool {
    if left == right {
        return true;
    }
    let (left, right) = (interpret::floats(left), interpret::floats(right));
    match (left, right) {
        (Some((left_shape, left)), Some((right_shape, right))) => {
            left_shape == right_shape
                && left.iter().zip(&right).all(|(&left, &right)| near(left, right))
        }
        (_, _) => false,
    }
}

fn near(left: f64, right: f64) -> bool {
    const TOLERANCE: f64 = 1e-6;
    let both_nan = left.is_nan() && right.is_nan();
    both_nan || left == right || (left - right).abs() <= TOLERANCE * left.abs().max(right.abs())
}

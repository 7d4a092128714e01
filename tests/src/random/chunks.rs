//! Random programs pass by pass over chunks: the results are those of the reference interpreter.
//!
//! Invariant: a call over chunks fails only where the interpreter fails. Floats may differ in their last bits, since folds
//! combine them chunk by chunk.

use arr_runtime::host::{Library, Session, SessionOptions, Value};
use arrc::{chunks, interpret};
use arrc_front::core;
use arrc_front::eval::core as core_eval;
use arrc_front::eval::core::Component;
use arrc_pipeline::{Compiled, Options};
use libtest_mimic::{Failed, Trial};
use proptest::strategy::ValueTree;

use super::check::{built, compile_as, entry, shown};
use super::{attempt, in_batches, nested, spaces, trees, write};
use crate::run::all;

/// The most bytes of a chunk: one element, a few rows, and everything.
const BYTES: [usize; 3] = [1, 100, 100_000];

/// The most by which floats differ, in relation to their size.
const ROUNDING: f64 = 1e-9;

/// A program with one entry.
struct Program {
    name: String,
    text: String,
}

/// The arguments of the calls of an entry.
type Calls = fn(&core::Program, &str) -> Vec<Vec<Component>>;

/// One trial for each kind of random programs.
pub(super) fn trials() -> Vec<Trial> {
    let trial = |name, check: fn() -> Result<(), Failed>| {
        Trial::test(format!("random::chunks-{name}"), check)
    };
    vec![
        trial("plain", || {
            for _ in 0..if all() { 40 } else { 1 } {
                let recipes = trees(16)?.into_iter().map(|tree| tree.current());
                let text = |(at, recipe): (usize, super::Recipe)| {
                    let name = format!("random{at}");
                    Program { text: write::entry(&name, &recipe.0), name }
                };
                agree(write::HELPERS, recipes.enumerate().map(text).collect(), |_, _| {
                    [(5, 3), (0, 2), (1, 0), (4, 4)].map(|(n, m)| write::arguments(n, m)).into()
                })?;
            }
            Ok(())
        }),
        trial("nested", || {
            in_batches(16, 60..90, |recipes| {
                agree("", programs("nested", recipes, nested::program), nested::calls)
            })
        }),
        trial("spaces", || {
            in_batches(16, 120..160, |recipes| {
                agree(spaces::HELPERS, programs("space", recipes, spaces::program), |_, _| {
                    spaces::calls()
                })
            })
        }),
    ]
}

fn programs(kind: &str, recipes: &[Vec<u16>], text: fn(&str, &[u16]) -> String) -> Vec<Program> {
    let program = |(at, recipe): (usize, &Vec<u16>)| {
        let name = format!("{kind}{at}");
        Program { text: text(&name, recipe), name }
    };
    recipes.iter().enumerate().map(program).collect()
}

fn options() -> Options {
    Options { passes: true, ..Options::default() }
}

/// Compiles programs into one library, and calls each over chunks of each size.
fn agree(helpers: &str, programs: Vec<Program>, calls: Calls) -> Result<(), Failed> {
    let mut known = Vec::new();
    for program in programs {
        let text = format!("{helpers}{}", program.text);
        match attempt(|| compile_as(&text, &options())) {
            Ok(_) => known.push(program),
            // The size of an array that a loop carries differs in the steps, or each call fails.
            Err(errors) if errors.contains("error[A03") => {}
            Err(errors) => return Err(format!("{errors}\nin\n{text}").into()),
        }
    }
    let texts = known.iter().map(|program| program.text.as_str());
    let text: String = std::iter::once(helpers).chain(texts).collect();
    // The plans of functions that several programs call are those of the library.
    let compiled = compile_as(&text, &options())?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("random.arr");
    std::fs::write(&path, &text)?;
    let library = built(&path, &["--passes", "-O0"], folder.path());
    let library =
        library.map_err(|why| format!("{}\nin\n{text}", why.message().unwrap_or_default()))?;
    let library = Library::open(&library).map_err(|error| error.to_string())?;
    let session = Session::new(&library, &SessionOptions::default());
    let session = session.map_err(|error| error.to_string())?;
    for program in &known {
        for args in calls(&compiled.core, &program.name) {
            same_in_chunks(&program.name, &compiled, &session, &args)
                .map_err(|why| format!("{why}\nin\n{helpers}{}", program.text))?;
        }
    }
    Ok(())
}

/// Calls the entry over chunks of each size.
fn same_in_chunks(
    name: &str,
    compiled: &Compiled,
    session: &Session<'_>,
    args: &[Component],
) -> Result<(), String> {
    let core = &compiled.core;
    let Ok(expected) = core_eval::run(core, entry(core, name), args) else {
        // Chunks may fail too, or not; but not by a panic.
        return BYTES.into_iter().try_for_each(|bytes| {
            let call = || Ok(chunks::call(compiled, session, name, values(args), bytes));
            attempt(call).map(drop)
        });
    };
    for bytes in BYTES {
        let found = attempt(|| chunks::call(compiled, session, name, values(args), bytes));
        let found = found.map(|found| found.iter().map(interpret::to_component).collect());
        let found: Result<Vec<Component>, String> = found;
        if !found.as_ref().is_ok_and(|found| close(found, &expected)) {
            let found = found.map_or_else(|why| why, |found| shown(&found));
            let (expected, args) = (shown(&expected), shown(args));
            return Err(format!("{found}\nnot {expected}\nfor {args}, chunks of {bytes} bytes"));
        }
    }
    Ok(())
}

fn values(args: &[Component]) -> Vec<Value> {
    args.iter().cloned().map(interpret::from_component).collect()
}

/// Whether values are the same, except the last bits of floats.
fn close(found: &[Component], expected: &[Component]) -> bool {
    let alike = |(found, expected): (&Component, &Component)| {
        (found.elem, &found.shape) == (expected.elem, &expected.shape)
            && found.data.iter().zip(&expected.data).all(|(found, expected)| {
                if !found.ty.is_float() {
                    return found.bits == expected.bits;
                }
                let (found, expected) = (found.as_f64(), expected.as_f64());
                found == expected
                    || found.is_nan() && expected.is_nan()
                    || (found - expected).abs() <= ROUNDING * expected.abs().max(1.0)
            })
    };
    found.len() == expected.len() && found.iter().zip(expected).all(alike)
}

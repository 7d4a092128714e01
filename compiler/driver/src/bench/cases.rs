//! The calls that are measured: the call of the command line, or the calls of the test blocks.

use std::path::Path;

use arr_runtime::host::{Value, ValueType};
use arr_runtime::text::{ArgumentError, Reading};
use arrc_loops::concrete::Program;
use arrc_pipeline::Compiled;

use crate::cli::Bench;
use crate::error::{DriverError, Failure};
use crate::native::Signature;
use crate::run;
use crate::test::{self, CallEntry, made_up};

/// A call.
pub(super) struct Case {
    /// The entry's name.
    pub(super) entry: String,
    /// The difference from the entry's other calls: the arguments as written, or the test's name.
    pub(super) label: String,
    /// The arguments.
    pub(super) inputs: Vec<Value>,
    /// The types of the results.
    pub(super) outputs: Vec<ValueType>,
}

/// The call on the command line, or the calls in the tests of the named entry or of all entries.
pub(super) fn cases(
    bench: &Bench,
    compiled: &Compiled,
    call: &CallEntry<'_>,
) -> Result<Vec<Case>, Failure> {
    let program = &compiled.program;
    if bench.entry.len() > 1 {
        return Ok(vec![of_command_line(bench, program)?]);
    }
    let entry = bench.entry.first().map(String::as_str);
    if let Some(name) = entry {
        run::entry(&bench.file, &bench.entry, &program.entries)?;
        if signature(program, name).inputs.is_empty() {
            return Ok(vec![of_command_line(bench, program)?]);
        }
    }
    let cases = of_tests(&bench.file, entry, compiled, call)?;
    if cases.is_empty() {
        let entry = entry.map(str::to_owned);
        return Err(DriverError::NothingToMeasure { path: bench.file.clone(), entry }.into());
    }
    Ok(cases)
}

fn signature<'a>(program: &'a Program, name: &str) -> Signature<'a> {
    let entry = program.entries.iter().find(|entry| entry.name == name);
    Signature::new(program, entry.expect("an entry that was found by this name"))
}

/// The call on the command line. It has an entry and arguments as for `arrc run`; an argument may also be a type such
/// as `[1000]f64`, for which a value is made up.
fn of_command_line(bench: &Bench, program: &Program) -> Result<Case, DriverError> {
    let (entry, arguments) = run::entry(&bench.file, &bench.entry, &program.entries)?;
    let signature = Signature::new(program, entry);
    let read = |(place, &(argument, ty)): (usize, &(&str, ValueType))| {
        if is_type(argument) {
            made_up(argument, place, ty).map_err(ArgumentError::new)
        } else {
            Reading::default().argument(argument, ty)
        }
    };
    let inputs = run::read(&signature, arguments, |arguments| {
        arguments.iter().enumerate().map(read).collect()
    })?;
    Ok(Case {
        entry: entry.name.to_string(),
        label: arguments.iter().map(|argument| shortened(argument)).collect::<Vec<_>>().join(" "),
        inputs,
        outputs: signature.outputs,
    })
}

/// Whether an argument is a type with sizes, for which a value is made up.
fn is_type(argument: &str) -> bool {
    let scalar = argument.rsplit(']').next().unwrap_or(argument);
    arr_runtime::host::Scalar::from_name(scalar.trim()).is_some()
}

fn of_tests(
    path: &Path,
    entry: Option<&str>,
    compiled: &Compiled,
    call: &CallEntry<'_>,
) -> Result<Vec<Case>, Failure> {
    let program = &compiled.program;
    let signatures: Vec<Signature<'_>> =
        program.entries.iter().map(|entry| Signature::new(program, entry)).collect();
    let calls = test::calls(path, entry, &signatures, (compiled, call))?;
    let case = |call: test::Measured| Case {
        outputs: signature(program, &call.entry).outputs,
        label: shortened(&call.label),
        entry: call.entry,
        inputs: call.inputs,
    };
    Ok(calls.into_iter().map(case).collect())
}

/// A label that is short enough for a line.
fn shortened(label: &str) -> String {
    const LONGEST: usize = 60;
    if label.chars().count() <= LONGEST {
        label.to_owned()
    } else {
        label.chars().take(LONGEST).chain("…".chars()).collect()
    }
}

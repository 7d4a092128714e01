//! `arrc run`: compiles to a temporary library, calls an entry, and prints the results.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use arr_runtime::host::{ErrorCode, RunError, Session, Value, ValueType, View};
use arr_runtime::text::{self, ArgumentError, Dictionary, Reading, reason};
use arrc_fusion::cnf::Entry;
use arrc_fusion::specialise::Traces;
use arrc_llvm::Cpu;
use arrc_pipeline as pipeline;
use arrc_pipeline::Compiled;
use arrc_syntax::source::Sources;

use crate::artifact::level;
use crate::chunks::{self, Held};
use crate::cli::Run;
use crate::error::{DriverError, Failure, split_array};
use crate::linked::Linked;
use crate::native::{Native, Signature, Threads};
use crate::plot::Plot;
use crate::report::Reporter;
use crate::target::Target;
use crate::{interpret, interrupt, report, source};

/// Compiles and calls.
pub(crate) fn run(run: &Run, reporter: &Reporter) -> Result<(), Failure> {
    let plot = run.plot.as_ref().map(|path| Plot::new(path, &run.plot_as)).transpose()?;
    let options = pipeline::Options {
        method: run.options.method(),
        passes: run.out_of_core,
        traces: Traces::Printed,
        ..pipeline::Options::default()
    };
    let (sources, compiled) = source::compile(&run.file, &options)?;
    reporter.warn(&sources, &compiled.warnings)?;
    let called = call(run, plot.as_ref(), (&sources, &compiled), reporter);
    called.map_err(|failure| failure.of_program(&sources))
}

/// Calls the entry.
fn call(
    run: &Run,
    plot: Option<&Plot>,
    (sources, compiled): (&Sources, &Compiled),
    reporter: &Reporter,
) -> Result<(), Failure> {
    // The functions of passes over chunks come after the entries of the source.
    let written = if run.out_of_core {
        compiled.passes.entries.len()
    } else {
        compiled.program.entries.len()
    };
    let entries = &compiled.program.entries[..written];
    let (entry, arguments) = entry(&run.file, &run.entry, entries)?;
    let signature = Signature::new(&compiled.program, entry);
    let mut reading = Reading::new(run.missing.clone());
    let inputs = read(&signature, arguments, |arguments| reading.arguments(arguments))?;
    if let Some(path) = &run.dictionary {
        dictionary(path, &reading.dictionaries)?;
    }
    if run.interpret {
        let outputs = interpret::call(compiled, sources, &entry.name, &inputs);
        let outputs = outputs.map_err(interpreted)?;
        let outputs: Vec<View<'_>> = outputs.iter().map(View::from).collect();
        return deliver(run, plot, &entry.name, &inputs, &outputs);
    }
    let native = native(run, sources, compiled)?;
    let session = native.session(Threads::new(run.threads));
    if run.out_of_core {
        let tells = !reporter.is_json();
        return in_chunks(run, tells, plot, &entry.name, compiled, &session, inputs);
    }
    let call = session.prepare(&entry.name, &inputs, &signature.outputs);
    let mut call = call.map_err(failed)?;
    interrupt::cancellable(&session, |_| call.run()).map_err(failed)?;
    deliver(run, plot, &entry.name, &inputs, &call.views())
}

/// Runs an entry pass by pass over chunks.
fn in_chunks(
    run: &Run,
    tells: bool,
    plot: Option<&Plot>,
    entry: &str,
    compiled: &Compiled,
    session: &Session<'_>,
    inputs: Vec<Value>,
) -> Result<(), Failure> {
    let plan = compiled.passes.of(entry).expect("each entry has a plan");
    let output = run.output.as_deref();
    let options = chunks::Options { chunk: run.chunk_bytes.get(), output, tells };
    let drawn = if run.plot_arguments { inputs.clone() } else { Vec::new() };
    let results = interrupt::cancellable(session, |cancelled| {
        chunks::run(plan, compiled, session, inputs, &options, cancelled)
    })?;
    match output {
        Some(name) if plot.is_none() && !is_archive(name) && !text::is_data(name) => {
            Ok(chunks::write(name, &results, &options)?)
        }
        Some(_) | None => {
            let values: Vec<Value> = results.iter().map(Held::value).collect();
            let values: Vec<View<'_>> = values.iter().map(View::from).collect();
            deliver(run, plot, entry, &drawn, &values)
        }
    }
}

/// The error of a call.
pub(crate) fn failed(error: RunError) -> DriverError {
    let code = error.code.map_or(0, |code| code as i32);
    DriverError::RunTime { code, message: error.message }
}

/// The error of a call in the interpreter, which cannot call C functions.
fn interpreted(error: RunError) -> DriverError {
    match error.code {
        Some(ErrorCode::External) => DriverError::Interpreted { message: error.message },
        _ => failed(error),
    }
}

/// Writes the results to files, or draws them. If neither is asked for, prints them.
fn deliver(
    run: &Run,
    plot: Option<&Plot>,
    entry: &str,
    inputs: &[Value],
    outputs: &[View<'_>],
) -> Result<(), Failure> {
    if let Some(name) = &run.output {
        write(name, outputs)?;
    }
    if let Some(plot) = plot {
        let inputs = if run.plot_arguments { inputs } else { &[] };
        let values: Vec<View<'_>> =
            inputs.iter().map(View::from).chain(outputs.iter().cloned()).collect();
        plot.write(entry, &values)?;
    }
    if run.output.is_none() && plot.is_none() {
        print(outputs);
    }
    Ok(())
}

/// Compiles the program and loads it into memory.
fn native(run: &Run, sources: &Sources, compiled: &Compiled) -> Result<Native, Failure> {
    let options = arrc_llvm::Options {
        opt_level: level(run.level.level),
        cpu: Cpu::from_argument(&run.target_cpu),
        vectors: run.level.vectors.into(),
        ..arrc_llvm::Options::default()
    };
    let linked = Linked {
        target: Target::own(),
        source: &run.file,
        files: &run.link,
        sanitizer: None,
        unique: None,
    };
    Native::new(compiled, sources, &options, linked)
}

/// The entry that the arguments behind the file name, and the remaining arguments. The name may be left out if there
/// is only one entry.
pub(crate) fn entry<'a>(
    file: &Path,
    words: &'a [String],
    entries: &'a [Entry],
) -> Result<(&'a Entry, &'a [String]), DriverError> {
    let named = words.first().and_then(|name| entries.iter().find(|entry| entry.name == *name));
    match (named, entries) {
        (Some(entry), _) => Ok((entry, &words[1..])),
        (None, []) => Err(DriverError::NoEntries { path: file.to_path_buf() }),
        (None, [entry]) if words.first().is_none_or(|first| !is_name(first)) => Ok((entry, words)),
        (None, entries) => Err(DriverError::UnknownEntry {
            name: words.first().filter(|first| is_name(first)).cloned(),
            entries: entries.iter().map(|entry| entry.name.to_string()).collect(),
        }),
    }
}

/// Whether an argument can only be a name.
fn is_name(word: &str) -> bool {
    let literal = ["true", "false", "empty"].iter().any(|literal| word.starts_with(literal))
        || word.contains('.');
    word.starts_with(|first: char| first.is_alphabetic() || first == '_') && !literal
}

/// The arguments as values of the inputs' types; `values` reads each one by its type, or returns its error.
pub(crate) fn read(
    signature: &Signature<'_>,
    arguments: &[String],
    values: impl FnOnce(&[(&str, ValueType)]) -> Vec<Result<Value, ArgumentError>>,
) -> Result<Vec<Value>, DriverError> {
    let Signature { entry, inputs, .. } = signature;
    let named = entry.inputs.iter().zip(inputs);
    if arguments.len() != inputs.len() {
        return Err(DriverError::ArgumentCount {
            entry: entry.name.to_string(),
            signature: entry.signature.clone(),
            expected: named.map(|(name, ty)| format!("{name}: {ty}")).collect(),
            found: arguments.to_vec(),
        });
    }
    let typed: Vec<_> = arguments.iter().map(String::as_str).zip(inputs.iter().copied()).collect();
    let read = values(&typed).into_iter().enumerate();
    let values = named.zip(arguments).zip(read).map(|(((name, ty), argument), (place, value))| {
        value.map_err(|problem| DriverError::Argument {
            entry: entry.name.to_string(),
            param: format!("{name}: {ty}"),
            argument: argument.clone(),
            problem: Box::new(problem),
            split: split_array(&arguments[place..]),
        })
    });
    values.collect()
}

/// Writes the texts for the numbers of columns, each on a line.
fn dictionary(path: &Path, dictionaries: &[Dictionary]) -> Result<(), DriverError> {
    if dictionaries.is_empty() {
        return Err(DriverError::NoDictionary);
    }
    text::write_dictionaries(path, dictionaries).map_err(|error| DriverError::Unwritable {
        path: path.to_path_buf(),
        reason: reason(&error),
    })
}

/// Prints the results, each on a line.
fn print(outputs: &[View<'_>]) {
    for output in outputs {
        report::output(&format!("{}\n", text::print(output.clone())));
    }
}

/// Writes the results to one `.npz` file or file of Futhark's data, or each to a `.npy` file.
fn write(name: &Path, outputs: &[View<'_>]) -> Result<(), Failure> {
    if is_archive(name) {
        return Ok(text::write_npz(name, outputs).map_err(unwritable(name.to_path_buf()))?);
    }
    if text::is_data(name) {
        let written = text::write_data(name, outputs.iter().cloned());
        return Ok(written.map_err(unwritable(name.to_path_buf()))?);
    }
    for (place, output) in outputs.iter().enumerate() {
        let path = array_file(name, place, outputs.len());
        text::write_npy(&path, output.clone()).map_err(unwritable(path))?;
    }
    Ok(())
}

fn is_archive(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension == "npz")
}

/// The file of a result. It has a number if there are several results.
pub(crate) fn array_file(name: &Path, place: usize, count: usize) -> PathBuf {
    let number = if count == 1 { String::new() } else { place.to_string() };
    let mut file = OsString::from(name);
    file.push(format!("{number}.npy"));
    PathBuf::from(file)
}

/// The error that a file cannot be written.
pub(crate) fn unwritable(path: PathBuf) -> impl Fn(io::Error) -> DriverError {
    move |error| DriverError::Unwritable { path: path.clone(), reason: reason(&error) }
}

//! `arrc run`: compiles to a temporary library, calls an entry, prints the results.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arr_runtime::host::{Library, RunError, ScalarType, Session, SessionOptions, Value, ValueType};
use arr_runtime::text::{self, reason};
use arrc_core::ir::cnf::{Entry, Type};
use arrc_core::ir::procedure::concrete::Program;
use arrc_core::pipeline::{self, Compiled};
use arrc_core::source::Sources;
use arrc_llvm::Cpu;

use crate::artifact::{compile, level};
use crate::cli::Run;
use crate::error::{DriverError, Failure};
use crate::header::input_types;
use crate::report::Reporter;
use crate::{interpret, link, source};

/// Compiles and calls.
pub(crate) fn run(run: &Run, reporter: &mut Reporter) -> Result<(), Failure> {
    let options = pipeline::Options {
        strategy: run.options.fusion.into(),
        cost: run.options.cost.into(),
        emit: Vec::new(),
    };
    let (sources, compiled) = source::compile(&run.file, &options)?;
    reporter.warn(&sources, &compiled.warnings);
    let (entry, arguments) = entry(run, &compiled.program)?;
    let signature = Signature::new(&compiled.program, entry);
    let inputs = signature.read(arguments)?;
    let outputs = if run.interpret {
        interpreted(&sources, &compiled, &entry.name, &inputs)?
    } else {
        call(run, &sources, &compiled, &signature, &inputs)?
    };
    match &run.output {
        Some(name) => write(name, &outputs),
        None => {
            print(&outputs);
            Ok(())
        }
    }
}

/// Which entry is meant, and what is left of the command line. The name may be left out if there is
/// only one entry.
fn entry<'a>(run: &'a Run, program: &'a Program) -> Result<(&'a Entry, &'a [String]), DriverError> {
    let named =
        run.entry.first().and_then(|name| program.entries.iter().find(|entry| entry.name == *name));
    match (named, program.entries.as_slice()) {
        (Some(entry), _) => Ok((entry, &run.entry[1..])),
        (None, []) => Err(DriverError::NoEntries { path: run.file.clone() }),
        (None, [entry]) if run.entry.first().is_none_or(|first| !is_name(first)) => {
            Ok((entry, &run.entry))
        }
        (None, entries) => Err(DriverError::UnknownEntry {
            name: run.entry.first().filter(|first| is_name(first)).cloned(),
            entries: entries.iter().map(|entry| entry.name.to_string()).collect(),
        }),
    }
}

/// Whether a word of the command line can only be meant as a name.
fn is_name(word: &str) -> bool {
    let literal = ["true", "false", "empty"].iter().any(|literal| word.starts_with(literal))
        || word.contains('.');
    word.starts_with(|first: char| first.is_alphabetic() || first == '_') && !literal
}

/// An entry as the host sees it.
struct Signature<'a> {
    entry: &'a Entry,
    inputs: Vec<ValueType>,
    outputs: Vec<ValueType>,
}

impl<'a> Signature<'a> {
    fn new(program: &Program, entry: &'a Entry) -> Self {
        let function = &program.functions[entry.function];
        Self {
            entry,
            inputs: input_types(function).map(value_type).collect(),
            outputs: function.results.iter().map(value_type).collect(),
        }
    }

    /// The arguments as values of the inputs' types.
    fn read(&self, arguments: &[String]) -> Result<Vec<Value>, DriverError> {
        let inputs = self.entry.inputs.iter().zip(&self.inputs);
        if arguments.len() != self.inputs.len() {
            return Err(DriverError::ArgumentCount {
                entry: self.entry.name.to_string(),
                signature: self.entry.signature.clone(),
                expected: inputs.map(|(name, ty)| format!("{name}: {ty}")).collect(),
                found: arguments.len(),
            });
        }
        let values = inputs.zip(arguments).map(|((name, &ty), argument)| {
            text::argument(argument, ty).map_err(|problem| DriverError::Argument {
                entry: self.entry.name.to_string(),
                name: name.clone(),
                ty: ty.to_string(),
                argument: argument.clone(),
                problem,
            })
        });
        values.collect()
    }
}

fn value_type(ty: &Type) -> ValueType {
    let scalar = |name| ScalarType::from_name(name).expect("the host knows every scalar type");
    match ty {
        Type::Scalar(ty) => ValueType::Scalar(scalar(ty.name())),
        Type::Array { elem, shape } => ValueType::Array {
            scalar: scalar(elem.name()),
            rank: u32::try_from(shape.len()).expect("ranks are small"),
        },
    }
}

/// Links a library in a temporary folder, and calls the entry in it.
fn call(
    run: &Run,
    sources: &Sources,
    compiled: &Compiled,
    signature: &Signature<'_>,
    inputs: &[Value],
) -> Result<Vec<Value>, Failure> {
    let options = arrc_llvm::Options {
        opt_level: level(run.level.level),
        cpu: Cpu::from_argument(&run.target_cpu),
        ..arrc_llvm::Options::default()
    };
    let object = compile(compiled, sources, &options)?.object();
    let folder = tempfile::tempdir().map_err(|error| DriverError::Unwritable {
        path: std::env::temp_dir(),
        reason: reason(&error),
    })?;
    let [object_path, library_path] =
        ["program.o", "libprogram.so"].map(|name| folder.path().join(name));
    link::write(&object_path, &object)?;
    link::shared(&object_path, &compiled.program, folder.path(), &library_path)?;
    let library = Library::open(&library_path).expect("a library that was just linked opens");
    let session = Session::new(&library, &SessionOptions::default())
        .expect("a library of ours makes contexts");
    session.call(&signature.entry.name, inputs, &signature.outputs).map_err(failed)
}

/// Calls the entry in the reference interpreter.
fn interpreted(
    sources: &Sources,
    compiled: &Compiled,
    entry: &str,
    inputs: &[Value],
) -> Result<Vec<Value>, Failure> {
    let entry = interpret::entry(&compiled.core, entry);
    let entry = entry.expect("an entry of the loop nests is one of the typed program");
    interpret::call(&compiled.core, sources, entry, inputs).map_err(failed)
}

fn failed(error: RunError) -> Failure {
    let code = error.code.map_or(0, |code| code as i32);
    DriverError::RunTime { code, message: error.message }.into()
}

/// Prints each result on a line.
fn print(outputs: &[Value]) {
    let mut stdout = io::stdout().lock();
    for output in outputs {
        // A reader that closed the pipe has seen what it wanted.
        if writeln!(stdout, "{}", text::print(output)).is_err() {
            return;
        }
    }
}

/// Writes each result to a file.
fn write(name: &Path, outputs: &[Value]) -> Result<(), Failure> {
    for (place, output) in outputs.iter().enumerate() {
        let number = if outputs.len() == 1 { String::new() } else { place.to_string() };
        let mut file = OsString::from(name);
        file.push(format!("{number}.npy"));
        let path = PathBuf::from(file);
        text::write_npy(&path, output).map_err(|error| DriverError::Unwritable {
            path: path.clone(),
            reason: error.to_string(),
        })?;
    }
    Ok(())
}

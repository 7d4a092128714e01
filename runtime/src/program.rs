//! The main functions of programs. In those made by `arrc build --exe`, the entry and its arguments come from the
//! command line, and the results go to standard output. Those made by `arrc build --server` are
//! [servers](crate::server).
//!
//! Invariant: the only part of the runtime that reads arguments or prints; nothing else links it in.

use std::ffi::{CStr, c_char, c_int};
use std::{io, slice};

use crate::host::{Library, Scalar, Session, SessionOptions, ValueType};
use crate::server::serve;
use crate::text::{self, Reading};

/// The prefix of the symbols of entries in a program. Their names in the table do not have it.
pub const PREFIX: &str = "entry_";

/// The part of `--help` besides the entries.
const ARGUMENTS: &str = "an argument is a literal such as 2.5 or '[1, 2, 3]', the array in a file of NumPy's \
format, as @file.npy,\nor a column of a table, as @file.csv:column; each result is printed on a line";

/// The part of `--help` of a server besides its options.
const SERVES: &str =
    "a server: it reads commands from standard input, in the protocol of Futhark's servers";

/// Exit status of a run-time error.
const FAILED: c_int = 1;
/// Exit status of a wrong command line.
const USAGE: c_int = 2;

/// One line of the table that the compiler makes.
#[repr(C)]
#[derive(Debug)]
pub struct ProgramEntry {
    name: *const c_char,
    signature: *const c_char,
    /// `xs:f64:1 n:i64:0`: names, scalar types and ranks.
    inputs: *const c_char,
    outputs: *const c_char,
    /// A reference, so that the linker keeps the entry. Calls find the entry by its name.
    call: *const u8,
}

/// Runs the program.
///
/// # Safety
/// `argv` has `argc` C strings, and `entries` has `count` rows of C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_main(
    argc: c_int,
    argv: *const *const c_char,
    entries: *const ProgramEntry,
    count: usize,
) -> c_int {
    // SAFETY: as the caller promises.
    let (arguments, entries) = unsafe {
        (
            slice::from_raw_parts(argv, usize::try_from(argc).unwrap_or(0)),
            slice::from_raw_parts(entries, count),
        )
    };
    // SAFETY: as the caller promises.
    let arguments: Vec<String> =
        arguments.iter().map(|&argument| unsafe { string(argument) }).collect();
    // SAFETY: as the caller promises.
    let entries: Vec<Entry> = entries.iter().map(|entry| unsafe { Entry::new(entry) }).collect();
    exit_status(run(&arguments, &entries))
}

/// Runs the program as a server. `interface` describes its types and entries, and `entries` are their functions, a
/// reference to each, so that the linker keeps it.
///
/// # Safety
/// `argv` has `argc` C strings, and `interface` is one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_server(
    argc: c_int,
    argv: *const *const c_char,
    interface: *const c_char,
    _entries: *const *const u8,
) -> c_int {
    // SAFETY: as the caller promises.
    let arguments = unsafe { slice::from_raw_parts(argv, usize::try_from(argc).unwrap_or(0)) };
    // SAFETY: as the caller promises.
    let (arguments, interface): (Vec<String>, String) = unsafe {
        (arguments.iter().map(|&argument| string(argument)).collect(), string(interface))
    };
    exit_status(server(&arguments, &interface))
}

fn server(arguments: &[String], interface: &str) -> Result<(), (c_int, String)> {
    let program = arguments.first().map_or("program", String::as_str);
    let mut options = SessionOptions::default();
    for argument in arguments.iter().skip(1) {
        if ["-h", "--help"].contains(&argument.as_str()) {
            println!("usage: {program} [--num-threads=N]\n\n{SERVES}");
            return Ok(());
        }
        let threads = argument.strip_prefix("--num-threads=").and_then(|count| count.parse().ok());
        options.threads = threads.ok_or_else(|| {
            let problem = format!("a server has no option `{argument}`");
            (USAGE, format!("{problem}\nusage: {program} [--num-threads=N]"))
        })?;
    }
    serve(interface, options, io::stdin().lock(), io::stdout().lock())
        .map_err(|error| (FAILED, error.to_string()))
}

/// Prints the error, if there is one, and gives the exit status.
fn exit_status(result: Result<(), (c_int, String)>) -> c_int {
    let Err((status, message)) = result else { return 0 };
    eprintln!("error: {}", arr_printable::paragraph(&message));
    status
}

/// A row, with its types read.
struct Entry {
    name: String,
    signature: String,
    inputs: Vec<(String, ValueType)>,
    outputs: Vec<ValueType>,
}

impl Entry {
    /// Reads a row.
    ///
    /// # Safety
    /// Its pointers are to C strings.
    unsafe fn new(entry: &ProgramEntry) -> Self {
        // SAFETY: as the caller promises.
        let [name, signature, inputs, outputs] =
            [entry.name, entry.signature, entry.inputs, entry.outputs]
                .map(|text| unsafe { string(text) });
        let outputs = components(&outputs).into_iter().map(|(_, ty)| ty).collect();
        Self { name, signature, inputs: components(&inputs), outputs }
    }
}

fn components(text: &str) -> Vec<(String, ValueType)> {
    let component = |word: &str| {
        let mut parts = word.split(':');
        let name = parts.next()?.to_string();
        let scalar = Scalar::from_name(parts.next()?)?;
        let rank = parts.next()?.parse().ok()?;
        Some((
            name,
            if rank == 0 { ValueType::Scalar(scalar) } else { ValueType::Array { scalar, rank } },
        ))
    };
    text.split_whitespace()
        .map(|word| component(word).expect("the compiler writes NAME:TYPE:RANK"))
        .collect()
}

fn run(arguments: &[String], entries: &[Entry]) -> Result<(), (c_int, String)> {
    let program = arguments.first().map_or("program", String::as_str);
    if let [_, word] = arguments
        && ["-h", "--help"].contains(&word.as_str())
    {
        println!("{}\n\n{ARGUMENTS}", usage(program, entries));
        return Ok(());
    }
    let usage = |problem: &str| (USAGE, format!("{problem}\n{}", usage(program, entries)));
    let (entry, rest) = match (entries, arguments.get(1)) {
        (_, Some(name)) if entries.iter().any(|entry| entry.name == *name) => {
            let entry = entries.iter().find(|entry| entry.name == *name).expect("just seen");
            (entry, &arguments[2..])
        }
        ([entry], _) => (entry, arguments.get(1..).unwrap_or_default()),
        (_, Some(name)) => return Err(usage(&format!("there is no entry `{name}`"))),
        (_, None) => return Err(usage("no entry is named")),
    };
    if rest.len() != entry.inputs.len() {
        let problem = format!(
            "`{}` takes {} arguments, but {} were given",
            entry.name,
            entry.inputs.len(),
            rest.len()
        );
        return Err(usage(&problem));
    }
    let typed = rest.iter().zip(&entry.inputs).map(|(argument, (_, ty))| (argument.as_str(), *ty));
    let values = Reading::default().arguments(&typed.collect::<Vec<_>>());
    let inputs = values.into_iter().zip(&entry.inputs).map(|(value, (name, ty))| {
        value.map_err(|problem| (USAGE, format!("the argument for `{name}: {ty}`: {problem}")))
    });
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let failed = |message: String| (FAILED, message);
    let library = Library::this().map_err(|error| failed(error.to_string()))?;
    let session = Session::new(&library, &SessionOptions::default())
        .map_err(|error| failed(error.to_string()))?;
    let outputs = session
        .call(&format!("{PREFIX}{}", entry.name), &inputs, &entry.outputs)
        .map_err(|error| failed(error.message))?;
    for output in &outputs {
        println!("{}", text::print(output));
    }
    Ok(())
}

/// How the program is called: a line for each entry with its arguments, and one with its type.
fn usage(program: &str, entries: &[Entry]) -> String {
    let lines: Vec<_> = entries
        .iter()
        .map(|entry| {
            let inputs = entry.inputs.iter().map(|(name, ty)| format!(" {name}:{ty}"));
            let inputs: String = inputs.collect();
            format!("  {program} {}{inputs}\n      {}", entry.name, entry.signature)
        })
        .collect();
    let optional = if entries.len() == 1 { "\nthe entry's name may be left out" } else { "" };
    format!("usage:\n{}{optional}", lines.join("\n"))
}

/// A C string's text.
///
/// # Safety
/// It is one.
unsafe fn string(text: *const c_char) -> String {
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

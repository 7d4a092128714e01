//! Errors outside of the program's text, each with its diagnostic.

use std::path::{Path, PathBuf};

use arr_runtime::text::ArgumentError;
use arrc_syntax::diagnostics;
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::names::Name;
use arrc_syntax::source::Sources;

use crate::install::InstallError;
use crate::placed::placed;
use crate::plot::PlotError;
use crate::target;
use crate::target::Target;

/// The reason for which a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The program has errors.
    Diagnostics {
        /// The sources, to render the errors.
        sources: Sources,
        /// The errors.
        diagnostics: Vec<Diagnostic>,
    },
    /// There is an error in the files, on the command line or in the machine.
    Driver(DriverError),
    /// A failure that has been shown already.
    Shown,
}

impl Failure {
    /// What it tells, with the sources of its places.
    pub(crate) fn diagnostics(self) -> (Sources, Vec<Diagnostic>) {
        match self {
            Self::Diagnostics { sources, diagnostics } => (sources, diagnostics),
            Self::Driver(error) => (Sources::default(), vec![error.diagnostic()]),
            Self::Shown => Default::default(),
        }
    }

    /// The failure of a program with these sources. What failed while it ran has its place there.
    pub(crate) fn of_program(self, sources: &Sources) -> Self {
        let Self::Driver(error @ DriverError::RunTime { .. }) = self else { return self };
        let diagnostics = vec![placed(error.diagnostic(), sources)];
        Self::Diagnostics { sources: sources.clone(), diagnostics }
    }
}

impl From<InstallError> for DriverError {
    fn from(error: InstallError) -> Self {
        Self::Install(error)
    }
}

impl From<DriverError> for Failure {
    fn from(error: DriverError) -> Self {
        Self::Driver(error)
    }
}

/// A failure that has no place in a program.
#[derive(Debug)]
pub(crate) enum DriverError {
    /// A program cannot be read.
    Unreadable { path: PathBuf, reason: String },
    /// A program is not text.
    NotUtf8 { path: PathBuf, line: usize, byte: usize },
    /// An artefact cannot be written.
    Unwritable { path: PathBuf, reason: String },
    /// `arrc explain` was asked for a code that does not exist.
    UnknownCode { code: String },
    /// The program has no entry.
    NoEntries { path: PathBuf },
    /// The command line names an entry that does not exist, or none although there are several.
    UnknownEntry { name: Option<String>, entries: Vec<String> },
    /// The entry takes another number of arguments.
    ArgumentCount { entry: String, signature: String, expected: Vec<String>, found: Vec<String> },
    /// An argument cannot be read as the entry's type.
    Argument {
        entry: String,
        /// The parameter's name and type.
        param: String,
        argument: String,
        problem: Box<ArgumentError>,
        /// An array that the shell split at its blanks, put together again.
        split: Option<String>,
    },
    /// The processor, the target, or a symbol is not available.
    Backend(arrc_llvm::Error),
    /// A file to link with is not there, or cannot be compiled.
    Linked { path: PathBuf, problem: String },
    /// The linker is missing or failed.
    Link { program: String, target: Target, problem: String },
    /// A library or a program was asked for, and there is no runtime for its target.
    NoRuntime { triple: String },
    /// The library of a sanitizer is missing.
    NoSanitizer { file: String, problem: String },
    /// `arrc test` found no test in the paths, or no test of a named entry.
    NoTests { paths: Vec<PathBuf>, entry: Vec<String>, entries: Vec<String> },
    /// The interpreter reached a call of a C function.
    Interpreted { message: String },
    /// A dictionary was asked for, but no column of texts was read.
    NoDictionary,
    /// A picture cannot be drawn.
    Plot(PlotError),
    /// The program failed when it ran.
    RunTime { code: i32, message: String },
    /// `arrc bench` found no call to time.
    NothingToMeasure { path: PathBuf, entry: Option<String> },
    /// The command line is wrong.
    Usage { text: String },
    /// Two strategies gave different results.
    Disagreement { entry: String, strategies: [&'static str; 2], difference: String },
    /// Files cannot be installed or removed.
    Install(InstallError),
}

impl DriverError {
    /// Whether the error is in the command line.
    pub(crate) fn is_usage(&self) -> bool {
        match self {
            Self::UnknownCode { .. }
            | Self::UnknownEntry { .. }
            | Self::ArgumentCount { .. }
            | Self::Argument { .. }
            | Self::Plot(_)
            | Self::Usage { .. }
            | Self::NoDictionary
            | Self::NoRuntime { .. }
            | Self::Backend(_) => true,
            Self::Unreadable { .. }
            | Self::NotUtf8 { .. }
            | Self::Unwritable { .. }
            | Self::NoEntries { .. }
            | Self::Linked { .. }
            | Self::Link { .. }
            | Self::NoSanitizer { .. }
            | Self::NoTests { .. }
            | Self::Interpreted { .. }
            | Self::NothingToMeasure { .. }
            | Self::Disagreement { .. }
            | Self::Install(_)
            | Self::RunTime { .. } => false,
        }
    }

    /// The diagnostic that the user sees.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::Unreadable { path, reason } => {
                Diagnostic::global(Code::UNREADABLE, format!("cannot read `{}`: {reason}", path.display()))
                    .help("check the path; it is taken from the current folder")
            }
            Self::NotUtf8 { path, line, byte } => {
                Diagnostic::global(Code::NOT_UTF8, format!("`{}` is not UTF-8 text", path.display()))
                    .note(format!("the first byte that is not is at offset {byte}, on line {line}"))
                    .help("save the program as UTF-8")
            }
            Self::Unwritable { path, reason } => {
                Diagnostic::global(Code::UNWRITABLE, format!("cannot write `{}`: {reason}", path.display()))
                    .help("choose another place with `-o`")
            }
            Self::UnknownCode { code } => {
                Diagnostic::global(Code::UNKNOWN_CODE, format!("there is no diagnostic with the code `{code}`"))
                    .help("codes look like A0301; they stand in brackets after `error`")
            }
            Self::NoEntries { path } => {
                Diagnostic::global(Code::NO_ENTRY, format!("`{}` has no entry", path.display()))
                    .note("an object file offers the entries of its program; a `def` is only for the program itself")
                    .help("write `entry` instead of `def` before the functions that are to be called from outside")
            }
            Self::UnknownEntry { name, entries } => unknown_entry(name.as_deref(), entries),
            Self::ArgumentCount { entry, signature, expected, found } => {
                argument_count(entry, signature, expected, found)
            }
            Self::Argument { entry, param, argument, problem, split } => {
                let message = format!("the argument `{}` does not fit `{param}` of `{entry}`", shortened(argument));
                Diagnostic::global(Code::ARGUMENT, message)
                    .note(problem.problem.clone())
                    .instruct(argument_help(problem.help.as_deref(), split.as_deref(), argument))
            }
            Self::Backend(error) => {
                Diagnostic::global(Code::TARGET, error.to_string()).instruct(error.help())
            }
            Self::Linked { path, problem } => {
                Diagnostic::global(Code::LINKED_SOURCE, format!("cannot link with `{}`", path.display()))
                    .note(problem.clone())
                    .help("`--link` takes C sources, object files and static libraries; paths are taken from the current folder")
            }
            Self::Link { problem, .. } if problem.contains(RUNTIME_OF_A_VERSION) => {
                Diagnostic::global(Code::LINK, "an object or library was compiled by another version of arrc")
                    .note(problem.clone())
                    .help("compile it again with this version: object files of Arr programs need the runtime of the arrc that made them")
            }
            Self::Link { program, target, problem } => {
                Diagnostic::global(Code::LINK, format!("`{program}` could not link the result"))
                    .note(problem.clone())
                    .instruct(link_help(*target))
            }
            Self::NoRuntime { triple } => no_runtime(triple),
            Self::NoSanitizer { file, problem } => {
                Diagnostic::global(Code::LINK, format!("AddressSanitizer's library `{file}` cannot be found"))
                    .note(problem.clone())
                    .help("install clang 22 with its sanitizers, in Debian the package `libclang-rt-22-dev`")
            }
            Self::NoTests { paths, entry, entries } => no_tests(paths, entry, entries),
            Self::Interpreted { message } => {
                Diagnostic::global(Code::INTERPRETED_EXTERNAL, message.clone())
                    .help("leave `--interpret` out, and name the file with the function behind `--link`")
            }
            Self::NothingToMeasure { path, entry } => nothing_to_measure(path, entry.as_deref()),
            Self::Disagreement { entry, strategies: [first, second], difference } => Diagnostic::global(
                Code::DISAGREEMENT,
                format!("`{entry}` gives under `{second}` what it does not give under `{first}`"),
            )
            .note(difference.clone())
            .help("floats that are added in another order differ a little: `--tolerance=X` allows more; if that is not it, please report the program"),
            Self::NoDictionary => {
                Diagnostic::global(Code::ARGUMENT, "`--dictionary` is given, but no argument is a column of texts")
                    .help("`@FILE.csv:codes(NAME)` reads a column of texts as numbers")
            }
            Self::Plot(PlotError { problem, help }) => {
                Diagnostic::global(Code::PLOT, problem.clone()).instruct(help.clone())
            }
            Self::RunTime { code, message } => run_time(*code, message),
            Self::Install(error) => error.diagnostic(),
            Self::Usage { text } => usage(text),
        }
    }
}

/// How results are linked for a target.
fn link_help(target: Target) -> String {
    if target.is_own() {
        return "install a C toolchain, or name one in the environment variable CC".to_owned();
    }
    let triple = target.triple();
    let gnu = triple.replace("-unknown", "");
    format!(
        "install clang 22, lld 22 and a C library for {triple}, or name a C compiler for it in the environment variable CC, such as \
         {gnu}-gcc"
    )
}

/// The diagnostic that there is no runtime for a target.
fn no_runtime(triple: &str) -> Diagnostic {
    Diagnostic::global(Code::TARGET, format!("there is no runtime for the target `{triple}`"))
        .note(format!("this arrc has one for {}", target::triples().join(" and ")))
        .help("without `--lib` and `--exe`, `arrc build` makes an object file for it; the runtime beside it has to be compiled from arrc's sources")
}

/// The diagnostic of clap's text about a wrong command line. A tip is a help, and another paragraph a note.
fn usage(text: &str) -> Diagnostic {
    let text = text.trim().trim_start_matches("error: ");
    let (message, rest) = text.split_once('\n').unwrap_or((text, ""));
    let paragraphs = rest.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
    let add = |told: Diagnostic, text: &str| match text.strip_prefix("tip: ") {
        Some(tip) => told.instruct(tip),
        None => told.note(text),
    };
    paragraphs.fold(Diagnostic::global(Code::USAGE, message), add)
}

/// How an argument may be written that does not fit.
fn argument_help(help: Option<&str>, split: Option<&str>, argument: &str) -> String {
    match (help, split) {
        (Some(help), _) => help.to_owned(),
        (None, Some(array)) => quoted(array),
        (None, None) if argument.starts_with("--") => OPTIONS_FIRST.to_owned(),
        (None, None) => {
            "give a literal such as `[1,2,3]` or `2.5`, `@file.npy`, or `@file.csv:column`"
                .to_owned()
        }
    }
}

/// The diagnostic of a message of the runtime, which has the error and the calls that led to it, each on a line.
fn run_time(code: i32, message: &str) -> Diagnostic {
    let known = run_time_code(code);
    let code = known
        .unwrap_or_else(|| panic!("the host calls entries one at a time: run-time error {code}"));
    match message.split_once('\n') {
        Some((message, calls)) => {
            let calls: Vec<&str> = calls.lines().map(str::trim_start).collect();
            Diagnostic::global(code, message).note(calls.join("\n"))
        }
        None => Diagnostic::global(code, message),
    }
}

/// The diagnostic's code for an error code of the runtime (see its `codes`). There is none for a call in a context
/// that is busy, since that is no error of a program.
pub(crate) fn run_time_code(code: i32) -> Option<Code> {
    Some(match code {
        1 => Code::RUN_INDEX,
        2 => Code::RUN_DIVISION,
        3 => Code::RUN_SIZE,
        4 => Code::RUN_SHAPE,
        5 => Code::RUN_MEMORY,
        6 => Code::RUN_STACK,
        9 => Code::RUN_POWER,
        10 => Code::RUN_SLICE,
        11 => Code::RUN_RANGE,
        12 => Code::RUN_COERCION,
        13 => Code::RUN_ASSERTION,
        15 => Code::RUN_GENERATOR,
        16 => Code::RUN_CANCELLED,
        // Arguments of entries are valid, so an external passed the invalid one.
        7 | 14 => Code::RUN_EXTERNAL,
        _ => return None,
    })
}

fn unknown_entry(name: Option<&str>, entries: &[String]) -> Diagnostic {
    let message = match name {
        Some(name) => format!("the program has no entry `{name}`"),
        None => "the program has several entries, and none is named".to_owned(),
    };
    let error = Diagnostic::global(Code::UNKNOWN_ENTRY, message);
    let known: Vec<Name> = entries.iter().map(Name::from).collect();
    let near = name.map_or_else(Vec::new, |name| diagnostics::nearest(name, &known));
    if !near.is_empty() {
        return near
            .iter()
            .fold(error, |error, near| error.instruct(format!("is `{near}` meant?")));
    }
    let list = entries.iter().map(|entry| format!("`{entry}`")).collect::<Vec<_>>().join(", ");
    error
        .note(format!("its entries are {list}"))
        .instruct(format!("name one of them, as in `arrc run FILE {}`", entries[0]))
}

fn no_tests(paths: &[PathBuf], entry: &[String], entries: &[String]) -> Diagnostic {
    let quoted = |names: &[String]| {
        names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    let places: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
    let places = quoted(&places);
    if entries.is_empty() || entry.is_empty() {
        return Diagnostic::global(Code::NO_TESTS, format!("there is no test in {places}"))
            .note("a test stands in a comment, behind a line `-- ==`")
            .help("write, before an entry: `-- ==`, `-- entry: NAME`, `-- input { 1 } output { 2 }`, each on a line");
    }
    let message = format!("there is no test of {} in {places}", quoted(entry));
    Diagnostic::global(Code::NO_TESTS, message)
        .note(format!("there are tests of {}", quoted(entries)))
        .help("name one of them behind `--entry`, or leave the option out")
}

fn nothing_to_measure(path: &Path, entry: Option<&str>) -> Diagnostic {
    let of = entry.map_or_else(String::new, |entry| format!(" of `{entry}`"));
    let message = format!("there is no call{of} to measure in `{}`", path.display());
    Diagnostic::global(Code::NOTHING_TO_MEASURE, message)
        .note("without arguments, the calls of the test blocks are measured that are not expected to fail")
        .help("give the arguments, or types for made-up values: `arrc bench FILE ENTRY '[1000000]f64'`")
}

/// The beginning of a symbol that only a runtime with one version of the ABI has.
const RUNTIME_OF_A_VERSION: &str = "arr_runtime_abi_";

/// Help for an option that was taken for an argument.
const OPTIONS_FIRST: &str =
    "options come before the entry: whatever follows its name is an argument";

fn argument_count(
    entry: &str,
    signature: &str,
    expected: &[String],
    found: &[String],
) -> Diagnostic {
    let plural = if expected.len() == 1 { "" } else { "s" };
    let were = if found.len() == 1 { "was" } else { "were" };
    let (takes, given) = (expected.len(), found.len());
    let diagnostic = Diagnostic::global(
        Code::ARGUMENT_COUNT,
        format!("`{entry}` takes {takes} argument{plural}, but {given} {were} given"),
    )
    .note(format!("its type is `{signature}`"));
    if let Some(array) = split_array(found) {
        diagnostic.instruct(quoted(&array))
    } else if found.iter().any(|argument| argument.starts_with("--")) {
        diagnostic.help(OPTIONS_FIRST)
    } else if expected.is_empty() {
        diagnostic.help("leave the arguments out")
    } else {
        let names: Vec<_> = expected.iter().map(|name| format!("`{name}`")).collect();
        diagnostic.instruct(format!("give, in this order: {}", names.join(", ")))
    }
}

/// The first array that continues in the next arguments, as it was before the shell split it at its blanks.
pub(crate) fn split_array(arguments: &[String]) -> Option<String> {
    let open = |text: &str| text.matches('[').count() > text.matches(']').count();
    let first =
        arguments.iter().position(|argument| argument.starts_with('[') && open(argument))?;
    let whole = (first + 2..=arguments.len()).map(|end| arguments[first..end].join(" "));
    whole.into_iter().find(|whole| !open(whole))
}

/// Help for an array that the shell split at its blanks.
fn quoted(array: &str) -> String {
    format!("a shell splits arguments at blanks: put the array in quotes, `'{}'`", shortened(array))
}

/// An argument that is short enough for a message.
fn shortened(argument: &str) -> String {
    const LONGEST: usize = 40;
    if argument.chars().count() <= LONGEST {
        argument.to_string()
    } else {
        argument.chars().take(LONGEST).chain("…".chars()).collect()
    }
}

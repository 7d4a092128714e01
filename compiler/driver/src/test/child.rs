//! The process that runs tests of one file in one way. A crash or an endless loop ends one test only, and not the
//! whole run.
//!
//! Invariant: the file is compiled once, and all calls use one context, also after a call that fails. The numbers of
//! the tests come from standard input, and [events](Event) go to standard output.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, BufRead, Write};
use std::path::Path;

use arr_runtime::host::{Memory, RunError, Session, Value, ValueType};
use arr_runtime::text;
use arrc_fusion::clusters::{Method, Strategy};
use arrc_llvm::Cpu;
use arrc_pipeline as pipeline;
use arrc_pipeline::Compiled;
use arrc_syntax::names::Name;
use arrc_syntax::source::Sources;
use regex::Regex;

use super::block;
use super::block::{Call, Expected, Kind, Test, TestError, Word};
use super::compare::Tolerance;
use super::dialect::Dialect;
use super::elsewhere::Host;
use super::property::Property;
use super::protocol::{Event, Mismatch};
use super::ready::{Ready, Unready, ready};
use super::script::{Call as CallEntry, Caller};
use super::without_running::without_running;
use super::{compare, grouped, wording};
use crate::artifact::{self, level};
use crate::attributes;
use crate::cli::{TestChild, Way};
use crate::error::{DriverError, Failure};
use crate::interpret;
use crate::link;
use crate::linked::Linked;
use crate::native::{Native, Signature, Threads};
use crate::report::Reporter;
use crate::source;
use crate::target::Target;

/// Runs the tests that standard input names.
pub(crate) fn child(options: &TestChild, reporter: &Reporter) -> Result<(), Failure> {
    if let Err(failure) = run(options, reporter) {
        tell(&Event::Broken(reporter.text(&failure)));
    }
    Ok(())
}

fn run(options: &TestChild, reporter: &Reporter) -> Result<(), Failure> {
    let (sources, tests) = source::read(&options.file, |sources, file| {
        block::tests(sources, file)
            .map_err(|errors| errors.iter().map(TestError::diagnostic).collect())
    })?;
    let numbers = io::stdin().lock().lines().map_while(Result::ok);
    let numbers = numbers.filter_map(|line| line.parse::<usize>().ok());
    let chosen: Vec<(usize, &Test)> =
        numbers.filter_map(|number| Some((number, tests.get(number)?))).collect();
    let mistakes = |errors: Vec<TestError>| Failure::Diagnostics {
        sources,
        diagnostics: errors.iter().map(TestError::diagnostic).collect(),
    };
    match options.way {
        Way::Static => {
            without_running(options, reporter, &chosen).map_err(|failure| failure.or(mistakes))
        }
        Way::Interpreter => {
            interpreted(options, reporter, &chosen).map_err(|failure| failure.or(mistakes))
        }
        Way::Native => native(options, reporter, &chosen).map_err(|failure| failure.or(mistakes)),
    }
}

/// The reason for which no test can be run.
pub(super) enum Broken {
    /// There are errors in the test blocks.
    Tests(Vec<TestError>),
    /// There are errors in the program or in the machine.
    Other(Failure),
}

impl Broken {
    fn or(self, mistakes: impl FnOnce(Vec<TestError>) -> Failure) -> Failure {
        match self {
            Self::Tests(errors) => mistakes(errors),
            Self::Other(failure) => failure,
        }
    }
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Self {
        Self::Other(failure)
    }
}

fn tell(event: &Event) {
    // If the parent has ended, nothing reads the events.
    let _ = writeln!(io::stdout(), "{}", event.line());
    let _ = io::stdout().flush();
}

/// Sends the outcome of one test.
pub(super) fn judged(number: usize, judge: impl FnOnce() -> Result<(), Mismatch>) {
    tell(&Event::Begin(number));
    tell(&match judge() {
        Ok(()) => Event::Passed(number),
        Err(mismatch) => Event::Failed(number, mismatch),
    });
}

/// Compiles the program and sends its warnings. If warnings are denied, they are a failure.
pub(super) fn compiled(
    options: &TestChild,
    reporter: &Reporter,
    strategy: Strategy,
) -> Result<(Sources, Compiled), Failure> {
    let (sources, mut compiled) = compile(options, strategy)?;
    let diagnostics = std::mem::take(&mut compiled.warnings);
    if diagnostics.is_empty() {
        return Ok((sources, compiled));
    }
    if reporter.denies_warnings() {
        return Err(Failure::Diagnostics { sources, diagnostics });
    }
    tell(&Event::Warned(reporter.all(&sources, &diagnostics)));
    Ok((sources, compiled))
}

pub(super) fn compile(
    options: &TestChild,
    strategy: Strategy,
) -> Result<(Sources, Compiled), Failure> {
    let method = Method { strategy, ..options.options.method() };
    let doubts = options.way == Way::Native;
    let options_of_way = pipeline::Options { method, doubts, ..pipeline::Options::default() };
    source::compile(&options.file, &options_of_way)
}

pub(super) fn is_futhark(options: &TestChild) -> bool {
    Dialect::of(&options.file) == Dialect::Futhark
}

/// When floats are equal.
fn tolerance(options: &TestChild) -> Tolerance {
    Dialect::of(&options.file).tolerance(options.tolerance)
}

/// Whether a message matches a pattern.
pub(super) fn matches(pattern: &str, message: &str) -> bool {
    let regex = Regex::new(pattern).expect("patterns are checked when blocks are read");
    regex.is_match(message)
}

/// A call with its values.
struct PreparedCall<'t, 's, 'e> {
    number: usize,
    call: &'t Call,
    signature: &'s Signature<'e>,
    ready: Ready,
}

/// The calls and the properties of a program, with their values.
struct Prepared<'t, 's, 'e> {
    calls: Vec<PreparedCall<'t, 's, 'e>>,
    properties: Vec<(usize, Property<'s, 'e>)>,
}

fn prepare<'t, 's, 'e>(
    options: &TestChild,
    tests: &[(usize, &'t Test)],
    sources: &Sources,
    signatures: &'s [Signature<'e>],
) -> Result<Prepared<'t, 's, 'e>, Broken> {
    let folder = options.file.parent().unwrap_or(Path::new(""));
    let mut prepared = Prepared { calls: Vec::new(), properties: Vec::new() };
    let mut errors = Vec::new();
    for &(number, test) in tests {
        let call = match &test.kind {
            Kind::Call(call) => call,
            Kind::Property(entry) => {
                match property(entry, sources, signatures) {
                    Ok(property) => prepared.properties.push((number, property)),
                    Err(error) => errors.push(error),
                }
                continue;
            }
            Kind::CompileError(_) | Kind::Warning(_) | Kind::Structure(_) => continue,
        };
        match ready(call, signatures, folder) {
            Ok((signature, ready)) => {
                prepared.calls.push(PreparedCall { number, call, signature, ready });
            }
            Err(Unready::File(error)) => judged(number, || Err(unread(&error))),
            Err(Unready::Mistakes(wrong)) => errors.extend(
                wrong.into_iter().filter(|error| !errors.contains(error)).collect::<Vec<_>>(),
            ),
        }
    }
    if errors.is_empty() { Ok(prepared) } else { Err(Broken::Tests(errors)) }
}

/// The outcome of a test whose file cannot be read.
fn unread(error: &TestError) -> Mismatch {
    let diagnostic = error.diagnostic();
    let label = diagnostic.primary.as_ref().map(|label| label.text.clone());
    Mismatch {
        expected: "a file that can be read".to_owned(),
        got: label.unwrap_or(diagnostic.message),
        differs: String::new(),
    }
}

/// The property of an entry.
fn property<'s, 'e>(
    word: &Word,
    sources: &Sources,
    signatures: &'s [Signature<'e>],
) -> Result<Property<'s, 'e>, TestError> {
    let signature = signatures.iter().find(|signature| signature.entry.name == word.text);
    let Some(signature) = signature else {
        let entries = signatures.iter().map(|signature| signature.entry.name.clone()).collect();
        return Err(TestError::Entry { entry: word.clone(), entries });
    };
    let attributes = attributes::of(sources, word.span.file, &word.text);
    Property::new(signature, &attributes, signatures)
        .map_err(|problem| TestError::Property { span: word.span, problem })
}

/// Tests the properties.
fn properties(
    options: &TestChild,
    compiled: &Compiled,
    properties: &[(usize, Property<'_, '_>)],
    call: &CallEntry<'_>,
) {
    let caller = caller(options, compiled, call);
    for (number, property) in properties {
        judged(*number, || property.test(options.seed, &caller));
    }
}

fn caller<'a>(
    options: &'a TestChild,
    compiled: &'a Compiled,
    call: &'a CallEntry<'a>,
) -> Caller<'a> {
    let folder = options.file.parent().unwrap_or(Path::new(""));
    Caller { compiled, call, folder }
}

impl PreparedCall<'_, '_, '_> {
    /// The arguments. A script is run for them.
    fn inputs(&self, caller: &Caller<'_>) -> Result<Cow<'_, [Value]>, Mismatch> {
        let values = self.ready.inputs.values(&self.signature.entry.name, caller);
        values.map_err(|got| Mismatch {
            expected: "a script that gives the arguments".to_owned(),
            got,
            differs: String::new(),
        })
    }
}

fn interpreted(
    options: &TestChild,
    reporter: &Reporter,
    tests: &[(usize, &Test)],
) -> Result<(), Broken> {
    // The interpreter needs no clusters, so the program is compiled with the fastest strategy, for the types of its
    // entries.
    let (sources, compiled) = compiled(options, reporter, Strategy::None)?;
    let signatures = signatures(&compiled);
    let prepared = prepare(options, tests, &sources, &signatures)?;
    let call = |entry: &str, inputs: &[Value], _: &[ValueType]| {
        interpret::call(&compiled, &sources, entry, inputs)
    };
    let caller = caller(options, &compiled, &call);
    for test in prepared.calls {
        judged(test.number, || {
            let inputs = test.inputs(&caller)?;
            let found = call(&test.signature.entry.name, &inputs, &[]);
            judge(options, &test, test.ready.outputs.as_deref(), found)
        });
    }
    properties(options, &compiled, &prepared.properties, &call);
    Ok(())
}

fn native(
    options: &TestChild,
    reporter: &Reporter,
    tests: &[(usize, &Test)],
) -> Result<(), Broken> {
    let method = options.options.method();
    let (sources, compiled) = compiled(options, reporter, method.strategy)?;
    let signatures = signatures(&compiled);
    let prepared = prepare(options, tests, &sources, &signatures)?;
    let backend = arrc_llvm::Options {
        opt_level: level(options.level.level),
        cpu: Cpu::from_argument(&options.target_cpu),
        vectors: options.level.vectors.into(),
        triple: options.target.clone(),
        sanitizer: options.sanitize.map(Into::into),
        ..arrc_llvm::Options::default()
    };
    let folder = options.file.parent().unwrap_or(Path::new(""));
    let links = tests.first().map_or(&[][..], |(_, test)| &test.links);
    let files: Vec<_> = links.iter().map(|file| folder.join(&file.text)).collect();
    let target = Target::named(options.target.as_deref()).map_err(Failure::from)?;
    let linked = Linked {
        target,
        source: &options.file,
        files: &files,
        sanitizer: options.sanitize,
        unique: None,
    };
    if let Some(program) = &options.host {
        let object = artifact::compile(&compiled, &sources, &backend)?.object();
        let folder = link::temporary().map_err(Failure::from)?;
        let path = folder.path().join("program.o");
        link::write(&path, &object).map_err(Failure::from)?;
        let more = linked.objects(&compiled.program, folder.path()).map_err(Failure::from)?;
        let host = Host::start(program, &[vec![path], more].concat());
        let host = host.map_err(|error| Failure::from(unstarted(program, &error)))?;
        elsewhere(options, (&compiled, &sources), &prepared, host);
        return Ok(());
    }
    let native = Native::new(&compiled, &sources, &backend, linked)?;
    let mut doubted = Vec::new();
    let sessions: Vec<_> = threads(options).map(|threads| native.session(threads)).collect();
    let (session, others) = sessions.split_first().expect("there is a number of threads");
    let call =
        |entry: &str, inputs: &[Value], outputs: &[ValueType]| session.call(entry, inputs, outputs);
    let caller = caller(options, &compiled, &call);
    for test in &prepared.calls {
        let PreparedCall { signature, ready, .. } = test;
        let name = &signature.entry.name;
        judged(test.number, || {
            let inputs = test.inputs(&caller)?;
            let found = session.call(name, &inputs, &signature.outputs);
            for (session, number) in others.iter().zip(&options.threads[1..]) {
                let other = session.call(name, &inputs, &signature.outputs);
                let number = format!("--threads {number}");
                same_bits(
                    (&found, &format!("--threads {}", options.threads[0])),
                    (&other, &number),
                )?;
            }
            let allocations = session.stats().call_allocations;
            if options.into {
                for session in &sessions {
                    same_in_memory_of_caller(session, (name, &inputs), &found)?;
                }
            }
            if found.is_ok() && !doubted.contains(name) {
                let call = (test.signature, &*inputs);
                doubt(call, (&compiled, &sources), tolerance(options), reporter, &mut doubted)?;
            }
            if found.is_ok() && method.strategy == Strategy::Ilp {
                allocated(test.call, allocations)?;
            }
            if !asks(options, test.call) {
                return judge(options, test, ready.outputs.as_deref(), found);
            }
            let told = interpret::call(&compiled, &sources, name, &inputs);
            agree(options, test, told, found)
        });
    }
    properties(options, &compiled, &prepared.properties, &call);
    Ok(())
}

/// Tells if the results of a call depend on the size of blocks, once for each entry. If warnings are denied, the test fails.
fn doubt(
    (signature, inputs): (&Signature<'_>, &[Value]),
    (compiled, sources): (&Compiled, &Sources),
    tolerance: Tolerance,
    reporter: &Reporter,
    doubted: &mut Vec<Name>,
) -> Result<(), Mismatch> {
    let entry = signature.entry;
    let differs = compiled
        .doubtful
        .as_ref()
        .and_then(|program| grouped::differs(program, &entry.name, inputs, tolerance));
    let Some(differs) = differs else { return Ok(()) };
    doubted.push(entry.name.clone());
    let span = compiled.program.functions[entry.function].span;
    let warning = reporter.all(sources, &[differs.diagnostic(&entry.name, span, list)]);
    if reporter.denies_warnings() {
        let expected = "results that do not depend on how elements are grouped".to_owned();
        return Err(Mismatch { expected, got: warning, differs: String::new() });
    }
    tell(&Event::Warned(warning));
    Ok(())
}

/// Runs the tests in the process that makes calls.
fn elsewhere(
    options: &TestChild,
    (compiled, sources): (&Compiled, &Sources),
    tests: &Prepared<'_, '_, '_>,
    host: Host,
) {
    let host = RefCell::new(host);
    let call = |entry: &str, inputs: &[Value], outputs: &[ValueType]| {
        host.borrow_mut().call(entry, inputs, outputs)
    };
    let caller = caller(options, compiled, &call);
    for test in &tests.calls {
        let PreparedCall { signature, ready, .. } = test;
        let name = &signature.entry.name;
        judged(test.number, || {
            let inputs = test.inputs(&caller)?;
            let found = call(name, &inputs, &signature.outputs);
            if !asks(options, test.call) {
                return judge(options, test, ready.outputs.as_deref(), found);
            }
            let told = interpret::call(compiled, sources, name, &inputs);
            agree(options, test, told, found)
        });
    }
    properties(options, compiled, &tests.properties, &call);
}

/// The error that the process which makes calls cannot be started.
fn unstarted(program: &Path, error: &io::Error) -> DriverError {
    DriverError::Unreadable { path: program.to_path_buf(), reason: text::reason(error) }
}

/// The threads of each session. If there are several sessions, every pass that may run on several threads does.
fn threads(options: &TestChild) -> impl Iterator<Item = Threads> {
    let grain = u64::from(options.threads.len() > 1);
    options.threads.iter().map(move |&most| Threads { most, grain })
}

/// A result, and how it was made.
type Found<'a> = (&'a Result<Vec<Value>, RunError>, &'a str);

/// Checks that a call gives the same bits if the caller gives the memory for results.
fn same_in_memory_of_caller(
    session: &Session<'_>,
    (name, inputs): (&str, &[Value]),
    found: &Result<Vec<Value>, RunError>,
) -> Result<(), Mismatch> {
    let Ok(values) = found else { return Ok(()) };
    if !values.iter().any(|value| matches!(value, Value::Array(_))) {
        return Ok(());
    }
    for (memory, told) in
        [(Memory::Apart, "memory of the caller"), (Memory::OfInputs, "memory of its arguments")]
    {
        let other = session.call_into(name, inputs, (values, memory));
        same_bits((found, "memory of its own"), (&other, told))?;
    }
    Ok(())
}

/// Checks that a call gave the same bits, or failed in the same way, twice.
fn same_bits((one, first): Found<'_>, (other, second): Found<'_>) -> Result<(), Mismatch> {
    // The text of a number has all its digits, so different numbers have different texts.
    let exact = |found: &Result<Vec<Value>, RunError>| match found {
        Ok(values) => values.iter().map(text::print).collect(),
        Err(error) => vec![error.message.clone()],
    };
    if exact(one) == exact(other) {
        return Ok(());
    }
    let told = |found: &Result<Vec<Value>, RunError>, how: &str| match found {
        Ok(values) => format!("{} with {how}", list(values)),
        Err(error) => format!("the error `{}` with {how}", error.message),
    };
    let differs = match (one, other) {
        (Ok(values), Ok(others)) => {
            compare::difference(values, others, Tolerance::OfEach(0.0)).unwrap_or_default()
        }
        (Ok(_), Err(_)) | (Err(_), Ok(_)) | (Err(_), Err(_)) => String::new(),
    };
    Err(Mismatch { expected: told(one, first), got: told(other, second), differs })
}

fn signatures(compiled: &Compiled) -> Vec<Signature<'_>> {
    let entries = compiled.program.entries.iter();
    entries.map(|entry| Signature::new(&compiled.program, entry)).collect()
}

/// Compares the number of arrays that a call allocated with the number in its test.
fn allocated(call: &Call, allocations: u64) -> Result<(), Mismatch> {
    match call.allocates {
        Some(wanted) if wanted != allocations => {
            let [expected, got] = [wanted, allocations].map(|count| format!("allocates {count}"));
            Err(Mismatch { expected, got, differs: String::new() })
        }
        Some(_) | None => Ok(()),
    }
}

/// Whether the interpreter runs the call to give the expected results.
fn asks(options: &TestChild, call: &Call) -> bool {
    match call.expected {
        Expected::Auto => true,
        Expected::Success => options.oracle && !call.compiled_only,
        Expected::Output(_) | Expected::Error(_) => false,
    }
}

/// Compares compiled code with the interpreter.
fn agree(
    options: &TestChild,
    test: &PreparedCall<'_, '_, '_>,
    told: Result<Vec<Value>, RunError>,
    found: Result<Vec<Value>, RunError>,
) -> Result<(), Mismatch> {
    match (told, found) {
        (Ok(outputs), found) => judge(options, test, Some(&outputs), found),
        (Err(_), Err(error)) => judge(options, test, None, Err(error)),
        (Err(error), Ok(values)) => Err(Mismatch {
            expected: format!("the interpreter's error `{}`", error.message),
            got: list(&values),
            differs: String::new(),
        }),
    }
}

/// Compares the results of a call with the expected ones.
fn judge(
    options: &TestChild,
    test: &PreparedCall<'_, '_, '_>,
    outputs: Option<&[Value]>,
    found: Result<Vec<Value>, RunError>,
) -> Result<(), Mismatch> {
    let found = found.map_err(|error| error.message);
    let plain = |expected: String, got: String| Mismatch { expected, got, differs: String::new() };
    if let Expected::Error(pattern) = &test.call.expected {
        let expected = format!("an error that matches `{}`", pattern.text);
        return match found {
            Ok(values) => Err(plain(expected, list(&values))),
            Err(message) if matches(&pattern.text, &message) => Ok(()),
            Err(message)
                if is_futhark(options)
                    && wording::run_time(&message)
                        .is_some_and(|theirs| matches(&pattern.text, &theirs)) =>
            {
                Ok(())
            }
            Err(message) => Err(plain(expected, format!("the error `{message}`"))),
        };
    }
    match (outputs, found) {
        (None, Ok(_)) => Ok(()),
        (None, Err(message)) => {
            Err(plain("a call without an error".to_string(), format!("the error `{message}`")))
        }
        (Some(outputs), Err(message)) => {
            Err(plain(list(outputs), format!("the error `{message}`")))
        }
        (Some(outputs), Ok(values)) => {
            match compare::difference(outputs, &values, tolerance(options)) {
                None => Ok(()),
                Some(differs) => {
                    Err(Mismatch { expected: list(outputs), got: list(&values), differs })
                }
            }
        }
    }
}

/// Values in braces, as in a test block.
pub(super) fn list(values: &[Value]) -> String {
    const LONGEST: usize = 200;
    let words: Vec<String> = values.iter().map(text::print).collect();
    let text = words.join(" ");
    if text.chars().count() <= LONGEST {
        return format!("{{ {text} }}");
    }
    let beginning: String = text.chars().take(LONGEST).collect();
    format!("{{ {beginning}…")
}

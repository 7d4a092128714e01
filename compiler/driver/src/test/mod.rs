//! `arrc test`: runs the test blocks of programs.
//!
//! Invariant: all tests run, whatever other programs under test do. Each file is compiled once for each way, in a
//! process of its own.
//!
//! ```text
//! files ──block──▶ tests ──run──▶ children ──ready──▶ calls ──compare──▶ outcomes ──report──▶ text
//! ```

pub(crate) mod block;
mod calls;
mod child;
mod children;
mod compare;
mod dialect;
mod elsewhere;
mod files;
mod grouped;
mod jobs;
mod property;
mod protocol;
mod random;
mod ready;
mod script;
mod structure;
mod summary;
mod without_running;
mod wording;

pub(crate) use calls::{Measured, calls, links};
pub(crate) use child::child;
pub(crate) use compare::{TOLERANCE, Tolerance, difference};
pub(crate) use files::programs;
pub(crate) use random::value as made_up;
pub(crate) use script::Call as CallEntry;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use arrc_syntax::source::Sources;

use crate::cli::Test as Options;
use crate::error::{DriverError, Failure};
use crate::report::Reporter;
use crate::source;
use block::{Kind, Test, TestError};
use summary::Printer;

/// A file that was asked for, with its tests.
pub(crate) struct Suite {
    path: PathBuf,
    sources: Sources,
    tests: Vec<Test>,
    /// The indices of the tests that are run.
    chosen: Vec<usize>,
}

/// The tags of tests that are never run. In Futhark, a test is not run by the compiler that the last one names.
const DISABLED: [&str; 3] = ["disable", "notest", "no_arrc"];

/// Runs the tests of files and folders.
pub(crate) fn test(options: &Options, reporter: &Reporter) -> Result<(), Failure> {
    let mut failed = false;
    let mut suites = Vec::new();
    for path in files::programs(&options.paths)? {
        match suite(path) {
            Ok(suite) => suites.push(suite),
            Err(failure) => {
                reporter.show(&failure);
                failed = true;
            }
        }
    }
    let skipped = choose(options, &mut suites);
    if !failed && skipped == 0 && suites.iter().all(|suite| suite.chosen.is_empty()) {
        return Err(nothing(options, &suites).into());
    }
    if options.list {
        list(&suites);
    } else {
        let jobs = jobs::jobs(options, reporter, &suites)?;
        let workers = options.jobs.or_else(|| thread::available_parallelism().ok());
        let timeout = Duration::from_secs_f64(options.timeout);
        let mut printer = Printer::new(&suites, &jobs, reporter);
        children::run(&jobs, workers.map_or(1, NonZeroUsize::get), timeout, |report| {
            printer.report(report);
        });
        failed |= printer.summary(skipped).failed > 0;
    }
    if failed { Err(Failure::Shown) } else { Ok(()) }
}

fn suite(path: PathBuf) -> Result<Suite, Failure> {
    let (sources, tests) = source::read(&path, |sources, file| {
        block::tests(sources, file)
            .map_err(|errors| errors.iter().map(TestError::diagnostic).collect())
    })?;
    Ok(Suite { path, sources, tests, chosen: Vec::new() })
}

impl Suite {
    /// The place and the subject of a test, printable.
    fn headline(&self, test: &Test) -> String {
        let line = self.sources.line_col(test.span).line;
        let text = format!("{}:{line}: {}", self.path.display(), test.subject());
        arr_printable::line(&text).into_owned()
    }
}

/// Chooses the tests that the options ask for, and returns the number of skipped tests.
fn choose(options: &Options, suites: &mut [Suite]) -> usize {
    let mut skipped = 0;
    for suite in suites {
        for (number, test) in suite.tests.iter().enumerate() {
            let subject = match &test.kind {
                Kind::Call(call) => Some(&call.entry.text),
                Kind::Structure(structure) => Some(&structure.block.text),
                Kind::Property(entry) => Some(&entry.text),
                Kind::CompileError(_) | Kind::Warning(_) => None,
            };
            let entries = &options.entry;
            if !entries.is_empty() && !subject.is_some_and(|name| entries.contains(name)) {
                continue;
            }
            let excluded =
                |tag: &String| DISABLED.contains(&&**tag) || options.exclude.contains(tag);
            let slow = matches!(&test.kind, Kind::Call(call) if call.compiled_only);
            if test.tags.iter().any(excluded) || (slow && options.interpret) {
                skipped += 1;
            } else {
                suite.chosen.push(number);
            }
        }
    }
    skipped
}

fn nothing(options: &Options, suites: &[Suite]) -> DriverError {
    let mut entries: Vec<String> = Vec::new();
    for test in suites.iter().flat_map(|suite| &suite.tests) {
        if let Kind::Call(call) = &test.kind
            && !entries.contains(&call.entry.text)
        {
            entries.push(call.entry.text.clone());
        }
    }
    DriverError::NoTests { paths: options.paths.clone(), entry: options.entry.clone(), entries }
}

fn list(suites: &[Suite]) {
    let mut text = String::new();
    for suite in suites {
        for &number in &suite.chosen {
            text.push_str(&format!("{}\n", suite.headline(&suite.tests[number])));
        }
    }
    crate::report::output(&text);
}

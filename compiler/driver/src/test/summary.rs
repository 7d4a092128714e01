//! The output of `arrc test`: failures with their places, and a summary. On a terminal it also shows the progress.
//!
//! Invariant: standard output depends on the tests alone, and not on the order in which they end.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use arr_printable as printable;

use super::children::{Job, Outcome, Report};
use super::protocol::Mismatch;
use super::{Suite, block::Kind};
use crate::report::{Reporter, output};

/// The time before progress is shown first.
const PATIENCE: Duration = Duration::from_millis(500);

/// Collects the outcomes of the jobs.
pub(super) struct Printer<'a> {
    suites: &'a [Suite],
    jobs: &'a [Job],
    reporter: &'a Reporter,
    /// By file: the warnings.
    warnings: Vec<Vec<String>>,
    /// By file and then by test: each job in which the test failed.
    failures: Vec<BTreeMap<usize, BTreeMap<usize, Mismatch>>>,
    /// By file and then by job: the reason for which none of its tests could be run.
    broken: Vec<BTreeMap<usize, String>>,
    /// By file: the tests that could not be run.
    lost: Vec<BTreeSet<usize>>,
    /// By file: the number of jobs that are not done.
    left: Vec<usize>,
    /// The number of files that have been printed.
    printed: usize,
    done: usize,
    start: Instant,
}

/// The numbers of tests by outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Totals {
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) skipped: usize,
}

impl<'a> Printer<'a> {
    pub(super) fn new(suites: &'a [Suite], jobs: &'a [Job], reporter: &'a Reporter) -> Self {
        let mut left = vec![0; suites.len()];
        for job in jobs {
            left[job.suite] += 1;
        }
        Self {
            suites,
            jobs,
            reporter,
            warnings: vec![Vec::new(); suites.len()],
            failures: vec![BTreeMap::new(); suites.len()],
            broken: vec![BTreeMap::new(); suites.len()],
            lost: vec![BTreeSet::new(); suites.len()],
            left,
            printed: 0,
            done: 0,
            start: Instant::now(),
        }
    }

    /// Adds the report of a job, and prints the files that are done.
    pub(super) fn report(&mut self, report: Report) {
        let job = &self.jobs[report.job];
        for (test, outcome) in report.outcomes {
            match outcome {
                Outcome::Passed => {}
                Outcome::Failed(mismatch) => {
                    let jobs = self.failures[job.suite].entry(test).or_default();
                    jobs.insert(report.job, mismatch);
                }
                Outcome::Broken(reason) => {
                    self.lost[job.suite].insert(test);
                    self.broken[job.suite].insert(report.job, reason);
                }
            }
        }
        // All ways to compile a file give the same warnings.
        let warnings = &mut self.warnings[job.suite];
        for text in report.warnings {
            if !warnings.contains(&text) {
                warnings.push(text);
            }
        }
        self.left[job.suite] -= 1;
        self.done += 1;
        self.progress();
        while self.printed < self.suites.len() && self.left[self.printed] == 0 {
            self.file(self.printed);
            self.printed += 1;
        }
    }

    /// Prints the last line, and returns the numbers of tests by outcome.
    pub(super) fn summary(&self, skipped: usize) -> Totals {
        self.clear();
        let tests: usize = self.suites.iter().map(|suite| suite.chosen.len()).sum();
        let failed = (0..self.suites.len())
            .map(|suite| {
                let lost = self.lost[suite].iter();
                let only = lost.filter(|test| !self.failures[suite].contains_key(test)).count();
                self.failures[suite].len() + only
            })
            .sum();
        let totals = Totals { passed: tests - failed, failed, skipped };
        output(&format!("{} passed, {failed} failed, {skipped} skipped\n", totals.passed));
        totals
    }

    /// Prints the failures in a file, and its warnings.
    fn file(&self, suite: usize) {
        if !self.warnings[suite].is_empty() {
            self.clear();
            self.warnings[suite].iter().for_each(|text| crate::report::print(text));
        }
        let mut text = String::new();
        let mut reasons: Vec<&String> = Vec::new();
        for (&job, reason) in &self.broken[suite] {
            if reasons.contains(&reason) {
                continue;
            }
            reasons.push(reason);
            let way = &self.jobs[job].way;
            let way = if way.is_empty() { String::new() } else { format!(" under {way}") };
            let path = self.suites[suite].path.display().to_string();
            let path = printable::line(&path);
            text.push_str(&format!("FAILED {path}: its tests cannot be run{way}\n"));
            // In JSON, diagnostics go to the stream on which programs expect them.
            if self.reporter.is_json() {
                crate::report::print(reason);
            } else {
                text.push_str(&indented(reason));
            }
        }
        for (test, ways) in &self.failures[suite] {
            text.push_str(&self.failure(suite, *test, ways));
        }
        if !text.is_empty() {
            self.clear();
            output(&text);
        }
    }

    fn failure(&self, suite: usize, number: usize, ways: &BTreeMap<usize, Mismatch>) -> String {
        let test = &self.suites[suite].tests[number];
        let in_job = |job: &&Job| job.suite == suite && job.tests.contains(&number);
        let all = self.jobs.iter().filter(in_job).count();
        let mut text = format!("FAILED {}\n", self.suites[suite].headline(test));
        if let Kind::Call(call) = &test.kind {
            let input = self.suites[suite].sources.text(call.input.span());
            field(&mut text, "input", &shortened(input));
        }
        // Ways in which a test failed alike are reported together.
        let mut alike: Vec<(Vec<&str>, &Mismatch)> = Vec::new();
        for (&job, mismatch) in ways {
            let way = self.jobs[job].way.as_str();
            match alike.iter_mut().find(|(_, other)| *other == mismatch) {
                Some((names, _)) => names.push(way),
                None => alike.push((vec![way], mismatch)),
            }
        }
        for (names, Mismatch { expected, got, differs }) in alike {
            if names.len() == all && all > 1 {
                field(&mut text, "under", &format!("each of {all} ways"));
            } else if names.iter().any(|name| !name.is_empty()) {
                field(&mut text, "under", &names.join(", "));
            }
            field(&mut text, "expected", expected);
            field(&mut text, "got", got);
            if !differs.is_empty() {
                field(&mut text, "differs", differs.trim_start());
            }
        }
        text
    }

    /// On a terminal, shows the number of jobs that are done.
    fn progress(&self) {
        if io::stderr().is_terminal() && self.start.elapsed() > PATIENCE {
            eprint!("\r\x1b[K{} of {}", self.done, self.jobs.len());
            let _ = io::stderr().flush();
        }
    }

    fn clear(&self) {
        if io::stderr().is_terminal() && self.start.elapsed() > PATIENCE {
            eprint!("\r\x1b[K");
            let _ = io::stderr().flush();
        }
    }
}

/// A line of a failure. The lines of a longer text are indented.
fn field(text: &mut String, name: &str, value: &str) {
    let value = printable::paragraph(value);
    let mut lines = value.lines();
    text.push_str(&format!("  {name:<9} {}\n", lines.next().unwrap_or_default()));
    for line in lines {
        text.push_str(format!("            {line}").trim_end());
        text.push('\n');
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", format!("  {line}").trim_end())).collect()
}

/// An input on one line, as written, without the dashes of its comment.
fn shortened(input: &str) -> String {
    const LONGEST: usize = 200;
    let lines = input.lines().map(|line| line.strip_prefix("--").unwrap_or(line));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    let text = words.join(" ");
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST).chain("…".chars()).collect()
}

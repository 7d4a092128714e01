//! Runs tests in children, several at a time.
//!
//! Invariant: every requested test has an outcome. If a child crashes or hangs, the test that it was running fails,
//! and another child continues with the next test.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::protocol::{Event, Mismatch};

/// A job: tests of one file that run in one way.
pub(super) struct Job {
    /// The index of the file, for the caller.
    pub(super) suite: usize,
    /// The way in words; empty if there is only one.
    pub(super) way: String,
    /// The program of the child.
    pub(super) program: PathBuf,
    /// Its arguments.
    pub(super) arguments: Vec<OsString>,
    /// The numbers of the tests.
    pub(super) tests: Vec<usize>,
    /// The library of the sanitizer whose checks are in the code.
    pub(super) sanitizer: Option<PathBuf>,
}

/// The outcome of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// The test passed.
    Passed,
    /// The test failed.
    Failed(Mismatch),
    /// No test of the job could be run: the reason.
    Broken(String),
}

/// The outcomes of a job's tests.
pub(super) struct Report {
    /// The index of the job.
    pub(super) job: usize,
    /// Each test with its outcome.
    pub(super) outcomes: Vec<(usize, Outcome)>,
    /// The program's warnings, as they are shown.
    pub(super) warnings: Vec<String>,
}

/// Runs every job, `workers` at a time, and passes on each report as soon as it is complete.
pub(super) fn run(jobs: &[Job], workers: usize, timeout: Duration, mut each: impl FnMut(Report)) {
    let next = AtomicUsize::new(0);
    let (send, reports) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..workers.min(jobs.len()) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                loop {
                    let job = next.fetch_add(1, Ordering::Relaxed);
                    let Some(work) = jobs.get(job) else { return };
                    let mut warnings = Vec::new();
                    let outcomes = outcomes(work, timeout, &mut warnings);
                    if send.send(Report { job, outcomes, warnings }).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        reports.iter().for_each(&mut each);
    });
}

/// The outcome of each test of a job.
fn outcomes(job: &Job, timeout: Duration, warnings: &mut Vec<String>) -> Vec<(usize, Outcome)> {
    let mut left = job.tests.clone();
    let mut found = Vec::new();
    while !left.is_empty() {
        let before = left.len();
        let ended = attempt(job, &left, timeout, warnings, |test, outcome| {
            found.push((test, outcome));
        });
        left.retain(|test| found.iter().all(|(other, _)| other != test));
        // A child that ran no test will not run the others either, so no further child is started.
        if left.len() == before {
            let reason = ended.unwrap_or_else(|| "the child ended without a word".to_string());
            found.extend(left.drain(..).map(|test| (test, Outcome::Broken(reason.clone()))));
        }
    }
    found
}

/// Runs a child until it ends, crashes or hangs. Returns the reason if no test can be run.
fn attempt(
    job: &Job,
    tests: &[usize],
    timeout: Duration,
    warnings: &mut Vec<String>,
    mut outcome: impl FnMut(usize, Outcome),
) -> Option<String> {
    let mut child = match start(job, tests) {
        Ok(child) => child,
        Err(error) => return Some(format!("cannot start a process for the tests: {error}\n")),
    };
    let events = events(&mut child);
    let said = said(&mut child);
    let mut running = None;
    let hangs = loop {
        match events.recv_timeout(timeout) {
            Ok(Event::Begin(test)) => running = Some(test),
            Ok(Event::Passed(test)) => {
                running = None;
                outcome(test, Outcome::Passed);
            }
            Ok(Event::Failed(test, mismatch)) => {
                running = None;
                outcome(test, Outcome::Failed(mismatch));
            }
            // A child that continues after a crash sends the same warnings again.
            Ok(Event::Warned(text)) if warnings.contains(&text) => {}
            Ok(Event::Warned(text)) => warnings.push(text),
            Ok(Event::Broken(reason)) => {
                let _ = child.wait();
                return Some(reason);
            }
            Err(RecvTimeoutError::Timeout) => break true,
            Err(RecvTimeoutError::Disconnected) => break false,
        }
    };
    if hangs {
        // The child may just have ended.
        let _ = child.kill();
    }
    let status = child.wait();
    let got = if hangs {
        format!("nothing within {} seconds", timeout.as_secs_f64())
    } else {
        ending(status.as_ref().ok().copied())
    };
    let said = said.join().unwrap_or_default();
    if let Some(test) = running {
        let (expected, differs) = ("a call that ends".to_string(), String::new());
        let got = sanitized(&said).unwrap_or(got);
        outcome(test, Outcome::Failed(Mismatch { expected, got, differs }));
        return None;
    }
    Some(if hangs {
        format!("compiling it took longer than {} seconds\n", timeout.as_secs_f64())
    } else {
        format!("{said}{got}\n")
    })
}

fn start(job: &Job, tests: &[usize]) -> std::io::Result<Child> {
    let mut command = Command::new(&job.program);
    if let Some(library) = &job.sanitizer {
        // What the process allocates besides the calls is not freed at its end.
        command.env("LD_PRELOAD", library).env("ASAN_OPTIONS", "detect_leaks=0");
    }
    let mut child = command
        .args(&job.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let numbers: String = tests.iter().map(|test| format!("{test}\n")).collect();
    let mut input = child.stdin.take().expect("standard input was asked for");
    // A child that ended at once reads nothing. The way in which it ended is found out later.
    let _ = input.write_all(numbers.as_bytes());
    Ok(child)
}

/// The events of a child, line by line.
fn events(child: &mut Child) -> Receiver<Event> {
    let output = child.stdout.take().expect("standard output was asked for");
    let (send, events) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            let event = Event::parse(&String::from_utf8_lossy(&line));
            if event.is_some_and(|event| send.send(event).is_err()) {
                return;
            }
        }
    });
    events
}

/// The output of a child on standard error. There is some only if the child has a bug.
fn said(child: &mut Child) -> thread::JoinHandle<String> {
    let mut output = child.stderr.take().expect("standard error was asked for");
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = output.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// What AddressSanitizer found, with the function that it is in.
fn sanitized(said: &str) -> Option<String> {
    let found = said.lines().find_map(|line| line.split_once("AddressSanitizer: "))?.1;
    let frame = said.lines().find(|line| line.trim_start().starts_with("#0 "));
    let place = frame.and_then(|line| line.split_once(" in ")?.1.split(" (").next());
    let place = place.map(|place| format!(", in {place}")).unwrap_or_default();
    let kind = found.split_whitespace().next().unwrap_or(found);
    Some(format!("a report of AddressSanitizer: {kind}{place}"))
}

/// A text on how a process ended before it was done.
fn ending(status: Option<ExitStatus>) -> String {
    let Some(status) = status else { return "a crash".to_string() };
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("a crash with signal {signal}{}", signal_name(signal)),
        (None, Some(code)) => format!("an end of the process with exit status {code}"),
        (None, None) => "a crash".to_string(),
    }
}

/// The names of signals of crashes, with their usual causes.
fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (SIGILL: an instruction that the processor does not have)",
        6 => " (SIGABRT: the process gave up)",
        7 => " (SIGBUS: memory that is not there)",
        8 => " (SIGFPE: an arithmetic trap)",
        9 => " (SIGKILL: someone killed it, perhaps for its memory)",
        11 => " (SIGSEGV: memory that is not its own)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A child that is a shell. It reads the numbers of its tests, and then runs the script.
    fn shell(script: &str) -> Job {
        Job {
            suite: 0,
            way: String::new(),
            program: "/bin/sh".into(),
            arguments: vec!["-c".into(), format!("read first; cat >/dev/null; {script}").into()],
            tests: vec![4, 5],
            sanitizer: None,
        }
    }

    fn got(outcome: &Outcome) -> &str {
        match outcome {
            Outcome::Passed => "passed",
            Outcome::Failed(mismatch) => &mismatch.got,
            Outcome::Broken(reason) => reason,
        }
    }

    fn run_one(script: &str, timeout: Duration) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        run(&[shell(script)], 3, timeout, |report| {
            found = report
                .outcomes
                .iter()
                .map(|(test, outcome)| (*test, got(outcome).to_string()))
                .collect();
        });
        found
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_crash_costs_one_test() {
        let script = "printf 'arrc-test\\tbegin\\t%s\\n' $first; \
                      [ $first = 5 ] && printf 'noise\\narrc-test\\tpassed\\t5\\n' || kill -SEGV $$";
        let crash = "a crash with signal 11 (SIGSEGV: memory that is not its own)".to_string();
        assert_eq!(run_one(script, LONG), [(4, crash), (5, "passed".to_string())]);
    }

    #[test]
    fn a_child_that_hangs_is_ended() {
        let script = "printf 'arrc-test\\tbegin\\t%s\\n' $first; exec sleep 100";
        let nothing = "nothing within 0.2 seconds".to_string();
        let found = run_one(script, Duration::from_millis(200));
        assert_eq!(found, [(4, nothing.clone()), (5, nothing)]);
    }

    #[test]
    fn a_child_that_runs_nothing_says_why() {
        let reason = "a bug\nan end of the process with exit status 101\n".to_string();
        let found = run_one("echo a bug >&2; exit 101", LONG);
        assert_eq!(found, [(4, reason.clone()), (5, reason)]);
        let found = run_one("printf 'arrc-test\\tbroken\\terror\\\\nhere\\n'", LONG);
        assert_eq!(found[0].1, "error\nhere");
    }

    #[test]
    fn warnings_are_told_once() {
        let warned = "printf 'arrc-test\\twarned\\tsome\\\\nthing\\n'";
        let script =
            format!("{warned}; {warned}; printf 'arrc-test\\tbegin\\t%s\\n' $first; exit 1");
        let mut found = Vec::new();
        run(&[shell(&script)], 1, LONG, |report| found = report.warnings);
        assert_eq!(found, ["some\nthing"]);
    }
}

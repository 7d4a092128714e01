//! The jobs of a run: which processes run which tests.
//!
//! Invariant: the tests of a file that call nothing run once. Its calls run once for each way.

use std::ffi::OsString;

use arrc_fusion::clusters::Strategy;

use super::Suite;
use super::block::Kind;
use super::children::Job;
use crate::cli::{Fusion, Test as Options, Vectors};
use crate::error::DriverError;
use crate::link;
use crate::report::Reporter;

/// The way in which tests are run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runner {
    /// Tests that call nothing.
    Static,
    /// Calls, interpreted.
    Interpreter,
    /// Calls, compiled.
    Native { fusion: Fusion, level: u8 },
}

/// All jobs, in the order of the files.
///
/// # Errors
/// If the tests are to run with a sanitizer whose library is missing.
pub(super) fn jobs(
    options: &Options,
    reporter: &Reporter,
    suites: &[Suite],
) -> Result<Vec<Job>, DriverError> {
    let program = std::env::current_exe().expect("a running program has a path");
    let sanitizer = options.sanitize.as_ref().map(|_| link::address_sanitizer()).transpose()?;
    let mut jobs = Vec::new();
    for (number, suite) in suites.iter().enumerate() {
        for runner in runners(options) {
            let tests = runner.tests(suite);
            if !tests.is_empty() {
                let way = if options.strategies { runner.name() } else { String::new() };
                let mut arguments = arguments(options, reporter);
                arguments.extend(runner.arguments());
                let arguments = arguments.into_iter().map(OsString::from);
                let file = ["--".into(), suite.path.clone().into_os_string()];
                let arguments = arguments.chain(file).collect();
                jobs.push(Job {
                    suite: number,
                    way,
                    program: program.clone(),
                    arguments,
                    tests,
                    sanitizer: sanitizer.clone(),
                });
            }
        }
    }
    Ok(jobs)
}

fn runners(options: &Options) -> Vec<Runner> {
    let mut runners = vec![Runner::Static];
    if options.strategies {
        runners.push(Runner::Interpreter);
        for strategy in Strategy::ALL {
            runners.extend([0, 3].map(|level| Runner::Native { fusion: strategy.into(), level }));
        }
    } else if options.interpret {
        runners.push(Runner::Interpreter);
    } else {
        let (fusion, level) = (options.options.fusion, options.level.level);
        runners.push(Runner::Native { fusion, level });
    }
    runners
}

impl Runner {
    /// The tests of a file that run in this way.
    fn tests(self, suite: &Suite) -> Vec<usize> {
        let is_run = |&test: &usize| match &suite.tests[test].kind {
            Kind::Call(call) => match self {
                Self::Static => false,
                Self::Interpreter => !call.compiled_only,
                Self::Native { .. } => true,
            },
            Kind::Property(_) => self != Self::Static,
            Kind::CompileError(_) | Kind::Warning(_) | Kind::Structure(_) => self == Self::Static,
        };
        suite.chosen.iter().copied().filter(is_run).collect()
    }

    fn name(self) -> String {
        match self {
            Self::Static => String::new(),
            Self::Interpreter => "the interpreter".to_string(),
            Self::Native { fusion, level } => {
                format!("{} -O{level}", Strategy::from(fusion).name())
            }
        }
    }

    fn arguments(self) -> Vec<String> {
        match self {
            Self::Static => vec!["--way=static".to_string()],
            Self::Interpreter => vec!["--way=interpreter".to_string()],
            Self::Native { fusion, level } => vec![
                "--way=native".to_string(),
                format!("--fusion={}", Strategy::from(fusion).name()),
                format!("-O{level}"),
            ],
        }
    }
}

/// The arguments that all children get.
fn arguments(options: &Options, reporter: &Reporter) -> Vec<String> {
    let method = options.options.method();
    let mut arguments = vec![
        "test-child".to_string(),
        format!("--seed={}", options.seed),
        format!("--target-cpu={}", options.target_cpu),
        format!(
            "--vectors={}",
            if options.level.vectors == Vectors::Auto { "auto" } else { "none" }
        ),
        format!("--cost={}", method.cost.name()),
        format!("--solver={}", method.solver.name()),
    ];
    let threads: Vec<_> = options.threads.iter().map(ToString::to_string).collect();
    arguments.push(format!("--threads={}", threads.join(",")));
    arguments.extend(options.tolerance.map(|tolerance| format!("--tolerance={tolerance}")));
    arguments.extend(options.target.as_ref().map(|target| format!("--target={target}")));
    arguments.extend(options.sanitize.as_ref().map(|name| format!("--sanitize={name}")));
    arguments.extend(options.host.as_ref().map(|host| format!("--host={}", host.display())));
    arguments.extend(reporter.arguments());
    arguments.extend(options.into.then(|| "--into".to_owned()));
    if options.strategies {
        arguments.push("--oracle".to_string());
    }
    arguments
}

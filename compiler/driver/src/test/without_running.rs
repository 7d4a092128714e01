//! The tests that call nothing: of errors in programs, of warnings, and of the structure of compiled programs.

use arrc_fusion::clusters::Strategy;
use arrc_pipeline::Compiled;

use super::block::{Kind, Structure, Test, TestError};
use super::child::{Broken, compile, compiled, is_futhark, judged, matches};
use super::protocol::Mismatch;
use super::{structure, wording};
use crate::cli::TestChild;
use crate::error::Failure;
use crate::report::Reporter;

/// Runs the tests that call nothing.
pub(super) fn without_running(
    options: &TestChild,
    reporter: &Reporter,
    tests: &[(usize, &Test)],
) -> Result<(), Broken> {
    let mut plans: Vec<(Strategy, Compiled)> = Vec::new();
    let mut errors = Vec::new();
    for (number, test) in tests {
        match &test.kind {
            Kind::Call(_) | Kind::Property(_) => {}
            Kind::Warning(pattern) => {
                judged(*number, || warning(options, &pattern.text));
            }
            Kind::CompileError(pattern) => {
                judged(*number, || compile_error(options, &pattern.text));
            }
            Kind::Structure(structure) => {
                if !plans.iter().any(|(strategy, _)| *strategy == structure.strategy) {
                    let (_, compiled) = compiled(options, reporter, structure.strategy)?;
                    plans.push((structure.strategy, compiled));
                }
                let plan = plans.iter().find(|(strategy, _)| *strategy == structure.strategy);
                let (_, compiled) = plan.expect("just compiled");
                if let Err(error) = counted(*number, structure, compiled) {
                    errors.push(error);
                }
            }
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(Broken::Tests(errors)) }
}

/// Checks that the program is rejected, with diagnostics that match.
fn compile_error(options: &TestChild, pattern: &str) -> Result<(), Mismatch> {
    let got = match compile(options, Strategy::default()) {
        Ok(_) => "a program that compiles".to_string(),
        Err(failure) => {
            let text = Reporter::plain().text(&failure);
            let theirs = match &failure {
                Failure::Diagnostics { diagnostics, .. } if is_futhark(options) => {
                    wording::compile_time(diagnostics)
                }
                Failure::Diagnostics { .. } | Failure::Driver(_) | Failure::Shown => String::new(),
            };
            if matches(pattern, &text) || matches(pattern, &theirs) {
                return Ok(());
            }
            text.trim_end().to_string()
        }
    };
    let expected = format!("a compile error that matches `{pattern}`");
    Err(Mismatch { expected, got, differs: String::new() })
}

/// Checks that the program compiles, with warnings that match.
fn warning(options: &TestChild, pattern: &str) -> Result<(), Mismatch> {
    let reporter = Reporter::plain();
    let got = match compile(options, Strategy::default()) {
        Ok((sources, compiled)) => {
            let text = reporter.all(&sources, &compiled.warnings);
            if matches(pattern, &text) {
                return Ok(());
            }
            if text.is_empty() { "no warnings".to_owned() } else { text.trim_end().to_owned() }
        }
        Err(failure) => reporter.text(&failure).trim_end().to_owned(),
    };
    let expected = format!("a warning that matches `{pattern}`");
    Err(Mismatch { expected, got, differs: String::new() })
}

fn counted(number: usize, structure: &Structure, compiled: &Compiled) -> Result<(), TestError> {
    let Structure { block, counts, .. } = structure;
    let plan = compiled.plans.iter().find(|plan| plan.block.graph.name == block.text);
    let Some(plan) = plan else {
        let blocks =
            compiled.plans.iter().map(|plan| plan.block.graph.name.as_str().into()).collect();
        return Err(TestError::Block { block: block.clone(), blocks });
    };
    judged(number, || {
        let list = |number: &dyn Fn(usize) -> String| {
            let words: Vec<String> = counts
                .iter()
                .enumerate()
                .map(|(at, (count, _))| format!("{} {}", count.name(), number(at)))
                .collect();
            format!("{{ {} }}", words.join(" "))
        };
        let [expected, got] = [
            list(&|at| counts[at].1.clone()),
            list(&|at| structure::count(plan, &compiled.program, counts[at].0)),
        ];
        if expected == got {
            return Ok(());
        }
        Err(Mismatch { expected, got, differs: String::new() })
    });
    Ok(())
}

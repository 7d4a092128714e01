//! `arrc check`: runs all steps up to the clusters, for the diagnostics.
//!
//! Invariant: the result is a failure if there is an error, or with `--strict` if a law of an operator does not hold.
//!
//! ```text
//! arrc check --strict sums.arr   ⇒   warning[A0707], exit status 1
//! ```

use std::path::PathBuf;

use arrc_fusion::laws::Domain;
use arrc_pipeline as pipeline;
use arrc_syntax::diagnostics::{Code, Diagnostic, Severity};

use crate::cli::FusionOptions;
use crate::error::Failure;
use crate::report::Reporter;
use crate::source;

/// Checks each file, even if files before it have errors.
pub(crate) fn check(
    files: &[PathBuf],
    is_strict: bool,
    options: FusionOptions,
    reporter: &Reporter,
) -> Result<(), Failure> {
    let checked = files.iter().map(|path| {
        let options = pipeline::Options {
            method: options.method(),
            laws: if is_strict { Domain::All } else { Domain::Met },
            ..pipeline::Options::default()
        };
        match source::compile(path, &options) {
            Ok((sources, compiled)) => (sources, compiled.all_warnings()),
            Err(failure) => failure.diagnostics(),
        }
    });
    let found = reporter.show_each(checked);
    let fails = |one: &Diagnostic| {
        one.severity == Severity::Error
            || reporter.denies_warnings()
            || is_strict && is_broken_law(one)
    };
    if found.iter().any(fails) { Err(Failure::Shown) } else { Ok(()) }
}

/// Whether it says that an operator breaks a law.
fn is_broken_law(warning: &Diagnostic) -> bool {
    [Code::NOT_ASSOCIATIVE, Code::NOT_NEUTRAL].contains(&warning.code)
}

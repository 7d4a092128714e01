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
use arrc_syntax::diagnostics::{Code, Diagnostic};

use crate::cli::FusionOptions;
use crate::error::Failure;
use crate::report::Reporter;
use crate::source;

/// Checks each file, even if files before it have errors.
pub(crate) fn check(
    files: &[PathBuf],
    is_strict: bool,
    options: FusionOptions,
    reporter: &mut Reporter,
) -> Result<(), Failure> {
    let mut failed = false;
    for path in files {
        let options = pipeline::Options {
            method: options.method(),
            laws: if is_strict { Domain::All } else { Domain::Met },
            ..pipeline::Options::default()
        };
        let checked = source::compile(path, &options).and_then(|(sources, compiled)| {
            let warnings = compiled.all_warnings();
            reporter.warn(&sources, &warnings)?;
            Ok(is_strict && warnings.iter().any(is_broken_law))
        });
        match checked {
            Ok(breaks_law) => failed |= breaks_law,
            Err(failure) => {
                reporter.show(&failure);
                failed = true;
            }
        }
    }
    if failed { Err(Failure::Shown) } else { Ok(()) }
}

/// Whether it says that an operator breaks a law.
fn is_broken_law(warning: &Diagnostic) -> bool {
    [Code::NOT_ASSOCIATIVE, Code::NOT_NEUTRAL].contains(&warning.code)
}

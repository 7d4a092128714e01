//! `arrc check`: runs all steps up to the clusters, for the diagnostics.

use std::path::PathBuf;

use arrc_core::pipeline;

use crate::cli::FusionOptions;
use crate::error::Failure;
use crate::report::Reporter;
use crate::source;

/// Checks each file, even if files before it have errors.
pub(crate) fn check(
    files: &[PathBuf],
    options: FusionOptions,
    reporter: &mut Reporter,
) -> Result<(), Failure> {
    let mut failed = false;
    for path in files {
        let options =
            pipeline::Options { method: options.method(), ..pipeline::Options::default() };
        let checked = source::compile(path, &options)
            .and_then(|(sources, compiled)| reporter.warn(&sources, &compiled.all_warnings()));
        if let Err(failure) = checked {
            reporter.show(&failure);
            failed = true;
        }
    }
    if failed { Err(Failure::Shown) } else { Ok(()) }
}

//! What the user sees of success and failure.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use arrc_core::diagnostics::{self, Diagnostic, RenderOptions, Severity};
use arrc_core::source::Sources;

use crate::cli::Color;
use crate::error::Failure;

/// Exit status of diagnostics and of run-time errors.
const FAILED: u8 = 1;
/// Exit status of a wrong command line.
const USAGE: u8 = 2;

/// Renders diagnostics to standard error.
pub(crate) struct Reporter {
    options: RenderOptions,
}

impl Reporter {
    /// A reporter that colours as asked.
    pub(crate) fn new(color: Color) -> Self {
        let color = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                io::stderr().is_terminal()
                    && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        };
        Self { options: RenderOptions { color } }
    }

    /// Shows warnings.
    pub(crate) fn warn(&self, sources: &Sources, warnings: &[Diagnostic]) {
        self.render_all(sources, warnings);
    }

    /// Shows a failure.
    pub(crate) fn show(&self, failure: &Failure) {
        match failure {
            Failure::Diagnostics { sources, diagnostics } => {
                self.render_all(sources, diagnostics);
                summary(diagnostics);
            }
            Failure::Driver(error) => {
                self.render_all(&Sources::default(), &[error.diagnostic()]);
            }
            Failure::Shown => {}
        }
    }

    /// Shows a failure and says with which status to end.
    pub(crate) fn fail(&self, failure: Failure) -> ExitCode {
        self.show(&failure);
        match failure {
            Failure::Driver(error) if error.is_usage() => ExitCode::from(USAGE),
            Failure::Driver(_) | Failure::Diagnostics { .. } | Failure::Shown => {
                ExitCode::from(FAILED)
            }
        }
    }

    fn render_all(&self, sources: &Sources, diagnostics: &[Diagnostic]) {
        let mut stderr = io::stderr().lock();
        for diagnostic in diagnostics {
            let text = diagnostics::render(diagnostic, sources, self.options);
            // A closed standard error is no reason to fail.
            let _ = writeln!(stderr, "{}", text.trim_end());
        }
    }
}

/// How many errors there were, and where to read more.
fn summary(diagnostics: &[Diagnostic]) {
    let errors: Vec<_> =
        diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
    if let Some(first) = errors.first() {
        let plural = if errors.len() == 1 { "" } else { "s" };
        eprintln!("{} error{plural}; `arrc explain {}` says more", errors.len(), first.code.0);
    }
}

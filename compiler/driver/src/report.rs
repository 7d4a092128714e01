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

    /// A reporter for texts that are looked at by programs.
    pub(crate) fn plain() -> Self {
        Self { options: RenderOptions { color: false } }
    }

    /// Whether it colours.
    pub(crate) fn colors(&self) -> bool {
        self.options.color
    }

    /// Shows warnings.
    pub(crate) fn warn(&self, sources: &Sources, warnings: &[Diagnostic]) {
        print(&self.render_all(sources, warnings));
    }

    /// Shows a failure.
    pub(crate) fn show(&self, failure: &Failure) {
        print(&self.text(failure));
    }

    /// A failure as it is shown.
    pub(crate) fn text(&self, failure: &Failure) -> String {
        match failure {
            Failure::Diagnostics { sources, diagnostics } => {
                self.render_all(sources, diagnostics) + &summary(diagnostics)
            }
            Failure::Driver(error) => self.render_all(&Sources::default(), &[error.diagnostic()]),
            Failure::Shown => String::new(),
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

    fn render_all(&self, sources: &Sources, diagnostics: &[Diagnostic]) -> String {
        let rendered = diagnostics.iter().map(|diagnostic| {
            let text = diagnostics::render(diagnostic, sources, self.options);
            format!("{}\n", text.trim_end())
        });
        rendered.collect()
    }
}

/// Prints to standard error; one that is closed is no reason to fail.
fn print(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// How many errors there were, and where to read more.
fn summary(diagnostics: &[Diagnostic]) -> String {
    let errors: Vec<_> =
        diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
    errors.first().map_or_else(String::new, |first| {
        let plural = if errors.len() == 1 { "" } else { "s" };
        format!("{} error{plural}; `arrc explain {}` says more\n", errors.len(), first.code.0)
    })
}

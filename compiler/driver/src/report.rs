//! The output of the commands about success and failure.
//!
//! Invariant: text for people has no escape codes except those of colours. Foreign text, such as a path or an
//! argument, is made printable where it becomes part of other text: rendering does so for diagnostics, and
//! `arr_printable` elsewhere.

use std::env;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;

use arrc_syntax::diagnostics;
use arrc_syntax::diagnostics::{Diagnostic, RenderOptions, Severity};
use arrc_syntax::source::Sources;

use crate::cli::{Cli, Color, MessageFormat};
use crate::error::Failure;

/// Exit status of diagnostics and of run-time errors.
const FAILED: u8 = 1;
/// Exit status of a wrong command line.
const USAGE: u8 = 2;

/// The maximum number of diagnostics of a file that people see. Other programs get all.
const MAX_SHOWN: usize = 100;

/// The smallest number of columns that lines are made for.
const NARROWEST: usize = 20;

/// Writes diagnostics to standard error.
pub(crate) struct Reporter {
    options: RenderOptions,
    /// How text on standard output is rendered.
    output: RenderOptions,
    format: MessageFormat,
    deny_warnings: bool,
}

impl Reporter {
    /// A reporter with the options of the command line.
    pub(crate) fn new(cli: &Cli) -> Self {
        let color = |follows: bool| match cli.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => follows,
        };
        let (stderr, stdout) = (io::stderr(), io::stdout());
        Self {
            options: RenderOptions {
                color: color(diagnostics::shows_colors(&stderr)),
                width: columns(stderr),
            },
            output: RenderOptions {
                color: color(diagnostics::shows_colors(&stdout)),
                width: columns(stdout),
            },
            format: cli.message_format,
            deny_warnings: cli.deny_warnings,
        }
    }

    /// A reporter for texts that programs read.
    pub(crate) fn plain() -> Self {
        Self {
            options: RenderOptions::default(),
            output: RenderOptions::default(),
            format: MessageFormat::Human,
            deny_warnings: false,
        }
    }

    /// The options with which another process of the compiler reports in the same way.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let color = if self.options.color { "always" } else { "never" };
        let mut arguments = vec![format!("--color={color}")];
        if self.is_json() {
            arguments.push("--message-format=json".to_string());
        }
        if self.deny_warnings {
            arguments.push("--deny-warnings".to_string());
        }
        arguments
    }

    /// How text on standard output is rendered.
    pub(crate) fn output(&self) -> RenderOptions {
        self.output
    }

    /// Whether it writes for other programs.
    pub(crate) fn is_json(&self) -> bool {
        self.format == MessageFormat::Json
    }

    /// Whether warnings are failures.
    pub(crate) fn denies_warnings(&self) -> bool {
        self.deny_warnings
    }

    /// The diagnostics as they are shown, with their number at the end.
    pub(crate) fn all(&self, sources: &Sources, diagnostics: &[Diagnostic]) -> String {
        self.render_all(sources, diagnostics) + &self.summary(diagnostics)
    }

    /// Shows the diagnostics of each file as they are found, and their number at the end. Returns all of them.
    pub(crate) fn show_each(
        &self,
        files: impl Iterator<Item = (Sources, Vec<Diagnostic>)>,
    ) -> Vec<Diagnostic> {
        let shown = files.inspect(|(sources, found)| print(&self.render_all(sources, found)));
        let all: Vec<Diagnostic> = shown.flat_map(|(_, found)| found).collect();
        print(&self.summary(&all));
        all
    }

    /// Shows warnings. If they are denied, they are a failure.
    pub(crate) fn warn(&self, sources: &Sources, warnings: &[Diagnostic]) -> Result<(), Failure> {
        print(&self.all(sources, warnings));
        if self.deny_warnings && !warnings.is_empty() {
            return Err(Failure::Shown);
        }
        Ok(())
    }

    /// Shows a failure.
    pub(crate) fn show(&self, failure: &Failure) {
        print(&self.text(failure));
    }

    /// A failure as it is shown.
    pub(crate) fn text(&self, failure: &Failure) -> String {
        match failure {
            Failure::Diagnostics { sources, diagnostics } => self.all(sources, diagnostics),
            Failure::Driver(error) => self.render_all(&Sources::default(), &[error.diagnostic()]),
            Failure::Shown => String::new(),
        }
    }

    /// Shows a failure, and returns the exit status.
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
        let most = if self.format == MessageFormat::Human { MAX_SHOWN } else { usize::MAX };
        let rendered = diagnostics.iter().take(most).map(|diagnostic| {
            let text = match self.format {
                MessageFormat::Human => diagnostics::render(diagnostic, sources, self.options),
                MessageFormat::Json => diagnostics::json(diagnostic, sources),
            };
            format!("{}\n", text.trim_end())
        });
        rendered.collect()
    }

    /// The numbers of errors and warnings, and where to read more.
    fn summary(&self, diagnostics: &[Diagnostic]) -> String {
        let counted = [Severity::Error, Severity::Warning].map(|severity| {
            let count = diagnostics.iter().filter(|found| found.severity == severity).count();
            let plural = if count == 1 { "" } else { "s" };
            (count > 0).then(|| format!("{count} {}{plural}", severity.word()))
        });
        let mut counted: Vec<String> = counted.into_iter().flatten().collect();
        if diagnostics.len() > MAX_SHOWN {
            counted.push(format!("the first {MAX_SHOWN} of a file are shown"));
        }
        let worst = diagnostics.iter().find(|found| found.severity == Severity::Error);
        match worst.or(diagnostics.first()) {
            Some(first) if self.format == MessageFormat::Human => {
                format!("{}; `arrc explain {}` says more\n", counted.join(", "), first.code.0)
            }
            Some(_) | None => String::new(),
        }
    }
}

/// The number of columns that `COLUMNS` says, or that a terminal has.
pub(crate) fn columns(stream: impl AsFd) -> Option<usize> {
    let said = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let size = || Some(rustix::termios::tcgetwinsize(stream).ok()?.ws_col.into());
    said.or_else(size).filter(|&columns| columns > 0).map(|columns: usize| columns.max(NARROWEST))
}

/// Prints to standard output. If the reader has closed the pipe, that is no error.
pub(crate) fn output(text: &str) {
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes());
    let _ = stdout.flush();
}

/// Prints to standard error. If it is closed, that is no error.
pub(crate) fn print(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

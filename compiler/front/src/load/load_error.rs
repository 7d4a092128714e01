//! What can be wrong with imports.
//!
//! Invariant: every message has the path of the file, as it was looked for.
//!
//! ```text
//! import "geometri"   ⇒   error[A0208]: there is no file `geometri.arr`; did you mean `geometry`?
//! ```

use arrc_syntax::diagnostics::{Code, Diagnostic, Help};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// Something wrong with an import.
pub(super) enum ImportError {
    /// There is no such file, beside the importing one or in the library.
    Missing {
        /// The path as written.
        name: Name,
        span: Span,
        /// The path that was looked for.
        tried: String,
        near: Vec<Name>,
        /// Whether the folder that was looked in has files.
        is_found: bool,
    },
    /// The file exists, but cannot be read.
    Unreadable { path: String, reason: String, span: Span },
    /// A text that cannot be a path.
    BadPath { name: Name, span: Span, problem: &'static str },
    /// A file that imports itself. `steps` has the files on the way, and where each imports the next.
    Cycle { name: Name, span: Span, last: Name, steps: Vec<(Name, Span)> },
    /// A chain of imports that is too long.
    TooDeep { span: Span },
}

impl From<ImportError> for Diagnostic {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Missing { name, span, tried, near, is_found } => {
                missing(&name, span, &tried, &near, is_found)
            }
            ImportError::Unreadable { path, reason, span } => Self::error(
                Code::IMPORT_NOT_FOUND,
                span,
                format!("`{path}` cannot be read: {reason}"),
            )
            .label("imported here"),
            ImportError::BadPath { name, span, problem } => {
                Self::error(Code::IMPORT_NOT_FOUND, span, format!("`{name}` is no path to import"))
                    .label(problem)
                    .help(
                        "write the file's path without `.arr` or `.fut`: `import \"lib/geometry\"`",
                    )
            }
            ImportError::Cycle { name, span, last, steps } => cycle(&name, span, &last, steps),
            ImportError::TooDeep { span } => {
                Self::error(Code::IMPORT_CYCLE, span, "files import files too deeply")
                    .label("at this import, the compiler stops following")
                    .help("import the files that are needed directly")
            }
        }
    }
}

fn missing(name: &Name, span: Span, tried: &str, near: &[Name], is_found: bool) -> Diagnostic {
    let error =
        Diagnostic::error(Code::IMPORT_NOT_FOUND, span, format!("there is no file `{tried}`"))
            .label("imported here")
            .note(format!("looked for `{tried}`, and for `{name}` in the standard library"));
    match near {
        [] if is_found => {
            error.help("a path is relative to the file that imports it, without `.arr`")
        }
        [] => error.help(
            "there are no files in that folder; a path is relative to the file that imports it",
        ),
        [one] => error.advise(Help::naming("is {} meant?", [one])),
        all => error.advise(Help::naming("there are {}", all)),
    }
}

fn cycle(name: &Name, span: Span, last: &Name, steps: Vec<(Name, Span)>) -> Diagnostic {
    let error = Diagnostic::error(Code::IMPORT_CYCLE, span, format!("`{name}` imports itself"));
    let error = error.label(if steps.is_empty() {
        "imported here, in the file itself".to_owned()
    } else {
        format!("`{last}` imports `{name}` here")
    });
    let mut next: Vec<Name> = steps.iter().skip(1).map(|(file, _)| file.clone()).collect();
    next.push(last.clone());
    let steps = steps.into_iter().zip(next);
    steps
        .fold(error, |error, ((from, span), to)| {
            error.also(span, format!("`{from}` imports `{to}`"))
        })
        .help("move what both files need to a third one, which both import")
}

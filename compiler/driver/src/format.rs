//! `arrc fmt`: formats files in place, or says what would change.
//!
//! Invariant: a file is replaced by a whole new one or stays as it is; one with mistakes stays, and the others are
//! formatted.
//!
//! ```text
//! arrc fmt --check a.arr   ⇒   the lines of a.arr that would change, exit status 1
//! ```

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use arr_printable as printable;
use arr_runtime::text::reason;
use arrc_format as formatter;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::source::Sources;
use similar::TextDiff;

use crate::cli::Format as Options;
use crate::error::{DriverError, Failure};
use crate::report::{self, Reporter};
use crate::{source, test};

/// The path that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// Lines around a change that are shown with it.
const CONTEXT: usize = 2;

/// Formats files, folders and standard input.
pub(crate) fn format(options: &Options, reporter: &Reporter) -> Result<(), Failure> {
    let mut would_change = false;
    let paths = test::programs(&options.paths)?;
    let found = reporter.show_each(paths.iter().map(|path| match file(path, options.check) {
        Ok(is_formatted) => {
            would_change |= !is_formatted;
            Default::default()
        }
        Err(failure) => failure.diagnostics(),
    }));
    if found.is_empty() && !would_change { Ok(()) } else { Err(Failure::Shown) }
}

/// Formats a file, and says whether it is formatted then.
fn file(path: &Path, is_check: bool) -> Result<bool, Failure> {
    let is_input = path.as_os_str() == STANDARD_INPUT;
    let name = if is_input { "standard input".to_owned() } else { path.display().to_string() };
    let text = if is_input { standard_input()? } else { source::text(path)? };
    let formatted = formatted(&name, &text)?;
    if is_check {
        report::output(&difference(&name, &text, &formatted));
        return Ok(text == formatted);
    }
    if is_input {
        report::output(&formatted);
    } else if text != formatted {
        replace(path, &formatted).map_err(|error| DriverError::Unwritable {
            path: path.to_path_buf(),
            reason: reason(&error),
        })?;
    }
    Ok(true)
}

fn formatted(name: &str, text: &str) -> Result<String, Failure> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    formatter::format(text, file)
        .map_err(|diagnostics: Vec<Diagnostic>| Failure::Diagnostics { sources, diagnostics })
}

fn standard_input() -> Result<String, DriverError> {
    let mut bytes = Vec::new();
    let path = PathBuf::from(STANDARD_INPUT);
    if let Err(error) = io::stdin().lock().read_to_end(&mut bytes) {
        return Err(DriverError::Unreadable { path, reason: reason(&error) });
    }
    source::utf8(&path, bytes)
}

/// The lines that change, with lines around them.
fn difference(name: &str, text: &str, formatted: &str) -> String {
    let name = printable::line(name);
    let header = format!("{name}, formatted");
    let lines = TextDiff::from_lines(text, formatted);
    let mut lines = lines.unified_diff();
    lines.context_radius(CONTEXT).header(&name, &header).to_string()
}

/// Replaces the content of a file. Its permissions stay, and a link goes on to lead to it.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let permissions = fs::metadata(&path)?.permissions();
    if permissions.readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let folder = path.parent().expect("a file is in a folder");
    let mut new = tempfile::Builder::new().prefix(".arrc-fmt-").tempfile_in(folder)?;
    new.write_all(text.as_bytes())?;
    new.as_file().set_permissions(permissions)?;
    new.persist(&path).map(drop).map_err(|error| error.error)
}

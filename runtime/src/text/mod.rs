//! Values as text and as files: what `arrc run`, and programs made with `--exe`, read and print.
//!
//! Invariant: what [`print`] writes, [`literal`] reads back as the same value, and what [`write_npy`] writes,
//! [`argument`].

mod bounded;
mod content;
mod error;
mod exact;
mod literal;
mod npy;
mod print;
mod table;

use std::path::Path;

pub use bounded::{read_at_most, read_text};
pub use error::{ArgumentError, reason};
pub use literal::{LiteralError, literal};
pub use npy::write_npy;
pub use print::print;

use crate::host::{Value, ValueType};

/// Reads a command line's argument as a value of a type: a literal, `@file.npy` or
/// `@file.csv:column`.
///
/// # Errors
/// What does not fit, and what to do.
pub fn argument(text: &str, ty: ValueType) -> Result<Value, ArgumentError> {
    match text.strip_prefix('@') {
        Some(file) => of_file(file, ty),
        None => literal(text, ty).map_err(|error| ArgumentError::new(error.problem)),
    }
}

/// Reads the array in a file, or the column that is named behind it.
fn of_file(file: &str, ty: ValueType) -> Result<Value, ArgumentError> {
    let parts = file.rsplit_once(".csv:").map(|(stem, column)| (format!("{stem}.csv"), column));
    let (path, column) = match &parts {
        Some((path, column)) => (path.as_str(), Some(*column)),
        None => (file, None),
    };
    let read = || {
        let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
        match (extension, column) {
            (Some("npy"), _) => npy::read(content::open(Path::new(path))?, ty),
            (Some("csv"), Some(column)) => table::read(content::open(Path::new(path))?, column, ty),
            (Some("csv"), None) => Err(ArgumentError::new("a column is missing").help(format!("`@{path}:NAME` is the column of that name"))),
            (_, _) => Err(ArgumentError::new("its name ends neither in `.npy` nor in `.csv`").help("the end of a file's name says what is in it: an array in NumPy's format, `@file.npy`, or a table, `@file.csv:column`")),
        }
    };
    read().map_err(|error: ArgumentError| error.of(path))
}

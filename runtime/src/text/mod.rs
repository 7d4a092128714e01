//! Values as text and as files: what `arrc run`, and programs made with `--exe`, read and print.
//!
//! Invariant: what [`print`] writes, [`literal`] reads back as the same value.

mod bounded;
mod file;
mod literal;
mod print;

use std::path::Path;

pub use bounded::{read_at_most, read_text};
pub use file::{FileError, reason, write_npy};
pub use literal::{LiteralError, literal};
pub use print::print;

use crate::host::{Value, ValueType};

/// Reads a command line's argument as a value of a type: a literal, `@file.npy` or
/// `@file.csv:column`.
///
/// # Errors
/// A sentence that says what does not fit.
pub fn argument(text: &str, ty: ValueType) -> Result<Value, String> {
    let Some(file) = text.strip_prefix('@') else {
        return literal(text, ty).map_err(|error| error.problem);
    };
    match file.rsplit_once(".csv:") {
        Some((stem, column)) => file::csv(Path::new(&format!("{stem}.csv")), column, ty),
        None if file.ends_with(".csv") => {
            return Err(format!("a column is missing: `@{file}:NAME` is the column of that name"));
        }
        None => file::npy(Path::new(file), ty),
    }
    .map_err(|error| error.to_string())
}

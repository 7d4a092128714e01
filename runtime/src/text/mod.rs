//! Values as text and as files: what `arrc run`, and programs made with `--exe`, read and print.
//!
//! Invariant: what [`print`] writes, [`literal`] reads back as the same value, and what [`write_npy`] writes,
//! [`Reading::argument`].

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
pub use table::{Dictionary, write_dictionaries};

use crate::host::{Value, ValueType};

/// How arguments are read.
#[derive(Clone, Default, Debug)]
pub struct Reading {
    /// What cells of tables without a value are read as; nothing: they are errors.
    pub missing: Option<String>,
    /// The texts of the columns that were read as numbers.
    pub dictionaries: Vec<Dictionary>,
}

impl Reading {
    /// Reads a command line's argument as a value of a type: a literal, `@file.npy` or
    /// `@file.csv:column`.
    ///
    /// # Errors
    /// What does not fit, and what to do.
    pub fn argument(&mut self, text: &str, ty: ValueType) -> Result<Value, ArgumentError> {
        match text.strip_prefix('@') {
            Some(file) => self.file(file, ty),
            None => literal(text, ty).map_err(|error| ArgumentError::new(error.problem)),
        }
    }

    /// Reads the array in a file, or the part of it that is named behind it.
    fn file(&mut self, file: &str, ty: ValueType) -> Result<Value, ArgumentError> {
        let (path, part) = split(file);
        self.part(path, part, ty).map_err(|error| error.of(path))
    }

    fn part(
        &mut self,
        path: &str,
        part: Option<&str>,
        ty: ValueType,
    ) -> Result<Value, ArgumentError> {
        let file = Path::new(path);
        match (file.extension().and_then(|extension| extension.to_str()), part) {
            (Some("npy"), None) => npy::read(content::open(file)?, ty),
            (Some("csv"), Some(column)) => {
                let missing = self.missing.as_deref();
                let (value, dictionary) = table::read(content::open(file)?, column, ty, missing)?;
                self.dictionaries.extend(dictionary);
                Ok(value)
            }
            (Some("csv"), None) => Err(ArgumentError::new("a column is missing")
                .help(format!("`@{path}:NAME` is the column of that name"))),
            (_, _) => Err(ArgumentError::new("its name ends neither in `.npy` nor in `.csv`")
                .help(
                    "the end of a file's name says what is in it: an array in NumPy's format, \
                 `@file.npy`, or a table, `@file.csv:column`",
                )),
        }
    }
}

/// A file's name, and the part of the file that is named behind it.
fn split(file: &str) -> (&str, Option<&str>) {
    let place = file.rfind(".csv:").map(|place| place + ".csv".len());
    place.map_or((file, None), |place| (&file[..place], Some(&file[place + 1..])))
}

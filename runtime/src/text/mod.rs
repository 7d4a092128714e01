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
mod npz;
mod print;
mod table;

use std::io::Read;
use std::path::Path;

use content::{Content, Whole};

pub use bounded::{read_at_most, read_text};
pub use error::{ArgumentError, reason};
pub use literal::{LiteralError, literal};
pub use npy::{NpyParts, write_npy};
pub use npz::write_npz;
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
    /// Standard input, once it was read.
    input: Option<Whole>,
}

impl Reading {
    /// Where cells without a value are read as this.
    #[must_use]
    pub fn new(missing: Option<String>) -> Self {
        Self { missing, ..Self::default() }
    }

    /// Reads a command line's argument as a value of a type: a literal, `@file.npy`, `@file.npz:name`,
    /// `@file.csv:column`, or `@-` for any of these from standard input.
    ///
    /// # Errors
    /// What does not fit, and what to do.
    pub fn argument(&mut self, text: &str, ty: ValueType) -> Result<Value, ArgumentError> {
        match text.strip_prefix('@') {
            Some("-") => self.input(None, ty).map_err(|error| error.of("standard input")),
            Some(file) => match file.strip_prefix("-:") {
                Some(part) => {
                    self.input(Some(part), ty).map_err(|error| error.of("standard input"))
                }
                None => self.file(file, ty),
            },
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
            (Some("npz"), name) => npz::read(&Whole::open(file)?, name, ty),
            (Some("csv"), Some(column)) => self.column(content::open(file)?, column, ty),
            (Some("csv"), None) => Err(ArgumentError::new("a column is missing")
                .help(format!("`@{path}:NAME` is the column of that name"))),
            (_, _) => Err(ArgumentError::new("its name ends in none of `.npy`, `.npz` and `.csv`")
                .help(
                    "the end of a file's name says what is in it: NumPy's arrays, `@file.npy` and \
                     `@file.npz:name`, or a table, `@file.csv:column`",
                )),
        }
    }

    fn column(
        &mut self,
        content: impl Read,
        column: &str,
        ty: ValueType,
    ) -> Result<Value, ArgumentError> {
        let (value, dictionary) = table::read(content, column, ty, self.missing.as_deref())?;
        self.dictionaries.extend(dictionary);
        Ok(value)
    }

    /// Reads standard input, or a part of it; its first bytes tell its format.
    fn input(&mut self, part: Option<&str>, ty: ValueType) -> Result<Value, ArgumentError> {
        let whole = match &self.input {
            Some(whole) => whole.clone(),
            None => self.input.insert(Whole::input()?).clone(),
        };
        let bytes = whole.as_slice();
        match part {
            name if bytes.starts_with(b"PK") => npz::read(&whole, name, ty),
            Some(column) => self.column(bytes, column, ty),
            None if bytes.starts_with(b"\x93NUMPY") => npy::read(Content::Stream(bytes), ty),
            None => {
                let text = std::str::from_utf8(bytes).map_err(|_| {
                    ArgumentError::new("it is neither an array in NumPy's format nor text")
                        .help("give a literal, a `.npy` or `.npz` file, or a table, `@-:column`")
                })?;
                literal(text, ty).map_err(|error| ArgumentError::new(error.problem))
            }
        }
    }
}

/// A file's name, and the part of the file that is named behind it.
fn split(file: &str) -> (&str, Option<&str>) {
    let places = [".csv:", ".npz:"].map(|end| file.rfind(end).map(|place| place + end.len() - 1));
    let place = places.into_iter().flatten().max();
    place.map_or((file, None), |place| (&file[..place], Some(&file[place + 1..])))
}

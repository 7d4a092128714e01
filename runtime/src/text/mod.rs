//! Values as text and as files, in the forms that `arrc run` and programs made with `--exe` read and print.
//!
//! Invariant: [`literal`] reads the text of [`print`] back as the same value, and [`Reading::argument`] the file of
//! [`write_npy`] or [`write_data`].

mod bounded;
#[cfg(feature = "arrow")]
mod columns;
mod content;
mod error;
mod exact;
mod futhark;
mod literal;
mod npy;
mod npz;
mod print;
mod scan;
mod separated;
mod table;

use std::io;
use std::path::Path;

use content::{Content, Whole};

pub use bounded::{read_at_most, read_text};
pub use error::{ArgumentError, reason};
pub use futhark::{DataFile, write_data};
pub use literal::{LiteralError, literal, type_of};
pub use npy::{NpyParts, write_npy};
pub use npz::write_npz;
pub use print::print;
pub use table::{Dictionary, write_dictionaries};

use table::{Outcome, Wanted};

use crate::host::{Value, ValueType};

/// How arguments are read.
#[derive(Clone, Default, Debug)]
pub struct Reading {
    /// The value of table cells without a value; none: they are errors.
    pub missing: Option<String>,
    /// The texts of the columns that were read as numbers.
    pub dictionaries: Vec<Dictionary>,
    /// Standard input, once it was read.
    input: Option<Whole>,
}

impl Reading {
    /// Reads cells without a value as this.
    #[must_use]
    pub fn new(missing: Option<String>) -> Self {
        Self { missing, ..Self::default() }
    }

    /// Reads a command line's argument as a value of a type: a literal, `@file.npy`, `@file.npz:name`,
    /// `@file.csv:column`, `@file.in:number`, or `@-` for any of these from standard input.
    ///
    /// # Errors
    /// What does not fit, and what to do.
    pub fn argument(&mut self, text: &str, ty: ValueType) -> Result<Value, ArgumentError> {
        self.arguments(&[(text, ty)]).pop().expect("there is a result for each argument")
    }

    /// Reads arguments in the same manner, each as a value of its type. A file of which several arguments take parts is
    /// read once.
    pub fn arguments(
        &mut self,
        arguments: &[(&str, ValueType)],
    ) -> Vec<Result<Value, ArgumentError>> {
        let parts: Vec<_> =
            arguments.iter().map(|(text, _)| text.strip_prefix('@').and_then(split)).collect();
        let mut results: Vec<_> = arguments.iter().map(|_| None).collect();
        for (place, &(text, ty)) in arguments.iter().enumerate() {
            if results[place].is_some() {
                continue;
            }
            let Some((source, _)) = parts[place] else {
                results[place] = Some(self.whole(text, ty));
                continue;
            };
            let of_source = |&at: &usize| parts[at].is_some_and(|(other, _)| other == source);
            let places: Vec<usize> = (place..arguments.len()).filter(of_source).collect();
            let wanted =
                |&at: &usize| parts[at].map(|(_, part)| Wanted { part, ty: arguments[at].1 });
            let wanted: Vec<Wanted<'_>> = places.iter().filter_map(wanted).collect();
            for (at, read) in places.into_iter().zip(self.parts(source, &wanted)) {
                results[at] = Some(read.map_err(|error| error.of(name(source))));
            }
        }
        results.into_iter().map(|result| result.expect("each argument was read")).collect()
    }

    /// Reads an argument that is no part of a file.
    fn whole(&mut self, text: &str, ty: ValueType) -> Result<Value, ArgumentError> {
        let Some(source) = text.strip_prefix('@') else {
            return literal(text, ty).map_err(|error| ArgumentError::new(error.problem));
        };
        let read = if source == INPUT { self.input_whole(ty) } else { file(source, ty) };
        read.map_err(|error| error.of(name(source)))
    }

    /// Reads parts of a file.
    fn parts(&mut self, source: &str, wanted: &[Wanted<'_>]) -> Vec<Result<Value, ArgumentError>> {
        let each = |error: ArgumentError| wanted.iter().map(|_| Err(error.clone())).collect();
        let path = Path::new(source);
        let missing = self.missing.as_deref();
        let columns = match path.extension().and_then(|extension| extension.to_str()) {
            _ if source == INPUT => match self.input() {
                Err(error) => return each(error.into()),
                Ok(whole) if is_archive(&whole) => return arrays(&whole, wanted),
                Ok(whole) if futhark::begins_binary(whole.as_slice()) => {
                    return DataFile::new(whole).map_or_else(each, |file| values(&file, wanted));
                }
                Ok(whole) => separated::read(whole.as_slice(), wanted, self.missing.as_deref()),
            },
            Some("npz") => {
                let whole = Whole::open(path).map_err(ArgumentError::from);
                return whole.map_or_else(each, |whole| arrays(&whole, wanted));
            }
            Some(extension) if COLUMNS.contains(&extension) => columns::read(path, wanted, missing),
            Some(_) if is_data(path) => {
                return DataFile::open(path).map_or_else(each, |file| values(&file, wanted));
            }
            Some(_) | None => match content::open(path) {
                Ok(content) => separated::read(content, wanted, missing),
                Err(error) => return each(error.into()),
            },
        };
        let keep = |read: Outcome| {
            let (value, dictionary) = read?;
            self.dictionaries.extend(dictionary);
            Ok(value)
        };
        columns.into_iter().map(keep).collect()
    }

    /// Standard input, all of it.
    fn input(&mut self) -> io::Result<Whole> {
        Ok(match &self.input {
            Some(whole) => whole.clone(),
            None => self.input.insert(Whole::input()?).clone(),
        })
    }

    /// Reads standard input as one value; its first bytes tell its format.
    fn input_whole(&mut self, ty: ValueType) -> Result<Value, ArgumentError> {
        let whole = self.input()?;
        let bytes = whole.as_slice();
        if is_archive(&whole) {
            return npz::read(&whole, None, ty);
        }
        if bytes.starts_with(b"\x93NUMPY") {
            return npy::read(Content::Stream(bytes), ty);
        }
        if futhark::begins_binary(bytes) {
            return only(&DataFile::new(whole)?, "-", ty);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| {
            ArgumentError::new("it is neither an array in NumPy's format nor text")
                .help("give a literal, a `.npy` or `.npz` file, or a table, `@-:column`")
        })?;
        literal(text, ty).map_err(|error| ArgumentError::new(error.problem))
    }
}

/// The name for standard input.
const INPUT: &str = "-";
/// The extensions of files with parts, besides those of Arrow and Parquet.
const WITH_PARTS: [&str; 6] = ["csv", "npz", "in", "out", "in.gz", "out.gz"];
/// The extensions of files of Arrow and Parquet.
const COLUMNS: [&str; 3] = ["parquet", "arrow", "feather"];

/// A file, and the part of it that is named behind it; none if no part is named.
fn split(source: &str) -> Option<(&str, &str)> {
    if let Some(part) = source.strip_prefix("-:") {
        return Some((INPUT, part));
    }
    let ends = WITH_PARTS.iter().chain(&COLUMNS).map(|end| format!(".{end}:"));
    let place = ends.filter_map(|end| Some(source.rfind(&end)? + end.len() - 1)).max()?;
    Some((&source[..place], &source[place + 1..]))
}

/// Whether a file's name says that it has Futhark's data.
#[must_use]
pub fn is_data(path: &Path) -> bool {
    let extension = |path: &Path| path.extension().map(|end| end.to_string_lossy().into_owned());
    match extension(path).as_deref() {
        Some("gz") => path.file_stem().is_some_and(|stem| is_data(Path::new(stem))),
        end => matches!(end, Some("in" | "out")),
    }
}

/// The value of a file that has no other one.
fn only(file: &DataFile, source: &str, ty: ValueType) -> Result<Value, ArgumentError> {
    if file.len() == 1 {
        return file.get(0, ty);
    }
    Err(ArgumentError::new(format!("it has {} values, not one", file.len()))
        .help(format!("`@{source}:0` is the first one")))
}

/// Values of a file by their numbers.
fn values(file: &DataFile, wanted: &[Wanted<'_>]) -> Vec<Result<Value, ArgumentError>> {
    let value = |wanted: &Wanted<'_>| {
        let place = wanted.part.parse().ok().filter(|&place: &usize| place < file.len());
        let missing = || {
            let problem = format!("it has no value `{}`", wanted.part);
            ArgumentError::new(problem).help(match file.len() {
                0 => "it has no values".to_owned(),
                1 => "its only value is 0".to_owned(),
                count => format!("its values are 0 to {}", count - 1),
            })
        };
        file.get(place.ok_or_else(missing)?, wanted.ty)
    };
    wanted.iter().map(value).collect()
}

/// The name of a file in messages.
fn name(source: &str) -> &str {
    if source == INPUT { "standard input" } else { source }
}

/// Reads a file as one value.
fn file(path: &str, ty: ValueType) -> Result<Value, ArgumentError> {
    let file = Path::new(path);
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("npy") => npy::read(content::open(file)?, ty),
        Some("npz") => npz::read(&Whole::open(file)?, None, ty),
        Some(_) if is_data(file) => only(&DataFile::open(file)?, path, ty),
        Some(end) if end == "csv" || COLUMNS.contains(&end) => {
            Err(ArgumentError::new("a column is missing")
                .help(format!("`@{path}:NAME` is the column of that name")))
        }
        Some(_) | None => Err(ArgumentError::new(
            "its name ends in none of `.npy`, `.npz`, `.csv`, `.in` and `.out`",
        )
        .help(
            "the end of a file's name says what is in it: NumPy's arrays, `@file.npy` and \
                 `@file.npz:name`, a table, `@file.csv:column`, or Futhark's values, `@file.in`",
        )),
    }
}

/// Whether it is an archive of arrays.
fn is_archive(whole: &Whole) -> bool {
    whole.as_slice().starts_with(b"PK")
}

/// Arrays of an archive.
fn arrays(whole: &Whole, wanted: &[Wanted<'_>]) -> Vec<Result<Value, ArgumentError>> {
    wanted.iter().map(|wanted| npz::read(whole, Some(wanted.part), wanted.ty)).collect()
}

/// Files of Arrow and Parquet, in a build that cannot read them.
#[cfg(not(feature = "arrow"))]
mod columns {
    use std::path::Path;

    use super::error::ArgumentError;
    use super::table::{Outcome, Wanted};

    /// The error that this build reads no such files.
    pub(super) fn read(_: &Path, wanted: &[Wanted<'_>], _: Option<&str>) -> Vec<Outcome> {
        let error = || {
            ArgumentError::new("this arrc was built without Arrow and Parquet").help(
                "build it by `cargo build --release --features arrow` in the folder `compiler/driver`, or save the \
                 column by NumPy, as `@file.npy`",
            )
        };
        wanted.iter().map(|_| Err(error())).collect()
    }
}

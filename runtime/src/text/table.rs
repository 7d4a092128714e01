//! Columns of tables, whatever file they are in: selecting a column, and its form.
//!
//! Invariant: a column has a value for each row. A cell without a value is an error, unless the user gives a value for
//! such cells.
//!
//! ```text
//! country,lng        lng → [51.4, 5.1, 13.4]     codes(country) → [2, 1, 0]     count(country) → 3
//! IR,51.4            the numbers of texts follow their order: DE 0, FR 1, IR 2
//! FR,5.1
//! DE,13.4
//! ```

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;

use super::error::ArgumentError;
use super::literal::scalar;
use crate::host::{ArrayData, ArrayValue, Scalar, ScalarValue, Value, ValueType};

/// The texts that the numbers of a column stand for: the text at place 0 has number 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dictionary {
    /// The column's name.
    pub column: String,
    /// The texts, each once, in the order of their bytes.
    pub texts: Vec<String>,
}

/// A part of a file that a parameter takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    /// Its name behind that of the file.
    pub(super) part: &'a str,
    /// The parameter's type.
    pub(super) ty: ValueType,
}

/// The result of reading a column.
pub(super) type Outcome = Result<(Value, Option<Dictionary>), ArgumentError>;

/// The form of a column, with the type of the numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Its cells.
    Cells(Scalar),
    /// The numbers of its texts.
    Codes(Scalar),
    /// How many texts it has.
    Count(Scalar),
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// Its place among the columns.
    pub(super) place: usize,
    /// The form in which it is wanted.
    pub(super) form: Form,
}

impl<'a> Wanted<'a> {
    /// The column among those of these names. `codes(x)` and `count(x)` may be names too.
    pub(super) fn column(&self, names: &[&str]) -> Result<Column<'a>, ArgumentError> {
        let Self { part, ty } = *self;
        let inside = |function: &str| part.strip_prefix(function)?.strip_suffix(')');
        let cells = |scalar| Form::Cells(scalar);
        let (name, form): (&str, fn(Scalar) -> Form) = match (inside("codes("), inside("count(")) {
            _ if names.contains(&part) => (part, cells),
            (Some(name), _) => (name, Form::Codes),
            (_, Some(name)) => (name, Form::Count),
            (None, None) => (part, cells),
        };
        let place = place(name, names)?;
        let form = match (form(Scalar::I64), ty) {
            (Form::Cells(_) | Form::Codes(_), ValueType::Array { scalar, rank: 1 }) => form(scalar),
            (Form::Count(_), ValueType::Scalar(scalar)) => form(scalar),
            (Form::Cells(_) | Form::Codes(_), _) => {
                let problem =
                    format!("a column is an array of one dimension, not a value of type {ty}");
                return Err(ArgumentError::new(problem));
            }
            (Form::Count(_), _) => {
                let problem =
                    format!("the number of texts is a single number, not a value of type {ty}");
                return Err(ArgumentError::new(problem));
            }
        };
        Ok(Column { name, place, form })
    }
}

/// The place of a name.
fn place(name: &str, names: &[&str]) -> Result<usize, ArgumentError> {
    let mut places = names.iter().enumerate().filter(|(_, other)| **other == name);
    match (places.next(), places.next()) {
        (Some((place, _)), None) => Ok(place),
        (Some((first, _)), Some((second, _))) => Err(ArgumentError::new(format!(
            "its columns {} and {} are both called `{name}`; give one of them another name",
            first + 1,
            second + 1
        ))),
        (None, _) => {
            let names: Vec<_> = names.iter().map(|header| format!("`{header}`")).collect();
            let problem = format!("it has no column `{name}`, only {}", names.join(", "));
            Err(ArgumentError::new(problem))
        }
    }
}

/// A column of texts, as far as it is read.
#[derive(Default, Debug)]
pub(super) struct Texts {
    /// For each cell, the number of its text. Texts are numbered in the order in which they were first seen.
    cells: Vec<usize>,
    seen: HashMap<String, usize>,
}

impl Texts {
    /// Adds a cell.
    pub(super) fn push(&mut self, cell: &str) {
        let next = self.seen.len();
        let place = match self.seen.get(cell) {
            Some(&place) => place,
            None => *self.seen.entry(cell.to_string()).or_insert(next),
        };
        self.cells.push(place);
    }

    /// The column in its form.
    pub(super) fn finish(self, column: &Column<'_>) -> Outcome {
        match column.form {
            Form::Count(ty) => Ok((Value::Scalar(code(self.seen.len(), ty)?), None)),
            Form::Cells(ty) | Form::Codes(ty) => self.codes(ty, column.name),
        }
    }

    /// The numbers of the cells' texts, and the texts in the order of their numbers.
    fn codes(self, ty: Scalar, column: &str) -> Outcome {
        let mut texts: Vec<(String, usize)> = self.seen.into_iter().collect();
        texts.sort_unstable();
        code(texts.len().saturating_sub(1), ty)?;
        let mut codes = vec![0; texts.len()];
        texts.iter().enumerate().for_each(|(code, (_, place))| codes[*place] = code);
        let code = |cell: usize| code(codes[cell], ty).expect("the greatest fits");
        let data = ArrayData::collect(ty, self.cells.into_iter().map(code));
        let data = data.expect("each is of this type");
        let texts = texts.into_iter().map(|(text, _)| text).collect();
        let dictionary = Dictionary { column: column.to_string(), texts };
        Ok((Value::Array(ArrayValue::vector(data)), Some(dictionary)))
    }
}

/// Writes a table `column,code,text` of texts and their numbers.
///
/// # Errors
/// If the file cannot be written.
pub fn write_dictionaries(path: &Path, dictionaries: &[Dictionary]) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(File::create(path)?);
    table.write_record(["column", "code", "text"])?;
    for Dictionary { column, texts } in dictionaries {
        for (code, text) in texts.iter().enumerate() {
            table.write_record([column, &code.to_string(), text])?;
        }
    }
    table.flush()
}

/// A number of texts, as a value of an integer type.
fn code(number: usize, ty: Scalar) -> Result<ScalarValue, ArgumentError> {
    if ty.is_float() || ty == Scalar::Bool {
        return Err(ArgumentError::new(format!("the numbers of texts are integers, not {ty}"))
            .help("make the parameter's type one of integers, such as i64"));
    }
    scalar(&number.to_string(), ty).map_err(|_| {
        ArgumentError::new(format!(
            "the column has too many texts: {ty} does not have the number {number}"
        ))
        .help("make the parameter's type a larger one, such as i64")
    })
}

/// The error that a cell has no value.
pub(super) fn no_value(found: &str) -> ArgumentError {
    ArgumentError::new(format!("the cell is {found}")).help(
        "`arrc run --missing=VALUE` reads VALUE for each cell without a value: 0, or `nan` for floats",
    )
}

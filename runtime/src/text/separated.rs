//! Tables of lines with values separated by commas: `.csv` files.
//!
//! Invariant: a file is read once for all wanted columns. Cells are read in the parser's memory, without a copy. An
//! error in one column does not affect another.
//!
//! ```text
//! a,b,c
//! 1,x,2.5     `a` for i64, `c` for f64   ⇒   one pass, and of each line two cells
//! ```

use std::io::Read;

use csv::{ByteRecord, ReaderBuilder};

use super::error::{ArgumentError, reason};
use super::literal::scalar;
use super::table::{Column, Form, Outcome, Texts, Wanted, no_value};
use crate::host::{ArrayData, ArrayValue, Elements, Scalar, ScalarValue, Value};

/// Reads columns of a file whose first line names them. A cell without a value has the value `missing`.
pub(super) fn read(
    content: impl Read,
    wanted: &[Wanted<'_>],
    missing: Option<&str>,
) -> Vec<Outcome> {
    let mut reader = ReaderBuilder::new().buffer_capacity(1 << 16).from_reader(content);
    let names = reader.byte_headers().map_err(|cause| table_problem(&cause)).and_then(names);
    let mut columns: Vec<_> = wanted
        .iter()
        .map(|wanted| names.clone().and_then(|names| Open::new(wanted, &names)))
        .collect();
    let mut record = ByteRecord::new();
    while columns.iter().any(Result::is_ok) {
        match reader.read_byte_record(&mut record) {
            Ok(true) => columns.iter_mut().for_each(|column| take(column, &record, missing)),
            Ok(false) => break,
            Err(cause) => {
                let ends = |column: &mut Result<Open<'_>, _>| {
                    if column.is_ok() {
                        *column = Err(table_problem(&cause));
                    }
                };
                columns.iter_mut().for_each(ends);
            }
        }
    }
    columns.into_iter().map(|column| column?.finish()).collect()
}

/// The names of the columns.
fn names(record: &ByteRecord) -> Result<Vec<&str>, ArgumentError> {
    let names: Option<Vec<&str>> =
        record.iter().map(|name| std::str::from_utf8(name).ok().map(str::trim)).collect();
    match names.ok_or_else(not_text)? {
        names if names.is_empty() => {
            Err(ArgumentError::new("it is empty; its first line should name the columns"))
        }
        names => Ok(names),
    }
}

/// Takes a column's cell of a line; an error, with the line and the column, ends the column.
fn take(column: &mut Result<Open<'_>, ArgumentError>, record: &ByteRecord, missing: Option<&str>) {
    let Ok(open) = column else { return };
    let Err(error) = open.take(record, missing) else { return };
    let line = record.position().map_or(0, csv::Position::line);
    let error = error.of(&format!("line {line}, column `{}`", open.column.name));
    *column = Err(error);
}

/// A column, as far as it is read.
struct Open<'a> {
    column: Column<'a>,
    cells: Cells,
}

/// The cells that were read.
enum Cells {
    Values(Box<dyn Values>),
    Texts(Texts),
}

impl<'a> Open<'a> {
    fn new(wanted: &Wanted<'a>, names: &[&str]) -> Result<Self, ArgumentError> {
        let column = wanted.column(names)?;
        let cells = match column.form {
            Form::Cells(ty) => Cells::Values(values(ty)),
            Form::Codes(_) | Form::Count(_) => Cells::Texts(Texts::default()),
        };
        Ok(Self { column, cells })
    }

    fn take(&mut self, record: &ByteRecord, missing: Option<&str>) -> Result<(), ArgumentError> {
        let cell =
            record.get(self.column.place).expect("all lines have as many cells as the first");
        let cell = std::str::from_utf8(cell).map_err(|_| not_text())?.trim();
        let is_missing = match self.cells {
            Cells::Values(_) => matches!(cell, "" | "NA" | "N/A" | "null"),
            Cells::Texts(_) => cell.is_empty(),
        };
        let cell = match (is_missing, missing) {
            (false, _) => cell,
            (true, Some(missing)) => missing,
            (true, None) if cell.is_empty() => return Err(no_value("empty")),
            (true, None) => return Err(no_value(&format!("`{cell}`"))),
        };
        match &mut self.cells {
            Cells::Values(values) => values.push(cell),
            Cells::Texts(texts) => {
                texts.push(cell);
                Ok(())
            }
        }
    }

    fn finish(self) -> Outcome {
        match self.cells {
            Cells::Values(values) => Ok((Value::Array(ArrayValue::vector(values.finish())), None)),
            Cells::Texts(texts) => texts.finish(&self.column),
        }
    }
}

/// Numbers or truth values of one type.
trait Values {
    fn push(&mut self, cell: &str) -> Result<(), ArgumentError>;
    fn finish(self: Box<Self>) -> ArrayData;
}

struct Typed<T> {
    ty: Scalar,
    values: Vec<T>,
    of_scalar: fn(ScalarValue) -> Option<T>,
    data: fn(Elements<T>) -> ArrayData,
}

/// No values yet of a type.
fn values(ty: Scalar) -> Box<dyn Values> {
    macro_rules! each {
        ($($name:ident)*) => {
            match ty {
                $(Scalar::$name => Box::new(Typed {
                    ty,
                    values: Vec::new(),
                    of_scalar: |scalar| match scalar {
                        ScalarValue::$name(value) => Some(value),
                        #[allow(clippy::wildcard_enum_match_arm, reason = "every other type is wrong")]
                        _ => None,
                    },
                    data: ArrayData::$name,
                }),)*
            }
        };
    }
    each! { Bool I8 I16 I32 I64 U8 U16 U32 U64 F32 F64 }
}

impl<T: Plain + 'static> Values for Typed<T>
where
    Elements<T>: From<Vec<T>>,
{
    fn push(&mut self, cell: &str) -> Result<(), ArgumentError> {
        self.values.push(match plain(cell) {
            Some(value) => value,
            None => {
                let read = scalar(cell, self.ty).map_err(|problem| unread(cell, problem))?;
                (self.of_scalar)(read).expect("it was read as this type")
            }
        });
        Ok(())
    }

    fn finish(self: Box<Self>) -> ArrayData {
        (self.data)(self.values.into())
    }
}

/// A type that is read by the standard library.
trait Plain: std::str::FromStr {}
macro_rules! plain {
    ($($rust:ident)*) => { $(impl Plain for $rust {})* };
}
plain! { bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

/// A number that consists of digits, as most do. Other numbers are read as literals.
fn plain<T: Plain>(cell: &str) -> Option<T> {
    let is_plain = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'e' | b'E');
    let starts = !cell.starts_with(['e', 'E']);
    (starts && cell.as_bytes().iter().all(is_plain)).then(|| cell.parse().ok()).flatten()
}

/// The error that a cell is no value.
fn unread(cell: &str, problem: String) -> ArgumentError {
    let is_text = cell.starts_with(|first: char| first.is_alphabetic());
    let error = ArgumentError::new(problem);
    if is_text {
        error.help(
            "mend the cell; of a column of texts, `@FILE.csv:codes(NAME)` gives each text a number",
        )
    } else {
        error.help("mend the cell, or change the parameter's type")
    }
}

fn not_text() -> ArgumentError {
    ArgumentError::new("it is not UTF-8 text").help("save the table as UTF-8")
}

/// Why a file is no table.
fn table_problem(cause: &csv::Error) -> ArgumentError {
    if let csv::ErrorKind::UnequalLengths { pos: Some(at), expected_len, len } = cause.kind() {
        return ArgumentError::new(format!(
            "line {} has {len} cells, but the lines before it have {expected_len}",
            at.line()
        ))
        .help("give each line as many cells as the first; a text with commas stands in quotes");
    }
    if let csv::ErrorKind::Io(cause) = cause.kind() {
        return ArgumentError::new(reason(cause));
    }
    ArgumentError::new(format!("it is no table ({cause})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::ValueType;
    use crate::text::table::Dictionary;

    const TABLE: &str = "place, x ,n\nBonn, 1.5,3\n\"Ulm, old\",-2e3,0x10\nBonn,NA,-1_000\n";

    fn one(part: &str, ty: ValueType, missing: Option<&str>) -> Outcome {
        read(TABLE.as_bytes(), &[Wanted { part, ty }], missing).pop().expect("one was wanted")
    }

    fn array(ty: &str) -> ValueType {
        let scalar = Scalar::from_name(ty).expect("a test names a type");
        ValueType::Array { scalar, rank: 1 }
    }

    fn column(name: &str, ty: &str, missing: Option<&str>) -> Result<Value, String> {
        let read = one(name, array(ty), missing);
        read.map(|(value, _)| value).map_err(|error| error.problem)
    }

    /// Counts the bytes that are read.
    struct Counted<'a>(&'a [u8], &'a std::cell::Cell<usize>);

    impl Read for Counted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.read(buffer)?;
            self.1.set(self.1.get() + count);
            Ok(count)
        }
    }

    #[test]
    fn a_file_is_read_once_for_all_columns() {
        let bytes = std::cell::Cell::new(0);
        let parts = [("n", "i64"), ("x", "f64"), ("codes(place)", "i8"), ("n", "u8"), ("y", "i8")];
        let wanted = parts.map(|(part, ty)| Wanted { part, ty: array(ty) });
        let columns = read(Counted(TABLE.as_bytes(), &bytes), &wanted, Some("0"));
        assert_eq!(bytes.get(), TABLE.len());
        let problems: Vec<_> = columns
            .iter()
            .map(|column| column.as_ref().err().map(|error| error.problem.as_str()))
            .collect();
        assert_eq!(problems[..3], [None; 3]);
        assert!(problems[3].is_some_and(|text| text.starts_with("line 4, column `n`: ")));
        assert_eq!(problems[4], Some("it has no column `y`, only `place`, `x`, `n`"));
    }

    #[test]
    fn cells_are_literals() {
        assert_eq!(column("n", "i64", None), Ok(Value::from(vec![3_i64, 16, -1000])));
        assert_eq!(column("x", "f64", Some("0")), Ok(Value::from(vec![1.5, -2000.0, 0.0])));
        let missing = "line 4, column `x`: the cell is `NA`";
        assert_eq!(column("x", "f64", None), Err(missing.to_string()));
        let small = column("n", "u8", None).expect_err("-1000 is none");
        assert!(small.starts_with("line 4, column `n`: "), "{small}");
    }

    #[test]
    fn texts_have_numbers_in_their_order() {
        let (codes, dictionary) = one("codes(place)", array("i32"), None).expect("they are texts");
        assert_eq!(codes, Value::from(vec![0, 1, 0]));
        let texts = vec!["Bonn".to_string(), "Ulm, old".to_string()];
        assert_eq!(dictionary, Some(Dictionary { column: "place".to_string(), texts }));
        let count = ValueType::Scalar(Scalar::I64);
        let (count, _) = one("count(place)", count, None).expect("two texts");
        assert_eq!(count, Value::from(2_i64));
        assert!(column("codes(place)", "f64", None).is_err(), "numbers of texts are integers");
    }

    #[test]
    fn digits_are_read_as_literals_are() {
        for cell in
            ["1", "-1", "1.5", "-.5", "5.", "1e3", "1E-3", "--1", "1-2", "e3", ".", "", "-", "00"]
        {
            let literal = scalar(cell, Scalar::F64).ok();
            if let Some(value) = plain::<f64>(cell) {
                assert_eq!(literal, Some(ScalarValue::F64(value)), "{cell}");
            }
        }
    }
}

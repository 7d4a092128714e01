//! Columns of tables: `.csv` files.
//!
//! Invariant: a column has a value for each line behind the first; a cell without one is an error, unless
//! it is said which value it has. Cells are read where the parser has them, without a copy.
//!
//! ```text
//! country,lng        lng → [51.4, 5.1, 13.4]     codes(country) → [2, 1, 0]     count(country) → 3
//! IR,51.4            the numbers of texts follow their order: DE 0, FR 1, IR 2
//! FR,5.1
//! DE,13.4
//! ```

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use csv::{ByteRecord, Reader, ReaderBuilder};

use super::error::{ArgumentError, reason};
use super::literal::scalar;
use crate::host::{ArrayData, ArrayValue, Elements, Scalar, ScalarValue, Value, ValueType};

/// The texts that the numbers of a column stand for: the text at place 0 has number 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dictionary {
    /// The column's name.
    pub column: String,
    /// The texts, each once, in the order of their bytes.
    pub texts: Vec<String>,
}

/// The wanted form of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    /// Its cells.
    Cells,
    /// The numbers of its texts.
    Codes,
    /// How many texts it has.
    Count,
}

/// A column of a table, and the lines that are not read yet.
struct Column<'a, R> {
    reader: Reader<R>,
    name: &'a str,
    place: usize,
    missing: Option<&'a str>,
}

/// Reads one column of a file whose first line names the columns. A cell without a value has the value `missing`.
pub(super) fn read(
    content: impl Read,
    column: &str,
    ty: ValueType,
    missing: Option<&str>,
) -> Result<(Value, Option<Dictionary>), ArgumentError> {
    let mut reader = ReaderBuilder::new().buffer_capacity(1 << 16).from_reader(content);
    let (wanted, name, place) = find(&mut reader, column)?;
    let column = Column { reader, name, place, missing };
    match (wanted, ty) {
        (Wanted::Cells, ValueType::Array { scalar, rank: 1 }) => {
            Ok((Value::Array(ArrayValue::vector(column.values(scalar)?)), None))
        }
        (Wanted::Codes, ValueType::Array { scalar, rank: 1 }) => column.codes(scalar),
        (Wanted::Count, ValueType::Scalar(ty)) => {
            let (_, texts) = column.texts()?;
            Ok((Value::Scalar(code(texts.len(), ty)?), None))
        }
        (Wanted::Cells | Wanted::Codes, _) => Err(ArgumentError::new(format!(
            "a column is an array of one dimension, not a value of type {ty}"
        ))),
        (Wanted::Count, _) => Err(ArgumentError::new(format!(
            "the number of texts is a single number, not a value of type {ty}"
        ))),
    }
}

/// The wanted form of a column, and the column's place. `codes(x)` and `count(x)` may be names too.
fn find<'a>(
    reader: &mut Reader<impl Read>,
    column: &'a str,
) -> Result<(Wanted, &'a str, usize), ArgumentError> {
    let headers = reader.byte_headers().map_err(|cause| table_problem(&cause))?;
    let headers: Option<Vec<&str>> =
        headers.iter().map(|name| std::str::from_utf8(name).ok().map(str::trim)).collect();
    let headers = headers.ok_or_else(not_text)?;
    if headers.is_empty() {
        return Err(ArgumentError::new("it is empty; its first line should name the columns"));
    }
    let inside = |function: &str| column.strip_prefix(function)?.strip_suffix(')');
    let (wanted, name) = match (inside("codes("), inside("count(")) {
        _ if headers.contains(&column) => (Wanted::Cells, column),
        (Some(name), _) => (Wanted::Codes, name),
        (_, Some(name)) => (Wanted::Count, name),
        (None, None) => (Wanted::Cells, column),
    };
    let mut places = headers.iter().enumerate().filter(|(_, header)| **header == name);
    match (places.next(), places.next()) {
        (Some((place, _)), None) => Ok((wanted, name, place)),
        (Some((first, _)), Some((second, _))) => Err(ArgumentError::new(format!(
            "its columns {} and {} are both called `{name}`; give one of them another name",
            first + 1,
            second + 1
        ))),
        (None, _) => {
            let names: Vec<_> = headers.iter().map(|header| format!("`{header}`")).collect();
            let problem = format!("it has no column `{name}`, only {}", names.join(", "));
            Err(ArgumentError::new(problem))
        }
    }
}

impl<R: Read> Column<'_, R> {
    /// Does something with each cell; an error is told with the line and the column.
    fn each(
        mut self,
        is_missing: impl Fn(&str) -> bool,
        mut take: impl FnMut(&str) -> Result<(), ArgumentError>,
    ) -> Result<(), ArgumentError> {
        let mut record = ByteRecord::new();
        while self.reader.read_byte_record(&mut record).map_err(|cause| table_problem(&cause))? {
            let cell = record.get(self.place).expect("all lines have as many cells as the first");
            let found = match std::str::from_utf8(cell).map(str::trim) {
                Ok(cell) if is_missing(cell) => self.missing.ok_or_else(|| no_value(cell)),
                Ok(cell) => Ok(cell),
                Err(_) => Err(not_text()),
            };
            found.and_then(&mut take).map_err(|error| {
                let line = record.position().map_or(0, csv::Position::line);
                error.of(&format!("line {line}, column `{}`", self.name))
            })?;
        }
        Ok(())
    }

    /// The cells as numbers or truth values.
    fn values(self, ty: Scalar) -> Result<ArrayData, ArgumentError> {
        macro_rules! each {
            ($($name:ident)*) => {
                match ty {
                    $(Scalar::$name => ArrayData::$name(self.parsed(|scalar| match scalar {
                        ScalarValue::$name(value) => Some(value),
                        #[allow(clippy::wildcard_enum_match_arm, reason = "every other type is wrong")]
                        _ => None,
                    }, ty)?),)*
                }
            };
        }
        Ok(each! { Bool I8 I16 I32 I64 U8 U16 U32 U64 F32 F64 })
    }

    fn parsed<T: Plain>(
        self,
        of_scalar: impl Fn(ScalarValue) -> Option<T>,
        ty: Scalar,
    ) -> Result<Elements<T>, ArgumentError> {
        let mut values = Vec::new();
        let is_missing = |cell: &str| matches!(cell, "" | "NA" | "N/A" | "null");
        self.each(is_missing, |cell| {
            values.push(match plain(cell) {
                Some(value) => value,
                None => {
                    let read = scalar(cell, ty).map_err(|problem| unread(cell, problem))?;
                    of_scalar(read).expect("it was read as this type")
                }
            });
            Ok(())
        })?;
        Ok(values.into())
    }

    /// The number of each cell's text, and the texts in the order of their numbers.
    fn texts(self) -> Result<(Vec<usize>, Vec<String>), ArgumentError> {
        let (mut cells, mut seen) = (Vec::new(), HashMap::<String, usize>::new());
        self.each(str::is_empty, |cell| {
            let next = seen.len();
            let place = match seen.get(cell) {
                Some(&place) => place,
                None => *seen.entry(cell.to_string()).or_insert(next),
            };
            cells.push(place);
            Ok(())
        })?;
        let mut texts: Vec<(String, usize)> = seen.into_iter().collect();
        texts.sort_unstable();
        let mut codes = vec![0; texts.len()];
        texts.iter().enumerate().for_each(|(code, (_, place))| codes[*place] = code);
        let cells = cells.into_iter().map(|place| codes[place]).collect();
        Ok((cells, texts.into_iter().map(|(text, _)| text).collect()))
    }

    /// The numbers of the texts as elements.
    fn codes(self, ty: Scalar) -> Result<(Value, Option<Dictionary>), ArgumentError> {
        let column = self.name.to_string();
        let (cells, texts) = self.texts()?;
        code(texts.len().saturating_sub(1), ty)?;
        let codes = cells.into_iter().map(|cell| code(cell, ty).expect("the greatest fits"));
        let data = ArrayData::collect(ty, codes).expect("each is of this type");
        Ok((Value::Array(ArrayValue::vector(data)), Some(Dictionary { column, texts })))
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

/// A type that is read by the standard library.
trait Plain: std::str::FromStr {}
macro_rules! plain {
    ($($rust:ident)*) => { $(impl Plain for $rust {})* };
}
plain! { bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

/// A number of digits alone, which most are; others are read as literals.
fn plain<T: Plain>(cell: &str) -> Option<T> {
    let is_plain = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'e' | b'E');
    let starts = !cell.starts_with(['e', 'E']);
    (starts && cell.as_bytes().iter().all(is_plain)).then(|| cell.parse().ok()).flatten()
}

/// That a cell is no value.
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

/// That a cell has no value.
fn no_value(cell: &str) -> ArgumentError {
    let found = if cell.is_empty() { "empty".to_string() } else { format!("`{cell}`") };
    ArgumentError::new(format!("the cell is {found}")).help(
        "`arrc run --missing=VALUE` reads VALUE for each cell without a value: 0, or `nan` for floats",
    )
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

    const TABLE: &str = "place, x ,n\nBonn, 1.5,3\n\"Ulm, old\",-2e3,0x10\nBonn,NA,-1_000\n";

    fn column(name: &str, ty: &str, missing: Option<&str>) -> Result<Value, String> {
        let scalar = Scalar::from_name(ty).expect("a test names a type");
        let read = read(TABLE.as_bytes(), name, ValueType::Array { scalar, rank: 1 }, missing);
        read.map(|(value, _)| value).map_err(|error| error.problem)
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
        let ty = ValueType::Array { scalar: Scalar::I32, rank: 1 };
        let (codes, dictionary) =
            read(TABLE.as_bytes(), "codes(place)", ty, None).expect("texts are no numbers");
        assert_eq!(codes, Value::from(vec![0, 1, 0]));
        let texts = vec!["Bonn".to_string(), "Ulm, old".to_string()];
        assert_eq!(dictionary, Some(Dictionary { column: "place".to_string(), texts }));
        let count = ValueType::Scalar(Scalar::I64);
        let (count, _) = read(TABLE.as_bytes(), "count(place)", count, None).expect("two texts");
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

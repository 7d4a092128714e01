//! Tables by columns: files of Arrow (`.arrow`, `.feather`, in the form of files or of streams) and of Parquet.
//!
//! Invariant: a file is read once for all wanted columns, and no other columns are decoded. Elements are converted if
//! that changes no value, as for NumPy's files.
//!
//! ```text
//! x: float32, 2.5, null   `x` for f64, with 0 for missing cells   ⇒   [2.5, 0]
//! ```

use std::fmt::Display;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::content::Bytes;
use super::error::ArgumentError;
use super::exact::{Found, Kind, exact};
use super::literal::scalar;
use super::npy::inexact;
use super::table::{Column, Form, Outcome, Texts, Wanted, no_value};
use crate::host::{ArrayData, ArrayValue, Scalar, Value};

/// The rows of a file, a part at a time.
type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>;

/// A file whose columns are known.
enum Opened {
    /// One of Parquet.
    Parquet(ParquetRecordBatchReaderBuilder<File>),
    /// A file of Arrow: one with a table of contents, or a stream.
    Arrow { file: File, schema: SchemaRef, is_stream: bool },
}

/// Reads columns of a file. A cell without a value has the value `missing`.
pub(super) fn read(path: &Path, wanted: &[Wanted<'_>], missing: Option<&str>) -> Vec<Outcome> {
    let columns = open(path).and_then(|opened| {
        let schema = opened.schema();
        let columns: Vec<_> =
            wanted.iter().map(|wanted| Open::new(wanted, &schema, missing)).collect();
        let mut places: Vec<usize> =
            columns.iter().flatten().map(|open| open.column.place).collect();
        places.sort_unstable();
        places.dedup();
        take(opened.batches(&places)?, &places, columns)
    });
    match columns {
        Ok(columns) => columns.into_iter().map(|column| column?.finish()).collect(),
        Err(error) => wanted.iter().map(|_| Err(error.clone())).collect(),
    }
}

/// Takes the cells of these columns from all rows. An error ends its own column only.
fn take<'a>(
    batches: Batches,
    places: &[usize],
    mut columns: Vec<Result<Open<'a>, ArgumentError>>,
) -> Result<Vec<Result<Open<'a>, ArgumentError>>, ArgumentError> {
    for batch in batches {
        let batch = batch.map_err(damaged)?;
        for column in &mut columns {
            let Ok(open) = column else { continue };
            let at = places.binary_search(&open.column.place).expect("its place was asked for");
            if let Err(error) = open.take(batch.column(at)) {
                *column = Err(error.of(&format!("column `{}`", open.column.name)));
            }
        }
        if columns.iter().all(Result::is_err) {
            break;
        }
    }
    Ok(columns)
}

/// Opens a file; its first bytes tell its form.
fn open(path: &Path) -> Result<Opened, ArgumentError> {
    let mut file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(ArgumentError::new("it is no plain file"));
    }
    let mut magic = [0; 6];
    let count = file.read(&mut magic)?;
    file.rewind()?;
    if magic.starts_with(b"PAR1") {
        return ParquetRecordBatchReaderBuilder::try_new(file)
            .map(Opened::Parquet)
            .map_err(damaged);
    }
    let is_stream = &magic[..count] != b"ARROW1";
    let again = file.try_clone()?;
    let schema = if is_stream {
        StreamReader::try_new(BufReader::new(again), None).map(|reader| reader.schema())
    } else {
        FileReader::try_new(BufReader::new(again), None).map(|reader| reader.schema())
    };
    Ok(Opened::Arrow { file, schema: schema.map_err(damaged)?, is_stream })
}

impl Opened {
    /// The columns.
    fn schema(&self) -> SchemaRef {
        match self {
            Self::Parquet(file) => SchemaRef::clone(file.schema()),
            Self::Arrow { schema, .. } => SchemaRef::clone(schema),
        }
    }

    /// The rows, with the columns at these places only.
    fn batches(self, places: &[usize]) -> Result<Batches, ArgumentError> {
        Ok(match self {
            Self::Parquet(file) => {
                let columns = ProjectionMask::roots(file.parquet_schema(), places.iter().copied());
                Box::new(file.with_projection(columns).build().map_err(damaged)?)
            }
            Self::Arrow { mut file, is_stream, .. } => {
                file.rewind()?;
                let (file, places) = (BufReader::new(file), Some(places.to_vec()));
                if is_stream {
                    Box::new(StreamReader::try_new(file, places).map_err(damaged)?)
                } else {
                    Box::new(FileReader::try_new(file, places).map_err(damaged)?)
                }
            }
        })
    }
}

/// A column, as far as it is read.
struct Open<'a> {
    column: Column<'a>,
    cells: Cells,
    rows: usize,
    missing: Option<&'a str>,
}

/// The cells that were read.
enum Cells {
    /// Numbers or truth values as they lie in the file, and the places of those that are missing.
    Numbers { kind: Kind, wanted: Scalar, bytes: Vec<u8>, without: Vec<usize> },
    /// Texts.
    Texts(Texts),
}

impl<'a> Open<'a> {
    fn new(
        wanted: &Wanted<'a>,
        schema: &SchemaRef,
        missing: Option<&'a str>,
    ) -> Result<Self, ArgumentError> {
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let column = wanted.column(&names)?;
        let cells = cells(schema.field(column.place).data_type(), column.form);
        let cells = cells.map_err(|error| error.of(&format!("column `{}`", column.name)))?;
        Ok(Self { column, cells, rows: 0, missing })
    }

    /// Takes the cells of some rows.
    fn take(&mut self, array: &ArrayRef) -> Result<(), ArgumentError> {
        let nulls = array.logical_nulls().filter(|nulls| nulls.null_count() > 0);
        let nulls: Vec<usize> = nulls.map_or_else(Vec::new, |nulls| {
            (0..array.len()).filter(|&row| nulls.is_null(row)).collect()
        });
        if let (Some(first), None) = (nulls.first(), self.missing) {
            let row = self.rows + first + 1;
            return Err(no_value("null").of(&format!("row {row}")));
        }
        match &mut self.cells {
            Cells::Numbers { bytes, without, .. } => {
                without.extend(nulls.into_iter().map(|row| self.rows + row));
                push(array, bytes);
            }
            Cells::Texts(texts) => {
                let missing = self.missing.unwrap_or_default();
                each_text(array, |text| texts.push(text.unwrap_or(missing)));
            }
        }
        self.rows += array.len();
        Ok(())
    }

    fn finish(self) -> Outcome {
        let (kind, wanted, bytes, without) = match self.cells {
            Cells::Texts(texts) => return texts.finish(&self.column),
            Cells::Numbers { kind, wanted, bytes, without } => (kind, wanted, bytes, without),
        };
        let big_endian = cfg!(target_endian = "big");
        let data = exact(&Bytes::Read(bytes), Found { kind, big_endian }, wanted);
        let data = data.expect("the conversion was looked at before");
        let data = match self.missing.filter(|_| !without.is_empty()) {
            Some(missing) => filled(&data, wanted, &without, missing)?,
            None => data,
        };
        Ok((Value::Array(ArrayValue::vector(data)), None))
    }
}

/// No cells yet of a column of a type, in a form.
fn cells(ty: &DataType, form: Form) -> Result<Cells, ArgumentError> {
    match (form, kind(ty)) {
        (Form::Codes(_) | Form::Count(_), _) if is_text(ty) => Ok(Cells::Texts(Texts::default())),
        (Form::Codes(_) | Form::Count(_), _) => {
            Err(ArgumentError::new(format!("its elements are {ty}, and no texts"))
                .help("a column of numbers is taken by its name alone, `@FILE:NAME`"))
        }
        (Form::Cells(_), None) if is_text(ty) => Err(ArgumentError::new("its elements are texts")
            .help("`@FILE:codes(NAME)` gives each text a number")),
        (Form::Cells(wanted), None) => {
            Err(ArgumentError::new(format!("its elements are {ty}, not {wanted}"))
                .help("convert the column to numbers where it is made"))
        }
        (Form::Cells(wanted), Some(kind)) => {
            // The type tells whether the values can be converted.
            let found = Found { kind, big_endian: false };
            exact(&Bytes::Read(Vec::new()), found, wanted).ok_or_else(|| inexact(kind, wanted))?;
            Ok(Cells::Numbers { kind, wanted, bytes: Vec::new(), without: Vec::new() })
        }
    }
}

/// The kind of the elements of a column, if they are numbers or truth values.
#[allow(clippy::wildcard_enum_match_arm, reason = "every other type is none")]
fn kind(ty: &DataType) -> Option<Kind> {
    Some(Kind::Scalar(match ty {
        DataType::Boolean => Scalar::Bool,
        DataType::Int8 => Scalar::I8,
        DataType::Int16 => Scalar::I16,
        DataType::Int32 => Scalar::I32,
        DataType::Int64 => Scalar::I64,
        DataType::UInt8 => Scalar::U8,
        DataType::UInt16 => Scalar::U16,
        DataType::UInt32 => Scalar::U32,
        DataType::UInt64 => Scalar::U64,
        DataType::Float16 => return Some(Kind::F16),
        DataType::Float32 => Scalar::F32,
        DataType::Float64 => Scalar::F64,
        _ => return None,
    }))
}

fn is_text(ty: &DataType) -> bool {
    match ty {
        DataType::Dictionary(_, values) => is_text(values),
        _ => matches!(ty, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View),
    }
}

/// Adds the elements of an array of numbers or truth values.
fn push(array: &ArrayRef, bytes: &mut Vec<u8>) {
    if let Some(truths) = array.as_boolean_opt() {
        bytes.extend((0..truths.len()).map(|row| u8::from(truths.value(row))));
        return;
    }
    let data = array.to_data();
    let width = data.data_type().primitive_width().expect("its elements are numbers");
    let range = data.offset() * width..(data.offset() + data.len()) * width;
    bytes.extend_from_slice(&data.buffers()[0].as_slice()[range]);
}

/// Calls a function with the text of each row, if there is one.
fn each_text(array: &ArrayRef, mut take: impl FnMut(Option<&str>)) {
    match array.as_any_dictionary_opt() {
        Some(dictionary) if !dictionary.values().is_empty() => {
            let (texts, keys) = (dictionary.values(), dictionary.normalized_keys());
            let text = |(row, key)| (!array.is_null(row)).then(|| text(texts, key)).flatten();
            keys.into_iter().enumerate().map(text).for_each(take);
        }
        Some(_) => (0..array.len()).for_each(|_| take(None)),
        None => (0..array.len()).for_each(|row| take(text(array, row))),
    }
}

/// The text of a row of texts, if there is one.
fn text(array: &ArrayRef, row: usize) -> Option<&str> {
    if array.is_null(row) {
        return None;
    }
    if let Some(texts) = array.as_string_opt::<i32>() {
        return Some(texts.value(row));
    }
    if let Some(texts) = array.as_string_opt::<i64>() {
        return Some(texts.value(row));
    }
    array.as_string_view_opt().map(|texts| texts.value(row))
}

/// The elements, with the value of a literal at these places, which are in order.
fn filled(
    data: &ArrayData,
    ty: Scalar,
    without: &[usize],
    missing: &str,
) -> Result<ArrayData, ArgumentError> {
    let missing = scalar(missing, ty).map_err(ArgumentError::new)?;
    let mut without = without.iter().peekable();
    let element = |at| match without.next_if(|&&place| place == at) {
        Some(_) => missing,
        None => data.get(at).expect("there are as many elements"),
    };
    Ok(ArrayData::collect(ty, (0..data.len()).map(element)).expect("each is of this type"))
}

/// The error that a file does not have the format of its name.
fn damaged(error: impl Display) -> ArgumentError {
    ArgumentError::new(format!("it cannot be read as a file of Arrow or Parquet ({error})"))
        .help("write or copy it again")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use arrow_array::types::Int8Type;
    use arrow_array::{
        BooleanArray, DictionaryArray, Float32Array, Int64Array, LargeStringArray, StringArray,
        StringViewArray, UInt8Array,
    };
    use arrow_ipc::writer::{FileWriter, StreamWriter};
    use parquet::arrow::ArrowWriter;
    use tempfile::TempDir;

    use super::*;
    use crate::host::ValueType;
    use crate::text::table::Dictionary;

    const TEXTS: [Option<&str>; 3] = [Some("Ulm"), None, Some("Bonn")];

    /// A table of three rows.
    fn table() -> RecordBatch {
        let columns: [(&str, ArrayRef); 9] = [
            ("n", Arc::new(Int64Array::from(vec![1, -2, 3]))),
            ("x", Arc::new(Float32Array::from(vec![Some(1.5), None, Some(0.25)]))),
            ("small", Arc::new(UInt8Array::from(vec![9, 1, 2, 3, 9]).slice(1, 3))),
            ("is", Arc::new(BooleanArray::from(vec![true, false, true]))),
            ("place", Arc::new(StringArray::from(TEXTS.to_vec()))),
            ("large", Arc::new(LargeStringArray::from(TEXTS.to_vec()))),
            ("view", Arc::new(StringViewArray::from(TEXTS.to_vec()))),
            ("coded", Arc::new(DictionaryArray::<Int8Type>::from_iter(TEXTS))),
            ("none", Arc::new(DictionaryArray::<Int8Type>::from_iter([None::<&str>; 3]))),
        ];
        RecordBatch::try_from_iter(columns).expect("columns of three rows")
    }

    /// The table twice, in a file of each kind.
    fn files() -> (TempDir, Vec<PathBuf>) {
        let (folder, table) = (tempfile::tempdir().expect("a folder for a test"), table());
        let path = |name: &str| folder.path().join(name);
        let create = |name: &str| File::create(path(name)).expect("a file for a test");
        let schema = table.schema();
        let mut arrow = FileWriter::try_new(create("a.arrow"), &schema).expect("it is written");
        let mut stream = StreamWriter::try_new(create("s.arrow"), &schema).expect("it is written");
        let parquet = ArrowWriter::try_new(create("a.parquet"), SchemaRef::clone(&schema), None);
        let mut parquet = parquet.expect("it is written");
        for _ in 0..2 {
            arrow.write(&table).expect("it is written");
            stream.write(&table).expect("it is written");
            parquet.write(&table).expect("it is written");
        }
        arrow.finish().expect("it is written");
        stream.finish().expect("it is written");
        parquet.close().expect("it is written");
        let paths = ["a.arrow", "s.arrow", "a.parquet"].map(path).to_vec();
        (folder, paths)
    }

    fn array(scalar: Scalar) -> ValueType {
        ValueType::Array { scalar, rank: 1 }
    }

    fn one(path: &Path, part: &str, ty: ValueType, missing: Option<&str>) -> Outcome {
        read(path, &[Wanted { part, ty }], missing).pop().expect("one was wanted")
    }

    #[test]
    fn columns_are_read_from_every_kind_of_file() {
        let (_folder, paths) = files();
        for path in &paths {
            let parts = [("n", Scalar::I64), ("small", Scalar::F32), ("is", Scalar::Bool)];
            let wanted = parts.map(|(part, scalar)| Wanted { part, ty: array(scalar) });
            let found: Vec<Value> = read(path, &wanted, None)
                .into_iter()
                .map(|column| column.expect("it is there").0)
                .collect();
            assert_eq!(found[0], Value::from(vec![1_i64, -2, 3, 1, -2, 3]));
            assert_eq!(found[1], Value::from(vec![1.0_f32, 2.0, 3.0, 1.0, 2.0, 3.0]));
            assert_eq!(found[2], Value::from(vec![true, false, true, true, false, true]));
            let filled = one(path, "x", array(Scalar::F64), Some("-1")).expect("it is filled").0;
            assert_eq!(filled, Value::from(vec![1.5, -1.0, 0.25, 1.5, -1.0, 0.25]));
        }
    }

    #[test]
    fn texts_have_numbers_in_their_order() {
        let (_folder, paths) = files();
        for path in &paths {
            for name in ["place", "large", "view", "coded"] {
                let part = format!("codes({name})");
                let read = one(path, &part, array(Scalar::I32), Some("Aix")).expect("texts");
                assert_eq!(read.0, Value::from(vec![2, 0, 1, 2, 0, 1]), "{name}");
                let texts = ["Aix", "Bonn", "Ulm"].map(str::to_string).to_vec();
                assert_eq!(read.1, Some(Dictionary { column: name.to_string(), texts }));
            }
            let count = ValueType::Scalar(Scalar::I64);
            let count = one(path, "count(none)", count, Some("Aix")).expect("one text").0;
            assert_eq!(count, Value::from(1_i64));
        }
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let (folder, paths) = files();
        let cases = [
            ("x", Scalar::F64, "column `x`: row 2: the cell is null"),
            ("codes(place)", Scalar::I8, "column `place`: row 2: the cell is null"),
            ("place", Scalar::I8, "column `place`: its elements are texts"),
            ("codes(n)", Scalar::I8, "column `n`: its elements are Int64, and no texts"),
            (
                "n",
                Scalar::F64,
                "column `n`: its elements are int64, not f64: f64 does not have all values of that type",
            ),
        ];
        for path in &paths {
            for (part, scalar, problem) in cases {
                let error = one(path, part, array(scalar), None).expect_err("it does not fit");
                assert_eq!(error.problem, problem);
                assert!(error.help.is_some(), "{problem}");
            }
            let error = one(path, "y", array(Scalar::F64), None).expect_err("there is none");
            assert!(error.problem.starts_with("it has no column `y`, only `n`, `x`, "), "{error}");
            // An error in one column does not affect another.
            let wanted = ["x", "n"].map(|part| Wanted { part, ty: array(Scalar::I64) });
            let found = read(path, &wanted, None);
            assert!(found[0].is_err() && found[1].is_ok());
            // A file that was cut off.
            let bytes = std::fs::read(path).expect("it is there");
            let cut = folder.path().join("cut");
            for count in [0, 3, 100, bytes.len() / 2] {
                std::fs::write(&cut, &bytes[..count]).expect("it is written");
                let error = one(&cut, "n", array(Scalar::I64), None);
                let error = error.expect_err("it was cut off");
                assert!(error.problem.starts_with("it cannot be read"), "{count}: {error}");
            }
        }
    }
}

//! Arrays in files: `.npy`, and columns of `.csv`.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};

use npyz::{DType, Deserialize, NpyFile, Order, TypeStr, WriterBuilder};

use super::bounded::{Bounded, open};
use super::literal::scalar;
use crate::host::{ArrayData, ArrayValue, Scalar, Value, ValueType};

/// Why a file does not give the value that is wanted.
#[derive(Debug)]
pub struct FileError {
    path: PathBuf,
    problem: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

impl std::error::Error for FileError {}

/// Reads a `.npy` file: its element type and rank must be those of the parameter.
pub(super) fn npy(path: &Path, ty: ValueType) -> Result<Value, FileError> {
    let error = |problem: String| FileError { path: path.to_path_buf(), problem };
    let file = open(path).map_err(|cause| error(reason(&cause)))?;
    let npy =
        NpyFile::new(BufReader::new(file)).map_err(|_| error("it is no .npy file".to_string()))?;
    let found = npy.dtype();
    let (scalar, rank) = match ty {
        ValueType::Scalar(scalar) => (scalar, 0),
        ValueType::Array { scalar, rank } => (scalar, rank as usize),
    };
    let shape: Vec<i64> = npy
        .shape()
        .iter()
        .map(|&size| i64::try_from(size))
        .collect::<Result<_, _>>()
        .map_err(|_| error("its shape is too large".to_string()))?;
    if shape.iter().try_fold(1, |count: i64, &size| count.checked_mul(size)).is_none() {
        return Err(error("its shape is too large".to_string()));
    }
    if !fits(&found, scalar) {
        return Err(error(format!("its elements are {}, not {scalar}", found.descr())));
    }
    if shape.len() != rank {
        return Err(error(format!("it has {} dimensions, not {rank}", shape.len())));
    }
    if rank > 1 && npy.order() == Order::Fortran {
        return Err(error(
            "it is in Fortran order; save it with `numpy.ascontiguousarray`".to_string(),
        ));
    }
    let data = elements(npy, scalar).map_err(|cause| error(reason(&cause)))?;
    match ty {
        ValueType::Scalar(_) => data.get(0).map(Value::Scalar),
        ValueType::Array { .. } => ArrayValue::new(shape, data).map(Value::Array),
    }
    .ok_or_else(|| error("it has fewer elements than its shape says".to_string()))
}

/// Whether the elements of a file are of a type, in either byte order.
fn fits(found: &DType, scalar: Scalar) -> bool {
    let DType::Plain(ty) = found else { return false };
    match scalar {
        Scalar::Bool => <bool as Deserialize>::reader(&DType::Plain(ty.clone())).is_ok(),
        Scalar::I8 => <i8 as Deserialize>::reader(found).is_ok(),
        Scalar::I16 => <i16 as Deserialize>::reader(found).is_ok(),
        Scalar::I32 => <i32 as Deserialize>::reader(found).is_ok(),
        Scalar::I64 => <i64 as Deserialize>::reader(found).is_ok(),
        Scalar::U8 => <u8 as Deserialize>::reader(found).is_ok(),
        Scalar::U16 => <u16 as Deserialize>::reader(found).is_ok(),
        Scalar::U32 => <u32 as Deserialize>::reader(found).is_ok(),
        Scalar::U64 => <u64 as Deserialize>::reader(found).is_ok(),
        Scalar::F32 => <f32 as Deserialize>::reader(found).is_ok(),
        Scalar::F64 => <f64 as Deserialize>::reader(found).is_ok(),
    }
}

fn elements(npy: NpyFile<BufReader<Bounded<File>>>, scalar: Scalar) -> io::Result<ArrayData> {
    Ok(match scalar {
        Scalar::Bool => ArrayData::Bool(npy.into_vec()?),
        Scalar::I8 => ArrayData::I8(npy.into_vec()?),
        Scalar::I16 => ArrayData::I16(npy.into_vec()?),
        Scalar::I32 => ArrayData::I32(npy.into_vec()?),
        Scalar::I64 => ArrayData::I64(npy.into_vec()?),
        Scalar::U8 => ArrayData::U8(npy.into_vec()?),
        Scalar::U16 => ArrayData::U16(npy.into_vec()?),
        Scalar::U32 => ArrayData::U32(npy.into_vec()?),
        Scalar::U64 => ArrayData::U64(npy.into_vec()?),
        Scalar::F32 => ArrayData::F32(npy.into_vec()?),
        Scalar::F64 => ArrayData::F64(npy.into_vec()?),
    })
}

/// Reads one column of a `.csv` file with a headline, as an array of one dimension.
pub(super) fn csv(path: &Path, column: &str, ty: ValueType) -> Result<Value, FileError> {
    let error = |problem: String| FileError { path: path.to_path_buf(), problem };
    let ValueType::Array { scalar: ty, rank: 1 } = ty else {
        return Err(error(format!(
            "a column is an array of one dimension, not a value of type {ty}"
        )));
    };
    let file = open(path).map_err(|cause| error(reason(&cause)))?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(file);
    let headers = reader.headers().map_err(|cause| error(table_problem(&cause)))?.clone();
    if headers.is_empty() {
        return Err(error("it is empty; its first line should name the columns".to_string()));
    }
    let mut places = headers.iter().enumerate().filter(|(_, header)| *header == column);
    let place = match (places.next(), places.next()) {
        (Some((place, _)), None) => place,
        (Some((first, _)), Some((second, _))) => {
            return Err(error(format!(
                "its columns {} and {} are both called `{column}`; give one of them another name",
                first + 1,
                second + 1
            )));
        }
        (None, _) => {
            let names: Vec<_> = headers.iter().map(|header| format!("`{header}`")).collect();
            return Err(error(format!("it has no column `{column}`, only {}", names.join(", "))));
        }
    };
    let mut scalars = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|cause| error(table_problem(&cause)))?;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = record
            .get(place)
            .ok_or_else(|| error(format!("line {line} has no cell in column `{column}`")))?;
        scalars.push(
            scalar(cell, ty)
                .map_err(|problem| error(format!("line {line}, column `{column}`: {problem}")))?,
        );
    }
    let data = ArrayData::collect(ty, scalars).expect("each cell was read as this type");
    Ok(Value::Array(ArrayValue::vector(data)))
}

/// Why a file is no table.
fn table_problem(cause: &csv::Error) -> String {
    if let csv::ErrorKind::UnequalLengths { pos: Some(at), expected_len, len } = cause.kind() {
        return format!(
            "line {} has {len} cells, but the lines before it have {expected_len}",
            at.line()
        );
    }
    if let csv::ErrorKind::Utf8 { .. } = cause.kind() {
        return "it is not UTF-8 text".to_string();
    }
    if let csv::ErrorKind::Io(cause) = cause.kind() {
        return reason(cause);
    }
    format!("it is no table ({cause})")
}

/// Writes a value as a `.npy` file; a scalar has no dimensions there.
///
/// # Errors
/// If the file cannot be written.
pub fn write_npy(path: &Path, value: &Value) -> Result<(), FileError> {
    let error = |cause: &io::Error| FileError { path: path.to_path_buf(), problem: reason(cause) };
    let file = File::create(path).map_err(|cause| error(&cause))?;
    let (shape, data) = match value {
        Value::Scalar(scalar) => (
            Vec::new(),
            ArrayData::collect(scalar.ty(), [*scalar]).expect("a scalar is of its own type"),
        ),
        Value::Array(array) => {
            (array.shape().iter().map(|size| size.unsigned_abs()).collect(), array.data().clone())
        }
    };
    match data {
        ArrayData::Bool(values) => write(file, &shape, "|b1", values),
        ArrayData::I8(values) => write(file, &shape, "|i1", values),
        ArrayData::I16(values) => write(file, &shape, "<i2", values),
        ArrayData::I32(values) => write(file, &shape, "<i4", values),
        ArrayData::I64(values) => write(file, &shape, "<i8", values),
        ArrayData::U8(values) => write(file, &shape, "|u1", values),
        ArrayData::U16(values) => write(file, &shape, "<u2", values),
        ArrayData::U32(values) => write(file, &shape, "<u4", values),
        ArrayData::U64(values) => write(file, &shape, "<u8", values),
        ArrayData::F32(values) => write(file, &shape, "<f4", values),
        ArrayData::F64(values) => write(file, &shape, "<f8", values),
    }
    .map_err(|cause| error(&cause))
}

fn write<T: npyz::Serialize>(
    file: File,
    shape: &[u64],
    ty: &str,
    values: Vec<T>,
) -> io::Result<()> {
    let ty: TypeStr = ty.parse().expect("the names of types above are numpy's");
    let mut writer = npyz::WriteOptions::new()
        .dtype(DType::Plain(ty))
        .shape(shape)
        .writer(BufWriter::new(file))
        .begin_nd()?;
    writer.extend(values)?;
    writer.finish()
}

/// An error of the system in words, without its number.
#[must_use]
#[allow(clippy::wildcard_enum_match_arm, reason = "the standard library adds kinds")]
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_string(),
        io::ErrorKind::PermissionDenied => "permission was denied".to_string(),
        io::ErrorKind::IsADirectory => "it is a folder".to_string(),
        io::ErrorKind::UnexpectedEof => "it ends too early".to_string(),
        _ => error.to_string(),
    }
}

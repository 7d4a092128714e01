//! Arrays in NumPy's format.
//!
//! Invariant: an array is read only if the file has all elements that its header promises; the elements are
//! those of the file, in the parameter's type. They stay in the file if they have the same form there as in memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use npyz::{DType, Endianness, NpyHeader, Order, TypeChar, TypeStr, WriteOptions, WriterBuilder};

use super::content::Content;
use super::error::ArgumentError;
use super::exact::{Found, Kind, exact, numpy};
use crate::host::{ArrayData, ArrayValue, Scalar, Value, ValueType, View};

/// Reads an array: its rank must be the parameter's, and its elements must fit without loss.
pub(super) fn read(mut content: Content<impl Read>, ty: ValueType) -> Result<Value, ArgumentError> {
    let header = NpyHeader::from_reader(&mut content)
        .map_err(|_| ArgumentError::new("it is no .npy file"))?;
    let (scalar, rank) = match ty {
        ValueType::Scalar(scalar) => (scalar, 0),
        ValueType::Array { scalar, rank } => (scalar, rank as usize),
    };
    let (shape, count) = sizes(header.shape())?;
    let found = element_type(&header.dtype(), scalar)?;
    if shape.len() != rank {
        return Err(wrong_rank(shape.len(), ty));
    }
    let size = count.checked_mul(found.kind.bytes()).ok_or_else(too_large)?;
    let bytes = content.take(size)?;
    let there = bytes.as_slice().len() as u64;
    if there < size {
        return Err(ArgumentError::new(format!(
            "it ends too early: its header promises {count} elements, {size} bytes, but {there} follow"
        ))
        .help("the file was cut off: write or copy it again"));
    }
    let data = exact(&bytes, found, scalar).ok_or_else(|| inexact(found.kind, scalar))?;
    let data = match header.order() {
        Order::Fortran if rank > 1 => row_major(&data, &shape),
        Order::Fortran | Order::C => data,
    };
    Ok(match ty {
        ValueType::Scalar(_) => Value::Scalar(data.get(0).expect("one element was read")),
        ValueType::Array { .. } => {
            Value::Array(ArrayValue::new(shape, data).expect("as many elements were read"))
        }
    })
}

/// The shape in the form of programs, and the number of elements.
fn sizes(shape: &[u64]) -> Result<(Vec<i64>, u64), ArgumentError> {
    let signed: Option<Vec<i64>> = shape.iter().map(|&size| i64::try_from(size).ok()).collect();
    let signed = signed.ok_or_else(too_large)?;
    // A zero makes an array empty, however large the other sizes are.
    let count = if shape.contains(&0) {
        Some(0)
    } else {
        signed.iter().try_fold(1, |count: i64, &size| count.checked_mul(size))
    };
    Ok((signed, count.ok_or_else(too_large)?.unsigned_abs()))
}

fn too_large() -> ArgumentError {
    ArgumentError::new("its shape is too large")
}

fn wrong_rank(found: usize, ty: ValueType) -> ArgumentError {
    let plural = if found == 1 { "" } else { "s" };
    match ty {
        ValueType::Scalar(scalar) => {
            ArgumentError::new(format!("it has {found} dimension{plural}, not a single {scalar}"))
                .help("save one number, such as `xs[0]`, or make the parameter an array")
        }
        ValueType::Array { rank, .. } => {
            ArgumentError::new(format!("it has {found} dimension{plural}, not {rank}"))
                .help("NumPy's `reshape` gives an array another shape")
        }
    }
}

/// The type of a file's elements, if they are numbers or truth values.
fn element_type(found: &DType, wanted: Scalar) -> Result<Found, ArgumentError> {
    let unknown = || {
        ArgumentError::new(format!("its elements are {}, not {wanted}", found.descr()))
            .help(format!("save an array of numbers, such as `xs.astype(numpy.{})`", numpy(wanted)))
    };
    let DType::Plain(ty) = found else { return Err(unknown()) };
    let kind = match (ty.type_char(), ty.size_field()) {
        (TypeChar::Bool, 1) => Kind::Scalar(Scalar::Bool),
        (TypeChar::Int, 1) => Kind::Scalar(Scalar::I8),
        (TypeChar::Int, 2) => Kind::Scalar(Scalar::I16),
        (TypeChar::Int, 4) => Kind::Scalar(Scalar::I32),
        (TypeChar::Int, 8) => Kind::Scalar(Scalar::I64),
        (TypeChar::Uint, 1) => Kind::Scalar(Scalar::U8),
        (TypeChar::Uint, 2) => Kind::Scalar(Scalar::U16),
        (TypeChar::Uint, 4) => Kind::Scalar(Scalar::U32),
        (TypeChar::Uint, 8) => Kind::Scalar(Scalar::U64),
        (TypeChar::Float, 2) => Kind::F16,
        (TypeChar::Float, 4) => Kind::Scalar(Scalar::F32),
        (TypeChar::Float, 8) => Kind::Scalar(Scalar::F64),
        _ => return Err(unknown()),
    };
    Ok(Found { kind, big_endian: ty.endianness() == Endianness::Big })
}

/// The error that a conversion could change values.
pub(super) fn inexact(found: Kind, wanted: Scalar) -> ArgumentError {
    let truths = Kind::Scalar(Scalar::Bool);
    let why = if found == truths || Kind::Scalar(wanted) == truths {
        "truth values are no numbers".to_string()
    } else {
        format!("{wanted} does not have all values of that type")
    };
    ArgumentError::new(format!("its elements are {}, not {wanted}: {why}", found.numpy())).help(
        format!(
            "convert them in NumPy, `xs.astype(numpy.{})`, or change the parameter's type",
            numpy(wanted)
        ),
    )
}

/// Elements in Fortran's order, the first dimension running fastest, in row-major order.
fn row_major(data: &ArrayData, shape: &[i64]) -> ArrayData {
    macro_rules! each {
        ($($name:ident)*) => {
            match data {
                $(ArrayData::$name(values) => ArrayData::$name(transposed(values, shape).into()),)*
            }
        };
    }
    each! { Bool I8 I16 I32 I64 U8 U16 U32 U64 F32 F64 }
}

/// How many rows and columns are copied at a time: both sides of the copy stay in the cache.
const BLOCK: usize = 64;

/// As [`row_major`], block by block. A row is an index of the first dimension, a column one of all others.
fn transposed<T: Copy>(values: &[T], shape: &[i64]) -> Vec<T> {
    let sizes: Vec<usize> = shape.iter().map(|&size| usize_of(size)).collect();
    let (Some((&rows, inner)), Some(&first)) = (sizes.split_first(), values.first()) else {
        return values.to_vec();
    };
    let columns: usize = inner.iter().product();
    let mut result = vec![first; values.len()];
    for top in (0..rows).step_by(BLOCK) {
        for left in (0..columns).step_by(BLOCK) {
            let mut starts = [0; BLOCK];
            let starts = &mut starts[..BLOCK.min(columns - left)];
            starts
                .iter_mut()
                .enumerate()
                .for_each(|(at, start)| *start = rows * reversed(left + at, inner));
            for row in top..rows.min(top + BLOCK) {
                let target = &mut result[row * columns + left..][..starts.len()];
                for (element, &start) in target.iter_mut().zip(&*starts) {
                    *element = values[start + row];
                }
            }
        }
    }
    result
}

/// The place in Fortran's order of an element at a place in row-major order.
fn reversed(mut place: usize, sizes: &[usize]) -> usize {
    let mut stride: usize = sizes.iter().product();
    sizes.iter().rev().fold(0, |sum, &size| {
        stride /= size;
        let index = place % size;
        place /= size;
        sum + index * stride
    })
}

fn usize_of(size: i64) -> usize {
    usize::try_from(size).expect("the sizes of an array that is in memory fit into a machine word")
}

/// Writes a value as a `.npy` file; a scalar has no dimensions there.
///
/// # Errors
/// If the file cannot be written.
pub fn write_npy<'a>(path: &Path, value: impl Into<View<'a>>) -> io::Result<()> {
    let mut file = File::create(path)?;
    write(&mut file, &value.into())?;
    file.flush()
}

/// Writes a value in NumPy's format: the header, and the elements as they lie in memory.
pub(super) fn write(mut file: impl Write, value: &View<'_>) -> io::Result<()> {
    file.write_all(&header(value.elements().ty(), value.shape())?)?;
    file.write_all(value.elements().bytes())
}

/// The bytes before the elements.
fn header(scalar: Scalar, shape: &[i64]) -> io::Result<Vec<u8>> {
    let shape: Vec<u64> = shape.iter().map(|size| size.unsigned_abs()).collect();
    let ty: TypeStr = type_name(scalar).parse().expect("the names of types are numpy's");
    let mut header = Vec::new();
    WriteOptions::new_header_only()
        .dtype(DType::Plain(ty))
        .shape(&shape)
        .writer(&mut header)
        .write_header_only()?;
    Ok(header)
}

/// The bytes before the first element of an array that is written in parts: room for the header of any shape.
const ROOM: usize = 1024;

/// An array that is written to a file part by part along its first dimension, and whose length is known at the end.
#[derive(Debug)]
pub struct NpyParts {
    file: File,
    scalar: Scalar,
    shape: Vec<i64>,
}

impl NpyParts {
    /// Begins in an empty file. `rows` is the shape of the array's elements along the first dimension.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new(mut file: File, scalar: Scalar, rows: &[i64]) -> io::Result<Self> {
        file.write_all(&[0; ROOM])?;
        Ok(Self { file, scalar, shape: [&[0], rows].concat() })
    }

    /// Adds a part behind the others: an array of the same type, whose elements have the same shape.
    ///
    /// # Errors
    /// If the file cannot be written.
    ///
    /// # Panics
    /// If the part is of another type or shape.
    pub fn push(&mut self, part: &View<'_>) -> io::Result<()> {
        let (length, rows) = part.shape().split_first().expect("a part is an array");
        assert!(part.elements().ty() == self.scalar && *rows == self.shape[1..], "parts fit");
        self.shape[0] += length;
        self.file.write_all(part.elements().bytes())
    }

    /// Writes the header, and gives the array, whose elements stay in the file.
    ///
    /// # Errors
    /// If the file cannot be written or mapped.
    pub fn finish(mut self) -> io::Result<ArrayValue> {
        let mut header = header(self.scalar, &self.shape)?;
        let line = header.pop().expect("a header ends in a line break");
        let length = u16::try_from(ROOM - FIXED).expect("it is a small number");
        if header.len() >= ROOM || header[6] != 1 {
            return Err(io::Error::other(
                "an array of that many dimensions cannot be written in parts",
            ));
        }
        header.resize(ROOM - 1, b' ');
        header.push(line);
        header[FIXED - 2..FIXED].copy_from_slice(&length.to_le_bytes());
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&header)?;
        ArrayValue::in_file(&self.file, self.scalar, self.shape, ROOM)
    }
}

/// The bytes of a header before its text: the name of the format, its version, and the length of the text in two bytes.
const FIXED: usize = 10;

/// The name of a type in headers. All machines that programs are compiled for store the least significant byte first.
fn type_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "|b1",
        Scalar::I8 => "|i1",
        Scalar::I16 => "<i2",
        Scalar::I32 => "<i4",
        Scalar::I64 => "<i8",
        Scalar::U8 => "|u1",
        Scalar::U16 => "<u2",
        Scalar::U32 => "<u4",
        Scalar::U64 => "<u8",
        Scalar::F32 => "<f4",
        Scalar::F64 => "<f8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_is_transposed() {
        for [a, b, c, d] in
            [[2, 3, 1, 1], [70, 130, 1, 1], [3, 4, 5, 1], [2, 3, 2, 67], [1, 5, 1, 2], [4, 0, 3, 1]]
        {
            let mut fortran = vec![0; a * b * c * d];
            for (i, j) in (0..a).flat_map(|i| (0..b).map(move |j| (i, j))) {
                for (k, l) in (0..c).flat_map(|k| (0..d).map(move |l| (k, l))) {
                    fortran[i + a * (j + b * (k + c * l))] = ((i * b + j) * c + k) * d + l;
                }
            }
            let shape = [a, b, c, d].map(|size| i64::try_from(size).expect("it is small"));
            let expected: Vec<usize> = (0..fortran.len()).collect();
            assert_eq!(transposed(&fortran, &shape), expected, "{shape:?}");
        }
    }

    #[test]
    fn parts_become_one_array() {
        let folder = tempfile::tempdir().expect("a folder for a test");
        let path = folder.path().join("xs.npy");
        let file = File::options().read(true).write(true).create_new(true).open(&path);
        let file = file.expect("it is made");
        let matrix = |rows: i64, values: Vec<i16>| {
            let array = ArrayValue::new(vec![rows, 2], ArrayData::I16(values.into()));
            Value::Array(array.expect("two columns"))
        };
        let mut parts = NpyParts::new(file, Scalar::I16, &[2]).expect("it begins");
        for part in [matrix(1, vec![1, 2]), matrix(0, vec![]), matrix(2, vec![3, 4, 5, 6])] {
            parts.push(&View::from(&part)).expect("it is written");
        }
        let expected = matrix(3, vec![1, 2, 3, 4, 5, 6]);
        let array = parts.finish().expect("it ends");
        let Value::Array(matrix) = &expected else { unreachable!("it is an array") };
        assert_eq!(&array, matrix);
        assert_eq!(array.rows(1..3).data(), &ArrayData::I16(vec![3, 4, 5, 6].into()));
        assert_eq!(ArrayValue::concat(&[array.rows(0..1), array.rows(1..3)]), *matrix);
        let content = super::super::content::open(&path).expect("it is there");
        assert_eq!(read(content, expected.ty()).expect("it is an array of that type"), expected);
    }

    #[test]
    fn elements_stay_in_the_file() {
        let folder = tempfile::tempdir().expect("a folder for a test");
        let path = folder.path().join("xs.npy");
        let written = Value::from(vec![1.5, -2.0, 3.25]);
        write_npy(&path, &written).expect("it is written");
        let content = super::super::content::open(&path).expect("it is there");
        let Content::Mapped { map, .. } = &content else { panic!("a plain file is mapped") };
        let map = std::sync::Arc::clone(map);
        let read = read(content, written.ty()).expect("it is an array of that type");
        assert_eq!(read, written);
        let Value::Array(array) = read else { panic!("an array was written") };
        assert!(map.as_ptr_range().contains(&array.data().as_slice().bytes().as_ptr()));
    }
}

//! Files of Futhark's data: values one after the other, each as a literal or in the binary format.
//!
//! Invariant: the elements are those of the file, in the parameter's type. They stay in the file if they have the same
//! form there as in memory.
//!
//! ```text
//! 'b' 2 rank type[4] size[8]… element…     version 2; sizes and elements begin with the least significant byte
//! ```

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::bounded::stream;
use super::content::{Bytes, Whole};
use super::error::ArgumentError;
use super::exact::{Found, Kind, exact};
use super::literal::{literal, type_of};
use super::scan::{end_of_value, skip_space, uncommented};
use crate::host::{ArrayValue, Scalar, Value, ValueType, View};

/// The version of the binary format.
const VERSION: u8 = 2;

/// How many bytes the name of a type has. Shorter names begin with blanks.
const NAME: usize = 4;

/// The values of a file, which are read when they are asked for.
#[derive(Debug)]
pub struct DataFile {
    whole: Whole,
    items: Vec<Item>,
}

/// A value, and the place of its text or of its elements.
#[derive(Debug)]
enum Item {
    Literal(Range<usize>),
    Binary { kind: Kind, shape: Vec<i64>, elements: Range<usize> },
}

impl DataFile {
    /// Opens a file, to which no one may write as long as its values are used. If its name ends in `.gz`, it is
    /// decompressed.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn open(path: &Path) -> Result<Self, ArgumentError> {
        let whole = if is_compressed(path) {
            let mut bytes = Vec::new();
            stream(MultiGzDecoder::new(File::open(path)?)).read_to_end(&mut bytes)?;
            Whole::Read(Arc::new(bytes))
        } else {
            Whole::open(path)?
        };
        Self::new(whole)
    }

    /// Reads a file, which may be written to afterwards.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn read(path: &Path) -> Result<Self, ArgumentError> {
        let mut file = File::open(path)?;
        let mut bytes = Vec::new();
        if file.metadata()?.is_file() {
            file.read_to_end(&mut bytes)?;
        } else {
            stream(file).read_to_end(&mut bytes)?;
        }
        Self::new(Whole::Read(Arc::new(bytes)))
    }

    /// Finds the values.
    pub(super) fn new(whole: Whole) -> Result<Self, ArgumentError> {
        let bytes = whole.as_slice();
        let (mut items, mut at) = (Vec::new(), 0);
        loop {
            at = bytes.len() - skip_space(&bytes[at..]).len();
            if at == bytes.len() {
                return Ok(Self { whole, items });
            }
            let item = if is_binary(&bytes[at..]) {
                binary(bytes, at)?
            } else {
                Item::Literal(at..at + end_of_value(&bytes[at..]))
            };
            at = item.end();
            items.push(item);
        }
    }

    /// How many values it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether it has no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The type of a value. A literal without a suffix is an `i32` or an `f64`, as in Futhark.
    ///
    /// # Errors
    /// If the text is no literal, or its type is none of Arr's.
    ///
    /// # Panics
    /// If it has no value at this place.
    pub fn ty(&self, place: usize) -> Result<ValueType, ArgumentError> {
        match &self.items[place] {
            Item::Literal(range) => type_of(&uncommented(self.text(range)?))
                .map_err(|error| ArgumentError::new(error.problem)),
            Item::Binary { kind: Kind::F16, .. } => {
                Err(ArgumentError::new("its elements are f16, which Arr does not have"))
            }
            Item::Binary { kind: Kind::Scalar(scalar), shape, .. } => {
                let rank = u32::try_from(shape.len()).expect("a rank is one byte");
                Ok(if rank == 0 {
                    ValueType::Scalar(*scalar)
                } else {
                    ValueType::Array { scalar: *scalar, rank }
                })
            }
        }
    }

    /// Reads a value as a type.
    ///
    /// # Errors
    /// If it is of another type.
    ///
    /// # Panics
    /// If it has no value at this place.
    pub fn get(&self, place: usize, ty: ValueType) -> Result<Value, ArgumentError> {
        let (kind, shape, elements) = match &self.items[place] {
            Item::Literal(range) => {
                let read = literal(&uncommented(self.text(range)?), ty);
                return read.map_err(|error| ArgumentError::new(error.problem));
            }
            Item::Binary { kind, shape, elements } => (*kind, shape, elements),
        };
        let (scalar, rank) = match ty {
            ValueType::Scalar(scalar) => (scalar, 0),
            ValueType::Array { scalar, rank } => (scalar, rank as usize),
        };
        let found = || format!("it is of type {}{}", "[]".repeat(shape.len()), name(kind));
        if shape.len() != rank {
            return Err(ArgumentError::new(format!("{}, not {ty}", found()))
                .help("give a value of the parameter's type, or change the parameter's type"));
        }
        let bytes = match &self.whole {
            Whole::Mapped(map) => Bytes::Mapped { map: Arc::clone(map), range: elements.clone() },
            Whole::Read(bytes) => Bytes::Read(bytes[elements.clone()].to_vec()),
        };
        let data = exact(&bytes, Found { kind, big_endian: false }, scalar).ok_or_else(|| {
            let problem = format!("{}, and {scalar} does not have all of its values", found());
            ArgumentError::new(problem)
                .help("give a value of the parameter's type, or change the parameter's type")
        })?;
        Ok(match ty {
            ValueType::Scalar(_) => Value::Scalar(data.get(0).expect("one element was found")),
            ValueType::Array { .. } => Value::Array(
                ArrayValue::new(shape.clone(), data).expect("as many elements were found"),
            ),
        })
    }

    fn text(&self, range: &Range<usize>) -> Result<&str, ArgumentError> {
        std::str::from_utf8(&self.whole.as_slice()[range.clone()]).map_err(|_| {
            ArgumentError::new("it is neither text nor in Futhark's binary format")
                .help("a binary value begins with the letter `b` and the byte 2")
        })
    }
}

impl Item {
    fn end(&self) -> usize {
        match self {
            Self::Literal(range) | Self::Binary { elements: range, .. } => range.end,
        }
    }
}

/// Whether a text is certainly a file of binary values. The name of a table's first column may begin with `b`.
pub(super) fn begins_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(&[b'b', VERSION])
}

/// Whether a value in the binary format begins here. No literal begins with `b`.
fn is_binary(bytes: &[u8]) -> bool {
    bytes.first() == Some(&b'b')
}

/// Reads the header of a value in the binary format, and finds its elements.
fn binary(bytes: &[u8], at: usize) -> Result<Item, ArgumentError> {
    let mut at = at + 1;
    let mut take = |count: usize| {
        let taken = bytes.get(at..at + count).ok_or_else(cut_off)?;
        at += count;
        Ok::<_, ArgumentError>(taken)
    };
    let version = take(1)?[0];
    if version != VERSION {
        let problem = format!("its binary format has the version {version}, not {VERSION}");
        return Err(ArgumentError::new(problem).help("write the file by a newer Futhark"));
    }
    let rank = take(1)?[0];
    let name = take(NAME)?;
    let kind = kind(name).ok_or_else(|| {
        let name = String::from_utf8_lossy(name).trim().to_owned();
        ArgumentError::new(format!("`{name}` is no type of Futhark's binary format"))
            .help("the file was changed or cut off: write or copy it again")
    })?;
    let too_large = || ArgumentError::new("its shape is too large");
    let mut shape = Vec::new();
    for _ in 0..rank {
        let size = u64::from_le_bytes(*take(8)?.first_chunk().expect("8 bytes were taken"));
        shape.push(i64::try_from(size).map_err(|_| too_large())?);
    }
    // A zero makes an array empty, however large the other sizes are.
    let count = if shape.contains(&0) {
        Some(0)
    } else {
        shape
            .iter()
            .try_fold(1_usize, |count, &size| count.checked_mul(usize::try_from(size).ok()?))
    };
    let size = usize::try_from(kind.bytes()).expect("a scalar has a few bytes");
    let count = count.and_then(|count| count.checked_mul(size)).ok_or_else(too_large)?;
    let end = at.checked_add(count).filter(|&end| end <= bytes.len()).ok_or_else(cut_off)?;
    Ok(Item::Binary { kind, shape, elements: at..end })
}

fn cut_off() -> ArgumentError {
    ArgumentError::new("it ends too early: the elements of a binary value are missing")
        .help("the file was cut off: write or copy it again")
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Scalar(scalar) => scalar.name(),
        Kind::F16 => "f16",
    }
}

fn kind(name: &[u8]) -> Option<Kind> {
    let name = std::str::from_utf8(name).ok()?.trim_start();
    if name == "f16" { Some(Kind::F16) } else { Scalar::from_name(name).map(Kind::Scalar) }
}

/// Writes values to one file, each in the binary format. If its name ends in `.gz`, it is compressed.
///
/// # Errors
/// If the file cannot be written.
pub fn write_data<'a>(path: &Path, values: impl IntoIterator<Item = View<'a>>) -> io::Result<()> {
    let file = BufWriter::new(File::create(path)?);
    if !is_compressed(path) {
        return write(file, values)?.flush();
    }
    write(GzEncoder::new(file, Compression::default()), values)?.finish()?.flush()
}

fn write<'a, W: Write>(mut file: W, values: impl IntoIterator<Item = View<'a>>) -> io::Result<W> {
    for value in values {
        let (elements, shape) = (value.elements(), value.shape());
        let rank = u8::try_from(shape.len())
            .map_err(|_| io::Error::other("Futhark's format has at most 255 dimensions"))?;
        file.write_all(&[b'b', VERSION, rank])?;
        write!(file, "{:>NAME$}", elements.ty().name())?;
        for size in shape {
            file.write_all(&size.unsigned_abs().to_le_bytes())?;
        }
        file.write_all(elements.bytes())?;
    }
    Ok(file)
}

fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "gz")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::ArrayData;

    fn file(bytes: &[u8]) -> Result<DataFile, ArgumentError> {
        DataFile::new(Whole::Read(Arc::new(bytes.to_vec())))
    }

    #[test]
    fn binary_values_and_literals_may_be_mixed() {
        let mut bytes = b" -- a comment\n[1, -- inside\n 2] b\x02\x01 i32".to_vec();
        bytes.extend(2_u64.to_le_bytes());
        bytes.extend([7_i32, -8].into_iter().flat_map(i32::to_le_bytes));
        bytes.extend(b"\n2.5f32 b\x02\x00bool\x01 empty([0]u8)");
        let file = file(&bytes).expect("it is a file of data");
        let vector = |scalar| ValueType::Array { scalar, rank: 1 };
        let types = [
            vector(Scalar::I32),
            vector(Scalar::I32),
            ValueType::Scalar(Scalar::F32),
            ValueType::Scalar(Scalar::Bool),
            vector(Scalar::U8),
        ];
        let values: [Value; 5] = [
            vec![1_i32, 2].into(),
            vec![7_i32, -8].into(),
            2.5_f32.into(),
            true.into(),
            Vec::<u8>::new().into(),
        ];
        assert_eq!(file.len(), 5);
        for (place, (ty, value)) in types.into_iter().zip(values).enumerate() {
            assert_eq!(file.ty(place), Ok(ty));
            assert_eq!(file.get(place, ty), Ok(value));
        }
        assert_eq!(file.get(1, vector(Scalar::F64)), Ok(vec![7.0, -8.0].into()));
    }

    #[test]
    fn written_values_are_read_back() {
        let folder = tempfile::tempdir().expect("a folder for a test");
        let path = folder.path().join("xs.out");
        let matrix = ArrayValue::new(vec![2, 2], ArrayData::U16(vec![1, 2, 3, 4].into()));
        let matrix = Value::Array(matrix.expect("2 times 2 is 4"));
        let values = [matrix, (-3_i8).into(), vec![1.5, f64::NEG_INFINITY].into()];
        write_data(&path, values.iter().map(View::from)).expect("it is written");
        let bytes = std::fs::read(&path).expect("it is there");
        assert_eq!(bytes[..7], *b"b\x02\x02 u16");
        let file = DataFile::open(&path).expect("it is a file of data");
        for (place, value) in values.into_iter().enumerate() {
            assert_eq!(file.get(place, value.ty()), Ok(value));
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let problem = |bytes: &[u8]| file(bytes).expect_err("it is damaged").problem;
        assert_eq!(problem(b"b\x01\x00 i32"), "its binary format has the version 1, not 2");
        assert_eq!(problem(b"b\x02\x00 i33"), "`i33` is no type of Futhark's binary format");
        let early = "it ends too early: the elements of a binary value are missing";
        assert_eq!(problem(b"b"), early);
        assert_eq!(problem(b"b\x02\x00 i32\x00\x00\x00"), early);
        assert_eq!(problem(b"b\x02\x01 i32\x00"), early);
        let mut huge = b"b\x02\x02 i32".to_vec();
        huge.extend([u64::MAX / 2; 2].into_iter().flat_map(u64::to_le_bytes));
        assert_eq!(problem(&huge), "its shape is too large");
        let half = file(b"b\x02\x00 f16\x00\x3c").expect("it is a file of data");
        assert_eq!(half.get(0, ValueType::Scalar(Scalar::F32)), Ok(1.0_f32.into()));
        assert!(half.ty(0).is_err());
        let wide = file(b"b\x02\x00 i64\x00\x00\x00\x00\x00\x00\x00\x00").expect("a file of data");
        let told = wide.get(0, ValueType::Scalar(Scalar::F64)).expect_err("it may be inexact");
        assert_eq!(told.problem, "it is of type i64, and f64 does not have all of its values");
    }
}

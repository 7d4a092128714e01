//! Converts elements of one type to another, if each value of the one is a value of the other.
//!
//! Invariant: a conversion changes no value. Other conversions are refused.
//!
//! ```text
//! i8 u8 → i16 … i64, f32, f64     i32 u32 → i64, f64     f16 → f32, f64     f32 → f64     not i64 → f64
//! ```

use super::content::Bytes;
use crate::host::{ArrayData, Elements, Mappable, Scalar};

/// The type of the elements in a file, and the order of their bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    /// The type.
    pub(super) kind: Kind,
    /// Whether the most significant byte comes first.
    pub(super) big_endian: bool,
}

/// A type of elements in files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A type that programs have too.
    Scalar(Scalar),
    /// Floats of two bytes.
    F16,
}

/// A type in the form of files.
trait Stored: Sized {
    /// How many bytes a value has.
    const SIZE: usize;
    /// The value of [`Self::SIZE`] bytes.
    fn read(bytes: &[u8], big_endian: bool) -> Self;
}

macro_rules! stored {
    ($($rust:ident)*) => {$(
        impl Stored for $rust {
            const SIZE: usize = size_of::<$rust>();

            fn read(bytes: &[u8], big_endian: bool) -> Self {
                let bytes = *bytes.first_chunk().expect("chunks have the size of a value");
                if big_endian { Self::from_be_bytes(bytes) } else { Self::from_le_bytes(bytes) }
            }
        }
    )*};
}

stored! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

impl Stored for bool {
    const SIZE: usize = 1;

    fn read(bytes: &[u8], _: bool) -> Self {
        bytes[0] != 0
    }
}

/// A float of two bytes.
struct Half(f32);

impl Stored for Half {
    const SIZE: usize = 2;

    fn read(bytes: &[u8], big_endian: bool) -> Self {
        let bits = u16::read(bytes, big_endian);
        let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
        let size = match exponent {
            0 => fraction * 2_f32.powi(-24),
            31 if fraction == 0.0 => f32::INFINITY,
            31 => f32::NAN,
            _ => (1024.0 + fraction) * 2_f32.powi(exponent - 25),
        };
        Self(if bits >> 15 == 1 { -size } else { size })
    }
}

impl From<Half> for f32 {
    fn from(half: Half) -> Self {
        half.0
    }
}

impl From<Half> for f64 {
    fn from(half: Half) -> Self {
        half.0.into()
    }
}

/// The same values in another type, in memory of their own.
fn convert<S: Stored, T: From<S>>(bytes: &[u8], big_endian: bool) -> Elements<T> {
    bytes.chunks_exact(S::SIZE).map(|value| S::read(value, big_endian).into()).collect()
}

/// Values of the type itself: in place, if they are aligned.
fn same<T: Stored + Mappable>(bytes: &Bytes, big_endian: bool) -> Elements<T> {
    let is_native = T::SIZE == 1 || big_endian == cfg!(target_endian = "big");
    let mapped = if is_native { bytes.mapped() } else { None };
    mapped.unwrap_or_else(|| convert::<T, T>(bytes.as_slice(), big_endian))
}

/// Writes the conversions: each type is followed by the types that convert to it.
macro_rules! conversions {
    ($($name:ident $rust:ident: $($from:ident $source:ident),*;)*) => {
        /// Bytes of a file as elements of a type; `None` if that type does not have all values of the file's type.
        pub(super) fn exact(bytes: &Bytes, found: Found, wanted: Scalar) -> Option<ArrayData> {
            let Found { kind, big_endian } = found;
            Some(match (wanted, kind) {
                $(
                    (Scalar::$name, Kind::Scalar(Scalar::$name)) => {
                        ArrayData::$name(same::<$rust>(bytes, big_endian))
                    }
                    $((Scalar::$name, Kind::Scalar(Scalar::$from)) => {
                        ArrayData::$name(convert::<$source, $rust>(bytes.as_slice(), big_endian))
                    })*
                )*
                (Scalar::F32, Kind::F16) => {
                    ArrayData::F32(convert::<Half, f32>(bytes.as_slice(), big_endian))
                }
                (Scalar::F64, Kind::F16) => {
                    ArrayData::F64(convert::<Half, f64>(bytes.as_slice(), big_endian))
                }
                (_, Kind::Scalar(_) | Kind::F16) => return None,
            })
        }
    };
}

conversions! {
    Bool bool:;
    I8 i8:;
    I16 i16: I8 i8, U8 u8;
    I32 i32: I8 i8, U8 u8, I16 i16, U16 u16;
    I64 i64: I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32;
    U8 u8:;
    U16 u16: U8 u8;
    U32 u32: U8 u8, U16 u16;
    U64 u64: U8 u8, U16 u16, U32 u32;
    F32 f32: I8 i8, U8 u8, I16 i16, U16 u16;
    F64 f64: I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, F32 f32;
}

impl Kind {
    /// How many bytes a value has.
    pub(super) fn bytes(self) -> u64 {
        match self {
            Self::Scalar(scalar) => u64::from(scalar.bytes()),
            Self::F16 => 2,
        }
    }

    /// The type's name in NumPy.
    pub(super) fn numpy(self) -> &'static str {
        match self {
            Self::F16 => "float16",
            Self::Scalar(scalar) => numpy(scalar),
        }
    }
}

/// A type's name in NumPy.
pub(super) fn numpy(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "int8",
        Scalar::I16 => "int16",
        Scalar::I32 => "int32",
        Scalar::I64 => "int64",
        Scalar::U8 => "uint8",
        Scalar::U16 => "uint16",
        Scalar::U32 => "uint32",
        Scalar::U64 => "uint64",
        Scalar::F32 => "float32",
        Scalar::F64 => "float64",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_those_of_the_standard() {
        let cases: [(u16, f32); 10] = [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0001, 2.0_f32.powi(-24)),
            (0x03ff, 1023.0 * 2.0_f32.powi(-24)),
            (0x0400, 2.0_f32.powi(-14)),
            (0x3555, 0.333_251_95),
            (0x7c00, f32::INFINITY),
            (0xfc00, f32::NEG_INFINITY),
        ];
        for (bits, value) in cases {
            assert_eq!(Half::read(&bits.to_le_bytes(), false).0.to_bits(), value.to_bits());
            assert_eq!(Half::read(&bits.to_be_bytes(), true).0.to_bits(), value.to_bits());
        }
        assert!(Half::read(&0x7e00_u16.to_le_bytes(), false).0.is_nan());
        assert_eq!(Half::read(&0x8000_u16.to_le_bytes(), false).0.to_bits(), (-0.0_f32).to_bits());
    }

    #[test]
    fn only_exact_conversions_are_made() {
        let one = Bytes::Read(vec![0, 0, 0, 0, 0, 0, 0, 1]);
        let found = |scalar| Found { kind: Kind::Scalar(scalar), big_endian: true };
        assert_eq!(
            exact(&one, found(Scalar::U32), Scalar::F64),
            Some(ArrayData::F64(vec![0.0, 1.0].into()))
        );
        assert_eq!(
            exact(&one, found(Scalar::I64), Scalar::I64),
            Some(ArrayData::I64(vec![1].into()))
        );
        for (from, to) in [
            (Scalar::I64, Scalar::F64),
            (Scalar::I64, Scalar::I32),
            (Scalar::I32, Scalar::F32),
            (Scalar::I8, Scalar::U64),
            (Scalar::U8, Scalar::I8),
            (Scalar::F64, Scalar::F32),
            (Scalar::Bool, Scalar::I64),
            (Scalar::U8, Scalar::Bool),
        ] {
            assert_eq!(exact(&one, found(from), to), None, "{from} to {to}");
        }
    }
}

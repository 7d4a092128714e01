//! What goes into calls and comes out: scalars and dense arrays of them.
//!
//! Invariant: an [`ArrayValue`] has as many elements as its shape says, and its rank is not 0.

use std::fmt;

use arr_abi::{Scalar, each_scalar};

/// Writes what each scalar type needs.
macro_rules! scalars {
    ($($(#[$doc:meta])* $name:ident = $rust:ident, $c:literal;)*) => {
        /// A scalar.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub enum ScalarValue {
            $($(#[$doc])* $name($rust),)*
        }

        /// The elements of an array, in row-major order.
        #[derive(Clone, PartialEq, Debug)]
        pub enum ArrayData {
            $($(#[$doc])* $name(Vec<$rust>),)*
        }

        impl ScalarValue {
            /// The scalar's type.
            #[must_use]
            pub fn ty(self) -> Scalar {
                match self {
                    $(Self::$name(_) => Scalar::$name,)*
                }
            }

            /// The scalar as it lies in memory; bytes behind its size are zero.
            pub(super) fn to_memory(self) -> [u8; 8] {
                let mut memory = [0; 8];
                match self {
                    $(Self::$name(value) => $rust::put(value, &mut memory),)*
                }
                memory
            }

            /// Reads a scalar from where it lies in memory.
            pub(super) fn from_memory(ty: Scalar, memory: &[u8; 8]) -> Self {
                match ty {
                    $(Scalar::$name => Self::$name($rust::get(memory)),)*
                }
            }
        }

        impl ArrayData {
            /// The type of the elements.
            #[must_use]
            pub fn ty(&self) -> Scalar {
                match self {
                    $(Self::$name(_) => Scalar::$name,)*
                }
            }

            /// How many elements there are.
            #[must_use]
            pub fn len(&self) -> usize {
                match self {
                    $(Self::$name(values) => values.len(),)*
                }
            }

            /// How many bytes of memory the elements take.
            #[must_use]
            pub fn bytes(&self) -> usize {
                match self {
                    $(Self::$name(values) => size_of_val(&values[..]),)*
                }
            }

            /// One of the elements.
            #[must_use]
            pub fn get(&self, at: usize) -> Option<ScalarValue> {
                match self {
                    $(Self::$name(values) => values.get(at).copied().map(ScalarValue::$name),)*
                }
            }

            /// The first element's address, which says nothing if there is none.
            pub(super) fn as_ptr(&self) -> *const u8 {
                match self {
                    $(Self::$name(values) => values.as_ptr().cast(),)*
                }
            }

            /// Collects scalars of one type; the first that is of another type is the error.
            ///
            /// # Errors
            /// A scalar that is not of type `ty`.
            pub fn collect(
                ty: Scalar,
                scalars: impl IntoIterator<Item = ScalarValue>,
            ) -> Result<Self, ScalarValue> {
                let scalars = scalars.into_iter();
                match ty {
                    $(Scalar::$name => {
                        let values = scalars.map(|scalar| match scalar {
                            ScalarValue::$name(value) => Ok(value),
                            #[allow(clippy::wildcard_enum_match_arm, reason = "every other type is wrong")]
                            other => Err(other),
                        });
                        values.collect::<Result<_, _>>().map(Self::$name)
                    })*
                }
            }

            /// Copies elements from where they lie in memory.
            pub(super) fn from_memory(ty: Scalar, memory: &[u8]) -> Self {
                match ty {
                    $(Scalar::$name => {
                        let elements = memory.chunks_exact(size_of::<$rust>());
                        Self::$name(elements.map($rust::get).collect())
                    })*
                }
            }
        }

        $(
            impl From<$rust> for Value {
                fn from(value: $rust) -> Self {
                    Self::Scalar(ScalarValue::$name(value))
                }
            }

            /// An array of one dimension.
            impl From<Vec<$rust>> for Value {
                fn from(values: Vec<$rust>) -> Self {
                    Self::Array(ArrayValue::vector(ArrayData::$name(values)))
                }
            }
        )*
    };
}

each_scalar!(scalars);

/// An argument or a result.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// One scalar.
    Scalar(ScalarValue),
    /// An array.
    Array(ArrayValue),
}

/// The type of an argument or a result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ValueType {
    /// A scalar.
    Scalar(Scalar),
    /// An array.
    Array {
        /// The type of its elements.
        scalar: Scalar,
        /// How many dimensions it has.
        rank: u32,
    },
}

/// A dense array in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub struct ArrayValue {
    shape: Vec<i64>,
    data: ArrayData,
}

impl Value {
    /// The value's type.
    #[must_use]
    pub fn ty(&self) -> ValueType {
        match self {
            Self::Scalar(scalar) => ValueType::Scalar(scalar.ty()),
            Self::Array(array) => ValueType::Array { scalar: array.data.ty(), rank: array.rank() },
        }
    }
}

impl ArrayValue {
    /// An array of that shape; `None` if the shape is empty or has not as many elements as `data`.
    #[must_use]
    pub fn new(shape: Vec<i64>, data: ArrayData) -> Option<Self> {
        let sizes = shape.iter().map(|&size| usize::try_from(size).ok());
        let count = sizes.clone().try_fold(1_usize, |count, size| count.checked_mul(size?));
        // A zero makes an array empty, however large the other sizes are.
        let empty = sizes.clone().all(|size| size.is_some()) && shape.contains(&0);
        let count = if empty { Some(0) } else { count };
        (!shape.is_empty() && count == Some(data.len())).then_some(Self { shape, data })
    }

    /// An array of one dimension.
    #[must_use]
    pub fn vector(data: ArrayData) -> Self {
        let length = i64::try_from(data.len()).expect("no vector has more than 2^63 - 1 elements");
        Self { shape: vec![length], data }
    }

    /// Its sizes, outermost first.
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// How many dimensions it has.
    #[must_use]
    pub fn rank(&self) -> u32 {
        u32::try_from(self.shape.len()).expect("no array has 2^32 dimensions")
    }

    /// Its elements, in row-major order.
    #[must_use]
    pub fn data(&self) -> &ArrayData {
        &self.data
    }

    /// Its shape and elements.
    #[must_use]
    pub fn into_parts(self) -> (Vec<i64>, ArrayData) {
        (self.shape, self.data)
    }
}

impl ArrayData {
    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(scalar) => scalar.fmt(f),
            Self::Array { scalar, rank } => {
                (0..*rank).try_for_each(|_| f.write_str("[]"))?;
                scalar.fmt(f)
            }
        }
    }
}

/// A scalar in the machine's memory.
trait InMemory: Sized {
    /// Writes it to the front of `memory`, which is long enough.
    fn put(self, memory: &mut [u8]);
    /// Reads it from the front of `memory`, which is long enough.
    fn get(memory: &[u8]) -> Self;
}

macro_rules! in_memory {
    ($($rust:ident)*) => {$(
        impl InMemory for $rust {
            fn put(self, memory: &mut [u8]) {
                memory[..size_of::<Self>()].copy_from_slice(&self.to_ne_bytes());
            }

            fn get(memory: &[u8]) -> Self {
                let bytes = memory.first_chunk().expect("the memory of a scalar holds it");
                Self::from_ne_bytes(*bytes)
            }
        }
    )*};
}

in_memory! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

impl InMemory for bool {
    fn put(self, memory: &mut [u8]) {
        u8::from(self).put(memory);
    }

    fn get(memory: &[u8]) -> Self {
        u8::get(memory) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_survive_memory() {
        let scalars = [
            ScalarValue::Bool(true),
            ScalarValue::I8(-3),
            ScalarValue::U16(65535),
            ScalarValue::I64(i64::MIN),
            ScalarValue::F32(1.5),
            ScalarValue::F64(-0.1),
        ];
        for scalar in scalars {
            assert_eq!(ScalarValue::from_memory(scalar.ty(), &scalar.to_memory()), scalar);
        }
    }

    #[test]
    fn arrays_have_the_elements_of_their_shape() {
        let six = || ArrayData::I16(vec![1, 2, 3, 4, 5, 6]);
        let array = ArrayValue::new(vec![2, 3], six()).expect("2 times 3 is 6");
        assert_eq!(Value::Array(array).ty().to_string(), "[][]i16");
        for shape in [vec![], vec![5], vec![-2, -3], vec![i64::MAX, i64::MAX]] {
            assert_eq!(ArrayValue::new(shape, six()), None);
        }
        let none = || ArrayData::Bool(Vec::new());
        assert!(ArrayValue::new(vec![i64::MAX, i64::MAX, 0], none()).is_some());
        assert!(ArrayValue::new(vec![0, -1], none()).is_none());
    }

    #[test]
    fn collecting_names_the_stranger() {
        let scalars = [ScalarValue::I8(1), ScalarValue::I8(2)];
        assert_eq!(ArrayData::collect(Scalar::I8, scalars), Ok(ArrayData::I8(vec![1, 2])));
        let mixed = [ScalarValue::I8(1), ScalarValue::F32(2.0)];
        assert_eq!(ArrayData::collect(Scalar::I8, mixed), Err(ScalarValue::F32(2.0)));
    }
}

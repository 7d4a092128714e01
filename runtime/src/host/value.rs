//! Arguments and results of calls: scalars and dense arrays of them.
//!
//! Invariant: an [`ArrayValue`] has as many elements as its shape says, and its rank is not 0.

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use arr_abi::{Scalar, each_scalar};
use memmap2::Mmap;

use super::elements::Elements;

/// Writes the items that each scalar type needs.
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
            $($(#[$doc])* $name(Elements<$rust>),)*
        }

        /// Elements that lie elsewhere, in row-major order.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub enum Slice<'a> {
            $($(#[$doc])* $name(&'a [$rust]),)*
        }

        impl ScalarValue {
            /// The scalar's type.
            #[must_use]
            pub fn ty(self) -> Scalar {
                self.as_slice().ty()
            }

            /// The scalar as the only element.
            pub(super) fn as_slice(&self) -> Slice<'_> {
                match self {
                    $(Self::$name(value) => Slice::$name(std::slice::from_ref(value)),)*
                }
            }
        }

        impl<'a> Slice<'a> {
            /// The type of the elements.
            #[must_use]
            pub fn ty(self) -> Scalar {
                match self {
                    $(Self::$name(_) => Scalar::$name,)*
                }
            }

            /// How many elements there are.
            #[must_use]
            pub fn len(self) -> usize {
                match self {
                    $(Self::$name(values) => values.len(),)*
                }
            }

            /// One of the elements.
            #[must_use]
            pub fn get(self, at: usize) -> Option<ScalarValue> {
                match self {
                    $(Self::$name(values) => values.get(at).copied().map(ScalarValue::$name),)*
                }
            }

            /// The elements as they lie in memory.
            #[must_use]
            pub fn bytes(self) -> &'a [u8] {
                match self {
                    // SAFETY: scalars have no padding, and `u8` may lie anywhere.
                    $(Self::$name(values) => unsafe {
                        std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values))
                    },)*
                }
            }

            /// A copy.
            #[must_use]
            pub fn to_data(self) -> ArrayData {
                match self {
                    $(Self::$name(values) => ArrayData::$name(values.to_vec().into()),)*
                }
            }

            /// The elements that lie at an address; if there are none, it may be any.
            ///
            /// # Safety
            /// That many elements lie there, aligned, and are not written to while the slice is used.
            pub(super) unsafe fn at(ty: Scalar, address: *const u8, count: usize) -> Self {
                match ty {
                    $(Scalar::$name if count == 0 => Self::$name(&[]),)*
                    // SAFETY: by contract.
                    $(Scalar::$name => Self::$name(unsafe {
                        std::slice::from_raw_parts(address.cast(), count)
                    }),)*
                }
            }
        }

        impl ArrayData {
            /// The elements, to be read.
            #[must_use]
            pub fn as_slice(&self) -> Slice<'_> {
                match self {
                    $(Self::$name(values) => Slice::$name(values),)*
                }
            }

            /// Some of the elements, in the same memory.
            fn part(&self, range: Range<usize>) -> Self {
                match self {
                    $(Self::$name(values) => Self::$name(values.part(range)),)*
                }
            }

            fn evict(&self) {
                match self {
                    $(Self::$name(values) => values.evict(),)*
                }
            }

            /// The elements at a range of bytes of a map, if they are values of the type.
            fn mapped(ty: Scalar, map: &Arc<Mmap>, range: Range<usize>) -> Option<Self> {
                match ty {
                    $(Scalar::$name => Elements::mapped(map, range).map(Self::$name),)*
                }
            }

            /// A copy of elements of one type, one slice after the other.
            fn concat(ty: Scalar, parts: &[Slice<'_>]) -> Self {
                match ty {
                    $(Scalar::$name => {
                        let slices = parts.iter().map(|part| match part {
                            Slice::$name(values) => *values,
                            #[allow(clippy::wildcard_enum_match_arm, reason = "every other type is wrong")]
                            _ => unreachable!("parts of an array are of its type"),
                        });
                        Self::$name(slices.collect::<Vec<_>>().concat().into())
                    })*
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
                    Self::Array(ArrayValue::vector(ArrayData::$name(values.into())))
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

    /// The elements of a file from a byte on. They stay there; no one may write to the file as long as they are used.
    ///
    /// # Errors
    /// If the file cannot be mapped, or has no such elements there.
    pub fn in_file(file: &File, scalar: Scalar, shape: Vec<i64>, at: usize) -> io::Result<Self> {
        // SAFETY: the documentation asks that no one writes to the file, which is all that can be done.
        let map = Arc::new(unsafe { Mmap::map(file) }?);
        let end = map.len();
        let data = ArrayData::mapped(scalar, &map, at..end);
        let array = data.and_then(|data| Self::new(shape, data));
        array.ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// Its elements along the first dimension, within a range. They are in the same memory.
    ///
    /// # Panics
    /// If the range is not inside.
    #[must_use]
    pub fn rows(&self, range: Range<usize>) -> Self {
        let row = self.row();
        let data = self.data.part(range.start * row..range.end * row);
        let length = i64::try_from(range.len()).expect("it is at most the length of an array");
        Self { shape: [&[length], &self.shape[1..]].concat(), data }
    }

    /// A copy of arrays whose elements along the first dimension have the same shape, one array after the other.
    ///
    /// # Panics
    /// If there is no array, or they are of different types.
    #[must_use]
    pub fn concat(arrays: &[Self]) -> Self {
        let first = arrays.first().expect("there is an array");
        let length = arrays.iter().map(|array| array.shape[0]).sum();
        let slices: Vec<Slice<'_>> = arrays.iter().map(|array| array.data.as_slice()).collect();
        let data = ArrayData::concat(first.data.ty(), &slices);
        Self { shape: [&[length], &first.shape[1..]].concat(), data }
    }

    /// Gives back the memory of elements in a file. They are read again when they are used.
    pub fn evict(&self) {
        self.data.evict();
    }

    /// How many scalars an element along the first dimension has.
    fn row(&self) -> usize {
        let extents = self.shape[1..].iter().map(|&size| usize::try_from(size));
        let row = extents.product::<Result<usize, _>>();
        // If a dimension is 0, the product of the others may overflow, and does not matter.
        if self.shape[1..].contains(&0) { 0 } else { row.expect("sizes are not negative") }
    }

    /// Its shape and elements.
    #[must_use]
    pub fn into_parts(self) -> (Vec<i64>, ArrayData) {
        (self.shape, self.data)
    }
}

impl Slice<'_> {
    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

impl ArrayData {
    /// The type of the elements.
    #[must_use]
    pub fn ty(&self) -> Scalar {
        self.as_slice().ty()
    }

    /// How many elements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of the elements.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<ScalarValue> {
        self.as_slice().get(at)
    }

    /// How many bytes of memory the elements take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.as_slice().bytes().len()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_have_the_elements_of_their_shape() {
        let six = || ArrayData::I16(vec![1, 2, 3, 4, 5, 6].into());
        let array = ArrayValue::new(vec![2, 3], six()).expect("2 times 3 is 6");
        assert_eq!(Value::Array(array).ty().to_string(), "[][]i16");
        for shape in [vec![], vec![5], vec![-2, -3], vec![i64::MAX, i64::MAX]] {
            assert_eq!(ArrayValue::new(shape, six()), None);
        }
        let none = || ArrayData::Bool(Vec::new().into());
        assert!(ArrayValue::new(vec![i64::MAX, i64::MAX, 0], none()).is_some());
        assert!(ArrayValue::new(vec![0, -1], none()).is_none());
    }

    #[test]
    fn collecting_names_the_stranger() {
        let scalars = [ScalarValue::I8(1), ScalarValue::I8(2)];
        assert_eq!(ArrayData::collect(Scalar::I8, scalars), Ok(ArrayData::I8(vec![1, 2].into())));
        let mixed = [ScalarValue::I8(1), ScalarValue::F32(2.0)];
        assert_eq!(ArrayData::collect(Scalar::I8, mixed), Err(ScalarValue::F32(2.0)));
    }
}

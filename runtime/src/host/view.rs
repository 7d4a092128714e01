//! Values that lie elsewhere: in a [`Value`], or where a call wrote them.
//!
//! Invariant: there are as many elements as the shape says; a scalar has no dimensions and one element.

use std::borrow::Cow;

use super::value::{ArrayValue, ScalarValue, Slice, Value, ValueType};

/// A scalar or a dense array in row-major order, to be read.
#[derive(Clone, PartialEq, Debug)]
pub struct View<'a> {
    shape: Cow<'a, [i64]>,
    elements: Slice<'a>,
}

impl<'a> View<'a> {
    /// A view of as many elements as the shape says.
    pub(super) fn new(shape: Cow<'a, [i64]>, elements: Slice<'a>) -> Self {
        Self { shape, elements }
    }

    /// Its sizes, outermost first; a scalar has none.
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// Its elements, in row-major order.
    #[must_use]
    pub fn elements(&self) -> Slice<'a> {
        self.elements
    }

    /// The type of the value.
    #[must_use]
    pub fn ty(&self) -> ValueType {
        let scalar = self.elements.ty();
        match u32::try_from(self.shape.len()).expect("no array has 2^32 dimensions") {
            0 => ValueType::Scalar(scalar),
            rank => ValueType::Array { scalar, rank },
        }
    }

    /// The scalar, if it is one.
    #[must_use]
    pub fn scalar(&self) -> Option<ScalarValue> {
        if self.shape.is_empty() { self.elements.get(0) } else { None }
    }

    /// A copy.
    ///
    /// # Panics
    /// Never: there are as many elements as the shape says.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self.scalar() {
            Some(scalar) => Value::Scalar(scalar),
            None => Value::Array(
                ArrayValue::new(self.shape.to_vec(), self.elements.to_data())
                    .expect("there are as many elements as the shape says"),
            ),
        }
    }
}

impl<'a> From<&'a Value> for View<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Scalar(scalar) => Self::new(Cow::Borrowed(&[]), scalar.as_slice()),
            Value::Array(array) => Self::new(Cow::Borrowed(array.shape()), array.data().as_slice()),
        }
    }
}

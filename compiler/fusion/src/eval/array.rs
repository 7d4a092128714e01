//! The arrays of the interpreters: dense, row-major, of any rank.
//!
//! Invariant: the number of scalars is the product of the extents; every array has at least one dimension.
//!
//! ```text
//! [[1, 2, 3], [4, 5, 6]]   shape [2, 3], scalars 1 2 3 4 5 6; its element 1 is [4, 5, 6]
//! ```

use std::rc::Rc;

use arr_abi::ErrorCode;

use crate::eval::cnf::Value;
use arrc_front::core::Direction;
use arrc_front::eval::run_error::{RunError, check_array_size};
use arrc_front::eval::scalar;
use arrc_front::sorting::Sorting;
use arrc_syntax::prim::{Const, Scalar, UnOp};
use arrc_syntax::source::Span;

/// An array.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    elem: Scalar,
    shape: Vec<usize>,
    scalars: Rc<[Const]>,
}

impl Array {
    /// An array of this shape.
    ///
    /// # Panics
    /// If the number of scalars is not the product of the extents.
    #[must_use]
    pub fn new(elem: Scalar, shape: Vec<usize>, scalars: Rc<[Const]>) -> Self {
        assert!(!shape.is_empty(), "an array has a dimension");
        assert_eq!(scalars.len(), volume(&shape), "a shape fits its scalars");
        Self { elem, shape, scalars }
    }

    /// The type of its scalars.
    #[must_use]
    pub fn elem(&self) -> Scalar {
        self.elem
    }

    /// Its extents, outermost first.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Its scalars, row by row.
    #[must_use]
    pub fn scalars(&self) -> &[Const] {
        &self.scalars
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.shape[0]
    }

    /// The number of scalars in an element.
    pub fn elems_of_row(&self) -> usize {
        self.shape[1..].iter().product()
    }

    /// One element: a scalar, or a row.
    pub fn at(&self, place: usize) -> Value {
        let row = &self.shape[1..];
        if row.is_empty() {
            return Value::Scalar(self.scalars[place]);
        }
        let size = volume(row);
        let scalars = &self.scalars[place * size..][..size];
        Value::Array(Self::new(self.elem, row.to_vec(), scalars.into()))
    }

    /// One element, checked.
    pub(super) fn element(&self, index: Const, span: Span) -> Result<Value, RunError> {
        let place = usize::try_from(index.as_i128()).ok().filter(|&place| place < self.count());
        place.map(|place| self.at(place)).ok_or_else(|| {
            let numbers = [index, position(self.count())].map(Const::as_i128);
            RunError::new(ErrorCode::Index, numbers, span)
        })
    }

    /// The elements at these places.
    pub fn pick(&self, places: impl IntoIterator<Item = usize>) -> Self {
        let size = volume(&self.shape[1..]);
        let mut scalars = Vec::new();
        let mut count = 0;
        for place in places {
            scalars.extend_from_slice(&self.scalars[place * size..][..size]);
            count += 1;
        }
        Self::new(self.elem, self.shape_of(count), scalars.into())
    }

    /// The array with another element at this place.
    pub(super) fn with(&self, place: usize, element: &Value) -> Self {
        let size = volume(&self.shape[1..]);
        let mut scalars = self.scalars.to_vec();
        match element {
            Value::Scalar(scalar) => scalars[place] = *scalar,
            Value::Array(row) => scalars[place * size..][..size].copy_from_slice(&row.scalars),
        }
        Self { scalars: scalars.into(), ..self.clone() }
    }

    /// The elements whose flags hold.
    pub(super) fn select(&self, flags: &Self) -> Self {
        let flags = flags.scalars.iter().enumerate();
        self.pick(flags.filter(|(_, flag)| flag.bits != 0).map(|(place, _)| place))
    }

    /// The elements of both, one array after the other.
    pub fn append(&self, other: &Self, span: Span) -> Result<Self, RunError> {
        assert_eq!(self.shape[1..], other.shape[1..], "rows of both sides have one shape");
        check_array_size(self.scalars.len().checked_add(other.scalars.len()), span)?;
        check_array_size(self.count().checked_add(other.count()), span)?;
        let scalars = self.scalars.iter().chain(other.scalars.iter()).copied().collect();
        Ok(Self::new(self.elem, self.shape_of(self.count() + other.count()), scalars))
    }

    /// The same scalars in another shape.
    pub fn reshape(&self, shape: Vec<usize>) -> Self {
        Self::new(self.elem, shape, self.scalars.clone())
    }

    /// The elements in order, or their positions. All positions are in the window.
    pub fn sorted(&self, sorting: Sorting) -> Self {
        let key = |&place: &usize| {
            let key = scalar::un(UnOp::Order, self.scalars[place]);
            let key = match sorting.direction {
                Direction::Up => key,
                Direction::Down => scalar::un(UnOp::Not, key),
            };
            key.as_i128()
        };
        let mut places = (0..self.count()).collect::<Vec<_>>();
        places.sort_by_cached_key(key);
        if sorting.positions {
            let places = places.into_iter().map(position).collect();
            return Self::new(Scalar::I64, self.shape.clone(), places);
        }
        self.pick(places)
    }

    /// An array of these elements; `row` is the shape of each.
    pub(super) fn collect(elem: Scalar, row: &[usize], elements: &[Value]) -> Self {
        let mut scalars = Vec::new();
        for element in elements {
            match element {
                Value::Scalar(scalar) => scalars.push(*scalar),
                Value::Array(array) => {
                    assert_eq!(array.shape, row, "the rows of an array have one shape");
                    scalars.extend_from_slice(&array.scalars);
                }
            }
        }
        Self::new(elem, [&[elements.len()], row].concat(), scalars.into())
    }

    fn shape_of(&self, count: usize) -> Vec<usize> {
        [&[count], &self.shape[1..]].concat()
    }
}

/// The number of scalars in an array of this shape. It is 0 if a dimension is 0, however long the others are.
fn volume(shape: &[usize]) -> usize {
    if shape.contains(&0) { 0 } else { shape.iter().product() }
}

/// A position or length as a value.
pub fn position(place: usize) -> Const {
    Const::i64(i64::try_from(place).expect("a position is an i64"))
}

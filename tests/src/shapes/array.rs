//! Arrays of integers by their shape and their elements, row by row. A scalar has no dimensions.
//!
//! Invariant: there are as many elements as the shape says. Nothing here calls the compiler or its interpreters.
//!
//! ```text
//! stack of [[1, 2], [3, 4]] and itself   ⇒   shape 2, 2, 2 and elements 1, 2, 3, 4, 1, 2, 3, 4
//! ```

/// An array.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Array {
    pub(super) shape: Vec<usize>,
    pub(super) elems: Vec<i64>,
}

impl Array {
    /// The array whose elements are a function of their places.
    pub(super) fn new(shape: &[usize], elem: impl Fn(i64) -> i64) -> Self {
        let count = i64::try_from(shape.iter().product::<usize>()).expect("the array is small");
        Self { shape: shape.to_vec(), elems: (0..count).map(elem).collect() }
    }

    pub(super) fn scalar(value: i64) -> Self {
        Self { shape: Vec::new(), elems: vec![value] }
    }

    pub(super) fn map(&self, f: impl Fn(i64) -> i64) -> Self {
        let elems = self.elems.iter().map(|&elem| f(elem)).collect();
        Self { shape: self.shape.clone(), elems }
    }

    /// The function of the elements at each place of two arrays of one shape.
    pub(super) fn zip(&self, other: &Self, f: impl Fn(i64, i64) -> i64) -> Self {
        assert_eq!(self.shape, other.shape);
        let elems = self.elems.iter().zip(&other.elems).map(|(&x, &y)| f(x, y)).collect();
        Self { shape: self.shape.clone(), elems }
    }

    pub(super) fn sum(&self) -> i64 {
        self.elems.iter().sum()
    }

    /// The elements of the first dimension.
    pub(super) fn rows(&self) -> Vec<Self> {
        let inner = &self.shape[1..];
        let size: usize = inner.iter().product();
        let row = |at: usize| Self {
            shape: inner.to_vec(),
            elems: self.elems[at * size..(at + 1) * size].to_vec(),
        };
        (0..self.shape[0]).map(row).collect()
    }

    /// The array of some arrays of that shape.
    pub(super) fn stack(shape: &[usize], parts: &[Self]) -> Self {
        assert!(parts.iter().all(|part| part.shape == shape), "the parts have one shape");
        let elems = parts.iter().flat_map(|part| part.elems.iter().copied()).collect();
        Self { shape: [&[parts.len()], shape].concat(), elems }
    }

    pub(super) fn append(&self, other: &Self) -> Self {
        let rows = [self.rows(), other.rows()].concat();
        Self::stack(&self.shape[1..], &rows)
    }

    /// The array with its first two dimensions exchanged.
    pub(super) fn transposed(&self) -> Self {
        let inner = &self.shape[2..];
        let rows: Vec<Vec<Self>> = self.rows().iter().map(Self::rows).collect();
        let column = |at: usize| {
            let parts: Vec<Self> = rows.iter().map(|row| row[at].clone()).collect();
            Self::stack(inner, &parts)
        };
        let columns: Vec<Self> = (0..self.shape[1]).map(column).collect();
        Self::stack(&[&[self.shape[0]], inner].concat(), &columns)
    }

    /// The array with its first two dimensions as one.
    pub(super) fn flattened(&self) -> Self {
        let shape = [&[self.shape[0] * self.shape[1]], &self.shape[2..]].concat();
        Self { shape, elems: self.elems.clone() }
    }
}

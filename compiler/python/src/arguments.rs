//! Arguments of Python as words of the C ABI.
//!
//! Invariant: an array that calls can take as it is, is not copied, and Python code does not inspect it. A copy of
//! another value is kept until the call ends.
//!
//! ```text
//! f(xs, 2.0)   ⇒   data shape[0] stride[0] owner │ 2.0
//! ```

use arr_abi::Scalar;
use arr_abi::layout::ArrayField;
use arrc::embed::Shape;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::ndarray::{self, View};
use crate::scalar;

/// How many words a leaf has.
pub(crate) fn words(rank: usize) -> usize {
    if rank == 0 { 1 } else { ArrayField::words(rank) }
}

/// The words of the arguments of a call, as they are filled.
pub(crate) struct Filler<'a, 'py> {
    /// The function, for messages.
    pub(crate) function: &'a str,
    /// The words that are still to be filled.
    pub(crate) words: &'a mut [u64],
    /// The copies of arguments.
    pub(crate) kept: Vec<Bound<'py, PyAny>>,
}

/// Where a value stands in the arguments.
#[derive(Clone, Copy)]
pub(crate) enum ArgumentPath<'a> {
    /// It is an argument.
    Param(&'a str),
    /// It is a field of a record, or a payload of a sum.
    Field(&'a ArgumentPath<'a>, &'a str),
    /// It is a component of a tuple.
    Item(&'a ArgumentPath<'a>, usize),
}

impl ArgumentPath<'_> {
    /// The path as a user would write it.
    fn text(self) -> String {
        match self {
            Self::Param(name) => name.to_owned(),
            Self::Field(outer, name) => format!("{}.{name}", outer.text()),
            Self::Item(outer, index) => format!("{}[{index}]", outer.text()),
        }
    }
}

impl<'py> Filler<'_, 'py> {
    /// Fills in an argument, or a part of one.
    pub(crate) fn value(
        &mut self,
        shape: &Shape,
        value: &Bound<'py, PyAny>,
        place: ArgumentPath<'_>,
    ) -> PyResult<()> {
        match shape {
            Shape::Leaf { elem, rank: 0 } => self.scalar(*elem, value, place),
            Shape::Leaf { elem, rank } => self.array(*elem, *rank, value, place),
            Shape::Tuple(shapes) => {
                let items = self.items(value, shapes.len(), place)?;
                for (index, shape) in shapes.iter().enumerate() {
                    self.value(shape, &items.get_item(index)?, ArgumentPath::Item(&place, index))?;
                }
                Ok(())
            }
            Shape::Record(fields) => {
                let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
                let values = self.parts("fields", value, (names, place.text()))?;
                for ((name, shape), value) in fields.iter().zip(values) {
                    self.value(shape, &value, ArgumentPath::Field(&place, name))?;
                }
                Ok(())
            }
            Shape::Sum { rank, cases } => self.sum(*rank, cases, value, place),
        }
    }

    /// Fills in the arrays to which results are written.
    pub(crate) fn outputs(
        &mut self,
        leaves: &[(Scalar, usize)],
        arrays: &Bound<'py, PyTuple>,
    ) -> PyResult<()> {
        let mut arrays = arrays.iter();
        for &(elem, rank) in leaves {
            if rank == 0 {
                self.take(1);
                continue;
            }
            let array = arrays.next().expect("there is an array for each array among the results");
            let view = ndarray::view(&array, elem, rank);
            let filled = view.is_some_and(|view| self.fill(elem, rank, &view));
            assert!(
                filled,
                "arrc._arguments.destinations gives arrays of the types of the results"
            );
        }
        Ok(())
    }

    fn scalar(
        &mut self,
        elem: Scalar,
        value: &Bound<'py, PyAny>,
        place: ArgumentPath<'_>,
    ) -> PyResult<()> {
        let word = match scalar::from_python(value, elem) {
            Some(word) => word,
            None => scalar::converted(value, elem, (self.function, &place.text()))?,
        };
        self.take(1)[0] = word;
        Ok(())
    }

    fn array(
        &mut self,
        elem: Scalar,
        rank: usize,
        value: &Bound<'py, PyAny>,
        place: ArgumentPath<'_>,
    ) -> PyResult<()> {
        if let Some(view) = ndarray::view(value, elem, rank)
            && self.fill(elem, rank, &view)
        {
            return Ok(());
        }
        let py = value.py();
        let arguments = py.import(intern!(py, "arrc._arguments"))?;
        let array = arguments.call_method1(
            intern!(py, "array"),
            (value, elem.name(), rank, self.function, place.text()),
        )?;
        let view = ndarray::view(&array, elem, rank);
        let filled = view.is_some_and(|view| self.fill(elem, rank, &view));
        assert!(filled, "arrc._arguments.array gives an array of the type that is asked for");
        self.kept.push(array);
        Ok(())
    }

    /// Fills in an array, unless a stride is no multiple of the size of an element.
    fn fill(&mut self, elem: Scalar, rank: usize, view: &View<'_>) -> bool {
        let bytes = isize::try_from(elem.bytes()).expect("a scalar has few bytes");
        let steps = |(&size, &stride): (&isize, &isize)| size <= 1 || stride % bytes == 0;
        if !view.shape.iter().zip(view.strides).all(steps) {
            return false;
        }
        let words = self.take(words(rank));
        words[ArrayField::Data.word(rank)] = address(view.data);
        for (dim, (&size, &stride)) in view.shape.iter().zip(view.strides).enumerate() {
            words[ArrayField::Shape.word(rank) + dim] = word(size);
            words[ArrayField::Stride.word(rank) + dim] = word(stride / bytes);
        }
        words[ArrayField::Owner.word(rank)] = 0;
        true
    }

    fn sum(
        &mut self,
        rank: usize,
        cases: &[(String, Vec<Shape>)],
        value: &Bound<'py, PyAny>,
        place: ArgumentPath<'_>,
    ) -> PyResult<()> {
        let told: Vec<(&str, usize)> =
            cases.iter().map(|(name, shapes)| (name.as_str(), shapes.len())).collect();
        let parts = self.parts("constructor", value, (rank, told, place.text()))?;
        let mut parts = parts.iter();
        let mut next = || parts.next().expect("there is a part for the tag and for each payload");
        let tag = next();
        self.value(&Shape::Leaf { elem: Scalar::I64, rank }, &tag, place)?;
        let chosen: Option<usize> = if rank == 0 { Some(tag.extract()?) } else { None };
        for (at, (name, shapes)) in cases.iter().enumerate() {
            for (index, shape) in shapes.iter().enumerate() {
                if chosen.is_some_and(|chosen| chosen != at) {
                    self.skip(shape);
                    continue;
                }
                let payload = ArgumentPath::Field(&place, name);
                self.value(shape, &next(), ArgumentPath::Item(&payload, index))?;
            }
        }
        Ok(())
    }

    /// Fills in a blank payload: zeros, and arrays without elements.
    fn skip(&mut self, shape: &Shape) {
        self.take(shape.leaves().into_iter().map(|(_, rank)| words(rank)).sum()).fill(0);
    }

    /// The components of a tuple.
    fn items(
        &mut self,
        value: &Bound<'py, PyAny>,
        count: usize,
        place: ArgumentPath<'_>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        match value.cast_exact::<PyTuple>() {
            Ok(tuple) if tuple.len() == count => Ok(tuple.clone()),
            Ok(_) | Err(_) => self.parts("items", value, (count, place.text())),
        }
    }

    /// The parts of a value, from a function of the package. The filler keeps them alive.
    fn parts(
        &mut self,
        function: &str,
        value: &Bound<'py, PyAny>,
        told: impl IntoPyObject<'py>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let py = value.py();
        let arguments = py.import(intern!(py, "arrc._arguments"))?;
        let parts = arguments.call_method1(function, (value, self.function, told))?;
        self.kept.push(parts.clone());
        Ok(parts.cast_into()?)
    }

    fn take(&mut self, count: usize) -> &mut [u64] {
        let words = std::mem::take(&mut self.words);
        let (taken, rest) = words.split_at_mut(count);
        self.words = rest;
        taken
    }
}

fn word(size: isize) -> u64 {
    i64::try_from(size).expect("a size has 64 bits").cast_unsigned()
}

fn address<T>(data: *mut T) -> u64 {
    u64::try_from(data.expose_provenance()).expect("an address has 64 bits")
}

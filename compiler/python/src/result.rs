//! The results of a call, as values of Python.
//!
//! Invariant: every buffer that a call returned has one owner, an array, or has been released.

use std::ffi::c_void;
use std::ptr;

use arr_abi::Scalar;
use arr_abi::layout::ArrayField;
use arr_rt::buffer::{Buffer, arr_buffer_release};
use arrc::embed::Shape;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::arguments::words;
use crate::code::NO_CONTEXT;
use crate::{ndarray, scalar};

/// The form of a result.
pub(crate) enum Form {
    /// A number or an array.
    Leaf,
    /// A tuple.
    Tuple(Vec<Form>),
    /// A tuple with names, of that class.
    Named(Py<PyAny>, Vec<Form>),
    /// A constructor's name and its payloads, as a tuple.
    Chosen(Vec<(Py<PyString>, Vec<Form>)>),
}

impl Form {
    /// The form of results of that shape; `class` makes a class of tuples with names of these.
    pub(crate) fn new<'py>(
        py: Python<'py>,
        shape: &Shape,
        class: &dyn Fn(Vec<String>) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let all = |shapes: &[Shape]| -> PyResult<Vec<Self>> {
            shapes.iter().map(|shape| Self::new(py, shape, class)).collect()
        };
        Ok(match shape {
            Shape::Leaf { .. } => Self::Leaf,
            Shape::Tuple(shapes) => Self::Tuple(all(shapes)?),
            Shape::Record(fields) => {
                let names = fields.iter().map(|(name, _)| name.clone()).collect();
                let forms = fields.iter().map(|(_, shape)| Self::new(py, shape, class));
                Self::Named(class(names)?.unbind(), forms.collect::<PyResult<_>>()?)
            }
            Shape::Sum { rank: 0, cases } => {
                let cases = cases
                    .iter()
                    .map(|(name, shapes)| Ok((PyString::new(py, name).unbind(), all(shapes)?)));
                Self::Chosen(cases.collect::<PyResult<_>>()?)
            }
            Shape::Sum { cases, .. } => {
                let payloads = cases.iter().flat_map(|(name, shapes)| {
                    let count = shapes.len();
                    (0..count).map(move |index| payload(name, count, index))
                });
                let names = std::iter::once("tag".to_owned()).chain(payloads).collect();
                let mut forms = vec![Self::Leaf];
                for (_, shapes) in cases {
                    forms.extend(all(shapes)?);
                }
                Self::Named(class(names)?.unbind(), forms)
            }
        })
    }

    /// Puts it together from its leaves.
    fn build<'py>(
        &self,
        py: Python<'py>,
        leaves: &mut dyn Iterator<Item = Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut all = |forms: &[Self]| {
            let items = forms.iter().map(|form| form.build(py, leaves));
            PyTuple::new(py, items.collect::<PyResult<Vec<_>>>()?)
        };
        match self {
            Self::Leaf => Ok(leaves.next().expect("there is a leaf for each place")),
            Self::Tuple(forms) => Ok(all(forms)?.into_any()),
            Self::Named(class, forms) => class.bind(py).call1(all(forms)?),
            Self::Chosen(cases) => {
                let tag: usize = leaves.next().expect("a sum has a tag").extract()?;
                let mut chosen = Vec::new();
                for (at, (name, forms)) in cases.iter().enumerate() {
                    for form in forms {
                        let payload = form.build(py, leaves)?;
                        if at == tag {
                            chosen.push(payload);
                        }
                    }
                    if at == tag {
                        chosen.insert(0, name.bind(py).clone().into_any());
                    }
                }
                Ok(PyTuple::new(py, chosen)?.into_any())
            }
        }
    }
}

/// The name of a payload of a sum: `some`, or `box_0` of one of several.
fn payload(constructor: &str, payloads: usize, index: usize) -> String {
    if payloads == 1 { constructor.to_owned() } else { format!("{constructor}_{index}") }
}

/// The results of a call that did not fail.
///
/// # Safety
/// The words are those that the call wrote for these leaves, and have not been read before.
pub(crate) unsafe fn value<'py>(
    py: Python<'py>,
    form: &Form,
    leaves: &[(Scalar, usize)],
    words: &[u64],
) -> PyResult<Bound<'py, PyAny>> {
    let mut rest = Rest { leaves, words };
    if let ([_], Form::Leaf) = (leaves, form) {
        // SAFETY: as the caller promises.
        return unsafe { rest.next(py) }.expect("there is one leaf");
    }
    let mut owners = Vec::new();
    let mut found = Vec::with_capacity(leaves.len());
    while let Some(owner) = rest.owner() {
        // SAFETY: as the caller promises.
        let mut leaf = unsafe { rest.next(py) }.expect("a leaf has an owner or none")?;
        // Two results share a buffer, and a write to one would change the other.
        if !owner.is_null() && owners.contains(&owner) {
            leaf = leaf.call_method0("copy")?;
        }
        owners.push(owner);
        found.push(leaf);
    }
    form.build(py, &mut found.into_iter())
}

/// The results of a call that wrote arrays to arrays of Python.
pub(crate) fn written<'py>(
    py: Python<'py>,
    (form, leaves): (&Form, &[(Scalar, usize)]),
    mut all: &[u64],
    arrays: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut arrays = arrays.iter();
    let mut found = Vec::with_capacity(leaves.len());
    for &(elem, rank) in leaves {
        let (own, rest) = all.split_at(words(rank));
        all = rest;
        found.push(if rank == 0 {
            scalar::to_python(py, own[0], elem)?
        } else {
            let array = arrays.next().expect("there is an array for each array among the results");
            let shape = PyTuple::new(py, &own[ArrayField::Shape.word(rank)..][..rank])?;
            let arguments = py.import(intern!(py, "arrc._arguments"))?;
            arguments.call_method1(intern!(py, "written"), (array, shape))?
        });
    }
    form.build(py, &mut found.into_iter())
}

/// The results that Python does not have yet.
struct Rest<'a> {
    leaves: &'a [(Scalar, usize)],
    words: &'a [u64],
}

impl Rest<'_> {
    /// The owner of the next one; NULL for scalars.
    fn owner(&self) -> Option<*mut Buffer> {
        let &(_, rank) = self.leaves.first()?;
        Some(if rank == 0 {
            ptr::null_mut()
        } else {
            pointer(self.words[ArrayField::Owner.word(rank)])
        })
    }

    /// The next one, as a value of Python.
    ///
    /// # Safety
    /// As for [`value`].
    unsafe fn next<'py>(&mut self, py: Python<'py>) -> Option<PyResult<Bound<'py, PyAny>>> {
        let owner = self.owner()?;
        let (&(elem, rank), leaves) = self.leaves.split_first()?;
        let (own, words) = self.words.split_at(words(rank));
        (self.leaves, self.words) = (leaves, words);
        if rank == 0 {
            return Some(scalar::to_python(py, own[0], elem));
        }
        let shape = &own[ArrayField::Shape.word(rank)..][..rank];
        let data: *mut c_void = pointer(own[ArrayField::Data.word(rank)]);
        // SAFETY: an array that the call wrote; its owner is given up here, once.
        Some(unsafe { ndarray::owned(py, elem, shape, data, owner) })
    }
}

impl Drop for Rest<'_> {
    fn drop(&mut self) {
        while let Some(owner) = self.owner() {
            // SAFETY: the reference is ours alone.
            unsafe { arr_buffer_release(NO_CONTEXT, owner) };
            let ((_, rank), leaves) = self.leaves.split_first().expect("it has an owner");
            (self.leaves, self.words) = (leaves, &self.words[words(*rank)..]);
        }
    }
}

fn pointer<T>(word: u64) -> *mut T {
    ptr::with_exposed_provenance_mut(usize::try_from(word).expect("an address has 64 bits"))
}

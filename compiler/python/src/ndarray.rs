//! NumPy's arrays, by NumPy's own structs and functions: the only place that knows rust-numpy.
//!
//! Invariant: an array whose fields are read is an exact `numpy.ndarray`; one that we make has one owner, which gives
//! the memory back to the runtime.

use std::ffi::{CStr, c_int, c_void};
use std::ptr;

use arr_abi::Scalar;
use arr_rt::buffer::{Buffer, arr_buffer_release};
use numpy::npyffi::{
    NPY_ARRAY_ALIGNED, NPY_ARRAY_CARRAY, NPY_TYPES, NpyTypes, PY_ARRAY_API, PyArrayObject,
    get_type_object, npy_intp,
};
use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::code::NO_CONTEXT;

/// The name of the capsules that own results.
const OWNER: &CStr = c"arr_buffer";

/// The most dimensions of an array that calls take.
pub(crate) const MAX_DIMENSIONS: usize = 32;

/// An array as calls take it.
pub(crate) struct View<'a> {
    /// The first element.
    pub(crate) data: *mut c_void,
    /// How many elements there are in each dimension.
    pub(crate) shape: &'a [npy_intp],
    /// The distances of neighbouring elements, in bytes.
    pub(crate) strides: &'a [npy_intp],
}

/// The array, if calls can take it as it is: its elements are of that type, aligned and in the order of this machine,
/// and it has that rank.
pub(crate) fn view<'a>(value: &'a Bound<'_, PyAny>, elem: Scalar, rank: usize) -> Option<View<'a>> {
    // SAFETY: the type is NumPy's, as its table of functions says.
    let class = unsafe { get_type_object(value.py(), NpyTypes::PyArray_Type) };
    // SAFETY: any object has a type.
    if unsafe { ffi::Py_TYPE(value.as_ptr()) } != class {
        return None;
    }
    // SAFETY: an exact `ndarray` begins with these fields, and we have a reference to it.
    let fields = unsafe { &(*value.as_ptr().cast::<PyArrayObject>()).fields };
    // SAFETY: an array has a type of its elements.
    let (number, order) =
        unsafe { ((*fields.descr).fields.type_num, (*fields.descr).fields.byteorder) };
    let is_ours = is_number(number, elem) && order.cast_unsigned() != b'>';
    let is_aligned = fields.flags & NPY_ARRAY_ALIGNED == NPY_ARRAY_ALIGNED;
    if !is_ours || !is_aligned || usize::try_from(fields.nd) != Ok(rank) || rank == 0 {
        return None;
    }
    // SAFETY: both have an element for each dimension as long as the array is not reshaped. That needs the GIL, which we have;
    // where there is none, NumPy itself says that no thread may reshape an array in place while others use it.
    let [shape, strides] = [fields.dimensions, fields.strides]
        .map(|list| unsafe { std::slice::from_raw_parts(list, rank) });
    Some(View { data: fields.data.cast(), shape, strides })
}

/// Whether a type number of NumPy stands for a scalar type. Integers of 64 bits have two numbers.
fn is_number(number: c_int, elem: Scalar) -> bool {
    let is = |ty: NPY_TYPES| number == ty as c_int;
    is(number_of(elem))
        || match elem {
            Scalar::I64 => is(NPY_TYPES::NPY_LONGLONG),
            Scalar::U64 => is(NPY_TYPES::NPY_ULONGLONG),
            Scalar::Bool
            | Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::F32
            | Scalar::F64 => false,
        }
}

/// NumPy's number of a type.
fn number_of(elem: Scalar) -> NPY_TYPES {
    match elem {
        Scalar::Bool => NPY_TYPES::NPY_BOOL,
        Scalar::I8 => NPY_TYPES::NPY_BYTE,
        Scalar::I16 => NPY_TYPES::NPY_SHORT,
        Scalar::I32 => NPY_TYPES::NPY_INT,
        Scalar::I64 => NPY_TYPES::NPY_LONG,
        Scalar::U8 => NPY_TYPES::NPY_UBYTE,
        Scalar::U16 => NPY_TYPES::NPY_USHORT,
        Scalar::U32 => NPY_TYPES::NPY_UINT,
        Scalar::U64 => NPY_TYPES::NPY_ULONG,
        Scalar::F32 => NPY_TYPES::NPY_FLOAT,
        Scalar::F64 => NPY_TYPES::NPY_DOUBLE,
    }
}

/// An array on memory of the runtime, dense in row-major order, which it owns from now on. Without an owner it has no
/// elements.
///
/// # Safety
/// The data are elements of that type in that shape; `owner` is a reference to the buffer that they are in, which is given up,
/// or NULL.
pub(crate) unsafe fn owned<'py>(
    py: Python<'py>,
    elem: Scalar,
    shape: &[u64],
    data: *mut c_void,
    owner: *mut Buffer,
) -> PyResult<Bound<'py, PyAny>> {
    let mut dims = [0; MAX_DIMENSIONS];
    for (dim, &size) in dims.iter_mut().zip(shape) {
        *dim = isize::try_from(size).expect("a size is not negative");
    }
    let rank = c_int::try_from(shape.len()).expect("ranks are small");
    let (data, flags) =
        if owner.is_null() { (ptr::null_mut(), 0) } else { (data, NPY_ARRAY_CARRAY) };
    // SAFETY: NumPy's own type; the description is a new reference, which the array takes; there are as many sizes
    // as dimensions.
    let array = unsafe {
        let class = get_type_object(py, NpyTypes::PyArray_Type);
        let elem = PY_ARRAY_API.PyArray_DescrFromType(py, number_of(elem) as c_int);
        let (dims, none) = (dims.as_mut_ptr(), ptr::null_mut());
        PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            class,
            elem,
            rank,
            dims,
            none,
            data,
            flags,
            ptr::null_mut(),
        )
    };
    // SAFETY: a new reference, or NULL with an exception.
    let array = match unsafe { Bound::from_owned_ptr_or_err(py, array) } {
        Ok(array) => array,
        Err(error) => {
            // SAFETY: the reference is ours to give up.
            unsafe { arr_buffer_release(NO_CONTEXT, owner) };
            return Err(error);
        }
    };
    if owner.is_null() {
        return Ok(array);
    }
    // SAFETY: not NULL; the function gives up the reference once, when the capsule goes.
    let capsule = unsafe { ffi::PyCapsule_New(owner.cast(), OWNER.as_ptr(), Some(release)) };
    if capsule.is_null() {
        // SAFETY: as above; the array goes too, and does not own its memory.
        unsafe { arr_buffer_release(NO_CONTEXT, owner) };
        return Err(PyMemoryError::new_err("there is no memory for an array"));
    }
    // SAFETY: an array; the reference to the capsule is given up.
    let failed = unsafe { PY_ARRAY_API.PyArray_SetBaseObject(py, array.as_ptr().cast(), capsule) };
    if failed == 0 { Ok(array) } else { Err(PyErr::fetch(py)) }
}

/// Gives up the reference that a capsule has.
unsafe extern "C" fn release(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls it with the capsule, once.
    unsafe {
        let owner = ffi::PyCapsule_GetPointer(capsule, OWNER.as_ptr());
        arr_buffer_release(NO_CONTEXT, owner.cast());
    }
}

//! Python's numbers and truth values as scalars, and back.
//!
//! Invariant: a value becomes a scalar only if it is the same number. The exception is `f32`, to which floats are
//! rounded, as NumPy rounds Python's numbers for `float32`.

use arr_abi::Scalar;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt};
use pyo3::{IntoPyObjectExt, intern};

/// The scalar in the lowest bytes of a word; none if the value is not one of Python's own, or does not fit.
pub(crate) fn from_python(value: &Bound<'_, PyAny>, elem: Scalar) -> Option<u64> {
    match elem {
        Scalar::Bool => value.cast_exact::<PyBool>().ok().map(|value| value.is_true().into()),
        Scalar::F64 => Some(float(value, 1 << 53)?.to_bits()),
        Scalar::F32 => {
            let wide = float(value, 1 << 24)?;
            #[allow(clippy::cast_possible_truncation, reason = "a float is rounded")]
            let narrow = wide as f32;
            (narrow.is_finite() || !wide.is_finite()).then(|| narrow.to_bits().into())
        }
        Scalar::U64 => value.cast_exact::<PyInt>().ok()?.extract().ok(),
        Scalar::I64 => int::<i64>(value).map(i64::cast_unsigned),
        Scalar::I32 => int::<i32>(value).map(|value| i64::from(value).cast_unsigned()),
        Scalar::I16 => int::<i16>(value).map(|value| i64::from(value).cast_unsigned()),
        Scalar::I8 => int::<i8>(value).map(|value| i64::from(value).cast_unsigned()),
        Scalar::U32 => int::<u32>(value).map(u64::from),
        Scalar::U16 => int::<u16>(value).map(u64::from),
        Scalar::U8 => int::<u8>(value).map(u64::from),
    }
}

fn int<T: TryFrom<i64>>(value: &Bound<'_, PyAny>) -> Option<T> {
    let value: i64 = value.cast_exact::<PyInt>().ok()?.extract().ok()?;
    T::try_from(value).ok()
}

/// A float, or an integer that is exactly a float, which all integers up to `exact` are.
fn float(value: &Bound<'_, PyAny>, exact: i64) -> Option<f64> {
    if let Ok(float) = value.cast_exact::<PyFloat>() {
        return Some(float.value());
    }
    let whole = int::<i64>(value).filter(|whole| (-exact..=exact).contains(whole))?;
    #[allow(clippy::cast_precision_loss, reason = "it is small enough")]
    let float = whole as f64;
    Some(float)
}

/// The scalar in the lowest bytes of a word, as one of Python's own values.
pub(crate) fn to_python(py: Python<'_>, word: u64, elem: Scalar) -> PyResult<Bound<'_, PyAny>> {
    let bytes = word.to_le_bytes();
    match elem {
        Scalar::Bool => (bytes[0] != 0).into_bound_py_any(py),
        Scalar::F64 => f64::from_bits(word).into_bound_py_any(py),
        Scalar::F32 => f64::from(f32::from_le_bytes(first(&bytes))).into_bound_py_any(py),
        Scalar::I64 => word.cast_signed().into_bound_py_any(py),
        Scalar::I32 => i32::from_le_bytes(first(&bytes)).into_bound_py_any(py),
        Scalar::I16 => i16::from_le_bytes(first(&bytes)).into_bound_py_any(py),
        Scalar::I8 => i8::from_le_bytes(first(&bytes)).into_bound_py_any(py),
        Scalar::U64 => word.into_bound_py_any(py),
        Scalar::U32 => u32::from_le_bytes(first(&bytes)).into_bound_py_any(py),
        Scalar::U16 => u16::from_le_bytes(first(&bytes)).into_bound_py_any(py),
        Scalar::U8 => bytes[0].into_bound_py_any(py),
    }
}

/// The first bytes of a word.
fn first<const N: usize>(bytes: &[u8; 8]) -> [u8; N] {
    *bytes.first_chunk().expect("a word has eight bytes")
}

/// Converts a value of another type to one of Python's own scalars; an exception if that is not possible.
pub(crate) fn converted<'py>(
    value: &Bound<'py, PyAny>,
    elem: Scalar,
    place: (&str, &str),
) -> PyResult<u64> {
    let py = value.py();
    let arguments = py.import(intern!(py, "arrc._arguments"))?;
    let converted =
        arguments.call_method1(intern!(py, "scalar"), (value, elem.name(), place.0, place.1))?;
    let word = from_python(&converted, elem);
    Ok(word.unwrap_or_else(|| panic!("arrc._arguments.scalar gives a Python number that fits")))
}

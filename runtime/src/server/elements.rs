//! Elements of arrays: taken, replaced, and put together.
//!
//! Invariant: an element of an array of records is one of each array that the record is made of.

use std::iter;

use crate::host::{ArrayData, ArrayValue, Value};

/// The sizes of the first `rank` dimensions, which all components have.
pub(super) fn shape(parts: &[Value], rank: usize) -> &[i64] {
    match parts.first() {
        Some(Value::Array(array)) => &array.shape()[..rank],
        Some(Value::Scalar(_)) | None => &[],
    }
}

/// The place of an element in row-major order.
///
/// # Errors
/// The dimension, counted from 1, in which the array has no such index.
pub(super) fn place(shape: &[i64], index: &[i64]) -> Result<usize, usize> {
    let mut place = 0;
    for (dimension, (&size, &at)) in shape.iter().zip(index).enumerate() {
        if !(0..size).contains(&at) {
            return Err(dimension + 1);
        }
        place = place * size + at;
    }
    Ok(usize::try_from(place).expect("an array in memory has less than 2^63 elements"))
}

/// The element at a place, without the first `rank` dimensions.
pub(super) fn element(part: &Value, rank: usize, place: usize) -> Value {
    let flat = flat(part, rank).rows(place..place + 1);
    let (shape, data) = flat.into_parts();
    if shape.len() == 1 {
        return Value::Scalar(data.get(0).expect("a row has an element"));
    }
    array(shape[1..].to_vec(), data)
}

/// The array with another element at a place. `None` if the element has another shape.
pub(super) fn replaced(part: &Value, rank: usize, place: usize, element: &Value) -> Option<Value> {
    let Value::Array(whole) = part else { return None };
    let rows = flat(part, rank);
    let (element, count) = (row(element), usize::try_from(rows.shape()[0]).ok()?);
    if element.shape()[1..] != rows.shape()[1..] {
        return None;
    }
    let joined = ArrayValue::concat(&[rows.rows(0..place), element, rows.rows(place + 1..count)]);
    Some(array(whole.shape().to_vec(), joined.into_parts().1))
}

/// An array of elements, at least one. `None` if they have different shapes.
pub(super) fn collected(elements: &[&Value], shape: &[i64]) -> Option<Value> {
    let rows: Vec<ArrayValue> = elements.iter().map(|element| row(element)).collect();
    let first = rows.first()?;
    if rows.iter().any(|row| row.shape() != first.shape()) {
        return None;
    }
    let whole = [shape, &first.shape()[1..]].concat();
    Some(array(whole, ArrayValue::concat(&rows).into_parts().1))
}

/// The array with its first `rank` dimensions as one.
fn flat(part: &Value, rank: usize) -> ArrayValue {
    let Value::Array(whole) = part else { panic!("an array has components that are arrays") };
    let (outer, inner) = whole.shape().split_at(rank);
    let shape: Vec<i64> = iter::once(outer.iter().product()).chain(inner.iter().copied()).collect();
    ArrayValue::new(shape, whole.data().clone()).expect("it has the same elements")
}

/// An element as an array with it alone.
fn row(element: &Value) -> ArrayValue {
    match element {
        Value::Scalar(scalar) => ArrayValue::vector(
            ArrayData::collect(scalar.ty(), [*scalar]).expect("it is of its own type"),
        ),
        Value::Array(array) => {
            let shape = [&[1], array.shape()].concat();
            ArrayValue::new(shape, array.data().clone()).expect("it has the same elements")
        }
    }
}

fn array(shape: Vec<i64>, data: ArrayData) -> Value {
    Value::Array(ArrayValue::new(shape, data).expect("it has as many elements"))
}

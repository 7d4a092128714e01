//! Comparison of results with the expected ones, and the places where they differ.
//!
//! Invariant: integers, truth values and shapes must be equal. NaN equals NaN, and infinities equal themselves. Other
//! floats may differ by a [`Tolerance`].

use arr_runtime::host::{ArrayValue, ScalarValue, Value};
use arr_runtime::text;

/// The default tolerance for floats.
pub(crate) const TOLERANCE: f64 = 1e-6;

/// How far floats may differ.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Tolerance {
    /// By this factor times the larger magnitude of the two. If both are smaller than a millionth, by the factor times a
    /// millionth.
    OfEach(f64),
    /// By this number, or by this factor times the largest float that the expected value has, as in Futhark.
    OfLargest(f64),
}

/// Smaller floats are compared with the tolerance of this number.
const SMALLEST: f64 = 1e-6;

/// Says in which result the values first differ, and at which element; `None` if they do not differ. For a single
/// scalar the text is empty.
pub(crate) fn difference(
    expected: &[Value],
    got: &[Value],
    tolerance: Tolerance,
) -> Option<String> {
    let count = got.len();
    expected.iter().zip(got).enumerate().find_map(|(place, (expected, got))| {
        let what = of_value(expected, got, tolerance)?;
        let which =
            if count == 1 { String::new() } else { format!("result {} of {count}", place + 1) };
        Some(format!("{which}{what}"))
    })
}

fn of_value(expected: &Value, got: &Value, tolerance: Tolerance) -> Option<String> {
    match (expected, got) {
        (Value::Scalar(expected), Value::Scalar(got)) => {
            let bound = Bound::new(tolerance, std::iter::once(*expected));
            (!same(*expected, *got, bound)).then(String::new)
        }
        (Value::Array(expected), Value::Array(got)) => of_array(expected, got, tolerance),
        (Value::Scalar(_), Value::Array(_)) | (Value::Array(_), Value::Scalar(_)) => {
            panic!("expected values are read as the types of the results")
        }
    }
}

fn of_array(expected: &ArrayValue, got: &ArrayValue, tolerance: Tolerance) -> Option<String> {
    if expected.shape() != got.shape() {
        let shape = |array: &ArrayValue| {
            array.shape().iter().map(|size| format!("[{size}]")).collect::<String>()
        };
        return Some(format!(
            " in the shape: {} was expected, not {}",
            shape(expected),
            shape(got)
        ));
    }
    let all = (0..got.data().len()).filter_map(|at| expected.data().get(at));
    let bound = Bound::new(tolerance, all);
    (0..got.data().len()).find_map(|at| {
        let expected = expected.data().get(at).expect("both have the shape's elements");
        let got_here = got.data().get(at).expect("both have the shape's elements");
        let place = || index(at, got.shape());
        (!same(expected, got_here, bound))
            .then(|| format!(" at {}: {}", place(), instead(expected, got_here)))
    })
}

fn instead(expected: ScalarValue, got: ScalarValue) -> String {
    let [expected, got] = [expected, got].map(|scalar| text::print(&Value::Scalar(scalar)));
    format!("{expected} was expected, not {got}")
}

/// The index of the element with this number in row-major order: `[1][3]`.
fn index(at: usize, shape: &[i64]) -> String {
    let mut rest = at;
    let mut indices = Vec::new();
    for &size in shape.iter().rev() {
        let size = usize::try_from(size).expect("a shape with elements has no negative size");
        indices.push(rest % size);
        rest /= size;
    }
    indices.iter().rev().map(|index| format!("[{index}]")).collect()
}

/// The tolerance for the floats of one value.
#[derive(Clone, Copy)]
enum Bound {
    OfEach(f64),
    Absolute(f64),
}

impl Bound {
    fn new(tolerance: Tolerance, expected: impl Iterator<Item = ScalarValue>) -> Self {
        match tolerance {
            Tolerance::OfEach(factor) => Self::OfEach(factor),
            Tolerance::OfLargest(factor) => Self::Absolute(
                expected
                    .filter_map(float)
                    .filter(|float| float.is_finite())
                    .fold(factor, |bound, float| bound.max(factor * float)),
            ),
        }
    }
}

fn same(expected: ScalarValue, got: ScalarValue, bound: Bound) -> bool {
    match (float(expected), float(got)) {
        (Some(expected), Some(got)) => near(expected, got, bound),
        (Some(_) | None, Some(_) | None) => expected == got,
    }
}

/// The number of a float.
fn float(scalar: ScalarValue) -> Option<f64> {
    match scalar {
        ScalarValue::F32(float) => Some(float.into()),
        ScalarValue::F64(float) => Some(float),
        ScalarValue::Bool(_)
        | ScalarValue::I8(_)
        | ScalarValue::I16(_)
        | ScalarValue::I32(_)
        | ScalarValue::I64(_)
        | ScalarValue::U8(_)
        | ScalarValue::U16(_)
        | ScalarValue::U32(_)
        | ScalarValue::U64(_) => None,
    }
}

fn near(expected: f64, got: f64, bound: Bound) -> bool {
    #[allow(clippy::float_cmp, reason = "infinities equal themselves, and have no distance")]
    let equal = expected == got;
    let distance = match bound {
        Bound::Absolute(distance) => distance,
        Bound::OfEach(factor) => factor * expected.abs().max(got.abs()).max(SMALLEST),
    };
    let both_nan = expected.is_nan() && got.is_nan();
    let finite = expected.is_finite() && got.is_finite();
    both_nan || equal || (finite && (expected - got).abs() <= distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arr_runtime::host::ArrayData;

    #[test]
    fn floats_may_differ_a_little() {
        for (expected, got, equal) in [
            (1.0, 1.0 + 1e-9, true),
            (1.0, 1.001, false),
            (0.0, 1e-13, true),
            (0.0, 1e-9, false),
            (1e300, 1e300 * (1.0 + 1e-9), true),
            (f64::NAN, f64::NAN, true),
            (f64::NAN, 0.0, false),
            (f64::INFINITY, f64::INFINITY, true),
            (f64::INFINITY, f64::NEG_INFINITY, false),
            (f64::INFINITY, f64::MAX, false),
            (0.0, -0.0, true),
        ] {
            assert_eq!(near(expected, got, Bound::OfEach(TOLERANCE)), equal, "{expected} {got}");
        }
    }

    #[test]
    fn futhark_allows_a_part_of_the_largest_float() {
        let floats = |floats: &[f64]| vec![Value::from(floats.to_vec())];
        let equal = |expected: &[f64], got: &[f64]| {
            difference(&floats(expected), &floats(got), Tolerance::OfLargest(0.002)).is_none()
        };
        assert!(equal(&[0.0, 1.0], &[0.002, 1.0]) && !equal(&[0.0, 1.0], &[0.0021, 1.0]));
        assert!(equal(&[0.0, 1000.0], &[1.9, 1000.0]) && !equal(&[0.0, 1000.0], &[2.1, 1000.0]));
        // A negative float makes the tolerance no larger.
        assert!(!equal(&[-1000.0], &[-1000.1]));
        assert!(equal(&[f64::NAN, f64::INFINITY], &[f64::NAN, f64::INFINITY]));
        assert!(!equal(&[f64::INFINITY], &[1.0]) && !equal(&[1.0], &[f64::NAN]));
    }

    #[test]
    fn the_first_difference_is_told() {
        let matrix = |data: Vec<i8>| {
            Value::Array(
                ArrayValue::new(vec![2, 2], ArrayData::I8(data.into())).expect("2 times 2 is 4"),
            )
        };
        let told = |expected: &[Value], got: &[Value]| {
            difference(expected, got, Tolerance::OfEach(TOLERANCE))
        };
        assert_eq!(
            told(&[matrix(vec![1, 2, 3, 4])], &[matrix(vec![1, 2, 9, 9])]).as_deref(),
            Some(" at [1][0]: 3i8 was expected, not 9i8")
        );
        assert_eq!(
            told(&[true.into(), vec![1_i32].into()], &[true.into(), Vec::<i32>::new().into()])
                .as_deref(),
            Some("result 2 of 2 in the shape: [1] was expected, not [0]")
        );
        assert_eq!(told(&[1.0.into()], &[1.0.into()]), None);
    }
}

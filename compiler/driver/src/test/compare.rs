//! Comparison of results with the expected ones, and the places where they differ.
//!
//! Invariant: integers, truth values and shapes must be equal. NaN equals NaN, and infinities equal themselves. Other
//! floats may differ by `tolerance` times the larger magnitude of the two. If both are smaller than a millionth, the
//! tolerance is that of a millionth.

use arr_runtime::host::{ArrayValue, ScalarValue, Value};
use arr_runtime::text;

/// The default tolerance for floats.
pub(crate) const TOLERANCE: f64 = 1e-6;

/// Smaller floats are compared with the tolerance of this number.
const SMALLEST: f64 = 1e-6;

/// Says in which result the values first differ, and at which element; `None` if they do not differ. For a single
/// scalar the text is empty.
pub(crate) fn difference(expected: &[Value], got: &[Value], tolerance: f64) -> Option<String> {
    let count = got.len();
    expected.iter().zip(got).enumerate().find_map(|(place, (expected, got))| {
        let what = of_value(expected, got, tolerance)?;
        let which =
            if count == 1 { String::new() } else { format!("result {} of {count}", place + 1) };
        Some(format!("{which}{what}"))
    })
}

fn of_value(expected: &Value, got: &Value, tolerance: f64) -> Option<String> {
    match (expected, got) {
        (Value::Scalar(expected), Value::Scalar(got)) => {
            (!same(*expected, *got, tolerance)).then(String::new)
        }
        (Value::Array(expected), Value::Array(got)) => of_array(expected, got, tolerance),
        (Value::Scalar(_), Value::Array(_)) | (Value::Array(_), Value::Scalar(_)) => {
            panic!("expected values are read as the types of the results")
        }
    }
}

fn of_array(expected: &ArrayValue, got: &ArrayValue, tolerance: f64) -> Option<String> {
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
    (0..got.data().len()).find_map(|at| {
        let expected = expected.data().get(at).expect("both have the shape's elements");
        let got_here = got.data().get(at).expect("both have the shape's elements");
        let place = || index(at, got.shape());
        (!same(expected, got_here, tolerance))
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

fn same(expected: ScalarValue, got: ScalarValue, tolerance: f64) -> bool {
    match (expected, got) {
        (ScalarValue::F32(expected), ScalarValue::F32(got)) => {
            near(expected.into(), got.into(), tolerance)
        }
        (ScalarValue::F64(expected), ScalarValue::F64(got)) => near(expected, got, tolerance),
        (expected, got) => expected == got,
    }
}

fn near(expected: f64, got: f64, tolerance: f64) -> bool {
    let both_nan = expected.is_nan() && got.is_nan();
    let size = expected.abs().max(got.abs()).max(SMALLEST);
    #[allow(clippy::float_cmp, reason = "infinities equal themselves, and have no distance")]
    let equal = expected == got;
    both_nan || equal || (size.is_finite() && (expected - got).abs() <= tolerance * size)
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
            assert_eq!(near(expected, got, TOLERANCE), equal, "{expected} {got}");
        }
    }

    #[test]
    fn the_first_difference_is_told() {
        let matrix = |data: Vec<i8>| {
            Value::Array(
                ArrayValue::new(vec![2, 2], ArrayData::I8(data.into())).expect("2 times 2 is 4"),
            )
        };
        let told = |expected: &[Value], got: &[Value]| difference(expected, got, TOLERANCE);
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

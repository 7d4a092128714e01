//! Values for which laws are tested: small numbers, negative ones, fractions that floats round, and the limits of
//! integers.
//!
//! Invariant: the samples of a type are always the same, in the same order, simple ones first.
//!
//! ```text
//! i64            ⇒   0 1 -1 2 3 … 9223372036854775807 -9223372036854775808
//! (f64, i64)     ⇒   (0, 0) (1, -1) (-1, 3) …
//! [n]i64         ⇒   arrays of two elements
//! ```

use crate::cnf::{Extent, Type};
use crate::eval::array::Array;
use crate::eval::cnf::Value;
use arrc_syntax::prim::{Const, Scalar};

use super::operator::scalars;

/// The components of one accumulator.
pub(super) type Sample = Vec<Value>;

/// The number of values that a scalar around an operator gets.
pub(super) const AROUND: usize = 3;

/// The number of elements that are tried of those that a program can make. The work grows with its third power.
pub(super) const ROUNDS: usize = 10;

/// The number of samples with several components.
const TUPLES: usize = 14;

const INTEGERS: [i128; 11] = [0, 1, -1, 2, 3, -2, 5, 7, -5, 10, 100];
const FLOATS: [f64; 12] = [0.0, 1.0, -1.0, 2.0, 0.1, -0.3, 0.5, 3.0, -7.25, 10.7, 100.0, 12_345.6];
/// The most elements of an array whose length is a constant.
const LONGEST: i64 = 8;
/// The length of other arrays.
const LENGTH: usize = 2;

/// Samples of accumulators of these types; none if a type has too many scalars.
pub(super) fn of(types: &[Type]) -> Option<Vec<Sample>> {
    let count = match types {
        [Type::Scalar(scalar)] => simple(*scalar).len(),
        _ => TUPLES,
    };
    let sample = |round: usize| -> Option<Sample> {
        types.iter().enumerate().map(|(at, ty)| value(ty, round, at)).collect()
    };
    (0..count).map(sample).collect()
}

/// A value of a type that a program probably meets: no limit of an integer. `at` is its place among the components.
pub(super) fn met(ty: &Type, round: usize, at: usize) -> Option<Value> {
    picked(ty, round, at, small)
}

/// A value of a type. `at` is its place among the components.
fn value(ty: &Type, round: usize, at: usize) -> Option<Value> {
    picked(ty, round, at, simple)
}

fn picked(ty: &Type, round: usize, at: usize, values: fn(Scalar) -> Vec<Const>) -> Option<Value> {
    let pick = |elem: Scalar, place: usize| {
        let all = values(elem);
        // In each round, the components take different steps through their samples.
        all[(round * (1 + 2 * place) + place) % all.len()]
    };
    let Type::Array { elem, shape } = ty else {
        return Some(Value::Scalar(pick(ty.scalars(), at)));
    };
    let shape: Vec<usize> = shape.iter().copied().map(length).collect::<Option<_>>()?;
    let scalars = (0..shape.iter().product()).map(|place| pick(*elem, at + place)).collect();
    Some(Value::Array(Array::new(*elem, shape, scalars)))
}

fn length(extent: Extent) -> Option<usize> {
    match extent {
        Extent::Const(length) => {
            usize::try_from(length).ok().filter(|_| (0..=LONGEST).contains(&length))
        }
        Extent::Size(_) => Some(LENGTH),
    }
}

/// The samples of a scalar.
fn simple(ty: Scalar) -> Vec<Const> {
    let mut all = small(ty);
    if ty != Scalar::Bool && !ty.is_float() {
        let limits = [Const::highest(ty), Const::lowest(ty)];
        all.extend(limits.into_iter().filter(|limit| limit.as_i128() != 0));
    }
    all
}

/// The samples of a scalar without the limits of integers.
fn small(ty: Scalar) -> Vec<Const> {
    if ty == Scalar::Bool {
        return [false, true].map(Const::bool).to_vec();
    }
    if ty.is_float() {
        return FLOATS.map(|value| Const::float(ty, value)).to_vec();
    }
    let [lowest, highest] = [Const::lowest(ty), Const::highest(ty)];
    let fits = |value: &i128| (lowest.as_i128()..=highest.as_i128()).contains(value);
    INTEGERS.into_iter().filter(fits).map(|value| Const::int(ty, value)).collect()
}

/// A value of a scalar around an operator.
pub(super) fn around(ty: Scalar, round: usize) -> Const {
    const VALUES: [i128; AROUND] = [2, 3, 5];
    match ty {
        Scalar::Bool => Const::bool(round.is_multiple_of(2)),
        Scalar::F32 | Scalar::F64 => Const::float(ty, [2.0, 3.0, 5.0][round]),
        Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64
        | Scalar::U8
        | Scalar::U16
        | Scalar::U32
        | Scalar::U64 => Const::int(ty, VALUES[round]),
    }
}

/// Whether the floats of a sample are numbers.
pub(super) fn is_finite(sample: &Sample) -> bool {
    let finite = |value: Const| !value.ty.is_float() || value.as_f64().is_finite();
    sample.iter().flat_map(scalars).all(finite)
}

/// Whether two results are the same but for rounding. `among` are all values of the computation: a difference counts in
/// relation to the largest of their floats.
pub(super) fn close(left: &Sample, right: &Sample, among: &[&Sample]) -> bool {
    let floats = among.iter().flat_map(|sample| sample.iter().flat_map(scalars));
    let largest = floats
        .filter(|value| value.ty.is_float() && value.as_f64().is_finite())
        .fold(0.0, |largest: f64, value| largest.max(value.as_f64().abs()));
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| {
            let (left, right) = (scalars(left), scalars(right));
            left.len() == right.len()
                && left.iter().zip(&right).all(|(x, y)| close_scalars(*x, *y, largest))
        })
}

fn close_scalars(left: Const, right: Const, largest: f64) -> bool {
    if !left.ty.is_float() {
        return left == right;
    }
    let (x, y) = (left.as_f64(), right.as_f64());
    let rounding = if left.ty == Scalar::F32 { 1e-4 } else { 1e-9 };
    #[allow(clippy::float_cmp, reason = "infinities and zeros are equal to themselves")]
    let is_same = x == y || x.is_nan() || y.is_nan();
    is_same || (x - y).abs() <= rounding * largest
}

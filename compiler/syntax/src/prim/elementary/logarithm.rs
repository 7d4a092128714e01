//! Logarithms.
//!
//! Invariant: powers of 2 have exact logarithms to the base 2; there are no branches.
//!
//! ```text
//! log x = k ln 2 + log m     x = 2ᵏ m, √½ ≤ m < √2; with f = m - 1, s = f / (2 + f), w = s² and h = f² / 2
//! log m = log((1 + s) / (1 - s)) = 2 s + s R(w) = f - h + s (h + R(w))     R by a polynomial
//! ```

use super::constants::{Format, LOG2_OF_F32};
use super::machine::{Float, Machine};
use super::term::Term;

/// Natural logarithm.
pub(super) fn log<M: Machine, T: Format>(x: Term<'_, M, T>) -> Term<'_, M, T> {
    let ReducedArgument { k, f } = ReducedArgument::of_any(x);
    let LogNearOne { h, rest } = LogNearOne::of(f);
    let [first, second] = T::LN2_PARTS;
    let y = k * first - (h - (rest + k * second) - f);
    with_special_cases(x, y)
}

/// Logarithm to the base 2.
pub(super) fn log2<M: Machine, T: Format>(x: Term<'_, M, T>) -> Term<'_, M, T> {
    let ReducedArgument { k, f } = ReducedArgument::of_any(x);
    let LogNearOne { h, rest } = LogNearOne::of(f);
    // The natural logarithm is a number with half as many digits, plus a rest. Both are multiplied by 1 / ln 2, which
    // has two such parts.
    let high = ((f - h).bits() & T::UPPER_DIGITS).float::<T>();
    let low = f - high - h + rest;
    let [first, second] = T::LOG2_E_PARTS;
    let main = high * first;
    let sum = k + main;
    let y = sum + (k - sum + main + ((low + high) * second + low * first));
    with_special_cases(x, y)
}

/// Logarithm to the base 2 of a number that was an `f32` and is not negative, with the digits that a power needs.
pub(super) fn log2_of_f32<M: Machine>(x: Term<'_, M, f64>) -> Term<'_, M, f64> {
    let ReducedArgument { k, f } = ReducedArgument::of_normal(x);
    let s = f / (f + f64::TWO);
    let y = s * (s * s).polynomial(LOG2_OF_F32) + k;
    let y = x.below(f64::INFINITY).choose(y, x);
    x.same(0.0).choose(f64::NEG_INFINITY, y)
}

/// The argument reduction of a logarithm: a number as 2ᵏ (1 + f).
struct ReducedArgument<'m, M: Machine, T: Format> {
    k: Term<'m, M, T>,
    f: Term<'m, M, T>,
}

impl<'m, M: Machine, T: Format> ReducedArgument<'m, M, T> {
    /// The parts of a positive number.
    fn of_any(x: Term<'m, M, T>) -> Self {
        let subnormal = x.below(T::LEAST_NORMAL);
        let parts = Self::of_normal(subnormal.choose(x * T::ABOVE_SUBNORMAL, x));
        let above = subnormal.choose(T::ABOVE_SUBNORMAL_EXPONENT, x.like(T::ZERO));
        Self { k: parts.k - above, f: parts.f }
    }

    /// The parts of a positive number that is not subnormal.
    fn of_normal(x: Term<'m, M, T>) -> Self {
        let bits = x.bits() + (x.like(T::ONE_BITS) - T::ROOT_BITS);
        let exponent = (bits >> T::PLACES) | T::EXPONENTS;
        let m = (bits & T::FRACTION) + T::ROOT_BITS;
        Self { k: exponent.float::<T>() - T::EXPONENTS_AT, f: m.float::<T>() - T::ONE }
    }
}

/// The logarithm of 1 + f, as f - h + rest.
struct LogNearOne<'m, M: Machine, T: Float> {
    h: Term<'m, M, T>,
    rest: Term<'m, M, T>,
}

impl<'m, M: Machine, T: Format> LogNearOne<'m, M, T> {
    fn of(f: Term<'m, M, T>) -> Self {
        let s = f / (f + T::TWO);
        let w = s * s;
        let h = f * f * T::HALF;
        Self { h, rest: s * (h + w * w.polynomial(T::LOG)) }
    }
}

/// The result `y` where the logarithm is a finite number, and the special values elsewhere.
fn with_special_cases<'m, M: Machine, T: Format>(
    x: Term<'m, M, T>,
    y: Term<'m, M, T>,
) -> Term<'m, M, T> {
    let other = x.above(T::ZERO).choose(x, x.like(T::NAN));
    let other = x.same(T::ZERO).choose(T::LOWEST, other);
    x.above(T::ZERO).and(x.below(T::INFINITY)).choose(y, other)
}

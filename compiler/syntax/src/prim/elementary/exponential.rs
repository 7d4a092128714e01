//! Powers of e and of 2.
//!
//! Invariant: the result is rounded after the last sum, and once more if it is subnormal; there are no branches.
//!
//! ```text
//! eˣ = 2ᵏ eʳ     k the integer next to x / ln 2, r = x - k ln 2, |r| ≤ ln 2 / 2, eʳ by a polynomial
//! ```

use super::constants::{EXP2_OF_F32, Format};
use super::machine::Machine;
use super::term::Term;

/// e to the power.
pub(super) fn exp<M: Machine, T: Format>(x: Term<'_, M, T>) -> Term<'_, M, T> {
    let [lowest, highest] = T::EXP_RANGE;
    let [t, y] = reduced(x.at_least(lowest).at_most(highest));
    scale(y, t)
}

/// e to the power of a number from 0 to 64. All intermediate values are normal.
pub(super) fn exp_in_range<M: Machine, T: Format>(x: Term<'_, M, T>) -> Term<'_, M, T> {
    let [t, y] = reduced(x);
    y * power_of_two(t)
}

/// 2 to the power.
pub(super) fn exp2<M: Machine, T: Format>(x: Term<'_, M, T>) -> Term<'_, M, T> {
    let [lowest, highest] = T::EXP2_RANGE;
    let x = x.at_least(lowest).at_most(highest);
    let t = x + T::INTEGERS;
    let r = x - (t - T::INTEGERS);
    let y = r * T::LN2 + r * r * r.polynomial(T::EXP2) + T::ONE;
    scale(y, t)
}

/// 2 to the power, with the digits that an `f32` needs.
pub(super) fn exp2_of_f32<M: Machine>(x: Term<'_, M, f64>) -> Term<'_, M, f32> {
    let x = x.at_least(-200.0).at_most(200.0);
    let t = x + f64::INTEGERS;
    let r = x - (t - f64::INTEGERS);
    let y = r * r.polynomial(EXP2_OF_F32) + f64::ONE;
    (y * power_of_two(t)).narrow()
}

/// The integer part in the lowest bits, and e to the power of the remainder.
fn reduced<M: Machine, T: Format>(x: Term<'_, M, T>) -> [Term<'_, M, T>; 2] {
    let t = x * T::LOG2_E + T::INTEGERS;
    let k = t - T::INTEGERS;
    let [first, second] = T::LN2_PARTS;
    let r = x - k * first - k * second;
    [t, r + r * r * r.polynomial(T::EXP) + T::ONE]
}

/// 2 to the power of the integer in the lowest bits, if that is normal.
fn power_of_two<M: Machine, T: Format>(t: Term<'_, M, T>) -> Term<'_, M, T> {
    ((t.bits() + T::BIAS) << T::PLACES).float()
}

/// A number times 2 to the power of the integer in the lowest bits. The power is two normal factors, since the power
/// itself may be subnormal or too large.
fn scale<'m, M: Machine, T: Format>(y: Term<'m, M, T>, t: Term<'m, M, T>) -> Term<'m, M, T> {
    let both = t.bits() + T::BIAS + T::BIAS;
    let first = both >> T::bits_of(1);
    let second = both - first;
    y * (first << T::PLACES).float() * (second << T::PLACES).float()
}

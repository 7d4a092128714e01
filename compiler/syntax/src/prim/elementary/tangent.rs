//! Hyperbolic tangent.
//!
//! Invariant: the result's sign is the operand's, and its magnitude is at most 1; there are no branches.
//!
//! ```text
//! |x| < 0.55:  tanh x = x + x w R(w), w = x²         else  tanh |x| = 1 - 2 / (e^(2 |x|) + 1)
//! ```

use super::constants::{Format, TANH_ABOVE, TANH_BELOW, TANH_OF_F32};
use super::exponential::exp_in_range;
use super::machine::Machine;
use super::term::Term;

/// The tangent of an `f64`. Both cases subtract a quotient, so that one division is enough.
pub(super) fn of_f64<M: Machine>(x: Term<'_, M, f64>) -> Term<'_, M, f64> {
    let (sign, a) = parts(x);
    let w = a * a;
    let e = exp_in_range((a + a).at_most(40.0));
    let near = a.below(0.55);
    let above = near.choose(a * w * w.polynomial(TANH_ABOVE), 2.0);
    let below = near.choose(w.polynomial(TANH_BELOW), e + 1.0);
    let y = near.choose(a, 1.0) - above / below;
    (y.bits() | sign).float()
}

/// The tangent of an `f32`.
pub(super) fn of_f32<M: Machine>(x: Term<'_, M, f32>) -> Term<'_, M, f32> {
    let (sign, a) = parts(x);
    let w = a * a;
    let e = exp_in_range((a + a).at_most(20.0));
    let near = a + a * w * w.polynomial(TANH_OF_F32);
    let far = a.like(1.0) - a.like(2.0) / (e + 1.0);
    let y = a.below(0.55).choose(near, far);
    (y.bits() | sign).float()
}

/// A number's sign and its magnitude.
fn parts<M: Machine, T: Format>(x: Term<'_, M, T>) -> (Term<'_, M, T::Bits>, Term<'_, M, T>) {
    let sign = x.bits() & T::SIGN;
    (sign, (x.bits() ^ sign).float())
}

//! Powers of `f32`, by logarithms and powers of 2 in `f64`.
//!
//! Invariant: the special cases are those of C's `pow`; there are no branches.
//!
//! ```text
//! |x|^y = 2^(y log2 |x|)     negative for negative x and odd y; NaN for negative x and fractions
//! ```

use super::constants::Format;
use super::exponential::exp2_of_f32;
use super::logarithm::log2_of_f32;
use super::machine::Machine;
use super::term::Term;

/// From here on every `f32` is an even integer.
const EVEN: f64 = 16_777_216.0;

/// A number to the power of another.
pub(super) fn pow<'m, M: Machine>(x: Term<'m, M, f32>, y: Term<'m, M, f32>) -> Term<'m, M, f32> {
    let [sign, exponent_sign] = [x, y].map(|of| of.bits() & f32::SIGN);
    let magnitude = (x.bits() ^ sign).float::<f32>();
    let power = exp2_of_f32(y.widen() * log2_of_f32(magnitude.widen()));
    // 1 to any power, and any number to the power of 0, are 1. There the product may be infinity times 0, which is
    // NaN.
    let is_one = magnitude.same(1.0).or(y.same(0.0));
    let power = is_one.choose(1.0, power);
    let exponent = (y.bits() ^ exponent_sign).float::<f32>().widen();
    let whole = exponent + f64::INTEGERS;
    let large = exponent.above(EVEN - 1.0);
    let fits = (whole - f64::INTEGERS).same(exponent);
    let is_odd = (whole.bits() & 1).low();
    let flipped = large.choose(0, fits.choose(is_odd << 31, 0)) & sign;
    let signed = (power.bits() ^ flipped).float::<f32>();
    // A negative number has powers for integer exponents only.
    let other = magnitude.same(f32::INFINITY).or(magnitude.same(0.0));
    let real = other.or(large).or(fits).or(x.bits().below(f32::SIGN));
    real.choose(signed, f32::NAN)
}

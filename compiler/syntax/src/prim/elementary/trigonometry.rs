//! Sine and cosine.
//!
//! Invariant: the angle is reduced with enough digits of π for all numbers up to the largest one, so that rounding is
//! the only notable error. Angles below `NEAR` are reduced by parts of π / 2, also in vectors. Other angles are rare.
//! They take a branch, and are reduced by as many digits of 2 / π as their exponent needs.
//!
//! ```text
//! x = n π / 2 + r, |r| ≤ π / 4     sin x is sin r, cos r, -sin r or -cos r, for n modulo 4
//! ```

use super::constants::{
    Format, QUARTER_TURN_2, QUARTER_TURN_3, QUARTER_TURN_4, TWO_OVER_PI, TWO_OVER_PI_DIGITS,
};
use super::machine::Machine;
use super::term::Term;

/// Angles below this number are near.
const NEAR: f64 = 1_000_000.0;

/// 2⁵².
const EXPONENTS_OF_0: f64 = 4_503_599_627_370_496.0;
/// 2⁻³².
const SCALE_32: f64 = 1.0 / 4_294_967_296.0;
/// The upper 26 digits of a number, its exponent and its sign.
const UPPER_HALF: u64 = !0x7ff_ffff;

/// One of the two functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trigonometric {
    /// Sine.
    Sin,
    /// Cosine: sine, a quarter of a turn ahead.
    Cos,
}

/// A reduced angle: the number of quarter turns, in the lowest bits, and the rest in two parts.
struct ReducedAngle<'m, M: Machine> {
    quarters: Term<'m, M, u64>,
    r: Term<'m, M, f64>,
    below: Term<'m, M, f64>,
}

impl Trigonometric {
    /// The function of an `f64`.
    pub(super) fn of_f64<M: Machine>(self, x: Term<'_, M, f64>) -> Term<'_, M, f64> {
        let angle = (x.bits() & !f64::SIGN).float::<f64>();
        let finish = |reduced| self.wide(x, &reduced);
        let near = angle.below(NEAR);
        x.fast_path(near, || finish(near_f64(angle)), || finish(far(angle)))
    }

    /// The function of an `f32`.
    pub(super) fn of_f32<M: Machine>(self, x: Term<'_, M, f32>) -> Term<'_, M, f32> {
        let magnitude = (x.bits() & !f32::SIGN).float::<f32>();
        let angle = magnitude.widen();
        let finish = |reduced| self.half(x, &reduced);
        #[allow(clippy::cast_possible_truncation, reason = "it is exact")]
        let near = magnitude.below(NEAR as f32);
        x.fast_path(near, || finish(near_f32(angle)), || finish(far(angle)))
    }

    fn wide<'m, M: Machine>(
        self,
        x: Term<'m, M, f64>,
        &ReducedAngle { quarters, r, below }: &ReducedAngle<'m, M>,
    ) -> Term<'m, M, f64> {
        let w = r * r;
        let sin = r + (r * w * w.polynomial(f64::SIN) + below);
        let half = w * 0.5;
        let about = half.like(1.0) - half;
        let cos =
            about + (about.like(1.0) - about - half + (w * w * w.polynomial(f64::COS) - r * below));
        self.quarter(x, quarters, [sin, cos])
    }

    fn half<'m, M: Machine>(
        self,
        x: Term<'m, M, f32>,
        reduced: &ReducedAngle<'m, M>,
    ) -> Term<'m, M, f32> {
        let r = reduced.r.narrow();
        let w = r * r;
        let sin = r + r * w * w.polynomial(f32::SIN);
        let half = w * 0.5;
        let about = half.like(1.0) - half;
        let cos = about + (about.like(1.0) - about - half + w * w * w.polynomial(f32::COS));
        self.quarter(x, reduced.quarters.low(), [sin, cos])
    }

    /// The value of the function, for the quarter of the turn that the angle is in.
    fn quarter<'m, M: Machine, T: Format>(
        self,
        x: Term<'m, M, T>,
        quarters: Term<'m, M, T::Bits>,
        [sin, cos]: [Term<'m, M, T>; 2],
    ) -> Term<'m, M, T> {
        let [one, two] = [1, 2].map(T::bits_of);
        let (quarters, sign) = match self {
            Self::Sin => (quarters, x.bits() & T::SIGN),
            Self::Cos => (quarters + one, x.like(T::bits_of(0))),
        };
        let value = (quarters & one).same(one).choose(cos, sin);
        let flipped = (quarters & two) << T::SIGN_OF_TWO;
        (value.bits() ^ flipped ^ sign).float()
    }
}

/// Reduces an angle below [`NEAR`]. The products with all parts but the last are exact, and so are the first
/// differences.
fn near_f64<M: Machine>(angle: Term<'_, M, f64>) -> ReducedAngle<'_, M> {
    let t = angle * TWO_OVER_PI + f64::INTEGERS;
    let k = t - f64::INTEGERS;
    let [first, second, third, fourth] = QUARTER_TURN_4.map(|part| k * part);
    let y = angle - first;
    let z = y - second;
    let rest = y - z - second;
    let u = z - third;
    let below = rest + (z - u - third) - fourth;
    let [r, below] = sum(u, below);
    ReducedAngle { quarters: t.bits(), r, below }
}

/// Reduces an angle below [`NEAR`] for an `f32`, which needs fewer digits.
fn near_f32<M: Machine>(angle: Term<'_, M, f64>) -> ReducedAngle<'_, M> {
    let t = angle * TWO_OVER_PI + f64::INTEGERS;
    let k = t - f64::INTEGERS;
    let [first, second] = QUARTER_TURN_2.map(|part| k * part);
    let r = angle - first - second;
    ReducedAngle { quarters: t.bits(), r, below: r.like(0.0) }
}

/// Reduces an angle that is not below [`NEAR`]: multiplies its digits by 192 digits of 2 / π, as integers. The digits
/// before them give whole turns.
fn far<M: Machine>(angle: Term<'_, M, f64>) -> ReducedAngle<'_, M> {
    // An infinite angle reads the end of the table, and its result is not used.
    let finite = angle.below(f64::INFINITY);
    let bits = finite.choose(angle, angle.like(f64::MAX)).bits();
    let mantissa = (bits & f64::FRACTION) | (f64::FRACTION + 1);
    // The angle is the mantissa times 2 to the power e; the digits begin at e - 2, in a table with 64 zeros before.
    let at = (bits >> f64::PLACES) - (1023 + 52 + 2 - 64);
    let (word, shift) = (at >> 6, at & 63);
    let window = |n: u64| {
        let [high, low] = [n, n + 1].map(|n| (word + n).entry(&TWO_OVER_PI_DIGITS));
        (high << shift) | ((low >> 1) >> (shift.like(63) - shift))
    };
    let [first, second, third] = [0, 1, 2].map(window);
    let middle = mantissa * second;
    let lower = middle + mantissa.mul_hi(third);
    let carry = lower.below(middle).choose(1, 0);
    let upper = mantissa * first + mantissa.mul_hi(second) + carry;
    // The first two binary digits are the quarter turns, and the rest is a fraction of a quarter turn. A fraction
    // from a half on is replaced by its distance to the next quarter turn.
    let (upper, fraction) = (upper, (upper << 2) | (lower >> 62));
    let beyond = fraction >> 63;
    let quarters = (upper >> 62) + beyond;
    let flip = fraction.like(0) - beyond;
    let (fraction, lower) = (fraction ^ flip, (lower << 2) ^ flip);
    // The digits in words of 32 bits. Each word is an exact float.
    let [a, b] = words(fraction, SCALE_32);
    let [c, d] = words(lower, SCALE_32 * SCALE_32 * SCALE_32);
    let head = a + b;
    let [head, rest] = sum(head, a - head + b + c + d);
    // The number is multiplied by π / 2. The products of halves are exact.
    let [first, second, third] = QUARTER_TURN_3;
    let high = (head.bits() & UPPER_HALF).float::<f64>();
    let low = head - high;
    let main = head * (first + second);
    let lacks = high * first - main + high * second + low * first + low * second;
    let parts = sum(main, lacks + head * third + rest * (first + second));
    let sign = beyond << 63;
    let [r, below] = parts.map(|part| (part.bits() ^ sign).float::<f64>());
    ReducedAngle { quarters, r: finite.choose(r, f64::NAN), below }
}

/// The two halves of the digits behind a point, as floats. The last digit of the first half is worth `scale`.
fn words<'m, M: Machine>(bits: Term<'m, M, u64>, scale: f64) -> [Term<'m, M, f64>; 2] {
    let number = |word: Term<'m, M, u64>| (word | f64::EXPONENTS).float::<f64>() - EXPONENTS_OF_0;
    [number(bits >> 32) * scale, number(bits & 0xffff_ffff) * (scale * SCALE_32)]
}

/// The sum of a number and a much smaller one, as the nearest float and its error.
fn sum<'m, M: Machine>(a: Term<'m, M, f64>, b: Term<'m, M, f64>) -> [Term<'m, M, f64>; 2] {
    let sum = a + b;
    [sum, a - sum + b]
}

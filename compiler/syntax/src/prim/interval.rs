//! Intervals of integers, and the intervals of the results of operations.
//!
//! Invariant: every result of an operation, before it wraps, is in the interval that is computed for it.
//!
//! ```text
//! [0, 3] + [2, 5] = [2, 8]
//! ```

use super::{Const, Scalar};

/// All integers from the least to the greatest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The least.
    pub low: i128,
    /// The greatest.
    pub high: i128,
}

impl Interval {
    /// All numbers of a type; none for floats.
    #[must_use]
    pub fn of_type(ty: Scalar) -> Option<Self> {
        if ty == Scalar::Bool {
            return Some(Self { low: 0, high: 1 });
        }
        ty.is_integer()
            .then(|| Self { low: Const::lowest(ty).as_i128(), high: Const::highest(ty).as_i128() })
    }

    /// Whether it contains another interval.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// The smallest interval that contains both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The interval of the results of an operation that is monotonic in each operand.
    #[must_use]
    pub fn corners(self, other: Self, op: impl Fn(i128, i128) -> i128) -> Self {
        let ends = [self.low, self.high].map(|x| [op(x, other.low), op(x, other.high)]);
        let each = || ends.into_iter().flatten();
        let (low, high) = (each().min(), each().max());
        Self { low: low.expect("four ends"), high: high.expect("four ends") }
    }

    /// The interval of the products. None if a product could be too large for any type.
    #[must_use]
    pub fn products(self, other: Self) -> Option<Self> {
        let small = |side: Self| side.low.abs().max(side.high.abs()) <= 1 << 62;
        (small(self) && small(other)).then(|| self.corners(other, |x, y| x * y))
    }

    /// The interval of the bits that both have. None if both may be negative.
    #[must_use]
    pub fn common_bits(self, other: Self) -> Option<Self> {
        let ends = [self, other].into_iter().filter(|side| side.low >= 0).map(|side| side.high);
        Some(Self { low: 0, high: ends.min()? })
    }

    /// The interval of the quotients by numbers above 0.
    #[must_use]
    pub fn quotients(self, by: Self, op: impl Fn(i128, i128) -> i128) -> Option<Self> {
        (by.low > 0).then(|| self.corners(by, op))
    }

    /// The interval of the remainders with the sign of a divisor that is above 0.
    #[must_use]
    pub fn moduli(by: Self) -> Option<Self> {
        (by.low > 0).then(|| Self { low: 0, high: by.high - 1 })
    }

    /// The interval of the remainders with the sign of the dividend, for divisors above 0.
    #[must_use]
    pub fn remainders(self, by: Self) -> Option<Self> {
        let most = by.high - 1;
        (by.low > 0).then(|| Self { low: self.low.clamp(-most, 0), high: self.high.clamp(0, most) })
    }
}

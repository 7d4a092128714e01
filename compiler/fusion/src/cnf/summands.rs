//! Sizes as sums.
//!
//! Invariant: a size with equal summands has an entry for them, with their number, however large the number is.
//!
//! ```text
//! k1 = Sum(n, n); k2 = Sum(k1, k1); k3 = Sum(k2, 1)   ⇒   k3: n 4 times, and 1
//! ```

use std::collections::BTreeMap;

use crate::cnf::{Extent, SizeDef, SizeInfo};
use arrc_syntax::ids::{PrimaryMap, SizeId};

/// The summands of a size.
#[derive(Default)]
pub struct Summands {
    /// How often each summand that is neither a sum nor a constant is added, in their order.
    pub counts: BTreeMap<Extent, u64>,
    /// The constant summand.
    pub constant: i64,
}

impl Summands {
    /// Adds an extent that many times. Returns whether the numbers can be represented; the sum is of no use otherwise.
    pub fn add(
        &mut self,
        sizes: &PrimaryMap<SizeId, SizeInfo>,
        extent: Extent,
        times: u64,
    ) -> bool {
        let size = match extent {
            Extent::Const(value) => {
                let times = i64::try_from(times).ok();
                let part = times.and_then(|times| value.checked_mul(times));
                let sum = part.and_then(|part| self.constant.checked_add(part));
                // The negative of the constant is an `i64` too.
                let sum = sum.filter(|&sum| sum != i64::MIN);
                self.constant = sum.unwrap_or_default();
                return sum.is_some();
            }
            Extent::Size(size) => size,
        };
        match sizes[size].def {
            SizeDef::Sum(left, right) if left == right => {
                times.checked_mul(2).is_some_and(|times| self.add(sizes, left, times))
            }
            SizeDef::Sum(left, right) => {
                self.add(sizes, left, times) && self.add(sizes, right, times)
            }
            SizeDef::Param | SizeDef::Value(_) | SizeDef::Exists | SizeDef::Product(..) => {
                let count = self.counts.entry(extent).or_default();
                count.checked_add(times).map(|sum| *count = sum).is_some()
            }
        }
    }
}

//! Affine forms: a sum of symbols, each times a number, and a constant.
//!
//! Invariant: no symbol has the factor 0, so that equal sums are equal forms; arithmetic wraps as that of
//! `i64` does.
//!
//! ```text
//! t = n - first; j = i + t     j is i + n - first
//! ```

use std::collections::BTreeMap;

/// An affine form: a sum of symbols, each times a number, and a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AffineForm<S: Ord> {
    /// The factor of each symbol.
    pub terms: BTreeMap<S, i64>,
    /// The constant.
    pub constant: i64,
}

impl<S: Ord + Copy> AffineForm<S> {
    /// A number.
    pub fn constant(constant: i64) -> Self {
        Self { terms: BTreeMap::new(), constant }
    }

    /// A symbol.
    pub fn symbol(symbol: S) -> Self {
        Self { terms: BTreeMap::from([(symbol, 1)]), constant: 0 }
    }

    /// The sum with `by` times another one added.
    pub fn plus(&self, by: i64, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.constant = sum.constant.wrapping_add(by.wrapping_mul(other.constant));
        for (&symbol, &count) in &other.terms {
            let term = sum.terms.entry(symbol).or_default();
            *term = term.wrapping_add(by.wrapping_mul(count));
        }
        sum.terms.retain(|_, count| *count != 0);
        sum
    }

    /// The sum with a number added.
    pub fn shifted(&self, by: i64) -> Self {
        Self { constant: self.constant.wrapping_add(by), ..self.clone() }
    }

    /// The sum with the other sign.
    pub fn negated(&self) -> Self {
        Self::constant(0).plus(-1, self)
    }

    /// The number, if it is one.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The symbol, if the form is one.
    pub fn as_symbol(&self) -> Option<S> {
        match self.terms.first_key_value() {
            Some((&symbol, 1)) if self.terms.len() == 1 && self.constant == 0 => Some(symbol),
            Some(_) | None => None,
        }
    }

    /// The factor of the symbol, and the rest of the sum.
    pub fn without(&self, symbol: S) -> (i64, Self) {
        let mut rest = self.clone();
        let count = rest.terms.remove(&symbol).unwrap_or(0);
        (count, rest)
    }
}

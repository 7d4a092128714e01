//! Arithmetic of sizes: polynomials over size symbols, always in normal form.
//!
//! Invariant: every monomial's factors are sorted and no coefficient is 0, so equal sizes are equal values. A product
//! of sums has at most [`MAX_TERMS`] terms, and a term at most [`MAX_FACTORS`] factors. A coefficient and its negative fit in
//! an `i64`. A larger size is [`Size::too_large`], and so is every sum and product with it.
//!
//! ```text
//! (n + 1) * m - m   ⇒   {[n, m]: 1}
//! ```

use std::collections::btree_map::Entry;

use super::Size;
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::{ReservedValue, SizeVar};

/// The most terms of a product of two sums.
pub const MAX_TERMS: usize = 256;
/// The most factors of a term.
pub const MAX_FACTORS: usize = 32;

impl Size {
    /// A size that is known when compiling. The least `i64` is too large, since its negative is no `i64`.
    #[must_use]
    pub fn constant(value: i64) -> Self {
        let mut size = Self::default();
        size.add_term(Vec::new(), value);
        size
    }

    /// A single symbol.
    #[must_use]
    pub fn symbol(id: SizeVar) -> Self {
        let mut size = Self::default();
        size.add_term(vec![id], 1);
        size
    }

    /// Stands for a size with too many terms or factors, or too large a coefficient. The code that meets it reports the error.
    #[must_use]
    pub fn too_large() -> Self {
        Self::symbol(SizeVar::reserved_value())
    }

    /// Whether this stands for a size with too many terms or factors, or too large a coefficient.
    #[must_use]
    pub fn is_too_large(&self) -> bool {
        // No other size has this symbol, and it is the greatest symbol.
        matches!(self.terms.last_key_value(), Some((factors, _)) if factors[..] == [SizeVar::reserved_value()])
    }

    /// The value, if it is known when compiling.
    #[must_use]
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The symbol, if it is a single one.
    #[must_use]
    pub fn as_symbol(&self) -> Option<SizeVar> {
        let (factors, &coefficient) = self.terms.first_key_value()?;
        match factors.as_slice() {
            [id] if self.terms.len() == 1 && coefficient == 1 && !self.is_too_large() => Some(*id),
            _ => None,
        }
    }

    /// Whether the symbol is a term by itself, with the coefficient 1, and is in no other term.
    #[must_use]
    pub fn is_linear_in(&self, id: SizeVar) -> bool {
        self.factor_of(id) == Some(1)
    }

    /// The coefficient of the symbol, if the symbol is the only factor of its term and in no other term.
    #[must_use]
    pub fn factor_of(&self, id: SizeVar) -> Option<i64> {
        let mut others = self.terms.keys().filter(|factors| factors.as_slice() != [id]).flatten();
        self.terms.get(&vec![id]).copied().filter(|_| others.all(|&other| other != id))
    }

    /// The symbols in the size, sorted, each once.
    #[must_use]
    pub fn symbols(&self) -> Vec<SizeVar> {
        if self.is_too_large() {
            return Vec::new();
        }
        let mut ids: Vec<SizeVar> = self.terms.keys().flatten().copied().collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.add(other);
        sum
    }

    /// The difference.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        let mut difference = self.clone();
        difference.add_times(other, -1);
        difference
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        if self.is_too_large() || other.is_too_large() {
            return Self::too_large();
        }
        let most = MAX_TERMS.max(self.terms.len()).max(other.terms.len());
        let mut product = Self::default();
        for (left, &a) in &self.terms {
            for (right, &b) in &other.terms {
                let mut factors = [left.as_slice(), right.as_slice()].concat();
                factors.sort_unstable();
                let fits = factors.len() <= MAX_FACTORS;
                let is_added = fits && product.add_product(factors, a, b);
                if !is_added || product.terms.len() > most {
                    return Self::too_large();
                }
            }
        }
        product
    }

    /// The product with a constant.
    #[must_use]
    pub fn times_constant(&self, factor: i64) -> Self {
        let mut product = Self::default();
        product.add_times(self, factor);
        product
    }

    /// The quotient by a product of symbols and a number, if there is no remainder.
    #[must_use]
    pub fn divided(&self, factors: &[SizeVar], by: i64) -> Option<Self> {
        let mut quotient = Self::default();
        for (own, &coefficient) in &self.terms {
            let mut own = own.clone();
            for factor in factors {
                own.remove(own.iter().position(|other| other == factor)?);
            }
            if coefficient.checked_rem(by)? != 0 {
                return None;
            }
            if !quotient.add_term(own, coefficient.checked_div(by)?) {
                return None;
            }
        }
        Some(quotient)
    }

    /// Solves the equation between this size and `other` for the symbol. The symbol must occur once, and the division
    /// by the other factors of its term must leave no remainder.
    #[must_use]
    pub fn solved(&self, id: SizeVar, other: &Self) -> Option<Self> {
        let mut having = self.terms.iter().filter(|(factors, _)| factors.contains(&id));
        let (Some((factors, &coefficient)), None) = (having.next(), having.next()) else {
            return None;
        };
        let mut rest = self.clone();
        rest.terms.remove(factors);
        let mut others = factors.clone();
        others.remove(others.iter().position(|&factor| factor == id)?);
        if others.contains(&id) {
            return None;
        }
        other.minus(&rest).divided(&others, coefficient)
    }

    /// Substitutes a size for every symbol for which `with` gives one.
    #[must_use]
    pub fn substitute(&self, mut with: impl FnMut(SizeVar) -> Option<Self>) -> Self {
        if self.is_too_large() {
            return self.clone();
        }
        let mut result = Self::default();
        for (factors, &coefficient) in &self.terms {
            let by: Vec<Option<Self>> = factors.iter().map(|&factor| with(factor)).collect();
            if by.iter().all(Option::is_none) {
                result.add_term(factors.clone(), coefficient);
            } else if let ([_], [Some(size)]) = (&factors[..], &by[..]) {
                result.add_times(size, coefficient);
            } else {
                let mut term = Self::constant(coefficient);
                for (&factor, size) in factors.iter().zip(by) {
                    term = term.times(&size.unwrap_or_else(|| Self::symbol(factor)));
                }
                result.add(&term);
            }
            if result.is_too_large() {
                return result;
            }
        }
        result
    }

    /// The value of the size, given the values of its symbols.
    ///
    /// # Errors
    /// The operation whose result does not fit in an `i64`.
    pub fn value(&self, mut of: impl FnMut(SizeVar) -> i64) -> Result<i64, Failure<i64>> {
        let mut sum: Option<i64> = None;
        for (factors, &coefficient) in self.terms.iter().rev() {
            let mut product = coefficient;
            for &factor in factors {
                let (x, y) = (product, of(factor));
                product = x.checked_mul(y).ok_or_else(|| Failure::size_overflow(x, '*', y))?;
            }
            sum = Some(match sum {
                None => product,
                Some(x) => {
                    x.checked_add(product).ok_or_else(|| Failure::size_overflow(x, '+', product))?
                }
            });
        }
        Ok(sum.unwrap_or(0))
    }

    /// Adds another size.
    fn add(&mut self, other: &Self) {
        self.add_times(other, 1);
    }

    /// Adds another size that many times.
    fn add_times(&mut self, other: &Self, times: i64) {
        if self.is_too_large() {
            return;
        }
        if other.is_too_large() {
            *self = Self::too_large();
            return;
        }
        for (factors, &coefficient) in &other.terms {
            if !self.add_product(factors.clone(), coefficient, times) {
                return;
            }
        }
    }

    /// Adds `a * b` times the product of `factors`, which are sorted. Returns whether the size is not too large then.
    fn add_product(&mut self, factors: Vec<SizeVar>, a: i64, b: i64) -> bool {
        let Some(coefficient) = a.checked_mul(b) else {
            *self = Self::too_large();
            return false;
        };
        self.add_term(factors, coefficient)
    }

    /// Adds `coefficient` times the product of `factors`, which are sorted. Returns whether the size is not too large then.
    fn add_term(&mut self, factors: Vec<SizeVar>, coefficient: i64) -> bool {
        let term = self.terms.entry(factors);
        let before = if let Entry::Occupied(before) = &term { *before.get() } else { 0 };
        let Some(sum) = before.checked_add(coefficient).filter(|&sum| sum != i64::MIN) else {
            *self = Self::too_large();
            return false;
        };
        match term {
            Entry::Occupied(term) if sum == 0 => {
                term.remove();
            }
            Entry::Occupied(mut term) => *term.get_mut() = sum,
            Entry::Vacant(_) if sum == 0 => {}
            Entry::Vacant(term) => {
                term.insert(sum);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrc_syntax::ids::EntityRef;

    fn n() -> Size {
        Size::symbol(SizeVar::new(0))
    }

    fn m() -> Size {
        Size::symbol(SizeVar::new(1))
    }

    #[test]
    fn normal_form_decides_equality() {
        let left = n().plus(&Size::constant(1)).times(&m()).minus(&m());
        assert_eq!(left, m().times(&n()));
        assert_eq!(n().minus(&n()), Size::constant(0));
        assert_ne!(n(), m());
    }

    #[test]
    fn constants_and_symbols_are_recognised() {
        assert_eq!(Size::constant(0).as_constant(), Some(0));
        assert_eq!(Size::constant(7).as_constant(), Some(7));
        assert_eq!(n().as_constant(), None);
        assert_eq!(n().as_symbol(), Some(SizeVar::new(0)));
        assert_eq!(n().times_constant(2).as_symbol(), None);
        assert_eq!(n().times(&m()).as_symbol(), None);
        assert_eq!(n().times(&m()).plus(&n()).symbols(), vec![SizeVar::new(0), SizeVar::new(1)]);
    }

    #[test]
    fn a_size_is_linear_in_what_stands_alone() {
        let id = SizeVar::new(0);
        assert!(n().plus(&m()).is_linear_in(id));
        assert!(!n().times(&m()).is_linear_in(id));
        assert!(!n().times(&m()).plus(&n()).is_linear_in(id));
        assert!(!n().times_constant(2).is_linear_in(id));
        assert!(!m().is_linear_in(id));
    }

    #[test]
    fn division_leaves_no_remainder() {
        let m = SizeVar::new(1);
        let size = n().times(&self::m()).times_constant(4).plus(&self::m().times_constant(2));
        let half = n().times_constant(2).plus(&Size::constant(1));
        assert_eq!(size.divided(&[m], 2), Some(half));
        assert_eq!(size.divided(&[m], 4), None);
        assert_eq!(size.divided(&[m, m], 2), None);
        assert_eq!(Size::constant(0).divided(&[m], 3), Some(Size::constant(0)));
    }

    #[test]
    fn what_is_made_of_a_size_that_is_too_large_is_so_too() {
        let sums = (0..10).map(|at| {
            Size::symbol(SizeVar::new(2 * at)).plus(&Size::symbol(SizeVar::new(2 * at + 1)))
        });
        let products = sums.scan(Size::constant(1), |product, sum| {
            *product = product.times(&sum);
            Some(product.clone())
        });
        let products: Vec<Size> = products.collect();
        assert_eq!(products[7].terms.len(), MAX_TERMS);
        let large = &products[8];
        assert!(large.is_too_large() && products[9].is_too_large());
        for made in
            [large.plus(&n()), n().minus(large), large.times(&n()), large.times_constant(-1)]
        {
            assert!(made.is_too_large());
        }
        assert_eq!(large.substitute(|_| Some(n())), *large);
        assert_eq!((large.as_symbol(), large.symbols()), (None, Vec::new()));
        assert!(!n().is_too_large());
    }

    #[test]
    fn a_coefficient_and_its_negative_fit_in_a_number() {
        let most = n().times_constant(i64::MAX);
        assert_eq!(most.times_constant(-1).times_constant(-1), most);
        assert_eq!(most.minus(&most), Size::default());
        let less = most.times_constant(-1);
        let half = n().times_constant(1 << 62);
        let large = [
            Size::constant(i64::MIN),
            most.plus(&n()),
            most.plus(&m()).plus(&most.plus(&m())),
            less.minus(&n()),
            most.minus(&less),
            half.plus(&half),
            half.times_constant(-2),
            half.times_constant(4),
            half.times(&Size::constant(2)),
            half.times(&half),
            half.plus(&Size::constant(1)).times(&m().times_constant(2)),
            half.substitute(|_| Some(m().times_constant(2))),
            m().plus(&most).substitute(|_| Some(n())),
        ];
        for size in large {
            assert!(size.is_too_large(), "{size:?}");
            assert_eq!(size.terms.len(), 1);
        }
    }

    #[test]
    fn a_power_may_have_so_many_factors() {
        let square = n().times(&n());
        let power = (0..4).fold(square, |power, _| power.times(&power));
        assert_eq!(power.terms.keys().map(Vec::len).max(), Some(MAX_FACTORS));
        assert!(power.times(&n()).is_too_large());
    }

    #[test]
    fn a_long_sum_is_not_too_large() {
        let sum = (0..2 * MAX_TERMS)
            .fold(Size::default(), |sum, at| sum.plus(&Size::symbol(SizeVar::new(at))));
        assert_eq!(sum.times(&n()).terms.len(), 2 * MAX_TERMS);
        assert!(sum.times(&sum).is_too_large());
    }

    #[test]
    fn substitution_multiplies_out() {
        let square = n().times(&n());
        let size = square.substitute(|_| Some(m().plus(&Size::constant(1))));
        let expected = m().times(&m()).plus(&m().times_constant(2)).plus(&Size::constant(1));
        assert_eq!(size, expected);
    }
}

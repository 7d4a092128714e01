//! Which demands follow from facts.
//!
//! Two facts may have to be added: `2 * n - r - i - 1 >= 0` follows from `n - r >= 0` and `n - i - 1 >= 0`.
//!
//! Invariant: where facts are added, each variable of the demand and of these facts lies within ± 2⁶⁰, so that no sum
//! of a few of them wraps.

use super::integer_facts::IntegerFacts;
use crate::ranges::sums::{SANE, Sum};
use arrc_syntax::ids::VarId;

/// Facts use only sums with smaller constants, so that no such sum wraps.
const MAX_CONSTANT: u64 = 1 << 32;

/// A sum with more terms, a multiple counted as several, could wrap although each variable lies within ± 2⁶⁰.
const MAX_TERMS: u64 = 4;

/// Facts, and what the other demands of a range make certain.
pub(crate) struct Premises<'a> {
    facts: &'a IntegerFacts,
    /// Variables within ± 2⁶⁰, as the range demands.
    sane: Vec<VarId>,
}

impl<'a> Premises<'a> {
    /// The facts alone.
    pub(crate) fn new(facts: &'a IntegerFacts) -> Self {
        Self { facts, sane: Vec::new() }
    }

    /// The facts, and that numbers of steps and elements are small.
    pub(super) fn with_counts(facts: &'a IntegerFacts) -> Self {
        Self { facts, sane: facts.short.clone() }
    }

    /// Adds a demand of the range: a sum lies within ± 2⁶⁰.
    pub(crate) fn demand_sane(&mut self, sum: &Sum) {
        self.sane.extend(single(&self.facts.reduced(sum)));
    }

    /// Whether a sum of sane sums is certainly not negative.
    pub(crate) fn is_natural(&self, sum: &Sum) -> bool {
        let sum = self.facts.reduced(sum);
        if let Some(constant) = sum.as_constant() {
            return constant >= 0;
        }
        if !is_small(&sum) {
            return false;
        }
        let same = |fact: &Sum| fact.terms == sum.terms && fact.constant <= sum.constant;
        self.facts.natural.related(&sum).any(same) || self.follows(&sum)
    }

    /// Whether the value that a sum has modulo 2⁶⁴ is certainly not negative. Its parts may be any numbers.
    pub(super) fn is_certain(&self, sum: &Sum) -> bool {
        let sum = self.facts.reduced(sum);
        match sum.as_constant() {
            Some(constant) => constant >= 0,
            None => self.facts.natural.contains(&sum) || self.follows(&sum),
        }
    }

    /// Whether a sum without its constant certainly lies within ± 2⁶⁰, or so little beyond it that sums of a few such
    /// numbers do not wrap either.
    pub(crate) fn is_sane(&self, sum: &Sum) -> bool {
        let sum = self.facts.reduced(sum);
        if let Some(constant) = sum.as_constant() {
            return constant.unsigned_abs() <= SANE.unsigned_abs();
        }
        let negated = sum.negated();
        let same = |fact: &Sum| [&sum.terms, &negated.terms].contains(&&fact.terms);
        is_small(&sum) && (self.facts.sane.related(&sum).any(same) || self.lies_between(&sum))
    }

    /// Whether a sum is not negative, and not greater than a variable that is sane.
    fn lies_between(&self, sum: &Sum) -> bool {
        let limits = self.facts.sane.iter().filter_map(single).chain(self.sane.iter().copied());
        self.follows(sum)
            && limits.into_iter().any(|limit| self.follows(&Sum::symbol(limit).plus(-1, sum)))
    }

    /// Whether one or two facts imply that a sum is not negative.
    fn follows(&self, sum: &Sum) -> bool {
        if !self.is_bounded(sum) {
            return false;
        }
        let natural = &self.facts.natural;
        natural.related(sum).filter_map(|fact| self.rest(sum, fact)).any(|rest| {
            is_natural_constant(&rest)
                || natural
                    .related(&rest)
                    .filter_map(|fact| self.rest(&rest, fact))
                    .any(|rest| is_natural_constant(&rest))
        })
    }

    /// What a fact leaves of a sum, if it is about the same variables.
    fn rest(&self, sum: &Sum, fact: &Sum) -> Option<Sum> {
        let helps = fact.terms.iter().any(|(var, &count)| {
            sum.terms.get(var).is_some_and(|&wanted| wanted.signum() == count.signum())
        });
        (helps && self.is_bounded(fact)).then(|| sum.plus(-1, fact))
    }

    /// Whether a sum of a few variables does not wrap.
    fn is_bounded(&self, sum: &Sum) -> bool {
        let terms = sum.terms.values().map(|count| count.unsigned_abs());
        is_small(sum)
            && terms.fold(0, u64::saturating_add) <= MAX_TERMS
            && sum.terms.keys().all(|&var| self.is_sane_alone(var))
    }

    /// Whether a variable lies within ± 2⁶⁰.
    fn is_sane_alone(&self, var: VarId) -> bool {
        let is_sane = |var| {
            self.sane.contains(&var)
                || self.facts.sane.mentioning(var).any(|fact| single(fact) == Some(var))
        };
        let own = Sum::symbol(var);
        is_sane(var)
            || self.facts.natural.contains(&own)
                && self
                    .facts
                    .natural
                    .mentioning(var)
                    .any(|fact| single(&fact.plus(1, &own)).is_some_and(is_sane) && is_small(fact))
    }
}

/// The variable that a sum consists of, besides a small constant.
fn single(sum: &Sum) -> Option<VarId> {
    let mut terms = sum.terms.iter();
    match (terms.next(), terms.next()) {
        (Some((&var, 1 | -1)), None) if is_small(sum) => Some(var),
        (_, _) => None,
    }
}

fn is_small(sum: &Sum) -> bool {
    sum.constant.unsigned_abs() < MAX_CONSTANT
}

fn is_natural_constant(sum: &Sum) -> bool {
    sum.as_constant().is_some_and(|constant| constant >= 0)
}

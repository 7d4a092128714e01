//! Positions that the numbers of steps of the loops around imply to be in bounds.
//!
//! A step of a loop shows that the loop has one more step than its counter says, so `n - k - i - 1` is not negative in
//! a loop of `n - k` steps. The ends of ranges, quotients, minima and maxima have such facts as well. Here sums are of
//! integers that do not wrap, so no variable has to be small.
//!
//! Invariant: a fact is used only if the sums that it compares have no other values without wrapping.
//!
//! ```text
//! a: [n]f64; loop i < n - k { loop p < k { a[i + p] } }   ⇒   n - (i + p) - 1 = (n - k - i - 1) + (k - p - 1) + 1 >= 0
//! ```

use super::implied::Premises;
use super::integer_facts::{ExactSum, IntegerFacts};
use crate::concrete::Length;
use crate::ranges::sums::Sum;
use arrc_fusion::cnf::{Atom, Extent, SizeDef, SizeInfo, Type, Var};
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::prim::BinOp;

/// Factors and constants are below it, so that a sum plus such a multiple of another one does not wrap.
const SMALL: u64 = 1 << 30;

/// The most facts that are tried for one index. It bounds the time of a proof.
const MAX_TRIES: usize = 64;

impl IntegerFacts {
    /// Notes what holds in each step of a loop. A run takes less than 2⁶⁰ of them.
    pub(crate) fn enter_step(
        &mut self,
        counter: VarId,
        length: &Length,
        vars: &PrimaryMap<VarId, Var>,
        sizes: &PrimaryMap<SizeId, SizeInfo>,
    ) {
        let step = Sum::symbol(counter);
        self.note_non_negative(&step);
        self.short.push(counter);
        let length = match length {
            Length::Value(length) => self.form(*length),
            Length::Array(array) => {
                let first = vars[*array].ty.shape().first().copied();
                first.and_then(|extent| self.part(extent, sizes))
            }
            Length::Product(..) => None,
        };
        if let Some(length) = length {
            self.note_non_negative(&length.plus(-1, &step).shifted(-1));
            self.note_non_negative(&length.shifted(-1));
            self.below(counter, &length);
            self.limits.push(self.reduced(&length));
        }
    }

    /// Notes that a number is certainly less than a sum.
    pub(crate) fn below(&mut self, number: VarId, limit: &Sum) {
        self.below_by(1, number, limit);
    }

    /// Notes that a number is certainly less than a sum, by at least a constant.
    pub(super) fn below_by(&mut self, gap: i64, number: VarId, limit: &Sum) {
        let limit = self.reduced(limit);
        let sum = limit.plus(-1, &Sum::symbol(number)).shifted(-gap);
        self.exact.push(ExactSum { sum, limit });
    }

    /// Notes that a number is certainly not less than a sum.
    pub(crate) fn not_below(&mut self, number: VarId, limit: &Sum) {
        let limit = self.reduced(limit);
        self.exact.push(ExactSum { sum: Sum::symbol(number).plus(-1, &limit), limit });
    }

    /// Notes what holds of the largest or the smallest one of two numbers.
    pub(super) fn extreme(&mut self, var: VarId, op: BinOp, args: [Atom; 2]) {
        for limit in args.map(|arg| self.form(arg)).into_iter().flatten() {
            let sign = if op == BinOp::Max { 1 } else { -1 };
            let sum = Sum::constant(0).plus(sign, &Sum::symbol(var)).plus(-sign, &limit);
            if op == BinOp::Max && Premises::new(self).is_certain(&limit) {
                self.note_non_negative(&Sum::symbol(var));
            }
            self.exact.push(ExactSum { sum, limit });
        }
        if op == BinOp::Max
            && let [Some(a), Some(b)] = args.map(|arg| self.form(arg))
        {
            self.maxima.insert(var, [a, b]);
        }
    }

    /// Notes how far a natural number is from its quotient by a positive constant, and from that times the constant.
    pub(super) fn divided(&mut self, quotient: VarId, number: &Sum, by: i64) {
        let product = Sum::constant(0).plus(by, &Sum::symbol(quotient));
        let rest = number.plus(-1, &product);
        let less = number.plus(-1, &Sum::symbol(quotient));
        for sum in [rest.negated().shifted(by.wrapping_sub(1)), rest, less] {
            self.exact.push(ExactSum { sum, limit: number.clone() });
        }
    }

    /// Whether an element is certainly there, by the numbers of steps.
    pub(super) fn is_within_steps(
        &mut self,
        array: &Type,
        indices: &[Sum],
        sizes: &PrimaryMap<SizeId, SizeInfo>,
    ) -> bool {
        indices.iter().zip(array.shape()).all(|(index, &extent)| {
            let is_double = is_product(extent, sizes);
            self.extent(extent, sizes).is_some_and(|extent| {
                let index = self.reduced(index);
                (self.is_exact(&extent)
                    || (is_double && self.is_double(&extent))
                    || self.is_multiple(&extent))
                    && self.is_not_negative(&index)
                    && self.is_not_negative(&extent.plus(-1, &index).shifted(-1))
            })
        })
    }

    /// Whether a sum of integers is not negative because facts are.
    pub(super) fn follows_exactly(&self, sum: &Sum) -> bool {
        ProofSearch { facts: self, used: Vec::new(), tries: MAX_TRIES }.follows(sum)
    }

    /// Whether a sum has the value that it has without wrapping: it is a natural number, or the difference of two, and
    /// a constant that keeps it in the range of an `i64`.
    pub(super) fn is_exact(&self, sum: &Sum) -> bool {
        if is_number(sum) {
            return true;
        }
        let mut terms = sum.terms.iter();
        let (first, second) = (terms.next(), terms.next());
        let signs = [first, second].map(|term| term.map(|(_, &count)| count));
        let is_difference = matches!(
            signs,
            [None | Some(1 | -1), None] | [Some(1), Some(-1)] | [Some(-1), Some(1)]
        );
        let are_natural = sum.terms.keys().all(|&var| self.is_natural_alone(var));
        if !is_difference || terms.next().is_some() || !are_natural || !is_small(sum) {
            return false;
        }
        let least = sum.constant.abs();
        let sign = sum.constant.signum();
        let has = |wanted: i64| sum.terms.values().any(|&count| count == wanted);
        let reserve = || {
            sum.terms.iter().any(|(&var, &count)| {
                (count == -sign && self.least(var) >= least)
                    || (count == sign && self.short.contains(&var))
            })
        };
        match sign {
            1 => !has(1) || reserve(),
            -1 => !has(-1) || reserve(),
            _ => true,
        }
    }

    /// Whether a sum is twice a natural number. As an extent, it is no negative number, so it has not wrapped.
    fn is_double(&self, sum: &Sum) -> bool {
        let mut terms = sum.terms.iter();
        let is_double = matches!(terms.next(), Some((&var, 2)) if self.is_natural_alone(var));
        is_double && terms.next().is_none() && sum.constant == 0
    }

    /// Whether a sum is a multiple of a quotient, by the divisor.
    fn is_multiple(&self, sum: &Sum) -> bool {
        let is_rest = |fact: &ExactSum| {
            fact.sum.plus(1, sum) == fact.limit && self.is_natural_sum(&fact.limit)
        };
        is_small(sum)
            && sum.terms.values().all(|&count| count > 0)
            && self.exact.iter().any(is_rest)
    }

    /// Whether a sum is one natural number.
    fn is_natural_sum(&self, sum: &Sum) -> bool {
        sum.terms.len() == 1 && self.natural.contains(sum)
    }

    fn is_natural_alone(&self, var: VarId) -> bool {
        self.natural.contains(&Sum::symbol(var))
    }

    /// Whether a comparison with a constant shows that a number is not negative, as `d == 0` does.
    fn is_compared_natural(&self, var: VarId) -> bool {
        let own = Sum::symbol(var);
        let shows = |fact: &ExactSum| fact.sum.terms == own.terms && fact.sum.constant <= 0;
        self.exact.iter().any(|fact| fact.limit.as_constant().is_some() && shows(fact))
    }

    /// The greatest constant that a natural number is known to be not less than.
    fn least(&self, var: VarId) -> i64 {
        let own = Sum::symbol(var);
        let exact = self.exact.iter().filter(|fact| fact.limit.as_constant().is_some());
        let facts = self.natural.mentioning(var).chain(exact.map(|fact| &fact.sum));
        let about = facts.filter(|fact| fact.terms == own.terms && is_small(fact));
        about.map(|fact| -fact.constant).max().unwrap_or(0).max(0)
    }
}

/// A search for facts whose sum is a given one.
struct ProofSearch<'a> {
    facts: &'a IntegerFacts,
    /// The facts on the current path: each is used once.
    used: Vec<usize>,
    /// How many facts may still be tried.
    tries: usize,
}

impl ProofSearch<'_> {
    /// Whether a sum is not negative. A fact takes the place of a variable that is subtracted, or the numbers that a
    /// maximum is the larger one of.
    fn follows(&mut self, sum: &Sum) -> bool {
        if !is_small(sum) {
            return false;
        }
        let Some((&var, &count)) = sum.terms.iter().rev().find(|(_, count)| **count < 0) else {
            return self.is_natural(sum);
        };
        self.follows_without(sum, var, count) || self.follows_for_both(sum, var, count)
    }

    /// Whether a sum without negative terms is not negative.
    fn is_natural(&self, sum: &Sum) -> bool {
        let least = sum.terms.iter().try_fold(sum.constant, |least, (&var, &count)| {
            if !self.facts.is_natural_alone(var) && !self.facts.is_compared_natural(var) {
                return None;
            }
            least.checked_add(count.checked_mul(self.facts.least(var))?)
        });
        least.is_some_and(|least| least >= 0)
    }

    fn follows_without(&mut self, sum: &Sum, var: VarId, count: i64) -> bool {
        let facts = self.facts;
        facts.exact.iter().enumerate().rev().any(|(at, fact)| {
            let subtracted = fact.sum.terms.get(&var).copied().unwrap_or(0);
            if subtracted >= 0
                || count % subtracted != 0
                || self.tries == 0
                || self.used.contains(&at)
                || !is_small(&fact.sum)
                || !facts.is_exact(&fact.limit)
            {
                return false;
            }
            self.tries -= 1;
            self.used.push(at);
            let follows = self.follows(&sum.plus(-(count / subtracted), &fact.sum));
            self.used.pop();
            follows
        })
    }

    /// Whether a sum that a maximum is subtracted from is not negative with either number.
    fn follows_for_both(&mut self, sum: &Sum, var: VarId, count: i64) -> bool {
        let Some(numbers) = self.facts.maxima.get(&var) else { return false };
        numbers.iter().all(|number| {
            if self.tries == 0 || !self.facts.is_exact(number) {
                return false;
            }
            self.tries -= 1;
            self.follows(&sum.plus(-count, &Sum::symbol(var)).plus(count, number))
        })
    }
}

/// Whether a sum is the value of one variable.
fn is_number(sum: &Sum) -> bool {
    sum.constant == 0 && sum.terms.len() == 1 && sum.terms.values().all(|&count| count == 1)
}

/// Whether an extent is a product in a type. An extent that a program computes may be negative for an empty array.
fn is_product(extent: Extent, sizes: &PrimaryMap<SizeId, SizeInfo>) -> bool {
    matches!(extent, Extent::Size(size) if matches!(sizes[size].def, SizeDef::Product(..)))
}

/// Whether all factors and constants are small.
fn is_small(sum: &Sum) -> bool {
    let is_small = |number: i64| number.unsigned_abs() < SMALL;
    is_small(sum.constant) && sum.terms.values().all(|&count| is_small(count))
}

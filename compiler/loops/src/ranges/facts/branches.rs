//! What holds for the results of both branches of a choice, and so for its result: it is a natural number, it is not
//! greater than another number, or it is less than the number of steps of a loop or the length of an array. In each
//! branch, its condition holds.
//!
//! Invariant: the end of a branch removes all facts that were added in it, those about its local variables included. A
//! branch with `k = x % n` adds `k >= 0` and `n - k - 1 >= 0`. Their sum is `n >= 1`, which holds in this branch only.
//!
//! ```text
//! loop i < n { k = i - 1; p = if k < 0 then k + n else k }   ⇒   0 <= p, n - p - 1 >= 0
//! ```

use indexmap::IndexSet;

use super::implied::Premises;
use super::integer_facts::IntegerFacts;
use crate::ranges::sums::Sum;
use arrc_fusion::cnf::{Atom, Type, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::Scalar;

/// The most limits that results are compared with. It bounds the time of a proof.
const MAX_LIMITS: usize = 6;

/// The most facts that may tell bounds of a constant. `scripts/bench compile 'else if'` has chains with many facts. 500
/// `else if` took 2.8 s to check, before 7.3 (build without optimisation, together with facts that are found by their
/// variables).
const MAX_FACTS: usize = 64;

/// Facts about the result of a branch.
#[derive(Default)]
pub(crate) struct ResultBounds {
    is_natural: bool,
    /// It is not greater than these.
    bounds: Vec<Sum>,
    /// It is less than each of these by at least a constant, 0 or 1.
    limits: Vec<(Sum, i64)>,
}

impl IntegerFacts {
    /// The facts about the results of a branch, at its end.
    pub(crate) fn result_bounds(
        &mut self,
        results: &[Atom],
        vars: &PrimaryMap<VarId, Var>,
    ) -> Vec<ResultBounds> {
        let is_index = |result: Atom| match result {
            Atom::Const(value) => value.ty == Scalar::I64,
            Atom::Var(var) => vars[var].ty == Type::Scalar(Scalar::I64),
        };
        let reach = |&result| {
            if is_index(result) { self.branch_bounds(result) } else { ResultBounds::default() }
        };
        results.iter().map(reach).collect()
    }

    fn branch_bounds(&mut self, result: Atom) -> ResultBounds {
        let Some(number) = self.form(result) else { return ResultBounds::default() };
        let is_natural = self.is_not_negative(&number);
        let lengths = self.lengths.values().map(|&length| Sum::symbol(length));
        let mut limits: IndexSet<Sum> = self.limits.iter().cloned().chain(lengths).collect();
        limits.truncate(MAX_LIMITS);
        let limits = limits.into_iter().filter_map(|limit| {
            let gap = [1, 0]
                .into_iter()
                .find(|&gap| self.is_not_negative(&limit.plus(-1, &number).shifted(-gap)));
            gap.map(|gap| (limit, gap))
        });
        ResultBounds { is_natural, limits: limits.collect(), bounds: self.bounds(&number) }
    }

    /// Single variables, each times a number, that are not less than a result. They are without a constant, so that
    /// branches whose bounds have different constants have the weaker one in common.
    fn bounds(&self, result: &Sum) -> Vec<Sum> {
        let is_natural = |sum: &Sum| Premises::new(self).is_natural(sum);
        let bound = |fact: &Sum| Sum { constant: 0, ..fact.plus(1, result) };
        let is_bound = |bound: &Sum| bound.terms.len() == 1 && is_natural(&bound.plus(-1, result));
        if result.terms.is_empty() {
            return self.natural.iter().take(MAX_FACTS).map(bound).filter(is_bound).collect();
        }
        // What mentions no variable of the result leaves more than one variable.
        self.natural.related(result).map(bound).filter(is_bound).collect()
    }

    /// Notes what holds for the results of both branches.
    pub(crate) fn choices(&mut self, vars: &[VarId], branches: [Vec<ResultBounds>; 2]) {
        let [then, otherwise] = branches;
        for (&var, (yes, no)) in vars.iter().zip(then.into_iter().zip(otherwise)) {
            if yes.is_natural && no.is_natural {
                self.note_non_negative(&Sum::symbol(var));
            }
            for bound in yes.bounds.iter().filter(|bound| no.bounds.contains(bound)) {
                self.note_non_negative(&bound.plus(-1, &Sum::symbol(var)));
            }
            for (limit, gap) in &yes.limits {
                let other = no.limits.iter().find(|(other, _)| other == limit);
                if let Some((_, other)) = other {
                    self.below_by(*gap.min(other), var, limit);
                }
            }
        }
    }
}

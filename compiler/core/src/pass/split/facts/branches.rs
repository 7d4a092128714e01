//! What holds for the results of both branches of a choice, and so for its result: it is a natural number, or it is less
//! than the number of steps of a loop or the length of an array, or not greater. In each branch, its condition holds.
//!
//! ```text
//! loop i < n { k = i - 1; p = if k < 0 then k + n else k }   ⇒   0 <= p, n - p - 1 >= 0
//! ```

use indexmap::IndexSet;

use super::Facts;
use crate::ids::{PrimaryMap, VarId};
use crate::ir::cnf::{Atom, Type, Var};
use crate::pass::split::bounds::Sum;
use crate::prim::Scalar;

/// The most limits that results are compared with.
const MAX_LIMITS: usize = 6;

/// Facts about the result of a branch.
#[derive(Default)]
pub(in crate::pass::split) struct Reach {
    is_natural: bool,
    /// It is less than each of these by at least a constant, 0 or 1.
    limits: Vec<(Sum, i64)>,
}

impl Facts {
    /// The facts about the results of a branch, at its end.
    pub(in crate::pass::split) fn reaches(
        &mut self,
        results: &[Atom],
        vars: &PrimaryMap<VarId, Var>,
    ) -> Vec<Reach> {
        let is_index = |result: Atom| match result {
            Atom::Const(value) => value.ty == Scalar::I64,
            Atom::Var(var) => vars[var].ty == Type::Scalar(Scalar::I64),
        };
        let reach = |&result| if is_index(result) { self.reach(result) } else { Reach::default() };
        results.iter().map(reach).collect()
    }

    fn reach(&mut self, result: Atom) -> Reach {
        let Some(number) = self.form(result) else { return Reach::default() };
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
        Reach { is_natural, limits: limits.collect() }
    }

    /// Notes what holds for the results of both branches.
    pub(in crate::pass::split) fn choices(&mut self, vars: &[VarId], branches: [Vec<Reach>; 2]) {
        let [then, otherwise] = branches;
        for (&var, (yes, no)) in vars.iter().zip(then.into_iter().zip(otherwise)) {
            if yes.is_natural && no.is_natural {
                self.natural(&Sum::symbol(var));
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

//! The intervals of integers, as far as the operations that compute them determine them.
//!
//! Invariant: an integer is within its interval wherever it is computed, whatever conditions are around it.
//!
//! ```text
//! t = [0u32, …, 255u32]; b = u8; i = i64.u8 b; j = k & 15      i: 0 to 255, so inside t[i]; j: 0 to 15
//! ```

use super::integer_facts::IntegerFacts;
use crate::concrete::{Phase, Step};
use arrc_fusion::cnf::{Atom, Extent, Operation, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::Interval;

impl IntegerFacts {
    /// Notes the intervals of the integers that a step computes.
    pub(super) fn note_interval(&mut self, step: &Step<impl Phase>, vars: &PrimaryMap<VarId, Var>) {
        let of = |atom| self.interval(atom, vars);
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "of the results of others nothing is known"
        )]
        let found: Vec<(VarId, Option<Interval>)> = match step {
            Step::Scalar { var, op: Operation::Un(op, arg), .. } => {
                vec![(*var, op.row().interval.zip(of(*arg)).map(|(of, x)| of(x)))]
            }
            Step::Scalar { var, op: Operation::Bin(op, [x, y]), .. } => {
                let known = of(*x).zip(of(*y)).zip(op.row().interval);
                vec![(*var, known.and_then(|((x, y), of)| of(x, y)))]
            }
            Step::If { vars: results, then, otherwise, .. } => {
                let branches = then.results.iter().zip(&otherwise.results);
                let both = branches.map(|(&yes, &no)| of(yes).zip(of(no)));
                let both = both.map(|both| both.map(|(yes, no)| yes.union(no)));
                results.iter().copied().zip(both).collect()
            }
            _ => return,
        };
        for (var, found) in found {
            // If the type does not hold it, the operation may wrap, and nothing is known.
            let all = vars[var].ty.as_scalar().and_then(Interval::of_type);
            if let (Some(found), Some(all)) = (found, all)
                && all.contains(found)
            {
                self.intervals.insert(var, found);
            }
        }
    }

    /// Notes that a variable has the interval of a value.
    pub(super) fn same_interval(&mut self, var: VarId, from: Atom) {
        let found = match from {
            Atom::Const(_) => constant(from),
            Atom::Var(from) => self.intervals.get(&from).copied(),
        };
        self.intervals.extend(found.map(|found| (var, found)));
    }

    /// Whether a position is certainly in a dimension whose extent is known when compiling.
    pub(super) fn is_within(&self, index: Atom, extent: Extent) -> bool {
        let found = match index {
            Atom::Const(_) => constant(index),
            Atom::Var(var) => self.intervals.get(&var).copied(),
        };
        match (found, extent) {
            (Some(found), Extent::Const(extent)) => {
                found.low >= 0 && found.high < i128::from(extent)
            }
            (_, _) => false,
        }
    }

    fn interval(&self, atom: Atom, vars: &PrimaryMap<VarId, Var>) -> Option<Interval> {
        match atom {
            Atom::Const(_) => constant(atom),
            Atom::Var(var) => {
                let known = self.intervals.get(&var).copied();
                known.or_else(|| vars[var].ty.as_scalar().and_then(Interval::of_type))
            }
        }
    }
}

/// The interval of an integer that is known when compiling.
fn constant(atom: Atom) -> Option<Interval> {
    let Atom::Const(value) = atom else { return None };
    Interval::of_type(value.ty)?;
    let value = value.as_i128();
    Some(Interval { low: value, high: value })
}

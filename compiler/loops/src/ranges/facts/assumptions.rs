//! What conditions imply where they hold: in a branch, or in the steps of a loop.
//!
//! Where one of several conditions holds, there is a case for each of them, and what follows in every case holds:
//! `a[i]` needs no check if `j >= m` implies that `i < n` as well as `i < n` itself.
//!
//! Invariant: at the current place all sums of at least one case are not negative: its sums `natural` modulo 2⁶⁴, and
//! its sums `exact` as sums of integers that do not wrap.
//!
//! ```text
//! if j >= m || i < n then … else …     ⇒   then: j - m >= 0, or n - i - 1 >= 0      else: m - j - 1 >= 0 and i - n >= 0
//! ```

use super::implied::Premises;
use super::integer_facts::{CaseFacts, Cases, ExactSum, IntegerFacts, Predicate};
use crate::concrete::{Phase, Step};
use crate::ranges::sums::{Sum, is_followed};
use arrc_fusion::cnf::{Atom, Extent, Operation, SizeDef, SizeInfo, Type, Var};
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::prim::{BinOp, Scalar, UnOp};

/// The most cases that are told apart. It bounds the time of a proof.
const MAX_CASES: usize = 4;

/// The most parts of a condition that are looked at. It bounds the time of a proof.
const MAX_PARTS: usize = 64;

/// The most facts of a case that differ only in their constants. It bounds the time of a proof.
const MAX_ALIKE: usize = 8;

/// The most facts of a case. Those of the outermost conditions are forgotten: each branch in a chain has a copy of the
/// facts, and looks at all of them. `scripts/bench compile 'else if'` has such chains: `arrc check` of 500 `else if` by
/// `<` takes 0.73 s, before 3.09 (debug build, together with fewer walks through steps).
const MAX_FACTS: usize = 64;

/// Whether a comparison or an operation of such an operand is followed.
fn is_tested(arg: Atom, vars: &PrimaryMap<VarId, Var>) -> bool {
    let ty = match arg {
        Atom::Const(value) => Some(value.ty),
        Atom::Var(var) => vars[var].ty.as_scalar(),
    };
    ty.is_some_and(|ty| ty == Scalar::Bool || is_followed(ty))
}

impl IntegerFacts {
    /// Notes how a step computes a truth value.
    pub(super) fn note_test(&mut self, step: &Step<impl Phase>, vars: &PrimaryMap<VarId, Var>) {
        let is_flag = |var: VarId| vars[var].ty == Type::Scalar(Scalar::Bool);
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the others are no tests that are followed"
        )]
        match step {
            Step::Scalar { var, op: Operation::Bin(op, args), .. }
                if is_flag(*var) && args.iter().all(|&arg| is_tested(arg, vars)) =>
            {
                self.tests.insert(*var, Predicate::Bin(*op, *args));
            }
            Step::Scalar { var, op: Operation::Un(UnOp::Not, arg), .. } if is_flag(*var) => {
                self.tests.insert(*var, Predicate::Not(*arg));
            }
            Step::If { vars: results, cond, then, otherwise, .. } => {
                let branches = then.results.iter().zip(&otherwise.results);
                for (&var, (&yes, &no)) in results.iter().zip(branches) {
                    if is_flag(var) {
                        self.tests.insert(var, Predicate::Choice(*cond, [yes, no]));
                    }
                }
            }
            _ => {}
        }
    }

    /// Notes that a condition holds, or that it does not hold, until the facts are forgotten.
    pub(crate) fn assume(&mut self, cond: Atom, holds: bool) {
        let (Cases(before), mut parts) = (self.cases.clone(), MAX_PARTS);
        let cases = self.implied((cond, holds), before, &mut parts);
        // Without a case, the place is never reached.
        if !cases.is_empty() && cases.len() <= MAX_CASES {
            self.cases = Cases(cases);
        }
    }

    /// Whether an element is certainly there.
    pub(crate) fn is_inside(
        &mut self,
        array: &Type,
        indices: &[Atom],
        sizes: &PrimaryMap<SizeId, SizeInfo>,
    ) -> bool {
        let forms: Option<Vec<Sum>> = indices.iter().map(|&index| self.form(index)).collect();
        if forms.is_some_and(|indices| self.is_within_steps(array, &indices, sizes)) {
            return true;
        }
        indices.iter().zip(array.shape()).all(|(&index, &extent)| {
            if self.is_within(index, extent) {
                return true;
            }
            let (Some(index), Some(extent)) = (self.form(index), self.extent(extent, sizes)) else {
                return false;
            };
            self.is_certain(&index) && self.is_certain(&extent.plus(-1, &index).shifted(-1))
        })
    }

    /// Whether a condition certainly holds at the current place.
    pub(crate) fn holds(&mut self, cond: Atom) -> bool {
        let var = match cond {
            Atom::Const(value) => return value.bits != 0,
            Atom::Var(var) => var,
        };
        match self.tests.get(&var).copied() {
            None | Some(Predicate::Not(_) | Predicate::Choice(..)) => false,
            Some(Predicate::Bin(BinOp::And, [a, b])) => self.holds(a) && self.holds(b),
            Some(Predicate::Bin(op @ (BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge), args)) => {
                // The difference of two numbers that are not negative does not wrap.
                let differences = self.differences(op, args, true);
                !differences.is_empty()
                    && differences.iter().all(|Difference { greater, smaller, least }| {
                        let difference = greater.plus(-1, smaller).shifted(-least);
                        [smaller, greater, &difference].into_iter().all(|sum| self.is_certain(sum))
                    })
            }
            Some(Predicate::Bin(..)) => false,
        }
    }

    /// Whether a sum is certainly not negative at the current place.
    pub(super) fn is_certain(&mut self, sum: &Sum) -> bool {
        let Cases(cases) = std::mem::take(&mut self.cases);
        let is_certain = cases.iter().all(|case| self.is_certain_in(case, sum));
        self.cases = Cases(cases);
        is_certain
    }

    /// Whether a sum of integers is certainly not negative at the current place.
    pub(super) fn is_not_negative(&mut self, sum: &Sum) -> bool {
        let Cases(cases) = std::mem::take(&mut self.cases);
        let is_certain = cases.iter().all(|case| {
            let known = self.exact.len();
            self.exact.extend(case.exact.iter().cloned().map(ExactSum::certain));
            let follows = self.follows_exactly(sum);
            self.exact.truncate(known);
            follows
        });
        self.cases = Cases(cases);
        is_certain
    }

    fn is_certain_in(&mut self, case: &CaseFacts, sum: &Sum) -> bool {
        let known = self.natural.len();
        case.natural.iter().for_each(|sum| self.natural.insert(sum.clone()));
        let is_certain = Premises::with_counts(self).is_certain(sum);
        self.natural.truncate(known);
        is_certain
    }

    /// The cases in which a condition holds, or does not hold, of these cases. At most `parts` more parts of the
    /// condition are looked at; the others imply nothing.
    fn implied(
        &mut self,
        (cond, holds): (Atom, bool),
        cases: Vec<CaseFacts>,
        parts: &mut usize,
    ) -> Vec<CaseFacts> {
        let var = match cond {
            Atom::Const(value) if (value.bits != 0) == holds => return cases,
            Atom::Const(_) => return Vec::new(),
            Atom::Var(var) => var,
        };
        if cases.len() > MAX_CASES || *parts == 0 {
            return cases;
        }
        *parts -= 1;
        match self.tests.get(&var).copied() {
            None => cases,
            Some(Predicate::Not(arg)) => self.implied((arg, !holds), cases, parts),
            Some(Predicate::Choice(cond, [yes, no])) => {
                let then = self.implied((cond, true), cases.clone(), parts);
                let mut all = self.implied((yes, holds), then, parts);
                let otherwise = self.implied((cond, false), cases, parts);
                all.extend(self.implied((no, holds), otherwise, parts));
                all
            }
            Some(Predicate::Bin(op @ (BinOp::And | BinOp::Or), [a, b])) => {
                if holds == (op == BinOp::And) {
                    let cases = self.implied((a, holds), cases, parts);
                    return self.implied((b, holds), cases, parts);
                }
                let mut all = self.implied((a, holds), cases.clone(), parts);
                all.extend(self.implied((b, holds), cases, parts));
                all
            }
            Some(Predicate::Bin(op, args)) => {
                let differences = self.differences(op, args, holds);
                cases.into_iter().map(|case| self.compared(case, &differences)).collect()
            }
        }
    }

    /// The case with the differences that do not wrap: the smaller number is not negative, or both are exact.
    fn compared(&mut self, mut case: CaseFacts, differences: &[Difference]) -> CaseFacts {
        for Difference { greater, smaller, least } in differences {
            let [greater, smaller] = [greater, smaller].map(|sum| self.reduced(sum));
            let difference = greater.plus(-1, &smaller).shifted(-least);
            if self.is_exact(&greater) && self.is_exact(&smaller) {
                add(&mut case.exact, difference.clone());
            }
            if self.is_certain_in(&case, &smaller) {
                add(&mut case.natural, difference);
            }
        }
        case
    }

    /// The differences of numbers that a comparison implies.
    fn differences(&self, op: BinOp, args: [Atom; 2], holds: bool) -> Vec<Difference> {
        let [Some(a), Some(b)] = args.map(|arg| self.form(arg)) else { return Vec::new() };
        let difference = |greater: &Sum, smaller: &Sum, least| Difference {
            greater: greater.clone(),
            smaller: smaller.clone(),
            least,
        };
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others imply no difference")]
        match (op, holds) {
            (BinOp::Lt, true) | (BinOp::Ge, false) => vec![difference(&b, &a, 1)],
            (BinOp::Le, true) | (BinOp::Gt, false) => vec![difference(&b, &a, 0)],
            (BinOp::Gt, true) | (BinOp::Le, false) => vec![difference(&a, &b, 1)],
            (BinOp::Ge, true) | (BinOp::Lt, false) => vec![difference(&a, &b, 0)],
            (BinOp::Eq, true) | (BinOp::Ne, false) => {
                vec![difference(&a, &b, 0), difference(&b, &a, 0)]
            }
            _ => Vec::new(),
        }
    }

    /// An extent that certainly has the value of a sum wherever an index below that sum is used.
    pub(super) fn extent(
        &mut self,
        extent: Extent,
        sizes: &PrimaryMap<SizeId, SizeInfo>,
    ) -> Option<Sum> {
        let size = match extent {
            Extent::Const(extent) => return Some(Sum::constant(extent)),
            Extent::Size(size) => size,
        };
        // An array is no longer than the number. If the number is negative, the array is empty.
        if let SizeDef::Value(var) = sizes[size].def {
            return self.form(Atom::Var(var));
        }
        self.part(extent, sizes)
    }

    /// The value of an extent.
    pub(super) fn part(
        &mut self,
        extent: Extent,
        sizes: &PrimaryMap<SizeId, SizeInfo>,
    ) -> Option<Sum> {
        let size = match extent {
            Extent::Const(extent) => return Some(Sum::constant(extent)),
            Extent::Size(size) => size,
        };
        if let Some(length) = self.length_of(size) {
            return self.form(Atom::Var(length));
        }
        match sizes[size].def {
            SizeDef::Param | SizeDef::Exists => None,
            SizeDef::Value(var) => {
                let value = self.form(Atom::Var(var))?;
                self.is_certain(&value).then_some(value)
            }
            SizeDef::Sum(a, b) => {
                let [a, b] = SizeDef::both([a, b], |part| self.part(part, sizes));
                Some(a?.plus(1, &b?))
            }
            SizeDef::Product(a, b) => {
                let [a, b] = SizeDef::both([a, b], |part| self.part(part, sizes));
                let (a, b) = (a?, b?);
                let by = |number: &Sum, sum: &Sum| {
                    Some(Sum::constant(0).plus(number.as_constant()?, sum))
                };
                by(&a, &b).or_else(|| by(&b, &a))
            }
        }
    }
}

/// Adds a sum to those of a case. Of sums that differ in their constants, only the strongest ones are kept, so that a
/// chain of comparisons of one number has few facts.
fn add(sums: &mut Vec<Sum>, sum: Sum) {
    let same = |(at, other): (usize, &Sum)| (other.terms == sum.terms).then_some(at);
    let alike: Vec<usize> = sums.iter().enumerate().filter_map(same).collect();
    if alike.len() >= MAX_ALIKE
        && let Some(&weakest) = alike.iter().max_by_key(|&&at| sums[at].constant)
    {
        sums.remove(weakest);
    }
    if sums.len() >= MAX_FACTS {
        sums.remove(0);
    }
    sums.push(sum);
}

/// One number is greater than another one, by at least 0 or 1.
struct Difference {
    greater: Sum,
    smaller: Sum,
    least: i64,
}

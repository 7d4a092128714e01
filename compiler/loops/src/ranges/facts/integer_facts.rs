//! The facts about integers that hold at one place of a function, and the sums that they are about.
//!
//! Invariant: a fact is about sums in terms of as few variables as possible (`reduced`). A mark tells how many facts of
//! most kinds held when it was made. So leaving a loop or a branch forgets the facts of these kinds that were added in
//! it.
//!
//! ```text
//! j = i - 1        forms: j ↦ i - 1        natural: i, n - i - 1
//! ```

use indexmap::IndexMap;

use crate::ranges::facts::known_sums::KnownSums;
use crate::ranges::sums::Sum;
use arrc_fusion::affine::AffineForm;
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::{SizeId, VarId};
use arrc_syntax::prim::{BinOp, Interval};

/// The facts that hold at one place of a function.
#[derive(Default)]
pub(crate) struct IntegerFacts {
    /// Variables with the value of a sum of others.
    pub(super) forms: IndexMap<VarId, Sum>,
    /// How a number that is narrower than `i64`, or that is computed from one, is computed.
    pub(super) steps: IndexMap<VarId, Arithmetic>,
    /// The lengths of arrays.
    pub(super) lengths: IndexMap<SizeId, VarId>,
    /// Sums that are not negative.
    pub(super) natural: KnownSums,
    /// Sums within ± 2⁶⁰, without their constants.
    pub(super) sane: KnownSums,
    /// Numbers of steps and of elements. Each is below 2⁶⁰: a run takes fewer steps, and memory holds fewer elements.
    pub(super) short: Vec<VarId>,
    /// Sums of integers that are not negative.
    pub(super) exact: Vec<ExactSum>,
    /// The numbers of steps of the loops around.
    pub(super) limits: Vec<Sum>,
    /// The numbers that each maximum is the larger one of.
    pub(super) maxima: IndexMap<VarId, [Sum; 2]>,
    /// The integers whose intervals are smaller than their types.
    pub(super) intervals: IndexMap<VarId, Interval>,
    /// How truth values are computed.
    pub(super) tests: IndexMap<VarId, Predicate>,
    /// What the conditions around the current place imply.
    pub(super) cases: Cases,
}

/// How many facts were known at a place, and what its conditions implied.
pub(crate) struct FactsMark {
    short: usize,
    exact: usize,
    limits: usize,
    cases: Cases,
    forms: usize,
    steps: usize,
    natural: usize,
    sane: usize,
}

/// An operation on integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arithmetic {
    /// A sum or a difference.
    Bin(BinOp, [Atom; 2]),
    /// A conversion.
    To(Atom),
}

/// A predicate: how a truth value is computed.
#[derive(Clone, Copy)]
pub(super) enum Predicate {
    /// A comparison, or an operation on truth values.
    Bin(BinOp, [Atom; 2]),
    Not(Atom),
    /// The first result where the condition holds, and the second elsewhere.
    Choice(Atom, [Atom; 2]),
}

/// Sums that are not negative, in each case.
#[derive(Clone)]
pub(super) struct Cases(pub(super) Vec<CaseFacts>);

/// What holds in one case.
#[derive(Clone, Default)]
pub(super) struct CaseFacts {
    pub(super) natural: Vec<Sum>,
    pub(super) exact: Vec<Sum>,
}

impl Default for Cases {
    /// Nothing is known.
    fn default() -> Self {
        Self(vec![CaseFacts::default()])
    }
}

/// A sum of integers that is not negative.
pub(super) struct ExactSum {
    pub(super) sum: Sum,
    /// The sum that a number is compared with. The fact holds if it does not wrap.
    pub(super) limit: Sum,
}

impl ExactSum {
    /// A sum that is not negative, and that has not wrapped.
    pub(super) fn certain(sum: Sum) -> Self {
        Self { sum, limit: Sum::constant(0) }
    }
}

impl IntegerFacts {
    /// The facts so far.
    pub(crate) fn mark(&self) -> FactsMark {
        FactsMark {
            forms: self.forms.len(),
            steps: self.steps.len(),
            natural: self.natural.len(),
            sane: self.sane.len(),
            short: self.short.len(),
            exact: self.exact.len(),
            limits: self.limits.len(),
            cases: self.cases.clone(),
        }
    }

    /// Forgets the facts since a mark, which hold only in the steps of a loop.
    pub(crate) fn forget(&mut self, since: FactsMark) {
        self.forms.truncate(since.forms);
        self.steps.truncate(since.steps);
        self.natural.truncate(since.natural);
        self.sane.truncate(since.sane);
        self.short.truncate(since.short);
        self.exact.truncate(since.exact);
        self.limits.truncate(since.limits);
        self.cases = since.cases;
    }

    /// The number of variables that are known to be lengths.
    pub(crate) fn lengths(&self) -> usize {
        self.lengths.len()
    }

    /// Forgets the lengths but the first, since the scope of their variables ends.
    pub(crate) fn forget_lengths(&mut self, but: usize) {
        self.lengths.truncate(but);
    }

    /// Whether an atom is computed from a number narrower than `i64`.
    pub(super) fn is_narrowed(&self, atom: Atom) -> bool {
        matches!(atom, Atom::Var(var) if self.steps.contains_key(&var))
    }

    /// How a variable is computed, if it is narrow or computed from a narrow one.
    pub(crate) fn arithmetic(&self, var: VarId) -> Option<Arithmetic> {
        self.steps.get(&var).copied()
    }

    /// A variable with the length of an array in the dimension that has this size.
    pub(crate) fn length_of(&self, size: SizeId) -> Option<VarId> {
        self.lengths.get(&size).copied()
    }

    /// Notes that a variable has the value of a sum.
    pub(crate) fn equal(&mut self, var: VarId, sum: &Sum) {
        let sum = self.reduced(sum);
        if !sum.terms.contains_key(&var) {
            self.forms.entry(var).or_insert(sum);
        }
    }

    pub(super) fn form(&self, atom: Atom) -> Option<Sum> {
        match atom {
            Atom::Const(value) => i64::try_from(value.as_i128()).ok().map(AffineForm::constant),
            Atom::Var(var) => {
                Some(self.forms.get(&var).cloned().unwrap_or(AffineForm::symbol(var)))
            }
        }
    }

    /// A sum in terms of as few variables as possible.
    pub(crate) fn reduced(&self, sum: &Sum) -> Sum {
        let start = AffineForm::constant(sum.constant);
        sum.terms.iter().fold(start, |reduced, (&var, &count)| {
            let form = self.forms.get(&var).cloned().unwrap_or(AffineForm::symbol(var));
            reduced.plus(count, &form)
        })
    }

    /// Notes that a sum is not negative.
    pub(crate) fn note_non_negative(&mut self, sum: &Sum) {
        let sum = self.reduced(sum);
        self.natural.insert(sum);
    }

    /// Notes that a sum without its constant lies within ± 2⁶⁰.
    pub(crate) fn note_sane(&mut self, sum: &Sum) {
        let sum = self.reduced(sum);
        self.sane.insert(sum);
    }
}

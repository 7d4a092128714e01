//! Sizes that are not negative, since an assertion says so.
//!
//! Invariant: the assertions come before the step that needs the size, and the differences do not wrap.
//!
//! ```text
//! assert i == j || 0 <= i && i <= j && j <= n     j - i and n - j are not negative
//! ```

use indexmap::IndexMap;

use crate::affine::AffineForms;
use crate::concrete::Step;
use arrc_fusion::affine::AffineForm;
use arrc_fusion::cnf::{Atom, Operation};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const};

/// Differences that are not negative, since an assertion says so.
pub(super) struct NonNegativeDifferences(Vec<AffineForm<VarId>>);

impl NonNegativeDifferences {
    /// The differences that the assertions among some steps imply.
    pub(super) fn of(steps: &[&Step], forms: &AffineForms<'_>) -> Self {
        let tests = steps.iter().filter_map(|step| {
            let Step::Scalar { var, op: Operation::Bin(op, args), .. } = step else { return None };
            Some((*var, (*op, *args)))
        });
        let tests = Comparisons { tests: tests.collect(), forms };
        let mut found = Vec::new();
        for step in steps {
            if let Step::Assert { check, .. } = step {
                found.extend(tests.non_negative_differences(check.cond));
            }
        }
        Self(found)
    }

    pub(super) fn has(&self, size: Atom, forms: &AffineForms<'_>) -> bool {
        let Some(form) = forms.of(size) else { return false };
        form.as_constant().is_some_and(|size| size >= 0) || self.0.contains(&form)
    }
}

/// The comparisons of a block, and their conjunctions and disjunctions.
struct Comparisons<'a> {
    tests: IndexMap<VarId, (BinOp, [Atom; 2])>,
    forms: &'a AffineForms<'a>,
}

impl Comparisons<'_> {
    /// The differences that are not negative where a condition holds.
    fn non_negative_differences(&self, cond: Atom) -> Vec<AffineForm<VarId>> {
        let mut found = Vec::new();
        let parts = self.conjuncts(cond);
        let is_natural = |atom: Atom| match atom {
            Atom::Const(number) => number.as_i128() >= 0,
            Atom::Var(_) => parts
                .iter()
                .any(|(op, [a, b])| *op == BinOp::Le && *a == Const::i64(0).into() && *b == atom),
        };
        for (op, [a, b]) in &parts {
            // Between numbers that are not negative, the difference does not wrap.
            if *op == BinOp::Le && is_natural(*a) {
                found.extend(self.difference(*b, *a));
            }
        }
        if let Some((BinOp::Or, [equal, rest])) = self.test(cond)
            && let Some((BinOp::Eq, [a, b])) = self.test(equal)
        {
            // The difference of equal numbers is 0.
            let difference = self.difference(b, a);
            found.extend(
                self.non_negative_differences(rest)
                    .into_iter()
                    .filter(|form| Some(form) == difference.as_ref()),
            );
        }
        found
    }

    fn difference(&self, a: Atom, b: Atom) -> Option<AffineForm<VarId>> {
        Some(self.forms.of(a)?.plus(-1, &self.forms.of(b)?))
    }

    fn test(&self, cond: Atom) -> Option<(BinOp, [Atom; 2])> {
        self.tests.get(&cond.as_var()?).copied()
    }

    /// The comparisons that all hold where a condition does.
    fn conjuncts(&self, cond: Atom) -> Vec<(BinOp, [Atom; 2])> {
        match self.test(cond) {
            Some((BinOp::And, parts)) => {
                parts.into_iter().flat_map(|part| self.conjuncts(part)).collect()
            }
            Some(test) => vec![test],
            None => Vec::new(),
        }
    }
}

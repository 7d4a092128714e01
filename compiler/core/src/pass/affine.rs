//! Affine forms: a sum of symbols, each times a number, and a constant.
//!
//! Invariant: no symbol has the factor 0, so that equal sums are equal forms; arithmetic wraps as that of
//! `i64` does.
//!
//! ```text
//! t = n - first; j = i + t     j is i + n - first
//! ```

use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::ids::VarId;
use crate::ir::cnf::Atom;
use crate::ir::procedure::concrete::{Phase, Step};
use crate::prim::{BinOp, Const, Scalar};

/// A sum.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Form<S: Ord> {
    /// The factor of each symbol.
    pub(crate) terms: BTreeMap<S, i64>,
    /// The constant.
    pub(crate) constant: i64,
}

impl<S: Ord + Copy> Form<S> {
    /// A number.
    pub(crate) fn constant(constant: i64) -> Self {
        Self { terms: BTreeMap::new(), constant }
    }

    /// A symbol.
    pub(crate) fn symbol(symbol: S) -> Self {
        Self { terms: BTreeMap::from([(symbol, 1)]), constant: 0 }
    }

    /// The sum with `by` times another one added.
    pub(crate) fn plus(&self, by: i64, other: &Self) -> Self {
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
    pub(crate) fn shifted(&self, by: i64) -> Self {
        Self { constant: self.constant.wrapping_add(by), ..self.clone() }
    }

    /// The sum with the other sign.
    pub(crate) fn negated(&self) -> Self {
        Self::constant(0).plus(-1, self)
    }

    /// The number, if it is one.
    pub(crate) fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The factor of the symbol, and the rest of the sum.
    pub(crate) fn without(&self, symbol: S) -> (i64, Self) {
        let mut rest = self.clone();
        let count = rest.terms.remove(&symbol).unwrap_or(0);
        (count, rest)
    }
}

/// The forms of scalars, as the steps that compute them say.
#[derive(Clone, Default)]
pub(crate) struct Forms(IndexMap<VarId, Form<VarId>>);

impl Forms {
    /// Notes the number that a step computes, if it is a sum, a difference or a multiple.
    pub(crate) fn learn<P: Phase>(&mut self, step: &Step<P>) {
        let Step::Bin { var, op, args: [a, b], .. } = step else { return };
        let (Some(x), Some(y)) = (self.of(*a), self.of(*b)) else { return };
        let form = match (op, x.as_constant(), y.as_constant()) {
            (BinOp::Add, _, _) => x.plus(1, &y),
            (BinOp::Sub, _, _) => x.plus(-1, &y),
            (BinOp::Mul, Some(by), _) => Form::constant(0).plus(by, &y),
            (BinOp::Mul, _, Some(by)) => Form::constant(0).plus(by, &x),
            (_, _, _) => return,
        };
        self.0.insert(*var, form);
    }

    /// Notes that a variable has the value of an atom.
    pub(crate) fn rename(&mut self, var: VarId, to: Atom) {
        if let Some(form) = self.of(to) {
            self.0.insert(var, form);
        }
    }

    /// The form of a number of type `i64`. A variable that no step says more of is a symbol.
    pub(crate) fn of(&self, atom: Atom) -> Option<Form<VarId>> {
        match atom {
            Atom::Var(var) => Some(self.0.get(&var).cloned().unwrap_or_else(|| Form::symbol(var))),
            Atom::Const(Const { ty: Scalar::I64, bits }) => {
                Some(Form::constant(bits.cast_signed()))
            }
            Atom::Const(_) => None,
        }
    }
}

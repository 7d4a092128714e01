//! The affine forms of scalars, as the steps that compute them say.
//!
//! ```text
//! t = n - first; j = i + t     j is i + n - first
//! ```

use arrc_fusion::affine::AffineForm;
use arrc_fusion::cnf::{Atom, Operation};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use indexmap::IndexMap;

use crate::concrete::{Phase, Step};

/// The forms of scalars, as the steps that compute them say.
#[derive(Clone, Default)]
pub(crate) struct AffineForms<'a> {
    /// The forms that are known around.
    outer: Option<&'a AffineForms<'a>>,
    forms: IndexMap<VarId, AffineForm<VarId>>,
}

impl<'a> AffineForms<'a> {
    /// The same forms, to add others.
    pub(crate) fn inside(&'a self) -> Self {
        Self { outer: Some(self), forms: IndexMap::new() }
    }

    /// Notes the number that a step computes, if it is a sum, a difference or a multiple.
    pub(crate) fn note_step<P: Phase>(&mut self, step: &Step<P>) {
        let Step::Scalar { var, op: Operation::Bin(op, [a, b]), .. } = step else { return };
        let (Some(x), Some(y)) = (self.of(*a), self.of(*b)) else { return };
        let form = match (op, x.as_constant(), y.as_constant()) {
            (BinOp::Add, _, _) => x.plus(1, &y),
            (BinOp::Sub, _, _) => x.plus(-1, &y),
            (BinOp::Mul, Some(by), _) => AffineForm::constant(0).plus(by, &y),
            (BinOp::Mul, _, Some(by)) => AffineForm::constant(0).plus(by, &x),
            (_, _, _) => return,
        };
        self.forms.insert(*var, form);
    }

    /// Notes the form of a variable.
    pub(crate) fn set(&mut self, var: VarId, form: AffineForm<VarId>) {
        self.forms.insert(var, form);
    }

    /// Notes that a variable has the value of an atom.
    pub(crate) fn rename(&mut self, var: VarId, to: Atom) {
        if let Some(form) = self.of(to) {
            self.forms.insert(var, form);
        }
    }

    /// The form of a number of type `i64`. A variable that no step says more of is a symbol.
    pub(crate) fn of(&self, atom: Atom) -> Option<AffineForm<VarId>> {
        match atom {
            Atom::Var(var) => {
                let known = std::iter::successors(Some(self), |inner| inner.outer)
                    .find_map(|inner| inner.forms.get(&var));
                Some(known.cloned().unwrap_or_else(|| AffineForm::symbol(var)))
            }
            Atom::Const(Const { ty: Scalar::I64, bits }) => {
                Some(AffineForm::constant(bits.cast_signed()))
            }
            Atom::Const(_) => None,
        }
    }
}

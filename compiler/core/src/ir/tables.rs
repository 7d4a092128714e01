//! The tables of the variables and sizes of one function.
//!
//! Invariant: a form owns the tables that its ids belong to, and a pass hands them on with what it added. So each
//! form prints and verifies by itself, and nothing is copied.

use crate::ids::{PrimaryMap, SizeId, VarId};
use crate::ir::cnf::{Atom, SizeInfo, Type, Var};

/// The tables of a function.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// Every variable, nested blocks included.
    pub vars: PrimaryMap<VarId, Var>,
    /// Every size.
    pub sizes: PrimaryMap<SizeId, SizeInfo>,
}

impl Atom {
    /// Its type.
    #[must_use]
    pub fn ty(self, vars: &PrimaryMap<VarId, Var>) -> Type {
        match self {
            Self::Const(value) => Type::Scalar(value.ty),
            Self::Var(var) => vars[var].ty.clone(),
        }
    }
}

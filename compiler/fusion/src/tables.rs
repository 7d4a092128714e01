//! The tables of the variables and sizes of one function.
//!
//! Invariant: a form owns the tables that its ids refer to. A pass hands the tables on and adds its own entries. So
//! each form prints and verifies by itself, and nothing is copied.

use std::collections::BTreeSet;

use crate::cnf::{Atom, SizeInfo, Type, UNNAMED_ARRAY, UNNAMED_SCALAR, Var};
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::names::Name;

/// The tables of a function.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// Every variable, nested blocks included.
    pub vars: PrimaryMap<VarId, Var>,
    /// Every size.
    pub sizes: PrimaryMap<SizeId, SizeInfo>,
    /// The variables that the user named. A pass may copy such a variable under the same name; the copy is not in
    /// this set.
    pub named: BTreeSet<VarId>,
    /// Accumulators that are parts of a sum: the tag, or a value that has a meaning only if the tag says so.
    pub in_sums: BTreeSet<VarId>,
}

impl Tables {
    /// The name of a variable, if the user gave it one.
    #[must_use]
    pub fn user_name(&self, var: VarId) -> Option<&Name> {
        let name = &self.vars[var].name;
        (!is_generated(name) || self.named.contains(&var)).then_some(name)
    }
}

/// Whether the compiler gives variables this name that have none in the program: values, and numbers of ranges.
#[must_use]
pub fn is_generated(name: &Name) -> bool {
    name.is_empty() || [UNNAMED_ARRAY, UNNAMED_SCALAR, "bound", "extent"].contains(&name.as_str())
}

impl Atom {
    /// The type of a variable.
    #[must_use]
    pub fn ty(self, vars: &PrimaryMap<VarId, Var>) -> Type {
        match self {
            Self::Const(value) => Type::Scalar(value.ty),
            Self::Var(var) => vars[var].ty.clone(),
        }
    }
}

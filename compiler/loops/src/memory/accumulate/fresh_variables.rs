//! The accumulated results of each function, and the variables that the rewritten functions get.
//!
//! Invariant: each new array has a length of its own, since it is an append of other arrays.

use indexmap::IndexSet;

use arrc_fusion::cnf::{Extent, SizeDef, SizeInfo, Type, Var};
use arrc_fusion::tables::Tables;
use arrc_syntax::ids::{FuncId, PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;

/// For each function, the results that it appends to an array that it gets.
pub(super) type AccumulatedResults = PrimaryMap<FuncId, IndexSet<usize>>;

/// The tables to which new variables are added.
pub(super) struct FreshVariables<'a> {
    pub(super) tables: &'a mut Tables,
}

impl FreshVariables<'_> {
    /// An array with elements of this type, and a length of its own.
    pub(super) fn array(&mut self, ty: &Type, def: SizeDef, name: &str) -> VarId {
        let size = self.tables.sizes.push(SizeInfo { name: Name::from("k"), def });
        let ty = Type::Array { elem: ty.scalars(), shape: vec![Extent::Size(size)] };
        self.tables.vars.push(Var { name: Name::from(name), ty })
    }

    /// A scalar.
    pub(super) fn scalar(&mut self, scalar: Scalar) -> VarId {
        self.tables.vars.push(Var { name: Name::from("t"), ty: Type::Scalar(scalar) })
    }

    /// An array with the type of another one, and a length of its own.
    pub(super) fn like(&mut self, array: VarId) -> VarId {
        let Var { name, ty } = self.tables.vars[array].clone();
        self.array(&ty, SizeDef::Exists, &name)
    }
}

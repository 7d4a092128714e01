//! A function with tables of its own, without the variables and sizes of the function that it was cut out of.
//!
//! Invariant: a size in the type of a parameter is a size parameter. Any other size keeps its definition if the
//! function has everything that the definition mentions. Otherwise it is a size that is known only when computed.
//!
//! ```text
//! f (xs: [n]) = …, n the length of another array   ⇒   f (xs: [n]) = …, n a parameter's length
//! ```

use indexmap::IndexMap;

use crate::cnf::{Atom, Extent, Function, Names, SizeDef, SizeInfo, Type, Var};
use crate::tables::Tables;
use arrc_syntax::ids::{SizeId, VarId};

/// Renumbers the variables and the sizes of a function.
pub(super) fn compact(function: Function) -> Function {
    let Function { name, span, params, owned, mut body, results, tables, recursive } = function;
    let mut renumber = TableCompactor {
        old: tables,
        new: Tables::default(),
        vars: IndexMap::new(),
        sizes: IndexMap::new(),
        of_params: true,
    };
    let params = renumber.params(&params);
    renumber.of_params = false;
    body.rename(&mut renumber);
    let results = results.iter().map(|ty| renumber.ty(ty)).collect();
    Function { name, span, params, owned, body, results, tables: renumber.new, recursive }
}

struct TableCompactor {
    old: Tables,
    new: Tables,
    vars: IndexMap<VarId, VarId>,
    sizes: IndexMap<SizeId, Extent>,
    /// Whether the types of parameters are being renumbered.
    of_params: bool,
}

impl Names for TableCompactor {
    fn atom(&self, atom: Atom) -> Atom {
        atom.as_var().map_or(atom, |var| self.vars[&var].into())
    }

    fn bound(&mut self, var: VarId) -> VarId {
        let new = self.new.vars.push(self.old.vars[var].clone());
        self.vars.insert(var, new);
        self.typed(var, new)
    }
}

impl TableCompactor {
    /// Renumbers the parameters. All get their new variables first, since scalars among them may be sizes of arrays
    /// among them.
    fn params(&mut self, params: &[VarId]) -> Vec<VarId> {
        for &param in params {
            let Var { name, ty } = self.old.vars[param].clone();
            let new = self.new.vars.push(Var { name, ty });
            self.vars.insert(param, new);
        }
        params.iter().map(|&param| self.typed(param, self.vars[&param])).collect()
    }

    fn typed(&mut self, old: VarId, new: VarId) -> VarId {
        let ty = self.old.vars[old].ty.clone();
        self.new.vars[new].ty = self.ty(&ty);
        if self.old.named.contains(&old) {
            self.new.named.insert(new);
        }
        new
    }

    fn ty(&mut self, ty: &Type) -> Type {
        match ty {
            Type::Scalar(elem) => Type::Scalar(*elem),
            Type::Array { elem, shape } => {
                let shape = shape.iter().map(|&extent| self.extent(extent)).collect();
                Type::Array { elem: *elem, shape }
            }
        }
    }

    fn extent(&mut self, extent: Extent) -> Extent {
        let Extent::Size(size) = extent else { return extent };
        if let Some(&known) = self.sizes.get(&size) {
            return known;
        }
        let SizeInfo { name, def } = self.old.sizes[size].clone();
        let def = match def {
            SizeDef::Value(var) if self.vars.contains_key(&var) => SizeDef::Value(self.vars[&var]),
            _ if self.of_params => SizeDef::Param,
            SizeDef::Sum(left, right) => SizeDef::Sum(self.extent(left), self.extent(right)),
            SizeDef::Product(left, right) => {
                SizeDef::Product(self.extent(left), self.extent(right))
            }
            SizeDef::Param | SizeDef::Exists | SizeDef::Value(_) => SizeDef::Exists,
        };
        let new = Extent::Size(self.new.sizes.push(SizeInfo { name, def }));
        self.sizes.insert(size, new);
        new
    }
}

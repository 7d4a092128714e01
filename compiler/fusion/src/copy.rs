//! Copies of bindings under new names.
//!
//! Invariant: each copy binds new variables, except for the variables that [`Copier::target`] has chosen. The types
//! of copies mention the sizes of the copies.
//!
//! ```text
//! m = length ys; zs = generate m f, with ys ↦ l   ⇒   m' = length l; zs' = generate m' f'
//! ```

use indexmap::IndexMap;

use crate::cnf::{Atom, Bind, Block, Extent, Names, SizeDef, SizeInfo, Type, Worker};
use crate::tables::Tables;
use arrc_syntax::ids::{SizeId, VarId};

/// Copies bindings.
pub(crate) struct Copier<'a> {
    pub(crate) tables: &'a mut Tables,
    /// What stands for a variable in the copies.
    names: IndexMap<VarId, Atom>,
    /// What stands for a size in the types of the copies.
    sizes: IndexMap<SizeId, Extent>,
    /// For each variable, the existing variable that its copy binds.
    targets: IndexMap<VarId, VarId>,
}

impl<'a> Copier<'a> {
    pub(crate) fn new(tables: &'a mut Tables) -> Self {
        Self { tables, names: IndexMap::new(), sizes: IndexMap::new(), targets: IndexMap::new() }
    }

    /// Lets an atom stand for a variable in the copies. If it is an array, its sizes stand for the sizes of the
    /// variable too.
    pub(crate) fn name(&mut self, var: VarId, atom: Atom) {
        if let Atom::Var(new) = atom {
            let shapes = [var, new].map(|var| self.tables.vars[var].ty.shape().to_vec());
            let [old, new] = shapes;
            for (old, new) in old.into_iter().zip(new) {
                if let Extent::Size(size) = old
                    && old != new
                {
                    self.sizes.insert(size, new);
                }
            }
        }
        self.names.insert(var, atom);
    }

    /// Lets the copy of a variable bind a variable that exists already.
    pub(crate) fn target(&mut self, var: VarId, bound: VarId) {
        self.targets.insert(var, bound);
    }

    /// What stands for an atom in the copies.
    pub(crate) fn substitute(&self, atom: Atom) -> Atom {
        atom.substitute(&self.names)
    }

    /// A copy of a binding.
    pub(crate) fn bind(&mut self, bind: &Bind) -> Bind {
        let mut copy = bind.clone();
        copy.rename(self);
        copy
    }

    /// A copy of a block.
    pub(crate) fn block(&mut self, block: &Block) -> Block {
        let mut copy = block.clone();
        copy.rename(self);
        copy
    }

    /// A copy of the body of a worker with these arguments.
    pub(crate) fn applied(&mut self, worker: &Worker, args: &[Atom]) -> Block {
        for (&param, &arg) in worker.params.iter().zip(args) {
            self.names.insert(param, arg);
        }
        self.block(&worker.body)
    }

    /// A new variable like `var`. It stands for `var` from here on.
    pub(crate) fn fresh(&mut self, var: VarId) -> VarId {
        let new = match self.targets.get(&var) {
            Some(&bound) => bound,
            None => {
                let mut copy = self.tables.vars[var].clone();
                if let Type::Array { shape, .. } = &mut copy.ty {
                    for extent in shape {
                        *extent = self.extent(*extent);
                    }
                }
                self.tables.vars.push(copy)
            }
        };
        self.names.insert(var, Atom::Var(new));
        new
    }

    /// The extent that stands for another one.
    fn extent(&mut self, extent: Extent) -> Extent {
        let Extent::Size(size) = extent else { return extent };
        if let Some(&known) = self.sizes.get(&size) {
            return known;
        }
        let info = self.tables.sizes[size].clone();
        let def = match info.def {
            SizeDef::Param | SizeDef::Exists => return extent,
            SizeDef::Value(var) => match self.names.get(&var) {
                Some(&Atom::Var(new)) => SizeDef::Value(new),
                Some(Atom::Const(_)) | None => return extent,
            },
            SizeDef::Sum(left, right) => SizeDef::Sum(self.extent(left), self.extent(right)),
            SizeDef::Product(left, right) => {
                SizeDef::Product(self.extent(left), self.extent(right))
            }
        };
        if def == info.def {
            return extent;
        }
        let new = Extent::Size(self.tables.sizes.push(SizeInfo { def, ..info }));
        self.sizes.insert(size, new);
        new
    }
}

impl Names for Copier<'_> {
    fn atom(&self, atom: Atom) -> Atom {
        self.substitute(atom)
    }

    fn bound(&mut self, var: VarId) -> VarId {
        self.fresh(var)
    }
}

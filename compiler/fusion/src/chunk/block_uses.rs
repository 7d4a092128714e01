//! The uses of the values of a block.
//!
//! Invariant: an array whose extents alone are used is not used as a value. Bindings use the extents of the rows that
//! they make, so the step with them has to know these, even if no operation asks for them.
//!
//! ```text
//! { gts = filter p xs; l = length gts; yield (l) }       values: l; extents: gts
//! { zs = map (\x -> generate 3 …) xs }, zs: [n][m]i64     values: xs; extents: an array of the size m
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::cnf::{Atom, Bind, Block, Extent, SizeDef, Usage, Visit, Worker};
use crate::tables::Tables;
use arrc_syntax::ids::{SizeId, VarId};

/// The variables outside of steps, and the sizes that they tell.
#[derive(Clone, Debug, Default)]
pub(super) struct SizeSources {
    vars: IndexSet<VarId>,
    /// The first array of each size, and its dimension of that size.
    sizes: IndexMap<SizeId, (VarId, usize)>,
}

impl SizeSources {
    /// Adds variables. A size that is there belongs to the array that it belonged to.
    pub(super) fn add(&mut self, vars: &[VarId], tables: &Tables) {
        self.vars.extend(vars);
        for &var in vars {
            for (dim, extent) in tables.vars[var].ty.shape().iter().enumerate() {
                if let Extent::Size(size) = *extent {
                    self.sizes.entry(size).or_insert((var, dim));
                }
            }
        }
    }

    /// Whether the variable is outside of the steps.
    pub(super) fn has(&self, var: VarId) -> bool {
        self.vars.contains(&var)
    }

    /// The first array of a size, and its dimension of that size.
    pub(super) fn owner(&self, size: SizeId) -> Option<(VarId, usize)> {
        self.sizes.get(&size).copied()
    }
}

/// The sizes in the types of a function's variables.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypeSizes<'a> {
    /// The types, and the definitions of the sizes.
    pub(super) tables: &'a Tables,
    pub(super) owners: &'a SizeSources,
}

/// The uses of free variables.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeUses {
    /// The variables that are used as values.
    pub(super) values: IndexSet<VarId>,
    /// The dimensions of arrays whose extents are used.
    pub(super) extents: IndexSet<(VarId, usize)>,
    /// The sizes of rows that are made, each with the array that has it.
    pub(super) rows: IndexMap<SizeId, (VarId, usize)>,
    /// The variables that the bindings bind, in workers and branches as well.
    bound: IndexSet<VarId>,
}

impl FreeUses {
    /// Whether the bindings bind a variable, in a worker or a branch or outside of them.
    pub(super) fn is_bound(&self, var: VarId) -> bool {
        self.bound.contains(&var)
    }

    /// The variables that bindings use and do not bind.
    pub(super) fn of<'a>(binds: impl IntoIterator<Item = &'a Bind>, sizes: TypeSizes<'_>) -> Self {
        let mut used = Self::default();
        let mut outer = IndexSet::new();
        for bind in binds {
            used.bind(bind);
            outer.extend(bind.vars.iter().copied());
        }
        for var in used.bound.clone() {
            // The number of rows is that of steps.
            let rows = usize::from(outer.contains(&var));
            for &extent in sizes.tables.vars[var].ty.shape().iter().skip(rows) {
                used.row(extent, sizes);
            }
        }
        let Self { values, extents, rows, bound } = &mut used;
        values.retain(|var| !bound.contains(var));
        rows.retain(|_, (var, _)| !bound.contains(var));
        extents.extend(rows.values());
        extents.retain(|(var, _)| !bound.contains(var));
        used
    }

    /// Uses what tells an extent.
    fn row(&mut self, extent: Extent, sizes: TypeSizes<'_>) {
        let Extent::Size(size) = extent else { return };
        match sizes.tables.sizes[size].def {
            SizeDef::Value(var) if sizes.owners.has(var) => {
                self.values.insert(var);
            }
            ref def @ (SizeDef::Sum(..) | SizeDef::Product(..)) => {
                def.parts().for_each(|part| self.row(part, sizes));
            }
            // The variable of a value may have become unnecessary.
            SizeDef::Value(_) | SizeDef::Param | SizeDef::Exists => {
                if let Some(owner) = sizes.owners.owner(size) {
                    self.rows.insert(size, owner);
                }
            }
        }
    }

    /// All variables that are used, for their values or their extents.
    pub(super) fn all(&self) -> impl Iterator<Item = VarId> + '_ {
        self.values.iter().copied().chain(self.extents.iter().map(|(array, _)| *array))
    }

    fn bind(&mut self, bind: &Bind) {
        bind.op.visit(self);
        self.bound.extend(&bind.vars);
    }

    fn block(&mut self, block: &Block) {
        block.binds.iter().for_each(|bind| self.bind(bind));
        block.results.iter().for_each(|atom| self.atom(atom));
    }
}

impl<'a> Visit<'a> for FreeUses {
    fn atom(&mut self, atom: &'a Atom) {
        if let Atom::Var(var) = atom {
            self.values.insert(*var);
        }
    }

    fn array(&mut self, array: &'a VarId, usage: Usage) {
        match usage {
            Usage::Extent(dim) => {
                self.extents.insert((*array, dim));
            }
            Usage::Stream | Usage::Elements => {
                self.values.insert(*array);
            }
        }
    }

    fn worker(&mut self, worker: &'a Worker) {
        self.bound.extend(&worker.params);
        self.block(&worker.body);
    }

    fn branch(&mut self, block: &'a Block) {
        self.block(block);
    }
}

/// The uses in a block.
#[derive(Debug)]
pub(super) struct UseCounts {
    /// The number of bindings that use a variable as a value. The block's results count as one.
    values: IndexMap<VarId, usize>,
    /// The number of bindings that use an extent.
    extents: IndexMap<(VarId, usize), usize>,
}

impl UseCounts {
    pub(super) fn new(block: &Block, sizes: TypeSizes<'_>) -> Self {
        let mut uses = Self { values: IndexMap::new(), extents: IndexMap::new() };
        for bind in &block.binds {
            uses.count(&FreeUses::of([bind], sizes));
        }
        let results = block.results.iter().filter_map(|atom| match atom {
            Atom::Var(var) => Some(*var),
            Atom::Const(_) => None,
        });
        uses.count(&FreeUses { values: results.collect(), ..FreeUses::default() });
        uses
    }

    fn count(&mut self, used: &FreeUses) {
        for &var in &used.values {
            *self.values.entry(var).or_default() += 1;
        }
        for &extent in &used.extents {
            *self.extents.entry(extent).or_default() += 1;
        }
    }

    /// The variables that these bindings bind and others use as values, or for extents: those of rows, and the length
    /// unless `gives_length` says that it comes without the array.
    pub(super) fn used_by_others<'a>(
        &'a self,
        binds: &'a [&'a Bind],
        sizes: TypeSizes<'_>,
        gives_length: impl Fn(VarId) -> bool + 'a,
    ) -> impl Iterator<Item = VarId> + 'a {
        let (values, extents) = self.inside(binds, sizes);
        let is_needed = move |var: &VarId| {
            let asked = self.extents.iter().any(|(&(array, dim), &count)| {
                array == *var
                    && (dim > 0 || !gives_length(array))
                    && count > extents.get(&(array, dim)).copied().unwrap_or(0)
            });
            let inside = values.get(var).copied().unwrap_or(0);
            asked || self.values.get(var).copied().unwrap_or(0) > inside
        };
        binds.iter().flat_map(|bind| &bind.vars).copied().filter(is_needed)
    }

    /// The arrays that these bindings bind and whose lengths others use.
    pub(super) fn lengths_used_by_others<'a>(
        &'a self,
        binds: &'a [&'a Bind],
        sizes: TypeSizes<'_>,
    ) -> impl Iterator<Item = VarId> + 'a {
        let (_, extents) = self.inside(binds, sizes);
        let is_asked = move |var: &VarId| {
            let inside = extents.get(&(*var, 0)).copied().unwrap_or(0);
            self.extents.get(&(*var, 0)).copied().unwrap_or(0) > inside
        };
        binds.iter().flat_map(|bind| &bind.vars).copied().filter(is_asked)
    }

    /// The numbers of uses by these bindings.
    fn inside(
        &self,
        binds: &[&Bind],
        sizes: TypeSizes<'_>,
    ) -> (IndexMap<VarId, usize>, IndexMap<(VarId, usize), usize>) {
        let mut inside = Self { values: IndexMap::new(), extents: IndexMap::new() };
        binds.iter().for_each(|bind| inside.count(&FreeUses::of([*bind], sizes)));
        (inside.values, inside.extents)
    }
}

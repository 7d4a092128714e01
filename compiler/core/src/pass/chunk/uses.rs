//! The uses of the values of a block.
//!
//! Invariant: an array whose extents alone are used is not used as a value.
//!
//! ```text
//! { gts = filter p xs; l = length gts; yield (l) }     values: l; extents: gts
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::ids::VarId;
use crate::ir::cnf::{Atom, Bind, Block, Usage, Visit, Worker};

/// The uses of free variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Used {
    /// The variables that are used as values.
    pub(super) values: IndexSet<VarId>,
    /// The dimensions of arrays whose extents are used.
    pub(super) extents: IndexSet<(VarId, usize)>,
    bound: IndexSet<VarId>,
}

impl Used {
    /// The variables that bindings use and do not bind.
    pub(super) fn of<'a>(binds: impl IntoIterator<Item = &'a Bind>) -> Self {
        let mut used = Self::default();
        binds.into_iter().for_each(|bind| used.bind(bind));
        let Self { values, extents, bound } = &mut used;
        values.retain(|var| !bound.contains(var));
        extents.retain(|(var, _)| !bound.contains(var));
        used
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

impl<'a> Visit<'a> for Used {
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
pub(super) struct Uses {
    /// The number of bindings that use a variable as a value. The block's results count as one.
    values: IndexMap<VarId, usize>,
    /// The number of bindings that use an extent.
    extents: IndexMap<(VarId, usize), usize>,
}

impl Uses {
    pub(super) fn new(block: &Block) -> Self {
        let mut uses = Self { values: IndexMap::new(), extents: IndexMap::new() };
        for bind in &block.binds {
            uses.count(&Used::of([bind]));
        }
        let results = block.results.iter().filter_map(|atom| match atom {
            Atom::Var(var) => Some(*var),
            Atom::Const(_) => None,
        });
        uses.count(&Used { values: results.collect(), ..Used::default() });
        uses
    }

    fn count(&mut self, used: &Used) {
        for &var in &used.values {
            *self.values.entry(var).or_default() += 1;
        }
        for &extent in &used.extents {
            *self.extents.entry(extent).or_default() += 1;
        }
    }

    /// The variables that these bindings bind and others use as values, or for extents of rows.
    pub(super) fn needed_behind<'a>(
        &'a self,
        binds: &'a [&'a Bind],
    ) -> impl Iterator<Item = VarId> + 'a {
        let (values, extents) = self.inside(binds);
        let is_needed = move |var: &VarId| {
            let rows = self.extents.iter().any(|(&(array, dim), &count)| {
                (array, dim > 0) == (*var, true)
                    && count > extents.get(&(array, dim)).copied().unwrap_or(0)
            });
            let inside = values.get(var).copied().unwrap_or(0);
            rows || self.values.get(var).copied().unwrap_or(0) > inside
        };
        binds.iter().flat_map(|bind| &bind.vars).copied().filter(is_needed)
    }

    /// The arrays that these bindings bind and whose lengths others use.
    pub(super) fn lengths_behind<'a>(
        &'a self,
        binds: &'a [&'a Bind],
    ) -> impl Iterator<Item = VarId> + 'a {
        let (_, extents) = self.inside(binds);
        let is_asked = move |var: &VarId| {
            let inside = extents.get(&(*var, 0)).copied().unwrap_or(0);
            self.extents.get(&(*var, 0)).copied().unwrap_or(0) > inside
        };
        binds.iter().flat_map(|bind| &bind.vars).copied().filter(is_asked)
    }

    /// The numbers of uses by these bindings.
    fn inside(&self, binds: &[&Bind]) -> (IndexMap<VarId, usize>, IndexMap<(VarId, usize), usize>) {
        let mut inside = Self { values: IndexMap::new(), extents: IndexMap::new() };
        binds.iter().for_each(|bind| inside.count(&Used::of([*bind])));
        (inside.values, inside.extents)
    }
}

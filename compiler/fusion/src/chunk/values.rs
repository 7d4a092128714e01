//! The names, types and extents of a plan's values.
//!
//! Invariant: different values have different names. Extents that may differ have different names.

use indexmap::{IndexMap, IndexSet};

use crate::chunked::PlanValue;
use crate::cnf::Extent;
use crate::tables::Tables;
use arrc_syntax::ids::{SizeId, VarId};

/// Describes values.
pub(super) fn describe(defined: &IndexSet<VarId>, tables: &Tables) -> IndexMap<VarId, PlanValue> {
    let mut names = IndexSet::new();
    let mut sizes: IndexMap<SizeId, String> = IndexMap::new();
    let mut size_names = IndexSet::new();
    let values = defined.iter().map(|&var| {
        let ty = tables.vars[var].ty.clone();
        let shape = ty.shape().iter().map(|&extent| match extent {
            Extent::Const(extent) => extent.to_string(),
            Extent::Size(size) => {
                let name = || distinct(&tables.sizes[size].name, &mut size_names);
                sizes.entry(size).or_insert_with(name).clone()
            }
        });
        let shape = shape.collect();
        (var, PlanValue { name: distinct(&tables.vars[var].name, &mut names), ty, shape })
    });
    values.collect()
}

/// The name, with a number added if it is taken.
fn distinct(name: &str, names: &mut IndexSet<String>) -> String {
    let name = if name.is_empty() { "a" } else { name };
    let numbered = (1..).map(|number| format!("{name}_{number}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
    let free = candidates.find(|candidate| names.insert(candidate.clone()));
    free.expect("there is no last number")
}

//! A block with a proposed change, and its saving.
//!
//! Invariant: a variant is a well-formed block with the results of the original. The saving compares the clusters
//! that the strategy itself chooses for both.
//!
//! ```text
//! bs : k1, cs = reshape bs : k    equate k1 and k ⇒ cs is bs
//! ```

use std::fmt;

use indexmap::IndexSet;

use super::HintContext;
use arrc_fusion::cluster::cluster;
use arrc_fusion::clusters::Clusters;
use arrc_fusion::cnf::{Atom, Block, Extent, Op, SizeDef, Type};
use arrc_fusion::graph::Graph;
use arrc_fusion::process::uses;
use arrc_fusion::rate::rate;
use arrc_fusion::tables::Tables;
use arrc_syntax::ids::VarId;

/// A block with the tables of the enclosing function.
pub(super) struct BlockVariant {
    pub(super) block: Block,
    pub(super) tables: Tables,
}

impl BlockVariant {
    /// The block as it is.
    pub(super) fn of(look: HintContext<'_>) -> Self {
        Self { block: look.graph.block.clone(), tables: look.tables.clone() }
    }

    /// Replaces one size by another. Changes of shape that have no effect any more are removed.
    pub(super) fn equate(&mut self, from: Extent, to: Extent) {
        let replace = |extent: &mut Extent| {
            if *extent == from {
                *extent = to;
            }
        };
        for var in self.tables.vars.values_mut() {
            if let Type::Array { shape, .. } = &mut var.ty {
                shape.iter_mut().for_each(replace);
            }
        }
        for size in self.tables.sizes.values_mut() {
            if let SizeDef::Sum(left, right) | SizeDef::Product(left, right) = &mut size.def {
                [left, right].into_iter().for_each(replace);
            }
        }
        let vars = &self.tables.vars;
        let renamed: Vec<(VarId, VarId)> = (self.block.binds.iter())
            .filter_map(|bind| {
                let Op::Reshape { array, .. } = bind.op else { return None };
                Some((bind.vars[0], array))
            })
            .filter(|&(view, array)| vars[view].ty == vars[array].ty)
            .collect();
        self.block.binds.retain(|bind| renamed.iter().all(|(view, _)| !bind.vars.contains(view)));
        // A view may be of another view, which comes before it.
        for &(view, array) in renamed.iter().rev() {
            self.rename(view, array);
        }
    }

    /// Uses one variable in the place of another.
    pub(super) fn rename(&mut self, old: VarId, new: VarId) {
        let renamed = |atom| if atom == Atom::Var(old) { Atom::Var(new) } else { atom };
        self.block.replace_uses(&mut { renamed });
    }

    /// Puts the bindings into an order in which they can run, if there is one.
    pub(super) fn sort(&mut self) -> bool {
        let mut waiting = std::mem::take(&mut self.block.binds);
        let mut missing: IndexSet<VarId> =
            waiting.iter().flat_map(|bind| bind.vars.iter().copied()).collect();
        while !waiting.is_empty() {
            let ready = |bind| uses::free(bind).iter().all(|var| !missing.contains(var));
            let Some(next) = waiting.iter().position(ready) else { return false };
            let bind = waiting.remove(next);
            for var in &bind.vars {
                missing.swap_remove(var);
            }
            self.block.binds.push(bind);
        }
        true
    }
}

/// The passes, reads and writes that a change saves.
pub(super) struct Savings {
    passes: u32,
    reads: u32,
    writes: u32,
}

impl Savings {
    /// The saving of a variant, or none if it saves nothing, or is worse in some respect.
    pub(super) fn by(variant: BlockVariant, look: HintContext<'_>) -> Option<Self> {
        let mut variant = variant;
        if !variant.sort() {
            return None;
        }
        let BlockVariant { block, tables } = variant;
        let graph = rate(look.graph.name.clone(), block, &tables);
        let before = &look.clusters.report;
        let clusters = cluster(&graph, before.method);
        let after = &clusters.report;
        let passes =
            passes(look.graph, look.clusters).checked_sub(self::passes(&graph, &clusters))?;
        let reads = before.reads.checked_sub(after.reads)?;
        let writes = before.writes.checked_sub(after.writes)?;
        (passes > 0 || reads + writes > 0).then_some(Self { passes, reads, writes })
    }
}

/// The number of clusters that are passes.
fn passes(graph: &Graph, clusters: &Clusters) -> u32 {
    let count = clusters.clusters.values().filter(|nodes| graph.is_pass(nodes)).count();
    u32::try_from(count).expect("there are fewer than 2^32 clusters")
}

impl fmt::Display for Savings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |count: u32, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            more => Some(format!("{more} {many}")),
        };
        let parts = [
            count(self.passes, "pass", "passes"),
            count(self.reads, "read of an array", "reads of arrays"),
            count(self.writes, "write of one", "writes of arrays"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match &parts[..] {
            [first @ .., last] if !first.is_empty() => {
                write!(f, "{} and {last}", first.join(", "))
            }
            parts => f.write_str(&parts.concat()),
        }
    }
}

//! The order in which clusters and scalar bindings run.
//!
//! Invariant: a unit uses only variables that earlier units bind. Clusters keep their order, and scalars run as soon
//! as possible.
//!
//! ```text
//! s = fold xs; t = s + 1; u = t * t; ys = map {u} xs     ⇒ {s} pass, {t u}, {ys} pass
//! ```

use indexmap::IndexSet;

use crate::chunk::block_uses::{FreeUses, TypeSizes};
use crate::clusters::Clusters;
use crate::cnf::{Atom, Block, Op};
use crate::graph::{Graph, Kind};
use arrc_syntax::ids::VarId;

/// Bindings that run together.
#[derive(Debug)]
pub(super) struct BindGroup {
    /// Their positions in the block.
    pub(super) binds: Vec<usize>,
    /// Whether they are a cluster of combinators.
    pub(super) is_pass: bool,
}

/// The bindings of a block in units.
pub(super) fn units(graph: &Graph, clusters: &Clusters, sizes: TypeSizes<'_>) -> Vec<BindGroup> {
    let block = &graph.block;
    let nodes: IndexSet<usize> = graph.nodes.values().map(|node| node.bind).collect();
    let mut waiting: Vec<usize> =
        (0..block.binds.len()).filter(|bind| !nodes.contains(bind)).collect();
    let mut missing: IndexSet<VarId> =
        block.binds.iter().flat_map(|bind| bind.vars.iter().copied()).collect();
    let mut units = Vec::new();
    for cluster in clusters.clusters.values() {
        scalars(block, &mut waiting, &mut missing, &mut units, sizes);
        let mut binds: Vec<usize> = cluster.iter().map(|&node| graph.nodes[node].bind).collect();
        binds.sort_unstable();
        let is_pass = cluster.iter().all(|&node| graph.nodes[node].kind != Kind::Barrier);
        take(block, &binds, &mut missing);
        units.push(BindGroup { binds, is_pass });
    }
    scalars(block, &mut waiting, &mut missing, &mut units, sizes);
    assert!(waiting.is_empty(), "a scalar has what it uses at the block's end");
    units
}

/// The variables that are used after each unit: by later units, by the results of the block, or `after` the block.
pub(super) fn live_after(
    units: &[BindGroup],
    block: &Block,
    after: &IndexSet<VarId>,
    sizes: TypeSizes<'_>,
) -> Vec<IndexSet<VarId>> {
    let mut used = after.clone();
    used.extend(block.results.iter().filter_map(|result| match result {
        Atom::Var(var) => Some(*var),
        Atom::Const(_) => None,
    }));
    let mut live: Vec<IndexSet<VarId>> = Vec::new();
    for unit in units.iter().rev() {
        live.push(used.clone());
        used.extend(FreeUses::of(unit.binds.iter().map(|&at| &block.binds[at]), sizes).all());
    }
    live.reverse();
    live
}

/// Adds the scalars whose inputs are bound. A read of an array's element is a unit by itself, and scalars between
/// such reads share a unit.
fn scalars(
    block: &Block,
    waiting: &mut Vec<usize>,
    missing: &mut IndexSet<VarId>,
    units: &mut Vec<BindGroup>,
    sizes: TypeSizes<'_>,
) {
    let mut together: Vec<usize> = Vec::new();
    waiting.retain(|&at| {
        let used = FreeUses::of([&block.binds[at]], sizes);
        let arrays = used.extents.iter().map(|(array, _)| array);
        if used.values.iter().chain(arrays).any(|var| missing.contains(var)) {
            return true;
        }
        take(block, &[at], missing);
        if matches!(block.binds[at].op, Op::Index { .. }) {
            if !together.is_empty() {
                units.push(BindGroup { binds: std::mem::take(&mut together), is_pass: false });
            }
            units.push(BindGroup { binds: vec![at], is_pass: false });
        } else {
            together.push(at);
        }
        false
    });
    if !together.is_empty() {
        units.push(BindGroup { binds: together, is_pass: false });
    }
}

fn take(block: &Block, binds: &[usize], missing: &mut IndexSet<VarId>) {
    for &at in binds {
        for var in &block.binds[at].vars {
            missing.swap_remove(var);
        }
    }
}

//! Clusters become processes (002, sections 3.6 and 4.1): each cluster of combinators is one pass of
//! series operators, with the block's scalar bindings and barriers in between.
//!
//! Invariant: each step uses only what the steps before it leave behind; an array that only its own
//! cluster uses is not made.
//!
//! ```text
//! s = reduce (+) 0 xs; t = s + 1; ys = map (/ t) xs     clusters {s} {ys}
//! ⇒ process 1 yields (s); t = s + 1; process 2 yields (ys)
//! ```

mod cluster;
mod extent;
mod hoist;
mod interval;
mod join;
mod length;
mod parts;
mod rates;
mod rows;
#[cfg(test)]
mod tests;

use indexmap::IndexSet;

use self::cluster::{Cluster, Fused};
use self::extent::Extents;
use self::length::{Length, LengthOf};
use crate::ids::{ClusterId, NodeId, PrimaryMap, SecondaryMap, SizeId, VarId};
use crate::ir::clusters::Clusters;
use crate::ir::cnf::{Bind, Op, SizeInfo, Var};
use crate::ir::graph::{Graph, Kind};
use crate::ir::process::{Block, Step, uses};
use crate::names::Name;

/// Makes each cluster of the block a process.
#[must_use]
pub fn fuse(
    graph: Graph,
    clusters: &Clusters,
    vars: &mut PrimaryMap<VarId, Var>,
    sizes: &PrimaryMap<SizeId, SizeInfo>,
) -> Block {
    let mut graph = graph;
    hoist::hoist(&mut graph, vars);
    let mut scalars = scalar_units(&mut Extents { graph: &graph, vars, sizes });
    let mut uses = Uses::new(&graph, clusters, &scalars);
    uses.needed.extend(rows::witnesses(&graph, vars, sizes, &uses.needed));
    let mut passes = Vec::new();
    let mut processes = 0;
    for (id, nodes) in &clusters.clusters {
        if let [node] = nodes[..]
            && graph.nodes[node].kind == Kind::Barrier
        {
            passes.push(Unit::of_bind(&graph, graph.nodes[node].bind));
            continue;
        }
        let lengths = uses.lengths_of(id);
        let name = Name::new(format!("{}_{}", graph.name, processes + 1));
        let needed = &uses.needed;
        let cluster = Cluster { graph: &graph, nodes, name, needed, lengths: &lengths };
        let fused = cluster.fuse(vars);
        processes += usize::from(fused.process.is_some());
        place_lengths(&fused, &mut scalars);
        passes.push(Unit::of_cluster(&graph, nodes, fused));
    }
    let steps = in_order(scalars, passes);
    Block { name: graph.name, steps, results: graph.block.results }
}

/// Who uses what the clusters make.
struct Uses {
    /// Arrays that are used outside their clusters, or by nested blocks.
    needed: IndexSet<VarId>,
    /// Lengths of arrays of clusters, which need no array in memory.
    lengths: Vec<(ClusterId, LengthOf)>,
}

impl Uses {
    fn new(graph: &Graph, clusters: &Clusters, scalars: &[Unit]) -> Self {
        let mut cluster_of = SecondaryMap::<NodeId, Option<ClusterId>>::new();
        for (id, nodes) in &clusters.clusters {
            for &node in nodes {
                cluster_of[node] = Some(id);
            }
        }
        let maker = |array: VarId| -> Option<ClusterId> {
            let producer = graph.arrays.get(&array)?.producer?;
            let barrier = graph.nodes[producer].kind == Kind::Barrier;
            if barrier { None } else { cluster_of[producer] }
        };
        let results = graph.block.results.iter().filter_map(uses::var);
        let mut needed = results.collect::<IndexSet<_>>();
        for (id, node) in &graph.nodes {
            let user = cluster_of[id];
            let used = uses::free(&graph.block.binds[node.bind]).into_iter();
            needed.extend(used.filter(|&var| maker(var).is_none_or(|made| Some(made) != user)));
        }
        let mut lengths = Vec::new();
        for unit in scalars {
            if let [Step::Bind(Bind { vars, op: Op::Length { array, dim: 0 }, span })] =
                &unit.steps[..]
                && let Some(cluster) = maker(*array)
            {
                lengths.push((cluster, LengthOf { var: vars[0], array: *array, span: *span }));
            } else {
                needed.extend(&unit.uses);
            }
        }
        Self { needed, lengths }
    }

    fn lengths_of(&self, cluster: ClusterId) -> Vec<LengthOf> {
        let of = self.lengths.iter().filter(|(id, _)| *id == cluster);
        of.map(|(_, length)| *length).collect()
    }
}

/// Steps that stay together.
struct Unit {
    steps: Vec<Step>,
    uses: IndexSet<VarId>,
    defines: Vec<VarId>,
    /// Where it begins in the block as written.
    source: usize,
}

impl Unit {
    /// A scalar binding or a barrier.
    fn of_bind(graph: &Graph, source: usize) -> Self {
        let bind = &graph.block.binds[source];
        Self::of_binds(vec![bind.clone()], source)
    }

    /// Bindings that together define the variables of the last.
    fn of_binds(binds: Vec<Bind>, source: usize) -> Self {
        let defines = binds.iter().flat_map(|bind| bind.vars.clone()).collect::<Vec<_>>();
        let used = binds.iter().flat_map(uses::free).filter(|var| !defines.contains(var));
        let uses = used.collect();
        Self { steps: binds.into_iter().map(Step::Bind).collect(), uses, defines, source }
    }

    /// A pass, and the sharing around it.
    fn of_cluster(graph: &Graph, nodes: &[NodeId], fused: Fused) -> Self {
        let sources = nodes.iter().map(|&node| graph.nodes[node].bind).collect::<Vec<_>>();
        let binds = sources.iter().map(|&source| &graph.block.binds[source]);
        let mut defines = binds.clone().flat_map(|bind| bind.vars.clone()).collect::<Vec<_>>();
        let used = binds.flat_map(uses::free).filter(|var| !defines.contains(var));
        let uses = used.collect::<IndexSet<_>>();
        let counted = fused.lengths.iter().filter(|(_, length)| matches!(length, Length::Counted));
        defines.extend(counted.map(|(var, _)| *var));
        let mut steps = fused.before;
        steps.extend(fused.process.map(Step::Process));
        steps.extend(fused.after);
        let source = sources.into_iter().min().expect("a cluster has a node");
        Self { steps, uses, defines, source }
    }
}

/// The scalar bindings of the block, in its order; lengths come from sizes where those tell.
fn scalar_units(extents: &mut Extents<'_>) -> Vec<Unit> {
    let graph = extents.graph;
    let nodes = graph.nodes.values().map(|node| node.bind).collect::<IndexSet<_>>();
    let scalars = (0..graph.block.binds.len()).filter(|source| !nodes.contains(source));
    let unit = |source: usize| {
        let bind = &graph.block.binds[source];
        let by_size = if let Op::Length { array, dim } = bind.op {
            extents.length(bind.vars[0], array, dim, bind.span)
        } else {
            None
        };
        Unit::of_binds(by_size.unwrap_or_else(|| vec![bind.clone()]), source)
    };
    scalars.map(unit).collect()
}

/// Lengths that the block asks for come from where the pass says.
fn place_lengths(fused: &Fused, scalars: &mut Vec<Unit>) {
    scalars.retain_mut(|unit| {
        let length = unit.defines.first().and_then(|var| fused.lengths.get(var));
        match length {
            Some(Length::Known(binds)) => {
                *unit = Unit::of_binds(binds.clone(), unit.source);
                true
            }
            Some(Length::Counted) => false,
            Some(Length::Stored) | None => true,
        }
    });
}

/// The passes in their order. A scalar runs as soon as it can once a pass needs it or comes after it
/// in the source.
fn in_order(scalars: Vec<Unit>, passes: Vec<Unit>) -> Vec<Step> {
    let mut missing = scalars
        .iter()
        .chain(&passes)
        .flat_map(|unit| unit.defines.iter().copied())
        .collect::<IndexSet<_>>();
    let mut waiting = scalars;
    let mut steps = Vec::new();
    for pass in passes {
        let wanted = closure(&pass, &waiting);
        let is_due = |unit: &Unit| {
            unit.source < pass.source || unit.defines.iter().any(|var| wanted.contains(var))
        };
        waiting = run(waiting, is_due, &mut missing, &mut steps);
        let late = run(vec![pass], |_| true, &mut missing, &mut steps);
        assert!(late.is_empty(), "a pass runs after those that it uses");
    }
    let left = run(waiting, |_| true, &mut missing, &mut steps);
    assert!(left.is_empty(), "each binding of a block has what it uses at the block's end");
    steps
}

/// What a unit uses, and what the waiting scalars use that it waits for.
fn closure(unit: &Unit, waiting: &[Unit]) -> IndexSet<VarId> {
    let mut wanted = unit.uses.clone();
    let mut before = 0;
    while before < wanted.len() {
        before = wanted.len();
        for scalar in waiting {
            if scalar.defines.iter().any(|var| wanted.contains(var)) {
                wanted.extend(&scalar.uses);
            }
        }
    }
    wanted
}

/// Runs those units that are due as soon as they have what they use; gives back the others.
fn run(
    mut units: Vec<Unit>,
    is_due: impl Fn(&Unit) -> bool,
    missing: &mut IndexSet<VarId>,
    steps: &mut Vec<Step>,
) -> Vec<Unit> {
    loop {
        let mut others = Vec::new();
        let before = units.len();
        for unit in units {
            if is_due(&unit) && !unit.uses.iter().any(|var| missing.contains(var)) {
                for var in &unit.defines {
                    missing.swap_remove(var);
                }
                steps.extend(unit.steps);
            } else {
                others.push(unit);
            }
        }
        if others.len() == before {
            return others;
        }
        units = others;
    }
}

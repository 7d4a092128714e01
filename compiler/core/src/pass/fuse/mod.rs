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
mod hoist;
mod length;
mod rates;
#[cfg(test)]
mod tests;

use indexmap::IndexSet;

use self::cluster::{Cluster, Fused};
use self::length::{Length, LengthOf};
use crate::ids::{ClusterId, NodeId, PrimaryMap, SecondaryMap, VarId};
use crate::ir::clusters::Clusters;
use crate::ir::cnf::{Bind, Op, Var};
use crate::ir::graph::{Graph, Kind};
use crate::ir::process::{Block, Step, uses};
use crate::names::Name;

/// Makes each cluster of the block a process.
#[must_use]
pub fn fuse(graph: Graph, clusters: &Clusters, vars: &mut PrimaryMap<VarId, Var>) -> Block {
    let mut graph = graph;
    hoist::hoist(&mut graph, vars);
    let uses = Uses::new(&graph, clusters);
    let mut scalars = scalar_units(&graph);
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
    fn new(graph: &Graph, clusters: &Clusters) -> Self {
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
        let mut node_of = vec![None; graph.block.binds.len()];
        for (id, node) in &graph.nodes {
            node_of[node.bind] = cluster_of[id];
        }
        let results = graph.block.results.iter().filter_map(uses::var);
        let mut needed = results.collect::<IndexSet<_>>();
        let mut lengths = Vec::new();
        for (bind, user) in graph.block.binds.iter().zip(node_of) {
            if let Op::Length { array, dim: 0 } = bind.op
                && let Some(cluster) = maker(array)
            {
                lengths.push((cluster, LengthOf { var: bind.vars[0], array, span: bind.span }));
                continue;
            }
            let used = uses::free(bind).into_iter();
            needed.extend(used.filter(|&var| maker(var).is_none_or(|made| Some(made) != user)));
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

/// The scalar bindings of the block, in its order.
fn scalar_units(graph: &Graph) -> Vec<Unit> {
    let nodes = graph.nodes.values().map(|node| node.bind).collect::<IndexSet<_>>();
    let scalars = (0..graph.block.binds.len()).filter(|source| !nodes.contains(source));
    scalars.map(|source| Unit::of_bind(graph, source)).collect()
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
    for scalar in waiting.iter().rev() {
        if scalar.defines.iter().any(|var| wanted.contains(var)) {
            wanted.extend(&scalar.uses);
        }
    }
    wanted
}

/// Runs those units that are due and have what they use; gives back the others.
fn run(
    units: Vec<Unit>,
    is_due: impl Fn(&Unit) -> bool,
    missing: &mut IndexSet<VarId>,
    steps: &mut Vec<Step>,
) -> Vec<Unit> {
    let mut others = Vec::new();
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
    others
}

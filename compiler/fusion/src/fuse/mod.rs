//! Clusters become processes (002, sections 3.6 and 4.1). Each cluster of combinators becomes one pass of series
//! operators. The block's scalar bindings and barriers run between the passes.
//!
//! Invariant: each step uses only results of earlier steps. An array that only its own cluster uses is not stored. A
//! pass runs after the assertions in front of each of its combinators, except those that need its own results. So a
//! read that an assertion makes safe is safe in the pass, too.
//!
//! ```text
//! s = reduce (+) 0 xs; t = s + 1; ys = map (/ t) xs     clusters {s} {ys}
//! ⇒ process 1 yields (s); t = s + 1; process 2 yields (ys)
//! ```

mod cluster;
mod hoist;
mod interval;
mod join;
mod length;
mod nested;
mod rates;
mod row_sizes;
mod size_values;
mod split_worker;

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;

use self::cluster::{Cluster, Fused};
use self::length::{Length, LengthOf};
use self::size_values::KnownExtents;
use crate::clusters::{Clustered, Clusters};
use crate::cnf::{Atom, Bind};
use crate::graph::{Graph, Kind};
use crate::process::{Block, BlockStep, uses};
use crate::tables::Tables;
use arrc_syntax::ids::{ClusterId, NodeId, SecondaryMap, VarId};
use arrc_syntax::names::Name;

/// Makes each cluster of the block a process. The tables are those of the enclosing function.
#[must_use]
pub fn fuse(clustered: Clustered, mut tables: Tables) -> Block {
    let Clustered { mut graph, clusters } = clustered;
    let Tables { vars, sizes, named: _, in_sums: _ } = &mut tables;
    hoist::hoist(&mut graph, vars);
    let mut scalars = scalar_units(&mut KnownExtents { graph: &graph, vars, sizes });
    let mut uses = ResultUses::new(&graph, &clusters, &scalars);
    uses.needed.extend(row_sizes::witnesses((&graph, &clusters), vars, sizes, &uses.needed));
    let mut passes = Vec::new();
    let mut processes = 0;
    for (id, nodes) in &clusters.clusters {
        if let [node] = nodes[..]
            && graph.nodes[node].kind == Kind::Barrier
        {
            passes.push(StepGroup::of_bind(&graph, graph.nodes[node].bind));
            continue;
        }
        let lengths = uses.lengths_of(id);
        let name = Name::new(format!("{}_{}", graph.name, processes + 1));
        let needed = &uses.needed;
        let cluster = Cluster { graph: &graph, nodes, name, needed, lengths: &lengths };
        let fused = cluster.fuse(vars, sizes);
        processes += usize::from(fused.process.is_some());
        place_lengths(&fused, &mut scalars);
        passes.push(StepGroup::of_cluster(&graph, nodes, fused));
    }
    let steps = in_order(scalars, passes);
    Block { name: graph.name, tables, steps, results: graph.block.results }
}

/// The uses of the results of clusters.
struct ResultUses {
    /// Arrays that are used outside their clusters, or by nested blocks.
    needed: IndexSet<VarId>,
    /// Lengths of the clusters' arrays that the block uses. A length needs no array in memory.
    lengths: Vec<(ClusterId, LengthOf)>,
}

impl ResultUses {
    fn new(graph: &Graph, clusters: &Clusters, scalars: &[StepGroup]) -> Self {
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
        let results = graph.block.results.iter().filter_map(Atom::as_var);
        let mut needed = results.collect::<IndexSet<_>>();
        for (id, node) in &graph.nodes {
            let user = cluster_of[id];
            let used = uses::free(&graph.block.binds[node.bind]).into_iter();
            needed.extend(used.filter(|&var| maker(var).is_none_or(|made| Some(made) != user)));
        }
        let mut lengths = Vec::new();
        for unit in scalars {
            if let [BlockStep::Bind(Bind { vars, op, span })] = &unit.steps[..]
                && let Some((array, 0)) = op.length()
                && let Some(cluster) = maker(array)
            {
                lengths.push((cluster, LengthOf { var: vars[0], array, span: *span }));
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
struct StepGroup {
    steps: Vec<BlockStep>,
    uses: IndexSet<VarId>,
    defines: Vec<VarId>,
    /// The position in the original block where it begins.
    source: usize,
    /// The position of its last binding there.
    last: usize,
}

impl StepGroup {
    /// A scalar binding or a barrier.
    fn of_bind(graph: &Graph, source: usize) -> Self {
        let bind = &graph.block.binds[source];
        Self::of_binds(vec![bind.clone()], source)
    }

    /// Bindings that together define the variables of the last binding.
    fn of_binds(binds: Vec<Bind>, source: usize) -> Self {
        let defines = binds.iter().flat_map(|bind| bind.vars.clone()).collect::<Vec<_>>();
        let used = binds.iter().flat_map(uses::free).filter(|var| !defines.contains(var));
        let uses = used.collect();
        Self {
            steps: binds.into_iter().map(BlockStep::Bind).collect(),
            uses,
            defines,
            source,
            last: source,
        }
    }

    /// A pass, and the steps around it that give arrays further names.
    fn of_cluster(graph: &Graph, nodes: &[NodeId], fused: Fused) -> Self {
        let sources = nodes.iter().map(|&node| graph.nodes[node].bind).collect::<Vec<_>>();
        let binds = sources.iter().map(|&source| &graph.block.binds[source]);
        let mut defines = binds.clone().flat_map(|bind| bind.vars.clone()).collect::<Vec<_>>();
        let used = binds.flat_map(uses::free).filter(|var| !defines.contains(var));
        let uses = used.collect::<IndexSet<_>>();
        let counted = fused.lengths.iter().filter(|(_, length)| matches!(length, Length::Counted));
        defines.extend(counted.map(|(var, _)| *var));
        let mut steps = fused.before;
        steps.extend(fused.process.map(BlockStep::Pass));
        steps.extend(fused.after);
        let first = sources.iter().copied().min().expect("a cluster has a node");
        let last = sources.into_iter().max().expect("a cluster has a node");
        Self { steps, uses, defines, source: first, last }
    }

    fn is_check(&self) -> bool {
        matches!(&self.steps[..], [BlockStep::Bind(bind)] if bind.op.asserts())
    }
}

/// The scalar bindings of the block, in its order. Lengths are computed from sizes if the sizes determine them.
fn scalar_units(extents: &mut KnownExtents<'_>) -> Vec<StepGroup> {
    let graph = extents.graph;
    let nodes = graph.nodes.values().map(|node| node.bind).collect::<IndexSet<_>>();
    let scalars = (0..graph.block.binds.len()).filter(|source| !nodes.contains(source));
    let unit = |source: usize| {
        let bind = &graph.block.binds[source];
        let length = bind.op.length();
        let by_size =
            length.and_then(|(array, dim)| extents.length(bind.vars[0], array, dim, bind.span));
        StepGroup::of_binds(by_size.unwrap_or_else(|| vec![bind.clone()]), source)
    };
    scalars.map(unit).collect()
}

/// Replaces the bindings of lengths according to the way in which the pass makes each length known.
fn place_lengths(fused: &Fused, scalars: &mut Vec<StepGroup>) {
    if fused.lengths.is_empty() {
        return;
    }
    scalars.retain_mut(|unit| {
        let length = unit.defines.first().and_then(|var| fused.lengths.get(var));
        match length {
            Some(Length::Known(binds)) => {
                *unit = StepGroup::of_binds(binds.clone(), unit.source);
                true
            }
            Some(Length::Counted) => false,
            Some(Length::Stored) | None => true,
        }
    });
}

/// The passes in their order, with the scalars between them. A scalar runs before the first pass that needs it, or
/// that comes after it in the source. An assertion runs before the first pass with a combinator that comes after it, if
/// it does not need that pass.
fn in_order(scalars: Vec<StepGroup>, passes: Vec<StepGroup>) -> Vec<BlockStep> {
    let missing = scalars.iter().chain(&passes).flat_map(|unit| unit.defines.iter().copied());
    let mut order =
        StepScheduler { missing: missing.collect(), waiting: BTreeMap::new(), steps: Vec::new() };
    let mut makers: SecondaryMap<VarId, Option<usize>> = SecondaryMap::new();
    for (at, unit) in scalars.into_iter().enumerate() {
        unit.defines.iter().for_each(|&var| makers[var] = Some(at));
        order.waiting.insert(at, unit);
    }
    for pass in passes {
        // The waiting units are in the order of the source.
        let inside = order.waiting.iter().take_while(|(_, unit)| unit.source < pass.last);
        let checks: Vec<_> = inside.filter(|(_, unit)| unit.is_check()).collect();
        let users = checks.iter().map(|(_, unit)| *unit).chain([&pass]);
        let mut due = order.needed_scalars(users.collect(), &makers);
        due.extend(checks.iter().map(|(at, _)| **at));
        let before = order.waiting.iter().take_while(|(_, unit)| unit.source < pass.source);
        due.extend(before.map(|(&at, _)| at));
        order.run(due);
        assert!(order.is_ready(&pass), "a pass runs after those that it uses");
        order.take(pass);
    }
    order.run(order.waiting.keys().copied().collect());
    assert!(
        order.waiting.is_empty(),
        "each binding of a block has what it uses at the block's end"
    );
    order.steps
}

/// An order under construction.
struct StepScheduler {
    /// The variables that are not defined yet.
    missing: IndexSet<VarId>,
    /// The scalars that did not run yet.
    waiting: BTreeMap<usize, StepGroup>,
    steps: Vec<BlockStep>,
}

impl StepScheduler {
    /// The waiting scalars that units use, directly or through other waiting scalars.
    fn needed_scalars<'a>(
        &'a self,
        mut open: Vec<&'a StepGroup>,
        makers: &SecondaryMap<VarId, Option<usize>>,
    ) -> BTreeSet<usize> {
        let mut wanted = BTreeSet::new();
        while let Some(unit) = open.pop() {
            let made = unit.uses.iter().filter_map(|&var| makers[var]);
            for at in made {
                if let Some(maker) = self.waiting.get(&at)
                    && wanted.insert(at)
                {
                    open.push(maker);
                }
            }
        }
        wanted
    }

    /// Runs the waiting scalars in `due`, each as soon as the variables that it uses are defined.
    fn run(&mut self, mut due: BTreeSet<usize>) {
        loop {
            let before = due.len();
            due.retain(|at| {
                let ready = self.is_ready(&self.waiting[at]);
                if let Some(unit) = ready.then(|| self.waiting.remove(at)).flatten() {
                    self.take(unit);
                }
                !ready
            });
            if due.len() == before {
                return;
            }
        }
    }

    fn is_ready(&self, unit: &StepGroup) -> bool {
        !unit.uses.iter().any(|var| self.missing.contains(var))
    }

    fn take(&mut self, unit: StepGroup) {
        for var in &unit.defines {
            self.missing.swap_remove(var);
        }
        self.steps.extend(unit.steps);
    }
}

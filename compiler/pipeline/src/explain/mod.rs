//! The reasons for the passes of a block, as `arrc explain` shows them.
//!
//! An explanation is made from a block's [`Plan`] alone: the arrays that each cluster reads, writes and keeps in
//! registers, the reason for which each two neighbours are in different clusters, and the cost of each strategy.
//!
//! Invariant: every two nodes that share an array or an edge are in one cluster, or have a [`Separation`].
//!
//! ```text
//! sum1 = fold xs; gts = filter xs; sum2 = fold gts; ys1 = map {sum1} xs; ys2 = map {sum2} xs
//! ⇒ {sum1 gts sum2} reads xs, keeps gts; {ys1 ys2} reads xs, writes ys1 ys2
//!   sum1 | ys1: sum1 is known only when the fold has finished
//!   gts  | ys1: fused, sum2 would have to finish before ys2: 1 more array read
//! ```

mod allocation_bound;
mod dot;
mod generators;
mod json;
mod labels;
pub(crate) mod limits;
mod neighbours;
mod notes;
mod outline;
mod parallel;
mod range_ends;
mod separation;
pub(crate) mod symbols;
#[cfg(test)]
mod tests;
mod text;

use std::collections::{BTreeMap, BTreeSet};

pub use allocation_bound::{AllocationBound, allocation_bound};
pub use dot::dot;
pub use generators::generators;
pub use outline::{Item, Lowering, Outline, Stamp, Storage, VectorState, Vectors, outlines, page};
pub use parallel::{
    Bottleneck, Estimate, ParallelBlock, Parallelism, PassParallelism, TaskGroup, WorkSharing,
    parallel,
};
pub use separation::SeparationReason;

use self::labels::{FunctionLabels, Labels};
use crate::Plan;
use arrc_fusion::cluster::{WhatIf, cluster};
use arrc_fusion::clusters::{Clustered, CostModel, Method, Report, Strategy};
use arrc_fusion::graph::{Graph, Kind};
use arrc_fusion::rematerialise;
use arrc_fusion::rematerialise::Recomputed;
use arrc_loops::concrete::Program;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::ids::{ClusterId, EntityRef, NodeId, SecondaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::source::{Sources, Span};

/// One block, explained.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The function that the block is in.
    pub function: Name,
    /// Where the block is: the function's name and the path in it, such as `side.else`.
    pub name: String,
    /// Whether it is the body of a function, and not a block inside one.
    pub is_body: bool,
    /// Its size scheme (001, section 1.3.1): `∀n. (xs : n) → (ys : n)`.
    pub scheme: String,
    /// The combinators, in the order of the program.
    pub nodes: Vec<Node>,
    /// The arrays of the block, each with its label.
    pub arrays: Vec<(VarId, String)>,
    /// The clusters, in the order in which they run.
    pub clusters: Vec<Cluster>,
    /// Arrays that are computed where they are read, in the order in which the compiler decided it.
    pub recomputed: Vec<Recomputed>,
    /// Neighbours in different clusters, in the order of the program.
    pub cuts: Vec<Separation>,
    /// The hints, by place.
    pub hints: Vec<Diagnostic>,
    /// An upper bound of the arrays that a call allocates, if the block is the body of a function and a bound is known.
    pub allocated: Option<AllocationBound>,
    /// The array arguments that a call reads where they lie if they have strides, if the block is the body of an entry.
    pub strided: Option<Vec<String>>,
    /// How the clusters were found, and their cost.
    pub report: Report,
    /// The cost of each strategy.
    pub strategies: Vec<Report>,
}

/// A combinator.
#[derive(Clone, Debug)]
pub struct Node {
    /// The name of its result, or its operation and line: `map (line 3)`. Names are unique in a block.
    pub name: String,
    /// Whether the user gave it that name.
    pub is_named: bool,
    /// Its kind.
    pub kind: Kind,
    /// Its trip count, in the names of the program; none for a barrier.
    pub size: Option<String>,
    /// Its text. For code of the library, this is the user's call.
    pub span: Span,
    /// The library function that the user calls there, if it is code of the library.
    pub library: Option<String>,
    /// The library function, or else the operation.
    pub what: String,
    /// The variables that it binds.
    pub vars: Vec<VarId>,
}

/// A cluster.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// The name of its procedure; empty for a barrier.
    pub procedure: String,
    /// The number of the pass in the function; none for a barrier, and for a loop that only fills accumulators.
    pub number: Option<usize>,
    /// Its nodes, as indices of [`Explanation::nodes`], in order.
    pub nodes: Vec<usize>,
    /// The arrays that it reads from memory.
    pub reads: Vec<String>,
    /// The arrays that it writes to memory.
    pub writes: Vec<String>,
    /// The arrays that have one element at a time in a register, and none in memory.
    pub registers: Vec<String>,
    /// Whether it only fills the memory of accumulators, as that of a histogram, and is no pass over data.
    pub is_fill: bool,
}

/// Two neighbours in different clusters.
#[derive(Clone, Debug)]
pub struct Separation {
    /// The two nodes, as indices of [`Explanation::nodes`], the earlier one first.
    pub nodes: (usize, usize),
    /// The reason.
    pub why: SeparationReason,
}

impl Explanation {
    /// The number of the pass that a node is in; none for a barrier, and for a loop that only fills accumulators.
    #[must_use]
    pub fn number_of(&self, node: usize) -> Option<usize> {
        self.clusters.iter().find(|cluster| cluster.nodes.contains(&node))?.number
    }
}

/// Explains blocks of a program. The plans are all those of some functions, in order.
#[must_use]
pub fn explain<'a>(
    plans: impl IntoIterator<Item = &'a Plan>,
    program: &Program,
    sources: &Sources,
) -> Vec<Explanation> {
    let mut labels: BTreeMap<&Name, FunctionLabels> = BTreeMap::new();
    let explained = plans
        .into_iter()
        .map(|plan| block(plan, program, sources, labels.entry(&plan.function).or_default()));
    let mut blocks: Vec<Explanation> = explained.collect();
    number(&mut blocks, program);
    blocks
}

/// Numbers the passes of each function. A pass without loop nests comes last.
fn number(blocks: &mut [Explanation], program: &Program) {
    let is_pass = |block: &Explanation, cluster: &Cluster| {
        block.is_pass(cluster).then(|| cluster.procedure.clone())
    };
    let passes = blocks
        .iter()
        .flat_map(|block| block.clusters.iter().filter_map(|cluster| is_pass(block, cluster)));
    let passes: BTreeSet<String> = passes.collect();
    let numbers = outline::pass_numbers(program, &|procedure| passes.contains(procedure));
    let mut last: BTreeMap<Name, usize> = BTreeMap::new();
    for block in &*blocks {
        let of_block = block.clusters.iter().filter_map(|of| numbers.get(&of.procedure));
        let last = last.entry(block.function.clone()).or_default();
        *last = of_block.copied().max().unwrap_or(0).max(*last);
    }
    for block in blocks {
        for at in 0..block.clusters.len() {
            if !block.is_pass(&block.clusters[at]) {
                continue;
            }
            let known = numbers.get(&block.clusters[at].procedure).copied();
            block.clusters[at].number = known.or_else(|| {
                let last = last.get_mut(&block.function)?;
                *last += 1;
                Some(*last)
            });
        }
    }
}

/// Explains a block, whose labels come behind those of earlier blocks of its function.
fn block(
    plan: &Plan,
    program: &Program,
    sources: &Sources,
    of_function: &mut FunctionLabels,
) -> Explanation {
    let Plan { function, block: Clustered { graph, clusters }, stored, recomputed, hints, work: _ } =
        plan;
    let labels = Labels::new(graph, sources, &program.calls, of_function);
    let mut cluster_of = SecondaryMap::with_default(ClusterId::new(0));
    for (id, nodes) in &clusters.clusters {
        for &node in nodes {
            cluster_of[node] = id;
        }
    }
    let apart = |&(a, b): &(NodeId, NodeId)| cluster_of[a] != cluster_of[b];
    let mut what_if = WhatIf::new(graph, clusters, clusters.report.method.solver);
    let is_of_fill = |&(a, b): &(NodeId, NodeId)| graph.is_fill(a) || graph.is_fill(b);
    let cuts = neighbours::neighbours(graph).into_iter();
    let cuts = cuts.filter(|pair| apart(pair) && !is_of_fill(pair));
    let mut explained: Vec<Cluster> =
        clusters.clusters.values().map(|nodes| self::cluster_of(graph, &labels, nodes)).collect();
    // The names of the procedures also count the loops that fill accumulators.
    let loops = explained.iter_mut().filter(|cluster| !cluster.procedure.is_empty());
    for (at, cluster) in (1..).zip(loops) {
        cluster.procedure = format!("{}_{at}", graph.name);
    }
    Explanation {
        function: function.clone(),
        name: graph.name.clone(),
        is_body: program.functions.values().any(|function| function.name == graph.name),
        scheme: labels.scheme(),
        nodes: graph.nodes.keys().map(|node| self::node(graph, &labels, node)).collect(),
        arrays: labels.arrays().map(|(var, label)| (var, label.to_owned())).collect(),
        clusters: explained,
        recomputed: recomputed.clone(),
        cuts: cuts
            .map(|(a, b)| Separation {
                nodes: (a.index(), b.index()),
                why: separation::why((graph, &labels), &clusters.report, &mut what_if, a, b),
            })
            .collect(),
        hints: hints.clone(),
        allocated: allocation_bound(program, &graph.name),
        strided: strided(program, &graph.name),
        report: clusters.report.clone(),
        strategies: (Strategy::ALL.iter())
            .map(|&strategy| {
                let method =
                    Method { strategy, cost: CostModel::Traffic, ..clusters.report.method };
                let stored = stored.as_ref().filter(|_| !rematerialise::belongs_to(strategy));
                cluster(stored.unwrap_or(graph), method).report
            })
            .collect(),
    }
}

/// The array parameters of an entry whose arguments may have strides without being copied. None if no entry has this name.
fn strided(program: &Program, name: &str) -> Option<Vec<String>> {
    let mut entries = program.gathered().into_iter();
    let (id, params) = entries.find(|(id, _)| program.functions[*id].name == name)?;
    let vars = &program.functions[id].tables.vars;
    Some(params.into_iter().map(|param| vars[param].name.to_string()).collect())
}

fn node(graph: &Graph, labels: &Labels<'_>, id: NodeId) -> Node {
    let (node, label) = (&graph.nodes[id], labels.node(id));
    Node {
        name: label.text.clone(),
        is_named: label.is_name,
        kind: node.kind,
        size: node.iteration.as_ref().map(|size| labels.size(size)),
        span: label.span,
        library: label.library.clone(),
        what: label.what.clone(),
        vars: graph.block.binds[node.bind].vars.clone(),
    }
}

fn cluster_of(graph: &Graph, labels: &Labels<'_>, nodes: &[NodeId]) -> Cluster {
    let inside = |node: &NodeId| nodes.contains(node);
    let needed = |array: &VarId| {
        let elsewhere = graph.nodes.iter().any(|(id, node)| {
            (!inside(&id) && node.streams.contains(array)) || node.whole.contains(array)
        });
        elsewhere || graph.arrays[array].output || graph.arrays[array].indexed
    };
    let mut reads = BTreeSet::new();
    let (mut writes, mut registers) = (Vec::new(), Vec::new());
    let moved = nodes.iter().filter(|&&node| !graph.is_view(node));
    for node in moved.map(|&node| &graph.nodes[node]) {
        let made_here = |array: &&VarId| graph.arrays[*array].producer.as_ref().is_some_and(inside);
        reads.extend(node.streams.iter().filter(|array| !made_here(array)));
        reads.extend(&node.whole);
        for array in &node.writes {
            let place = if needed(array) { &mut writes } else { &mut registers };
            place.push(labels.variable(*array));
        }
    }
    let reads = reads.into_iter().map(|&array| labels.variable(array)).collect();
    let is_loop = nodes.iter().any(|&node| graph.nodes[node].kind != Kind::Barrier);
    let is_fill = is_loop && !graph.is_pass(nodes);
    let nodes = nodes.iter().map(|node| node.index()).collect();
    let procedure = if is_loop { graph.name.clone() } else { String::new() };
    Cluster { procedure, number: None, nodes, reads, writes, registers, is_fill }
}

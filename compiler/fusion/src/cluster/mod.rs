//! `cluster`: which combinators of a block share a pass over memory (001, section 1.4).
//!
//! All strategies share the graph, the table of nodes that can share a pass ([`analysis`]), the partition, which
//! changes only by legal merges ([`partition`]), and the traffic model ([`analysis::ArrayUse`], [`partition`]). `ilp`
//! solves the traffic formulation exactly. Dependencies and beneficial pairs connect nodes, and each strongly connected
//! component is solved by itself. [`leaders`] and [`twins`] find pairs that need no decision, and [`model`] states the
//! rest as a [`program`]. [`solver`] solves it, [`cuts`] finds the constraints that a solution violates, and
//! [`cutting_planes`] repeats this until none is violated. Then [`pass_count`] looks for fewer passes at the same cost.
//! [`paper_formulation`] states the papers' own formulation, for comparison. [`lp`] prints both.
//!
//! Invariant: the result is legal by [`clusters::legality`](crate::clusters::legality), which looks only at the
//! graph. The same graph gives the same clusters. Work is bounded by a number of steps, never by time.
//!
//! ```text
//! sum1 = fold xs; gts = filter xs; sum2 = fold gts; ys1 = map {sum1} xs; ys2 = map {sum2} xs
//! none    {sum1} {gts} {sum2} {ys1} {ys2}
//! stream  {sum1} {gts sum2} {ys1} {ys2}
//! megiddo {sum1 gts} {sum2} {ys1 ys2}
//! ilp     {sum1 gts sum2} {ys1 ys2}
//! ```

mod analysis;
mod best;
mod components;
mod cuts;
mod cutting_planes;
mod exhaustive;
mod free_merges;
mod greedy;
mod ilp;
mod leaders;
mod lineage;
mod lp;
mod model;
mod pairs;
mod paper_formulation;
mod partition;
mod pass_count;
mod program;
mod relation;
mod solver;
mod stream;
#[cfg(test)]
mod tests;
mod twins;
mod weights;
mod work;

pub use exhaustive::{EXHAUSTIVE_LIMIT, exhaustive};
use indexmap::IndexMap;

use crate::clusters;
use crate::clusters::{Clustered, Clusters, CostModel, Method, Proof, Report, Solver, Strategy};
use crate::graph::Graph;
use analysis::{GraphAnalysis, SizeCompatibility};
use arrc_syntax::ids::{NodeId, SecondaryMap, VarId};
use cutting_planes::Formulation;
use paper_formulation::PaperFormulation;
use partition::Partition;
use work::Work;

/// If the number of passes is not proven minimal, a block of at most this many nodes is solved a second time, with
/// pairs of equal sizes only. `scripts/bench clustering` shows the effect on time and proofs. Not measured by itself.
const AGAIN: usize = 100;

/// Chooses the clusters of a block.
///
/// # Panics
/// If the strategy made an illegal clustering, which is a bug in the compiler.
#[must_use]
pub fn cluster(graph: &Graph, method: Method) -> Clusters {
    let Method { strategy, cost, solver } = method;
    let facts = GraphAnalysis::new(graph, size_compatibility(strategy));
    let (partition, proof) = match strategy {
        Strategy::None => (Partition::singletons(&facts), Proof::None),
        Strategy::Stream => (stream::stream(&facts), Proof::None),
        Strategy::Greedy => (greedy::greedy(&facts), Proof::None),
        Strategy::Megiddo | Strategy::Ilp => {
            let solved = ilp::ilp(&facts, cost, (solver, ilp::WORK));
            let is_open = strategy == Strategy::Ilp
                && cost == CostModel::Traffic
                && solved.proof != Proof::Passes
                && graph.nodes.len() <= AGAIN;
            let partition = if is_open {
                let same_sizes = cluster(graph, Method { strategy: Strategy::Megiddo, ..method });
                pass_count::better(
                    solved.partition,
                    Partition::of_legal(&facts, &same_sizes.clusters),
                )
            } else {
                solved.partition
            };
            (partition, solved.proof)
        }
    };
    finish(&partition, method, proof)
}

/// The first stage of [`Strategy::Ilp`] alone: the least traffic, with any number of passes. It is public so that its
/// time can be compared with the time of all stages.
#[must_use]
pub fn least_traffic(graph: &Graph, solver: Solver) -> Clusters {
    let facts = GraphAnalysis::new(graph, SizeCompatibility::Related);
    let (solved, _) = ilp::least_traffic(&facts, (solver, &mut ilp::WORK.clone()));
    finish(&solved.partition, Method { solver, ..Method::default() }, solved.proof)
}

/// The memory traffic of a block's passes. Unlike [`Report::traffic`], it is comparable between two blocks with the
/// same arrays.
#[derive(Clone, Debug)]
pub struct Traffic {
    /// Reads and writes, weighted.
    pub total: u64,
    weights: IndexMap<VarId, u64>,
}

impl Traffic {
    /// The weight of one read or write of an array.
    #[must_use]
    pub fn weight(&self, array: VarId) -> u64 {
        self.weights.get(&array).copied().unwrap_or(0)
    }
}

/// The memory traffic of a block's passes.
#[must_use]
pub fn traffic(clustered: &Clustered) -> Traffic {
    let Clustered { graph, clusters } = clustered;
    let weights = weights::unscaled(graph);
    let mut home: SecondaryMap<NodeId, u32> = SecondaryMap::new();
    for (cluster, nodes) in &clusters.clusters {
        for &node in nodes {
            home[node] = cluster.as_u32();
        }
    }
    let arrays = analysis::arrays(graph, &weights);
    let total = arrays.values().map(|array| {
        let (reads, writes) = array.accesses(|node| home[node]);
        array.weight.saturating_mul(u64::from(reads + writes))
    });
    Traffic { total: total.sum(), weights }
}

/// The result of requiring that two nodes are in one cluster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FusionOutcome {
    /// No legal clustering has them together.
    Illegal,
    /// The best clustering that has them together has this cost, in the traffic model.
    Best {
        /// Reads and writes, weighted.
        traffic: u64,
        /// Arrays written that are not results.
        intermediates: u32,
    },
    /// The bound on work was reached.
    Unproven,
}

/// Finds the cost of clusterings that have nodes together which are apart in the optimum. All questions about a block
/// share one bound on work.
pub struct WhatIf<'a> {
    facts: GraphAnalysis<'a>,
    clusters: &'a Clusters,
    solver: Solver,
    work: Work,
}

impl<'a> WhatIf<'a> {
    /// Prepares questions about a block with these clusters, made by [`Strategy::Ilp`] and [`CostModel::Traffic`].
    #[must_use]
    pub fn new(graph: &'a Graph, clusters: &'a Clusters, solver: Solver) -> Self {
        Self {
            facts: GraphAnalysis::new(graph, SizeCompatibility::Related),
            clusters,
            solver,
            work: ilp::WORK,
        }
    }

    /// The best clustering of the block in which two nodes are together.
    pub fn best_with(&mut self, a: NodeId, b: NodeId) -> FusionOutcome {
        let known = Partition::of_legal(&self.facts, &self.clusters.clusters);
        // One question may take only a part of the remaining work, so that some is left for the others.
        let mut work = Work::of(self.work.left() / 10);
        let before = work.left();
        let solved =
            ilp::ilp_with(&self.facts, (a.min(b), a.max(b)), &known, (self.solver, &mut work));
        self.work.take(before - work.left());
        match solved {
            None => FusionOutcome::Illegal,
            Some(solved) if solved.proof == Proof::None => FusionOutcome::Unproven,
            Some(solved) => {
                let cost = solved.partition.cost();
                FusionOutcome::Best { traffic: cost.traffic, intermediates: cost.intermediates }
            }
        }
    }
}

/// The integer linear programs for a block, in LP format, with the constraints that were added while solving them.
#[must_use]
pub fn programs(graph: &Graph, method: Method) -> String {
    let Method { strategy, cost, solver } = method;
    let facts = GraphAnalysis::new(graph, size_compatibility(strategy));
    let solved = ilp::ilp(&facts, cost, (solver, ilp::WORK));
    let count = solved.programs.len();
    let found = if solved.proof == Proof::None { "best found" } else { "optimum" };
    let texts = solved.programs.iter().enumerate().map(|(index, (program, value))| {
        let part = if count == 1 { String::new() } else { format!(", {} of {count}", index + 1) };
        let (name, model) = (&graph.name, cost.name());
        let lp = lp::LpWriter { program, facts: &facts };
        format!("\\ {name}: the {model} model{part}, {found} {value}\n{lp}")
    });
    texts.collect()
}

/// The pairs of nodes that a strategy admits into one pass.
fn size_compatibility(strategy: Strategy) -> SizeCompatibility {
    match strategy {
        Strategy::Megiddo => SizeCompatibility::EqualSizes,
        Strategy::None | Strategy::Stream | Strategy::Greedy | Strategy::Ilp => {
            SizeCompatibility::Related
        }
    }
}

/// The partition in an order in which it can run, with its cost.
fn finish(partition: &Partition<'_>, method: Method, proof: Proof) -> Clusters {
    let cost = partition.cost();
    let objective = match method.cost {
        CostModel::Traffic => None,
        CostModel::Paper => Some(PaperFormulation::new(partition.facts()).value(partition)),
    };
    let report = Report {
        method,
        proof,
        objective,
        reads: cost.reads,
        writes: cost.writes,
        intermediates: cost.intermediates,
        traffic: cost.traffic,
    };
    let clusters = Clusters { clusters: partition.ordered(), report };
    if let Err(violation) = clusters::verify(partition.facts().graph, &clusters) {
        panic!("the strategy {} made an illegal clustering: {violation}", method.strategy.name());
    }
    clusters
}

//! `cluster`: which combinators of a block share a pass over memory (001, section 1.4).
//!
//! All strategies share the graph, the table of who can share a pass ([`facts`]), the partition that
//! only legal merges change ([`partition`]) and the traffic model ([`facts::ArrayUse`], [`partition`]).
//! `ilp` solves the traffic formulation exactly, each strongly connected component of dependencies and
//! beneficial pairs by itself: [`model`] states it, [`cuts`] finds what is violated, [`search`] branches,
//! [`solve`] relaxes.
//!
//! Invariant: the result is legal by [`clusters::legality`](crate::ir::clusters::legality), which looks
//! at nothing but the graph; the same graph gives the same clusters; work is bounded by a number of
//! relaxations, never by time.
//!
//! ```text
//! sum1 = fold xs; gts = filter xs; sum2 = fold gts; ys1 = map {sum1} xs; ys2 = map {sum2} xs
//! none    {sum1} {gts} {sum2} {ys1} {ys2}
//! stream  {sum1} {gts sum2} {ys1} {ys2}
//! megiddo {sum1 gts} {sum2} {ys1 ys2}
//! ilp     {sum1 gts sum2} {ys1 ys2}
//! ```

mod best;
mod components;
mod cuts;
mod exhaustive;
mod facts;
mod greedy;
mod ilp;
mod loops;
mod model;
mod pairs;
mod partition;
mod relation;
mod search;
mod solve;
mod stream;
mod weights;

#[cfg(test)]
mod tests;

pub use exhaustive::{EXHAUSTIVE_LIMIT, exhaustive};

use crate::ir::clusters::{Clusters, Report, Strategy};
use crate::ir::graph::Graph;
use facts::{Admit, Facts};
use partition::Partition;

/// Chooses the clusters of a block.
///
/// # Panics
/// If the strategy made an illegal clustering, which is a mistake of the compiler.
#[must_use]
pub fn cluster(graph: &Graph, strategy: Strategy) -> Clusters {
    let admit = match strategy {
        Strategy::Megiddo => Admit::EqualSizes,
        Strategy::None | Strategy::Stream | Strategy::Greedy | Strategy::Ilp => Admit::Related,
    };
    let facts = Facts::new(graph, admit);
    let (partition, optimal) = match strategy {
        Strategy::None => (Partition::singletons(&facts), false),
        Strategy::Stream => (stream::stream(&facts), false),
        Strategy::Greedy => (greedy::greedy(&facts), false),
        Strategy::Megiddo | Strategy::Ilp => ilp::ilp(&facts, ilp::WORK),
    };
    finish(&partition, strategy, optimal)
}

/// The partition in an order in which it can run, with its cost.
fn finish(partition: &Partition<'_>, strategy: Strategy, optimal: bool) -> Clusters {
    let cost = partition.cost();
    let report = Report {
        strategy,
        optimal,
        reads: cost.reads,
        writes: cost.writes,
        intermediates: cost.intermediates,
        traffic: cost.traffic,
    };
    let clusters = Clusters { clusters: partition.ordered(), report };
    if let Err(violation) = clusters.verify(partition.facts().graph) {
        panic!("the strategy {} made an illegal clustering: {violation}", strategy.name());
    }
    clusters
}

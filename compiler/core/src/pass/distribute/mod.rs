//! Producers that are barriers. The consumers of `xs ++ ys` become consumers of each part, and the consumers of an
//! `if` move into its branches (001, section 1.7; 003, sections 6.10 and 7).
//!
//! An append copies its parts, so it shares no pass with its producers and consumers, and neither does an `if` over
//! arrays. Here the consumers become consumers of the parts, or of the results of the branches. This is a rewrite of
//! normal form, and needs no new kinds of nodes. The integer linear program decides its profitability: clusters are
//! chosen with and without the rewrite, and the block with the lower traffic stays. The consumers of one producer
//! move together, and the consumers of their results with them.
//!
//! Invariant: the results of a block do not change, and neither does the set of its steps that run. For one append or
//! `if`, the copies of its consumers have at most [`MAX_CODE`] additional operations.
//!
//! ```text
//! l = map f a; r = filter p b; c = l ++ r; s = reduce (+) 0 c                           {l} {r} {s}
//! ⇒ l = map f a; s1 = reduce (+) 0 l; r = filter p b; s2 = reduce (+) 0 r; s = s1 + s2  {l s1} {r s2}
//! ```

mod append;
mod branch;
mod ends;
mod position;

pub(crate) use position::counts;

use indexmap::IndexSet;

use crate::ids::VarId;
use crate::ir::clusters::Clustered;
use crate::ir::cnf::{Block, Op};
use crate::ir::graph::Graph;
use crate::ir::tables::Tables;
use crate::pass::cluster::{cluster, traffic};
use crate::pass::rate::rate;
use crate::pass::rematerialise::{belongs_to, remove_unused};

/// The most operations that the copies of consumers may add.
const MAX_CODE: usize = 400;

/// An array of more parts is not split into them.
const MAX_PARTS: usize = 8;

/// A bound on the nodes of all blocks that are clustered for one block, to keep compile time low.
const MAX_NODES: usize = 250;

/// The new block, and the graph of the old one.
#[derive(Clone, Debug)]
pub struct Distributed {
    /// The block with its clusters.
    pub block: Clustered,
    /// The graph before the rewrite, if there was one.
    pub before: Option<Graph>,
}

/// Moves consumers to the parts of the arrays that they consume, if that lowers the traffic.
#[must_use]
pub fn distribute(clustered: Clustered, tables: &mut Tables) -> Distributed {
    let mut best = clustered;
    let mut before = None;
    let method = best.clusters.report.method;
    if !belongs_to(method.strategy) {
        return Distributed { block: best, before };
    }
    let mut tried = IndexSet::new();
    let mut nodes = best.graph.nodes.len();
    while nodes <= MAX_NODES
        && let Some((at, var)) = candidate(&best.graph.block, &tried, tables)
    {
        tried.insert(var);
        let block = &best.graph.block;
        #[allow(clippy::wildcard_enum_match_arm, reason = "what is left is a choice")]
        let rewritten = match &block.binds[at].op {
            Op::Append { .. } => {
                append::rewrite(block, at, tables).map(|block| position::rewrite_all(block, tables))
            }
            Op::Generate { .. } => position::rewrite(block, at, tables),
            Op::Index { .. } => ends::rewrite(block, at, tables),
            _ => branch::rewrite(block, at, tables),
        };
        let Some(mut block) = rewritten else { continue };
        remove_unused(&mut block);
        nodes += best.graph.nodes.len();
        let graph = rate(best.graph.name.clone(), block, tables);
        let clusters = cluster(&graph, method);
        let after = Clustered { graph, clusters };
        if gains(&best, &after, tables) {
            let stored = std::mem::replace(&mut best, after);
            before.get_or_insert(stored.graph);
        }
    }
    Distributed { block: best, before }
}

/// The next producer to try.
fn candidate(block: &Block, tried: &IndexSet<VarId>, tables: &Tables) -> Option<(usize, VarId)> {
    let producers = block.binds.iter().enumerate().filter(|(_, bind)| {
        let choice = bind.op.branches().is_some() && !bind.op.is_scalar();
        matches!(bind.op, Op::Append { .. })
            || choice
            || position::of(block, bind).is_some()
            || ends::of(block, bind, tables).is_some()
    });
    let mut first = producers.filter_map(|(at, bind)| Some((at, *bind.vars.first()?)));
    first.find(|(_, var)| !tried.contains(var))
}

/// Whether the new block costs less than the old one. If the traffic is equal, fewer intermediate arrays and passes
/// decide.
fn gains(before: &Clustered, after: &Clustered, tables: &Tables) -> bool {
    let cost = |of: &Clustered| {
        let (branches, passes) = branches(of, tables);
        let report = &of.clusters.report;
        let traffic = traffic(of).total + branches;
        (traffic, report.intermediates, of.clusters.clusters.len() + passes)
    };
    cost(after) < cost(before)
}

/// The cost of the branches of the `if`s over arrays in a block. One branch of each runs, so the dearer one counts.
fn branches(of: &Clustered, tables: &Tables) -> (u64, usize) {
    let method = of.clusters.report.method;
    let (mut total, mut passes) = (0, 0);
    for bind in of.graph.block.binds.iter().filter(|bind| !bind.op.is_scalar()) {
        let Some(blocks) = bind.op.branches() else { continue };
        let costs = blocks.map(|block| {
            let graph = rate(String::new(), block.clone(), tables);
            let clusters = cluster(&graph, method);
            let clustered = Clustered { graph, clusters };
            let (inner, passes) = branches(&clustered, tables);
            (traffic(&clustered).total + inner, clustered.clusters.clusters.len() + passes)
        });
        total += costs[0].0.max(costs[1].0);
        passes += costs[0].1.max(costs[1].1);
    }
    (total, passes)
}

/// The number of operations in an operation and its blocks.
fn operations(op: &Op) -> usize {
    let inner = op.inner().into_iter().flat_map(|inner| &inner.block.binds);
    1 + inner.map(|bind| operations(&bind.op)).sum::<usize>()
}

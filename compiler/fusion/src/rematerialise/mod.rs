//! `rematerialise`: producers that are computed where they are read, and not stored (003, SimpleIndex; 004, folding and
//! forward substitution).
//!
//! An array that a consumer indexes has to be in memory, and so does one that is needed in two passes. If computing its
//! elements again is cheaper than storing them, each consumer in another pass gets an expression of its own: an index
//! becomes the producer's expression at that index, and a stream gets a copy of the producer. The integer linear
//! program for the clusters decides: it is solved with and without the copies. The copies stay if the traffic is less,
//! where [`OPERATIONS`] additional operations on an element count as one access.
//!
//! Invariant: the results of a block do not change. An element that no step reads is not computed, and cannot fail.
//!
//! ```text
//! p = map f xs; ys = generate n (\i -> p[n - 1 - i])
//! ⇒ ys = generate n (\i -> { j = n - 1 - i; x = xs[j]; y = f x; y })
//! ```

mod cost;
mod element;
mod levels;
mod rewrite;

use indexmap::{IndexMap, IndexSet};

use self::rewrite::Rewritten;
use crate::cluster::{cluster, traffic};
use crate::clusters::{Clustered, Strategy};
use crate::cnf;
use crate::cnf::{Atom, Bind, Block, Op};
use crate::graph::{Graph, Kind};
use crate::process::uses;
use crate::rate::rate;
use crate::tables::Tables;
use arrc_syntax::ids::{EntityRef, NodeId, VarId};

/// How many simple operations on an element take as long as reading it from memory or writing it there. In stencils of
/// a producer, vectors of f32 and f64, it is 4 to 8 within the caches and above 16 beyond them.
/// `scripts/bench smoothed_f64` shows the decision: 1.05 of the time of C at 32,768 steps, and 1.4 with the array
/// stored (`none`), with other work on the machine.
const OPERATIONS: u64 = 8;

/// A bound on the nodes of all blocks that are clustered for one block, to keep compile time low. The pass tries at
/// most 9 producers in a block of 25 nodes, and one in a block of 100. `scripts/bench clustering` has the times of
/// blocks of 10 to 200 nodes.
const MAX_NODES: usize = 250;

/// An array that is computed where it is read, and not stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recomputed {
    /// The name that the user gave it, if there is one.
    pub name: Option<String>,
    /// How often each element is computed at most.
    pub times: u64,
    /// How many simple operations compute an element, loads included.
    pub operations: u64,
}

/// A block, and the arrays that are computed where they are read.
#[derive(Clone, Debug)]
pub struct Rematerialised {
    /// The block with its clusters.
    pub block: Clustered,
    /// The graph before, if anything changed.
    pub before: Option<Graph>,
    /// The arrays that are computed where they are read, in the order of the decisions.
    pub recomputed: Vec<Recomputed>,
}

/// Whether a strategy rematerialises. The simpler strategies do not, so that they stay those of the papers.
#[must_use]
pub fn belongs_to(strategy: Strategy) -> bool {
    matches!(strategy, Strategy::Greedy | Strategy::Ilp)
}

/// Computes arrays where they are read, if that is cheaper than storing them.
#[must_use]
pub fn rematerialise(clustered: Clustered, tables: &mut Tables) -> Rematerialised {
    let mut best = clustered;
    let (mut before, mut recomputed) = (None, Vec::new());
    let method = best.clusters.report.method;
    if !belongs_to(method.strategy) {
        return Rematerialised { block: best, before, recomputed };
    }
    let mut tried = IndexSet::new();
    let mut nodes = best.graph.nodes.len();
    while nodes <= MAX_NODES
        && let Some(array) = candidate(&best, &tried)
    {
        tried.insert(array);
        let Some(Rewritten { block, times, cost }) = rewrite::rewrite(&best, array, tables) else {
            continue;
        };
        nodes += best.graph.nodes.len();
        let graph = rate(best.graph.name.clone(), block, tables);
        let clusters = cluster(&graph, method);
        let after = Clustered { graph, clusters };
        let again =
            times.saturating_mul(cost.outer) + times.saturating_sub(1).saturating_mul(cost.inner);
        if !gains(&best, &after, array, again) {
            continue;
        }
        let name = tables.user_name(array).map(ToString::to_string);
        recomputed.push(Recomputed { name, times, operations: cost.inner + cost.outer });
        let stored = std::mem::replace(&mut best, after);
        before.get_or_insert(stored.graph);
    }
    Rematerialised { block: best, before, recomputed }
}

/// Whether the new block costs less than the old one, where `again` is the number of additional operations for each
/// element of the array.
fn gains(before: &Clustered, after: &Clustered, array: VarId, again: u64) -> bool {
    let [old, new] = [before, after].map(traffic);
    let weight = old.weight(array);
    let cost = (new.total * OPERATIONS).saturating_add(weight.saturating_mul(again));
    let intermediates =
        |of: &Clustered| (of.clusters.report.intermediates, of.clusters.clusters.len());
    (cost, intermediates(after)) < (old.total * OPERATIONS, intermediates(before))
}

/// The next array to try: it is stored, its producer is elementwise, and it is no result of the block.
fn candidate(clustered: &Clustered, tried: &IndexSet<VarId>) -> Option<VarId> {
    let Clustered { graph, .. } = clustered;
    let mut arrays = graph.arrays.iter();
    let stored = stored(clustered);
    let found = arrays.find(|(var, array)| {
        let Some(producer) = array.producer else { return false };
        let node = &graph.nodes[producer];
        matches!(node.kind, Kind::Map | Kind::Generate)
            && !array.output
            && stored.contains(*var)
            && !tried.contains(*var)
            && may_repeat(&graph.block.binds[node.bind].op)
    });
    found.map(|(&var, _)| var)
}

/// Whether an operation can run again for a part of its elements, and only as far as they need it. A worker with an
/// assertion cannot: what the assertion makes safe would be read without it.
fn may_repeat(op: &Op) -> bool {
    let mut may_repeat = !op.stays();
    for inner in op.inner() {
        inner.block.for_each_op(&mut |op| may_repeat &= !op.stays());
    }
    may_repeat
}

/// The arrays of a block that are in memory.
fn stored(clustered: &Clustered) -> IndexSet<VarId> {
    let graph = &clustered.graph;
    let home = clusters_of_nodes(clustered);
    let mut stored: IndexSet<VarId> = IndexSet::new();
    for (&var, array) in &graph.arrays {
        if array.producer.is_none() || array.output || array.indexed {
            stored.insert(var);
        }
    }
    for (id, node) in &graph.nodes {
        stored.extend(&node.whole);
        let elsewhere = |var: &&VarId| {
            graph.arrays[*var].producer.is_some_and(|producer| home[&producer] != home[&id])
        };
        stored.extend(node.streams.iter().filter(elsewhere));
    }
    stored
}

/// The cluster of each node.
fn clusters_of_nodes(clustered: &Clustered) -> IndexMap<NodeId, usize> {
    let clusters = clustered.clusters.clusters.iter();
    clusters.flat_map(|(id, nodes)| nodes.iter().map(move |&node| (node, id.index()))).collect()
}

/// Removes elementwise combinators, transducers, scans, folds and appends whose results are unused.
pub(crate) fn remove_unused(block: &mut Block) {
    let mut used: IndexSet<VarId> = block.results.iter().filter_map(Atom::as_var).collect();
    let mut kept: Vec<Bind> = Vec::new();
    for mut bind in std::mem::take(&mut block.binds).into_iter().rev() {
        let mut live: Vec<bool> = bind.vars.iter().map(|var| used.contains(var)).collect();
        let is_transducer = bind.op.kind().is_some_and(Kind::is_transducer);
        let is_made = is_transducer
            || matches!(bind.op, Op::Append { .. } | Op::Scan { .. } | Op::Fold { .. });
        if element::is_elementwise(&bind.op) || is_made {
            if !live.contains(&true) {
                if !bind.op.stays() {
                    continue;
                }
                // It runs for its effect, and an array says how often.
                live.iter_mut().take(1).for_each(|live| *live = true);
            }
            if live.contains(&false) && bind.op.keep_results(&live) {
                cnf::retain_live(&mut bind.vars, &live);
            }
        }
        used.extend(uses::free(&bind));
        kept.push(bind);
    }
    kept.reverse();
    block.binds = kept;
}

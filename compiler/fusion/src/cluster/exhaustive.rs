//! The oracle of the tests: every partition of a small graph is tried.
//!
//! Invariant: the oracle shares only the cost of a partition with the other strategies. [`legality`], which knows
//! only the graph, decides which partitions are legal.
//!
//! ```text
//! 3 nodes   ⇒   the best of {a}{b}{c}, {a b}{c}, {a c}{b}, {a}{b c}, {a b c}
//! ```

use super::analysis::{GraphAnalysis, SizeCompatibility};
use super::finish;
use super::partition::Partition;
use crate::clusters::{Clusters, Method, Proof, legality};
use crate::graph::Graph;
use arrc_syntax::ids::{ClusterId, EntityRef, NodeId, PrimaryMap};

/// The largest number of nodes that [`exhaustive`] takes: 21147 partitions.
pub const EXHAUSTIVE_LIMIT: usize = 9;

/// The best of all legal clusterings: least traffic, then fewest intermediates, then fewest clusters.
///
/// # Panics
/// If the graph has more than [`EXHAUSTIVE_LIMIT`] nodes.
#[must_use]
pub fn exhaustive(graph: &Graph) -> Clusters {
    assert!(graph.nodes.len() <= EXHAUSTIVE_LIMIT, "too many nodes to try every partition");
    let facts = GraphAnalysis::new(graph, SizeCompatibility::Related);
    let mut best = None;
    let mut partition = PrimaryMap::new();
    try_all(&graph.nodes.keys().collect::<Vec<_>>(), &mut partition, &mut |clusters| {
        if legality(graph, clusters).is_ok() {
            let partition = Partition::of_legal(&facts, clusters);
            let cost = partition.cost();
            let key = (cost.traffic, cost.intermediates, clusters.len());
            if best.as_ref().is_none_or(|(known, _)| key < *known) {
                best = Some((key, partition));
            }
        }
    });
    let (_, partition) = best.expect("each node by itself is legal");
    finish(&partition, Method::default(), Proof::Passes)
}

/// A partition, legal or not.
type Groups = PrimaryMap<ClusterId, Vec<NodeId>>;

/// Puts the next node into each of the existing clusters in turn, and into a cluster of its own.
fn try_all(nodes: &[NodeId], partition: &mut Groups, found: &mut dyn FnMut(&Groups)) {
    let Some((&node, rest)) = nodes.split_first() else {
        found(partition);
        return;
    };
    for cluster in (0..partition.len()).map(ClusterId::new) {
        partition[cluster].push(node);
        try_all(rest, partition, found);
        partition[cluster].pop();
    }
    let mut with_new = partition.clone();
    with_new.push(vec![node]);
    try_all(rest, &mut with_new, found);
}

//! The nodes of a graph that could gain from sharing a pass.
//!
//! Invariant: pairs are in the order of the program, the earlier node first, each once.
//!
//! ```text
//! ys = map xs; s = fold ys; zs = map xs   ⇒   (ys, s) (ys, zs)
//! ```

use std::collections::BTreeSet;

use arrc_fusion::graph::Graph;
use arrc_syntax::ids::NodeId;

/// The pairs of nodes with an edge between them, and the pairs that read the same array.
pub(super) fn neighbours(graph: &Graph) -> Vec<(NodeId, NodeId)> {
    let mut pairs: BTreeSet<(NodeId, NodeId)> =
        graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    for (a, first) in &graph.nodes {
        for (b, second) in graph.nodes.iter().filter(|&(b, _)| a < b) {
            if first.streams.iter().any(|array| second.streams.contains(array)) {
                pairs.insert((a, b));
            }
        }
    }
    pairs.into_iter().collect()
}

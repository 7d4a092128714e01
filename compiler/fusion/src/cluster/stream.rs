//! The strategy `stream`: pull-based stream fusion (001, table 1.1). A producer is merged with its only consumer
//! along a fusible edge. An input with several consumers is never shared.
//!
//! Invariant: every cluster is a tree of producers that ends in one node.
//!
//! ```text
//! gts = filter xs; sum2 = fold gts; ys = map xs   ⇒   {gts sum2} {ys}
//! ```

use super::analysis::GraphAnalysis;
use super::partition::Partition;
use arrc_syntax::ids::NodeId;

/// Merges every producer with its only consumer.
pub(super) fn stream<'a>(facts: &'a GraphAnalysis<'a>) -> Partition<'a> {
    let mut partition = Partition::singletons(facts);
    for producer in facts.graph.nodes.keys() {
        if let Some(consumer) = only_consumer(facts, producer) {
            partition.try_join(producer, consumer);
        }
    }
    partition
}

/// The only node that uses the results of a node, if there is exactly one.
fn only_consumer(facts: &GraphAnalysis<'_>, producer: NodeId) -> Option<NodeId> {
    let kept = (facts.touched[producer].iter())
        .map(|&index| &facts.arrays[index])
        .any(|array| array.producer == Some(producer) && array.kept);
    // An edge without an array only keeps two effects in order, so it leads to no consumer.
    let edges = facts.graph.edges.iter();
    let mut consumers =
        edges.filter(|edge| edge.from == producer && edge.via.is_some()).map(|edge| edge.to);
    let first = consumers.next().filter(|_| !kept)?;
    consumers.all(|other| other == first).then_some(first)
}

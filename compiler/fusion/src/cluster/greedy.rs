//! The strategy `greedy`: vertical fusion, then horizontal fusion (003, sections 5 and 6).
//!
//! The vertical step goes in program order, and merges each consumer with the producers of the arrays that it
//! streams. The horizontal step merges each cluster with the first one that it can share a pass with, even if that
//! saves no traffic.
//!
//! Invariant: no decision is ever taken back, so the result depends on the order of the bindings.
//!
//! ```text
//! sum1 = fold xs; incs = map xs; ys = map {sum1} incs   ⇒   {sum1} {incs ys}
//! ```

use std::collections::BTreeSet;

use super::analysis::GraphAnalysis;
use super::partition::Partition;
use super::relation::contains;

/// Vertical fusion, then horizontal fusion.
pub(super) fn greedy<'a>(facts: &'a GraphAnalysis<'a>) -> Partition<'a> {
    let mut partition = Partition::singletons(facts);
    for (consumer, node) in &facts.graph.nodes {
        for array in &node.streams {
            if let Some(producer) = facts.graph.arrays[array].producer {
                partition.try_join(producer, consumer);
            }
        }
    }
    let order: Vec<_> = partition.ordered().into_iter().map(|(_, nodes)| nodes).collect();
    let mut done = Vec::new();
    for nodes in order {
        let node = nodes[0];
        let able = partition.able_with(node).clone();
        let joined = done.iter().filter(|&&earlier| contains(&able, earlier)).any(|&earlier| {
            let both = BTreeSet::from([partition.cluster(earlier), partition.cluster(node)]);
            both.len() > 1 && partition.try_merge(&both)
        });
        if !joined {
            done.push(node);
        }
    }
    partition
}

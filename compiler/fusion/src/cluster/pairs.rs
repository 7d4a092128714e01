//! The pairs whose fusion could save anything. Each has a variable, and the fusion of all other pairs follows from
//! them.
//!
//! Invariant: the nodes of every pair can share a pass. The pairs are closed under their concestors: the pairs that a
//! pair requires to be together have variables, too.
//!
//! ```text
//! as = filter xs; b = fold as; cs = filter {b} xs; ds = fold as; es = fold cs
//! ⇒ (as, b) (as, ds) (b, ds) (cs, es); (as, cs) share xs, but cannot
//! ```

use std::collections::BTreeSet;

use super::analysis::GraphAnalysis;
use super::partition::Partition;
use arrc_syntax::ids::NodeId;

/// Two nodes, the earlier first.
pub(super) type Pair = (NodeId, NodeId);

/// Every pair with a variable. Pairs within one group have none.
pub(super) fn pairs(facts: &GraphAnalysis<'_>, groups: &Partition<'_>) -> BTreeSet<Pair> {
    let mut pairs = BTreeSet::new();
    for array in facts.arrays.values() {
        for (index, &consumer) in array.streams.iter().enumerate() {
            // A fusible edge, or an array that both stream.
            for &other in array.producer.iter().chain(&array.streams[..index]) {
                if !groups.in_one_cluster(other, consumer) && facts.can.has(other, consumer) {
                    add_with_concestors(facts, other, consumer, &mut pairs);
                }
            }
        }
    }
    pairs
}

/// Adds a pair, and the pairs of its concestors.
pub(super) fn add_with_concestors(
    facts: &GraphAnalysis<'_>,
    a: NodeId,
    b: NodeId,
    pairs: &mut BTreeSet<Pair>,
) {
    if a == b || !pairs.insert(ordered(a, b)) {
        return;
    }
    if let Some((of_a, of_b)) = facts.concestors(a, b) {
        add_with_concestors(facts, of_a, a, pairs);
        add_with_concestors(facts, of_b, b, pairs);
        add_with_concestors(facts, of_a, of_b, pairs);
    }
}

/// The pair with the earlier node first.
pub(super) fn ordered(a: NodeId, b: NodeId) -> Pair {
    (a.min(b), a.max(b))
}

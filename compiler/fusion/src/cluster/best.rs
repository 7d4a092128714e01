//! Best merge: a heuristic. It gives the search its first solution, and replaces it when the bound on work is
//! reached. It repeatedly merges the pair whose fusion saves most.
//!
//! Invariant: the result is never worse than the start, and only pairs that share an array are merged.
//!
//! ```text
//! sum1 = fold xs; gts = filter xs; sum2 = fold gts
//! ⇒ {gts sum2} saves a write and a read, then {sum1 gts sum2} saves a read
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::pairs::{Pair, ordered};
use super::partition::Partition;
use arrc_syntax::ids::{ClusterId, NodeId, SecondaryMap};

/// Merges pairs as long as that saves anything.
pub(super) fn best_merge(partition: &mut Partition<'_>, pairs: &BTreeSet<Pair>) {
    let mut partners: SecondaryMap<NodeId, Vec<NodeId>> = SecondaryMap::new();
    for &(a, b) in pairs {
        partners[a].push(b);
        partners[b].push(a);
    }
    // A merge that is refused because of a cycle may be possible after other merges.
    while merge_all(partition, pairs, &partners) {}
}

/// Goes through all pairs once. Returns whether any pair was merged.
fn merge_all(
    partition: &mut Partition<'_>,
    pairs: &BTreeSet<Pair>,
    partners: &SecondaryMap<NodeId, Vec<NodeId>>,
) -> bool {
    let gain = |partition: &Partition<'_>, (a, b): Pair| {
        partition.gain(partition.cluster(a), partition.cluster(b))
    };
    let mut queue: BinaryHeap<_> = (pairs.iter())
        .filter(|&&(a, b)| !partition.in_one_cluster(a, b))
        .map(|&pair| (gain(partition, pair), Reverse(pair)))
        .collect();
    let mut merged = false;
    while let Some((expected, Reverse((a, b)))) = queue.pop() {
        // A pair whose gain has changed is in the queue again.
        if expected == (0, 0)
            || partition.in_one_cluster(a, b)
            || gain(partition, (a, b)) != expected
        {
            continue;
        }
        if partition.try_join(a, b) {
            merged = true;
            let next = neighbours(partition, partition.cluster(a), partners);
            queue.extend(next.into_values().map(|pair| (gain(partition, pair), Reverse(pair))));
        }
    }
    merged
}

/// The other clusters that a cluster has a pair with, each with the first such pair.
fn neighbours(
    partition: &Partition<'_>,
    cluster: ClusterId,
    partners: &SecondaryMap<NodeId, Vec<NodeId>>,
) -> BTreeMap<ClusterId, Pair> {
    let mut found = BTreeMap::new();
    for &node in partition.members(cluster) {
        for &other in &partners[node] {
            if partition.cluster(other) != cluster {
                found.entry(partition.cluster(other)).or_insert_with(|| ordered(node, other));
            }
        }
    }
    found
}

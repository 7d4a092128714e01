//! Best merge: the heuristic that gives the search its first solution, and stands in where its bound is
//! reached. Of all pairs, the one whose fusion saves most goes first, again and again.
//!
//! Invariant: never worse than what it starts from; only pairs that share an array are joined.
//!
//! ```text
//! sum1 = fold xs; gts = filter xs; sum2 = fold gts
//! ⇒ {gts sum2} saves a write and a read, then {sum1 gts sum2} saves a read
//! ```

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::pairs::Pair;
use super::partition::Partition;

/// Joins pairs as long as that saves anything.
pub(super) fn best_merge(partition: &mut Partition<'_>, pairs: &BTreeSet<Pair>) {
    // Only merges change what another merge gains: refused pairs stay refused until then.
    while merge_best(partition, pairs) {}
}

fn merge_best(partition: &mut Partition<'_>, pairs: &BTreeSet<Pair>) -> bool {
    let mut gains: Vec<_> = (pairs.iter())
        .filter(|&&(a, b)| !partition.together(a, b))
        .map(|&(a, b)| {
            let needed = partition.needed(a, b);
            (Reverse(partition.gain(&needed)), (a, b), needed)
        })
        .filter(|(Reverse(gain), _, _)| *gain > (0, 0))
        .collect();
    gains.sort();
    gains.into_iter().any(|(_, _, needed)| partition.try_merge(&needed))
}

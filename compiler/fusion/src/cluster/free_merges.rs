//! The last step of an optimal clustering: merges that change no cost, so that there are fewer loops.
//!
//! Invariant: traffic never grows, since a legal merge can only remove reads and writes.
//!
//! ```text
//! {minx maxx} {miny maxy}, all over n   ⇒   {minx maxx miny maxy}
//! ```

use std::collections::BTreeSet;

use super::partition::Partition;

/// Merges pairs of clusters as long as any merge is legal, the earliest first.
pub(super) fn merge_loops(partition: &mut Partition<'_>) {
    while merge_some(partition) {}
}

fn merge_some(partition: &mut Partition<'_>) -> bool {
    let mut merged = false;
    for first in partition.clusters() {
        // The cluster may have been merged into another one, and no longer exists.
        for second in partition.clusters() {
            if first < second && partition.exists(first) && partition.exists(second) {
                merged |= partition.try_merge(&BTreeSet::from([first, second]));
            }
        }
    }
    merged
}

//! The last step of an optimal clustering: merges that change no cost, so that there are fewer loops.
//!
//! Invariant: traffic never grows, since a legal merge can only remove reads and writes.
//!
//! ```text
//! {minx maxx} {miny maxy}, all over n   ⇒   {minx maxx miny maxy}
//! ```

use std::collections::BTreeSet;

use super::partition::Partition;
use super::relation::members;
use arrc_syntax::ids::{ClusterId, EntityRef, NodeId};

/// Merges pairs of clusters as long as any merge is legal, the earliest first.
pub(super) fn merge_loops(partition: &mut Partition<'_>) {
    while merge_some(partition) {}
}

fn merge_some(partition: &mut Partition<'_>) -> bool {
    let mut merged = false;
    for first in partition.clusters() {
        // The cluster may have been merged into another one, and no longer exists.
        if !partition.exists(first) {
            continue;
        }
        let able = partition.able_with(NodeId::new(first.index())).clone();
        for second in members(&able).map(|node| ClusterId::new(node.index())) {
            if first < second && partition.exists(second) {
                merged |= partition.try_merge(&BTreeSet::from([first, second]));
            }
        }
    }
    merged
}

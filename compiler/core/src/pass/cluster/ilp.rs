//! The strategies `ilp` and `megiddo`: the optimum of the traffic model, component by component, then
//! as few loops as can be had for nothing.
//!
//! Past the bound on work, or if the solver fails, the best clustering that is known stands in.
//!
//! Invariant: never worse than `none`, `stream` or `greedy` where these are admitted.
//!
//! ```text
//! mean = fold xs; mx = fold xs; ys = map xs; zs = map {mean mx} ys
//! ⇒ {mean mx} {ys zs}: 2 reads and 1 write, not {mean mx ys} {zs}: 2 reads and 2 writes
//! ```

use std::collections::BTreeSet;

use super::best::best_merge;
use super::components::components;
use super::facts::Facts;
use super::greedy::greedy;
use super::loops::merge_loops;
use super::pairs::pairs;
use super::partition::Partition;
use super::search::{Work, minimise};
use super::stream::stream;

/// The work for one block: about a second of a slow machine.
pub(super) const WORK: Work = Work::of(20_000_000);

/// The optimum among what the facts admit. Whether it is proven to be one.
pub(super) fn ilp<'a>(facts: &'a Facts<'a>, mut work: Work) -> (Partition<'a>, bool) {
    let pairs = pairs(facts);
    let mut partition = Partition::singletons(facts);
    let mut optimal = true;
    for component in components(facts, &pairs) {
        let mut start = Partition::singletons(facts);
        best_merge(&mut start, &component.pairs);
        let (found, proven) = minimise(facts, &component, start, &mut work);
        optimal &= proven;
        for cluster in found.clusters() {
            let nodes = found.members(cluster);
            let clusters: BTreeSet<_> = nodes.iter().map(|&node| partition.cluster(node)).collect();
            let legal = clusters.len() == 1 || partition.try_merge(&clusters);
            assert!(legal, "the clusters of one component stand in the way of another's");
        }
    }
    if !optimal {
        let others = [greedy(facts), stream(facts)];
        let best = others.into_iter().min_by_key(Partition::cost);
        partition = best.filter(|best| best.cost() < partition.cost()).unwrap_or(partition);
    }
    merge_loops(&mut partition);
    (partition, optimal)
}

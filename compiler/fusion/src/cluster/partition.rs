//! A partition of the nodes that changes only by legal merges, and its cost. All strategies share it as their
//! decoder.
//!
//! Invariant: every partition is legal, provided that it comes from [`Partition::singletons`] by merges that
//! [`Partition::try_merge`] accepts, or that are known to be legal.
//!
//! ```text
//! {ys} {sum} {zs}, merge ys sum   ⇒   {ys sum} {zs}
//! {ys} {sum} {zs}, merge ys zs    ⇒   refused
//! ```

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::analysis::{ArrayId, ArrayUse, GraphAnalysis};
use super::pairs::Pair;
use super::relation::{Row, contains};
use arrc_syntax::ids::{ClusterId, EntityRef, NodeId, PrimaryMap, SecondaryMap};

/// The cost of a partition. The fields are in the order of their importance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct PartitionCost {
    /// Reads and writes by weight.
    pub(super) traffic: u64,
    /// Arrays written that are not outputs.
    pub(super) intermediates: u32,
    /// Arrays read.
    pub(super) reads: u32,
    /// Arrays written.
    pub(super) writes: u32,
}

/// A legal partition of all nodes, or of the nodes of a component. In the second case, each other node counts as a
/// cluster that nothing is merged with. The name of a cluster is its first node.
#[derive(Clone)]
pub(super) struct Partition<'a> {
    facts: &'a GraphAnalysis<'a>,
    /// The cluster of each node that is not the first node of its cluster.
    cluster_of: SecondaryMap<NodeId, Option<ClusterId>>,
    clusters: BTreeMap<ClusterId, Cluster>,
    /// Where clusters end.
    ends: Ends,
}

#[derive(Clone)]
struct Cluster {
    /// The nodes, in order.
    nodes: Vec<NodeId>,
    /// One node for each line: see [`GraphAnalysis::line`].
    lines: Vec<NodeId>,
    /// The nodes that can share a pass with all of them.
    able: Row,
    /// The arrays that they make or stream, in order.
    touched: Vec<ArrayId>,
}

impl<'a> Partition<'a> {
    /// Every node by itself.
    pub(super) fn singletons(facts: &'a GraphAnalysis<'a>) -> Self {
        let mut clusters = BTreeMap::new();
        for node in facts.graph.nodes.keys() {
            let name = ClusterId::new(node.index());
            let (able, touched) = (facts.can.row(node).to_vec(), facts.touched[node].clone());
            clusters.insert(name, Cluster { nodes: vec![node], lines: vec![node], able, touched });
        }
        let ends = Ends::singletons(clusters.len());
        Self { facts, cluster_of: SecondaryMap::new(), clusters, ends }
    }

    /// The part of the partition for the nodes of a component, which consists of whole clusters.
    pub(super) fn within(&self, nodes: &BTreeSet<NodeId>) -> Self {
        let mut part = Self {
            facts: self.facts,
            cluster_of: SecondaryMap::new(),
            clusters: BTreeMap::new(),
            ends: self.ends.clone(),
        };
        for &node in nodes {
            let name = self.cluster(node);
            part.cluster_of[node] = Some(name);
            if let Entry::Vacant(new) = part.clusters.entry(name) {
                new.insert(self.clusters[&name].clone());
            }
        }
        part
    }

    /// A partition that is known to be legal.
    pub(super) fn of_legal(
        facts: &'a GraphAnalysis<'a>,
        clusters: &PrimaryMap<ClusterId, Vec<NodeId>>,
    ) -> Self {
        let mut partition = Self::singletons(facts);
        for nodes in clusters.values() {
            partition.merge(&nodes.iter().map(|&node| partition.cluster(node)).collect());
        }
        partition
    }

    /// The facts on the graph.
    pub(super) fn facts(&self) -> &'a GraphAnalysis<'a> {
        self.facts
    }

    /// The cluster of a node.
    pub(super) fn cluster(&self, node: NodeId) -> ClusterId {
        self.cluster_of[node].unwrap_or_else(|| ClusterId::new(node.index()))
    }

    /// Whether two nodes are in one cluster.
    pub(super) fn in_one_cluster(&self, a: NodeId, b: NodeId) -> bool {
        self.cluster(a) == self.cluster(b)
    }

    /// The pairs of nodes that are together.
    pub(super) fn pairs(&self) -> Vec<Pair> {
        let within = |nodes: &Vec<NodeId>| {
            let nodes = nodes.clone();
            let pairs = nodes.iter().enumerate();
            pairs
                .flat_map(|(index, &b)| nodes[..index].iter().map(move |&a| (a, b)))
                .collect::<Vec<_>>()
        };
        self.clusters.values().flat_map(|cluster| within(&cluster.nodes)).collect()
    }

    /// The clusters' names, in order.
    pub(super) fn clusters(&self) -> Vec<ClusterId> {
        self.clusters.keys().copied().collect()
    }

    /// How many clusters there are.
    pub(super) fn count(&self) -> usize {
        self.clusters.len()
    }

    /// Whether there is a cluster of that name.
    pub(super) fn exists(&self, cluster: ClusterId) -> bool {
        self.clusters.contains_key(&cluster)
    }

    /// The nodes of a cluster, in order.
    pub(super) fn members(&self, cluster: ClusterId) -> &[NodeId] {
        &self.clusters[&cluster].nodes
    }

    /// The clusters that must become one so that the two nodes are together: the clusters of the nodes, and the
    /// clusters of the concestors that this requires.
    pub(super) fn required_clusters(&self, a: NodeId, b: NodeId) -> BTreeSet<ClusterId> {
        let mut needed = BTreeSet::from([self.cluster(a), self.cluster(b)]);
        loop {
            let nodes: Vec<NodeId> =
                needed.iter().flat_map(|cluster| &self.clusters[cluster].lines).copied().collect();
            let before = needed.len();
            for (index, &a) in nodes.iter().enumerate() {
                for &b in &nodes[..index] {
                    if let Some((of_a, of_b)) = self.facts.concestors(a, b) {
                        needed.extend([self.cluster(of_a), self.cluster(of_b)]);
                    }
                }
            }
            if needed.len() == before {
                return needed;
            }
        }
    }

    /// Merges the clusters if the result is legal. Returns whether it is.
    pub(super) fn try_merge(&mut self, clusters: &BTreeSet<ClusterId>) -> bool {
        let legal = self.compatible(clusters) && !self.closes_cycle(clusters);
        if legal {
            self.merge(clusters);
        }
        legal
    }

    /// Merges the clusters of two nodes, and the clusters that this requires, if the result is legal.
    pub(super) fn try_join(&mut self, a: NodeId, b: NodeId) -> bool {
        self.in_one_cluster(a, b)
            || (self.can_merge(self.cluster(a), self.cluster(b))
                && self.try_merge(&self.required_clusters(a, b)))
    }

    /// Merges all of the pairs at once: each merge by itself may be illegal, although all together are legal. None if
    /// they are illegal together.
    pub(super) fn with_pairs(mut self, pairs: &[Pair]) -> Option<Self> {
        for &(a, b) in pairs {
            self.merge(&BTreeSet::from([self.cluster(a), self.cluster(b)]));
        }
        self.is_legal().then_some(self)
    }

    /// Whether the nodes of each cluster can pairwise share a pass and have their concestors in it, and the clusters
    /// have an order.
    fn is_legal(&self) -> bool {
        let whole = |(&name, cluster): (&ClusterId, &Cluster)| {
            let there = |node| self.cluster(node) == name;
            let lines = cluster.lines.iter().enumerate();
            let alone = cluster.nodes.len() == 1;
            (alone || self.can_merge(name, name))
                && lines.into_iter().all(|(index, &b)| {
                    cluster.lines[..index].iter().all(|&a| {
                        let concestors = self.facts.concestors(a, b);
                        concestors.is_none_or(|(of_a, of_b)| there(of_a) && there(of_b))
                    })
                })
        };
        let in_cycle = |name: &ClusterId| self.closes_cycle(&BTreeSet::from([*name]));
        self.clusters.iter().all(whole) && !self.clusters.keys().any(in_cycle)
    }

    /// The nodes that can share a pass with all nodes of the cluster of a node.
    pub(super) fn able_with(&self, node: NodeId) -> &Row {
        &self.clusters[&self.cluster(node)].able
    }

    /// The cost of the partition.
    pub(super) fn cost(&self) -> PartitionCost {
        let mut cost = PartitionCost::default();
        for array in self.facts.arrays.values() {
            self.add(array, &mut cost);
        }
        cost
    }

    /// The saving of merging two clusters: traffic, then intermediates.
    pub(super) fn gain(&self, first: ClusterId, second: ClusterId) -> (u64, u32) {
        let mut gain = (0, 0);
        let both = [first, second];
        let others = &self.clusters[&second].touched;
        for index in &self.clusters[&first].touched {
            if others.binary_search(index).is_err() {
                continue;
            }
            // If both read the array, or one reads the other's result, there is one read less. If the array has no
            // other reader, it need not be written.
            let array = &self.facts.arrays[*index];
            let within = |&node: &NodeId| both.contains(&self.cluster(node));
            let unwritten = !array.kept
                && array.producer.iter().all(within)
                && array.producer.is_some()
                && array.streams.iter().all(within);
            gain.0 += array.weight * (1 + u64::from(unwritten));
            gain.1 += u32::from(unwritten);
        }
        gain
    }

    /// The clusters in an order in which they can run. Among the clusters that can run next, the one with the lowest
    /// node is first.
    pub(super) fn ordered(&self) -> PrimaryMap<ClusterId, Vec<NodeId>> {
        let mut waits: BTreeMap<ClusterId, BTreeSet<ClusterId>> = (self.clusters.keys())
            .map(|&cluster| (cluster, self.adjacent_clusters(cluster, &self.facts.before)))
            .collect();
        let mut ordered = PrimaryMap::new();
        while !waits.is_empty() {
            let (&next, _) = (waits.iter())
                .find(|(_, waits)| waits.is_empty())
                .expect("legal partitions have an order");
            waits.remove(&next);
            for after in self.adjacent_clusters(next, &self.facts.after) {
                if let Some(waits) = waits.get_mut(&after) {
                    waits.remove(&next);
                }
            }
            ordered.push(self.members(next).to_vec());
        }
        ordered
    }

    /// Adds the cost of an array when nodes are in the given clusters. It is a read for each cluster that streams the
    /// array and does not make it, a read for each node that needs it whole, and a write if it is made and used
    /// outside its cluster.
    fn add(&self, array: &ArrayUse, cost: &mut PartitionCost) {
        let (reads, written) = array.accesses(|node| self.cluster(node));
        cost.reads += reads;
        cost.writes += written;
        cost.intermediates += if array.output { 0 } else { written };
        cost.traffic += array.weight * u64::from(reads + written);
    }

    /// Whether all nodes of two clusters can pairwise share a pass.
    fn can_merge(&self, first: ClusterId, second: ClusterId) -> bool {
        let able = &self.clusters[&first].able;
        self.members(second).iter().all(|&node| contains(able, node))
    }

    /// Whether all nodes of the clusters can pairwise share a pass, and their concestors are among them.
    fn compatible(&self, clusters: &BTreeSet<ClusterId>) -> bool {
        let there = |node| clusters.contains(&self.cluster(node));
        let across = |first: ClusterId, second: ClusterId| {
            self.can_merge(first, second)
                && self.clusters[&first].lines.iter().all(|&a| {
                    self.clusters[&second].lines.iter().all(|&b| {
                        (self.facts.concestors(a, b))
                            .is_none_or(|(of_a, of_b)| there(of_a) && there(of_b))
                    })
                })
        };
        clusters.iter().all(|&first| {
            clusters.iter().filter(|&&second| first < second).all(|&second| across(first, second))
        })
    }

    /// Whether a path leads out of the clusters and back. Edges lead to later nodes, so no path comes back from behind the
    /// place where the clusters end, and with them all clusters that begin before it.
    fn closes_cycle(&self, clusters: &BTreeSet<ClusterId>) -> bool {
        let last = clusters.iter().filter_map(|&cluster| self.members(cluster).last());
        let end = self.ends.behind(last.max().map_or(0, |last| last.index()));
        let mut seen: SecondaryMap<ClusterId, bool> = SecondaryMap::new();
        let mut stack: Vec<ClusterId> = Vec::new();
        let mut step = |from: ClusterId, stack: &mut Vec<ClusterId>| {
            for &node in self.members(from).iter().flat_map(|&node| &self.facts.after[node]) {
                let next = self.cluster(node);
                if clusters.contains(&next) {
                    if !clusters.contains(&from) {
                        return true;
                    }
                } else if next.index() <= end
                    && self.exists(next)
                    && !std::mem::replace(&mut seen[next], true)
                {
                    stack.push(next);
                }
            }
            false
        };
        for &cluster in clusters {
            step(cluster, &mut stack);
        }
        while let Some(cluster) = stack.pop() {
            if step(cluster, &mut stack) {
                return true;
            }
        }
        false
    }

    /// The other clusters that are neighbours of the nodes of one cluster.
    fn adjacent_clusters(
        &self,
        cluster: ClusterId,
        edges: &SecondaryMap<NodeId, Vec<NodeId>>,
    ) -> BTreeSet<ClusterId> {
        (self.members(cluster).iter())
            .flat_map(|&node| &edges[node])
            .map(|&node| self.cluster(node))
            .filter(|&other| other != cluster)
            .collect()
    }

    /// Merges the clusters. The caller knows that this is legal.
    pub(super) fn merge(&mut self, clusters: &BTreeSet<ClusterId>) {
        let Some(&first) = clusters.first() else { return };
        let mut merged = self.clusters.remove(&first).expect("the cluster exists");
        for other in clusters.iter().skip(1) {
            let other = self.clusters.remove(other).expect("the cluster exists");
            for &node in &other.nodes {
                self.cluster_of[node] = Some(first);
            }
            merged.nodes.extend(other.nodes);
            merged.lines.extend(other.lines);
            merged.touched.extend(other.touched);
            merged.able.iter_mut().zip(other.able).for_each(|(able, also)| *able &= also);
        }
        // This is fast for two sorted lists, one behind the other.
        merged.nodes.sort();
        merged.lines.sort();
        let mut seen = BTreeSet::new();
        merged.lines.retain(|&node| seen.insert(self.facts.line(node)));
        merged.touched.sort();
        merged.touched.dedup();
        self.ends.raise(first, *merged.nodes.last().expect("a cluster has nodes"));
        self.clusters.insert(first, merged);
    }
}

/// The last node of the clusters up to each place, as a tree of greatest numbers. The entry `i` covers as many clusters up to
/// `i` as the lowest bit of `i + 1` says. A cluster that was merged into an earlier one keeps its entry, which is no greater.
#[derive(Clone)]
struct Ends(Vec<usize>);

impl Ends {
    fn singletons(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// The cluster has a later last node now.
    fn raise(&mut self, cluster: ClusterId, last: NodeId) {
        let mut at = cluster.index();
        while let Some(end) = self.0.get_mut(at) {
            *end = last.index().max(*end);
            at |= at + 1;
        }
    }

    /// The last node of the clusters that begin at `node` or before it.
    fn of_all_up_to(&self, node: usize) -> usize {
        let mut end = 0;
        let mut left = node + 1;
        while left > 0 {
            end = end.max(self.0[left - 1]);
            left &= left - 1;
        }
        end
    }

    /// The first place from `node` on where each cluster that begins before it has ended.
    fn behind(&self, node: usize) -> usize {
        let mut end = node;
        loop {
            let later = self.of_all_up_to(end);
            if later <= end {
                return end;
            }
            end = later;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Ends;
    use arrc_syntax::ids::{ClusterId, EntityRef, NodeId};

    #[test]
    fn clusters_that_overlap_end_together() {
        let mut ends = Ends::singletons(20);
        let of_each = |ends: &Ends| (0..20).map(|node| ends.behind(node)).collect::<Vec<_>>();
        assert_eq!(of_each(&ends), (0..20).collect::<Vec<_>>());
        for (first, last) in [(3, 5), (4, 9), (8, 10), (12, 14), (2, 2), (15, 19), (12, 13)] {
            ends.raise(ClusterId::new(first), NodeId::new(last));
        }
        let expected = (0..20).map(|node| match node {
            3..=10 => 10,
            12..=14 => 14,
            15..=19 => 19,
            _ => node,
        });
        assert_eq!(of_each(&ends), expected.collect::<Vec<_>>());
    }
}

//! A partition of the nodes that only legal merges change, and what it costs: the decoder that all
//! strategies share.
//!
//! Invariant: every partition is legal, given that it is made from [`Partition::singletons`] by merges
//! that [`Partition::try_merge`] accepts.
//!
//! ```text
//! {ys} {sum} {zs}, merge ys sum   ⇒   {ys sum} {zs}
//! {ys} {sum} {zs}, merge ys zs    ⇒   refused
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{ArrayUse, Facts};
use crate::ids::{ClusterId, EntityRef, NodeId, PrimaryMap, SecondaryMap};

/// What a partition costs, what matters most first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Cost {
    /// Reads and writes by weight.
    pub(super) traffic: u64,
    /// Arrays written that are not outputs.
    pub(super) intermediates: u32,
    /// Arrays read.
    pub(super) reads: u32,
    /// Arrays written.
    pub(super) writes: u32,
}

/// A legal partition. A cluster is called after its first node.
#[derive(Clone)]
pub(super) struct Partition<'a> {
    facts: &'a Facts<'a>,
    cluster_of: SecondaryMap<NodeId, ClusterId>,
    members: BTreeMap<ClusterId, Vec<NodeId>>,
}

impl<'a> Partition<'a> {
    /// Every node by itself.
    pub(super) fn singletons(facts: &'a Facts<'a>) -> Self {
        let mut cluster_of = SecondaryMap::with_default(ClusterId::new(0));
        let mut members = BTreeMap::new();
        for node in facts.graph.nodes.keys() {
            let cluster = ClusterId::new(node.index());
            cluster_of[node] = cluster;
            members.insert(cluster, vec![node]);
        }
        Self { facts, cluster_of, members }
    }

    /// A partition that is known to be legal.
    pub(super) fn of_legal(
        facts: &'a Facts<'a>,
        clusters: &PrimaryMap<ClusterId, Vec<NodeId>>,
    ) -> Self {
        let mut partition = Self::singletons(facts);
        for nodes in clusters.values() {
            partition.merge(&nodes.iter().map(|&node| partition.cluster(node)).collect());
        }
        partition
    }

    /// What the graph is.
    pub(super) fn facts(&self) -> &'a Facts<'a> {
        self.facts
    }

    /// The cluster of a node.
    pub(super) fn cluster(&self, node: NodeId) -> ClusterId {
        self.cluster_of[node]
    }

    /// Whether two nodes are in one cluster.
    pub(super) fn together(&self, a: NodeId, b: NodeId) -> bool {
        self.cluster_of[a] == self.cluster_of[b]
    }

    /// The clusters' names, in order.
    pub(super) fn clusters(&self) -> Vec<ClusterId> {
        self.members.keys().copied().collect()
    }

    /// Whether there is a cluster of that name.
    pub(super) fn exists(&self, cluster: ClusterId) -> bool {
        self.members.contains_key(&cluster)
    }

    /// The nodes of a cluster, in order.
    pub(super) fn members(&self, cluster: ClusterId) -> &[NodeId] {
        &self.members[&cluster]
    }

    /// The clusters that must become one for the two nodes to be together: theirs, and those of the
    /// concestors that this calls for.
    pub(super) fn needed(&self, a: NodeId, b: NodeId) -> BTreeSet<ClusterId> {
        let mut needed = BTreeSet::from([self.cluster(a), self.cluster(b)]);
        loop {
            let nodes: Vec<NodeId> =
                needed.iter().flat_map(|cluster| self.members(*cluster)).copied().collect();
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

    /// Merges the clusters if the result is legal. Whether it is.
    pub(super) fn try_merge(&mut self, clusters: &BTreeSet<ClusterId>) -> bool {
        let legal = self.compatible(clusters) && !self.closes_cycle(clusters);
        if legal {
            self.merge(clusters);
        }
        legal
    }

    /// Brings the two nodes together, and what they need with them, if that is legal.
    pub(super) fn try_join(&mut self, a: NodeId, b: NodeId) -> bool {
        self.together(a, b) || (self.facts.can.has(a, b) && self.try_merge(&self.needed(a, b)))
    }

    /// What the partition costs.
    pub(super) fn cost(&self) -> Cost {
        let mut cost = Cost::default();
        for array in &self.facts.arrays {
            self.add(array, &mut cost, &|node| self.cluster(node));
        }
        cost
    }

    /// What merging the clusters would save: traffic, then intermediates.
    pub(super) fn gain(&self, clusters: &BTreeSet<ClusterId>) -> (u64, u32) {
        let Some(&first) = clusters.first() else { return (0, 0) };
        let touched: BTreeSet<_> = (clusters.iter())
            .flat_map(|cluster| self.members(*cluster))
            .flat_map(|&node| &self.facts.touched[node])
            .collect();
        let (mut now, mut then) = (Cost::default(), Cost::default());
        let merged = |node| {
            let cluster = self.cluster(node);
            if clusters.contains(&cluster) { first } else { cluster }
        };
        for &index in touched {
            let array = &self.facts.arrays[index];
            self.add(array, &mut now, &|node| self.cluster(node));
            self.add(array, &mut then, &merged);
        }
        (now.traffic - then.traffic, now.intermediates - then.intermediates)
    }

    /// The clusters in an order in which they can run; of those that can, the one with the lowest node
    /// is first.
    pub(super) fn ordered(&self) -> PrimaryMap<ClusterId, Vec<NodeId>> {
        let mut waits: BTreeMap<ClusterId, BTreeSet<ClusterId>> = (self.members.keys())
            .map(|&cluster| (cluster, self.next_to(cluster, &self.facts.before)))
            .collect();
        let mut ordered = PrimaryMap::new();
        while !waits.is_empty() {
            let (&next, _) = (waits.iter())
                .find(|(_, waits)| waits.is_empty())
                .expect("legal partitions have an order");
            waits.remove(&next);
            for after in self.next_to(next, &self.facts.after) {
                if let Some(waits) = waits.get_mut(&after) {
                    waits.remove(&next);
                }
            }
            ordered.push(self.members(next).to_vec());
        }
        ordered
    }

    /// Adds what an array costs when nodes are in the clusters given: a read for each cluster that
    /// streams it and does not make it, one for each node that needs it whole, and a write if it is made
    /// and anything outside its cluster uses it.
    fn add(&self, array: &ArrayUse, cost: &mut Cost, cluster: &dyn Fn(NodeId) -> ClusterId) {
        let home = array.producer.map(cluster);
        let readers: BTreeSet<ClusterId> = (array.streams.iter())
            .map(|&node| cluster(node))
            .filter(|&reader| Some(reader) != home)
            .collect();
        let streamed = u32::try_from(readers.len()).expect("there are fewer than 2^32 nodes");
        let reads = streamed + array.whole;
        let written = array.producer.is_some() && (array.kept || reads > 0);
        cost.reads += reads;
        cost.writes += u32::from(written);
        cost.intermediates += u32::from(written && !array.output);
        cost.traffic += array.weight * u64::from(reads + u32::from(written));
    }

    /// Whether all nodes of the clusters can pairwise, and their concestors are among them.
    fn compatible(&self, clusters: &BTreeSet<ClusterId>) -> bool {
        let there = |node| clusters.contains(&self.cluster(node));
        let across = |first: ClusterId, second: ClusterId| {
            self.members(first).iter().all(|&a| {
                self.members(second).iter().all(|&b| {
                    self.facts.can.has(a, b)
                        && (self.facts.concestors(a, b))
                            .is_none_or(|(of_a, of_b)| there(of_a) && there(of_b))
                })
            })
        };
        clusters.iter().all(|&first| {
            clusters.iter().filter(|&&second| first < second).all(|&second| across(first, second))
        })
    }

    /// Whether a way leads out of the clusters and back.
    fn closes_cycle(&self, clusters: &BTreeSet<ClusterId>) -> bool {
        let mut stack: Vec<ClusterId> = (clusters.iter())
            .flat_map(|&cluster| self.next_to(cluster, &self.facts.after))
            .filter(|next| !clusters.contains(next))
            .collect();
        let mut seen: BTreeSet<ClusterId> = stack.iter().copied().collect();
        while let Some(cluster) = stack.pop() {
            for next in self.next_to(cluster, &self.facts.after) {
                if clusters.contains(&next) {
                    return true;
                }
                if seen.insert(next) {
                    stack.push(next);
                }
            }
        }
        false
    }

    /// The other clusters that the nodes of one are next to.
    fn next_to(
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

    fn merge(&mut self, clusters: &BTreeSet<ClusterId>) {
        let Some(&first) = clusters.first() else { return };
        let mut nodes: Vec<NodeId> = (clusters.iter())
            .flat_map(|cluster| self.members.remove(cluster).expect("the cluster exists"))
            .collect();
        nodes.sort_unstable();
        for &node in &nodes {
            self.cluster_of[node] = first;
        }
        self.members.insert(first, nodes);
    }
}

//! Groups of nodes that can always be merged with another group. So the search need not decide about them.
//!
//! Two groups are twins if they have the same size, stream the same arrays and wait for the same nodes, and if all
//! nodes that wait for them wait for their end. In any legal clustering that has each group together, both can move
//! to the cluster of the one that comes first. That cluster already reads the arrays that the other group streams,
//! and runs after the nodes that the group waits for. The nodes that wait for the group come after its old cluster,
//! and so after the new one. Arrays that the group makes for itself move with it, and arrays that others use are
//! written in any case. So the new clustering is legal and costs no more.
//!
//! Invariant: if some optimum has each group together, some optimum has all twins together.
//!
//! ```text
//! as = map f xs; a = fold as; bs = map g xs; b = fold bs      ⇒ {as a} and {bs b} are twins
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::GraphAnalysis;
use super::leaders::may_move;
use super::partition::Partition;
use crate::graph::EdgeKind;
use arrc_syntax::ids::{ClusterId, NodeId, SecondaryMap};

/// The properties that twins have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct TwinKey {
    line: (Option<u32>, Option<NodeId>),
    /// The arrays that come from outside the group.
    streams: BTreeSet<usize>,
    /// The nodes outside the group that it waits for, and whether it waits for their end.
    waits: BTreeSet<(NodeId, bool)>,
}

/// Merges the groups of a partition with their twins. Groups with nodes in `fixed` are left as they are.
pub(super) fn join_twins(groups: &mut Partition<'_>, fixed: &BTreeSet<NodeId>) {
    let search = TwinFinder::new(groups.facts());
    let mut first: BTreeMap<TwinKey, NodeId> = BTreeMap::new();
    for cluster in groups.clusters() {
        let Some(key) = search.key(groups, cluster, fixed) else { continue };
        let node = groups.members(cluster)[0];
        match first.get(&key) {
            Some(&twin) => {
                groups.try_join(twin, node);
            }
            None => {
                first.insert(key, node);
            }
        }
    }
}

struct TwinFinder<'a> {
    facts: &'a GraphAnalysis<'a>,
    /// The nodes that each node waits for, and whether it waits for their end.
    into: SecondaryMap<NodeId, Vec<(NodeId, bool)>>,
    /// For each node, the nodes that may stream its results in the same pass.
    fusible: SecondaryMap<NodeId, Vec<NodeId>>,
}

impl<'a> TwinFinder<'a> {
    fn new(facts: &'a GraphAnalysis<'a>) -> Self {
        let (mut into, mut fusible) = (SecondaryMap::new(), SecondaryMap::new());
        for edge in &facts.graph.edges {
            let ends = edge.kind != EdgeKind::Fusible;
            let before: &mut Vec<(NodeId, bool)> = &mut into[edge.to];
            before.push((edge.from, ends));
            if !ends {
                let after: &mut Vec<NodeId> = &mut fusible[edge.from];
                after.push(edge.to);
            }
        }
        Self { facts, into, fusible }
    }

    /// The properties that a group shares with its twins, or none if it cannot have twins.
    fn key(
        &self,
        groups: &Partition<'_>,
        cluster: ClusterId,
        fixed: &BTreeSet<NodeId>,
    ) -> Option<TwinKey> {
        let nodes = groups.members(cluster);
        let inside = |node: &NodeId| groups.cluster(*node) == cluster;
        let line = self.facts.line(nodes[0]);
        let moves = |node: &NodeId| {
            may_move(self.facts, *node)
                && !fixed.contains(node)
                && self.facts.line(*node) == line
                && self.fusible[*node].iter().all(inside)
        };
        if line.0.is_none() || !nodes.iter().all(moves) {
            return None;
        }
        let graph = self.facts.graph;
        let streams = nodes.iter().flat_map(|&node| &graph.nodes[node].streams);
        let streams = streams.filter(|array| !graph.arrays[*array].producer.iter().any(inside));
        let streams = streams.filter_map(|array| graph.arrays.get_index_of(array)).collect();
        let waits = nodes.iter().flat_map(|&node| &self.into[node]);
        let waits = waits.filter(|(from, _)| !inside(from)).copied().collect();
        Some(TwinKey { line, streams, waits })
    }
}

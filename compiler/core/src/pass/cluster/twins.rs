//! Groups of nodes that may as well be where another group is: the search need not decide about them.
//!
//! Two groups are twins if they are of one size, stream the same arrays and wait for the same nodes, and whatever
//! waits for them waits for their end. In any legal clustering that has each group together, both can be in that of
//! their clusters which comes first. There the arrays that the other group streams are read already, and what it waits
//! for is there; what waits for it comes after its own cluster, and so after the first. What it makes for itself moves
//! along, and what others use of it is written in any case. So the new clustering is legal and no dearer.
//!
//! Invariant: there is an optimum with all twins together, if there is one with each group together.
//!
//! ```text
//! as = map f xs; a = fold as; bs = map g xs; b = fold bs      ⇒ {as a} and {bs b} are twins
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Facts;
use super::leaders::may_move;
use super::partition::Partition;
use crate::ids::{ClusterId, NodeId, SecondaryMap};
use crate::ir::graph::EdgeKind;

/// The properties that twins have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    line: (Option<u32>, Option<NodeId>),
    /// The arrays that come from outside of the group.
    streams: BTreeSet<usize>,
    /// The nodes outside that the group waits for, and whether for their end.
    waits: BTreeSet<(NodeId, bool)>,
}

/// Brings the groups of a partition together with their twins. Those with nodes in `fixed` stay where they are.
pub(super) fn join_twins(groups: &mut Partition<'_>, fixed: &BTreeSet<NodeId>) {
    let search = Search::new(groups.facts());
    let mut first: BTreeMap<Key, NodeId> = BTreeMap::new();
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

struct Search<'a> {
    facts: &'a Facts<'a>,
    /// What each node waits for, and whether for its end.
    into: SecondaryMap<NodeId, Vec<(NodeId, bool)>>,
    /// Who may stream what each node makes in its own pass.
    fusible: SecondaryMap<NodeId, Vec<NodeId>>,
}

impl<'a> Search<'a> {
    fn new(facts: &'a Facts<'a>) -> Self {
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

    /// What the twins of a group share with it; none if it can have none.
    fn key(
        &self,
        groups: &Partition<'_>,
        cluster: ClusterId,
        fixed: &BTreeSet<NodeId>,
    ) -> Option<Key> {
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
        Some(Key { line, streams, waits })
    }
}

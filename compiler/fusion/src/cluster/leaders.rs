//! Nodes that can always be merged with another node, their leader. So the search need not decide about them.
//!
//! ```text
//! follows   f streams nothing that g does not stream or make, waits for nothing that g does not wait for, and
//!           whatever waits for f also waits for g: f may be where g is.
//! feeds     p makes arrays for c alone, and reads less than these arrays are worth: p may be where c is.
//! ```
//!
//! Both rules say: if the node moves to its leader in any legal clustering, the result is legal and costs no more.
//! The moved edges follow from existing edges, so the order of the clusters stays valid.
//!
//! Invariant: there is an optimum that has every leader and its followers together. Each node follows at most one
//! node, and never itself, directly or through others. A leader moves before its followers, and does not move again
//! with them.
//!
//! ```text
//! ys = map xs; a = fold ys; b = fold ys; zs = map {a b} ys      ⇒ a and b follow ys
//! ```

use std::collections::BTreeSet;

use super::analysis::{ArrayUse, GraphAnalysis};
use super::pairs::Pair;
use crate::graph::{EdgeKind, Kind};
use arrc_syntax::ids::{NodeId, SecondaryMap};

/// The most nodes that are compared for one common array. It bounds a quadratic time:
/// `scripts/bench compile 'pairs of'` has up to 2,000 readers of one array. Not measured by itself.
const MAX_NEIGHBOURS: usize = 100;

/// Each node that has a leader, with that leader. The nodes in `fixed` have none.
pub(super) fn leaders(facts: &GraphAnalysis<'_>, fixed: &BTreeSet<NodeId>) -> Vec<Pair> {
    let mut into: SecondaryMap<NodeId, Vec<(NodeId, DependencyKind)>> = SecondaryMap::new();
    for edge in &facts.graph.edges {
        let kind = match edge.kind {
            EdgeKind::Fusible => DependencyKind::Fusible,
            EdgeKind::Preventing(_) => DependencyKind::Preventing,
        };
        into[edge.to].push((edge.from, kind));
    }
    let mut search = LeaderFinder { facts, into, leader: SecondaryMap::new() };
    let free: Vec<NodeId> = facts
        .graph
        .nodes
        .keys()
        .filter(|node| may_move(facts, *node) && !fixed.contains(node))
        .collect();
    for &node in &free {
        let leader = search.candidates(node).into_iter().find(|&other| {
            (search.follows(node, other) || search.feeds(node, other))
                && !search.already_follows(node, other)
        });
        search.leader[node] = leader;
    }
    let found = free.into_iter().filter_map(|node| Some((node, search.leader[node]?)));
    found.collect()
}

/// Whether the node may move: it makes no size, and has no effect whose order counts.
pub(super) fn may_move(facts: &GraphAnalysis<'_>, node: NodeId) -> bool {
    let data = &facts.graph.nodes[node];
    !data.kind.makes_size() && data.kind != Kind::Barrier && !data.effect.is_some()
}

/// Whether an edge prevents fusion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DependencyKind {
    Fusible,
    Preventing,
}

struct LeaderFinder<'a> {
    facts: &'a GraphAnalysis<'a>,
    /// The nodes that each node waits for.
    into: SecondaryMap<NodeId, Vec<(NodeId, DependencyKind)>>,
    leader: SecondaryMap<NodeId, Option<NodeId>>,
}

impl LeaderFinder<'_> {
    /// Nodes that share an array with a node. Their number is bounded for each array, so that the work stays linear.
    fn candidates(&self, node: NodeId) -> BTreeSet<NodeId> {
        let arrays = self.facts.touched[node].iter().map(|&array| &self.facts.arrays[array]);
        let nodes = arrays.flat_map(|array| {
            let others = array.producer.iter().chain(&array.streams);
            others
                .filter(|&&other| other != node && self.facts.can.has(node, other))
                .take(MAX_NEIGHBOURS)
        });
        nodes.copied().collect()
    }

    /// Whether the second node already follows the first one, directly or through others.
    fn already_follows(&self, first: NodeId, second: NodeId) -> bool {
        std::iter::successors(Some(second), |&node| self.leader[node]).any(|node| node == first)
    }

    /// Whether both nodes run in the same loop in every clustering that has them together.
    fn same_loop(&self, a: NodeId, b: NodeId) -> bool {
        let same_line = self.facts.line(a) == self.facts.line(b) && self.facts.line(a).0.is_some();
        same_line && self.facts.concestors(a, b).is_none()
    }

    /// Whether `f` may always be where `g` is.
    fn follows(&self, f: NodeId, g: NodeId) -> bool {
        let GraphAnalysis { graph, after, .. } = self.facts;
        let [node, other] = [f, g].map(|node| &graph.nodes[node]);
        let inside =
            node.parent == Some(g) && node.streams.iter().any(|a| other.writes.contains(a));
        let streams =
            || (node.streams.iter()).all(|a| other.streams.contains(a) || other.writes.contains(a));
        // A node that waits for f is in a later pass than f, and in a later pass than g.
        let waited_for = || {
            (after[f].iter()).all(|&s| self.facts.prevented.has(g, s) && !self.facts.can.has(f, s))
        };
        let waits = || {
            self.into[f].iter().all(|&(from, kind)| match kind {
                DependencyKind::Fusible => from == g || self.facts.reach.has(from, g),
                DependencyKind::Preventing => self.facts.prevented.has(from, g),
            })
        };
        (inside || self.same_loop(f, g)) && streams() && waited_for() && waits()
    }

    /// Whether `p` may always be where `c` is, its only consumer.
    fn feeds(&self, p: NodeId, c: NodeId) -> bool {
        if self.facts.after[p] != [c]
            || !self.same_loop(p, c)
            || self.into[c].contains(&(p, DependencyKind::Preventing))
        {
            return false;
        }
        // In the worst case, p shared its inputs with other nodes at its old place, and they must be read again. An
        // input that was made there for p alone must be written as well.
        let (mut worth, mut price) = ((0, 0), (0, 0));
        for array in self.facts.touched[p].iter().map(|&array| &self.facts.arrays[array]) {
            let ArrayUse { producer, streams, kept, weight, .. } = array;
            if *producer == Some(p) {
                if *kept || streams[..] != [c] {
                    return false;
                }
                worth = (worth.0 + 2 * weight, worth.1 + 1);
            } else if producer.is_some() && !kept {
                price = (price.0 + 2 * weight, price.1 + 1);
            } else {
                price = (price.0 + weight, price.1);
            }
        }
        price <= worth
    }
}

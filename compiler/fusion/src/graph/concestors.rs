//! Compatible concestors (001, figure 1.8): the most recent common ancestors of two nodes that take the
//! same number of steps. Nodes of different iteration sizes may share a pass only together with them.
//!
//! Invariant: `of(a, b)` is `of(b, a)` with its parts swapped; nodes of one iteration size are their own concestors;
//! barriers have none.
//!
//! ```text
//! sum1 = fold xs; gts = filter xs; sum2 = fold gts   ⇒   concestors(sum1, sum2) = (sum1, gts)
//! ```

use std::collections::BTreeMap;

use super::Graph;
use arrc_syntax::ids::{NodeId, SecondaryMap};

/// The concestors of a graph's nodes.
#[derive(Clone, Debug)]
pub struct Concestors {
    /// A number for each iteration size; none for barriers.
    sizes: SecondaryMap<NodeId, Option<u32>>,
    parents: SecondaryMap<NodeId, Option<NodeId>>,
    /// For each transducer and each iteration size: the nearest node of this size among the transducer and its
    /// ancestors, and the number of transducers to it.
    nearest: SecondaryMap<NodeId, BTreeMap<u32, (u32, NodeId)>>,
}

impl Graph {
    /// The compatible concestors of pairs of nodes.
    #[must_use]
    pub fn concestors(&self) -> Concestors {
        let mut concestors = Concestors {
            sizes: SecondaryMap::new(),
            parents: SecondaryMap::new(),
            nearest: SecondaryMap::new(),
        };
        let mut numbers = BTreeMap::new();
        for (id, node) in &self.nodes {
            let next = u32::try_from(numbers.len()).expect("there are fewer than 2^32 nodes");
            let number = |size| *numbers.entry(size).or_insert(next);
            concestors.sizes[id] = node.iteration.as_ref().map(number);
            concestors.parents[id] = node.parent;
            if self.is_transducer(id) {
                concestors.nearest[id] = concestors.nearest_of(id);
            }
        }
        concestors
    }
}

impl Concestors {
    /// The pair of ancestors, the nodes themselves included, with the same iteration size and the fewest transducers
    /// on the way: first the ancestor of `a`, then that of `b`.
    #[must_use]
    pub fn of(&self, a: NodeId, b: NodeId) -> Option<(NodeId, NodeId)> {
        // The search always starts at the earlier node, so ties are broken in the same way and the result is
        // symmetric.
        if b < a {
            return self.of(b, a).map(|(of_b, of_a)| (of_a, of_b));
        }
        let mut best: Option<(u32, u32, NodeId, NodeId)> = None;
        for (up_b, of_b) in (0..).zip(self.line(b)) {
            if best.is_some_and(|(up, ..)| up <= up_b) {
                break;
            }
            if let Some((up_a, of_a)) = self.sizes[of_b].and_then(|size| self.with_size(a, size)) {
                let found = (up_a + up_b, up_b, of_a, of_b);
                best = Some(best.map_or(found, |best| best.min(found)));
            }
        }
        best.map(|(_, _, of_a, of_b)| (of_a, of_b))
    }

    /// The concestors of `a` and each node that is not before `a`, as [`of`](Self::of) gives them.
    pub(crate) fn all_of(&self, a: NodeId) -> SecondaryMap<NodeId, Option<(NodeId, NodeId)>> {
        let mut best: SecondaryMap<NodeId, Option<(u32, u32, NodeId, NodeId)>> =
            SecondaryMap::new();
        let mut all = SecondaryMap::new();
        for b in self.sizes.keys() {
            let own = self.sizes[b].and_then(|size| self.with_size(a, size));
            let own = own.map(|(up_a, of_a)| (up_a, 0, of_a, b));
            let above = self.parents[b].and_then(|parent| best[parent]);
            let above = above.map(|(up, up_b, of_a, of_b)| (up + 1, up_b + 1, of_a, of_b));
            best[b] = own.into_iter().chain(above).min();
            all[b] = best[b].filter(|_| a <= b).map(|(_, _, of_a, of_b)| (of_a, of_b));
        }
        all
    }

    /// The number of the node's iteration size; none for a barrier.
    #[must_use]
    pub fn size(&self, node: NodeId) -> Option<u32> {
        self.sizes[node]
    }

    /// The node, its parent transducer, and so on.
    fn line(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(node), |&node| self.parents[node])
    }

    /// The nearest node of this size among the node and its ancestors, with the number of transducers to it.
    fn with_size(&self, node: NodeId, size: u32) -> Option<(u32, NodeId)> {
        if self.sizes[node] == Some(size) {
            return Some((0, node));
        }
        self.nearest[self.parents[node]?].get(&size).map(|&(up, of)| (up + 1, of))
    }

    fn nearest_of(&self, node: NodeId) -> BTreeMap<u32, (u32, NodeId)> {
        let mut nearest = BTreeMap::new();
        if let Some(parent) = self.parents[node] {
            nearest
                .extend(self.nearest[parent].iter().map(|(&size, &(up, of))| (size, (up + 1, of))));
        }
        nearest.extend(self.sizes[node].map(|size| (size, (0, node))));
        nearest
    }
}

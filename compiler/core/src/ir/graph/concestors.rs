//! Compatible concestors (001, figure 1.8): the most recent common ancestors of two nodes that take the
//! same number of steps. Nodes of different iteration sizes may share a pass only together with them.
//!
//! Invariant: `of(a, b)` is `of(b, a)` turned round; nodes of one iteration size are their own
//! concestors; barriers have none.
//!
//! ```text
//! sum1 = fold xs; gts = filter xs; sum2 = fold gts   ⇒   concestors(sum1, sum2) = (sum1, gts)
//! ```

use super::Graph;
use crate::ids::NodeId;

/// The concestors of a graph's nodes.
#[derive(Clone, Copy, Debug)]
pub struct Concestors<'a> {
    graph: &'a Graph,
}

impl Graph {
    /// The compatible concestors of pairs of nodes.
    #[must_use]
    pub fn concestors(&self) -> Concestors<'_> {
        Concestors { graph: self }
    }
}

impl Concestors<'_> {
    /// The pair of ancestors, the nodes themselves included, that have the same iteration size and are
    /// fewest transducers away: first the one of `a`, then the one of `b`.
    #[must_use]
    pub fn of(self, a: NodeId, b: NodeId) -> Option<(NodeId, NodeId)> {
        // Ties are broken in one order of the nodes, so that the result is symmetric.
        if b < a {
            return self.of(b, a).map(|(of_b, of_a)| (of_a, of_b));
        }
        let candidates = self.line(a).enumerate().flat_map(|(up_a, of_a)| {
            self.line(b).enumerate().map(move |(up_b, of_b)| (up_a + up_b, up_b, of_a, of_b))
        });
        candidates
            .filter(|&(_, _, of_a, of_b)| self.graph.same_iteration(of_a, of_b))
            .min()
            .map(|(_, _, of_a, of_b)| (of_a, of_b))
    }

    /// The node, its parent transducer, and so on.
    fn line(self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(node), move |&node| self.graph.parent(node))
    }
}

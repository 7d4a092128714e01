//! The concestors of all pairs of nodes, by lines. A line has the nodes of one iteration size that come from the same
//! transducer.
//!
//! Invariant: the nodes of one line have the same concestors with any other node, except that each node may be its
//! own concestor.
//!
//! ```text
//! sum1 = fold xs; gts = filter xs; a = fold gts; b = map gts
//! ⇒ a and b are of one line: the concestors of sum1 and each are (sum1, gts)
//! ```

use std::collections::BTreeMap;

use crate::graph::{Concestors, Graph};
use arrc_syntax::ids::{NodeId, SecondaryMap};

/// The concestors that nodes of different sizes need to share a pass.
pub(super) struct Lineages {
    /// The number of each node's line.
    of: SecondaryMap<NodeId, u32>,
    /// The concestors of the nodes of two lines, with a row for each line.
    concestors: Vec<Vec<Option<[LineageConcestor; 2]>>>,
}

/// A concestor, relative to a node.
#[derive(Clone, Copy)]
enum LineageConcestor {
    /// The node itself.
    Itself,
    /// Another node.
    Other(NodeId),
}

impl Lineages {
    /// The lines of a graph's nodes. The concestors of a line's first node determine those of the others.
    pub(super) fn new(graph: &Graph, concestors: &Concestors) -> Self {
        let mut numbers: BTreeMap<(Option<u32>, Option<NodeId>), u32> = BTreeMap::new();
        let (mut of, mut first) = (SecondaryMap::new(), Vec::new());
        for node in graph.nodes.keys() {
            let next = u32::try_from(numbers.len()).expect("there are fewer than 2^32 nodes");
            let line = (concestors.size(node), graph.parent(node));
            of[node] = *numbers.entry(line).or_insert(next);
            if of[node] == next {
                first.push(node);
            }
        }
        let mut lines = Self { of, concestors: vec![vec![None; first.len()]; first.len()] };
        for (row, &a) in first.iter().enumerate() {
            let all = concestors.all_of(a);
            for (column, &b) in first.iter().enumerate().skip(row) {
                if let Some((of_a, of_b)) = all[b] {
                    let [of_a, of_b] =
                        [LineageConcestor::new(a, of_a), LineageConcestor::new(b, of_b)];
                    lines.concestors[row][column] = Some([of_a, of_b]);
                    lines.concestors[column][row] = Some([of_b, of_a]);
                }
            }
        }
        lines
    }

    /// The concestors of two nodes: first the one of `a`, then the one of `b`.
    pub(super) fn concestors(&self, a: NodeId, b: NodeId) -> Option<(NodeId, NodeId)> {
        let found = self.concestors[self.of[a] as usize][self.of[b] as usize];
        found.map(|[of_a, of_b]| (of_a.of(a), of_b.of(b)))
    }
}

impl LineageConcestor {
    fn new(node: NodeId, concestor: NodeId) -> Self {
        if node == concestor { Self::Itself } else { Self::Other(concestor) }
    }

    fn of(self, node: NodeId) -> NodeId {
        match self {
            Self::Itself => node,
            Self::Other(other) => other,
        }
    }
}

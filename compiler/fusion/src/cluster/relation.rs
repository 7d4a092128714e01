//! A relation between the nodes of a graph, as a matrix of bits.
//!
//! Invariant: rows are of one length, and bits beyond the last node are clear.
//!
//! ```text
//! reach(a, c) iff a -> b -> c   ⇒   row a = {b, c}
//! ```

use arrc_syntax::ids::{EntityRef, NodeId};

const BITS: usize = 64;

/// A set of nodes: those that one node is related to.
pub(super) type Row = Vec<u64>;

/// Whether a node is in a row.
pub(super) fn contains(row: &[u64], node: NodeId) -> bool {
    row[node.index() / BITS] & (1 << (node.index() % BITS)) != 0
}

/// The nodes in a row, in order.
pub(super) fn members(row: &[u64]) -> impl Iterator<Item = NodeId> {
    let words = row.iter().enumerate().filter(|(_, word)| **word != 0);
    words.flat_map(|(at, &word)| {
        let bits = (0..BITS).filter(move |bit| word & (1 << bit) != 0);
        bits.map(move |bit| NodeId::new(at * BITS + bit))
    })
}

/// A set of pairs of nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Relation {
    words: usize,
    bits: Vec<u64>,
}

impl Relation {
    /// The empty relation between that many nodes.
    pub(super) fn empty(nodes: usize) -> Self {
        let words = nodes.div_ceil(BITS);
        Self { words, bits: vec![0; words * nodes] }
    }

    /// Whether the pair is in it.
    pub(super) fn has(&self, a: NodeId, b: NodeId) -> bool {
        let (word, mask) = self.place(a, b);
        self.bits[word] & mask != 0
    }

    /// Adds the pair or removes it.
    pub(super) fn set(&mut self, a: NodeId, b: NodeId, related: bool) {
        let (word, mask) = self.place(a, b);
        if related {
            self.bits[word] |= mask;
        } else {
            self.bits[word] &= !mask;
        }
    }

    /// Relates `a` to all nodes in a row.
    pub(super) fn include(&mut self, a: NodeId, row: &[u64]) {
        let start = a.index() * self.words;
        for (word, more) in self.bits[start..start + self.words].iter_mut().zip(row) {
            *word |= more;
        }
    }

    /// The nodes that `a` is related to.
    pub(super) fn row(&self, a: NodeId) -> &[u64] {
        &self.bits[a.index() * self.words..(a.index() + 1) * self.words]
    }

    /// The inverse relation.
    pub(super) fn transposed(&self) -> Self {
        let nodes = self.bits.len().checked_div(self.words).unwrap_or(0);
        let mut result = Self::empty(nodes);
        for a in (0..nodes).map(NodeId::new) {
            for b in (0..nodes).map(NodeId::new).filter(|&b| self.has(a, b)) {
                result.set(b, a, true);
            }
        }
        result
    }

    fn place(&self, a: NodeId, b: NodeId) -> (usize, u64) {
        (a.index() * self.words + b.index() / BITS, 1 << (b.index() % BITS))
    }
}

//! A second oracle: dynamic programming over the downward-closed sets of nodes, for blocks that are too large to try
//! every partition.
//!
//! The cost of a cluster depends on its own nodes alone. So the best way to run a downward-closed set is the best way
//! to run a smaller one, followed by one more cluster.
//!
//! Invariant: the oracle shares only the weights of arrays with the strategies. [`legality`] decides which clusters
//! are legal.
//!
//! ```text
//! best({}) = 0, best({a}) = cost(a), best({a b}) = min(best({a}) + cost(b), cost(a b))
//! ```

use std::collections::BTreeMap;

use super::super::weights::weights;
use crate::clusters::legality;
use crate::graph::Graph;
use arrc_syntax::ids::{ClusterId, EntityRef, NodeId, PrimaryMap};

/// The most nodes of a block.
pub(super) const MAX_NODES: usize = 13;

/// Traffic, intermediates and passes.
pub(super) type Cost = (u64, u32, usize);

/// A set of nodes, as bits.
type Set = u32;

/// The least cost of a clustering of the block.
pub(super) fn best(graph: &Graph) -> Cost {
    assert!(graph.nodes.len() <= MAX_NODES, "too many nodes");
    let oracle = Oracle::new(graph);
    let all: Set = (1 << graph.nodes.len()) - 1;
    let mut best: BTreeMap<Set, Cost> = BTreeMap::from([(0, (0, 0, 0))]);
    // As a number, a set is greater than its subsets, so each entry is final when its turn comes.
    for done in 0..all {
        let Some(&so_far) = best.get(&done) else { continue };
        let rest = all & !done;
        let mut cluster = rest;
        while cluster != 0 {
            if oracle.closed(done | cluster)
                && let Some(own) = oracle.costs[cluster as usize]
            {
                let cost = (so_far.0 + own.0, so_far.1 + own.1, so_far.2 + 1);
                let known = best.entry(done | cluster).or_insert(cost);
                *known = cost.min(*known);
            }
            cluster = (cluster - 1) & rest;
        }
    }
    best[&all]
}

struct Oracle<'a> {
    graph: &'a Graph,
    /// The nodes that each node depends on.
    before: Vec<Set>,
    /// Traffic and intermediates of each set that can be a cluster.
    costs: Vec<Option<(u64, u32)>>,
}

impl<'a> Oracle<'a> {
    fn new(graph: &'a Graph) -> Self {
        let mut before = vec![0; graph.nodes.len()];
        for edge in &graph.edges {
            before[edge.to.index()] |= 1 << edge.from.index();
        }
        let mut oracle = Self { graph, before, costs: Vec::new() };
        oracle.costs = (0..1 << graph.nodes.len()).map(|set| oracle.cost(set)).collect();
        oracle
    }

    /// Whether the set contains everything that its nodes depend on.
    fn closed(&self, set: Set) -> bool {
        nodes(set).all(|node| self.before[node.index()] & !set == 0)
    }

    /// The cost of the nodes as a cluster, or none if they cannot be one.
    fn cost(&self, set: Set) -> Option<(u64, u32)> {
        let inside = |node: &NodeId| set & 1 << node.index() != 0;
        if set == 0 || legality(self.graph, &self.alone(set)?).is_err() {
            return None;
        }
        let weights = weights(self.graph);
        let (mut traffic, mut intermediates) = (0, 0);
        for (var, array) in &self.graph.arrays {
            let is_filled = array.producer.is_some_and(|node| self.graph.is_fill(node));
            let maker = array.producer.filter(|&node| !self.graph.is_view(node) && !is_filled);
            let all = || self.graph.nodes.iter();
            let streams = || all().filter(|(_, node)| node.streams.contains(var)).map(|(id, _)| id);
            let whole = || all().filter(|(_, node)| node.whole.contains(var)).map(|(id, _)| id);
            let made = maker.as_ref().is_some_and(inside);
            if !made && streams().any(|node| inside(&node)) {
                traffic += weights[var];
            }
            let readers = whole().filter(|&node| !self.graph.is_view(node) && !is_filled);
            let readers = u64::try_from(readers.filter(inside).count()).expect("there are few");
            traffic += weights[var] * readers;
            let needed = array.output || array.indexed || whole().next().is_some();
            if made && (needed || streams().any(|node| !inside(&node))) {
                traffic += weights[var];
                intermediates += u32::from(!array.output);
            }
        }
        Some((traffic, intermediates))
    }

    /// The nodes as one cluster, with each other node by itself before or after it. None if another node has to be in
    /// between.
    fn alone(&self, set: Set) -> Option<PrimaryMap<ClusterId, Vec<NodeId>>> {
        let mut first = set;
        // Nodes are in topological order.
        for node in nodes((1 << self.before.len()) - 1).collect::<Vec<_>>().into_iter().rev() {
            if first & 1 << node.index() != 0 {
                first |= self.before[node.index()];
            }
        }
        first &= !set;
        if !self.closed(first) {
            return None;
        }
        let rest = ((1 << self.before.len()) - 1) & !first & !set;
        let mut clusters = PrimaryMap::new();
        nodes(first).for_each(|node| {
            clusters.push(vec![node]);
        });
        clusters.push(nodes(set).collect());
        nodes(rest).for_each(|node| {
            clusters.push(vec![node]);
        });
        Some(clusters)
    }
}

fn nodes(set: Set) -> impl Iterator<Item = NodeId> {
    (0..Set::BITS as usize).filter(move |at| set & 1 << at != 0).map(NodeId::new)
}

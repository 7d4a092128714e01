//! Why two nodes are not in one cluster.
//!
//! Invariant: the reason holds whatever the other nodes do, unless it is [`Why::Dearer`] or
//! [`Why::NoBetter`], which compare whole clusterings.
//!
//! ```text
//! ys = map xs; sum = fold ys; zs = map {sum} ys
//! ⇒ ys | zs: Between([sum])
//! ```

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

use super::labels::Labels;
use crate::ids::{EntityRef, NodeId};
use crate::ir::clusters::{Report, Strategy};
use crate::ir::cnf::{Callee, Op};
use crate::ir::graph::{EdgeKind, Graph, Reason};
use crate::pass::cluster::{FusionOutcome, WhatIf};

/// Why two nodes are not in one cluster. Nodes are positions in
/// [`Explanation::nodes`](super::Explanation::nodes).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The second needs something of the first that is there only when the first has finished.
    Edge(Reason, String),
    /// One of the two is a barrier.
    Barrier(usize),
    /// One of the two is another shape, or a part, of an array in memory.
    View(usize),
    /// One of the two is a constant array.
    Constant(usize),
    /// One of the two is a call of a function of C.
    External(usize),
    /// Both have an effect, and they follow each other.
    Effects,
    /// They take different numbers of steps, and both are not filtered from a common ancestor.
    Sizes,
    /// Nodes between them have to run after the first and before the second: in the order of the way.
    Between(Vec<usize>),
    /// They take different numbers of steps, and what they are both filtered from cannot share a pass.
    Concestors(usize, usize),
    /// Legal, but the best clustering in which they are together costs that much more.
    Dearer {
        /// Elements read and written more, weighted by the known sizes.
        traffic: u64,
        /// Arrays more that are written and are no results.
        intermediates: u32,
    },
    /// Legal, and as good as the chosen clusters.
    NoBetter,
    /// Legal, but the strategy does not look for it.
    NotSought,
    /// The search for the best clustering in which they are together was given up at its bound.
    Unknown,
}

/// Why the two, the earlier first, are apart in a clustering with that report.
pub(super) fn why(
    (graph, labels): (&Graph, &Labels<'_>),
    report: &Report,
    what_if: &mut WhatIf<'_>,
    a: NodeId,
    b: NodeId,
) -> Why {
    let between = graph.edges.iter().filter(|edge| edge.from == a && edge.to == b);
    for edge in between {
        if let EdgeKind::Preventing(reason) = edge.kind
            && reason != Reason::Barrier
        {
            return match edge.via {
                Some(via) => Why::Edge(reason, labels.variable(via)),
                None => Why::Effects,
            };
        }
    }
    if let Some(barrier) = [b, a].into_iter().find(|&n| graph.nodes[n].iteration.is_none()) {
        let op = &graph.block.binds[graph.nodes[barrier].bind].op;
        if let Op::Call { callee: Callee::External(_), .. } = op {
            return Why::External(barrier.index());
        }
        if let Op::Constant(_) = op {
            return Why::Constant(barrier.index());
        }
        if graph.is_view(barrier) {
            return Why::View(barrier.index());
        }
        return Why::Barrier(barrier.index());
    }
    let Some((of_a, of_b)) = graph.concestors().of(a, b) else {
        return Why::Sizes;
    };
    if let Some(way) = preventing_way(graph, a, b) {
        return Why::Between(way);
    }
    match what_if.best_with(a, b) {
        FusionOutcome::Illegal => Why::Concestors(of_a.index(), of_b.index()),
        _ if report.method.strategy != Strategy::Ilp || report.objective.is_some() => {
            Why::NotSought
        }
        FusionOutcome::Unproven => Why::Unknown,
        FusionOutcome::Best { traffic, intermediates } => {
            if (traffic, intermediates) <= (report.traffic, report.intermediates) {
                return Why::NoBetter;
            }
            Why::Dearer {
                traffic: traffic.saturating_sub(report.traffic),
                intermediates: intermediates.saturating_sub(report.intermediates),
            }
        }
    }
}

/// The nodes on a shortest way between two nodes that has a fusion-preventing edge, the ends left out.
fn preventing_way(graph: &Graph, a: NodeId, b: NodeId) -> Option<Vec<usize>> {
    // A state is a node, and whether a preventing edge led to it.
    let mut from: BTreeMap<(NodeId, bool), (NodeId, bool)> = BTreeMap::new();
    let mut queue = VecDeque::from([(a, false)]);
    while let Some(state) = queue.pop_front() {
        if state == (b, true) {
            let way = std::iter::successors(from.get(&state), |&state| from.get(state));
            let mut way: Vec<usize> =
                way.map(|(node, _)| node.index()).filter(|&node| node != a.index()).collect();
            way.reverse();
            return Some(way);
        }
        for edge in graph.edges.iter().filter(|edge| edge.from == state.0) {
            let next = (edge.to, state.1 || edge.kind != EdgeKind::Fusible);
            if let Entry::Vacant(unseen) = from.entry(next) {
                unseen.insert(state);
                queue.push_back(next);
            }
        }
    }
    None
}

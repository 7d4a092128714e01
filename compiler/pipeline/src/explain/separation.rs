//! The reasons for which two nodes are not in one cluster.
//!
//! Invariant: the reason holds for every clustering of the other nodes, unless it is [`SeparationReason::Dearer`] or
//! [`SeparationReason::NoBetter`], which compare whole clusterings.
//!
//! ```text
//! ys = map xs; sum = fold ys; zs = map {sum} ys
//! ⇒ ys | zs: Between([sum])
//! ```

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

use super::labels::Labels;
use arrc_fusion::cluster::{FusionOutcome, WhatIf};
use arrc_fusion::clusters::{Report, Strategy};
use arrc_fusion::cnf::{Callee, Op};
use arrc_fusion::graph::{EdgeKind, Graph, PreventReason};
use arrc_syntax::ids::{EntityRef, NodeId};

/// The reason for which two nodes are not in one cluster. Nodes are indices of
/// [`Explanation::nodes`](super::Explanation::nodes).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeparationReason {
    /// The second node needs a value of the first one that is complete only when the first one has finished.
    Edge(PreventReason, String),
    /// One of the two is a barrier.
    Barrier(usize),
    /// One of the two is a view: another shape, or a part, of an array in memory.
    View(usize),
    /// One of the two is a constant array.
    Constant(usize),
    /// One of the two is a call of a C function.
    External(usize),
    /// Both have an effect, and they must keep their order.
    Effects,
    /// They have different trip counts, and there is no common ancestor from which both are filtered.
    Sizes,
    /// Nodes between them have to run after the first and before the second. They are in the order of the path.
    Between(Vec<usize>),
    /// They have different trip counts, and the ancestors from which both are filtered cannot share a pass.
    Concestors(usize, usize),
    /// Legal, but the best clustering with both in one cluster costs more.
    Dearer {
        /// The additional traffic, weighted by the known sizes.
        traffic: u64,
        /// The additional intermediate arrays.
        intermediates: u32,
    },
    /// Legal, but no better than the chosen clusters.
    NoBetter,
    /// Legal, but the strategy does not look for it.
    NotSought,
    /// The search for the best clustering with both in one cluster reached its limit.
    Unknown,
}

/// The reason for which the two nodes, the earlier one first, are in different clusters of the clustering with this
/// report.
pub(super) fn why(
    (graph, labels): (&Graph, &Labels<'_>),
    report: &Report,
    what_if: &mut WhatIf<'_>,
    a: NodeId,
    b: NodeId,
) -> SeparationReason {
    let between = graph.edges.iter().filter(|edge| edge.from == a && edge.to == b);
    for edge in between {
        if let EdgeKind::Preventing(reason) = edge.kind
            && reason != PreventReason::Barrier
        {
            return match edge.via {
                Some(via) => SeparationReason::Edge(reason, labels.variable(via)),
                None => SeparationReason::Effects,
            };
        }
    }
    if let Some(barrier) = [b, a].into_iter().find(|&n| graph.nodes[n].iteration.is_none()) {
        let op = &graph.block.binds[graph.nodes[barrier].bind].op;
        if let Op::Call { callee: Callee::External(_), .. } = op {
            return SeparationReason::External(barrier.index());
        }
        if let Op::Constant { .. } = op {
            return SeparationReason::Constant(barrier.index());
        }
        if graph.is_view(barrier) {
            return SeparationReason::View(barrier.index());
        }
        return SeparationReason::Barrier(barrier.index());
    }
    let Some((of_a, of_b)) = graph.concestors().of(a, b) else {
        return SeparationReason::Sizes;
    };
    if let Some(path) = preventing_path(graph, a, b) {
        return SeparationReason::Between(path);
    }
    match what_if.best_with(a, b) {
        FusionOutcome::Illegal => SeparationReason::Concestors(of_a.index(), of_b.index()),
        _ if report.method.strategy != Strategy::Ilp || report.objective.is_some() => {
            SeparationReason::NotSought
        }
        FusionOutcome::Unproven => SeparationReason::Unknown,
        FusionOutcome::Best { traffic, intermediates } => {
            if (traffic, intermediates) <= (report.traffic, report.intermediates) {
                return SeparationReason::NoBetter;
            }
            SeparationReason::Dearer {
                traffic: traffic.saturating_sub(report.traffic),
                intermediates: intermediates.saturating_sub(report.intermediates),
            }
        }
    }
}

/// The nodes between the ends of a shortest path between two nodes with a fusion-preventing edge in it.
fn preventing_path(graph: &Graph, a: NodeId, b: NodeId) -> Option<Vec<usize>> {
    // A state is a node, and whether the path to it has a preventing edge.
    let mut from: BTreeMap<(NodeId, bool), (NodeId, bool)> = BTreeMap::new();
    let mut queue = VecDeque::from([(a, false)]);
    while let Some(state) = queue.pop_front() {
        if state == (b, true) {
            let path = std::iter::successors(from.get(&state), |&state| from.get(state));
            let mut path: Vec<usize> =
                path.map(|(node, _)| node.index()).filter(|&node| node != a.index()).collect();
            path.reverse();
            return Some(path);
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

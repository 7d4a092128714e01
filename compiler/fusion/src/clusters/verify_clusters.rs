//! The rules for clusterings. They are decided from the graph alone, without the tables of a strategy, so that a
//! mistake in a table cannot hide here.
//!
//! Invariant: [`legality`] accepts a partition exactly if its clusters can run one after the other, in
//! some order, each in one pass (001, section 1.4.3).
//!
//! ```text
//! ys = map xs; sum = fold ys; zs = map {sum} ys
//! {ys sum} {zs}   ⇒   Ok
//! {ys zs} {sum}   ⇒   Err(Cycle)
//! ```

use std::fmt;

use indexmap::IndexMap;

use super::{Clustered, Clusters};
use crate::graph::{Concestors, EdgeKind, Graph};
use arrc_syntax::ids::{ClusterId, EntityRef, NodeId, PrimaryMap, SecondaryMap};

/// Why a partition of the nodes is no clustering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Violation {
    /// The node is in no cluster, or in two.
    NotOnce(NodeId),
    /// A cluster is empty.
    Empty(ClusterId),
    /// A node of unknown iteration size is not alone.
    Barrier(NodeId),
    /// A fusion-preventing edge is inside a cluster.
    Prevented(NodeId, NodeId),
    /// Two nodes of one cluster have an effect.
    Effects(NodeId, NodeId),
    /// Two nodes of one cluster have unrelated sizes.
    Unrelated(NodeId, NodeId),
    /// Two nodes of one cluster need this concestor in it.
    Concestor {
        /// The two nodes.
        nodes: (NodeId, NodeId),
        /// The concestor that is missing.
        missing: NodeId,
    },
    /// The clusters depend on each other in a cycle, or run in an order that an edge forbids.
    Cycle(ClusterId),
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOnce(node) => write!(f, "{node} is not in exactly one cluster"),
            Self::Empty(cluster) => write!(f, "{cluster} is empty"),
            Self::Barrier(node) => write!(f, "{node} has no iteration size and is not alone"),
            Self::Prevented(from, to) => {
                write!(f, "{from} and {to} are together across a fusion-preventing edge")
            }
            Self::Effects(a, b) => write!(f, "{a} and {b} are together and both have an effect"),
            Self::Unrelated(a, b) => {
                write!(f, "{a} and {b} are together but their sizes are unrelated")
            }
            Self::Concestor { nodes: (a, b), missing } => {
                write!(f, "{a} and {b} are together without their concestor {missing}")
            }
            Self::Cycle(cluster) => write!(f, "{cluster} depends on a cluster that depends on it"),
        }
    }
}

/// Checks that a partition is a clustering. The order of its clusters does not matter.
///
/// # Errors
/// The first rule that it breaks.
pub fn legality(
    graph: &Graph,
    clusters: &PrimaryMap<ClusterId, Vec<NodeId>>,
) -> Result<(), Violation> {
    let cluster_of = cluster_of(graph, clusters)?;
    for edge in &graph.edges {
        if edge.kind != EdgeKind::Fusible && cluster_of[edge.from] == cluster_of[edge.to] {
            return Err(Violation::Prevented(edge.from, edge.to));
        }
    }
    let concestors = graph.concestors();
    for nodes in clusters.values().filter(|nodes| nodes.len() > 1) {
        check_iterations(graph, &concestors, &cluster_of, nodes)?;
    }
    acyclic(graph, clusters, &cluster_of)
}

impl Clustered {
    /// Checks the form's invariants, those of the graph included.
    ///
    /// # Errors
    /// The first broken invariant.
    pub fn verify(&self) -> Result<(), String> {
        self.graph.verify()?;
        verify(&self.graph, &self.clusters)
    }
}

/// Checks that clusters are a clustering of the graph, in an order in which they can run.
///
/// # Errors
/// The first broken invariant.
pub fn verify(graph: &Graph, clusters: &Clusters) -> Result<(), String> {
    let Clusters { clusters, report: _ } = clusters;
    legality(graph, clusters).map_err(|violation| violation.to_string())?;
    let cluster_of = cluster_of(graph, clusters).map_err(|violation| violation.to_string())?;
    for edge in &graph.edges {
        if cluster_of[edge.from] > cluster_of[edge.to] {
            return Err(format!("{} runs after {}, which needs it", edge.from, edge.to));
        }
    }
    match clusters.values().find(|nodes| !nodes.is_sorted()) {
        Some(nodes) => Err(format!("{nodes:?} is not in the graph's order")),
        None => Ok(()),
    }
}

fn cluster_of(
    graph: &Graph,
    clusters: &PrimaryMap<ClusterId, Vec<NodeId>>,
) -> Result<SecondaryMap<NodeId, Option<ClusterId>>, Violation> {
    let mut cluster_of: SecondaryMap<NodeId, Option<ClusterId>> = SecondaryMap::new();
    for (id, nodes) in clusters {
        if nodes.is_empty() {
            return Err(Violation::Empty(id));
        }
        for &node in nodes {
            if cluster_of[node].replace(id).is_some() {
                return Err(Violation::NotOnce(node));
            }
        }
    }
    match graph.nodes.keys().find(|&node| cluster_of[node].is_none()) {
        Some(node) => Err(Violation::NotOnce(node)),
        None => Ok(cluster_of),
    }
}

/// From this number of nodes with different sizes on, a cluster looks up all concestors in one pass over its nodes. It
/// only decides the time of the verifier. No benchmark shows it alone.
const MANY: usize = 32;

/// Checks that the nodes of one cluster have the same iteration size, or that their concestors are in the cluster
/// too.
fn check_iterations(
    graph: &Graph,
    concestors: &Concestors,
    cluster_of: &SecondaryMap<NodeId, Option<ClusterId>>,
    nodes: &[NodeId],
) -> Result<(), Violation> {
    if let Some(&barrier) = nodes.iter().find(|&&node| graph.nodes[node].iteration.is_none()) {
        return Err(Violation::Barrier(barrier));
    }
    let mut effects = nodes.iter().filter(|&&node| graph.nodes[node].effect.is_some());
    if let (Some(&a), Some(&b)) = (effects.next(), effects.next()) {
        return Err(Violation::Effects(a, b));
    }
    // Nodes of one size and one parent have the same concestors with other nodes, or are their own concestors. So one
    // of them is enough.
    let lines: IndexMap<_, NodeId> = (nodes.iter().rev())
        .map(|&node| ((concestors.size(node), graph.nodes[node].parent), node))
        .collect();
    let mut firsts: Vec<NodeId> = lines.into_values().collect();
    firsts.sort();
    let check = |a: NodeId, b: NodeId, of: Option<(NodeId, NodeId)>| {
        let (of_a, of_b) = of.ok_or(Violation::Unrelated(a, b))?;
        match [of_a, of_b].into_iter().find(|&node| cluster_of[node] != cluster_of[a]) {
            Some(missing) => Err(Violation::Concestor { nodes: (a, b), missing }),
            None => Ok(()),
        }
    };
    for (at, &a) in firsts.iter().enumerate() {
        let others = &firsts[at + 1..];
        if firsts.len() > MANY {
            let all = concestors.all_of(a);
            others.iter().try_for_each(|&b| check(a, b, all[b]))?;
        } else {
            others.iter().try_for_each(|&b| check(a, b, concestors.of(a, b)))?;
        }
    }
    Ok(())
}

/// Removes clusters that no remaining cluster depends on. The clusters that remain in the end are in a cycle.
fn acyclic(
    graph: &Graph,
    clusters: &PrimaryMap<ClusterId, Vec<NodeId>>,
    cluster_of: &SecondaryMap<NodeId, Option<ClusterId>>,
) -> Result<(), Violation> {
    let between: Vec<(ClusterId, ClusterId)> = (graph.edges.iter())
        .filter_map(|edge| Some((cluster_of[edge.from]?, cluster_of[edge.to]?)))
        .filter(|(from, to)| from != to)
        .collect();
    let mut waits: PrimaryMap<ClusterId, u32> = clusters.keys().map(|_| 0).collect();
    let mut feeds: PrimaryMap<ClusterId, Vec<ClusterId>> =
        clusters.keys().map(|_| vec![]).collect();
    for &(from, to) in &between {
        waits[to] += 1;
        feeds[from].push(to);
    }
    let mut ready: Vec<ClusterId> = clusters.keys().filter(|&id| waits[id] == 0).collect();
    let mut done = 0;
    while let Some(id) = ready.pop() {
        done += 1;
        for &next in &feeds[id] {
            waits[next] -= 1;
            if waits[next] == 0 {
                ready.push(next);
            }
        }
    }
    if done == clusters.len() {
        return Ok(());
    }
    let stuck = clusters.keys().find(|&id| waits[id] > 0);
    Err(Violation::Cycle(stuck.unwrap_or_else(|| ClusterId::new(0))))
}

//! The parts of a graph that can be clustered by themselves. They are the strongly connected components of the graph
//! whose edges are the dependencies, and the pairs in both directions.
//!
//! Invariant: chains of pairs, and cycles among clusters, stay within one component. Components are in the order of
//! their first nodes.
//!
//! ```text
//! sum1 = fold xs; ys = map {sum1} xs; zs = map {sum1} xs   ⇒   {sum1} {ys zs}
//! ```

use std::collections::BTreeSet;

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::analysis::GraphAnalysis;
use super::pairs::Pair;
use super::partition::Partition;
use arrc_syntax::ids::{NodeId, SecondaryMap};

/// A component with pairs or groups, so that there are fusions to decide.
pub(super) struct Component {
    /// Its nodes.
    pub(super) nodes: BTreeSet<NodeId>,
    /// The pairs inside it.
    pub(super) pairs: BTreeSet<Pair>,
}

/// The components that contain a pair or a group of several nodes.
pub(super) fn components(
    facts: &GraphAnalysis<'_>,
    groups: &Partition<'_>,
    pairs: &BTreeSet<Pair>,
) -> Vec<Component> {
    let mut graph: DiGraphMap<NodeId, ()> = DiGraphMap::new();
    for node in facts.graph.nodes.keys() {
        graph.add_node(node);
        for &after in &facts.after[node] {
            graph.add_edge(node, after, ());
        }
    }
    let groups = groups.clusters().into_iter().map(|group| groups.members(group));
    let grouped: Vec<Pair> =
        groups.flat_map(|nodes| nodes.windows(2).map(|two| (two[0], two[1]))).collect();
    for &(a, b) in pairs.iter().chain(&grouped) {
        graph.add_edge(a, b, ());
        graph.add_edge(b, a, ());
    }
    let mut components: Vec<Component> = (tarjan_scc(&graph).into_iter())
        .map(|nodes| Component { nodes: nodes.into_iter().collect(), pairs: BTreeSet::new() })
        .collect();
    components.sort_by_key(|component| component.nodes.first().copied());
    let mut place: SecondaryMap<NodeId, usize> = SecondaryMap::new();
    for (at, component) in components.iter().enumerate() {
        component.nodes.iter().for_each(|&node| place[node] = at);
    }
    for &pair in pairs {
        components[place[pair.0]].pairs.insert(pair);
    }
    let with_groups: BTreeSet<usize> = grouped.iter().map(|&(node, _)| place[node]).collect();
    let mut at = 0..;
    components.retain(|component| {
        let has_groups = at.next().is_some_and(|at| with_groups.contains(&at));
        has_groups || !component.pairs.is_empty()
    });
    components
}

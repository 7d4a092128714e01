//! The parts of a graph that can be clustered by themselves: the strongly connected components of the
//! dependencies together with the pairs, these taken in both directions.
//!
//! Invariant: chains of pairs, and circles among clusters, stay within one component; components are in
//! the order of their first nodes.
//!
//! ```text
//! sum1 = fold xs; ys = map {sum1} xs; zs = map {sum1} xs   ⇒   {sum1} {ys zs}
//! ```

use std::collections::BTreeSet;

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::facts::Facts;
use super::pairs::Pair;
use crate::ids::NodeId;

/// A part of the graph with something to decide.
pub(super) struct Component {
    /// Its nodes.
    pub(super) nodes: BTreeSet<NodeId>,
    /// The pairs within.
    pub(super) pairs: BTreeSet<Pair>,
}

/// The components that have pairs.
pub(super) fn components(facts: &Facts<'_>, pairs: &BTreeSet<Pair>) -> Vec<Component> {
    let mut graph: DiGraphMap<NodeId, ()> = DiGraphMap::new();
    for node in facts.graph.nodes.keys() {
        graph.add_node(node);
        for &after in &facts.after[node] {
            graph.add_edge(node, after, ());
        }
    }
    for &(a, b) in pairs {
        graph.add_edge(a, b, ());
        graph.add_edge(b, a, ());
    }
    let mut components: Vec<Component> = (tarjan_scc(&graph).into_iter())
        .map(|nodes| Component { nodes: nodes.into_iter().collect(), pairs: BTreeSet::new() })
        .collect();
    components.sort_by_key(|component| component.nodes.first().copied());
    for component in &mut components {
        let inside =
            |&&(a, b): &&Pair| component.nodes.contains(&a) && component.nodes.contains(&b);
        component.pairs = pairs.iter().filter(inside).copied().collect();
    }
    components.retain(|component| !component.pairs.is_empty());
    components
}

//! Tests of the strategies: the papers' programs, and random graphs against the oracle.
//!
//! Invariant: every clustering here has been verified by [`cluster`](super::cluster) itself.
//!
//! ```text
//! the table of expected loops: unfused, stream, Megiddo, ours
//! ```

mod ideals;
mod large;
mod paper;
mod programs;
mod random_graphs;
mod separation;
mod work_bound;

use crate::clusters::{Clustered, Clusters, Method, Strategy};
use crate::graph::Graph;

/// The clusters by the traffic model.
fn cluster(graph: &Graph, strategy: Strategy) -> Clusters {
    super::cluster(graph, Method { strategy, ..Method::default() })
}

/// The text of a graph with its clusters.
fn shown(graph: &Graph, clusters: &Clusters) -> String {
    Clustered { graph: graph.clone(), clusters: clusters.clone() }.to_string()
}

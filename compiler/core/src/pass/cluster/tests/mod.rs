//! Tests of the strategies: the papers' programs, and random graphs against the oracle.
//!
//! Invariant: every clustering here has been verified by [`cluster`](super::cluster) itself.
//!
//! ```text
//! the table of expected loops: unfused, stream, Megiddo, ours
//! ```

mod large;
mod paper;
mod programs;
mod random;
mod separation;
mod simplex;
mod work;

use crate::ir::clusters::{Clusters, CostModel, Strategy};
use crate::ir::graph::Graph;

/// By the traffic model.
fn cluster(graph: &Graph, strategy: Strategy) -> Clusters {
    super::cluster(graph, strategy, CostModel::Traffic)
}

//! The clusters as text: one line a cluster, in the order in which they run, and the report.
//!
//! Invariant: deterministic; the names are the graph's.
//!
//! ```text
//! normalize2
//!   {sum1 gts sum2}
//!   {ys1 ys2}
//!   ilp, optimal: 2 reads, 2 writes, 0 intermediates
//! ```

use std::fmt;

use super::{Clustered, Clusters, Proof};
use crate::graph::Graph;
use arrc_syntax::ids::NodeId;

impl Clusters {
    /// One cluster: `{sum1 gts sum2}`.
    #[must_use]
    pub fn show_cluster(graph: &Graph, nodes: &[NodeId]) -> String {
        let names: Vec<String> = nodes.iter().map(|&node| graph.label(node)).collect();
        format!("{{{}}}", names.join(" "))
    }
}

impl fmt::Display for Clustered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.graph.name)?;
        for nodes in self.clusters.clusters.values() {
            writeln!(f, "  {}", Clusters::show_cluster(&self.graph, nodes))?;
        }
        let report = &self.clusters.report;
        let objective =
            report.objective.map_or_else(String::new, |value| format!("objective {value}, "));
        writeln!(
            f,
            "  {}{}: {objective}{}, {}, {}",
            report.method.strategy.name(),
            match report.proof {
                Proof::None => "",
                Proof::Cost => ", optimal in traffic and intermediates",
                Proof::Passes => ", optimal",
            },
            count(report.reads, "read"),
            count(report.writes, "write"),
            count(report.intermediates, "intermediate"),
        )
    }
}

fn count(number: u32, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

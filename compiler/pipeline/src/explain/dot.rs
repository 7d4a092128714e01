//! Explanations as a drawing for Graphviz: the dependency graph with a box around each cluster, as in figure 1.1 of
//! 001.
//!
//! Invariant: an edge is drawn solid where it may be inside a pass, and dashed where it prevents fusion.
//!
//! ```text
//! digraph { subgraph cluster_0 { "sum1"; "gts"; "sum2" } "gts" -> "sum2"; "sum1" -> "ys1" [style=dashed] }
//! ```

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::Plan;
use arrc_fusion::clusters::Clustered;
use arrc_fusion::graph::{EdgeKind, Graph, Kind};
use arrc_syntax::ids::NodeId;

/// The body of a drawing of one block, whose names begin with the prefix.
#[must_use]
pub fn dot(plan: &Plan, prefix: &str) -> String {
    let Clustered { graph, clusters } = &plan.block;
    let name = |node: NodeId| quoted(&format!("{prefix}{}", graph.label(node)));
    let mut text = format!(
        "  subgraph {} {{\n    label={};\n",
        quoted(&format!("cluster_{prefix}")),
        quoted(&graph.name)
    );
    for (id, nodes) in &clusters.clusters {
        let style = if is_barrier(graph, nodes) { "style=invis" } else { "style=rounded" };
        let _ = writeln!(text, "    subgraph {} {{", quoted(&format!("cluster_{prefix}{id}")));
        let _ = writeln!(text, "      label=\"\"; {style};");
        for &node in nodes {
            let label = format!("{}\n{}", graph.label(node), graph.nodes[node].kind.name());
            let _ = writeln!(text, "      {} [label={}, shape=box];", name(node), quoted(&label));
        }
        text.push_str("    }\n");
    }
    // Several arrays between two nodes make one arrow.
    let mut arrows = BTreeSet::new();
    for edge in &graph.edges {
        let style = match edge.kind {
            EdgeKind::Fusible => "",
            EdgeKind::Preventing(_) => " [style=dashed]",
        };
        if arrows.insert((edge.from, edge.to, style)) {
            let _ = writeln!(text, "    {} -> {}{style};", name(edge.from), name(edge.to));
        }
    }
    text + "  }\n"
}

fn is_barrier(graph: &Graph, nodes: &[NodeId]) -> bool {
    nodes.iter().all(|&node| graph.nodes[node].kind == Kind::Barrier)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

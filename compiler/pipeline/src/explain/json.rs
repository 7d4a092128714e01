//! Explanations as JSON.
//!
//! Invariant: `docs/src/explain.md` describes every field, and a field is always there.
//!
//! ```text
//! {"block":"normalize2","clusters":[["sum1","gts","sum2"],["ys1","ys2"]],"reads":2,"writes":2,…}
//! ```

use super::{Cluster, Explanation, Node, Separation, SeparationReason};
use arrc_fusion::clusters::{Proof, Report};
use arrc_fusion::rematerialise::Recomputed;
use arrc_syntax::diagnostics::object;
use arrc_syntax::json::{Value, json, place};
use arrc_syntax::source::Sources;

impl Explanation {
    /// The object of one block.
    #[must_use]
    pub fn json(&self, sources: &Sources) -> Value {
        let names = |nodes: &[usize]| -> Vec<&str> {
            nodes.iter().map(|&node| self.nodes[node].name.as_str()).collect()
        };
        let clusters = self.clusters.iter();
        json!({
            "block": self.name,
            "scheme": self.scheme,
            "nodes": self.nodes.iter().map(|node| self::node(node, sources)).collect::<Vec<_>>(),
            "clusters": clusters.clone().map(|cluster| names(&cluster.nodes)).collect::<Vec<_>>(),
            "arrays": clusters.map(arrays).collect::<Vec<_>>(),
            "recomputed": self.recomputed.iter().map(recomputed).collect::<Vec<_>>(),
            "cuts": self.cuts.iter().map(|cut| self.cut(cut)).collect::<Vec<_>>(),
            "hints": self.hints.iter().map(|hint| object(hint, sources)).collect::<Vec<_>>(),
            "reads": self.report.reads,
            "writes": self.report.writes,
            "intermediates": self.report.intermediates,
            "traffic": self.report.traffic,
            "allocated": self.allocated.as_ref().map(ToString::to_string),
            "strided": self.strided,
            "optimal": self.report.proof != Proof::None,
            "fewest_passes": self.report.proof == Proof::Passes,
            "strategy": self.report.method.strategy.name(),
            "solver": self.report.method.solver.name(),
            "strategies": self.strategies.iter().map(strategy).collect::<Vec<_>>(),
        })
    }

    fn cut(&self, cut: &Separation) -> Value {
        let name = |node: usize| self.nodes[node].name.as_str();
        json!({
            "nodes": [name(cut.nodes.0), name(cut.nodes.1)],
            "reason": cut.why.name(),
            "text": self.sentence(cut),
        })
    }
}

impl SeparationReason {
    /// The name in JSON.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Edge(reason, _) => reason.name(),
            Self::Barrier(_) => "barrier",
            Self::View(_) => "view",
            Self::Constant(_) => "constant",
            Self::External(_) => "external",
            Self::Effects => "effects",
            Self::Sizes => "sizes",
            Self::Between(_) => "between",
            Self::Concestors(..) => "concestors",
            Self::Dearer { .. } => "dearer",
            Self::NoBetter => "no-better",
            Self::NotSought => "not-sought",
            Self::Unknown => "unknown",
        }
    }
}

fn node(node: &Node, sources: &Sources) -> Value {
    let (file, start, end) = place(node.span, sources);
    json!({
        "name": node.name,
        "kind": node.kind.name(),
        "size": node.size,
        "file": file,
        "start": start,
        "end": end,
    })
}

fn arrays(cluster: &Cluster) -> Value {
    json!({"reads": cluster.reads, "writes": cluster.writes, "registers": cluster.registers})
}

fn recomputed(Recomputed { name, times, operations }: &Recomputed) -> Value {
    json!({"name": name, "times": times, "operations": operations})
}

pub(super) fn strategy(report: &Report) -> Value {
    json!({
        "strategy": report.method.strategy.name(),
        "reads": report.reads,
        "writes": report.writes,
        "intermediates": report.intermediates,
        "traffic": report.traffic,
    })
}

//! Explanations as text: the block as a tree of clusters, the separations in plain words, the strategies side by
//! side.
//!
//! Invariant: deterministic; nodes have the names of the program.
//!
//! ```text
//! normalize2 : ∀n. (xs : n) → (ys1 : n, ys2 : n)
//!   pass 1 over n: reduce sum1, filter gts, reduce sum2
//!     reads xs; keeps gts in registers
//!   pass 2 over n: map ys1, map ys2
//!     reads xs; writes ys1, ys2
//!   2 passes, 2 reads, 2 writes, no intermediate arrays: proven optimal
//!   a call allocates at most 2 arrays
//!   none 5 + 3, stream 4 + 2, megiddo 3 + 3, greedy 2 + 2, ilp 2 + 2 (arrays read + written)
//! ```

use std::fmt;

use super::{Cluster, Explanation, Node, Separation, SeparationReason};
use arrc_fusion::clusters::{Proof, Report, Strategy};
use arrc_fusion::graph::{Kind, PreventReason};
use arrc_fusion::rematerialise::Recomputed;
use arrc_syntax::diagnostics::wrapped;

/// The maximum number of characters in a line.
const WIDTH: usize = 110;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.header(f)?;
        for cluster in &self.clusters {
            self.cluster(f, cluster)?;
        }
        let passes = self.clusters.iter().filter(|cluster| self.is_pass(cluster)).count();
        for recomputed in &self.recomputed {
            writeln!(f, "  {}", self::recomputed(recomputed))?;
        }
        writeln!(f, "  {}", self.summary(passes))?;
        if let Some(allocated) = &self.allocated {
            writeln!(f, "  a call allocates {}", allocated.arrays())?;
        }
        writeln!(f, "  {}", self.comparison())
    }
}

impl Node {
    /// The kind and the name of the node, or the label that contains both.
    fn shown(&self) -> String {
        if self.is_named {
            format!("{} {}", self.kind.name(), self.name)
        } else {
            self.name.clone()
        }
    }
}

/// The names of arrays. Names with one stem are joined: `at_x, at_y, mass` become `at_{x,y}, mass`.
pub(super) fn grouped_names(arrays: &[String]) -> Vec<String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for array in arrays {
        let (stem, part) = split(array);
        match groups.last_mut() {
            Some((last, parts)) if *last == stem && !part.is_empty() => parts.push(part),
            Some(_) | None => groups.push((stem, vec![part])),
        }
    }
    let shown = |(stem, parts): &(String, Vec<&str>)| match (&parts[..], stem.strip_prefix(OF)) {
        ([part], Some(node)) => format!("part {part} of {node}"),
        (_, Some(node)) => format!("{} parts of {node}", parts.len()),
        ([part], None) => format!("{stem}{part}"),
        (_, None) => format!("{stem}{{{}}}", parts.join(",")),
    };
    groups.iter().map(shown).collect()
}

/// The stem of an array without a name begins with this, if the array is one of several results of a node.
const OF: &str = " of ";

/// The stem of a name, and its last component.
fn split(array: &str) -> (String, &str) {
    if let Some(rest) = array.strip_prefix("part ")
        && let Some((part, node)) = rest.split_once(OF)
    {
        return (format!("{OF}{node}"), part);
    }
    let place = if array.contains(' ') { None } else { array.rfind('_') };
    match place {
        Some(at) if at > 0 => (array[..=at].to_owned(), &array[at + 1..]),
        Some(_) | None => (array.to_owned(), ""),
    }
}

/// What the names of the parts of one array have in common.
pub(super) fn stem(array: &str) -> String {
    split(array).0
}

/// Writes a line. If it is too long, the next lines begin with `indent`.
fn write_wrapped(f: &mut fmt::Formatter<'_>, line: &str, indent: &str) -> fmt::Result {
    writeln!(f, "{}", wrapped(line, WIDTH, indent))
}

/// The line about an array that is computed where it is read.
fn recomputed(Recomputed { name, times, operations }: &Recomputed) -> String {
    let array = name.as_deref().unwrap_or("an array without a name");
    match times {
        0 | 1 => format!("computes {array} where it is read, and does not store it"),
        _ => format!(
            "computes {array} {times} times ({operations} operations an element), and does not store it"
        ),
    }
}

impl Explanation {
    /// A separation in plain words, as a sentence without its full stop.
    #[must_use]
    pub fn sentence(&self, cut: &Separation) -> String {
        let name = |node: usize| format!("`{}`", self.nodes[node].name);
        let (a, b) = (name(cut.nodes.0), name(cut.nodes.1));
        match &cut.why {
            SeparationReason::Edge(reason, via) => self.edge(*reason, via, cut),
            SeparationReason::Barrier(node) => format!(
                "{} is a barrier: {}",
                name(*node),
                "its arrays are in memory before and after it"
            ),
            SeparationReason::View(node) => format!(
                "{} is another shape, or a part, of an array that must be in memory for that",
                name(*node)
            ),
            SeparationReason::Constant(node) => {
                format!(
                    "{} is a constant array: it is data of the program, and no pass makes it",
                    name(*node)
                )
            }
            SeparationReason::External(node) => format!(
                "{} comes from an external, a C function, which takes whole arrays and gives whole arrays",
                name(*node)
            ),
            SeparationReason::Effects => format!(
                "{a} and {b} both have an effect, and {a} comes first: a pass has at most one effect"
            ),
            SeparationReason::Sizes => format!(
                "{a} takes {} steps and {b} {}, and nothing that both are filtered from connects them",
                self.size(cut.nodes.0),
                self.size(cut.nodes.1)
            ),
            SeparationReason::Between(path) => {
                let path: Vec<String> = path.iter().map(|&node| name(node)).collect();
                format!("{} must run after {a} and before {b}", path.join(", then "))
            }
            SeparationReason::Concestors(of_a, of_b) => format!(
                "{a} and {b} take different numbers of steps, and {} and {}, which they come from, \
                 cannot share a pass",
                name(*of_a),
                name(*of_b)
            ),
            SeparationReason::Dearer { traffic, intermediates } => {
                format!("{a} and {b} could share a pass, but {}", dearer(*traffic, *intermediates))
            }
            SeparationReason::NoBetter => {
                format!("{a} and {b} could share a pass, and nothing would be saved by it")
            }
            SeparationReason::NotSought => {
                format!("{a} and {b} could share a pass, but this strategy does not look for it")
            }
            SeparationReason::Unknown => format!(
                "{a} and {b} could share a pass; what that would cost was not found out within the \
                 bound on the search"
            ),
        }
    }

    fn edge(&self, reason: PreventReason, via: &str, cut: &Separation) -> String {
        let name = |node: usize| format!("`{}`", self.nodes[node].name);
        let (a, b) = (name(cut.nodes.0), name(cut.nodes.1));
        match reason {
            PreventReason::Scalar | PreventReason::Fold => {
                format!("{b} needs `{via}`, which is known only when {a} has seen all elements")
            }
            PreventReason::Whole => {
                format!("{b} reads `{via}` at random, so {a} must have written all of it")
            }
            PreventReason::Length => {
                format!(
                    "{b} needs the length of `{via}`, which is known only when {a} has finished"
                )
            }
            PreventReason::Size => {
                format!(
                    "{b} takes {} steps and reads `{via}` at a rate that no pass shares with {a}, which \
                     takes {}",
                    self.size(cut.nodes.1),
                    self.size(cut.nodes.0)
                )
            }
            PreventReason::Barrier => format!("{a} or {b} is a barrier"),
            PreventReason::Effect => {
                format!("{a} and {b} both have an effect, and {a} comes first")
            }
        }
    }

    fn size(&self, node: usize) -> &str {
        self.nodes[node].size.as_deref().unwrap_or("an unknown number of")
    }

    fn is_barrier(&self, cluster: &Cluster) -> bool {
        cluster.nodes.iter().all(|&node| self.nodes[node].kind == Kind::Barrier)
    }

    /// Whether a cluster is a pass over data.
    pub(super) fn is_pass(&self, cluster: &Cluster) -> bool {
        !self.is_barrier(cluster) && !cluster.is_fill
    }

    /// The line with the name of the block and its sizes.
    pub(super) fn header(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_wrapped(f, &format!("{} : {}", self.name, self.scheme), "    ")
    }

    /// The first line of a cluster: its nodes and its size.
    pub(super) fn first_line(&self, f: &mut fmt::Formatter<'_>, cluster: &Cluster) -> fmt::Result {
        let nodes: Vec<String> =
            cluster.nodes.iter().map(|&node| self.nodes[node].shown()).collect();
        let first = if self.is_barrier(cluster) {
            format!("  {}", nodes.join(", "))
        } else {
            // The size of the loop is the size of the nodes that are not inside a filter of the cluster.
            let size = cluster.nodes.first().map_or("", |&node| self.size(node));
            let what =
                cluster.number.map_or_else(|| "fill".to_string(), |pass| format!("pass {pass}"));
            format!("  {what} over {size}: {}", nodes.join(", "))
        };
        write_wrapped(f, &first, "      ")
    }

    fn cluster(&self, f: &mut fmt::Formatter<'_>, cluster: &Cluster) -> fmt::Result {
        self.first_line(f, cluster)?;
        let list = |verb: &str, arrays: &[String], rest: &str| {
            (!arrays.is_empty())
                .then(|| format!("{verb} {}{rest}", grouped_names(arrays).join(", ")))
        };
        let parts: Vec<String> = [
            list("reads", &cluster.reads, ""),
            list("writes", &cluster.writes, ""),
            list("keeps", &cluster.registers, " in registers"),
        ]
        .into_iter()
        .flatten()
        .collect();
        if parts.is_empty() {
            return Ok(());
        }
        write_wrapped(f, &format!("    {}", parts.join("; ")), "      ")
    }

    fn summary(&self, passes: usize) -> String {
        let report = &self.report;
        let proof = match (report.method.strategy, report.proof) {
            (Strategy::Ilp, Proof::Passes) => "proven optimal",
            (Strategy::Ilp, Proof::Cost) => {
                "proven optimal in reads, writes and intermediate arrays, not in passes"
            }
            (Strategy::Megiddo, Proof::Passes) => "proven optimal among passes over one size",
            (Strategy::Megiddo, Proof::Cost) => {
                "proven optimal in reads, writes and intermediate arrays, not in passes, among passes over one size"
            }
            (Strategy::Ilp | Strategy::Megiddo, Proof::None) => {
                "the search was given up at its bound, and this is the best that it found"
            }
            (Strategy::None | Strategy::Stream | Strategy::Greedy, _) => {
                "not searched for the optimum"
            }
        };
        format!(
            "{}, {}, {}, {}: {proof}",
            count(passes, "pass", "passes"),
            count(report.reads as usize, "read", "reads"),
            count(report.writes as usize, "write", "writes"),
            count(report.intermediates as usize, "intermediate array", "intermediate arrays"),
        )
    }

    fn comparison(&self) -> String {
        let one = |report: &Report| {
            format!("{} {} + {}", report.method.strategy.name(), report.reads, report.writes)
        };
        let all: Vec<String> = self.strategies.iter().map(one).collect();
        format!("{} (arrays read + written)", all.join(", "))
    }
}

fn dearer(traffic: u64, intermediates: u32) -> String {
    match (traffic, intermediates) {
        (0, more) => format!(
            "then {} would be written",
            count(more as usize, "intermediate array more", "intermediate arrays more")
        ),
        (traffic, _) => format!(
            "then {} would be read or written",
            count(usize::try_from(traffic).unwrap_or(usize::MAX), "array more", "arrays more")
        ),
    }
}

pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        0 => format!("no {many}"),
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

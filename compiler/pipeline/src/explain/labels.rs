//! The labels of the nodes, arrays and sizes of the blocks of a function in their explanations.
//!
//! Names that the user gave stay. The label of a node without a name has its line, and either its operation or the
//! library function that the user called there. If several nodes have one label, all but the first get a number.
//!
//! Invariant: the labels of the nodes of a function differ from each other, and so do those of its arrays; an array has
//! one label in all blocks; no name that a pass generated is a label.
//!
//! ```text
//! total = f64.sum (map f xs)          ⇒   map (line 3), total
//! map2 (\x y -> …) (map f xs) ys      ⇒   map (line 4), map (line 4) #2
//! ```

use std::collections::BTreeMap;

use indexmap::IndexMap;

use arrc_fusion::graph::{ArrayInfo, Graph, Iteration, Node, Size};
use arrc_syntax::ids::{EntityRef, NodeId, SizeId, VarId};
use arrc_syntax::source::{Calls, Sources, Span};

/// The labels of a block.
pub(super) struct Labels<'a> {
    graph: &'a Graph,
    nodes: Vec<Label>,
    arrays: IndexMap<VarId, String>,
    sizes: IndexMap<SizeId, String>,
}

/// The labels of a node.
pub(super) struct Label {
    pub(super) text: String,
    /// Whether the user named the node.
    pub(super) is_name: bool,
    /// The place in the user's files that the node comes from.
    pub(super) span: Span,
    /// The library function that the user calls at that place, if the node is code of the library.
    pub(super) library: Option<String>,
    /// The library function, or else the operation.
    pub(super) what: String,
}

/// The labels so far of the blocks of a function.
#[derive(Default)]
pub(super) struct FunctionLabels {
    arrays: IndexMap<VarId, String>,
    sizes: IndexMap<SizeId, String>,
    used_by_nodes: LabelCounts,
    used_by_arrays: LabelCounts,
    used_by_sizes: LabelCounts,
}

impl<'a> Labels<'a> {
    /// The labels of a block, behind those of earlier blocks of its function. `calls` are the calls from which library
    /// code comes.
    pub(super) fn new(
        graph: &'a Graph,
        sources: &Sources,
        calls: &Calls,
        of_function: &mut FunctionLabels,
    ) -> Self {
        let nodes = of_function.nodes(graph, sources, calls);
        let arrays = of_function.arrays(graph, &nodes);
        let sizes = of_function.sizes(graph);
        Self { graph, nodes, arrays, sizes }
    }

    /// The arrays of the block, each with its label.
    pub(super) fn arrays(&self) -> impl Iterator<Item = (VarId, &str)> {
        self.arrays.iter().map(|(&var, label)| (var, label.as_str()))
    }

    pub(super) fn node(&self, node: NodeId) -> &Label {
        &self.nodes[node.index()]
    }

    /// The label of an array or a scalar.
    pub(super) fn variable(&self, var: VarId) -> String {
        if let Some(array) = self.arrays.get(&var) {
            return array.clone();
        }
        let binds = |id: &NodeId| {
            let bind = self.graph.nodes[*id].bind;
            self.graph.block.binds[bind].vars.contains(&var)
        };
        let producer = self.graph.nodes.keys().find(binds);
        producer.map_or_else(|| var.to_string(), |node| self.node(node).text.clone())
    }

    /// The label of an iteration size.
    pub(super) fn size(&self, size: &Iteration) -> String {
        self.graph.show_size(size, &|id| self.size_name(id))
    }

    /// The size scheme of the block.
    pub(super) fn scheme(&self) -> String {
        self.graph.scheme(&|var| self.variable(var), &|id| self.size_name(id))
    }

    fn size_name(&self, id: SizeId) -> String {
        self.sizes.get(&id).map_or_else(|| id.to_string(), String::clone)
    }
}

/// The place in the user's files from which code comes. If it is code of the library, also the name of the library
/// function that is called at that place.
pub(super) fn user_place(span: Span, sources: &Sources, calls: &Calls) -> (Option<String>, Span) {
    let (mut called, mut place) = (None, span);
    while sources.get(place.file).is_library
        && let Some(call) = calls.get(place.calls)
    {
        called = Some(call.name.to_string());
        place = call.at;
    }
    (called, place)
}

impl FunctionLabels {
    fn nodes(&mut self, graph: &Graph, sources: &Sources, calls: &Calls) -> Vec<Label> {
        let mut label = |node: &Node| {
            let bind = &graph.block.binds[node.bind];
            let (library, span) = user_place(bind.span, sources, calls);
            let name = bind.vars.first().filter(|var| graph.given.contains(*var));
            let what = library.clone().unwrap_or_else(|| bind.op.name().to_owned());
            let text = if name.is_some() {
                self.used_by_nodes.unique(&node.name, " #")
            } else {
                let line = sources.line_col(span).line;
                self.used_by_nodes.unique(&format!("{what} (line {line})"), " #")
            };
            Label { text, is_name: name.is_some(), span, library, what }
        };
        graph.nodes.values().map(&mut label).collect()
    }

    fn arrays(&mut self, graph: &Graph, nodes: &[Label]) -> IndexMap<VarId, String> {
        let mut label = |(&var, array): (&VarId, &ArrayInfo)| {
            if let Some(known) = self.arrays.get(&var) {
                return (var, known.clone());
            }
            let text = match array.producer {
                _ if graph.given.contains(&var) => array.name.to_string(),
                None => "an input".to_owned(),
                Some(node) => {
                    let of = &nodes[node.index()].text;
                    let writes = &graph.nodes[node].writes;
                    let part = writes.iter().position(|&other| other == var).unwrap_or(0) + 1;
                    let part =
                        if writes.len() > 1 { format!("part {part} of ") } else { String::new() };
                    format!("{part}{of}")
                }
            };
            let label = self.used_by_arrays.unique(&text, " #");
            self.arrays.insert(var, label.clone());
            (var, label)
        };
        graph.arrays.iter().map(&mut label).collect()
    }

    fn sizes(&mut self, graph: &Graph) -> IndexMap<SizeId, String> {
        let label = |(&id, size): (&SizeId, &Size)| {
            let new = || self.used_by_sizes.unique(&size.name, "");
            (id, self.sizes.entry(id).or_insert_with(new).clone())
        };
        graph.sizes.iter().map(label).collect()
    }
}

/// The number of occurrences of each label.
#[derive(Default)]
struct LabelCounts(BTreeMap<String, usize>);

impl LabelCounts {
    /// The text itself for its first use, and the text with a number for later uses.
    fn unique(&mut self, text: &str, mark: &str) -> String {
        let count = self.0.entry(text.to_owned()).or_default();
        *count += 1;
        let label = if *count == 1 { text.to_owned() } else { format!("{text}{mark}{count}") };
        // A user's name may look like a label with a number.
        if label == text || !self.0.contains_key(&label) {
            self.0.entry(label.clone()).or_insert(1);
            return label;
        }
        self.unique(text, mark)
    }
}

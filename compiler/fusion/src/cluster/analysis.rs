//! The facts of a graph that every strategy needs: the nodes that could share a pass, and the nodes that read or
//! write each array.
//!
//! Invariant: `can` is symmetric. It is the greatest relation with its property, so it contains each pair of nodes
//! that shares a cluster in any legal clustering.
//!
//! ```text
//! ys = map xs; sum = fold ys; zs = map {sum} ys
//! ⇒ can(ys, sum), not can(ys, zs): the way through sum is fusion-preventing
//! ```

use std::collections::BTreeSet;

use arrc_syntax::ids::entity_impl;
use indexmap::IndexMap;

use super::lineage::Lineages;
use super::model::{Bundle, bundles};
use super::pairs::Pair;
use super::relation::Relation;
use super::weights::weights;
use crate::graph::{Concestors, EdgeKind, Graph};
use arrc_syntax::ids::{EntityRef, NodeId, PrimaryMap, SecondaryMap, VarId};

/// The nodes of different sizes that a strategy admits into one pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SizeCompatibility {
    /// None (Megiddo and Sarkar).
    EqualSizes,
    /// Those with compatible concestors (001, section 1.3.6).
    Related,
}

/// The analysis of a graph, which every strategy uses.
pub(super) struct GraphAnalysis<'a> {
    /// The graph.
    pub(super) graph: &'a Graph,
    /// The concestors that nodes of different sizes need to share a pass.
    concestors: Concestors,
    /// The concestors of all pairs.
    lines: Lineages,
    /// Whether there is a path from the first to the second.
    pub(super) reach: Relation,
    /// Whether a path from the first to the second has a fusion-preventing edge.
    pub(super) prevented: Relation,
    /// Whether the two could share a pass.
    pub(super) can: Relation,
    /// The nodes that depend on the node, each once.
    pub(super) after: SecondaryMap<NodeId, Vec<NodeId>>,
    /// The nodes that the node depends on, each once.
    pub(super) before: SecondaryMap<NodeId, Vec<NodeId>>,
    /// The arrays, in the graph's order.
    pub(super) arrays: PrimaryMap<ArrayId, ArrayUse>,
    /// The arrays that a node streams or makes.
    pub(super) touched: SecondaryMap<NodeId, Vec<ArrayId>>,
    /// The arrays in bundles.
    pub(super) bundles: Vec<Bundle>,
    /// The bundle of each array.
    pub(super) bundle_of: SecondaryMap<ArrayId, usize>,
}

/// An id of an array in [`GraphAnalysis::arrays`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ArrayId(u32);
entity_impl!(ArrayId, "array");

/// An array, its maker and its readers.
#[derive(Clone, Debug)]
pub(super) struct ArrayUse {
    /// The node that makes it. There is none if the array exists before the block, or is a view.
    pub(super) producer: Option<NodeId>,
    /// The nodes that stream it, in order.
    pub(super) streams: Vec<NodeId>,
    /// The number of nodes that need it whole.
    pub(super) whole: u32,
    /// Whether it is a result of the block.
    pub(super) output: bool,
    /// Whether it is written in every clustering.
    pub(super) kept: bool,
    /// The cost of reading or writing it.
    pub(super) weight: u64,
}

impl ArrayUse {
    /// The numbers of reads and writes. `cluster` gives the pass of a node.
    pub(super) fn accesses<C: Ord + Copy>(&self, cluster: impl Fn(NodeId) -> C) -> (u32, u32) {
        let home = self.producer.map(&cluster);
        let readers: BTreeSet<C> = (self.streams.iter())
            .map(|&node| cluster(node))
            .filter(|&reader| Some(reader) != home)
            .collect();
        let streamed = u32::try_from(readers.len()).expect("there are fewer than 2^32 nodes");
        let reads = streamed + self.whole;
        let written = self.producer.is_some() && (self.kept || reads > 0);
        (reads, u32::from(written))
    }
}

impl<'a> GraphAnalysis<'a> {
    /// Computes the facts on a graph.
    pub(super) fn new(graph: &'a Graph, admit: SizeCompatibility) -> Self {
        let count = graph.nodes.len();
        let (mut after, mut before) = (SecondaryMap::new(), SecondaryMap::new());
        for edge in &graph.edges {
            insert(&mut after[edge.from], edge.to);
            insert(&mut before[edge.to], edge.from);
        }
        let arrays = arrays(graph, &weights(graph));
        let mut touched: SecondaryMap<NodeId, Vec<ArrayId>> = SecondaryMap::new();
        for (index, array) in &arrays {
            for &node in array.producer.iter().chain(&array.streams) {
                touched[node].push(index);
            }
        }
        let (bundles, bundle_of) = bundles(&arrays);
        let reach = reach_over(graph, EdgeSet::All);
        let concestors = graph.concestors();
        let lines = Lineages::new(graph, &concestors);
        let mut facts = Self {
            graph,
            concestors,
            lines,
            reach,
            prevented: reach_over(graph, EdgeSet::WithPreventing),
            can: Relation::empty(count),
            after,
            before,
            arrays,
            touched,
            bundles,
            bundle_of,
        };
        facts.can = facts.greatest_fixpoint(admit);
        facts
    }

    /// The compatible concestors of two nodes of different sizes that can share a pass. Nodes of the same size need
    /// none, and have none here.
    pub(super) fn concestors(&self, a: NodeId, b: NodeId) -> Option<(NodeId, NodeId)> {
        if self.same_size(a, b) { None } else { self.lines.concestors(a, b) }
    }

    /// The array's name, for people.
    pub(super) fn array_label(&self, array: ArrayId) -> String {
        let (&var, _) =
            self.graph.arrays.get_index(array.index()).expect("the table has every array");
        self.graph.array_label(var)
    }

    /// The pairs without a fusion-preventing path between them, with any sizes. The earlier node is first (`possible`
    /// in 001, figure 1.13).
    pub(super) fn possible_pairs(&self) -> Vec<Pair> {
        let nodes = || self.graph.nodes.keys();
        let pairs = nodes().flat_map(|i| nodes().filter(move |&j| i < j).map(move |j| (i, j)));
        pairs.filter(|&(i, j)| !self.prevented.has(i, j)).collect()
    }

    /// `can` is a greatest fixpoint. It starts from all pairs that sizes and paths allow. Then pairs are removed
    /// whose requirements are not in it, until there are none.
    fn greatest_fixpoint(&self, admit: SizeCompatibility) -> Relation {
        let mut can = self.possible(admit);
        let reached_from = self.reach.transposed();
        loop {
            let mut changed = false;
            for a in self.graph.nodes.keys() {
                for b in self.graph.nodes.keys().filter(|&b| a < b) {
                    if can.has(a, b) && !self.supported(&can, &reached_from, (a, b)) {
                        can.set(a, b, false);
                        can.set(b, a, false);
                        changed = true;
                    }
                }
            }
            if !changed {
                return can;
            }
        }
    }

    /// The line of a node. Two nodes of one line have the same concestors with any other node, except that a node may
    /// be a concestor itself: see [`Lineages`].
    pub(super) fn line(&self, node: NodeId) -> (Option<u32>, Option<NodeId>) {
        (self.concestors.size(node), self.graph.parent(node))
    }

    fn same_size(&self, a: NodeId, b: NodeId) -> bool {
        let size = self.concestors.size(a);
        size.is_some() && size == self.concestors.size(b)
    }

    /// Pairs of known sizes that are equal or have concestors, with no fusion-preventing path between. A node is
    /// related to itself if it may share a pass at all.
    fn possible(&self, admit: SizeCompatibility) -> Relation {
        let mut can = self.related(admit);
        for a in self.graph.nodes.keys() {
            for b in self.graph.nodes.keys().filter(|&b| a <= b) {
                if can.has(a, b) && self.prevented.has(a, b) {
                    can.set(a, b, false);
                    can.set(b, a, false);
                }
            }
        }
        can
    }

    /// Pairs whose sizes a strategy admits into one pass. The sizes are equal, or the transducer that one node comes
    /// from is related to the other node.
    fn related(&self, admit: SizeCompatibility) -> Relation {
        let mut related = Relation::empty(self.graph.nodes.len());
        let parent = |node: NodeId| match admit {
            SizeCompatibility::EqualSizes => None,
            SizeCompatibility::Related => self.graph.parent(node),
        };
        // Nodes come after their parents.
        for a in self.graph.nodes.keys() {
            for b in self.graph.nodes.keys().filter(|&b| a <= b) {
                let sizes = self.same_size(a, b)
                    || parent(a).is_some_and(|of_a| related.has(of_a, b))
                    || parent(b).is_some_and(|of_b| related.has(a, of_b));
                if sizes {
                    related.set(a, b, true);
                    related.set(b, a, true);
                }
            }
        }
        related
    }

    /// Whether the requirements of a pair can share its pass: its concestors, and all nodes on the paths between its
    /// nodes.
    fn supported(&self, can: &Relation, reached_from: &Relation, (a, b): Pair) -> bool {
        let concestors = (self.concestors(a, b))
            .is_none_or(|(of_a, of_b)| can.has(of_a, a) && can.has(of_b, b) && can.has(of_a, of_b));
        if !concestors || !self.reach.has(a, b) {
            return concestors;
        }
        // Nodes are in topological order: a path can only lead from a to b.
        let between = self.reach.row(a).iter().zip(reached_from.row(b)).map(|(a, b)| a & b);
        let with_both = can.row(a).iter().zip(can.row(b)).map(|(a, b)| a & b);
        between.zip(with_both).all(|(between, with_both)| between & !with_both == 0)
    }
}

/// The paths that count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EdgeSet {
    /// All paths.
    All,
    /// Paths with a fusion-preventing edge.
    WithPreventing,
}

/// The nodes that each node reaches over paths of at least one edge.
fn reach_over(graph: &Graph, edges: EdgeSet) -> Relation {
    let mut all = Relation::empty(graph.nodes.len());
    let mut preventing = all.clone();
    // Edges are sorted by source. So when they are visited backwards, all edges out of the target are done.
    for edge in graph.edges.iter().rev() {
        let snapshot = all.row(edge.to).to_vec();
        all.include(edge.from, &snapshot);
        all.set(edge.from, edge.to, true);
        let through = if edge.kind == EdgeKind::Fusible {
            preventing.row(edge.to).to_vec()
        } else {
            preventing.set(edge.from, edge.to, true);
            snapshot
        };
        preventing.include(edge.from, &through);
    }
    match edges {
        EdgeSet::All => all,
        EdgeSet::WithPreventing => preventing,
    }
}

/// The arrays of a graph, with these weights.
pub(super) fn arrays(
    graph: &Graph,
    weights: &IndexMap<VarId, u64>,
) -> PrimaryMap<ArrayId, ArrayUse> {
    // A view costs nothing: it exists as soon as its array does, and its readers read that array. Neither does an
    // append cost anything if its parts are made in their place.
    let written = |node: &NodeId| !graph.is_view(*node) && !graph.is_joint(*node);
    // An accumulator that is filled with a scalar is written when it is complete.
    let stored = |node: &NodeId| written(node) && !graph.is_fill(*node);
    let mut arrays: PrimaryMap<ArrayId, ArrayUse> = (graph.arrays.iter())
        .map(|(var, array)| ArrayUse {
            producer: array.producer.filter(stored),
            streams: Vec::new(),
            whole: 0,
            output: array.output,
            kept: array.producer.as_ref().is_some_and(stored) && (array.output || array.indexed),
            weight: weights[var],
        })
        .collect();
    let index = |var: &VarId| {
        ArrayId::new(graph.arrays.get_index_of(var).expect("every array is in the table"))
    };
    // An array that is made inside a result of the block counts as a part of that result.
    for (id, node) in graph.nodes.iter().rev() {
        if graph.is_joint(id) && node.writes.iter().all(|var| arrays[index(var)].output) {
            node.whole.iter().for_each(|part| arrays[index(part)].output = true);
        }
    }
    for (id, node) in &graph.nodes {
        for var in &node.streams {
            arrays[index(var)].streams.push(id);
        }
        for var in &node.whole {
            let array = &mut arrays[index(var)];
            let is_filled = graph.arrays[var].producer.is_some_and(|maker| graph.is_fill(maker));
            array.whole += u32::from(written(&id) && !graph.is_placed(*var, id) && !is_filled);
            array.kept |= array.producer.is_some();
        }
    }
    arrays
}

fn insert(list: &mut Vec<NodeId>, node: NodeId) {
    if !list.contains(&node) {
        list.push(node);
    }
}

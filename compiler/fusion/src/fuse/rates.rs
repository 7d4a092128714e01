//! The rates of one cluster, and the rate at which each node runs (002, section 3.2).
//!
//! A cluster has one outermost rate. A `filter` and a `flatmap` make rates inside those of their inputs. A `cross`
//! makes the product of the rates of its sides. Nodes that stream their results, or arrays of the same size, run at
//! these rates.
//!
//! Invariant: in the table, a rate comes after the rates that it is made of. The nodes of one rate have one iteration
//! size.
//!
//! ```text
//! ys = map f xs; zs = filter p ys; m = reduce g 0 zs
//! ⇒ k1 = xs: ys, zs;    k2 = selected from k1 by sel1: m
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::cnf::{Bind, TripCount};
use crate::graph::{Graph, Iteration, Kind};
use crate::process::Rate;
use arrc_syntax::ids::{NodeId, PrimaryMap, RateId, SelId, SeriesId, VarId};

/// The rates of a cluster.
pub(super) struct Rates<'a> {
    graph: &'a Graph,
    nodes: &'a [NodeId],
    members: IndexSet<NodeId>,
    /// The nodes whose results may have another size than their iteration size.
    makers: Vec<NodeId>,
    table: PrimaryMap<RateId, Rate>,
    outermost: RateId,
    /// The rates of the results of filters and crosses.
    made: IndexMap<NodeId, RateId>,
    /// The product rates. Crosses with equal sides share one.
    products: IndexMap<(RateId, Iteration), RateId>,
}

impl<'a> Rates<'a> {
    /// The rates with the outermost one only.
    pub(super) fn new(graph: &'a Graph, nodes: &'a [NodeId]) -> Self {
        let is_maker = |&node: &NodeId| graph.nodes[node].kind.makes_size();
        let mut rates = Self {
            graph,
            nodes,
            members: nodes.iter().copied().collect(),
            makers: nodes.iter().copied().filter(is_maker).collect(),
            table: PrimaryMap::new(),
            outermost: RateId::from_u32(0),
            made: IndexMap::new(),
            products: IndexMap::new(),
        };
        let rate = rates.find_outermost();
        rates.outermost = rates.table.push(rate);
        rates
    }

    /// The nodes, so that a maker of a rate comes before the nodes that run at it. Otherwise they are in the graph's
    /// order.
    pub(super) fn outermost_first(&self) -> Vec<NodeId> {
        let mut nodes = self.nodes.to_vec();
        nodes.sort_by_key(|&node| self.level(node));
        nodes
    }

    /// The rate at which a node runs. For a `cross`, it is the rate of its left side.
    pub(super) fn of(&self, node: NodeId) -> RateId {
        self.maker(node).map_or(self.outermost, |maker| self.made[&maker])
    }

    /// The definition of a rate.
    pub(super) fn get(&self, rate: RateId) -> &Rate {
        &self.table[rate]
    }

    /// The rate inside a new selector.
    pub(super) fn select(&mut self, filter: NodeId, outer: RateId, selector: SelId) -> RateId {
        let rate = self.table.push(Rate::Selected { outer, selector });
        self.made.insert(filter, rate);
        rate
    }

    /// Notes that a filter has the rate of an earlier filter with the same condition.
    pub(super) fn select_again(&mut self, filter: NodeId, inner: RateId) {
        self.made.insert(filter, inner);
    }

    /// The rate of the results of a `flatmap`.
    pub(super) fn expand(
        &mut self,
        flatmap: NodeId,
        outer: RateId,
        counts: SeriesId,
        most: Option<u32>,
    ) -> RateId {
        let rate = self.table.push(Rate::Expanded { outer, counts, max_count: most });
        self.made.insert(flatmap, rate);
        rate
    }

    /// The product rate of a `cross`, and the rate of its right factor.
    pub(super) fn cross(&mut self, cross: NodeId, left: RateId, right: VarId) -> (RateId, RateId) {
        let size = self.graph.arrays[&right].size.clone();
        let product = if let Some(known) = self.products.get(&(left, size.clone())) {
            *known
        } else {
            let factor = self.table.push(Rate::Array(right));
            let product = self.table.push(Rate::Product(left, factor));
            self.products.insert((left, size), product);
            product
        };
        self.made.insert(cross, product);
        let Rate::Product(_, factor) = self.table[product] else {
            panic!("a cross runs at a product rate");
        };
        (product, factor)
    }

    /// The outermost rate. Its operators are the process's list.
    pub(super) fn outermost(&self) -> RateId {
        self.outermost
    }

    /// Every rate so far.
    pub(super) fn table(&self) -> &PrimaryMap<RateId, Rate> {
        &self.table
    }

    /// Every rate.
    pub(super) fn into_table(self) -> PrimaryMap<RateId, Rate> {
        self.table
    }

    /// The outermost rate. Its length is that of an array in memory, or else the size of a `generate`.
    fn find_outermost(&self) -> Rate {
        let nodes = self.nodes.iter().copied().filter(|&node| self.level(node) == 0);
        let nodes = nodes.collect::<Vec<_>>();
        let size = nodes.first().map(|&node| self.left_size(node));
        assert!(
            nodes.iter().all(|&node| Some(self.left_size(node)) == size),
            "a cluster has one outermost iteration size"
        );
        let from_memory = nodes
            .iter()
            .flat_map(|&node| self.bind(node).op.streams())
            .find(|array| self.producer(*array).is_none());
        let count = || {
            nodes.iter().find_map(|&node| {
                let Bind { op, span, .. } = self.bind(node);
                let Some(TripCount::Count(size)) = op.steps() else { return None };
                Some(Rate::Count { size, span: *span })
            })
        };
        from_memory
            .map(Rate::Array)
            .or_else(count)
            .expect("the outermost rate comes from an array or a count")
    }

    /// The number of makers around a node.
    fn level(&self, node: NodeId) -> usize {
        self.maker(node).map_or(0, |maker| 1 + self.level(maker))
    }

    /// The filter, flatmap or cross of the cluster at whose result's rate the node runs.
    fn maker(&self, node: NodeId) -> Option<NodeId> {
        let makes = |node: NodeId| self.graph.nodes[node].kind.makes_size();
        let made = |node| if makes(node) { Some(node) } else { self.maker(node) };
        let streams = self.bind(node).op.streams();
        if let Some(producer) = streams.iter().find_map(|&array| self.producer(array)) {
            return made(producer);
        }
        let size = self.left_size(node);
        self.makers.iter().copied().find(|&other| other != node && self.makes(other, size))
    }

    /// Whether the results of the node have this size, and it differs from its iteration size.
    fn makes(&self, node: NodeId, size: &Iteration) -> bool {
        let data = &self.graph.nodes[node];
        if data.kind.is_transducer() {
            let made = self.bind(node).vars.first();
            return made.is_some_and(|var| self.graph.arrays[var].size == *size);
        }
        data.kind.makes_size() && data.iteration.as_ref() == Some(size)
    }

    /// The iteration size of a node. For a `cross`, it is the iteration size of its left side.
    fn left_size(&self, node: NodeId) -> &'a Iteration {
        let data = &self.graph.nodes[node];
        let size = data.iteration.as_ref().expect("a node of a cluster has an iteration size");
        match (data.kind, size) {
            (Kind::Cross, Iteration::Cross(left, _)) => left,
            (_, size) => size,
        }
    }

    /// The node of the cluster that makes the array.
    fn producer(&self, array: VarId) -> Option<NodeId> {
        let producer = self.graph.arrays.get(&array)?.producer?;
        self.members.contains(&producer).then_some(producer)
    }

    fn bind(&self, node: NodeId) -> &'a Bind {
        &self.graph.block.binds[self.graph.nodes[node].bind]
    }
}

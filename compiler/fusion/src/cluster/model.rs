//! The traffic formulation as an integer linear program, for one component of the graph.
//!
//! ```text
//! x[i,j]  binary  0 if i and j are fused, and 1 otherwise; a pair without a variable counts as 1
//! c[a]    0 … 1   1 if the array a is written though it is no output
//! r[a,j]  0 … 1   1 if the consumer j starts a read of a
//! y[t,q]  0 … 1   1 if q takes part in the read of a that t started
//!
//! minimise  Σ w[a]·(M+1)·r[a,j]  +  Σ (w[a]·(M+1) + 1)·c[a]        M the number of c
//! ```
//!
//! The weight of an array is w. Arrays with the same maker and the same consumers count as one array, with the sum of
//! their weights and their number of intermediates. The objective is first the traffic, then the number of
//! intermediates. The y occur nowhere else, and are projected out: see [`cuts`](super::cuts). There are also the
//! constraints of acyclicity, and the constraints on chains of fused pairs.
//!
//! Invariant: with x integral there is an optimum with all variables integral. Its value is the cost of the
//! clustering that the fused pairs make. Every coefficient is an integer.

use std::collections::BTreeSet;

use good_lp::Expression;
use indexmap::IndexMap;

use super::analysis::{ArrayId, ArrayUse, GraphAnalysis};
use super::components::Component;
use super::cuts::{SeparationOracle, Violations};
use super::cutting_planes::Formulation;
use super::pairs::Pair;
use super::partition::Partition;
use super::program::{Column, IntegerProgram, Values, VariableMeaning};
use arrc_syntax::ids::{ClusterId, NodeId, PrimaryMap, SecondaryMap};

/// The formulation of a component.
pub(super) struct Model<'a> {
    component: &'a Component,
    /// The program, as far as it is stated.
    pub(super) program: IntegerProgram,
    /// Each c, with the producer and the consumers of its array. The array is written unless all of them are fused.
    contracted: Vec<(Column, NodeId, Vec<NodeId>)>,
    /// The r of each array.
    pub(super) reads: Vec<ArrayReads>,
}

/// The reads of an array by the consumers in the component.
pub(super) struct ArrayReads {
    /// The node that makes it, if that is in the component and could be fused with a consumer.
    pub(super) producer: Option<NodeId>,
    /// Each consumer, in order, with its r.
    pub(super) consumers: Vec<(NodeId, Column)>,
}

impl<'a> Model<'a> {
    /// The formulation for a component, where joined nodes stay together. So x[i,j] is 0 for two nodes of one group,
    /// and the same for all pairs between two groups.
    pub(super) fn new(
        facts: &GraphAnalysis<'_>,
        component: &'a Component,
        joined: &Partition<'_>,
    ) -> Self {
        let mut model = Self {
            component,
            program: IntegerProgram::default(),
            contracted: Vec::new(),
            reads: Vec::new(),
        };
        for group in joined.clusters() {
            let nodes = joined.members(group);
            nodes.iter().for_each(|&node| model.program.group(nodes[0], node));
        }
        for &pair in &component.pairs {
            model.add_pair(facts, pair);
        }
        // The other arrays have no variables.
        let touched = component.nodes.iter().flat_map(|&node| &facts.touched[node]);
        let bundles: BTreeSet<usize> = touched.map(|&array| facts.bundle_of[array]).collect();
        let bundles = || bundles.iter().map(|&bundle| &facts.bundles[bundle]);
        let contractible = bundles().filter(|bundle| model.contractible(&facts.arrays[bundle.id]));
        let contractible: Vec<&Bundle> = contractible.collect();
        let scale = contractible.iter().map(|bundle| bundle.count).sum::<i64>() + 1;
        for Bundle { id, weight, count } in contractible {
            model.contraction(*id, &facts.arrays[*id], scale * weight + count);
        }
        for Bundle { id, weight, .. } in bundles() {
            model.reads(facts, *id, &facts.arrays[*id], scale * weight);
        }
        model.concestors(facts, &component.pairs);
        model
    }

    /// Gives variables to a pair and to the pairs of its concestors.
    fn add_pair(&mut self, facts: &GraphAnalysis<'_>, pair: Pair) {
        let mut pairs = BTreeSet::new();
        super::pairs::add_with_concestors(facts, pair.0, pair.1, &mut pairs);
        pairs.retain(|&(i, j)| !self.program.decides_pair(i, j));
        for pair in pairs {
            self.program.add_pair(pair);
        }
    }

    /// States the conditions on the concestors of pairs.
    fn concestors(&mut self, facts: &GraphAnalysis<'_>, pairs: &BTreeSet<Pair>) {
        for &(i, j) in pairs {
            let Some((of_i, of_j)) = facts.concestors(i, j) else { continue };
            // Nodes of different sizes are fused only if each is fused with its concestor, and the concestors are
            // fused with each other: x[A,i] ≤ x[i,j], x[B,j] ≤ x[i,j], x[A,B] ≤ x[i,j].
            self.add_implication((of_i, i), (i, j));
            self.add_implication((of_j, j), (i, j));
            self.add_implication((of_i, of_j), (i, j));
        }
    }

    /// Whether the clustering decides if the array is written.
    fn contractible(&self, array: &ArrayUse) -> bool {
        let paired = |producer: NodeId| {
            !array.streams.is_empty()
                && array.streams.iter().all(|&j| self.program.decides_pair(producer, j))
        };
        !array.kept && array.producer.is_some_and(paired)
    }

    /// c[a], for an array that could stay in registers.
    fn contraction(&mut self, id: ArrayId, array: &ArrayUse, cost: i64) {
        let producer = array.producer.expect("only what a node makes is contracted");
        let column = self.program.add(VariableMeaning::Written(id), cost, 1);
        for &consumer in &array.streams {
            // An array is written unless each of its consumers is fused with the producer:
            // c[a] ≥ x[p,j].
            let x = self.program.x(producer, consumer);
            self.program.subject_to(x.leq(self.program.term(column)));
        }
        self.contracted.push((column, producer, array.streams.clone()));
    }

    /// r[a,j], for the consumers in the component.
    fn reads(&mut self, facts: &GraphAnalysis<'_>, id: ArrayId, array: &ArrayUse, cost: i64) {
        // Both are in order, and there may be many more consumers than nodes in the component.
        let inside = self.component.nodes.iter().flat_map(|node| {
            let from = array.streams.partition_point(|consumer| consumer < node);
            array.streams[from..].iter().take_while(move |&consumer| consumer == node)
        });
        let inside: Vec<NodeId> = inside.copied().collect();
        let paired = |p: &NodeId| inside.iter().any(|&j| self.program.decides_pair(*p, j));
        let producer = array.producer.filter(paired);
        let consumers: Vec<(NodeId, Column)> = inside
            .iter()
            .map(|&j| (j, self.program.add(VariableMeaning::Read(id, j), cost, 1)))
            .collect();
        // Consumers on a chain of fusion-preventing paths share no read, unless both are fused with the producer:
        // Σ r[a,j] + Σ(j on the chain) (1 - x[p,j]) ≥ its length. The longest chain is the strongest constraint.
        let chain = heaviest_chain(facts, &inside, |_| 1);
        let mut served: Expression = consumers.iter().map(|&(_, r)| self.program.term(r)).sum();
        if let Some(producer) = producer {
            for &consumer in &chain {
                served += 1.0 - self.program.x(producer, consumer);
            }
        }
        let length = u32::try_from(chain.len()).expect("there are not that many nodes");
        self.program.subject_to(served.geq(f64::from(length)));
        self.reads.push(ArrayReads { producer, consumers });
    }

    /// The first pair is fused wherever the second is: x[first] ≤ x[second].
    fn add_implication(&mut self, first: Pair, second: Pair) {
        let (first, second) =
            (self.program.x(first.0, first.1), self.program.x(second.0, second.1));
        self.program.subject_to(first.leq(second));
    }
}

impl Model<'_> {
    /// The violated constraints among those that the formulation does not state.
    pub(super) fn violated(&self, separator: &SeparationOracle<'_>) -> Violations {
        let mut violated = Violations::default();
        for reads in &self.reads {
            separator.reads(reads, &mut violated);
        }
        separator.cliques(&mut violated);
        separator.chains(&mut violated);
        separator.cycles(&mut violated);
        violated
    }
}

impl Formulation for Model<'_> {
    fn program(&self) -> &IntegerProgram {
        &self.program
    }

    fn value(&self, partition: &Partition<'_>) -> i64 {
        let contracted = self.contracted.iter().filter(|(_, producer, consumers)| {
            consumers.iter().any(|&consumer| !partition.in_one_cluster(*producer, consumer))
        });
        let written: i64 =
            contracted.map(|(column, _, _)| self.program.columns[*column].cost).sum();
        let mut read = 0;
        for reads in &self.reads {
            let mut seen: BTreeSet<ClusterId> =
                reads.producer.iter().map(|&producer| partition.cluster(producer)).collect();
            for &(consumer, column) in &reads.consumers {
                if seen.insert(partition.cluster(consumer)) {
                    read += self.program.columns[column].cost;
                }
            }
        }
        written + read
    }

    fn separate(&self, facts: &GraphAnalysis<'_>, values: &Values, most: usize) -> Violations {
        let nodes = &self.component.nodes;
        self.violated(&SeparationOracle::new(facts, nodes, &self.program, values, most))
    }

    fn extend(&mut self, facts: &GraphAnalysis<'_>, pairs: &BTreeSet<Pair>) {
        for &pair in pairs {
            self.add_pair(facts, pair);
        }
        self.concestors(facts, pairs);
    }
}

/// The heaviest chain among nodes that are given in order. Any two nodes of a chain cannot share a pass, and one
/// reaches the other. That relation is transitive: if two nodes can share a pass, each node between them can share it
/// with both.
pub(super) fn heaviest_chain(
    facts: &GraphAnalysis<'_>,
    nodes: &[NodeId],
    weight: impl Fn(NodeId) -> u64,
) -> Vec<NodeId> {
    let mut best: Vec<(u64, Option<usize>)> = Vec::new();
    // The weight of the heaviest chain up to each node.
    let mut most: Vec<u64> = Vec::new();
    for (index, &node) in nodes.iter().enumerate() {
        let follows =
            |before: NodeId| facts.reach.has(before, node) && !facts.can.has(before, node);
        let (mut before, mut from) = (0, None);
        for earlier in (0..index).rev() {
            // No chain up to here is as heavy. Of chains of the same weight, the first one counts.
            if from.is_some() && most[earlier] < before {
                break;
            }
            let total = best[earlier].0;
            if (from.is_none() || total >= before) && follows(nodes[earlier]) {
                (before, from) = (total, Some(earlier));
            }
        }
        let total = before + weight(node);
        best.push((total, from));
        most.push(most.last().map_or(total, |&most| most.max(total)));
    }
    let end = (0..nodes.len()).max_by_key(|&index| (best[index].0, std::cmp::Reverse(index)));
    let mut chain: Vec<NodeId> =
        std::iter::successors(end, |&index| best[index].1).map(|index| nodes[index]).collect();
    chain.reverse();
    chain
}

/// Arrays that the same node makes and the same nodes stream, such as the fields of records. In every clustering,
/// either all of them are written or none, and all are read equally often.
pub(super) struct Bundle {
    /// The first of them.
    id: ArrayId,
    /// The weight of all.
    weight: i64,
    /// The number of arrays.
    count: i64,
}

/// The arrays in bundles, in order, and the bundle of each array.
pub(super) fn bundles(
    arrays: &PrimaryMap<ArrayId, ArrayUse>,
) -> (Vec<Bundle>, SecondaryMap<ArrayId, usize>) {
    let mut bundles: IndexMap<_, Bundle> = IndexMap::new();
    let mut bundle_of = SecondaryMap::new();
    for (id, array) in arrays {
        let key = (array.producer, &array.streams, array.kept);
        let bundle = bundles.entry(key);
        bundle_of[id] = bundle.index();
        let bundle = bundle.or_insert(Bundle { id, weight: 0, count: 0 });
        bundle.weight += i64::try_from(array.weight).expect("weights are small");
        bundle.count += 1;
    }
    (bundles.into_values().collect(), bundle_of)
}

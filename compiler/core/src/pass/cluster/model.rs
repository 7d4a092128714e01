//! The traffic formulation as an integer linear program, for one component of the graph.
//!
//! ```text
//! x[i,j]  binary  1 unless i and j are fused: for the pairs; a pair that has none counts as 1
//! c[a]    0 … 1   1 if the array a is written though it is no output
//! r[a,j]  0 … 1   1 if the consumer j starts a read of a
//! y[t,q]  0 … 1   1 if q takes part in the read of a that t started
//!
//! minimise  Σ w[a]·(M+1)·r[a,j]  +  Σ (w[a]·(M+1) + 1)·c[a]        M the number of c
//! ```
//!
//! where w is the weight of an array. That is first the traffic, then the number of intermediates. The y
//! occur nowhere else, and are projected out: see [`cuts`](super::cuts), where also acyclicity and what
//! follows from chains of fused pairs are.
//!
//! Invariant: with x integral there is an optimum with all variables integral, its value is that of the
//! clustering which the fused pairs make, and every coefficient is an integer.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Add, Sub};

use cranelift_entity::entity_impl;

use super::components::Component;
use super::facts::{ArrayUse, Facts};
use super::pairs::{Pair, ordered};
use super::partition::Partition;
use crate::ids::{ClusterId, NodeId, PrimaryMap, SecondaryMap};

/// A variable of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Column(u32);
entity_impl!(Column, "col");

/// Σ coefficient · variable + constant.
#[derive(Clone, Default, Debug)]
pub(super) struct Sum {
    /// The coefficients.
    pub(super) terms: BTreeMap<Column, i64>,
    /// The constant.
    pub(super) constant: i64,
}

/// The constraint that a sum is at least 0.
pub(super) type Row = Sum;

/// The program.
pub(super) struct Model {
    /// The variables, each between 0 and 1, with their coefficients in the objective.
    pub(super) costs: PrimaryMap<Column, i64>,
    /// The constraints.
    pub(super) rows: Vec<Row>,
    /// x: the binary ones. The others are integral if these are.
    pub(super) fused: BTreeMap<Pair, Column>,
    /// c, with what makes an array be written.
    contracted: Vec<(Column, NodeId, Vec<NodeId>)>,
    /// r, for each array.
    pub(super) reads: Vec<Reads>,
}

/// The reads of an array by the consumers in the component.
pub(super) struct Reads {
    /// Who makes it, if that is in the component and could be fused with a consumer.
    pub(super) producer: Option<NodeId>,
    /// Each consumer, in order, with its r.
    pub(super) consumers: Vec<(NodeId, Column)>,
}

impl Model {
    /// The program for a component.
    pub(super) fn new(facts: &Facts<'_>, component: &Component) -> Self {
        let mut model = Self {
            costs: PrimaryMap::new(),
            rows: Vec::new(),
            fused: BTreeMap::new(),
            contracted: Vec::new(),
            reads: Vec::new(),
        };
        for &pair in &component.pairs {
            model.add_pair(facts, pair);
        }
        let contractible: Vec<&ArrayUse> =
            facts.arrays.values().filter(|array| model.contractible(array)).collect();
        let scale = i64::try_from(contractible.len() + 1).expect("there are not that many arrays");
        for array in contractible {
            model.contraction(array, scale * weight(array) + 1);
        }
        for array in facts.arrays.values() {
            model.reads(facts, array, component, scale * weight(array));
        }
        model.concestors(facts, &component.pairs);
        model
    }

    /// x[i,j]; 1 for a pair that has no variable, 0 for a node and itself.
    pub(super) fn x(&self, i: NodeId, j: NodeId) -> Sum {
        match self.fused.get(&ordered(i, j)) {
            Some(&column) => column.into(),
            None => i64::from(i != j).into(),
        }
    }

    /// Gives a pair a variable, and those of its concestors.
    pub(super) fn add_pair(&mut self, facts: &Facts<'_>, pair: Pair) {
        let mut pairs = BTreeSet::new();
        super::pairs::close(facts, pair.0, pair.1, &mut pairs);
        pairs.retain(|pair| !self.fused.contains_key(pair));
        for &pair in &pairs {
            let column = self.costs.push(0);
            self.fused.insert(pair, column);
        }
    }

    /// States what the concestors of pairs ask for.
    pub(super) fn concestors(&mut self, facts: &Facts<'_>, pairs: &BTreeSet<Pair>) {
        for &(i, j) in pairs {
            let Some((of_i, of_j)) = facts.concestors(i, j) else { continue };
            // Nodes of different sizes are fused no more than each with its concestor and these with
            // each other: x[A,i] ≤ x[i,j], x[B,j] ≤ x[i,j], x[A,B] ≤ x[i,j].
            self.at_most(self.x(of_i, i), self.x(i, j));
            self.at_most(self.x(of_j, j), self.x(i, j));
            self.at_most(self.x(of_i, of_j), self.x(i, j));
        }
    }

    /// The value of the objective for a partition.
    pub(super) fn value(&self, partition: &Partition<'_>) -> i64 {
        let contracted = self.contracted.iter().filter(|(_, producer, consumers)| {
            consumers.iter().any(|&consumer| !partition.together(*producer, consumer))
        });
        let written: i64 = contracted.map(|(column, _, _)| self.costs[*column]).sum();
        let mut read = 0;
        for reads in &self.reads {
            let mut seen: BTreeSet<ClusterId> =
                reads.producer.iter().map(|&producer| partition.cluster(producer)).collect();
            for &(consumer, column) in &reads.consumers {
                if seen.insert(partition.cluster(consumer)) {
                    read += self.costs[column];
                }
            }
        }
        written + read
    }

    /// The value of the objective for values of the variables.
    pub(super) fn objective(&self, values: &SecondaryMap<Column, f64>) -> f64 {
        #[allow(clippy::cast_precision_loss)]
        self.costs.iter().map(|(column, &cost)| cost as f64 * values[column]).sum()
    }

    /// Whether it depends on the clustering if the array is written.
    fn contractible(&self, array: &ArrayUse) -> bool {
        let paired = |producer: NodeId| {
            !array.streams.is_empty()
                && array.streams.iter().all(|&j| self.fused.contains_key(&ordered(producer, j)))
        };
        !array.kept && array.producer.is_some_and(paired)
    }

    /// c[a], for an array that could stay in registers.
    fn contraction(&mut self, array: &ArrayUse, cost: i64) {
        let producer = array.producer.expect("only what a node makes is contracted");
        let column = self.costs.push(cost);
        for &consumer in &array.streams {
            // An array is written unless each of its consumers is fused with the producer:
            // c[a] ≥ x[p,j].
            self.at_most(self.x(producer, consumer), column.into());
        }
        self.contracted.push((column, producer, array.streams.clone()));
    }

    /// r[a,j], for the consumers in the component.
    fn reads(&mut self, facts: &Facts<'_>, array: &ArrayUse, component: &Component, cost: i64) {
        let inside: Vec<NodeId> =
            array.streams.iter().filter(|node| component.nodes.contains(node)).copied().collect();
        let paired = |p: &NodeId| inside.iter().any(|&j| self.fused.contains_key(&ordered(*p, j)));
        let producer = array.producer.filter(paired);
        let consumers: Vec<(NodeId, Column)> =
            inside.iter().map(|&j| (j, self.costs.push(cost))).collect();
        // No two consumers on a chain of preventing paths share a read, or both are with the producer:
        // Σ r[a,j] + Σ(j on the chain) (1 - x[p,j]) ≥ its length. The longest says most.
        let chain = heaviest_chain(facts, &inside, |_| 1);
        let length = i64::try_from(chain.len()).expect("there are not that many nodes");
        let mut served = consumers.iter().fold(Sum::default(), |sum, &(_, r)| sum + r.into());
        if let Some(producer) = producer {
            for &consumer in &chain {
                served = served + (Sum::from(1) - self.x(producer, consumer));
            }
        }
        self.at_most(length.into(), served);
        self.reads.push(Reads { producer, consumers });
    }

    /// left ≤ right.
    fn at_most(&mut self, left: Sum, right: Sum) {
        let row = right - left;
        if !row.terms.is_empty() {
            self.rows.push(row);
        }
    }
}

/// The heaviest chain among nodes, given in order: every two on it cannot share a pass, and one is
/// reached from the other. That relation is transitive, since whatever is between two nodes that can,
/// can with both.
pub(super) fn heaviest_chain(
    facts: &Facts<'_>,
    nodes: &[NodeId],
    weight: impl Fn(NodeId) -> u64,
) -> Vec<NodeId> {
    let mut best: Vec<(u64, Option<usize>)> = Vec::new();
    for (index, &node) in nodes.iter().enumerate() {
        let follows =
            |before: NodeId| facts.reach.has(before, node) && !facts.can.has(before, node);
        let (before, from) = (0..index)
            .filter(|&earlier| follows(nodes[earlier]))
            .map(|earlier| (best[earlier].0, Some(earlier)))
            .max_by_key(|&(total, earlier)| (total, std::cmp::Reverse(earlier)))
            .unwrap_or((0, None));
        best.push((before + weight(node), from));
    }
    let end = (0..nodes.len()).max_by_key(|&index| (best[index].0, std::cmp::Reverse(index)));
    let mut chain: Vec<NodeId> =
        std::iter::successors(end, |&index| best[index].1).map(|index| nodes[index]).collect();
    chain.reverse();
    chain
}

fn weight(array: &ArrayUse) -> i64 {
    i64::try_from(array.weight).expect("weights are small")
}

impl From<Column> for Sum {
    fn from(column: Column) -> Self {
        Self { terms: BTreeMap::from([(column, 1)]), constant: 0 }
    }
}

impl From<i64> for Sum {
    fn from(constant: i64) -> Self {
        Self { terms: BTreeMap::new(), constant }
    }
}

impl Sum {
    /// The value for values of the variables.
    pub(super) fn at(&self, values: &SecondaryMap<Column, f64>) -> f64 {
        #[allow(clippy::cast_precision_loss)]
        let of = |value: i64| value as f64;
        let terms: f64 = self.terms.iter().map(|(&column, &by)| of(by) * values[column]).sum();
        terms + of(self.constant)
    }

    /// Adds a multiple of another sum.
    fn add_times(mut self, factor: i64, other: &Self) -> Self {
        self.constant += factor * other.constant;
        for (&column, &coefficient) in &other.terms {
            *self.terms.entry(column).or_insert(0) += factor * coefficient;
        }
        self.terms.retain(|_, coefficient| *coefficient != 0);
        self
    }
}

impl Add for Sum {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.add_times(1, &other)
    }
}

impl Sub for Sum {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.add_times(-1, &other)
    }
}

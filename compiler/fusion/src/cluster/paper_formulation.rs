//! The papers' formulation (001, figure 1.14): `--cost=paper`.
//!
//! ```text
//! x[i,j]  binary  0 if i and j are fused, and 1 otherwise: for the pairs without a fusion-preventing path between
//! π[i]    0 … N   the position of i's cluster in the order
//! c[i]    0 … 1   1 if an array of i is not fully contracted
//!
//! minimise  Σ W[i,j]·x[i,j]  +  Σ N·c[i]        N the number of nodes
//! ```
//!
//! The weight W is N² if i and j share an array, and 1 otherwise. The formulation does not count traffic: nodes that
//! share an input are charged for each pair of them, and a write costs less than a read. So it is kept only to
//! reproduce the papers' figures. Programs are compiled with [`model`](super::model).
//!
//! Invariant: as for [`model`](super::model). The transitivity of x follows from its meaning (fused is "in the same
//! cluster"), and is not stated. The conflicts on chains of fused pairs are separated as for that model.

use std::collections::BTreeSet;

use good_lp::Expression;

use super::analysis::GraphAnalysis;
use super::cuts::{SeparationOracle, Violations};
use super::cutting_planes::Formulation;
use super::pairs::Pair;
use super::partition::Partition;
use super::program::{Column, IntegerProgram, Values, VariableMeaning, float};
use crate::graph::EdgeKind;
use arrc_syntax::ids::{NodeId, SecondaryMap};

/// The formulation of a whole block.
pub(super) struct PaperFormulation {
    program: IntegerProgram,
    nodes: BTreeSet<NodeId>,
    /// π of each node.
    position: SecondaryMap<NodeId, Option<Column>>,
    /// The nodes that make arrays.
    makers: Vec<Producer>,
    /// N, the number of nodes.
    count: i64,
}

/// A node that makes arrays.
struct Producer {
    node: NodeId,
    /// Its c.
    contracted: Column,
    /// The nodes that stream its arrays.
    consumers: Vec<NodeId>,
    /// Whether some node needs its arrays finished.
    whole: bool,
}

impl PaperFormulation {
    /// The formulation for the block of a graph.
    pub(super) fn new(facts: &GraphAnalysis<'_>) -> Self {
        let nodes: BTreeSet<NodeId> = facts.graph.nodes.keys().collect();
        let mut paper = Self {
            program: IntegerProgram::default(),
            count: i64::try_from(nodes.len()).expect("there are fewer than 2^63 nodes"),
            nodes,
            position: SecondaryMap::new(),
            makers: Vec::new(),
        };
        paper.variables(facts);
        paper.acyclic(facts);
        paper.contraction();
        paper.iteration_sizes(facts);
        paper
    }

    /// Adds x, π and c with their weights.
    fn variables(&mut self, facts: &GraphAnalysis<'_>) {
        for pair in facts.possible_pairs() {
            let weight = if share_array(facts, pair) { self.count * self.count } else { 1 };
            self.program.add(VariableMeaning::Fused(pair), weight, 1);
        }
        for &node in &self.nodes {
            let position = self.program.add(VariableMeaning::Position(node), 0, self.count);
            self.position[node] = Some(position);
        }
        for &node in &self.nodes {
            if !facts.graph.nodes[node].writes.is_empty() {
                let contracted = self.program.add(VariableMeaning::Contracted(node), self.count, 1);
                self.makers.push(Producer::new(facts, node, contracted));
            }
        }
    }

    /// States that clusters run one after the other, producers first.
    fn acyclic(&mut self, facts: &GraphAnalysis<'_>) {
        for (i, j) in facts.possible_pairs() {
            let before = facts.after[i].contains(&j);
            let (x, apart) = (self.program.x(i, j), self.distance(i, j));
            let most = float(self.count) * x.clone();
            // Fused nodes have one position: π[j] - π[i] ≤ N·x[i,j].
            self.program.subject_to(apart.clone().leq(most.clone()));
            if before {
                // A consumer that is not fused with its producer is later: x[i,j] ≤ π[j] - π[i].
                self.program.subject_to(x.leq(apart));
            } else {
                // Nodes that do not depend on each other are in any order: -N·x[i,j] ≤ π[j] - π[i].
                self.program.subject_to((-most).leq(apart));
            }
        }
        for edge in &facts.graph.edges {
            if edge.kind != EdgeKind::Fusible {
                // Across a fusion-preventing edge, the producer must have finished: π[i] < π[j].
                let apart = self.distance(edge.from, edge.to);
                self.program.subject_to(apart.geq(1.0));
            }
        }
    }

    /// States when an array is not contracted.
    fn contraction(&mut self) {
        for maker in &self.makers {
            for &consumer in &maker.consumers {
                // A consumer outside the cluster needs the array: x[i,j] ≤ c[i].
                let x = self.program.x(maker.node, consumer);
                self.program.subject_to(x.leq(self.program.term(maker.contracted)));
            }
            if maker.whole {
                // So does a consumer that needs the finished array: c[i] = 1.
                self.program.subject_to(self.program.term(maker.contracted).geq(1.0));
            }
        }
    }

    /// States which nodes of different iteration sizes may be fused.
    fn iteration_sizes(&mut self, facts: &GraphAnalysis<'_>) {
        for (i, j) in facts.possible_pairs() {
            let x = self.program.x(i, j);
            if !facts.can.has(i, j) {
                // A pair is not fused if a size is unknown, the sizes are unrelated, or its concestors cannot be
                // fused: x[i,j] = 1.
                self.program.subject_to(x.geq(1.0));
            } else if let Some((of_i, of_j)) = facts.concestors(i, j) {
                // A pair is fused only if each node is fused with its concestor, and the concestors with each other:
                // x[A,i] ≤ x[i,j], x[B,j] ≤ x[i,j], x[A,B] ≤ x[i,j].
                for (a, b) in [(of_i, i), (of_j, j), (of_i, of_j)] {
                    let other = self.program.x(a, b);
                    self.program.subject_to(other.leq(x.clone()));
                }
            }
        }
    }

    /// π[j] - π[i].
    fn distance(&self, i: NodeId, j: NodeId) -> Expression {
        let position = |node: NodeId| {
            self.program.term(self.position[node].expect("every node has a position"))
        };
        position(j) - position(i)
    }
}

impl Formulation for PaperFormulation {
    fn program(&self) -> &IntegerProgram {
        &self.program
    }

    fn value(&self, partition: &Partition<'_>) -> i64 {
        let cost = |column: Column| self.program.columns[column].cost;
        let apart = (self.program.fused.iter())
            .filter(|((i, j), _)| !partition.in_one_cluster(*i, *j))
            .map(|(_, &column)| cost(column));
        let kept = (self.makers.iter())
            .filter(|maker| {
                let outside = |&j: &NodeId| !partition.in_one_cluster(maker.node, j);
                maker.whole || maker.consumers.iter().any(outside)
            })
            .map(|maker| cost(maker.contracted));
        apart.chain(kept).sum()
    }

    fn separate(&self, facts: &GraphAnalysis<'_>, values: &Values, most: usize) -> Violations {
        let mut violated = Violations::default();
        SeparationOracle::new(facts, &self.nodes, &self.program, values, most)
            .chains(&mut violated);
        violated
    }

    fn extend(&mut self, _: &GraphAnalysis<'_>, pairs: &BTreeSet<Pair>) {
        assert!(pairs.is_empty(), "every pair that can has a variable");
    }
}

impl Producer {
    fn new(facts: &GraphAnalysis<'_>, node: NodeId, contracted: Column) -> Self {
        let (mut consumers, mut whole) = (Vec::new(), false);
        for edge in facts.graph.edges.iter().filter(|edge| edge.from == node) {
            match edge.kind {
                EdgeKind::Fusible => consumers.push(edge.to),
                EdgeKind::Preventing(_) => whole = true,
            }
        }
        Self { node, contracted, consumers, whole }
    }
}

/// Whether one node makes an array that the other streams, or both stream one array.
fn share_array(facts: &GraphAnalysis<'_>, (i, j): Pair) -> bool {
    facts.touched[i].iter().any(|array| facts.touched[j].contains(array))
}

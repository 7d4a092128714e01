//! The constraints that are too many to state: found when a solution violates them, also a fractional
//! one, most by shortest paths over the pairs, whose lengths are their x.
//!
//! ```text
//! read       a consumer q of an array:  r[q] + (1 - x[p,q]) + Σ(t<q) min(r[t], 1 - x[t,q]) ≥ 1
//! clique     a node k, and nodes of which no two can:         Σ (1 - x[k,l]) ≤ 1
//! conflict   a chain of pairs i … j, not can(i, j):           Σ x on the chain ≥ 1
//! concestor  a chain of pairs i … j of different sizes:       Σ x on the chain ≥ x[A,i], x[B,j], x[A,B]
//! cycle      an edge u → v, and a way back from v to u over
//!            dependencies and pairs:                          Σ x of the pairs on the way ≥ x[u,v]
//! ```
//!
//! A read is facility location: q starts a read, or gets the elements from the producer, or takes part in
//! the read of an earlier consumer t; so much y[t,q] as t starts one and the two are fused. Each choice
//! of one of the two in the minimum is a constraint. Cliques are conflicts that say more.
//!
//! A cycle among clusters is a way of its kind: the chains of pairs are inside clusters, the dependencies
//! lead from one to the next; if all pairs are fused, so must be u and v. Where x[u,v] has no variable it
//! is 1.
//!
//! Invariant: every constraint holds for every legal clustering; an integral solution that violates none
//! decodes to a legal one, and costs no less than it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::facts::Facts;
use super::model::{Reads, heaviest_chain};
use super::pairs::{Pair, ordered};
use super::program::{Column, Program, Row, Sum};
use crate::ids::{NodeId, SecondaryMap};

/// What a solution violates.
#[derive(Default)]
pub(super) struct Violated {
    /// Constraints.
    pub(super) rows: Vec<Row>,
    /// Pairs that need a variable before their constraint can be stated.
    pub(super) pairs: BTreeSet<Pair>,
}

/// Lengths are counted in these parts of 1, so that paths compare exactly.
const UNIT: u64 = 1_000_000;

/// What a constraint must be violated by.
const TOLERANCE: u64 = UNIT / 1000;

/// A value in parts of [`UNIT`].
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(super) fn millionths(value: f64) -> u64 {
    (value * 1e6).round() as u64
}

/// Finds what the values of a program's variables violate.
pub(super) struct Separator<'a> {
    facts: &'a Facts<'a>,
    /// The nodes that the program is about.
    nodes: &'a BTreeSet<NodeId>,
    program: &'a Program,
    values: &'a SecondaryMap<Column, f64>,
    /// x of every pair, in parts of [`UNIT`].
    lengths: BTreeMap<Pair, u64>,
    /// The pairs of each node.
    partners: SecondaryMap<NodeId, Vec<NodeId>>,
}

impl<'a> Separator<'a> {
    /// For these values.
    pub(super) fn new(
        facts: &'a Facts<'a>,
        nodes: &'a BTreeSet<NodeId>,
        program: &'a Program,
        values: &'a SecondaryMap<Column, f64>,
    ) -> Self {
        let mut lengths = BTreeMap::new();
        let mut partners: SecondaryMap<NodeId, Vec<NodeId>> = SecondaryMap::new();
        for (&(a, b), &column) in &program.fused {
            lengths.insert((a, b), millionths(values[column]));
            partners[a].push(b);
            partners[b].push(a);
        }
        Self { facts, nodes, program, values, lengths, partners }
    }

    /// What each consumer of an array gets, at most.
    pub(super) fn reads(&self, reads: &Reads, violated: &mut Violated) {
        let not = |x: Sum| Sum::from(1) - x;
        for (index, &(q, r_q)) in reads.consumers.iter().enumerate() {
            let (mut served, mut row) = (millionths(self.values[r_q]), Sum::from(r_q));
            if let Some(p) = reads.producer {
                served += UNIT - self.length(p, q);
                row = row + not(self.program.x(p, q));
            }
            for &(t, r_t) in &reads.consumers[..index] {
                let (start, fused) = (millionths(self.values[r_t]), UNIT - self.length(t, q));
                served += start.min(fused);
                row = row + if start < fused { r_t.into() } else { not(self.program.x(t, q)) };
            }
            if served + TOLERANCE <= UNIT {
                violated.rows.push(row - Sum::from(1));
            }
        }
    }

    /// Of nodes that pairwise cannot, at most one is fused with any other.
    pub(super) fn cliques(&self, violated: &mut Violated) {
        for &node in self.nodes {
            self.cliques_at(node, violated);
        }
    }

    /// Conflicts and missing concestors on chains.
    pub(super) fn chains(&self, violated: &mut Violated) {
        for &node in self.nodes {
            self.chains_from(node, violated);
        }
    }

    /// Ways from nodes back to those that they depend on.
    pub(super) fn cycles(&self, violated: &mut Violated) {
        for &node in self.nodes {
            self.cycles_from(node, violated);
        }
    }

    fn cliques_at(&self, k: NodeId, violated: &mut Violated) {
        let mut partners = self.partners[k].clone();
        partners.sort_unstable();
        let fused = |l: NodeId| UNIT - self.length(k, l);
        // A little more than they weigh, so that of equals the longer chain is heavier.
        let chain = heaviest_chain(self.facts, &partners, |l| fused(l) + 1);
        if chain.iter().map(|&l| fused(l)).sum::<u64>() >= UNIT + TOLERANCE {
            let sum = chain
                .iter()
                .fold(Sum::from(1), |sum, &l| sum + self.program.x(k, l) - Sum::from(1));
            violated.rows.push(sum);
        }
    }

    /// x[a,b] in parts of [`UNIT`].
    fn length(&self, a: NodeId, b: NodeId) -> u64 {
        self.lengths.get(&ordered(a, b)).copied().unwrap_or(UNIT)
    }

    fn chains_from(&self, i: NodeId, violated: &mut Violated) {
        // A chain that goes on from a conflict says less than the conflict.
        let paths = self.paths(i, |node, steps| {
            if self.facts.can.has(i, node) {
                self.pair_steps(node, steps);
            }
        });
        for (&j, &length) in paths.lengths.range(i..).skip(1) {
            let chain = paths.to(j);
            if !self.facts.can.has(i, j) {
                if !self.conflict_inside(&chain) {
                    violated.rows.push(self.sum(&chain) - Sum::from(1));
                }
            } else if let Some((of_i, of_j)) = self.facts.concestors(i, j) {
                for (a, b) in [(of_i, i), (of_j, j), (of_i, of_j)] {
                    self.need(&chain, length, ordered(a, b), violated);
                }
            }
        }
    }

    /// The concestor constraint for one of the pairs that a chain asks for.
    fn need(&self, chain: &[Arc], length: u64, (a, b): Pair, violated: &mut Violated) {
        match self.lengths.get(&(a, b)) {
            Some(&x) if x >= length + TOLERANCE => {
                violated.rows.push(self.sum(chain) - self.program.x(a, b));
            }
            // The pair may be together by way of others; if not, it gets a variable.
            None if a != b && length == 0 && !self.together(a, b) => {
                violated.pairs.insert((a, b));
            }
            Some(_) | None => {}
        }
    }

    fn cycles_from(&self, v: NodeId, violated: &mut Violated) {
        let paths = self.paths(v, |node, steps| {
            self.pair_steps(node, steps);
            let inside = self.facts.after[node].iter().filter(|to| self.nodes.contains(to));
            steps.extend(inside.map(|&to| (to, 0, Step::Dependency)));
        });
        for &u in &self.facts.before[v] {
            let x = self.length(u, v);
            if paths.lengths.get(&u).is_some_and(|&length| x >= length + TOLERANCE) {
                violated.rows.push(self.sum(&paths.to(u)) - self.program.x(u, v));
            }
        }
    }

    /// Whether a shorter part of the chain is in conflict.
    fn conflict_inside(&self, chain: &[Arc]) -> bool {
        let nodes: Vec<NodeId> =
            chain.iter().map(|arc| arc.from).chain(chain.last().map(|arc| arc.to)).collect();
        let ends = (nodes.first(), nodes.last());
        nodes.iter().enumerate().any(|(index, a)| {
            (nodes[index + 1..].iter())
                .any(|b| (Some(a), Some(b)) != ends && !self.facts.can.has(*a, *b))
        })
    }

    fn together(&self, a: NodeId, b: NodeId) -> bool {
        self.paths(a, |node, steps| self.pair_steps(node, steps)).lengths.get(&b) == Some(&0)
    }

    /// Σ x of the pairs on a path.
    fn sum(&self, path: &[Arc]) -> Sum {
        (path.iter().filter(|arc| arc.step == Step::Pair))
            .fold(Sum::default(), |sum, arc| sum + self.program.x(arc.from, arc.to))
    }

    fn pair_steps(&self, from: NodeId, steps: &mut Vec<(NodeId, u64, Step)>) {
        let pairs = self.partners[from].iter();
        steps.extend(pairs.map(|&to| (to, self.lengths[&ordered(from, to)], Step::Pair)));
    }

    /// Shortest paths from a node to those that are less than 1 away (Dijkstra).
    fn paths(
        &self,
        start: NodeId,
        steps_from: impl Fn(NodeId, &mut Vec<(NodeId, u64, Step)>),
    ) -> Paths {
        let mut paths = Paths { lengths: BTreeMap::from([(start, 0)]), arcs: BTreeMap::new() };
        let mut queue = BinaryHeap::from([Reverse((0, start))]);
        let mut steps = Vec::new();
        while let Some(Reverse((length, from))) = queue.pop() {
            if paths.lengths[&from] < length {
                continue;
            }
            steps.clear();
            steps_from(from, &mut steps);
            for &(to, by, step) in &steps {
                let through = length + by;
                let known = paths.lengths.get(&to).copied().unwrap_or(UNIT - TOLERANCE + 1);
                if through < known {
                    paths.lengths.insert(to, through);
                    paths.arcs.insert(to, Arc { from, to, step });
                    queue.push(Reverse((through, to)));
                }
            }
        }
        paths
    }
}

/// How a step of a path is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Pair,
    Dependency,
}

/// A step of a path.
#[derive(Clone, Copy)]
struct Arc {
    from: NodeId,
    to: NodeId,
    step: Step,
}

/// Shortest paths from one node.
struct Paths {
    /// How far the nodes are that were reached.
    lengths: BTreeMap<NodeId, u64>,
    /// By which step a node was reached.
    arcs: BTreeMap<NodeId, Arc>,
}

impl Paths {
    /// The steps to a node, in order.
    fn to(&self, node: NodeId) -> Vec<Arc> {
        let mut path: Vec<Arc> =
            std::iter::successors(self.arcs.get(&node), |arc| self.arcs.get(&arc.from))
                .copied()
                .collect();
        path.reverse();
        path
    }
}

//! The constraints that are too many to state: found when a solution violates them, also a fractional
//! one, most by shortest paths over the pairs, whose lengths are their x.
//!
//! ```text
//! read       a consumer q of an array:  r[q] + (1 - x[p,q]) + Σ(t<q) min(r[t], 1 - x[t,q]) ≥ 1
//! clique     a node k, and nodes that pairwise cannot:        Σ (1 - x[k,l]) ≤ 1
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
use std::collections::{BTreeSet, BinaryHeap};

use good_lp::{Constraint, Expression};

use super::facts::Facts;
use super::model::{Reads, heaviest_chain};
use super::pairs::{Pair, ordered};
use super::program::{Program, Values};
use crate::ids::{NodeId, SecondaryMap};

/// What a solution violates.
#[derive(Default)]
pub(super) struct Violated {
    /// Constraints.
    pub(super) rows: Vec<Constraint>,
    /// Pairs that need a variable before their constraint can be stated.
    pub(super) pairs: BTreeSet<Pair>,
    /// How much work it was to find them: steps of shortest paths.
    pub(super) work: usize,
}

impl Violated {
    /// Whether that is nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.pairs.is_empty()
    }
}

/// Lengths are counted in these parts of 1, so that paths compare exactly.
const UNIT: u32 = 1_000_000;

/// What a constraint must be violated by.
const TOLERANCE: u32 = UNIT / 1000;

/// The most conflicts that are found from each node in a round: further ones mostly say the same.
const CONFLICTS: usize = 3;

/// A value in parts of [`UNIT`].
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(super) fn millionths(value: f64) -> u32 {
    (value * 1e6).round() as u32
}

/// Finds what the values of a program's variables violate.
pub(super) struct Separator<'a> {
    facts: &'a Facts<'a>,
    program: &'a Program,
    values: &'a Values,
    /// How much work is left.
    most: usize,
    /// The nodes that the program is about, in order. Below, they are called by their places here.
    nodes: Vec<NodeId>,
    /// Where each of them is.
    places: SecondaryMap<NodeId, u32>,
    /// x of every pair, in parts of [`UNIT`]: a row for each node.
    lengths: Vec<u32>,
    /// The pairs of each node.
    partners: Vec<Vec<u32>>,
    /// The nodes that depend on each.
    after: Vec<Vec<u32>>,
    /// The first of the nodes that each is fused with, directly or by way of others.
    fused: Vec<u32>,
}

impl<'a> Separator<'a> {
    /// For these values.
    pub(super) fn new(
        facts: &'a Facts<'a>,
        nodes: &BTreeSet<NodeId>,
        program: &'a Program,
        values: &'a Values,
        most: usize,
    ) -> Self {
        let nodes: Vec<NodeId> = nodes.iter().copied().collect();
        let mut places = SecondaryMap::with_default(u32::MAX);
        for (place, &node) in (0..).zip(&nodes) {
            places[node] = place;
        }
        let mut lengths = vec![UNIT; nodes.len() * nodes.len()];
        let mut partners = vec![Vec::new(); nodes.len()];
        for (&(a, b), &column) in &program.fused {
            let (a, b) = (places[a], places[b]);
            for (from, to) in [(a, b), (b, a)] {
                lengths[from as usize * nodes.len() + to as usize] = millionths(values[column]);
                partners[from as usize].push(to);
            }
        }
        for group in program.groups(&nodes) {
            for (index, &a) in group.iter().enumerate() {
                for (step, &b) in group[index + 1..].iter().enumerate() {
                    for (from, to) in [(places[a], places[b]), (places[b], places[a])] {
                        lengths[from as usize * nodes.len() + to as usize] = 0;
                        // One way through the group is enough.
                        if step == 0 {
                            partners[from as usize].push(to);
                        }
                    }
                }
            }
        }
        let here = |after: &NodeId| Some(places[*after]).filter(|&place| place != u32::MAX);
        let after =
            nodes.iter().map(|&node| facts.after[node].iter().filter_map(here).collect()).collect();
        let fused = fused(nodes.len(), &lengths, &partners);
        Self { facts, program, values, most, nodes, places, lengths, partners, after, fused }
    }

    /// What each consumer of an array gets, at most.
    pub(super) fn reads(&self, reads: &Reads, violated: &mut Violated) {
        for (index, &(q, r_q)) in reads.consumers.iter().enumerate() {
            let (mut served, mut row) = (millionths(self.values[r_q]), self.program.term(r_q));
            if let Some(p) = reads.producer {
                served += UNIT - self.length(p, q);
                row += 1.0 - self.program.x(p, q);
            }
            for &(t, r_t) in &reads.consumers[..index] {
                let (start, fused) = (millionths(self.values[r_t]), UNIT - self.length(t, q));
                served += start.min(fused);
                row +=
                    if start < fused { self.program.term(r_t) } else { 1.0 - self.program.x(t, q) };
            }
            if served + TOLERANCE <= UNIT {
                violated.rows.push(row.geq(1.0));
            }
        }
    }

    /// Of nodes that pairwise cannot, at most one is fused with any other.
    pub(super) fn cliques(&self, violated: &mut Violated) {
        for &node in &self.nodes {
            self.cliques_at(node, violated);
        }
    }

    /// Conflicts and missing concestors on chains.
    pub(super) fn chains(&self, violated: &mut Violated) {
        let mut paths = Paths::new(self.nodes.len());
        for &node in &self.nodes {
            if violated.work + paths.work > self.most {
                break;
            }
            self.chains_from(node, &mut paths, violated);
        }
        violated.work += paths.work;
    }

    /// Ways from nodes back to those that they depend on.
    pub(super) fn cycles(&self, violated: &mut Violated) {
        let mut paths = Paths::new(self.nodes.len());
        for &node in &self.nodes {
            if violated.work + paths.work > self.most {
                break;
            }
            self.cycles_from(node, &mut paths, violated);
        }
        violated.work += paths.work;
    }

    fn cliques_at(&self, k: NodeId, violated: &mut Violated) {
        let place = self.places[k] as usize;
        let row = &self.lengths[place * self.nodes.len()..];
        let fused = |to: &u32| UNIT - row[*to as usize];
        if self.partners[place].iter().map(fused).sum::<u32>() < UNIT + TOLERANCE {
            return;
        }
        let mut partners: Vec<NodeId> =
            self.partners[place].iter().map(|&to| self.nodes[to as usize]).collect();
        partners.sort_unstable();
        violated.work += partners.len() * partners.len();
        let fused = |l: NodeId| UNIT - self.length(k, l);
        // A little more than they weigh, so that of equals the longer chain is heavier.
        let chain = heaviest_chain(self.facts, &partners, |l| u64::from(fused(l)) + 1);
        if chain.iter().map(|&l| fused(l)).sum::<u32>() >= UNIT + TOLERANCE {
            let fused: Expression = chain.iter().map(|&l| 1.0 - self.program.x(k, l)).sum();
            violated.rows.push(fused.leq(1.0));
        }
    }

    /// x[a,b] in parts of [`UNIT`].
    fn length(&self, a: NodeId, b: NodeId) -> u32 {
        let (a, b) = (self.places[a], self.places[b]);
        if a == u32::MAX || b == u32::MAX {
            return UNIT;
        }
        self.lengths[a as usize * self.nodes.len() + b as usize]
    }

    fn chains_from(&self, i: NodeId, paths: &mut Paths, violated: &mut Violated) {
        // A chain that goes on from a conflict says less than the conflict.
        let follow = |place: u32| self.facts.can.has(i, self.nodes[place as usize]);
        paths.find(self, self.places[i], follow, &[]);
        let mut found = 0;
        for place in paths.reached_after(self.places[i]) {
            let (j, length) = (self.nodes[place as usize], paths.lengths[place as usize]);
            if !self.facts.can.has(i, j) {
                let chain = paths.to(place);
                violated.work += chain.len() * chain.len();
                if !self.conflict_inside(&chain) {
                    violated.rows.push(self.sum(&chain).geq(1.0));
                    found += 1;
                    if found == CONFLICTS {
                        return;
                    }
                }
            } else if let Some((of_i, of_j)) = self.facts.concestors(i, j) {
                for (a, b) in [(of_i, i), (of_j, j), (of_i, of_j)] {
                    self.need(paths, place, length, ordered(a, b), violated);
                }
            }
        }
    }

    /// The concestor constraint for one of the pairs that a chain asks for.
    fn need(&self, paths: &Paths, end: u32, length: u32, (a, b): Pair, violated: &mut Violated) {
        if a == b {
            return;
        }
        if self.program.fused.contains_key(&(a, b)) {
            if self.length(a, b) >= length + TOLERANCE {
                violated.rows.push(self.sum(&paths.to(end)).geq(self.program.x(a, b)));
            }
        } else if length == 0 && !self.are_fused(a, b) {
            // The pair may be together by way of others; if not, it gets a variable.
            violated.pairs.insert((a, b));
        }
    }

    fn cycles_from(&self, v: NodeId, paths: &mut Paths, violated: &mut Violated) {
        let before = &self.facts.before[v];
        let back = |&&u: &&NodeId| self.places[u] != u32::MAX;
        if !before.iter().any(|u| back(&u)) {
            return;
        }
        paths.find(self, self.places[v], |_| true, &self.after);
        for &u in before.iter().filter(back) {
            let length = paths.lengths[self.places[u] as usize];
            if length < UNREACHED && self.length(u, v) >= length + TOLERANCE {
                let way = paths.to(self.places[u]);
                violated.rows.push(self.sum(&way).geq(self.program.x(u, v)));
            }
        }
    }

    /// Whether a shorter part of the chain is in conflict.
    fn conflict_inside(&self, chain: &[Arc]) -> bool {
        let ends = chain.iter().map(|arc| arc.from).chain(chain.last().map(|arc| arc.to));
        let nodes: Vec<NodeId> = ends.map(|place| self.nodes[place as usize]).collect();
        let ends = (nodes.first(), nodes.last());
        nodes.iter().enumerate().any(|(index, a)| {
            (nodes[index + 1..].iter())
                .any(|b| (Some(a), Some(b)) != ends && !self.facts.can.has(*a, *b))
        })
    }

    fn are_fused(&self, a: NodeId, b: NodeId) -> bool {
        self.fused[self.places[a] as usize] == self.fused[self.places[b] as usize]
    }

    /// Σ x of the pairs on a path.
    fn sum(&self, path: &[Arc]) -> Expression {
        let x =
            |arc: &Arc| self.program.x(self.nodes[arc.from as usize], self.nodes[arc.to as usize]);
        let pairs = path.iter().filter(|arc| arc.step == Step::Pair);
        pairs.map(x).sum()
    }
}

/// The first node of each group that chains of pairs of length 0 connect, for each node.
fn fused(nodes: usize, lengths: &[u32], partners: &[Vec<u32>]) -> Vec<u32> {
    let mut first = vec![u32::MAX; nodes];
    for start in 0..nodes {
        let mut stack = vec![start];
        while let Some(node) = stack.pop() {
            if first[node] == u32::MAX {
                first[node] = u32::try_from(start).expect("there are fewer than 2^32 nodes");
                let next = partners[node].iter().map(|&to| to as usize);
                stack.extend(next.filter(|to| lengths[node * nodes + to] == 0));
            }
        }
    }
    first
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
    from: u32,
    to: u32,
    step: Step,
}

/// The length of the way to a node that is not less than 1 away.
const UNREACHED: u32 = UNIT - TOLERANCE + 1;

/// Shortest paths from one node.
struct Paths {
    /// How far the nodes are.
    lengths: Vec<u32>,
    /// By which step a node was reached.
    arcs: Vec<Option<Arc>>,
    /// The nodes that were reached.
    reached: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// How many steps were looked at so far.
    work: usize,
}

impl Paths {
    fn new(nodes: usize) -> Self {
        Self {
            lengths: vec![UNREACHED; nodes],
            arcs: vec![None; nodes],
            reached: Vec::new(),
            queue: BinaryHeap::new(),
            work: 0,
        }
    }

    /// Shortest paths from a node to those that are less than 1 away (Dijkstra): over the pairs of the
    /// nodes that are to be followed, and over dependencies.
    fn find(
        &mut self,
        of: &Separator<'_>,
        start: u32,
        follow: impl Fn(u32) -> bool,
        dependencies: &[Vec<u32>],
    ) {
        for place in self.reached.drain(..) {
            self.lengths[place as usize] = UNREACHED;
            self.arcs[place as usize] = None;
        }
        self.lengths[start as usize] = 0;
        self.reached.push(start);
        self.queue.push(Reverse((0, start)));
        while let Some(Reverse((length, from))) = self.queue.pop() {
            if self.lengths[from as usize] < length || !follow(from) {
                continue;
            }
            let row = &of.lengths[from as usize * of.nodes.len()..];
            for &to in &of.partners[from as usize] {
                let arc = Arc { from, to, step: Step::Pair };
                self.reach(arc, length + row[to as usize]);
            }
            let after = dependencies.get(from as usize).map_or(&[][..], Vec::as_slice);
            for &to in after {
                self.reach(Arc { from, to, step: Step::Dependency }, length);
            }
            self.work += of.partners[from as usize].len() + after.len();
        }
    }

    fn reach(&mut self, arc: Arc, length: u32) {
        let known = &mut self.lengths[arc.to as usize];
        if length < *known {
            if *known == UNREACHED {
                self.reached.push(arc.to);
            }
            *known = length;
            self.arcs[arc.to as usize] = Some(arc);
            self.queue.push(Reverse((length, arc.to)));
        }
    }

    /// The nodes after one that were reached, in order.
    fn reached_after(&self, place: u32) -> Vec<u32> {
        let mut reached: Vec<u32> =
            self.reached.iter().copied().filter(|&other| other > place).collect();
        reached.sort_unstable();
        reached
    }

    /// The steps to a node, in order.
    fn to(&self, place: u32) -> Vec<Arc> {
        let back = |place: u32| self.arcs[place as usize];
        let mut path: Vec<Arc> = std::iter::successors(back(place), |arc| back(arc.from)).collect();
        path.reverse();
        path
    }
}

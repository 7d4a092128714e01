//! Lazy constraints: there are too many to state all of them, so they are added when a solution violates them,
//! integral or fractional. Most are found by shortest paths over the pairs, where the length of a pair is its x.
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
//! A read is a facility location problem: q starts a read itself, or gets the elements from the producer, or takes
//! part in the read of an earlier consumer t. The part y[t,q] is at most the read that t starts, and at most the
//! degree to which t and q are fused. Each choice of one of the two bounds in the minimum is a constraint. Cliques
//! are stronger conflicts.
//!
//! A cycle among clusters is such a way back: its chains of pairs are inside clusters, and its dependencies lead from
//! one cluster to the next. If all its pairs are fused, u and v must be fused as well. If x[u,v] has no variable, it
//! is 1.
//!
//! Invariant: every constraint holds for every legal clustering. An integral solution that violates none decodes to a
//! legal clustering, and costs at least as much as that clustering.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use good_lp::{Constraint, Expression};

use super::analysis::GraphAnalysis;
use super::model::{ArrayReads, heaviest_chain};
use super::pairs::{Pair, ordered};
use super::program::{IntegerProgram, Values};
use arrc_syntax::ids::{NodeId, SecondaryMap};

/// The violations of a solution.
#[derive(Default)]
pub(super) struct Violations {
    /// The violated constraints.
    pub(super) rows: Vec<Constraint>,
    /// Pairs that need a variable before their constraint can be stated.
    pub(super) pairs: BTreeSet<Pair>,
    /// The work that it took to find them, in steps of shortest paths.
    pub(super) work: usize,
}

impl Violations {
    /// Whether there is no violation.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.pairs.is_empty()
    }
}

/// Lengths are counted in this many parts of 1, so that path lengths compare exactly.
const UNIT: u32 = 1_000_000;

/// The least amount by which a constraint has to be violated.
const TOLERANCE: u32 = UNIT / 1000;

/// The most conflicts that are found from each node in a round. Further ones rarely add anything.
/// `scripts/bench clustering` shows the effect on time. Not measured by itself.
const CONFLICTS: usize = 3;

/// A value in parts of [`UNIT`].
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(super) fn millionths(value: f64) -> u32 {
    (value * 1e6).round() as u32
}

/// Finds the constraints that the values of a program's variables violate.
pub(super) struct SeparationOracle<'a> {
    facts: &'a GraphAnalysis<'a>,
    program: &'a IntegerProgram,
    values: &'a Values,
    /// The bound on work.
    work_limit: usize,
    /// The nodes of the program, in order. The fields below refer to a node by its place in this list.
    nodes: Vec<NodeId>,
    /// The place of each node.
    places: SecondaryMap<NodeId, u32>,
    /// x of every pair, in parts of [`UNIT`], with a row for each node.
    lengths: Vec<u32>,
    /// The pairs of each node.
    partners: Vec<Vec<u32>>,
    /// The nodes that depend on each node.
    after: Vec<Vec<u32>>,
    /// For each node, the first node that it is fused with, directly or through other nodes.
    fused: Vec<u32>,
}

impl<'a> SeparationOracle<'a> {
    /// A separator for these values.
    pub(super) fn new(
        facts: &'a GraphAnalysis<'a>,
        nodes: &BTreeSet<NodeId>,
        program: &'a IntegerProgram,
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
                        // One path through the group is enough.
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
        Self {
            facts,
            program,
            values,
            work_limit: most,
            nodes,
            places,
            lengths,
            partners,
            after,
            fused,
        }
    }

    /// Checks that each consumer of an array gets its elements: the `read` constraints.
    pub(super) fn reads(&self, reads: &ArrayReads, violated: &mut Violations) {
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

    /// The `clique` constraints: among nodes that pairwise cannot share a pass, at most one is fused with any given
    /// node.
    pub(super) fn cliques(&self, violated: &mut Violations) {
        for &node in &self.nodes {
            self.cliques_at(node, violated);
        }
    }

    /// The `conflict` and `concestor` constraints on chains.
    pub(super) fn chains(&self, violated: &mut Violations) {
        let mut paths = Paths::new(self.nodes.len());
        for &node in &self.nodes {
            if violated.work + paths.work > self.work_limit {
                break;
            }
            self.chains_from(node, &mut paths, violated);
        }
        violated.work += paths.work;
    }

    /// The `cycle` constraints: ways from nodes back to the nodes that they depend on.
    pub(super) fn cycles(&self, violated: &mut Violations) {
        let mut paths = Paths::new(self.nodes.len());
        for &node in &self.nodes {
            if violated.work + paths.work > self.work_limit {
                break;
            }
            self.cycles_from(node, &mut paths, violated);
        }
        violated.work += paths.work;
    }

    fn cliques_at(&self, k: NodeId, violated: &mut Violations) {
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
        // Each weight is a little higher than the value, so that the longer of two equal chains is heavier.
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

    fn chains_from(&self, i: NodeId, paths: &mut Paths, violated: &mut Violations) {
        // A chain through a conflict gives a weaker constraint than the conflict itself.
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

    /// The concestor constraint for one of the pairs that a chain requires.
    fn need(&self, paths: &Paths, end: u32, length: u32, (a, b): Pair, violated: &mut Violations) {
        if a == b {
            return;
        }
        if self.program.fused.contains_key(&(a, b)) {
            if self.length(a, b) >= length + TOLERANCE {
                violated.rows.push(self.sum(&paths.to(end)).geq(self.program.x(a, b)));
            }
        } else if length == 0 && !self.are_fused(a, b) {
            // The pair may be together through other pairs. If it is not, it gets a variable.
            violated.pairs.insert((a, b));
        }
    }

    fn cycles_from(&self, v: NodeId, paths: &mut Paths, violated: &mut Violations) {
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

    /// Whether a shorter part of the chain is in conflict, too.
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
        let pairs = path.iter().filter(|arc| arc.step == ArcKind::Pair);
        pairs.map(x).sum()
    }
}

/// For each node, the first node of its group. Chains of pairs of length 0 connect the nodes of a group.
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

/// The kind of a step of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArcKind {
    Pair,
    Dependency,
}

/// A step of a path.
#[derive(Clone, Copy)]
struct Arc {
    from: u32,
    to: u32,
    step: ArcKind,
}

/// The length of the path to a node that is at least 1 away.
const UNREACHED: u32 = UNIT - TOLERANCE + 1;

/// Shortest paths from one node.
struct Paths {
    /// The distance of each node.
    lengths: Vec<u32>,
    /// The step by which each node was reached.
    arcs: Vec<Option<Arc>>,
    /// The nodes that were reached.
    reached: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// The number of steps that were looked at so far.
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

    /// Shortest paths from a node to the nodes that are less than 1 away (Dijkstra). The paths go over the pairs of
    /// the nodes that `follow` accepts, and over dependencies.
    fn find(
        &mut self,
        of: &SeparationOracle<'_>,
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
                let arc = Arc { from, to, step: ArcKind::Pair };
                self.reach(arc, length + row[to as usize]);
            }
            let after = dependencies.get(from as usize).map_or(&[][..], Vec::as_slice);
            for &to in after {
                self.reach(Arc { from, to, step: ArcKind::Dependency }, length);
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

    /// The reached nodes after `place`, in order.
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

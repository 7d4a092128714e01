//! The third criterion (001, section 1.4): among the clusterings with the least traffic and the fewest intermediates,
//! one with the fewest passes.
//!
//! Merges that change no cost give a first answer. It is proven if as many nodes as it has passes pairwise cannot
//! share a pass. Otherwise a second program decides, if it is small enough. It is the program of the first stage for
//! the whole block, with a variable for every pair that can share a pass, and the first objective as a constraint. It
//! adds
//!
//! ```text
//! z[j]    0 … 1   1 if j is the first node of its cluster
//! y[i,j]  0 … 1   1 if i is the first node of j's cluster, for the pairs
//!
//! minimise  Σ z[j]
//! z[j] + Σ(i<j) y[i,j] ≥ 1,   y[i,j] ≤ z[i],   y[i,j] ≤ 1 - x[i,j]
//! traffic and intermediates ≤ what the first stage has found
//! ```
//!
//! Invariant: traffic and intermediates never grow.

use std::collections::{BTreeMap, BTreeSet};

use good_lp::Expression;

use super::analysis::GraphAnalysis;
use super::best::best_merge;
use super::components::Component;
use super::cuts::{SeparationOracle, Violations, millionths};
use super::cutting_planes::{Formulation, minimise};
use super::model::{Model, heaviest_chain};
use super::pairs::{Pair, add_with_concestors, ordered};
use super::partition::Partition;
use super::program::{Column, IntegerProgram, Values, VariableMeaning, float};
use super::work::Work;
use crate::cluster::free_merges::merge_loops;
use crate::clusters::Solver;
use arrc_syntax::ids::NodeId;

/// The bound on work for the second stage: much less than for the first. `scripts/bench clustering` has the times of
/// both stages and of the first one alone.
const WORK: Work = Work::of(2_000_000);

/// Blocks with more pairs that can share a pass are only merged. It bounds the work of the second stage:
/// `scripts/bench clustering` shows the effect on time and proofs. Not measured by itself.
const MAX_PAIRS: usize = 400;

/// A constraint that is violated by less is not added.
const MISSED: f64 = 1e-3;

/// Reduces the passes of a partition at the same cost, or returns another partition with fewer passes. Also returns
/// whether this is proven to be the least number. Nodes that `groups` has together stay together.
pub(super) fn fewest_passes<'a>(
    partition: &mut Partition<'a>,
    groups: &Partition<'a>,
    others: Vec<Partition<'a>>,
    solver: Solver,
) -> bool {
    merge_loops(partition);
    for mut other in others {
        merge_loops(&mut other);
        *partition = better(partition.clone(), other);
    }
    let facts = partition.facts();
    if partition.count() == incompatible_clique_size(facts) {
        return true;
    }
    let Some(pairs) = all_pairs(facts, groups) else { return false };
    let nodes: BTreeSet<NodeId> = facts.graph.nodes.keys().collect();
    let component = Component { nodes, pairs };
    let passes = PassCountFormulation::new(facts, &component, groups, partition);
    let start = partition.clone();
    let found =
        minimise(facts, passes, groups, &component.pairs, start, (solver, &mut WORK.clone()));
    *partition = found.partition;
    found.proven
}

/// The better one of two partitions, or the first one if they are equally good.
pub(super) fn better<'a>(one: Partition<'a>, other: Partition<'a>) -> Partition<'a> {
    if rank(&other) < rank(&one) { other } else { one }
}

/// The criteria of a partition, in order of importance.
fn rank(partition: &Partition<'_>) -> (u64, u32, usize) {
    let cost = partition.cost();
    (cost.traffic, cost.intermediates, partition.count())
}

/// A number of nodes that pairwise cannot share a pass: no clustering has fewer passes.
fn incompatible_clique_size(facts: &GraphAnalysis<'_>) -> usize {
    let nodes: Vec<NodeId> = facts.graph.nodes.keys().collect();
    heaviest_chain(facts, &nodes, |_| 1).len()
}

/// All pairs of nodes of different groups that can share a pass, or none if there are too many.
fn all_pairs(facts: &GraphAnalysis<'_>, groups: &Partition<'_>) -> Option<BTreeSet<Pair>> {
    let mut pairs = BTreeSet::new();
    for a in facts.graph.nodes.keys() {
        for b in facts.graph.nodes.keys().filter(|&b| a < b && facts.can.has(a, b)) {
            if !groups.in_one_cluster(a, b) {
                add_with_concestors(facts, a, b, &mut pairs);
            }
            if pairs.len() > MAX_PAIRS {
                return None;
            }
        }
    }
    Some(pairs)
}

/// The formulation of the second stage.
struct PassCountFormulation<'a> {
    /// The formulation of the first stage, whose objective is kept.
    first: Model<'a>,
    /// The highest value that this objective may have.
    max_objective: i64,
    component: &'a Component,
    program: IntegerProgram,
    /// The first nodes of the groups, one group after the other.
    firsts: Vec<FirstNode>,
}

/// A node that may be the first of its cluster.
struct FirstNode {
    node: NodeId,
    /// Its z.
    z: Column,
    /// The later nodes that can be in its cluster, each with its y.
    assigned: BTreeMap<NodeId, Column>,
}

impl<'a> PassCountFormulation<'a> {
    fn new(
        facts: &GraphAnalysis<'_>,
        component: &'a Component,
        groups: &Partition<'_>,
        known: &Partition<'_>,
    ) -> Self {
        let first = Model::new(facts, component, groups);
        let most = first.value(known);
        let program = first.program.clone();
        let mut passes =
            Self { first, max_objective: most, component, program, firsts: Vec::new() };
        passes.fix_first_objective();
        passes.count_clusters(groups);
        passes
    }

    /// States the objective of the first stage as a constraint.
    fn fix_first_objective(&mut self) {
        let cost = self.program.objective();
        self.program.subject_to(cost.leq(float(self.max_objective)));
        self.program.columns.values_mut().for_each(|variable| variable.cost = 0);
    }

    /// States z and y.
    fn count_clusters(&mut self, groups: &Partition<'_>) {
        for group in groups.clusters() {
            let j = groups.members(group)[0];
            let z = self.program.add(VariableMeaning::First(j), 1, 1);
            let mut covered = self.program.term(z);
            for first in &mut self.firsts {
                let pair = ordered(first.node, j);
                if self.program.fused.contains_key(&pair) {
                    let y = self.program.add(VariableMeaning::Assigned(first.node, j), 0, 1);
                    first.assigned.insert(j, y);
                    let (y, x) = (self.program.term(y), self.program.x(pair.0, pair.1));
                    covered += y.clone();
                    self.program.subject_to(y.clone().leq(self.program.term(first.z)));
                    self.program.subject_to(y.leq(1.0 - x));
                }
            }
            self.program.subject_to(covered.geq(1.0));
            self.firsts.push(FirstNode { node: j, z, assigned: BTreeMap::new() });
        }
    }

    /// Among nodes that pairwise cannot share a pass, at most one is in the cluster of a given first node:
    /// Σ y[i,j] ≤ z[i].
    fn assignments(&self, facts: &GraphAnalysis<'_>, values: &Values, violated: &mut Violations) {
        for FirstNode { z, assigned, .. } in &self.firsts {
            let nodes: Vec<NodeId> = assigned.keys().copied().collect();
            // Each weight is a little higher than the value, so that the longer of two equal chains is heavier.
            let weight = |node: NodeId| u64::from(millionths(values[assigned[&node]])) + 1;
            let chain = heaviest_chain(facts, &nodes, weight);
            let sum: f64 = chain.iter().map(|node| values[assigned[node]]).sum();
            if sum > values[*z] + MISSED {
                let sum: Expression =
                    chain.iter().map(|node| self.program.term(assigned[node])).sum();
                violated.rows.push(sum.leq(self.program.term(*z)));
            }
        }
    }
}

impl Formulation for PassCountFormulation<'_> {
    fn program(&self) -> &IntegerProgram {
        &self.program
    }

    fn value(&self, partition: &Partition<'_>) -> i64 {
        if self.first.value(partition) > self.max_objective {
            return i64::MAX;
        }
        i64::try_from(partition.count()).expect("there are not that many nodes")
    }

    fn round(&self, partition: &mut Partition<'_>, pairs: &BTreeSet<Pair>) {
        best_merge(partition, pairs);
        merge_loops(partition);
    }

    fn separate(&self, facts: &GraphAnalysis<'_>, values: &Values, most: usize) -> Violations {
        let separator =
            SeparationOracle::new(facts, &self.component.nodes, &self.program, values, most);
        let mut violated = self.first.violated(&separator);
        self.assignments(facts, values, &mut violated);
        violated
    }

    fn extend(&mut self, _: &GraphAnalysis<'_>, pairs: &BTreeSet<Pair>) {
        assert!(pairs.is_empty(), "every pair that can has a variable");
    }
}

//! The strategies `ilp` and `megiddo`: the optimum of a cost model (the traffic model component by component), then
//! the fewest passes that have it.
//!
//! Past the bound on work, or if the solver fails, the best clustering that is known stands in.
//!
//! Invariant: never worse than `none`, `stream` or `greedy` in the cost model, where these are admitted.
//!
//! ```text
//! mean = fold xs; mx = fold xs; ys = map xs; zs = map {mean mx} ys
//! ⇒ {mean mx} {ys zs}: 2 reads and 1 write, not {mean mx ys} {zs}: 2 reads and 2 writes
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::best::best_merge;
use super::components::components;
use super::facts::Facts;
use super::greedy::greedy;
use super::leaders::leaders;
use super::loops::merge_loops;
use super::model::Model;
use super::pairs::{Pair, pairs};
use super::paper::Paper;
use super::partition::Partition;
use super::passes::fewest_passes;
use super::program::Program;
use super::search::{Formulation, minimise};
use super::stream::stream;
use super::twins::join_twins;
use super::work::Work;
use crate::ids::{ClusterId, NodeId};
use crate::ir::clusters::{CostModel, Proof, Solver};

/// The work for one block: about half a second.
pub(super) const WORK: Work = Work::of(16_000_000);

/// What a strategy has found by integer linear programming.
pub(super) struct Solved<'a> {
    /// The clusters.
    pub(super) partition: Partition<'a>,
    /// The criteria in which they are proven optimal, among the clusterings that the facts admit.
    pub(super) proof: Proof,
    /// The programs that were solved, one for each component, and the value of the best solution found.
    pub(super) programs: Vec<(Program, i64)>,
}

/// The optimum of a cost model among what the facts admit.
pub(super) fn ilp<'a>(
    facts: &'a Facts<'a>,
    cost: CostModel,
    (solver, mut work): (Solver, Work),
) -> Solved<'a> {
    match cost {
        CostModel::Traffic => {
            let (mut solved, groups) = least_traffic(facts, (solver, &mut work));
            let others = vec![greedy(facts), stream(facts)];
            let fewest = fewest_passes(&mut solved.partition, &groups, others, solver);
            if fewest && solved.proof == Proof::Cost {
                solved.proof = Proof::Passes;
            }
            solved
        }
        CostModel::Paper => {
            let mut solved = paper(facts, (solver, &mut work));
            merge_loops(&mut solved.partition);
            solved
        }
    }
}

/// The first stage of the traffic model: the least traffic, then the fewest intermediates. With the groups of nodes
/// that need not be parted.
pub(super) fn least_traffic<'a>(
    facts: &'a Facts<'a>,
    with: (Solver, &mut Work),
) -> (Solved<'a>, Partition<'a>) {
    let (mut solved, groups) = traffic(facts, &Partition::singletons(facts), None, with);
    if solved.proof == Proof::None {
        let best = [greedy(facts), stream(facts)].into_iter().min_by_key(Partition::cost);
        let better = best.filter(|best| best.cost() < solved.partition.cost());
        solved.partition = better.unwrap_or(solved.partition);
    }
    (solved, groups)
}

/// The best of the clusterings in which two nodes share a pass; none if there is none. The optimum without that is
/// known.
pub(super) fn ilp_with<'a>(
    facts: &'a Facts<'a>,
    (a, b): Pair,
    known: &Partition<'a>,
    with: (Solver, &mut Work),
) -> Option<Solved<'a>> {
    let mut joined = Partition::singletons(facts);
    joined.try_join(a, b).then(|| traffic(facts, &joined, Some(known), with).0)
}

/// The traffic model, component by component; what the given partition has together stays so. Where that is
/// nothing, an optimum may be known.
fn traffic<'a>(
    facts: &'a Facts<'a>,
    joined: &Partition<'a>,
    known: Option<&Partition<'a>>,
    (solver, work): (Solver, &mut Work),
) -> (Solved<'a>, Partition<'a>) {
    // Nodes that are together already stay together.
    let fixed: BTreeSet<NodeId> = joined.pairs().into_iter().flat_map(|(a, b)| [a, b]).collect();
    let mut groups = joined.clone();
    follow(&mut groups, leaders(facts, &fixed));
    join_twins(&mut groups, &fixed);
    let mut pairs = pairs(facts, &groups);
    pairs.extend(joined.pairs());
    let mut solved = Solved { partition: joined.clone(), proof: Proof::Cost, programs: Vec::new() };
    for component in components(facts, &groups, &pairs) {
        if let Some(known) = known
            && component.nodes.is_disjoint(&fixed)
        {
            let mut parts: BTreeMap<ClusterId, BTreeSet<ClusterId>> = BTreeMap::new();
            for &node in &component.nodes {
                let part = parts.entry(known.cluster(node)).or_default();
                part.insert(solved.partition.cluster(node));
            }
            parts.values().for_each(|part| solved.partition.merge(part));
            continue;
        }
        let joined = groups.within(&component.nodes);
        let mut start = joined.clone();
        best_merge(&mut start, &component.pairs);
        let model = Model::new(facts, &component, &joined);
        let found = minimise(facts, model, &joined, &component.pairs, start, (solver, &mut *work));
        if !found.proven {
            solved.proof = Proof::None;
        }
        solved.programs.push((found.program, found.value));
        for cluster in found.partition.clusters() {
            let nodes = found.partition.members(cluster);
            let clusters: BTreeSet<_> =
                nodes.iter().map(|&node| solved.partition.cluster(node)).collect();
            // No path leads out of a component and back: a clustering that is legal in it is legal.
            solved.partition.merge(&clusters);
        }
    }
    (solved, groups)
}

/// Brings nodes together with those that they may as well be with.
fn follow(joined: &mut Partition<'_>, leaders: Vec<Pair>) {
    let mut left = leaders;
    // One may be in the way of another as long as that stands in between.
    loop {
        let before = left.len();
        left.retain(|&(node, leader)| !joined.try_join(node, leader));
        if left.len() == before {
            return;
        }
    }
}

/// The papers' formulation, for the whole block.
fn paper<'a>(facts: &'a Facts<'a>, with: (Solver, &mut Work)) -> Solved<'a> {
    let formulation = Paper::new(facts);
    let best = [Partition::singletons(facts), stream(facts), greedy(facts)]
        .into_iter()
        .min_by_key(|partition| formulation.value(partition))
        .expect("there are three");
    let apart = Partition::singletons(facts);
    let found = minimise(facts, formulation, &apart, &pairs(facts, &apart), best, with);
    Solved {
        partition: found.partition,
        proof: if found.proven { Proof::Passes } else { Proof::None },
        programs: vec![(found.program, found.value)],
    }
}

//! The strategies `ilp` and `megiddo`. They find the optimum of a cost model, and then the fewest passes with this
//! optimum. The traffic model is solved component by component.
//!
//! If the bound on work is reached, or the solver fails, they return the best clustering that is known.
//!
//! Invariant: the result is never worse than `none`, `stream` or `greedy` in the cost model, if these are admitted.
//!
//! ```text
//! mean = fold xs; mx = fold xs; ys = map xs; zs = map {mean mx} ys
//! ⇒ {mean mx} {ys zs}: 2 reads and 1 write, not {mean mx ys} {zs}: 2 reads and 2 writes
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::GraphAnalysis;
use super::best::best_merge;
use super::components::components;
use super::cutting_planes::{Formulation, minimise};
use super::greedy::greedy;
use super::leaders::leaders;
use super::model::Model;
use super::pairs::{Pair, pairs};
use super::paper_formulation::PaperFormulation;
use super::partition::Partition;
use super::pass_count::fewest_passes;
use super::program::IntegerProgram;
use super::stream::stream;
use super::twins::join_twins;
use super::work::Work;
use crate::cluster::free_merges::merge_loops;
use crate::clusters::{CostModel, Proof, Solver};
use arrc_syntax::ids::{ClusterId, NodeId};

/// The bound on work for one block: about half a second. In one run of `scripts/bench clustering` on one machine, no
/// first stage took longer than 0.95 s.
pub(super) const WORK: Work = Work::of(16_000_000);

/// The result of integer linear programming.
pub(super) struct IlpResult<'a> {
    /// The clusters.
    pub(super) partition: Partition<'a>,
    /// The criteria in which the clusters are proven optimal, among the clusterings that the facts admit.
    pub(super) proof: Proof,
    /// The programs that were solved, one for each component, and the value of the best solution found.
    pub(super) programs: Vec<(IntegerProgram, i64)>,
}

/// The optimum of a cost model among the clusterings that the facts admit.
pub(super) fn ilp<'a>(
    facts: &'a GraphAnalysis<'a>,
    cost: CostModel,
    (solver, mut work): (Solver, Work),
) -> IlpResult<'a> {
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

/// The first stage of the traffic model: the least traffic, then the fewest intermediates. Also returns the groups of
/// nodes that need not be separated.
pub(super) fn least_traffic<'a>(
    facts: &'a GraphAnalysis<'a>,
    with: (Solver, &mut Work),
) -> (IlpResult<'a>, Partition<'a>) {
    let (mut solved, groups) = traffic(facts, &Partition::singletons(facts), None, with);
    if solved.proof == Proof::None {
        let best = [greedy(facts), stream(facts)].into_iter().min_by_key(Partition::cost);
        let better = best.filter(|best| best.cost() < solved.partition.cost());
        solved.partition = better.unwrap_or(solved.partition);
    }
    (solved, groups)
}

/// The best clustering in which two nodes share a pass, or none if no clustering is. `known` is the optimum without
/// this condition.
pub(super) fn ilp_with<'a>(
    facts: &'a GraphAnalysis<'a>,
    (a, b): Pair,
    known: &Partition<'a>,
    with: (Solver, &mut Work),
) -> Option<IlpResult<'a>> {
    let mut joined = Partition::singletons(facts);
    joined.try_join(a, b).then(|| traffic(facts, &joined, Some(known), with).0)
}

/// The optimum of the traffic model, component by component. Nodes that `joined` has together stay together. In a
/// component without such nodes, the `known` optimum is used if there is one.
fn traffic<'a>(
    facts: &'a GraphAnalysis<'a>,
    joined: &Partition<'a>,
    known: Option<&Partition<'a>>,
    (solver, work): (Solver, &mut Work),
) -> (IlpResult<'a>, Partition<'a>) {
    // Nodes that are already together stay together.
    let fixed: BTreeSet<NodeId> = joined.pairs().into_iter().flat_map(|(a, b)| [a, b]).collect();
    let mut groups = joined.clone();
    follow(&mut groups, leaders(facts, &fixed));
    join_twins(&mut groups, &fixed);
    let mut pairs = pairs(facts, &groups);
    pairs.extend(joined.pairs());
    let mut solved =
        IlpResult { partition: joined.clone(), proof: Proof::Cost, programs: Vec::new() };
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
            // No path leads out of a component and back, so a clustering that is legal in a component is legal in the
            // block.
            solved.partition.merge(&clusters);
        }
    }
    (solved, groups)
}

/// Merges each node with its leader.
fn follow(joined: &mut Partition<'_>, leaders: Vec<Pair>) {
    let mut left = leaders;
    // A node between another node and its leader prevents their merge until it is merged itself.
    loop {
        let before = left.len();
        left.retain(|&(node, leader)| !joined.try_join(node, leader));
        if left.len() == before {
            return;
        }
    }
}

/// The papers' formulation, for the whole block.
fn paper<'a>(facts: &'a GraphAnalysis<'a>, with: (Solver, &mut Work)) -> IlpResult<'a> {
    let formulation = PaperFormulation::new(facts);
    let best = [Partition::singletons(facts), stream(facts), greedy(facts)]
        .into_iter()
        .min_by_key(|partition| formulation.value(partition))
        .expect("there are three");
    let apart = Partition::singletons(facts);
    let found = minimise(facts, formulation, &apart, &pairs(facts, &apart), best, with);
    IlpResult {
        partition: found.partition,
        proof: if found.proven { Proof::Passes } else { Proof::None },
        programs: vec![(found.program, found.value)],
    }
}

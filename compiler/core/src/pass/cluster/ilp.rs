//! The strategies `ilp` and `megiddo`: the optimum of a cost model (the traffic model component by component), then
//! as few loops as can be had for nothing.
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
use super::program::Program;
use super::search::{Formulation, minimise};
use super::stream::stream;
use super::twins::join_twins;
use super::work::Work;
use crate::ids::{ClusterId, NodeId};
use crate::ir::clusters::CostModel;

/// The work for one block: about a second of a slow machine.
pub(super) const WORK: Work = Work::of(500_000_000);

/// What a strategy has found by integer linear programming.
pub(super) struct Solved<'a> {
    /// The clusters.
    pub(super) partition: Partition<'a>,
    /// Whether they are proven to be the optimum of the cost model, among what the facts admit.
    pub(super) optimal: bool,
    /// The programs that were solved, one for each component, and the value of the best solution found.
    pub(super) programs: Vec<(Program, i64)>,
}

/// The optimum of a cost model among what the facts admit.
pub(super) fn ilp<'a>(facts: &'a Facts<'a>, cost: CostModel, mut work: Work) -> Solved<'a> {
    let mut solved = match cost {
        CostModel::Traffic => {
            let apart = Partition::singletons(facts);
            let mut solved = traffic(facts, &apart, None, &mut work);
            if !solved.optimal {
                let others = [greedy(facts), stream(facts)];
                let best = others.into_iter().min_by_key(Partition::cost);
                let better = best.filter(|best| best.cost() < solved.partition.cost());
                solved.partition = better.unwrap_or(solved.partition);
            }
            solved
        }
        CostModel::Paper => paper(facts, &mut work),
    };
    merge_loops(&mut solved.partition);
    solved
}

/// The best of the clusterings in which two nodes share a pass; none if there is none. The optimum without that is
/// known.
pub(super) fn ilp_with<'a>(
    facts: &'a Facts<'a>,
    (a, b): Pair,
    known: &Partition<'a>,
    work: &mut Work,
) -> Option<Solved<'a>> {
    let mut joined = Partition::singletons(facts);
    joined.try_join(a, b).then(|| traffic(facts, &joined, Some(known), work))
}

/// The traffic model, component by component; what the given partition has together stays so. Where that is
/// nothing, an optimum may be known.
fn traffic<'a>(
    facts: &'a Facts<'a>,
    joined: &Partition<'a>,
    known: Option<&Partition<'a>>,
    work: &mut Work,
) -> Solved<'a> {
    // What is together already stays where it is.
    let fixed: BTreeSet<NodeId> = joined.pairs().into_iter().flat_map(|(a, b)| [a, b]).collect();
    let mut groups = joined.clone();
    follow(&mut groups, leaders(facts, &fixed));
    join_twins(&mut groups, &fixed);
    let mut pairs = pairs(facts, &groups);
    pairs.extend(joined.pairs());
    let mut solved = Solved { partition: joined.clone(), optimal: true, programs: Vec::new() };
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
        let found = minimise(facts, model, &joined, &component.pairs, start, work);
        solved.optimal &= found.proven;
        solved.programs.push((found.program, found.value));
        for cluster in found.partition.clusters() {
            let nodes = found.partition.members(cluster);
            let clusters: BTreeSet<_> =
                nodes.iter().map(|&node| solved.partition.cluster(node)).collect();
            // No way leads out of a component and back: what is legal in it is legal.
            solved.partition.merge(&clusters);
        }
    }
    solved
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
fn paper<'a>(facts: &'a Facts<'a>, work: &mut Work) -> Solved<'a> {
    let formulation = Paper::new(facts);
    let best = [Partition::singletons(facts), stream(facts), greedy(facts)]
        .into_iter()
        .min_by_key(|partition| formulation.value(partition))
        .expect("there are three");
    let apart = Partition::singletons(facts);
    let found = minimise(facts, formulation, &apart, &pairs(facts, &apart), best, work);
    Solved {
        partition: found.partition,
        optimal: found.proven,
        programs: vec![(found.program, found.value)],
    }
}

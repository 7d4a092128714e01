//! Random blocks: the optimum against the oracle, every strategy against the optimum.
//!
//! Invariant: blocks are made from numbers, any of which make a well-formed block, so that a failure
//! shrinks to a small one.
//!
//! ```text
//! [(0, 1, 2, 3), (2, 0, 0, 0)]   ⇒   a0 = map …; s1 = fold …
//! ```

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::facts::{Admit, Facts};
use super::super::pairs::Pair;
use super::super::partition::Partition;
use super::super::{EXHAUSTIVE_LIMIT, exhaustive};
use super::ideals::{self, Cost};
use super::{cluster, shown};
use crate::ids::{NodeId, VarId};
use crate::ir::clusters::{Clusters, CostModel, Method, Proof, Solver, Strategy as How};
use crate::ir::cnf::{Bind, Extent};
use crate::ir::graph::Graph;
use crate::pass::rate::builder::Builder;

type Step = (u8, u8, u8, u8);

/// What a random block is made from, and how its results are chosen.
#[derive(Clone, Debug)]
pub(super) struct Recipe {
    steps: Vec<Step>,
    outputs: u32,
}

/// Up to so many steps, some of which coerce sizes.
fn recipe(most: usize) -> impl Strategy<Value = Recipe> {
    steps(1..=most, 27)
}

/// As many steps as the range says, none of which coerces or has an effect; not every one makes a node.
pub(super) fn recipe_of(steps: RangeInclusive<usize>) -> impl Strategy<Value = Recipe> {
    self::steps(steps, 25)
}

/// Up to so many steps, many of which have an effect.
fn effects(most: usize) -> impl Strategy<Value = Recipe> {
    let kind = prop_oneof![0..26_u8, Just(25_u8), Just(25_u8)];
    let step = (kind, any::<u8>(), any::<u8>(), any::<u8>());
    (vec(step, 1..=most), any::<u32>()).prop_map(|(steps, outputs)| Recipe { steps, outputs })
}

fn steps(steps: RangeInclusive<usize>, kinds: u8) -> impl Strategy<Value = Recipe> {
    let step = (0..kinds, any::<u8>(), any::<u8>(), any::<u8>());
    (vec(step, steps), any::<u32>()).prop_map(|(steps, outputs)| Recipe { steps, outputs })
}

/// A block in the making.
struct Maker {
    b: Builder,
    arrays: Vec<VarId>,
    scalars: Vec<VarId>,
    /// Arrays of rows.
    rows: Vec<VarId>,
    /// How long rows are.
    width: Extent,
}

impl Maker {
    fn array(&self, pick: u8) -> VarId {
        // Newer arrays more often, so that graphs are deep.
        let recent = self.arrays.len().min(5);
        self.arrays[self.arrays.len() - 1 - usize::from(pick) % recent]
    }

    /// A second array of the same size, or the same.
    fn like(&self, array: VarId, pick: u8) -> VarId {
        let size = self.b.extent(array);
        let same: Vec<VarId> =
            self.arrays.iter().copied().filter(|&other| self.b.extent(other) == size).collect();
        same[usize::from(pick) % same.len()]
    }

    /// A scalar, or none.
    fn free(&self, pick: u8) -> Vec<VarId> {
        if !pick.is_multiple_of(3) || self.scalars.is_empty() {
            return vec![];
        }
        vec![self.scalars[usize::from(pick / 3) % self.scalars.len()]]
    }

    fn step(&mut self, index: usize, (kind, p, q, r): Step) {
        let array = self.array(p);
        let like = self.like(array, q);
        let free = self.free(r);
        let name = format!("v{index}");
        match kind {
            0..=4 => {
                let inputs = if q % 2 == 0 { vec![array] } else { vec![array, like] };
                let out = self.b.map(&name, &inputs, &free);
                self.arrays.push(out);
            }
            5..=8 => {
                let out = self.b.filter_keeping(&[&name], &[array], &[like], &free);
                self.arrays.extend(out);
            }
            9..=13 => {
                let out = self.b.fold(&name, &[array], &free);
                self.scalars.push(out);
            }
            14 => {
                let Some(&size) = self.scalars.get(usize::from(q)) else { return };
                let out = self.b.generate(&name, size, &free);
                self.arrays.push(out);
            }
            15 => {
                let out = self.b.gather(&name, self.array(r), array);
                self.arrays.push(out);
            }
            16 => {
                let out = self.b.cross(&name, array, self.array(r));
                self.arrays.extend(out);
            }
            17 => {
                let out = self.b.call_array(&name, &[array]);
                self.arrays.push(out);
            }
            18 => {
                let out = if q % 2 == 0 {
                    self.b.index(&name, array)
                } else {
                    self.b.length(&name, array)
                };
                self.scalars.push(out);
            }
            19 => {
                let out = self.b.map(&name, &[array], &[like]);
                self.arrays.push(out);
            }
            25 => match q % 4 {
                0 => self.b.call_with_effect(),
                1 => {
                    let out = self.b.filter_with_effect(&name, array);
                    self.arrays.push(out);
                }
                2 => {
                    let out = self.b.fold_with_effect(&name, array);
                    self.scalars.push(out);
                }
                _ => {
                    let out = self.b.map_with_effect(&name, &[array]);
                    self.arrays.push(out);
                }
            },
            20 => {
                let out = self.b.scan(&name, array, &free);
                self.arrays.push(out);
            }
            21 => {
                let out = self.b.fold(&name, &[array, like, self.like(array, r)], &[]);
                self.scalars.push(out);
            }
            22 => {
                let (left, right) = (usize::from(p), usize::from(q));
                let of = |index: usize| self.scalars[index % self.scalars.len()];
                let out = self.b.add(&name, of(left), of(right));
                self.scalars.push(out);
            }
            23 => {
                let out = self.b.map_rows(&name, array, self.width);
                self.rows.push(out);
            }
            24 => {
                let Some(&rows) = self.rows.get(usize::from(q) % self.rows.len().max(1)) else {
                    return;
                };
                let out = self.b.fold_rows(&name, rows);
                self.arrays.push(out);
            }
            _ => {
                // Two sizes that a coercion has made equal.
                let out = self.b.map(&name, &[array, self.array(r)], &[]);
                self.arrays.push(out);
            }
        }
    }
}

/// The block of a recipe, and its results.
fn make(recipe: &Recipe) -> (Builder, Vec<VarId>) {
    let mut b = Builder::default();
    let (n, width) = (b.size("n"), b.size("w"));
    let arrays = vec![b.param("ws", width), b.param("xs", n), b.param("ys", n)];
    let rows = vec![b.array_var("xss", &[n, width])];
    let scalars = vec![b.scalar_var("given")];
    let mut maker = Maker { b, arrays, scalars, rows, width };
    for (index, &step) in recipe.steps.iter().enumerate() {
        maker.step(index, step);
    }
    let made = maker.arrays[3..].iter().chain(&maker.rows[1..]).enumerate();
    // What nothing uses is a result, and some of the rest.
    let used: BTreeSet<VarId> = (maker.b.graph("used", &[]).nodes.values())
        .flat_map(|node| node.streams.iter().chain(&node.whole))
        .copied()
        .collect();
    let results = made
        .filter(|(index, array)| !used.contains(array) || recipe.outputs >> (index % 32) & 7 == 0)
        .map(|(_, &array)| array)
        .collect();
    (maker.b, results)
}

pub(super) fn graph(recipe: &Recipe) -> Graph {
    let (b, results) = make(recipe);
    b.graph("random", &results)
}

fn cost(clusters: &Clusters) -> Cost {
    let passes = clusters.clusters.len();
    (clusters.report.traffic, clusters.report.intermediates, passes)
}

/// The bindings in another order that respects their dependencies.
fn shuffled(b: &Builder, order: &[u8]) -> Builder {
    let mut rest: Vec<Bind> = b.binds.clone();
    let mut shuffled = b.clone();
    shuffled.binds = Vec::new();
    let mut picks = order.iter().cycle();
    while !rest.is_empty() {
        let unbound: BTreeSet<VarId> = rest.iter().flat_map(|bind| bind.vars.clone()).collect();
        let ready: Vec<usize> = (0..rest.len())
            .filter(|&index| {
                let text = format!("{:?}", rest[index].op);
                !unbound.iter().any(|var| mentions(&text, *var))
            })
            .collect();
        let pick = usize::from(*picks.next().expect("cycles")) % ready.len();
        shuffled.binds.push(rest.remove(ready[pick]));
    }
    shuffled
}

/// Whether the debug text of an operation names the variable.
fn mentions(text: &str, var: VarId) -> bool {
    let name = var.to_string();
    text.match_indices(&name).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        let after = text[at + name.len()..].chars().next().is_some_and(char::is_alphanumeric);
        !before && !after
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn ilp_is_the_optimum(recipe in recipe(8)) {
        let graph = graph(&recipe);
        let ours = cluster(&graph, How::Ilp);
        prop_assert_eq!(ours.report.proof, Proof::Passes);
        let best = exhaustive(&graph);
        prop_assert_eq!(
            cost(&ours), cost(&best),
            "{}\n{}{}", graph, shown(&graph, &ours), shown(&graph, &best)
        );
    }

    #[test]
    fn ilp_is_the_optimum_with_effects(recipe in effects(9)) {
        let graph = graph(&recipe);
        prop_assume!(graph.nodes.len() <= EXHAUSTIVE_LIMIT);
        let ours = cluster(&graph, How::Ilp);
        prop_assert_eq!(ours.report.proof, Proof::Passes);
        let best = exhaustive(&graph);
        prop_assert_eq!(
            cost(&ours), cost(&best),
            "{}\n{}{}", graph, shown(&graph, &ours), shown(&graph, &best)
        );
    }

    #[test]
    fn effects_keep_their_order(recipe in effects(25)) {
        let graph = graph(&recipe);
        for strategy in How::ALL {
            for cost in [CostModel::Traffic, CostModel::Paper] {
                let clusters = super::super::cluster(&graph, Method { strategy, cost, ..Method::default() });
                let has_effect = |node: &&NodeId| graph.nodes[**node].effect.is_some();
                let order: Vec<NodeId> =
                    clusters.clusters.values().flatten().filter(has_effect).copied().collect();
                prop_assert!(order.is_sorted(), "{}\n{}", graph, shown(&graph, &clusters));
                for nodes in clusters.clusters.values() {
                    let count = nodes.iter().filter(has_effect).count();
                    prop_assert!(count <= 1, "{}\n{}", graph, shown(&graph, &clusters));
                }
            }
        }
    }

    #[test]
    fn no_strategy_is_better_than_ilp(recipe in recipe(60)) {
        let graph = graph(&recipe);
        let ours = cluster(&graph, How::Ilp);
        for strategy in How::ALL {
            let other = cluster(&graph, strategy);
            prop_assert!(cost(&ours) <= cost(&other), "{}\n{}", graph, shown(&graph, &other));
        }
    }

    #[test]
    fn every_solver_finds_the_same_optimum(recipe in recipe(12)) {
        let graph = graph(&recipe);
        let found = cluster(&graph, How::Ilp);
        for &solver in Solver::ALL {
            let other = super::super::cluster(&graph, Method { solver, ..Method::default() });
            let (proof, expected) = (other.report.proof, found.report.proof);
            prop_assert!(proof >= expected, "{solver:?} proves {proof:?}, not {expected:?}");
            if expected == Proof::Passes {
                prop_assert_eq!(cost(&other), cost(&found), "{:?}: {}", solver, graph);
            }
        }
    }

    #[test]
    fn pairs_that_are_legal_together_are_taken_at_once(recipe in recipe(12)) {
        let graph = graph(&recipe);
        let clusters = cluster(&graph, How::Ilp).clusters;
        let facts = Facts::new(&graph, Admit::Related);
        let optimum = Partition::of_legal(&facts, &clusters);
        let mut pairs = optimum.pairs();
        let again = Partition::singletons(&facts).with_pairs(&pairs);
        prop_assert_eq!(again.map(|it| it.cost()), Some(optimum.cost()), "{}", graph);
        // A node that cannot be with another one.
        let nodes = || graph.nodes.keys();
        let apart = |&(a, b): &Pair| a < b && !facts.can.has(a, b);
        if let Some(bad) = nodes().flat_map(|b| nodes().map(move |a| (a, b))).find(apart) {
            pairs.push(bad);
            prop_assert!(Partition::singletons(&facts).with_pairs(&pairs).is_none(), "{}", graph);
        }
    }

    #[test]
    fn the_order_of_bindings_does_not_matter(recipe in recipe_of(1..=16), order in vec(any::<u8>(), 8)) {
        let (b, results) = make(&recipe);
        let once = cluster(&b.graph("random", &results), How::Ilp);
        let other = shuffled(&b, &order);
        let again = cluster(&other.graph("random", &results), How::Ilp);
        prop_assert_eq!(cost(&once), cost(&again));
        prop_assert_eq!(once.report.proof, again.report.proof);
    }

    #[test]
    fn clusters_are_the_same_each_time(recipe in recipe(20)) {
        let graph = graph(&recipe);
        prop_assert_eq!(cluster(&graph, How::Ilp), cluster(&graph, How::Ilp));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ideals::cases(), ..ProptestConfig::default() })]

    #[test]
    fn ilp_is_no_worse_than_dynamic_programming(recipe in recipe(13)) {
        let graph = graph(&recipe);
        prop_assume!(graph.nodes.len() <= ideals::MOST);
        let ours = cluster(&graph, How::Ilp);
        prop_assert_eq!(ours.report.proof, Proof::Passes);
        prop_assert_eq!(cost(&ours), ideals::best(&graph), "{}\n{}", graph, shown(&graph, &ours));
    }
}

//! Random blocks: the optimum against the oracle, every strategy against the optimum.
//!
//! Invariant: blocks are made from numbers, and all numbers make a well-formed block, so that a failure
//! shrinks to a small one.
//!
//! ```text
//! [(0, 1, 2, 3), (2, 0, 0, 0)]   ⇒   a0 = map …; s1 = fold …
//! ```

use std::ops::RangeInclusive;

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::analysis::{GraphAnalysis, SizeCompatibility};
use super::super::pairs::Pair;
use super::super::partition::Partition;
use super::super::{EXHAUSTIVE_LIMIT, exhaustive};
use super::ideals;
use super::ideals::Cost;
use super::{cluster, shown};
use crate::clusters::{Clusters, CostModel, Method, Proof, Solver, Strategy as How};
use crate::graph::Graph;
use crate::testing::{coerced, is_night};
use arrc_syntax::ids::NodeId;

type Step = (u8, u8, u8, u8);

/// The numbers that a random block is made from, and that choose its results.
#[derive(Clone, Debug)]
pub(super) struct Recipe {
    steps: Vec<Step>,
    outputs: u32,
}

/// Recipes of up to `most` steps. Some steps coerce sizes.
fn recipe(most: usize) -> impl Strategy<Value = Recipe> {
    steps(1..=most, 27)
}

/// Recipes with a number of steps in the range, without coercions and effects. A step need not make a node.
pub(super) fn recipe_of(steps: RangeInclusive<usize>) -> impl Strategy<Value = Recipe> {
    self::steps(steps, 25)
}

/// Recipes of up to `most` steps, many of them with an effect.
fn effects(most: usize) -> impl Strategy<Value = Recipe> {
    let kind = prop_oneof![0..26_u8, Just(25_u8), Just(25_u8)];
    let step = (kind, any::<u8>(), any::<u8>(), any::<u8>());
    (vec(step, 1..=most), any::<u32>()).prop_map(|(steps, outputs)| Recipe { steps, outputs })
}

fn steps(steps: RangeInclusive<usize>, kinds: u8) -> impl Strategy<Value = Recipe> {
    let step = (0..kinds, any::<u8>(), any::<u8>(), any::<u8>());
    (vec(step, steps), any::<u32>()).prop_map(|(steps, outputs)| Recipe { steps, outputs })
}

/// An array, and its written size.
#[derive(Clone)]
struct Array {
    name: String,
    size: String,
}

/// A function that is being built, as text.
#[derive(Clone)]
struct Maker {
    /// Its bindings, each on a line.
    binds: Vec<String>,
    arrays: Vec<Array>,
    scalars: Vec<String>,
    /// Arrays of rows, which are as long as `ws`.
    rows: Vec<Array>,
}

impl Maker {
    fn array(&self, pick: u8) -> Array {
        // Newer arrays are chosen more often, so that graphs are deep.
        let recent = self.arrays.len().min(5);
        self.arrays[self.arrays.len() - 1 - usize::from(pick) % recent].clone()
    }

    /// A second array of the same size, which may be the same array.
    fn like(&self, array: &Array, pick: u8) -> Array {
        let same: Vec<_> = self.arrays.iter().filter(|other| other.size == array.size).collect();
        same[usize::from(pick) % same.len()].clone()
    }

    /// A scalar, or none.
    fn free(&self, pick: u8) -> Option<String> {
        if !pick.is_multiple_of(3) || self.scalars.is_empty() {
            return None;
        }
        Some(self.scalars[usize::from(pick / 3) % self.scalars.len()].clone())
    }

    /// Binds an array.
    fn bind(&mut self, name: &str, size: &str, op: &str) {
        self.binds.push(format!("let ({name}: [{size}]i64) = {op}"));
        self.arrays.push(Array { name: name.to_owned(), size: size.to_owned() });
    }

    fn bind_scalar(&mut self, name: &str, op: &str) {
        self.binds.push(format!("let {name} = {op}"));
        self.scalars.push(name.to_owned());
    }

    fn map(&mut self, name: &str, inputs: &[&Array], worker: &str) {
        let params = ["x", "y"][..inputs.len()].join(" ");
        let names: Vec<_> = inputs.iter().map(|input| input.name.as_str()).collect();
        let op = format!("map{} (\\{params} -> {worker}) {}", inputs.len(), names.join(" "));
        self.bind(name, &inputs[0].size, &op);
    }

    fn filter(&mut self, name: &str, [input, keep]: [&Array; 2], worker: &str) {
        let (input, keep) = (&input.name, &keep.name);
        let op = format!("filter (\\x -> {worker}) {input} keeping {keep}");
        self.bind(name, &format!("k_{name}"), &op);
    }

    fn fold(&mut self, name: &str, array: &Array, worker: &str) {
        self.bind_scalar(name, &format!("fold (\\acc x -> {worker}) 0i64 {}", array.name));
    }

    fn step(&mut self, index: usize, (kind, p, q, r): Step) {
        let array = self.array(p);
        let like = self.like(&array, q);
        let free = self.free(r).unwrap_or_else(|| "1i64".to_owned());
        let name = &format!("v{index}");
        match kind {
            0..=4 if q % 2 == 0 => self.map(name, &[&array], &format!("x + {free}")),
            0..=4 => {
                self.map(name, &[&array, &like], &format!("let s = x + y let t = s + {free} in t"));
            }
            5..=8 => self.filter(name, [&array, &like], &format!("x > {free}")),
            9..=13 => self.fold(name, &array, &format!("let s = acc + x let t = s + {free} in t")),
            14 => {
                let Some(size) = self.scalars.get(usize::from(q)).cloned() else { return };
                self.bind(name, &size, &format!("generate {size} (\\i -> i + {free})"));
            }
            15 => {
                let data = self.array(r).name;
                self.bind(name, &array.size, &format!("gather {data} {}", array.name));
            }
            16 => self.cross(name, &array, &self.array(r)),
            17 => self.bind(name, &format!("k_{name}"), &format!("part {}", array.name)),
            18 if q % 2 == 0 => self.bind_scalar(name, &format!("{}[0i64]", array.name)),
            18 => self.bind_scalar(name, &format!("length {}", array.name)),
            19 => {
                let worker = format!("let e = {}[0i64] let s = x + e in s", like.name);
                self.map(name, &[&array], &worker);
            }
            25 => self.effect(name, q, &array),
            20 => {
                let worker = format!("let s = acc + x let t = s + {free} in t");
                self.bind(
                    name,
                    &array.size,
                    &format!("scan (\\acc x -> {worker}) 0i64 {}", array.name),
                );
            }
            21 => {
                let inputs = [&array, &like, &self.like(&array, r)].map(|input| input.name.clone());
                let worker = r"\acc (x, y, z) -> let s = acc + x let t = s + y let u = t + z in u";
                self.bind_scalar(
                    name,
                    &format!("fold ({worker}) 0i64 (zip3 {})", inputs.join(" ")),
                );
            }
            22 => {
                let of = |pick: u8| &self.scalars[usize::from(pick) % self.scalars.len()];
                self.bind_scalar(name, &format!("{} + {}", of(p), of(q)));
            }
            23 => {
                self.binds.push(format!("let {name} = map (\\x -> ws) {}", array.name));
                self.rows.push(Array { name: name.clone(), size: array.size });
            }
            24 => {
                let rows = self.rows[usize::from(q) % self.rows.len()].name.clone();
                self.bind(name, "w", &format!("fold (\\acc row -> row) ws {rows}"));
            }
            // The two sizes were made equal by a coercion.
            _ => self.map(name, &[&array, &self.array(r)], "x + y"),
        }
    }

    fn cross(&mut self, name: &str, left: &Array, right: &Array) {
        let size = format!("({}) * ({})", left.size, right.size);
        let sides = ["l", "r"].map(|side| format!("{name}_{side}"));
        let binders = sides.each_ref().map(|side| format!("{side}: [{size}]i64")).join(", ");
        self.binds.push(format!("let ({binders}) = unzip (cross {} {})", left.name, right.name));
        self.arrays.extend(sides.map(|name| Array { name, size: size.clone() }));
    }

    fn effect(&mut self, name: &str, kind: u8, array: &Array) {
        match kind % 4 {
            0 => self.binds.push("let () = act 0i64".to_owned()),
            1 => self.filter(name, [array, array], "let () = act x let keep = x > 0i64 in keep"),
            2 => self.fold(name, array, "let () = act x let s = acc + x in s"),
            _ => self.map(name, &[array], "let () = act x let y = x + 1i64 in y"),
        }
    }

    /// The graph of the function that returns these arrays.
    fn graph(&self, results: &[(String, String)]) -> Graph {
        let (names, types): (Vec<_>, Vec<_>) = results.iter().cloned().unzip();
        let (names, types) = (names.join(", "), types.join(", "));
        let word = if self.binds.is_empty() { "" } else { "in" };
        let binds = self.binds.join("\n");
        coerced(&format!(
            "#[effect(io)] external act (x: i64): ()
            external part (xs: []i64): []i64
            def random [w] [n] (ws: [w]i64) (xs: [n]i64) (ys: [n]i64) (xss: [n][w]i64) (given: i64):
              ({types}) = {binds} {word} ({names})"
        ))
    }
}

/// The function of a recipe, and its results with their types.
fn make(recipe: &Recipe) -> (Maker, Vec<(String, String)>) {
    let array = |name: &str, size: &str| Array { name: name.to_owned(), size: size.to_owned() };
    let mut maker = Maker {
        binds: Vec::new(),
        arrays: vec![array("ws", "w"), array("xs", "n"), array("ys", "n")],
        scalars: vec!["given".to_owned()],
        rows: vec![array("xss", "n")],
    };
    for (index, &step) in recipe.steps.iter().enumerate() {
        maker.step(index, step);
    }
    let flat = maker.arrays[3..].iter().map(|Array { name, size }| (name, format!("[{size}]i64")));
    let rows = maker.rows[1..].iter().map(|Array { name, size }| (name, format!("[{size}][w]i64")));
    // Arrays that nothing uses are results, and so are some others.
    let is_used = |name: &String| maker.binds.iter().any(|bind| uses(bind, name));
    let results = flat.chain(rows).enumerate();
    let results = results
        .filter(|(index, (name, _))| !is_used(name) || recipe.outputs >> (index % 32) & 7 == 0)
        .map(|(_, (name, ty))| (name.clone(), ty))
        .collect();
    (maker, results)
}

/// Whether a binding binds a name.
fn binds(bind: &str, name: &str) -> bool {
    let pattern = bind.split_once('=').map_or(bind, |(pattern, _)| pattern);
    // Sizes of bound variables stand in brackets.
    pattern.split('[').flat_map(|part| part.rsplit(']').next()).any(|part| mentions(part, name))
}

/// Whether a binding uses a name.
fn uses(bind: &str, name: &str) -> bool {
    mentions(bind, name) && !binds(bind, name)
}

fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

pub(super) fn graph(recipe: &Recipe) -> Graph {
    let (maker, results) = make(recipe);
    maker.graph(&results)
}

fn cost(clusters: &Clusters) -> Cost {
    let passes = clusters.clusters.len();
    (clusters.report.traffic, clusters.report.intermediates, passes)
}

/// The bindings in another order that respects their dependencies.
fn shuffled(maker: &Maker, order: &[u8]) -> Maker {
    let mut rest = maker.binds.clone();
    let mut shuffled = Maker { binds: Vec::new(), ..maker.clone() };
    let mut picks = order.iter().cycle();
    while !rest.is_empty() {
        let waits = |bind: &str| {
            let names = maker.scalars.iter().chain(maker.arrays.iter().map(|array| &array.name));
            let mut unbound = names.chain(maker.rows.iter().map(|array| &array.name));
            unbound.any(|name| uses(bind, name) && rest.iter().any(|other| binds(other, name)))
        };
        let ready: Vec<usize> = (0..rest.len()).filter(|&index| !waits(&rest[index])).collect();
        let pick = usize::from(*picks.next().expect("cycles")) % ready.len();
        shuffled.binds.push(rest.remove(ready[pick]));
    }
    shuffled
}

/// The number of random blocks that a test tries: `by_day` in the daily suite, and 1,000 in the nightly suite.
fn cases(by_day: u32) -> u32 {
    if is_night() { 1000 } else { by_day }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(100), ..ProptestConfig::default() })]

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
            prop_assert!(
                cost(&ours) <= cost(&other),
                "{}\n{}{}", graph, shown(&graph, &ours), shown(&graph, &other)
            );
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
        let facts = GraphAnalysis::new(&graph, SizeCompatibility::Related);
        let optimum = Partition::of_legal(&facts, &clusters);
        let mut pairs = optimum.pairs();
        let again = Partition::singletons(&facts).with_pairs(&pairs);
        prop_assert_eq!(again.map(|it| it.cost()), Some(optimum.cost()), "{}", graph);
        // A node that cannot share a cluster with another one.
        let nodes = || graph.nodes.keys();
        let apart = |&(a, b): &Pair| a < b && !facts.can.has(a, b);
        if let Some(bad) = nodes().flat_map(|b| nodes().map(move |a| (a, b))).find(apart) {
            pairs.push(bad);
            prop_assert!(Partition::singletons(&facts).with_pairs(&pairs).is_none(), "{}", graph);
        }
    }

    #[test]
    fn the_order_of_bindings_does_not_matter(recipe in recipe_of(1..=16), order in vec(any::<u8>(), 8)) {
        let (maker, results) = make(&recipe);
        let once = cluster(&maker.graph(&results), How::Ilp);
        let again = cluster(&shuffled(&maker, &order).graph(&results), How::Ilp);
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
    #![proptest_config(ProptestConfig { cases: cases(50), ..ProptestConfig::default() })]

    #[test]
    fn ilp_is_no_worse_than_dynamic_programming(recipe in recipe(13)) {
        let graph = graph(&recipe);
        prop_assume!(graph.nodes.len() <= ideals::MAX_NODES);
        let ours = cluster(&graph, How::Ilp);
        prop_assert_eq!(ours.report.proof, Proof::Passes);
        prop_assert_eq!(cost(&ours), ideals::best(&graph), "{}\n{}", graph, shown(&graph, &ours));
    }
}

//! The papers' programs, with the loops that each strategy makes of them: those of barriers left out, as
//! in 001, table 1.1.
//!
//! Invariant: where there are several optima, only what is common to all is asserted.
//!
//! ```text
//! normalize2: 5 unfused, 4 with stream fusion, 3 with Megiddo's, 2 with ours
//! ```

use super::super::exhaustive;
use super::cluster;
use crate::ids::VarId;
use crate::ir::clusters::{Clusters, Proof, Strategy};
use crate::ir::cnf::SizeDef;
use crate::ir::graph::{Graph, Kind};
use crate::pass::rate::builder::Builder;

/// Loops without barriers.
fn loops(graph: &Graph, strategy: Strategy) -> usize {
    let clusters = cluster(graph, strategy);
    let is_loop = |nodes: &&Vec<_>| graph.nodes[nodes[0]].kind != Kind::Barrier;
    clusters.clusters.values().filter(is_loop).count()
}

/// The loops under `none`, `stream`, `megiddo` and `ilp`, and the clusters of the last.
fn check(graph: &Graph, expected: [usize; 4], clusters: &[&str]) {
    let strategies = [Strategy::None, Strategy::Stream, Strategy::Megiddo, Strategy::Ilp];
    let found = strategies.map(|strategy| loops(graph, strategy));
    assert_eq!(found, expected, "none, stream, megiddo, ilp of\n{graph}");
    let ours = cluster(graph, Strategy::Ilp);
    assert_eq!(ours.report.proof, Proof::Passes, "{}", super::shown(graph, &ours));
    let shown: Vec<String> = (ours.clusters.values())
        .filter(|nodes| graph.nodes[nodes[0]].kind != Kind::Barrier)
        .map(|nodes| Clusters::show_cluster(graph, nodes))
        .collect();
    assert_eq!(shown, clusters);
}

fn input() -> (Builder, VarId) {
    let mut b = Builder::default();
    let n = b.size("n");
    let xs = b.param("xs", n);
    (b, xs)
}

/// Points: an array of xs and one of ys.
fn points() -> (Builder, [VarId; 2]) {
    let mut b = Builder::default();
    let n = b.size("n");
    let points = ["xs", "ys"].map(|name| b.param(name, n));
    (b, points)
}

pub(super) fn normalize2() -> Graph {
    let (mut b, xs) = input();
    let sum1 = b.fold("sum1", &[xs], &[]);
    let gts = b.filter("gts", xs, &[]);
    let sum2 = b.fold("sum2", &[gts], &[]);
    let ys1 = b.map("ys1", &[xs], &[sum1]);
    let ys2 = b.map("ys2", &[xs], &[sum2]);
    b.graph("normalize2", &[ys1, ys2])
}

#[test]
fn normalize2_in_two_loops() {
    check(&normalize2(), [5, 4, 3, 2], &["{sum1 gts sum2}", "{ys1 ys2}"]);
}

#[test]
fn clusters_print_with_their_report() {
    let graph = normalize2();
    let shown = |strategy| super::shown(&graph, &cluster(&graph, strategy));
    assert_eq!(
        shown(Strategy::Ilp),
        "normalize2\n  {sum1 gts sum2}\n  {ys1 ys2}\n  ilp, optimal: 2 reads, 2 writes, 0 intermediates\n"
    );
    assert_eq!(
        shown(Strategy::None),
        "normalize2\n  {sum1}\n  {gts}\n  {sum2}\n  {ys1}\n  {ys2}\n  \
         none: 5 reads, 3 writes, 1 intermediate\n"
    );
}

#[test]
fn normalize_inc_computes_the_increment_again_in_registers() {
    let (mut b, xs) = input();
    let incs = b.map("incs", &[xs], &[]);
    let sum1 = b.fold("sum1", &[xs], &[]);
    let ys = b.map("ys", &[incs], &[sum1]);
    let graph = b.graph("normalize_inc", &[ys]);
    check(&graph, [3, 2, 2, 2], &["{sum1}", "{incs ys}"]);
}

#[test]
fn cycle_does_not_go_round_a_fold() {
    let (mut b, xs) = input();
    let ys = b.map("ys", &[xs], &[]);
    let sum = b.fold("sum", &[ys], &[]);
    let zs = b.map("zs", &[ys], &[sum]);
    check(&b.graph("cycle", &[zs]), [3, 3, 2, 2], &["{ys sum}", "{zs}"]);
}

#[test]
fn filter_left_in_one_loop() {
    let (mut b, xs) = input();
    let ys1 = b.map("ys1", &[xs], &[]);
    let ys2 = b.filter("ys2", xs, &[]);
    check(&b.graph("filter_left", &[ys1, ys2]), [2, 2, 1, 1], &["{ys1 ys2}"]);
}

#[test]
fn filter_max_of_002_in_one_loop() {
    let (mut b, vec1) = input();
    let vec2 = b.map("vec2", &[vec1], &[]);
    let flags = b.map("flags", &[vec2], &[]);
    let vec3 = b.filter_keeping(&["vec3"], &[flags], &[vec2], &[])[0];
    let mx = b.fold("mx", &[vec3], &[]);
    let graph = b.graph("filter_max", &[vec3, mx]);
    check(&graph, [4, 3, 2, 1], &["{vec2 flags vec3 mx}"]);
}

#[test]
fn hull_in_one_loop() {
    let (mut b, [xs, ys]) = points();
    let above = b.filter_keeping(&["pts_x", "pts_y"], &[xs, ys], &[xs, ys], &[]);
    let ma = b.fold("ma", &above, &[]);
    let left = b.call_array("left", &[above[0], above[1], ma]);
    let right = b.call_array("right", &[above[0], above[1], ma]);
    check(&b.graph("hull", &[left, right]), [2, 2, 2, 1], &["{pts_x ma}"]);
}

#[test]
fn quickhull_core_in_one_loop() {
    let (mut b, [xs, ys]) = points();
    let distances = b.map("annotated", &[xs, ys], &[]);
    let far = b.fold("far", &[xs, ys, distances], &[]);
    let keep = [xs, ys, distances];
    let names = ["above_x", "above_y", "above_d"];
    let above = b.filter_keeping(&names, &[distances], &keep, &[]);
    let result = b.map("above", &above, &[]);
    let graph = b.graph("quickhull_core", &[far, result]);
    check(&graph, [4, 3, 2, 1], &["{annotated far above_x above}"]);
}

/// The recursive case of closest points (001, listing 1.2).
fn closest(b: &mut Builder, points: [VarId; 2], middle: VarId) -> VarId {
    let aboves = b.filter_keeping(&["aboves", "aboves_y"], &points, &points, &[middle]);
    let belows = b.filter_keeping(&["belows", "belows_y"], &points, &points, &[middle]);
    let above = b.call_scalar("above", &aboves);
    let below = b.call_scalar("below", &belows);
    let border = b.add("border", above, below);
    let above_b = b.filter_keeping(&["aboveB", "aboveB_y"], &points, &points, &[border]);
    let below_b = b.filter_keeping(&["belowB", "belowB_y"], &points, &points, &[border]);
    let (left, right) = (b.extent(above_b[0]), b.extent(below_b[0]));
    let product = b.size_of("k_cs", SizeDef::Product(left, right));
    let crossed = ["cs", "cs_y", "cs_x2", "cs_y2"].map(|name| b.array_var(name, &[product]));
    let op = crate::ir::cnf::Op::Cross { left: above_b, right: below_b };
    b.bind(&crossed, op);
    b.fold("bord", &crossed, &[border])
}

#[test]
fn closest_pairs_in_three_loops() {
    let (mut b, points) = points();
    let middle = b.scalar_var("middle");
    let mins = closest(&mut b, points, middle);
    let clusters = ["{aboves belows}", "{aboveB belowB}", "{cs bord}"];
    check(&b.graph("closest_pairs", &[mins]), [6, 5, 3, 3], &clusters);
}

#[test]
fn closest_points_in_four_loops() {
    let (mut b, points) = points();
    let total = b.fold("total", &[points[1]], &[]);
    let count = b.length("count", points[1]);
    let middle = b.add("middle", total, count);
    let mins = closest(&mut b, points, middle);
    let clusters = ["{total}", "{aboves belows}", "{aboveB belowB}", "{cs bord}"];
    check(&b.graph("closest_points", &[mins]), [7, 6, 4, 4], &clusters);
}

#[test]
fn quadtree_in_two_loops() {
    let (mut b, [xs, ys]) = points();
    let bounds: Vec<VarId> = [("x1", xs), ("x2", xs), ("y1", ys), ("y2", ys)]
        .map(|(name, array)| b.fold(name, &[array], &[]))
        .to_vec();
    let mut results = Vec::new();
    for name in ["p1", "p2", "p3", "p4"] {
        let names = [name, &format!("{name}_y")];
        results.extend(b.filter_keeping(&names, &[xs, ys], &[xs, ys], &bounds));
    }
    let graph = b.graph("quadtree", &results);
    check(&graph, [8, 8, 2, 2], &["{x1 x2 y1 y2}", "{p1 p2 p3 p4}"]);
}

#[test]
fn initial_bounds_in_one_loop() {
    let (mut b, [px, py]) = points();
    let xs = b.map("xs", &[px, py], &[]);
    let ys = b.map("ys", &[px, py], &[]);
    let bounds = [("x1", xs), ("x2", xs), ("y1", ys), ("y2", ys)]
        .map(|(name, array)| b.fold(name, &[array], &[]));
    let graph = b.graph("initial_bounds", &bounds);
    check(&graph, [6, 6, 1, 1], &["{xs ys x1 x2 y1 y2}"]);
}

#[test]
fn initial_bounds_with_free_unzip_in_one_loop() {
    let (mut b, [xs, ys]) = points();
    let bounds = [("x1", xs), ("x2", xs), ("y1", ys), ("y2", ys)]
        .map(|(name, array)| b.fold(name, &[array], &[]));
    check(&b.graph("initial_bounds", &bounds), [4, 4, 1, 1], &["{x1 x2 y1 y2}"]);
}

#[test]
fn missing_needs_the_concestors_together() {
    let (mut b, xs) = input();
    let a = b.filter("as", xs, &[]);
    let s = b.fold("b", &[a], &[]);
    let c = b.filter("cs", xs, &[s]);
    let ds = b.fold("ds", &[a], &[]);
    let es = b.fold("es", &[c], &[]);
    let graph = b.graph("missing", &[ds, es]);
    check(&graph, [5, 4, 4, 2], &["{as b ds}", "{cs es}"]);
}

#[test]
fn mean_and_max_cost_two_reads_and_one_write() {
    let (mut b, xs) = input();
    let mean = b.fold("mean", &[xs], &[]);
    let mx = b.fold("mx", &[xs], &[]);
    let ys = b.map("ys", &[xs], &[]);
    let zs = b.map("zs", &[ys], &[mean, mx]);
    let graph = b.graph("scale", &[zs]);
    check(&graph, [4, 3, 2, 2], &["{mean mx}", "{ys zs}"]);
    let report = cluster(&graph, Strategy::Ilp).report;
    assert_eq!((report.reads, report.writes, report.intermediates), (2, 1, 0));
    assert_eq!(exhaustive(&graph).report.traffic, report.traffic);
}

#[test]
fn filters_of_filters_fuse_over_two_levels() {
    let (mut b, xs) = input();
    let total = b.fold("total", &[xs], &[]);
    let f1 = b.filter("f1", xs, &[]);
    let m1 = b.map("m1", &[f1], &[]);
    let f2 = b.filter("f2", m1, &[]);
    let s2 = b.fold("s2", &[f2], &[]);
    let graph = b.graph("levels", &[total, s2]);
    check(&graph, [5, 2, 3, 1], &["{total f1 m1 f2 s2}"]);
}

#[test]
fn greedy_joins_vertically_and_then_takes_the_first_fit() {
    let (mut b, xs) = input();
    let sum1 = b.fold("sum1", &[xs], &[]);
    let incs = b.map("incs", &[xs], &[]);
    let ys = b.map("ys", &[incs], &[sum1]);
    let other = b.fold("other", &[xs], &[]);
    let graph = b.graph("greedy", &[ys, other]);
    let shown = super::shown(&graph, &cluster(&graph, Strategy::Greedy));
    assert!(shown.starts_with("greedy\n  {sum1 other}\n  {incs ys}\n"), "{shown}");
}

#[test]
fn a_cross_is_heavier_than_its_parts() {
    let mut b = Builder::default();
    let (n, m) = (b.size("n"), b.size("m"));
    let (xs, ys) = (b.param("xs", n), b.param("ys", m));
    let [l, r] = b.cross("cs", xs, ys);
    let d = b.map("d", &[l, r], &[]);
    let s = b.fold("s", &[d], &[]);
    let t = b.fold("t", &[d], &[s]);
    let graph = b.graph("heavy", &[t]);
    let report = cluster(&graph, Strategy::Ilp).report;
    // xs 1, ys whole 1, d written and read at 4 each.
    assert_eq!((report.traffic, report.intermediates), (10, 1));
}

#[test]
fn constant_sizes_are_weighed_as_they_are() {
    use crate::ir::cnf::Extent;
    let mut b = Builder::default();
    let (small, large) =
        (b.param("small", Extent::Const(10)), b.param("large", Extent::Const(1000)));
    let s = b.fold("s", &[small], &[]);
    let ys = b.map("ys", &[large], &[s]);
    let report = cluster(&b.graph("sizes", &[ys]), Strategy::Ilp).report;
    assert_eq!(report.traffic, 1 + 100 + 100);
}

#[test]
fn a_pass_has_at_most_one_effect() {
    let (mut b, xs) = input();
    let first = b.map_with_effect("first", &[xs]);
    let ys = b.map("ys", &[first], &[]);
    b.call_with_effect();
    let second = b.filter_with_effect("second", xs);
    let zs = b.map("zs", &[second], &[]);
    let sum = b.fold("sum", &[ys], &[]);
    let third = b.fold_with_effect("third", zs);
    let graph = b.graph("effects", &[sum, third]);
    check(&graph, [6, 3, 3, 3], &["{first ys sum}", "{second}", "{zs third}"]);
    for strategy in Strategy::ALL {
        let clusters = cluster(&graph, strategy);
        let place = |name: &str| {
            let has = |nodes: &Vec<_>| nodes.iter().any(|&node| graph.nodes[node].name == name);
            clusters.clusters.values().position(has)
        };
        let order = ["first", "barrier", "second", "third"].map(place);
        assert!(order.is_sorted(), "{}", super::shown(&graph, &clusters));
    }
}

#[test]
fn pure_neighbours_fuse_across_an_effect() {
    let (mut b, xs) = input();
    let ys = b.map("ys", &[xs], &[]);
    b.call_with_effect();
    let zs = b.map("zs", &[ys], &[]);
    check(&b.graph("across", &[zs]), [2, 1, 1, 1], &["{ys zs}"]);
}

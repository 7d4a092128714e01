//! The papers' programs, with the number of loops that each strategy makes of them. Barriers do not count, as in 001,
//! table 1.1.
//!
//! Invariant: if there are several optima, only their common parts are asserted.
//!
//! ```text
//! normalize2: 5 unfused, 4 with stream fusion, 3 with Megiddo's, 2 with ours
//! ```

use super::super::exhaustive;
use super::cluster;
use crate::clusters::{Clusters, Proof, Strategy};
use crate::graph::{Graph, Kind};
use crate::testing;

/// The number of loops that are no barriers.
fn loops(graph: &Graph, strategy: Strategy) -> usize {
    let clusters = cluster(graph, strategy);
    let is_loop = |nodes: &&Vec<_>| graph.nodes[nodes[0]].kind != Kind::Barrier;
    clusters.clusters.values().filter(is_loop).count()
}

/// Checks the loops under `none`, `stream`, `megiddo` and `ilp`, and the clusters of the last.
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

/// The graph of a function with these parameters, bindings and results.
fn graph(name: &str, params: &str, binds: &str, results: [&str; 2]) -> Graph {
    let [types, results] = results;
    testing::graph(&format!("{OTHERS} def {name} {params}: {types} = {binds} in {results}")).0
}

/// The functions that the programs call.
const OTHERS: &str = "
    #[effect(io)] external act (x: i64): ()
    external nearest (xs: []i64) (ys: []i64): i64
    external halves (xs: []i64) (ys: []i64) (most: i64): []i64";
/// The parameter of a program on one array.
const ARRAY: &str = "[n] (xs: [n]i64)";
/// The parameters of a program on points: an array of xs and one of ys.
const POINTS: &str = "[n] (xs: [n]i64) (ys: [n]i64)";

pub(super) fn normalize2() -> Graph {
    let binds = r"
        let sum1 = fold (\acc x -> acc + x) 0i64 xs
        let gts = filter (\x -> x > 0i64) xs
        let sum2 = fold (\acc x -> acc + x) 0i64 gts
        let ys1 = map (\x -> x + sum1) xs
        let ys2 = map (\x -> x + sum2) xs";
    graph("normalize2", ARRAY, binds, ["([n]i64, [n]i64)", "(ys1, ys2)"])
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
    let binds = r"
        let incs = map (\x -> x + 1i64) xs
        let sum1 = fold (\acc x -> acc + x) 0i64 xs
        let ys = map (\x -> x + sum1) incs";
    let graph = graph("normalize_inc", ARRAY, binds, ["[n]i64", "ys"]);
    check(&graph, [3, 2, 2, 2], &["{sum1}", "{incs ys}"]);
}

#[test]
fn cycle_does_not_go_round_a_fold() {
    let binds = r"
        let ys = map (\x -> x + 1i64) xs
        let sum = fold (\acc y -> acc + y) 0i64 ys
        let zs = map (\y -> y + sum) ys";
    let graph = graph("cycle", ARRAY, binds, ["[n]i64", "zs"]);
    check(&graph, [3, 3, 2, 2], &["{ys sum}", "{zs}"]);
}

#[test]
fn filter_left_in_one_loop() {
    let binds = r"
        let ys1 = map (\x -> x + 1i64) xs
        let ys2 = filter (\x -> x > 0i64) xs";
    let graph = graph("filter_left", ARRAY, binds, ["?[k].([n]i64, [k]i64)", "(ys1, ys2)"]);
    check(&graph, [2, 2, 1, 1], &["{ys1 ys2}"]);
}

#[test]
fn filter_max_of_002_in_one_loop() {
    let binds = r"
        let vec2 = map (\x -> x + 1i64) xs
        let flags = map (\x -> x > 0i64) vec2
        let vec3 = filter (\flag -> flag) flags keeping vec2
        let mx = fold (\acc x -> i64.max acc x) 0i64 vec3";
    let graph = graph("filter_max", ARRAY, binds, ["?[k].([k]i64, i64)", "(vec3, mx)"]);
    check(&graph, [4, 3, 2, 1], &["{vec2 flags vec3 mx}"]);
}

#[test]
fn hull_in_one_loop() {
    let binds = r"
        let (pts_x, pts_y) = unzip (filter (\(x, y) -> x > y) (zip xs ys))
        let ma = fold (\acc (x, y) -> let m = i64.max acc x let n = m + y in n) 0i64 (zip pts_x pts_y)
        let left = halves pts_x pts_y ma
        let right = halves pts_x pts_y ma";
    let graph = graph("hull", POINTS, binds, ["?[k][l].([k]i64, [l]i64)", "(left, right)"]);
    check(&graph, [2, 2, 2, 1], &["{pts_x ma}"]);
}

#[test]
fn quickhull_core_in_one_loop() {
    let binds = r"
        let annotated = map2 (\x y -> x - y) xs ys
        let far = fold (\acc (x, y, d) -> let m = i64.max acc d let n = m + x let o = n + y in o)
          0i64 (zip3 xs ys annotated)
        let (above_x, above_y, above_d) =
          unzip3 (filter (\d -> d > 0i64) annotated keeping (zip3 xs ys annotated))
        let above = map3 (\x y d -> let s = x + y let t = s + d in t) above_x above_y above_d";
    let graph = graph("quickhull_core", POINTS, binds, ["?[k].(i64, [k]i64)", "(far, above)"]);
    check(&graph, [4, 3, 2, 1], &["{annotated far above_x above}"]);
}

/// The recursive case of closest points (001, listing 1.2), for points and the middle of their ys.
const CLOSEST: &str = r"
        let (aboves, aboves_y) = unzip (filter (\(_, y) -> y > middle) (zip xs ys))
        let (belows, belows_y) = unzip (filter (\(_, y) -> y <= middle) (zip xs ys))
        let above = nearest aboves aboves_y
        let below = nearest belows belows_y
        let border = i64.min above below
        let (aboveB, aboveB_y) = unzip (filter (\(_, y) -> y > border) (zip xs ys))
        let (belowB, belowB_y) = unzip (filter (\(_, y) -> y <= border) (zip xs ys))
        let (cs, cs_y, cs_x2, cs_y2) = unzip4 (cross (zip aboveB aboveB_y) (zip belowB belowB_y))
        let bord = fold (\acc (x, y, x2, y2) ->
            let a = x - x2 let b = y - y2 let c = a + b let d = i64.min acc c let e = i64.min d border
            in e) 0i64 (zip4 cs cs_y cs_x2 cs_y2)";

/// The least and the greatest coordinates.
const BOUNDS: &str = r"
        let x1 = fold (\acc x -> i64.min acc x) 0i64 xs
        let x2 = fold (\acc x -> i64.max acc x) 0i64 xs
        let y1 = fold (\acc y -> i64.min acc y) 0i64 ys
        let y2 = fold (\acc y -> i64.max acc y) 0i64 ys
        ";

#[test]
fn closest_pairs_in_three_loops() {
    let points = format!("{POINTS} (middle: i64)");
    let graph = graph("closest_pairs", &points, CLOSEST, ["i64", "bord"]);
    let clusters = ["{aboves belows}", "{aboveB belowB}", "{cs bord}"];
    check(&graph, [6, 5, 3, 3], &clusters);
}

#[test]
fn closest_points_in_four_loops() {
    let binds = r"
        let total = fold (\acc y -> acc + y) 0i64 ys
        let count = length ys
        let middle = total / count";
    let graph = graph("closest_points", POINTS, &format!("{binds}{CLOSEST}"), ["i64", "bord"]);
    let clusters = ["{total}", "{aboves belows}", "{aboveB belowB}", "{cs bord}"];
    check(&graph, [7, 6, 4, 4], &clusters);
}

#[test]
fn quadtree_in_two_loops() {
    let quarter = |name: &str| {
        format!(
            r"let ({name}, {name}_y) = unzip (filter (\(x, y) ->
                let a = x + x1 let b = a + x2 let c = b + y1 let d = c + y2 let keep = d > y
                in keep) (zip xs ys)) "
        )
    };
    let quarters: String = ["p1", "p2", "p3", "p4"].map(quarter).concat();
    let types = "?[j][k][l][m].([j]i64, [j]i64, [k]i64, [k]i64, [l]i64, [l]i64, [m]i64, [m]i64)";
    let results = "(p1, p1_y, p2, p2_y, p3, p3_y, p4, p4_y)";
    let graph = graph("quadtree", POINTS, &format!("{BOUNDS}{quarters}"), [types, results]);
    check(&graph, [8, 8, 2, 2], &["{x1 x2 y1 y2}", "{p1 p2 p3 p4}"]);
}

#[test]
fn initial_bounds_in_one_loop() {
    let binds = r"
        let xs = map2 (\x y -> x + y) px py
        let ys = map2 (\x y -> x - y) px py";
    let (points, results) =
        ("[n] (px: [n]i64) (py: [n]i64)", ["(i64, i64, i64, i64)", "(x1, x2, y1, y2)"]);
    let graph = graph("initial_bounds", points, &format!("{binds}{BOUNDS}"), results);
    check(&graph, [6, 6, 1, 1], &["{xs ys x1 x2 y1 y2}"]);
}

#[test]
fn initial_bounds_with_free_unzip_in_one_loop() {
    let results = ["(i64, i64, i64, i64)", "(x1, x2, y1, y2)"];
    let graph = graph("initial_bounds", POINTS, BOUNDS, results);
    check(&graph, [4, 4, 1, 1], &["{x1 x2 y1 y2}"]);
}

#[test]
fn missing_needs_the_concestors_together() {
    let binds = r"
        let as = filter (\x -> x > 0i64) xs
        let b = fold (\acc x -> acc + x) 0i64 as
        let cs = filter (\x -> x > b) xs
        let ds = fold (\acc x -> i64.max acc x) 0i64 as
        let es = fold (\acc x -> acc + x) 0i64 cs";
    let graph = graph("missing", ARRAY, binds, ["(i64, i64)", "(ds, es)"]);
    check(&graph, [5, 4, 4, 2], &["{as b ds}", "{cs es}"]);
}

#[test]
fn mean_and_max_cost_two_reads_and_one_write() {
    let binds = r"
        let mean = fold (\acc x -> acc + x) 0i64 xs
        let mx = fold (\acc x -> i64.max acc x) 0i64 xs
        let ys = map (\x -> x + 1i64) xs
        let zs = map (\y -> let s = y - mean let t = s - mx in t) ys";
    let graph = graph("scale", ARRAY, binds, ["[n]i64", "zs"]);
    check(&graph, [4, 3, 2, 2], &["{mean mx}", "{ys zs}"]);
    let report = cluster(&graph, Strategy::Ilp).report;
    assert_eq!((report.reads, report.writes, report.intermediates), (2, 1, 0));
    assert_eq!(exhaustive(&graph).report.traffic, report.traffic);
}

#[test]
fn filters_of_filters_fuse_over_two_levels() {
    let binds = r"
        let total = fold (\acc x -> acc + x) 0i64 xs
        let f1 = filter (\x -> x > 0i64) xs
        let m1 = map (\x -> x - 7i64) f1
        let f2 = filter (\x -> x > 0i64) m1
        let s2 = fold (\acc x -> acc + x) 0i64 f2";
    let graph = graph("levels", ARRAY, binds, ["(i64, i64)", "(total, s2)"]);
    check(&graph, [5, 2, 3, 1], &["{total f1 m1 f2 s2}"]);
}

#[test]
fn greedy_joins_vertically_and_then_takes_the_first_fit() {
    let binds = r"
        let sum1 = fold (\acc x -> acc + x) 0i64 xs
        let incs = map (\x -> x + 1i64) xs
        let ys = map (\x -> x + sum1) incs
        let other = fold (\acc x -> i64.max acc x) 0i64 xs";
    let graph = graph("greedy", ARRAY, binds, ["([n]i64, i64)", "(ys, other)"]);
    let shown = super::shown(&graph, &cluster(&graph, Strategy::Greedy));
    assert!(shown.starts_with("greedy\n  {sum1 other}\n  {incs ys}\n"), "{shown}");
}

#[test]
fn a_cross_is_heavier_than_its_parts() {
    let binds = r"
        let (l, r) = unzip (cross xs ys)
        let d = map2 (\x y -> x - y) l r
        let s = fold (\acc x -> acc + x) 0i64 d
        let t = fold (\acc x -> let y = x - s let z = i64.max acc y in z) 0i64 d";
    let graph = graph("heavy", "[n] [m] (xs: [n]i64) (ys: [m]i64)", binds, ["i64", "t"]);
    let report = cluster(&graph, Strategy::Ilp).report;
    // xs 1, ys whole 1, d written and read at 4 each.
    assert_eq!((report.traffic, report.intermediates), (10, 1));
}

#[test]
fn constant_sizes_are_weighed_as_they_are() {
    let binds = r"
        let s = fold (\acc x -> acc + x) 0i64 small
        let ys = map (\x -> x + s) large";
    let params = "(small: [10]i64) (large: [1000]i64)";
    let graph = graph("sizes", params, binds, ["[1000]i64", "ys"]);
    assert_eq!(cluster(&graph, Strategy::Ilp).report.traffic, 1 + 100 + 100);
}

#[test]
fn a_pass_has_at_most_one_effect() {
    let binds = r"
        let first = map (\x -> let () = act x let y = x + 1i64 in y) xs
        let ys = map (\x -> x + 1i64) first
        let () = act 0i64
        let second = filter (\x -> let () = act x let keep = x > 0i64 in keep) xs
        let zs = map (\x -> x + 1i64) second
        let sum = fold (\acc y -> acc + y) 0i64 ys
        let third = fold (\acc z -> let () = act z let s = acc + z in s) 0i64 zs";
    let graph = graph("effects", ARRAY, binds, ["(i64, i64)", "(sum, third)"]);
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
    let binds = r"
        let ys = map (\x -> x + 1i64) xs
        let () = act 0i64
        let zs = map (\y -> y + 1i64) ys";
    let graph = graph("across", ARRAY, binds, ["[n]i64", "zs"]);
    check(&graph, [2, 1, 1, 1], &["{ys zs}"]);
}

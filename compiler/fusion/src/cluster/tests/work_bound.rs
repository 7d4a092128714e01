//! Tests of the bound on work.
//!
//! Invariant: nothing here measures time.
//!
//! ```text
//! no work allowed   ⇒   a legal clustering, no worse than greedy, and not said to be optimal
//! ```

use proptest::prelude::*;

use super::super::analysis::{GraphAnalysis, SizeCompatibility};
use super::super::finish;
use super::super::ilp::{WORK, ilp};
use super::super::work::Work;
use super::cluster;
use crate::cluster::tests::random_graphs::{graph, recipe_of};
use crate::clusters::{CostModel, Method, Proof, Solver, Strategy as How};
use crate::graph::Graph;
use crate::testing;

/// Folds and maps over one array and over some of the maps' results: hard to prove optimal.
pub(super) fn wide(nodes: usize) -> Graph {
    let mut binds = String::new();
    for i in 0..nodes / 2 {
        let source = if i % 2 == 1 { format!("m{}", i / 2) } else { "xs".to_owned() };
        let free = (i * 7) % (i + 1);
        let fold = format!(r"let s{i} = fold (\acc x -> acc + x) 0i64 {source}");
        binds += &format!("{fold}\nlet m{i} = map (\\x -> x + s{free}) {source}\n");
    }
    of_arrays("wide", &binds, nodes / 2)
}

/// The graph of these bindings, which yield `m0`, `m1` and so on.
fn of_arrays(name: &str, binds: &str, count: usize) -> Graph {
    let types = vec!["[n]i64"; count].join(", ");
    let results = (0..count).map(|i| format!("m{i}")).collect::<Vec<_>>().join(", ");
    testing::graph(&format!("def {name} [n] (xs: [n]i64): ({types}) =\n{binds}in ({results})")).0
}

#[test]
fn without_work_the_result_is_legal_and_not_called_optimal() {
    let graph = wide(40);
    let facts = GraphAnalysis::new(&graph, SizeCompatibility::Related);
    let solved = ilp(&facts, CostModel::Traffic, (Solver::default(), Work::of(0)));
    let clusters = finish(&solved.partition, Method::default(), solved.proof);
    assert_eq!(clusters.report.proof, Proof::None);
    assert!(clusters.report.traffic <= cluster(&graph, How::Greedy).report.traffic);
    assert!(!super::shown(&graph, &clusters).contains("optimal"));
}

#[test]
fn little_work_is_no_worse_than_none_and_all_is_a_proof() {
    let graph = wide(40);
    let facts = GraphAnalysis::new(&graph, SizeCompatibility::Related);
    let traffic = |work| {
        let solved = ilp(&facts, CostModel::Traffic, (Solver::default(), work));
        (solved.partition.cost().traffic, solved.proof != Proof::None)
    };
    let (none, little, all) = (traffic(Work::of(0)), traffic(Work::of(100_000)), traffic(WORK));
    assert!(all.0 <= little.0 && little.0 <= none.0);
    assert_eq!((little.1, all.1), (false, true));
}

#[test]
fn a_hundred_nodes_over_one_array_are_proven_at_once() {
    let folds = (0..50).map(|i| format!("let s{i} = fold (\\acc x -> acc + x) 0i64 xs\n"));
    let maps = (0..50).map(|i| format!("let m{i} = map (\\x -> x + s{}) xs\n", (i * 7) % 50));
    let binds: String = folds.chain(maps).collect();
    let report = cluster(&of_arrays("folds", &binds, 50), How::Ilp).report;
    assert_eq!((report.reads, report.writes, report.proof), (2, 50, Proof::Passes));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, ..ProptestConfig::default() })]

    #[test]
    fn a_hundred_nodes_are_clustered_no_worse_than_by_greedy(recipe in recipe_of(80..=100)) {
        let graph = graph(&recipe);
        let ours = cluster(&graph, How::Ilp).report;
        let greedy = cluster(&graph, How::Greedy).report;
        prop_assert!((ours.traffic, ours.intermediates) <= (greedy.traffic, greedy.intermediates));
    }
}

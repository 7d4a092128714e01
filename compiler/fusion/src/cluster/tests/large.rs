//! Blocks that are far larger than hand-written ones: their work is bounded by steps.
//!
//! Invariant: nothing here measures time.
//!
//! ```text
//! 333 stages of a map, its sum, and a map by that   ⇒   334 passes, proven within a bound
//! ```

use super::super::analysis::{GraphAnalysis, SizeCompatibility};
use super::super::finish;
use super::super::ilp::ilp;
use super::super::work::Work;
use super::cluster;
use crate::cluster::tests::work_bound::wide;
use crate::clusters::{CostModel, Method, Proof, Solver, Strategy as How};
use crate::graph::Graph;
use crate::testing;

/// `count` stages: `a = map xs; s = fold a; xs' = map {s} a`.
fn stages(count: usize) -> Graph {
    let stage = |at: usize| {
        let after = at + 1;
        let sum = format!(r"let s{at} = fold (\acc x -> acc + x) 0i64 a{at}");
        format!(
            "let a{at} = map (\\x -> x + 1i64) x{at}\n{sum}\nlet x{after} = map (\\x -> x + s{at}) a{at}\n"
        )
    };
    let stages: String = (0..count).map(stage).collect();
    testing::graph(&format!("def stages [n] (x0: [n]i64): [n]i64 =\n{stages}in x{count}")).0
}

#[test]
fn a_thousand_nodes_in_stages_are_proven_within_few_steps() {
    let graph = stages(333);
    let facts = GraphAnalysis::new(&graph, SizeCompatibility::Related);
    let solved = ilp(&facts, CostModel::Traffic, (Solver::default(), Work::of(100_000)));
    let report = finish(&solved.partition, Method::default(), solved.proof).report;
    assert_eq!((report.reads, report.writes, report.proof), (334, 334, Proof::Passes));
}

#[test]
fn a_thousand_entangled_nodes_end_at_the_bound() {
    let graph = wide(1000);
    let facts = GraphAnalysis::new(&graph, SizeCompatibility::Related);
    let solved = ilp(&facts, CostModel::Traffic, (Solver::default(), Work::of(3_000_000)));
    let report = finish(&solved.partition, Method::default(), solved.proof).report;
    let greedy = cluster(&graph, How::Greedy).report;
    assert_eq!(report.proof, Proof::None);
    assert!((report.traffic, report.intermediates) <= (greedy.traffic, greedy.intermediates));
}

#[test]
fn what_reads_one_array_and_makes_nothing_for_others_is_not_decided_about() {
    let pair = |at| {
        format!(
            "let a{at} = map (\\x -> x + 1i64) xs\nlet s{at} = fold (\\acc x -> acc + x) 0i64 a{at}\n"
        )
    };
    let pairs: String = (0..100).map(pair).collect();
    let graph = testing::graph(&format!("def pairs [n] (xs: [n]i64): () =\n{pairs}in ()")).0;
    let facts = GraphAnalysis::new(&graph, SizeCompatibility::Related);
    let solved = ilp(&facts, CostModel::Traffic, (Solver::default(), Work::of(100_000)));
    let [(program, _)] = &solved.programs[..] else { panic!("all is one component") };
    assert!(program.fused.is_empty());
    let report = finish(&solved.partition, Method::default(), solved.proof).report;
    assert_eq!((report.reads, report.writes, report.proof), (1, 0, Proof::Passes));
}

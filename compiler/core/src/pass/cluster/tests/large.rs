//! Blocks far larger than people write: what they take is bounded by steps.
//!
//! Invariant: nothing here measures time.
//!
//! ```text
//! 333 stages of a map, its sum, and a map by that   ⇒   334 passes, proven within a bound
//! ```

use super::super::facts::{Admit, Facts};
use super::super::finish;
use super::super::ilp::ilp;
use super::super::work::Work;
use super::cluster;
use super::work::wide;
use crate::ir::clusters::{CostModel, Method, Proof, Solver, Strategy as How};
use crate::ir::graph::Graph;
use crate::pass::rate::builder::Builder;

/// So many stages: `a = map xs; s = fold a; xs' = map {s} a`.
fn stages(count: usize) -> Graph {
    let mut b = Builder::default();
    let n = b.size("n");
    let mut xs = b.param("xs", n);
    for stage in 0..count {
        let a = b.map(&format!("a{stage}"), &[xs], &[]);
        let s = b.fold(&format!("s{stage}"), &[a], &[]);
        xs = b.map(&format!("x{stage}"), &[a], &[s]);
    }
    b.graph("stages", &[xs])
}

#[test]
fn a_thousand_nodes_in_stages_are_proven_within_few_steps() {
    let graph = stages(333);
    let facts = Facts::new(&graph, Admit::Related);
    let solved = ilp(&facts, CostModel::Traffic, (Solver::default(), Work::of(100_000)));
    let report = finish(&solved.partition, Method::default(), solved.proof).report;
    assert_eq!((report.reads, report.writes, report.proof), (334, 334, Proof::Passes));
}

#[test]
fn a_thousand_entangled_nodes_end_at_the_bound() {
    let graph = wide(1000);
    let facts = Facts::new(&graph, Admit::Related);
    let solved = ilp(&facts, CostModel::Traffic, (Solver::default(), Work::of(3_000_000)));
    let report = finish(&solved.partition, Method::default(), solved.proof).report;
    let greedy = cluster(&graph, How::Greedy).report;
    assert_eq!(report.proof, Proof::None);
    assert!((report.traffic, report.intermediates) <= (greedy.traffic, greedy.intermediates));
}

#[test]
fn what_reads_one_array_and_makes_nothing_for_others_is_not_decided_about() {
    let mut b = Builder::default();
    let n = b.size("n");
    let xs = b.param("xs", n);
    for pair in 0..100 {
        let a = b.map(&format!("a{pair}"), &[xs], &[]);
        b.fold(&format!("s{pair}"), &[a], &[]);
    }
    let graph = b.graph("pairs", &[]);
    let facts = Facts::new(&graph, Admit::Related);
    let solved = ilp(&facts, CostModel::Traffic, (Solver::default(), Work::of(100_000)));
    let [(program, _)] = &solved.programs[..] else { panic!("all is one component") };
    assert!(program.fused.is_empty());
    let report = finish(&solved.partition, Method::default(), solved.proof).report;
    assert_eq!((report.reads, report.writes, report.proof), (1, 0, Proof::Passes));
}

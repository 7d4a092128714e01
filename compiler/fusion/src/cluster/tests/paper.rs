//! The papers' formulation: the worked example of 001, section 1.5.1, and its programs against a plain
//! search over the integers.
//!
//! Invariant: the solver finds the optimum that is proven here for the printed program without any help.
//!
//! ```text
//! normalize2: objective 51; with the clustering of stream fusion 102
//! ```

use good_lp::{Solution, SolverModel, default_solver};
use proptest::prelude::*;

use super::super::analysis::{GraphAnalysis, SizeCompatibility};
use super::super::ilp::{WORK, ilp};
use super::super::program::{Domain, IntegerProgram};
use super::super::{cluster, programs};
use super::programs::normalize2;
use crate::cluster::tests::random_graphs::{graph, recipe_of};
use crate::clusters::{Clusters, CostModel, Method, Proof, Solver, Strategy as How};
use crate::graph::Graph;

/// The optimum of a program, found by the solver's own search.
fn optimum(program: &IntegerProgram) -> f64 {
    let model = program.model(Domain::Integral, &[], default_solver);
    model.solve().expect("there is a clustering").eval(program.objective())
}

fn paper(strategy: How) -> Method {
    Method { strategy, cost: CostModel::Paper, ..Method::default() }
}

fn by_paper(graph: &Graph, strategy: How) -> Clusters {
    cluster(graph, paper(strategy))
}

#[test]
fn normalize2_costs_51_and_102_with_the_clusters_of_stream_fusion() {
    let graph = normalize2();
    let shown = |strategy| super::shown(&graph, &by_paper(&graph, strategy));
    assert_eq!(
        shown(How::Ilp),
        "normalize2\n  {sum1 gts sum2}\n  {ys1 ys2}\n  \
         ilp, optimal: objective 51, 2 reads, 2 writes, 0 intermediates\n"
    );
    assert!(shown(How::Stream).contains("objective 102"), "{}", shown(How::Stream));
}

#[test]
fn normalize2_is_stated_as_in_figure_1_15() {
    // The figure leaves out the constraints of sum2 and ys1, whose concestors are gts and ys1. It adds x[sum1,sum1],
    // which is 0.
    let expected = "\
\\ normalize2: the paper model, optimum 51
Minimize
  25 x_sum1_gts + x_sum1_sum2 + 25 x_sum1_ys2 + 25 x_gts_sum2 + 25 x_gts_ys1 + x_sum2_ys1
    + 25 x_ys1_ys2 + 5 c_gts + 5 c_ys1 + 5 c_ys2
Subject To
  5 x_sum1_gts + pi_sum1 - pi_gts >= 0
";
    let text = programs(&normalize2(), paper(How::Ilp));
    assert!(text.starts_with(expected), "{text}");
    for row in [
        "5 x_sum1_gts - pi_sum1 + pi_gts >= 0",
        "5 x_gts_sum2 + pi_gts - pi_sum2 >= 0",
        "x_gts_sum2 + pi_gts - pi_sum2 <= 0",
        "pi_sum1 - pi_ys1 <= -1",
        "pi_sum2 - pi_ys2 <= -1",
        "x_gts_sum2 - c_gts <= 0",
        "x_sum1_sum2 - x_gts_sum2 >= 0",
        "x_sum1_gts - x_sum1_sum2 <= 0",
        "0 <= pi_sum1 <= 5",
    ] {
        assert!(text.contains(&format!("  {row}\n")), "{row} in\n{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_printed_programs_have_the_optimum_that_was_proven(recipe in recipe_of(1..=9)) {
        let graph = graph(&recipe);
        let facts = GraphAnalysis::new(&graph, SizeCompatibility::Related);
        for cost in [CostModel::Traffic, CostModel::Paper] {
            let solved = ilp(&facts, cost, (Solver::default(), WORK));
            prop_assert_ne!(solved.proof, Proof::None);
            for (program, value) in &solved.programs {
                #[allow(clippy::cast_precision_loss)]
                let difference = optimum(program) - *value as f64;
                prop_assert!(difference.abs() < 1e-6, "{graph}{cost:?}: {value} + {difference}");
            }
        }
    }

    #[test]
    fn the_papers_objective_is_never_worse_than_that_of_other_strategies(recipe in recipe_of(1..=12)) {
        let graph = graph(&recipe);
        let objective = |strategy| by_paper(&graph, strategy).report.objective;
        let ours = objective(How::Ilp);
        for strategy in How::ALL {
            prop_assert!(ours <= objective(strategy), "{strategy:?} of {graph}");
        }
    }
}

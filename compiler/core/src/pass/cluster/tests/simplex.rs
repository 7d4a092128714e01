//! The simplex method against an independent solver.
//!
//! Invariant: every program here has the solution 1, 1, …, 1, unless variables are fixed at 0.
//!
//! ```text
//! minimise 3 c, c ≥ x, x + z ≥ 1, z ≤ 1   ⇒   0; then z fixed at 0   ⇒   3
//! ```

use good_lp::{
    Expression, ResolutionError, Solution, SolverModel, Variable, constraint, default_solver,
    variable, variables,
};
use proptest::collection::vec;
use proptest::prelude::*;

use super::super::program::{Column, Meaning, Program, Sum};
use super::super::simplex::{Relaxed, Simplex};
use super::super::work::Work;
use crate::ids::{EntityRef, NodeId, PrimaryMap};

/// A change of a linear program between two relaxations.
#[derive(Clone, Debug)]
enum Change {
    /// Σ of these variables, some of them the other way round, is at least so much.
    Row(Vec<(usize, i64)>, i64),
    /// A variable is fixed, or let go.
    Fix(usize, Option<bool>),
}

fn change(columns: usize) -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => (vec((0..columns, -2i64..=3), 1..6), 0i64..=3).prop_map(|(sum, least)| Change::Row(sum, least)),
        1 => (0..columns, proptest::option::of(any::<bool>())).prop_map(|(column, value)| Change::Fix(column, value)),
    ]
}

/// A program of variables with these costs, all at most 1.
fn program(costs: &[i64]) -> Program {
    let mut program = Program::default();
    for (index, &cost) in costs.iter().enumerate() {
        program.add(Meaning::Position(NodeId::new(index)), cost, 1);
    }
    program
}

/// The constraint, made weaker until 1, 1, …, 1 satisfies it.
fn row(sum: &[(usize, i64)], least: i64) -> Sum {
    let at_ones: i64 = sum.iter().map(|(_, by)| by).sum();
    let terms = sum
        .iter()
        .fold(Sum::default(), |row, &(column, by)| row.add_times(by, &Column::new(column).into()));
    terms - Sum::from(least.min(at_ones))
}

/// The optimum by another solver; none if nothing satisfies the constraints.
#[allow(clippy::cast_precision_loss)]
fn reference(costs: &[i64], rows: &[Sum], fixed: &[Option<bool>]) -> Option<f64> {
    let mut problem = variables!();
    let columns: PrimaryMap<Column, Variable> = (fixed.iter())
        .map(|fixed| match fixed {
            None => variable().min(0).max(1),
            Some(value) => variable().min(f64::from(*value)).max(f64::from(*value)),
        })
        .map(|definition| problem.add(definition))
        .collect();
    let objective: Expression =
        costs.iter().zip(columns.values()).map(|(&cost, &column)| cost as f64 * column).sum();
    let mut model = problem.minimise(objective.clone()).using(default_solver);
    for row in rows {
        let sum: Expression = row.terms.iter().map(|(&c, &by)| by as f64 * columns[c]).sum();
        model.add_constraint(constraint!(sum >= -(row.constant as f64)));
    }
    match model.solve() {
        Ok(solution) => Some(solution.eval(objective)),
        Err(ResolutionError::Infeasible) => None,
        Err(error) => panic!("{error}"),
    }
}

fn relax(simplex: &mut Simplex) -> Option<(f64, Vec<f64>)> {
    match simplex.relax(&mut Work::of(1_000_000)) {
        Relaxed::Optimum { values, bound } => Some((bound, values.values().copied().collect())),
        Relaxed::Infeasible => None,
        Relaxed::Exhausted => panic!("a small program takes few steps"),
    }
}

#[test]
fn fixing_a_variable_changes_the_optimum_and_letting_it_go_brings_it_back() {
    let mut program = program(&[0, 3, 0]);
    let [x, c, z] = [0, 1, 2].map(Column::new);
    program.at_most(x.into(), c.into());
    program.at_most(1.into(), Sum::from(x) + z.into());
    let mut simplex = Simplex::new(&program);
    let bound = |simplex: &mut Simplex| relax(simplex).map(|(bound, _)| bound.round());
    assert_eq!(bound(&mut simplex), Some(0.0));
    simplex.fix(z, Some(false));
    assert_eq!(bound(&mut simplex), Some(3.0));
    simplex.fix(c, Some(false));
    assert_eq!(bound(&mut simplex), None);
    simplex.fix(z, None);
    assert_eq!(bound(&mut simplex), Some(0.0));
}

#[test]
fn constraints_that_hold_for_one_point_only_are_no_contradiction() {
    let mut program = program(&[0, 0, 0]);
    let [x, y, z] = [0, 1, 2].map(Column::new);
    program.rows.push(row(&[(y.index(), 1), (z.index(), 3), (x.index(), -2)], 2));
    program.rows.push(row(&[(x.index(), 1), (z.index(), 1)], 2));
    let mut simplex = Simplex::new(&program);
    let found = relax(&mut simplex).map(|(_, values)| values);
    assert!(found.is_some_and(|values| values.iter().all(|value| (value - 1.0).abs() < 1e-6)));
}

#[test]
fn without_work_nothing_is_claimed() {
    let mut program = program(&[1]);
    program.at_most(1.into(), Column::new(0).into());
    let relaxed = Simplex::new(&program).relax(&mut Work::of(0));
    assert!(matches!(relaxed, Relaxed::Exhausted));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn every_relaxation_has_the_optimum_of_an_independent_solver(
        costs in vec(0i64..=9, 8),
        changes in vec(change(8), 1..30),
    ) {
        let mut simplex = Simplex::new(&program(&costs));
        let (mut rows, mut fixed) = (Vec::new(), vec![None; costs.len()]);
        for change in changes {
            match change {
                Change::Row(sum, least) => {
                    let row = row(&sum, least);
                    simplex.cut(row.clone());
                    rows.push(row);
                }
                Change::Fix(column, value) => {
                    simplex.fix(Column::new(column), value);
                    fixed[column] = value;
                }
            }
            let found = relax(&mut simplex);
            let expected = reference(&costs, &rows, &fixed);
            prop_assert_eq!(found.is_some(), expected.is_some());
            let (Some((bound, values)), Some(expected)) = (found, expected) else { continue };
            #[allow(clippy::cast_precision_loss)]
            let value: f64 = costs.iter().zip(&values).map(|(&cost, value)| cost as f64 * value).sum();
            prop_assert!(bound <= expected + 1e-6, "{bound} is no bound of {expected}");
            prop_assert!((expected - bound).abs() < 1e-3 && (expected - value).abs() < 1e-3);
        }
    }
}

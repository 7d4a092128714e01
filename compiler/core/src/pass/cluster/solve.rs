//! The linear relaxation of a program: the only place that knows `good_lp`.
//!
//! Integrality is left to [`search`](super::search), which bounds its own work; so a solver is asked for
//! continuous optima only, and another one is a change of this file.
//!
//! Invariant: values are within the bounds of their variables.
//!
//! ```text
//! minimise 3 c, c ≥ x, x + z ≥ 1, z ≤ 1/2   ⇒   x = c = 1/2, z = 1/2
//! ```

use std::collections::BTreeMap;

use good_lp::{
    Constraint, Expression, ResolutionError, Solution, SolverModel, Variable, constraint,
    default_solver, variable, variables,
};

use super::program::{Column, Program, Row};
use crate::ids::{PrimaryMap, SecondaryMap};

/// What came of a relaxation.
pub(super) enum Relaxed {
    /// An optimum.
    Values(SecondaryMap<Column, f64>),
    /// No values satisfy the constraints.
    Infeasible,
    /// The solver gave up.
    Failed,
}

/// Solves the program with further constraints, where some variables have been fixed.
pub(super) fn relax<'r>(
    program: &'r Program,
    cuts: impl Iterator<Item = &'r Row>,
    fixed: &BTreeMap<Column, bool>,
) -> Relaxed {
    let mut problem = variables!();
    let columns: PrimaryMap<Column, Variable> = (program.columns.iter())
        .map(|(column, of)| {
            let (low, high) = match fixed.get(&column) {
                None => (0.0, float(of.most)),
                Some(false) => (0.0, 0.0),
                Some(true) => (1.0, 1.0),
            };
            problem.add(variable().min(low).max(high))
        })
        .collect();
    let objective: Expression =
        program.columns.iter().map(|(column, of)| float(of.cost) * columns[column]).sum();
    let mut relaxed = problem.minimise(objective).using(default_solver);
    for row in program.rows.iter().chain(cuts) {
        relaxed.add_constraint(at_least_zero(row, &columns));
    }
    match relaxed.solve() {
        Ok(solution) => {
            let mut values = SecondaryMap::new();
            for (column, &variable) in &columns {
                values[column] =
                    solution.value(variable).clamp(0.0, float(program.columns[column].most));
            }
            Relaxed::Values(values)
        }
        Err(ResolutionError::Infeasible) => Relaxed::Infeasible,
        Err(ResolutionError::Unbounded | ResolutionError::Other(_) | ResolutionError::Str(_)) => {
            Relaxed::Failed
        }
    }
}

fn at_least_zero(row: &Row, columns: &PrimaryMap<Column, Variable>) -> Constraint {
    let sum: Expression = row.terms.iter().map(|(&c, &by)| float(by) * columns[c]).sum();
    constraint!(sum >= -float(row.constant))
}

#[allow(clippy::cast_precision_loss)]
fn float(value: i64) -> f64 {
    value as f64
}

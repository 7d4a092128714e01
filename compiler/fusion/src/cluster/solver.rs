//! Solves programs through `good_lp`. No other file knows which solver does it.
//!
//! `good_lp` hands a solver the model and takes back values. Clustering needs two things beyond this interface, and
//! microlp, the default, offers both. Constraints can be added to a solved relaxation, which then continues from its
//! basis. And the search over the integers can end after a number of nodes, so that it is the same on every machine.
//! Other solvers solve the whole relaxation again.
//!
//! Invariant: the same program gives the same answer. A solver that was stopped proves nothing.
//!
//! ```text
//! minimise 3 c, c ≥ x, x + z ≥ 1, z ≤ 1/2   ⇒   x = c = z = 1/2; then z ≤ 0   ⇒   x = c = 1
//! ```

use good_lp::solvers::microlp::microlp as microlp_model;
use good_lp::{Constraint, ResolutionError, SolverModel};
use microlp::{ComparisonOp, LinearExpr, SolveOptions, SolveOutcome};

use super::program::{Column, Domain, IntegerProgram, Values, float};
use super::work::Work;
use crate::clusters::Solver;
use arrc_syntax::ids::{EntityRef, SecondaryMap};

/// The average number of simplex steps for a node of the search over the integers. It only turns work into a limit of
/// nodes. `scripts/bench clustering` shows the effect on time and proofs. Not measured by itself.
const STEPS: usize = 10;

/// The work of such a step, in steps of a relaxation. A relaxation is solved from a better start.
/// `scripts/bench clustering` shows the effect on time and proofs. Not measured by itself.
const HARDER: usize = 3;

/// A constraint that is violated by less is not added.
const MISSED: f64 = 1e-4;

/// There was not enough work left, or the solver gave up.
pub(super) struct SolverStopped;

/// A solved relaxation, to which constraints can be added.
pub(super) struct Relaxation<'a> {
    program: &'a IntegerProgram,
    solved: SolverState,
    /// The number of constraints.
    rows: usize,
}

/// The state of a solved relaxation in its solver.
enum SolverState {
    Microlp(Box<microlp::Solution>),
    #[cfg(feature = "coin_cbc")]
    CoinCbc(other::SolvedRelaxation),
}

/// The result of a search over the integers.
pub(super) enum IntegerResult {
    /// An optimum.
    Optimum(Values),
    /// There is nothing better than the known solution.
    NoBetter,
    /// The search was stopped without a proof. It has the best solution so far, if there is one.
    Stopped(Option<Values>),
}

impl<'a> Relaxation<'a> {
    /// Solves the relaxation of a program with further constraints.
    pub(super) fn new(
        program: &'a IntegerProgram,
        cuts: &[Constraint],
        solver: Solver,
        work: &mut Work,
    ) -> Result<Self, SolverStopped> {
        let solved = match solver {
            Solver::Microlp => {
                let model = program.model(Domain::Relaxed, cuts, microlp_model);
                let solution = model.solve().map_err(|_: ResolutionError| SolverStopped)?;
                SolverState::Microlp(Box::new(solution.into_inner()))
            }
            #[cfg(feature = "coin_cbc")]
            Solver::CoinCbc => SolverState::CoinCbc(other::relax(program, cuts.to_vec())?),
        };
        let rows = program.rows.len() + cuts.len();
        let relaxation = Self { program, solved, rows };
        relaxation.charge(relaxation.steps(), work)?;
        Ok(relaxation)
    }

    /// Adds constraints, and continues to solve the relaxation. Only those constraints are added that are still
    /// violated when their turn comes. Returns them.
    pub(super) fn cut(
        self,
        cuts: Vec<Constraint>,
        work: &mut Work,
    ) -> Result<(Self, Vec<Constraint>), SolverStopped> {
        let Self { program, solved, rows } = self;
        let (solved, added, steps) = match solved {
            SolverState::Microlp(solution) => {
                let before = solution.stats().lp_iterations;
                let (solution, added) = cut_microlp(program, *solution, cuts)?;
                let steps = solution.stats().lp_iterations - before;
                (SolverState::Microlp(Box::new(solution)), added, steps)
            }
            #[cfg(feature = "coin_cbc")]
            SolverState::CoinCbc(solved) => {
                let solved = other::cut(program, solved, &cuts)?;
                (SolverState::CoinCbc(solved), cuts, 0)
            }
        };
        let relaxation = Self { program, solved, rows: rows + added.len() };
        relaxation.charge(steps, work)?;
        Ok((relaxation, added))
    }

    /// The values of the variables.
    pub(super) fn values(&self) -> Values {
        match &self.solved {
            SolverState::Microlp(solution) => values(solution),
            #[cfg(feature = "coin_cbc")]
            SolverState::CoinCbc(solved) => solved.values.clone(),
        }
    }

    /// The value of the objective. No solution has a lower value.
    pub(super) fn value(&self) -> f64 {
        match &self.solved {
            SolverState::Microlp(solution) => solution.objective(),
            #[cfg(feature = "coin_cbc")]
            SolverState::CoinCbc(solved) => solved.value,
        }
    }

    /// The number of simplex steps so far, if the solver reports it.
    fn steps(&self) -> u64 {
        match &self.solved {
            SolverState::Microlp(solution) => solution.stats().lp_iterations,
            #[cfg(feature = "coin_cbc")]
            SolverState::CoinCbc(_) => 0,
        }
    }

    fn charge(&self, steps: u64, work: &mut Work) -> Result<(), SolverStopped> {
        let size = self.rows + self.program.columns.len();
        let steps = usize::try_from(steps).unwrap_or(usize::MAX).saturating_add(1);
        if work.take(steps.saturating_mul(size)) { Ok(()) } else { Err(SolverStopped) }
    }
}

/// Searches over the integers for a better solution than the known one, which is given by its x and its value.
pub(super) fn search(
    program: &IntegerProgram,
    cuts: &[Constraint],
    known: (&Values, i64),
    nodes: u64,
    (solver, work): (Solver, &mut Work),
) -> IntegerResult {
    let size = HARDER * (program.rows.len() + cuts.len() + program.columns.len());
    let affordable = u64::try_from(work.left() / (size * STEPS)).unwrap_or(u64::MAX);
    let nodes = nodes.min(affordable);
    match solver {
        Solver::Microlp => {
            let outcome = search_microlp(program, cuts, known, nodes);
            let steps =
                outcome.as_ref().map_or(nodes * STEPS as u64, |it| it.stats().lp_iterations);
            let steps = usize::try_from(steps).unwrap_or(usize::MAX);
            let enough = work.take(steps.saturating_mul(size));
            found(outcome, enough)
        }
        #[cfg(feature = "coin_cbc")]
        Solver::CoinCbc => other::search(program, cuts, nodes),
    }
}

/// The result in microlp's answer, if it did not take too much work.
fn found(outcome: Result<SolveOutcome, microlp::Error>, enough: bool) -> IntegerResult {
    match outcome {
        Ok(outcome) => {
            let optimal = outcome.is_optimal() && enough;
            match outcome.solution() {
                Some(solution) if optimal => IntegerResult::Optimum(values(solution)),
                solution => IntegerResult::Stopped(solution.map(values)),
            }
        }
        Err(microlp::Error::Infeasible) if enough => IntegerResult::NoBetter,
        Err(_) => IntegerResult::Stopped(None),
    }
}

fn values(solution: &microlp::Solution) -> Values {
    let mut values = SecondaryMap::new();
    for (at, (_, value)) in solution.iter().enumerate() {
        values[Column::new(at)] = value;
    }
    values
}

fn cut_microlp(
    program: &IntegerProgram,
    mut solution: microlp::Solution,
    cuts: Vec<Constraint>,
) -> Result<(microlp::Solution, Vec<Constraint>), SolverStopped> {
    let columns: Vec<microlp::Variable> = solution.iter().map(|(column, _)| column).collect();
    let mut added = Vec::new();
    for cut in cuts {
        let (terms, constant) = program.terms(cut.expression());
        let terms: Vec<(microlp::Variable, f64)> =
            terms.iter().map(|(column, &by)| (columns[column.index()], float(by))).collect();
        let at: f64 = terms.iter().map(|&(column, by)| by * solution.var_value(column)).sum();
        if at + float(constant) < MISSED {
            continue;
        }
        let mut sum = LinearExpr::empty();
        terms.into_iter().for_each(|(column, by)| sum.add(column, by));
        let outcome = solution.add_constraint(sum, ComparisonOp::Le, float(-constant));
        let Ok(SolveOutcome::Solution(next)) = outcome else { return Err(SolverStopped) };
        solution = next;
        added.push(cut);
    }
    Ok((solution, added))
}

fn search_microlp(
    program: &IntegerProgram,
    cuts: &[Constraint],
    (known, value): (&Values, i64),
    nodes: u64,
) -> Result<SolveOutcome, microlp::Error> {
    let mut options = SolveOptions::default();
    options.node_limit = Some(nodes);
    // The objective is an integer, so a better solution is better by at least 1.
    options.tolerances.prune_epsilon = 0.9 / float(value.max(1));
    let columns = columns(program.columns.len());
    let fused = program.fused.values();
    options.warm_start =
        Some(fused.map(|&column| (columns[column.index()], known[column])).collect());
    let model = program.model(Domain::Integral, cuts, microlp_model);
    model.as_inner().solve_with(options)
}

/// microlp's variables of a program: they are numbered.
fn columns(count: usize) -> Vec<microlp::Variable> {
    let mut problem = microlp::Problem::new(microlp::OptimizationDirection::Minimize);
    (0..count).map(|_| problem.add_binary_var(0.0)).collect()
}

/// Solvers that are used only through the interface of `good_lp`.
#[cfg(feature = "coin_cbc")]
mod other {
    use good_lp::solvers::coin_cbc::coin_cbc;
    use good_lp::{Constraint, Solution as _, SolverModel};

    use super::{IntegerResult, SolverStopped};
    use crate::cluster::program::{Domain, IntegerProgram, Values};
    use arrc_syntax::ids::SecondaryMap;

    /// A relaxation, with the constraints that it was solved with.
    pub(super) struct SolvedRelaxation {
        pub(super) values: Values,
        pub(super) value: f64,
        cuts: Vec<Constraint>,
    }

    pub(super) fn relax(
        program: &IntegerProgram,
        cuts: Vec<Constraint>,
    ) -> Result<SolvedRelaxation, SolverStopped> {
        let model = program.model(Domain::Relaxed, &cuts, coin_cbc);
        let solution = model.solve().map_err(|_| SolverStopped)?;
        let value = solution.eval(program.objective());
        Ok(SolvedRelaxation { values: values(program, &solution), value, cuts })
    }

    pub(super) fn cut(
        program: &IntegerProgram,
        mut solved: SolvedRelaxation,
        cuts: &[Constraint],
    ) -> Result<SolvedRelaxation, SolverStopped> {
        solved.cuts.extend_from_slice(cuts);
        relax(program, solved.cuts)
    }

    /// It begins without a solution: if CBC gets a solution that is optimal already, it returns the values of the
    /// relaxation as its optimum.
    pub(super) fn search(
        program: &IntegerProgram,
        cuts: &[Constraint],
        nodes: u64,
    ) -> IntegerResult {
        let mut model = program.model(Domain::Integral, cuts, coin_cbc);
        model.set_parameter("maxNodes", &nodes.to_string());
        match model.solve() {
            Ok(solution) => IntegerResult::Optimum(values(program, &solution)),
            // Every program has a solution, so an error means that the solver stopped.
            Err(_) => IntegerResult::Stopped(None),
        }
    }

    fn values(program: &IntegerProgram, solution: &impl good_lp::Solution) -> Values {
        let mut values = SecondaryMap::new();
        for (column, variable) in &program.columns {
            values[column] = solution.value(variable.handle);
        }
        values
    }
}

//! Cutting planes, and then a search over the integers: they find the optimum of a formulation within a bound on
//! work.
//!
//! Violated constraints are added to the relaxation until it violates none. Relaxations are rounded to clusterings,
//! so there is always a best clustering so far. If the relaxation is not lower than its value, it is the optimum.
//! Otherwise the solver searches over the integers, and starts again with the constraints that its optimum violates.
//!
//! Invariant: the result is legal, no worse than the start of the search, and the same for the same graph. If it is
//! said to be optimal, no clustering of the component has a lower value.
//!
//! ```text
//! best so far 23; relaxation 20.5, search over the integers: 22, violates a constraint; again: 22   ⇒   22, optimal
//! ```

use std::collections::BTreeSet;

use good_lp::Constraint;

use super::analysis::GraphAnalysis;
use super::best::best_merge;
use super::cuts::{Violations, millionths};
use super::pairs::Pair;
use super::partition::Partition;
use super::program::{IntegerProgram, Values};
use super::solver;
use super::solver::{IntegerResult, Relaxation, SolverStopped};
use super::work::Work;
use crate::clusters::Solver;
use arrc_syntax::ids::SecondaryMap;

/// A value that is nearer than this to an integer counts as integral.
const INTEGRAL: f64 = 1e-6;

/// After this many rounds of cuts, the relaxation is rounded to a clustering. It bounds the search:
/// `scripts/bench clustering` shows the effect on time and proofs. Not measured by itself.
const ROUNDING: usize = 5;

/// The first search over the integers ends after this many nodes. The constraints that it violates by then are worth
/// more than a proof that an illegal clustering is best. `scripts/bench clustering` shows the effect on time and
/// proofs. Not measured by itself.
const NODES: u64 = 100;

/// A round makes progress if the value of the relaxation rises by more than this part of its distance to the best
/// value. The relaxation stalls after more than `PATIENCE` rounds without progress. Both bound the search:
/// `scripts/bench clustering` shows the effect on time and proofs. Not measured by itself.
const PART: f64 = 0.02;
const PATIENCE: usize = 10;

/// A formulation of the choice of clusters as an integer linear program.
pub(super) trait Formulation {
    /// The program, without the lazy constraints.
    fn program(&self) -> &IntegerProgram;

    /// The value of its objective for a partition.
    fn value(&self, partition: &Partition<'_>) -> i64;

    /// Improves a partition that a relaxation was rounded to.
    fn round(&self, partition: &mut Partition<'_>, pairs: &BTreeSet<Pair>) {
        best_merge(partition, pairs);
    }

    /// The constraints that values of the variables violate. The search for them ends after `most` work.
    fn separate(&self, facts: &GraphAnalysis<'_>, values: &Values, most: usize) -> Violations;

    /// Gives pairs variables.
    fn extend(&mut self, facts: &GraphAnalysis<'_>, pairs: &BTreeSet<Pair>);
}

/// The result of a search.
pub(super) struct Solution<'a> {
    /// The best clustering.
    pub(super) partition: Partition<'a>,
    /// Whether it is proven that no other clustering has a lower value.
    pub(super) proven: bool,
    /// The program with all constraints that were separated.
    pub(super) program: IntegerProgram,
    /// The value of the objective. If it is proven, it is the program's optimum.
    pub(super) value: i64,
}

/// Improves a partition to the optimum of a formulation. Nodes that `joined` has together stay together. Solutions
/// are rounded by merging `pairs`.
pub(super) fn minimise<'a>(
    facts: &'a GraphAnalysis<'a>,
    formulation: impl Formulation,
    joined: &Partition<'a>,
    pairs: &BTreeSet<Pair>,
    start: Partition<'a>,
    (solver, work): (Solver, &mut Work),
) -> Solution<'a> {
    let value = formulation.value(&start);
    let mut search = CuttingPlaneSearch {
        joined,
        pairs,
        facts,
        formulation,
        cuts: Vec::new(),
        best: start,
        value,
        solver,
        work,
    };
    let proven = search.run().is_ok();
    let mut program = search.formulation.program().clone();
    program.rows.extend(search.cuts);
    Solution { partition: search.best, proven, program, value: search.value }
}

struct CuttingPlaneSearch<'a, 'w, F> {
    facts: &'a GraphAnalysis<'a>,
    joined: &'w Partition<'a>,
    pairs: &'w BTreeSet<Pair>,
    formulation: F,
    /// The separated constraints, as far as they are useful.
    cuts: Vec<Constraint>,
    /// The best clustering so far, and its value.
    best: Partition<'a>,
    value: i64,
    solver: Solver,
    work: &'w mut Work,
}

/// The bound on work stopped the search.
struct Unproven;

impl From<SolverStopped> for Unproven {
    fn from(_: SolverStopped) -> Self {
        Self
    }
}

impl<'a, F: Formulation> CuttingPlaneSearch<'a, '_, F> {
    /// Improves the best clustering until it is proven optimal.
    fn run(&mut self) -> Result<(), Unproven> {
        if self.cut_relaxation()? {
            return Ok(());
        }
        let mut nodes = NODES;
        while !self.search_integers(&mut nodes)? {}
        Ok(())
    }

    /// Adds the constraints that the relaxation violates, as long as they raise its value. Returns whether the best
    /// clustering is proven then.
    fn cut_relaxation(&mut self) -> Result<bool, Unproven> {
        // No clustering costs less than 0, and a program without variables has no constraints.
        if self.value == 0 || self.formulation.program().columns.is_empty() {
            return Ok(true);
        }
        // A relaxation belongs to the program in its present state. If the program gets more variables, a new
        // relaxation starts.
        let mut program = self.formulation.program().clone();
        'grown: loop {
            let mut relaxed = Relaxation::new(&program, &self.cuts, self.solver, self.work)?;
            let mut progress = Progress::default();
            for round in 0.. {
                let values = relaxed.values();
                if lower_bound(relaxed.value()) >= self.value {
                    return Ok(true);
                }
                let violated = self.violated(&values)?;
                let is_last = violated.is_empty() || progress.stalls(relaxed.value(), self.value);
                if is_last || round % ROUNDING == 0 {
                    self.round_off(&values);
                }
                if is_last {
                    self.cuts.retain(|row| program.violation(row, &values) > -INTEGRAL);
                    self.add(violated);
                    return Ok(lower_bound(relaxed.value()) >= self.value);
                }
                if !violated.pairs.is_empty() {
                    self.add(violated);
                    program = self.formulation.program().clone();
                    continue 'grown;
                }
                let added;
                (relaxed, added) = relaxed.cut(violated.rows, self.work)?;
                self.cuts.extend(added);
            }
        }
    }

    /// Searches over the integers once. Returns whether the best clustering is proven then.
    fn search_integers(&mut self, nodes: &mut u64) -> Result<bool, Unproven> {
        let known = self.assignment();
        let program = self.formulation.program();
        let with = (self.solver, &mut *self.work);
        let found = solver::search(program, &self.cuts, (&known, self.value), *nodes, with);
        let (values, optimal) = match found {
            IntegerResult::NoBetter => return Ok(true),
            IntegerResult::Optimum(values) => (values, true),
            IntegerResult::Stopped(Some(values)) => (values, false),
            IntegerResult::Stopped(None) => return Err(Unproven),
        };
        let violated = self.violated(&values)?;
        self.round_off(&values);
        if violated.is_empty() && optimal {
            self.take_over(&values);
            // The optimum is legal, so it proves a clustering that costs no more. Rounding may have missed that
            // clustering.
            let least = self.formulation.program().value(&values);
            return if self.value <= least { Ok(true) } else { Err(Unproven) };
        }
        if violated.is_empty() {
            *nodes *= 4;
            return Ok(false);
        }
        self.add(violated);
        Ok(false)
    }

    fn add(&mut self, violated: Violations) {
        self.cuts.extend(violated.rows);
        self.formulation.extend(self.facts, &violated.pairs);
    }

    fn violated(&mut self, values: &Values) -> Result<Violations, Unproven> {
        let violated = self.formulation.separate(self.facts, values, self.work.left());
        if self.work.take(violated.work) { Ok(violated) } else { Err(Unproven) }
    }

    /// The x of the best clustering.
    fn assignment(&self) -> Values {
        let mut values: Values = SecondaryMap::new();
        for (&(a, b), &column) in &self.formulation.program().fused {
            values[column] = f64::from(u8::from(!self.best.in_one_cluster(a, b)));
        }
        values
    }

    /// Takes over the clustering of an integral solution, if it is better.
    fn take_over(&mut self, values: &Values) {
        let fused = self.formulation.program().fused.iter();
        let together = fused.filter(|&(_, &column)| values[column] < 0.5);
        let together: Vec<Pair> = together.map(|(&pair, _)| pair).collect();
        if let Some(partition) = self.joined.clone().with_pairs(&together) {
            self.improve(partition);
        }
    }

    /// Rounds a relaxation to a clustering: the pairs that are most fused are merged first, then the pairs that save
    /// most.
    fn round_off(&mut self, values: &Values) {
        let mut pairs: Vec<(u32, Pair)> = (self.formulation.program().fused.iter())
            .map(|(&pair, &column)| (millionths(values[column]), pair))
            .filter(|&(x, _)| x < 500_000)
            .collect();
        pairs.sort_unstable();
        let mut partition = self.joined.clone();
        for (_, (a, b)) in pairs {
            partition.try_join(a, b);
        }
        self.formulation.round(&mut partition, self.pairs);
        self.improve(partition);
    }

    fn improve(&mut self, partition: Partition<'a>) {
        let value = self.formulation.value(&partition);
        if value < self.value {
            self.value = value;
            self.best = partition;
        }
    }
}

/// The growth of the relaxation's value from round to round.
#[derive(Default)]
struct Progress {
    value: f64,
    /// The number of rounds in which it has hardly grown.
    stalled: usize,
}

impl Progress {
    /// Whether it has hardly grown towards the best value for too many rounds.
    #[allow(clippy::cast_precision_loss)]
    fn stalls(&mut self, value: f64, best: i64) -> bool {
        if value > self.value + PART * (best as f64 - value) {
            *self = Self { value, stalled: 0 };
        } else {
            self.stalled += 1;
        }
        self.stalled > PATIENCE
    }
}

/// The least integral value that a solution can have if its relaxation has this value.
#[allow(clippy::cast_possible_truncation)]
fn lower_bound(relaxed: f64) -> i64 {
    // The solver's error is relative to the coefficients, which are small integers.
    (relaxed - 0.01).ceil() as i64
}

//! Cutting planes, then a search over the integers: the optimum of a formulation, with a bound on the work.
//!
//! The relaxation gets what it violates until it violates nothing. Relaxations are rounded to clusterings, so that
//! there is always a best one so far. Where the relaxation is worth no less than that, it is the optimum; else the
//! solver searches over the integers, and starts again with what its optimum violates.
//!
//! Invariant: the result is legal, no worse than what the search started from, and the same for the same
//! graph; if it is said to be optimal, no clustering of the component has a lower value.
//!
//! ```text
//! best so far 23; relaxation 20.5, search over the integers: 22, violates a constraint; again: 22   ⇒   22, optimal
//! ```

use std::collections::BTreeSet;

use good_lp::Constraint;

use super::best::best_merge;
use super::cuts::{Violated, millionths};
use super::facts::Facts;
use super::pairs::Pair;
use super::partition::Partition;
use super::program::{Program, Values};
use super::solver::{self, Integral, Relaxation, Stopped};
use super::work::Work;
use crate::ids::SecondaryMap;
use crate::ir::clusters::Solver;

/// Values nearer than this to an integer are integral.
const INTEGRAL: f64 = 1e-6;

/// After this many rounds of cuts, the relaxation is rounded to a clustering.
const ROUNDING: usize = 5;

/// The first search over the integers ends after this many nodes: the constraints that it violates by then say more than a
/// proof that an illegal clustering is best.
const NODES: u64 = 100;

/// The relaxation stalls when its value has come no nearer to the best by this part for `PATIENCE` rounds.
const PART: f64 = 0.02;
const PATIENCE: usize = 10;

/// A way to state the choice of clusters as an integer linear program.
pub(super) trait Formulation {
    /// The program, without the lazy constraints.
    fn program(&self) -> &Program;

    /// The value of its objective for a partition.
    fn value(&self, partition: &Partition<'_>) -> i64;

    /// Improves a partition that a relaxation was rounded to.
    fn round(&self, partition: &mut Partition<'_>, pairs: &BTreeSet<Pair>) {
        best_merge(partition, pairs);
    }

    /// What values of the variables violate. The search for it ends when it was more than `most` work.
    fn separate(&self, facts: &Facts<'_>, values: &Values, most: usize) -> Violated;

    /// Gives pairs variables.
    fn extend(&mut self, facts: &Facts<'_>, pairs: &BTreeSet<Pair>);
}

/// What a search has found.
pub(super) struct Found<'a> {
    /// The best clustering.
    pub(super) partition: Partition<'a>,
    /// Whether no other has a lower value.
    pub(super) proven: bool,
    /// The program with everything that was separated.
    pub(super) program: Program,
    /// The value of the objective: the program's optimum, if proven.
    pub(super) value: i64,
}

/// Improves a partition to the optimum of a formulation, where what `joined` has together stays so.
/// Solutions are rounded by merging `pairs`.
pub(super) fn minimise<'a>(
    facts: &'a Facts<'a>,
    formulation: impl Formulation,
    joined: &Partition<'a>,
    pairs: &BTreeSet<Pair>,
    start: Partition<'a>,
    (solver, work): (Solver, &mut Work),
) -> Found<'a> {
    let value = formulation.value(&start);
    let mut search = Search {
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
    Found { partition: search.best, proven, program, value: search.value }
}

struct Search<'a, 'w, F> {
    facts: &'a Facts<'a>,
    joined: &'w Partition<'a>,
    pairs: &'w BTreeSet<Pair>,
    formulation: F,
    /// The constraints that were separated, as far as they are of use.
    cuts: Vec<Constraint>,
    /// The best so far, and its value.
    best: Partition<'a>,
    value: i64,
    solver: Solver,
    work: &'w mut Work,
}

/// Why the search stops before it is done.
struct Unproven;

impl From<Stopped> for Unproven {
    fn from(_: Stopped) -> Self {
        Self
    }
}

impl<'a, F: Formulation> Search<'a, '_, F> {
    /// Improves the best until it is proven to be optimal.
    fn run(&mut self) -> Result<(), Unproven> {
        if self.cut_relaxation()? {
            return Ok(());
        }
        let mut nodes = NODES;
        while !self.search_integers(&mut nodes)? {}
        Ok(())
    }

    /// Adds what the relaxation violates, as long as that says something. Whether the best is proven by then.
    fn cut_relaxation(&mut self) -> Result<bool, Unproven> {
        // No clustering costs less than nothing; and nothing can be stated of no variables.
        if self.value == 0 || self.formulation.program().columns.is_empty() {
            return Ok(true);
        }
        // A relaxation is of the program as it is: what gives the program more variables starts a new one.
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
                    self.cuts.retain(|row| program.excess(row, &values) > -INTEGRAL);
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

    /// Searches over the integers once. Whether the best is proven by then.
    fn search_integers(&mut self, nodes: &mut u64) -> Result<bool, Unproven> {
        let known = self.assignment();
        let program = self.formulation.program();
        let with = (self.solver, &mut *self.work);
        let found = solver::search(program, &self.cuts, (&known, self.value), *nodes, with);
        let (values, optimal) = match found {
            Integral::NoBetter => return Ok(true),
            Integral::Optimum(values) => (values, true),
            Integral::Stopped(Some(values)) => (values, false),
            Integral::Stopped(None) => return Err(Unproven),
        };
        let violated = self.violated(&values)?;
        self.round_off(&values);
        if violated.is_empty() && optimal {
            self.take_over(&values);
            // The optimum is legal, and proves a clustering that costs no more. Rounding may have missed it.
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

    fn add(&mut self, violated: Violated) {
        self.cuts.extend(violated.rows);
        self.formulation.extend(self.facts, &violated.pairs);
    }

    fn violated(&mut self, values: &Values) -> Result<Violated, Unproven> {
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

    /// Takes the clustering that a solution over the integers is, if it is better.
    fn take_over(&mut self, values: &Values) {
        let fused = self.formulation.program().fused.iter();
        let together = fused.filter(|&(_, &column)| values[column] < 0.5);
        let together: Vec<Pair> = together.map(|(&pair, _)| pair).collect();
        if let Some(partition) = self.joined.clone().with_pairs(&together) {
            self.improve(partition);
        }
    }

    /// Makes a clustering of a relaxation: the pairs that are most fused go first, then what saves most.
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

/// How the value of the relaxation grows from round to round.
#[derive(Default)]
struct Progress {
    value: f64,
    /// For how many rounds it has hardly grown.
    stalled: usize,
}

impl Progress {
    /// Whether it has not grown for too long, on its way to the best.
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

/// The least integer that a solution can have whose relaxation has this value.
#[allow(clippy::cast_possible_truncation)]
fn lower_bound(relaxed: f64) -> i64 {
    // The solver's error is relative to the coefficients, which are small integers.
    (relaxed - 0.01).ceil() as i64
}

//! Branch and cut: the optimum of a model, with a bound on the work.
//!
//! Every node of the search relaxes the model, adds what the relaxation violates (valid everywhere) and
//! relaxes again, from where it was; it branches on the pair whose x is nearest to one half. Relaxations are rounded to
//! clusterings, so that there is always a best one so far. The node with the lowest bound goes first.
//!
//! Invariant: the result is legal, no worse than what the search started from, and the same for the same
//! graph; if it is said to be optimal, no clustering of the component has a lower value.
//!
//! ```text
//! best so far 23; root 20.5, branch x[a,b] = 0: 22 (integral), x[a,b] = 1: 23   ⇒   22, optimal
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::best::best_merge;
use super::cuts::{Violated, millionths};
use super::facts::Facts;
use super::pairs::Pair;
use super::partition::Partition;
use super::program::{Column, Program, Row};
use super::simplex::{Relaxed, Simplex};
use super::work::Work;
use crate::ids::SecondaryMap;

/// Values nearer than this to an integer are integral.
const INTEGRAL: f64 = 1e-6;

/// After so many rounds of cuts a fractional node is branched on.
const ROUNDS: u32 = 40;

/// A constraint that holds by itself after so many relaxations in a row is dropped; it is found again if
/// it is violated.
const IDLE: u32 = 4;

/// A step of a shortest path is as much work as so many numbers changed by the simplex method.
const STEP: usize = 30;

/// A way to state the choice of clusters as an integer linear program.
pub(super) trait Formulation {
    /// The program, without what is separated.
    fn program(&self) -> &Program;

    /// The value of its objective for a partition.
    fn value(&self, partition: &Partition<'_>) -> i64;

    /// What values of the variables violate. The search for it ends when it was more than `most` work.
    fn separate(
        &self,
        facts: &Facts<'_>,
        values: &SecondaryMap<Column, f64>,
        most: usize,
    ) -> Violated;

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
    work: &mut Work,
) -> Found<'a> {
    let value = formulation.value(&start);
    let fixed = BTreeMap::new();
    let mut search = Search {
        joined,
        pairs,
        facts,
        relaxation: Simplex::new(formulation.program()),
        formulation,
        fixed: BTreeMap::new(),
        separated: Vec::new(),
        best: start,
        value,
        work,
        open: BinaryHeap::from([Reverse(Open { bound: 0, order: 0, fixed })]),
        opened: 0,
    };
    let proven = search.run();
    let mut program = search.formulation.program().clone();
    program.rows.extend(search.separated);
    Found { partition: search.best, proven, program, value: search.value }
}

/// A part of the search space that may hold something better.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Open {
    /// What every solution in it costs at least.
    bound: i64,
    /// Later ones first.
    order: i64,
    /// What has been decided.
    fixed: BTreeMap<Column, bool>,
}

struct Search<'a, 'w, F> {
    facts: &'a Facts<'a>,
    joined: &'w Partition<'a>,
    pairs: &'w BTreeSet<Pair>,
    formulation: F,
    relaxation: Simplex,
    /// What is fixed in the relaxation.
    fixed: BTreeMap<Column, bool>,
    /// Every constraint that was ever a cut.
    separated: Vec<Row>,
    /// The best so far, and its value.
    best: Partition<'a>,
    value: i64,
    work: &'w mut Work,
    open: BinaryHeap<Reverse<Open>>,
    opened: i64,
}

/// Why the search stops before it is done.
struct Unproven;

impl<'a, F: Formulation> Search<'a, '_, F> {
    /// Whether the best is proven to be optimal.
    fn run(&mut self) -> bool {
        while let Some(Reverse(node)) = self.open.pop() {
            if node.bound >= self.value {
                return true;
            }
            if self.explore(&node.fixed).is_err() {
                return false;
            }
        }
        true
    }

    /// Relaxes and cuts one node, then closes it or branches.
    fn explore(&mut self, fixed: &BTreeMap<Column, bool>) -> Result<(), Unproven> {
        self.fix(fixed);
        let mut round = 0;
        loop {
            let (values, bound) = match self.relaxation.relax(self.work) {
                Relaxed::Optimum { values, bound } => (values, lower_bound(bound)),
                // What the search starts from satisfies all constraints: the solver is wrong.
                Relaxed::Infeasible if self.opened == 0 => return Err(Unproven),
                Relaxed::Infeasible => return Ok(()),
                Relaxed::Exhausted => return Err(Unproven),
            };
            self.relaxation.drop_idle(IDLE);
            if bound >= self.value {
                return Ok(());
            }
            let branch = self.most_fractional(&values);
            let violated = self.formulation.separate(self.facts, &values, self.work.left() / STEP);
            if !self.work.take(violated.work.saturating_mul(STEP)) {
                return Err(Unproven);
            }
            if self.tighten(violated, branch.is_none() || round < ROUNDS) {
                round += 1;
                continue;
            }
            self.round_off(&values);
            let Some(column) = branch else {
                // Integral and legal: what it decodes to is no worse than the relaxation.
                return if self.value <= bound { Ok(()) } else { Err(Unproven) };
            };
            for value in [true, false] {
                let mut fixed = fixed.clone();
                fixed.insert(column, value);
                self.opened += 1;
                self.open.push(Reverse(Open { bound, order: -self.opened, fixed }));
            }
            return Ok(());
        }
    }

    /// Adds what is violated. Whether there was anything to add.
    fn tighten(&mut self, violated: Violated, wanted: bool) -> bool {
        if !wanted || (violated.rows.is_empty() && violated.pairs.is_empty()) {
            return false;
        }
        self.separated.extend(violated.rows.iter().cloned());
        for row in violated.rows {
            self.relaxation.cut(row);
        }
        self.formulation.extend(self.facts, &violated.pairs);
        self.relaxation.extend(self.formulation.program());
        true
    }

    /// Fixes these variables, and no others.
    fn fix(&mut self, fixed: &BTreeMap<Column, bool>) {
        for &column in self.fixed.keys().filter(|column| !fixed.contains_key(column)) {
            self.relaxation.fix(column, None);
        }
        for (&column, &value) in fixed {
            self.relaxation.fix(column, Some(value));
        }
        self.fixed.clone_from(fixed);
    }

    /// Makes a clustering of a relaxation: the pairs that are most fused go first, then what saves most.
    fn round_off(&mut self, values: &SecondaryMap<Column, f64>) {
        let mut pairs: Vec<(u32, Pair)> = (self.formulation.program().fused.iter())
            .map(|(&pair, &column)| (millionths(values[column]), pair))
            .filter(|&(x, _)| x < 500_000)
            .collect();
        pairs.sort_unstable();
        let mut partition = self.joined.clone();
        for (_, (a, b)) in pairs {
            partition.try_join(a, b);
        }
        best_merge(&mut partition, self.pairs);
        let value = self.formulation.value(&partition);
        if value < self.value {
            self.value = value;
            self.best = partition;
        }
    }

    /// The pair that is farthest from being decided; none if all are.
    fn most_fractional(&self, values: &SecondaryMap<Column, f64>) -> Option<Column> {
        (self.formulation.program().fused.values())
            .map(|&column| (millionths((values[column] - 0.5).abs()), column))
            .filter(|&(distance, _)| distance < 500_000 - millionths(INTEGRAL))
            .min()
            .map(|(_, column)| column)
    }
}

/// The least integer that a solution can have whose relaxation has this value.
#[allow(clippy::cast_possible_truncation)]
fn lower_bound(relaxed: f64) -> i64 {
    // The solver's error is relative to the coefficients, which are small integers.
    (relaxed - 0.01).ceil() as i64
}

//! Linear relaxations by the dual simplex method, over a dense tableau that is kept from one relaxation
//! to the next.
//!
//! Every variable has bounds and every coefficient of the objective is at least 0, so that the variables
//! at their bounds are a dual feasible start; adding a constraint and fixing a variable leave it so. A
//! relaxation then takes a few steps from where the last one ended, and each step counts as work.
//!
//! Invariant: `value` of a row is what its variable is worth while those outside are at their bounds; the
//! reduced cost of a variable outside is at least 0 at its lower bound, and at most 0 at its upper one.
//!
//! ```text
//! minimise 3 c, c ≥ x, x + z ≥ 1, z ≤ 1/2   ⇒   x = c = 1/2, z = 1/2; then x fixed at 1   ⇒   c = 1
//! ```

use std::cmp::Ordering;

use cranelift_entity::entity_impl;

use super::program::{Column, Program, Row, Variable};
use super::work::Work;
use crate::ids::{PrimaryMap, SecondaryMap};

/// A variable of the program, or by how much a constraint holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Quantity(u32);
entity_impl!(Quantity, "q");

/// By how much a bound may be missed.
const FEASIBLE: f64 = 1e-7;

/// Coefficients smaller than this are rounding errors.
const ZERO: f64 = 1e-11;

/// Nothing smaller is divided by.
const PIVOT: f64 = 1e-7;

/// How far a constraint may be from what the tableau says of it.
const DRIFT: f64 = 1e-6;

/// Free variables cost a little, each another amount, so that hardly two bases cost the same.
const PERTURBATION: f64 = 1e-6;

/// What came of a relaxation.
pub(super) enum Relaxed {
    /// An optimum.
    Optimum {
        /// What the variables are.
        values: SecondaryMap<Column, f64>,
        /// No solution has a lower value: from the dual, whatever was rounded on the way.
        bound: f64,
    },
    /// No values satisfy the constraints.
    Infeasible,
    /// There was not enough work left.
    Exhausted,
}

/// The program, with further constraints and fixed variables.
pub(super) struct Simplex {
    quantities: PrimaryMap<Quantity, Bounds>,
    places: SecondaryMap<Quantity, Place>,
    columns: PrimaryMap<Column, (Quantity, Variable)>,
    constraints: Vec<Constraint>,
    rows: Vec<Basic>,
    outside: Vec<Outside>,
    /// What a unit more of each variable outside costs.
    reduced: Vec<f64>,
}

struct Bounds {
    low: f64,
    high: f64,
    cost: f64,
}

#[derive(Clone, Copy, Default)]
enum Place {
    /// In the basis, in this row.
    Row(usize),
    /// At one of its bounds, in this column.
    Outside(usize),
    /// Of a constraint that was dropped.
    #[default]
    Gone,
}

struct Constraint {
    row: Row,
    slack: Quantity,
    /// Whether it may be dropped, and for how many relaxations in a row it has held by itself.
    idle: Option<u32>,
}

struct Basic {
    quantity: Quantity,
    value: f64,
    /// What it gains from a unit more of each variable outside.
    gains: Vec<f64>,
    /// The sum of their squares.
    norm: f64,
}

struct Outside {
    quantity: Quantity,
    at_high: bool,
}

impl Simplex {
    /// The program as it is stated.
    pub(super) fn new(program: &Program) -> Self {
        let mut simplex = Self {
            quantities: PrimaryMap::new(),
            places: SecondaryMap::new(),
            columns: PrimaryMap::new(),
            constraints: Vec::new(),
            rows: Vec::new(),
            outside: Vec::new(),
            reduced: Vec::new(),
        };
        simplex.extend(program);
        simplex
    }

    /// Adds what the program has more than the last time.
    pub(super) fn extend(&mut self, program: &Program) {
        for variable in program.columns.values().skip(self.columns.len()) {
            self.add_column(variable);
        }
        let stated = self.constraints.iter().filter(|constraint| constraint.idle.is_none()).count();
        for row in &program.rows[stated..] {
            self.add_constraint(row.clone(), None);
        }
    }

    /// Adds a constraint that is dropped when it has been of no use for some time.
    pub(super) fn cut(&mut self, row: Row) {
        self.add_constraint(row, Some(0));
    }

    /// Fixes a binary variable, or lets it go.
    pub(super) fn fix(&mut self, column: Column, value: Option<bool>) {
        let (quantity, ref variable) = self.columns[column];
        let (low, high) = match value {
            None => (0.0, float(variable.most)),
            Some(false) => (0.0, 0.0),
            Some(true) => (1.0, 1.0),
        };
        let bounds = &mut self.quantities[quantity];
        if (bounds.low, bounds.high) == (low, high) {
            return;
        }
        let before = self.value(quantity);
        (self.quantities[quantity].low, self.quantities[quantity].high) = (low, high);
        if let Place::Outside(at) = self.places[quantity] {
            self.outside[at].at_high = self.reduced[at] < 0.0;
            self.shift(at, self.value(quantity) - before);
        }
    }

    /// The optimum from where the last one was.
    pub(super) fn relax(&mut self, work: &mut Work) -> Relaxed {
        for attempt in 0..2 {
            if attempt > 0 {
                self.start_anew();
            }
            while let Some((row, target)) = self.worst_row() {
                let Some(step) = self.ratio_test(row, target) else {
                    return Relaxed::Infeasible;
                };
                if !work.take(self.step(row, target, &step)) {
                    return Relaxed::Exhausted;
                }
            }
            if self.drift() <= DRIFT {
                return self.optimum();
            }
        }
        Relaxed::Exhausted
    }

    /// Drops the constraints that have held by themselves for so many relaxations in a row.
    pub(super) fn drop_idle(&mut self, most: u32) {
        for constraint in &mut self.constraints {
            let slack = constraint.slack;
            let holds =
                matches!(self.places[slack], Place::Row(row) if self.rows[row].value > DRIFT);
            constraint.idle = constraint.idle.map(|idle| if holds { idle + 1 } else { 0 });
        }
        let gone = |constraint: &Constraint| constraint.idle.is_some_and(|idle| idle >= most);
        for constraint in self.constraints.iter().filter(|constraint| gone(constraint)) {
            let Place::Row(row) = self.places[constraint.slack] else {
                panic!("a constraint that holds by itself is in the basis");
            };
            self.rows.swap_remove(row);
            self.places[constraint.slack] = Place::Gone;
            if let Some(moved) = self.rows.get(row) {
                self.places[moved.quantity] = Place::Row(row);
            }
        }
        self.constraints.retain(|constraint| !gone(constraint));
    }

    fn add_column(&mut self, variable: &Variable) {
        // Steps of the golden ratio are spread evenly, and no two are the same.
        let spread =
            (float(i64::from(self.columns.next_key().as_u32())) * 0.618_033_988_75).fract();
        let cost = float(variable.cost) + PERTURBATION * (1.0 + spread);
        let quantity = self.quantities.push(Bounds { low: 0.0, high: float(variable.most), cost });
        self.places[quantity] = Place::Outside(self.outside.len());
        self.outside.push(Outside { quantity, at_high: false });
        self.reduced.push(cost);
        self.columns.push((quantity, variable.clone()));
        for row in &mut self.rows {
            row.gains.push(0.0);
        }
    }

    fn add_constraint(&mut self, row: Row, idle: Option<u32>) {
        let bounds = Bounds { low: 0.0, high: f64::INFINITY, cost: 0.0 };
        let slack = self.quantities.push(bounds);
        self.enter(&row, slack);
        self.constraints.push(Constraint { row, slack, idle });
    }

    /// Puts a constraint into the basis.
    fn enter(&mut self, row: &Row, slack: Quantity) {
        let mut gains = vec![0.0; self.outside.len()];
        for (&column, &by) in &row.terms {
            match self.places[self.columns[column].0] {
                Place::Outside(at) => gains[at] += float(by),
                Place::Row(at) => add_times(&mut gains, float(by), &self.rows[at].gains),
                Place::Gone => panic!("only constraints are dropped"),
            }
        }
        self.places[slack] = Place::Row(self.rows.len());
        let norm = norm(&gains);
        self.rows.push(Basic { quantity: slack, value: self.at(row), gains, norm });
    }

    /// What a sum is worth.
    fn at(&self, row: &Row) -> f64 {
        let terms = row.terms.iter();
        let terms = terms.map(|(&column, &by)| float(by) * self.value(self.columns[column].0));
        terms.sum::<f64>() + float(row.constant)
    }

    fn value(&self, quantity: Quantity) -> f64 {
        match self.places[quantity] {
            Place::Row(row) => self.rows[row].value,
            Place::Outside(at) if self.outside[at].at_high => self.quantities[quantity].high,
            Place::Outside(_) => self.quantities[quantity].low,
            Place::Gone => panic!("nobody asks for what was dropped"),
        }
    }

    /// A variable outside becomes worth more by that.
    fn shift(&mut self, at: usize, by: f64) {
        if by != 0.0 {
            for row in &mut self.rows {
                row.value += row.gains[at] * by;
            }
        }
    }

    /// The row whose bound is farthest away, and the bound: by the distance that the variables outside
    /// would have to go (steepest edge).
    fn worst_row(&self) -> Option<(usize, f64)> {
        let mut worst = None;
        let mut most = 0.0;
        for (index, row) in self.rows.iter().enumerate() {
            let Bounds { low, high, .. } = self.quantities[row.quantity];
            for (missing, bound) in [(low - row.value, low), (row.value - high, high)] {
                let distance = missing * missing / (1.0 + row.norm);
                if missing > FEASIBLE && distance > most {
                    (most, worst) = (distance, Some((index, bound)));
                }
            }
        }
        worst
    }

    /// Which variables outside go to their other bound, and which one comes into the basis, so that the
    /// row gets to the target; none if none can.
    fn ratio_test(&self, row: usize, target: f64) -> Option<Step> {
        let Basic { value, ref gains, .. } = self.rows[row];
        let mut candidates = Vec::new();
        for (at, &gain) in gains.iter().enumerate() {
            let Outside { quantity, at_high } = self.outside[at];
            let Bounds { low, high, .. } = self.quantities[quantity];
            if gain.abs() > PIVOT && high > low && (gain > 0.0) == ((target > value) != at_high) {
                candidates.push((self.reduced[at].abs() / gain.abs(), gain.abs(), at));
            }
        }
        let order = |a: &(f64, f64, usize), b: &(f64, f64, usize)| -> Ordering {
            a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2))
        };
        candidates.sort_unstable_by(order);
        let mut missing = (target - value).abs();
        let mut flips = Vec::new();
        for (_, gain, at) in candidates {
            let Bounds { low, high, .. } = self.quantities[self.outside[at].quantity];
            missing -= gain * (high - low);
            if missing <= FEASIBLE {
                return Some(Step { flips, entering: at });
            }
            flips.push(at);
        }
        None
    }

    /// Takes a step, and tells how much work it was.
    fn step(&mut self, row: usize, target: f64, step: &Step) -> usize {
        for &at in &step.flips {
            let before = self.value(self.outside[at].quantity);
            self.outside[at].at_high ^= true;
            self.shift(at, self.value(self.outside[at].quantity) - before);
        }
        let at = step.entering;
        let pivot = self.rows[row].gains[at];
        let by = (target - self.rows[row].value) / pivot;
        let (entering, leaving) = (self.outside[at].quantity, self.rows[row].quantity);
        let entered = self.value(entering) + by;
        self.shift(at, by);
        let gains = &mut self.rows[row].gains;
        gains.iter_mut().for_each(|gain| *gain /= -pivot);
        gains[at] = 1.0 / pivot;
        let gains = std::mem::take(gains);
        let mut work = self.rows.len() + gains.len();
        for other in self.rows.iter_mut().filter(|other| !other.gains.is_empty()) {
            let times = std::mem::replace(&mut other.gains[at], 0.0);
            if times != 0.0 {
                add_times(&mut other.gains, times, &gains);
                other.norm = norm(&other.gains);
                work += gains.len();
            }
        }
        let times = std::mem::replace(&mut self.reduced[at], 0.0);
        add_times(&mut self.reduced, times, &gains);
        let norm = norm(&gains);
        self.rows[row] = Basic { quantity: entering, value: entered, gains, norm };
        self.outside[at] =
            Outside { quantity: leaving, at_high: target == self.quantities[leaving].high };
        (self.places[entering], self.places[leaving]) = (Place::Row(row), Place::Outside(at));
        work
    }

    /// How far the constraints are from what the tableau says of them.
    fn drift(&self) -> f64 {
        let off = |constraint: &Constraint| {
            (self.at(&constraint.row) - self.value(constraint.slack)).abs()
        };
        self.constraints.iter().map(off).fold(0.0, f64::max)
    }

    /// Starts from the constraints once more, with every variable at a bound.
    fn start_anew(&mut self) {
        self.rows.clear();
        self.outside.clear();
        self.reduced.clear();
        for &(quantity, _) in self.columns.values() {
            self.places[quantity] = Place::Outside(self.outside.len());
            self.outside.push(Outside { quantity, at_high: false });
            self.reduced.push(self.quantities[quantity].cost);
        }
        let constraints = std::mem::take(&mut self.constraints);
        for constraint in &constraints {
            self.enter(&constraint.row, constraint.slack);
        }
        self.constraints = constraints;
    }

    /// The values, and the bound that the prices of the constraints prove: for any prices of at least 0,
    /// what the constraints demand at these, and what each variable adds at least beyond.
    fn optimum(&self) -> Relaxed {
        let mut rest: SecondaryMap<Column, f64> = SecondaryMap::new();
        for (column, (_, variable)) in &self.columns {
            rest[column] = float(variable.cost);
        }
        let mut bound = 0.0;
        for constraint in &self.constraints {
            let Place::Outside(at) = self.places[constraint.slack] else { continue };
            let price = self.reduced[at].max(0.0);
            bound -= price * float(constraint.row.constant);
            for (&column, &by) in &constraint.row.terms {
                rest[column] -= price * float(by);
            }
        }
        let mut values = SecondaryMap::new();
        for (column, &(quantity, _)) in &self.columns {
            let Bounds { low, high, .. } = self.quantities[quantity];
            bound += rest[column] * if rest[column] > 0.0 { low } else { high };
            values[column] = self.value(quantity).clamp(low, high);
        }
        Relaxed::Optimum { values, bound }
    }
}

/// A step from one basis to the next.
struct Step {
    /// Which columns go to their other bound.
    flips: Vec<usize>,
    /// Which column comes into the basis.
    entering: usize,
}

fn add_times(to: &mut [f64], times: f64, from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        let sum = *to + times * from;
        *to = if sum.abs() < ZERO { 0.0 } else { sum };
    }
}

fn norm(gains: &[f64]) -> f64 {
    // In parts, which can be summed side by side.
    let mut sums = [0.0; 8];
    for part in gains.chunks(sums.len()) {
        for (sum, gain) in sums.iter_mut().zip(part) {
            *sum += gain * gain;
        }
    }
    sums.iter().sum()
}

#[allow(clippy::cast_precision_loss)]
fn float(value: i64) -> f64 {
    value as f64
}

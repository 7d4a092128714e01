//! The bounds of a range: conditions on the counter become code before the loop.
//!
//! Sums of machine numbers wrap. No sum in a step of the range may do so. So every sum of loop-invariant values must
//! lie within ± 2⁶⁰, and so must the number of steps: otherwise the range is empty.
//!
//! Invariant: the code cannot fail; if the range is not empty, all demands hold in it, and it lies within the loop.
//!
//! ```text
//! i >= 1 and i < n - 1, in n steps
//! ⇒ low = max 0 1; high = min n (n - 1); from = min low n; to = max from high
//! 2 i < n
//! ⇒ high = (n + 1) / 2
//! ```

use indexmap::{IndexMap, IndexSet};

use super::likely::SplitSide;
use crate::concrete::{Block, PeeledIterations, Period, Phase, Ranged, Step};
use crate::ranges::facts::{IntegerFacts, Premises};
use crate::ranges::split::grids::Grid;
use crate::ranges::sums::{SANE, Sum};
use arrc_front::eval::scalar;
use arrc_fusion::cnf::{Atom, Operation, Type, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};
use arrc_syntax::source::Span;

/// An upper limit of the trip count of a row.
const LONG: i64 = i32::MAX as i64;

/// The conditions that must hold in the steps of a range. Of demands that differ only by a constant, the strongest is
/// kept.
#[derive(Clone, Default)]
pub(super) struct Bounds {
    /// Sums that the counter is not below.
    lower: Sums,
    /// Sums that the counter is below.
    upper: Sums,
    /// Sums that a multiple of the counter is not below.
    lower_multiples: Multiples,
    /// Sums that a multiple of the counter is below.
    upper_multiples: Multiples,
    /// Sums that are not negative.
    natural: Sums,
    /// Sums that are far from the ends of `i64`, so that sums with them do not wrap.
    sane: IndexSet<Sum>,
    /// The periods, if the steps take variants cyclically.
    period: Option<PeriodDemand>,
}

/// How the steps of a range take variants cyclically.
#[derive(Clone)]
enum PeriodDemand {
    /// The range has whole periods of the grid, and the demands are on the first steps of periods.
    Whole(Grid),
    /// The variants begin at these remainders by the grid; the last number is that of the steps of a period.
    From(Grid, Vec<Sum>),
}

/// The ends of a range, and its periods.
pub(super) struct RangeEnds {
    pub(super) from: Atom,
    pub(super) to: Atom,
    pub(super) period: Option<Period<Ranged>>,
}

/// Sums without their constants, each with its constant.
type Sums = IndexMap<Sum, i64>;

/// The same for sums that are compared with the counter times a factor of at least 2.
type Multiples = IndexMap<(i64, Sum), i64>;

fn note(sums: &mut Sums, sum: Sum, stronger: impl FnOnce(i64, i64) -> i64) {
    let constant = sum.constant;
    let strongest = sums.entry(Sum { constant: 0, ..sum }).or_insert(constant);
    *strongest = stronger(*strongest, constant);
}

impl Bounds {
    /// Demands that the counter is at least this sum.
    pub(super) fn require_at_least(&mut self, sum: Sum) {
        note(&mut self.lower, sum, i64::max);
    }

    /// Demands that the counter is less than this sum.
    pub(super) fn require_below(&mut self, sum: Sum) {
        note(&mut self.upper, sum, i64::min);
    }

    /// Demands that `factor` times the counter is at least this sum.
    pub(super) fn require_multiple_at_least(&mut self, factor: i64, sum: Sum) {
        let constant = sum.constant;
        let key = (factor, Sum { constant: 0, ..sum });
        let strongest = self.lower_multiples.entry(key).or_insert(constant);
        *strongest = constant.max(*strongest);
    }

    /// Demands that `factor` times the counter is less than this sum.
    pub(super) fn require_multiple_below(&mut self, factor: i64, sum: Sum) {
        let constant = sum.constant;
        let key = (factor, Sum { constant: 0, ..sum });
        let strongest = self.upper_multiples.entry(key).or_insert(constant);
        *strongest = constant.min(*strongest);
    }

    /// Demands that a sum is not negative.
    pub(super) fn require_non_negative(&mut self, sum: Sum) {
        if sum.as_constant().is_some_and(|number| number >= 0) {
            return;
        }
        note(&mut self.natural, sum, i64::min);
    }

    /// Demands that a sum is small enough for further sums with it not to wrap.
    pub(super) fn require_sane(&mut self, sum: Sum) {
        if sum.constant.unsigned_abs() > SANE.unsigned_abs() {
            // A sum with such a constant could wrap, so the range is empty.
            self.require_non_negative(Sum::constant(-1));
        }
        if !sum.terms.is_empty() {
            self.sane.insert(Sum { constant: 0, ..sum });
        }
    }

    /// Demands that the range begins in the grid, and has whole periods.
    pub(super) fn require_whole_periods(&mut self, grid: Grid) {
        self.require_sane(grid.rest.clone());
        self.period = Some(PeriodDemand::Whole(grid));
    }

    /// Demands that these remainders by the grid are in order: 0, those where further variants begin, and the number of
    /// steps of a period.
    pub(super) fn require_period_order(&mut self, grid: Grid, ends: Vec<Sum>) {
        self.require_sane(grid.rest.clone());
        self.require_non_negative(grid.by.shifted(-1));
        for pair in ends.windows(2) {
            self.require_sane(pair[1].clone());
            self.require_non_negative(pair[1].plus(-1, &pair[0]));
        }
        self.period = Some(PeriodDemand::From(grid, ends));
    }

    /// Drops the demands that the facts imply.
    pub(super) fn simplify(&mut self, facts: &IntegerFacts) {
        let mut premises = Premises::new(facts);
        self.sane.retain(|sum| !premises.is_sane(sum));
        for sum in &self.sane {
            premises.demand_sane(sum);
        }
        let alone = |sum: &Sum| sum.terms.len() == 1;
        self.sane.retain(|sum| alone(sum) || !premises.is_sane(sum));
        self.natural
            .retain(|sum, &mut constant| !premises.is_natural(&Sum { constant, ..sum.clone() }));
    }

    /// Notes the facts that hold in the steps of the range, in a loop of `length` steps.
    pub(super) fn note_facts(&self, of: VarId, length: Atom, facts: &mut IntegerFacts) {
        let counter = Sum::symbol(of);
        let with = |sum: &Sum, constant: i64| Sum { constant, ..sum.clone() };
        facts.note_non_negative(&counter);
        facts.note_sane(&counter);
        if let Atom::Var(length) = length {
            facts.note_non_negative(&Sum::symbol(length).plus(-1, &counter).shifted(-1));
        }
        for (sum, &constant) in &self.lower {
            facts.note_non_negative(&counter.plus(-1, &with(sum, constant)));
            facts.not_below(of, &with(sum, constant));
        }
        // Demands on the first steps of periods hold less strongly for the last steps.
        let behind = match &self.period {
            Some(PeriodDemand::Whole(grid)) => grid.steps() - 1,
            Some(PeriodDemand::From(..)) | None => 0,
        };
        for (sum, &constant) in &self.upper {
            let end = with(sum, constant).shifted(behind);
            facts.note_non_negative(&end.plus(-1, &counter).shifted(-1));
            if self.period.is_none() {
                facts.below(of, &end);
            }
        }
        let multiple = |factor: i64| Sum::constant(0).plus(factor, &counter);
        for ((factor, sum), &constant) in &self.lower_multiples {
            facts.note_non_negative(&multiple(*factor).plus(-1, &with(sum, constant)));
        }
        for ((factor, sum), &constant) in &self.upper_multiples {
            let end = with(sum, constant).shifted(factor * behind);
            facts.note_non_negative(&end.plus(-1, &multiple(*factor)).shifted(-1));
        }
        for (sum, &constant) in &self.natural {
            facts.note_non_negative(&with(sum, constant));
        }
        for sum in &self.sane {
            facts.note_sane(sum);
        }
    }

    /// On which side of a split point the steps are, if a demand on the counter implies it.
    pub(super) fn implied_side(&self, split_point: &Sum) -> Option<SplitSide> {
        let key = Sum { constant: 0, ..split_point.clone() };
        if self.upper.get(&key).is_some_and(|&end| end <= split_point.constant) {
            return Some(SplitSide::Before);
        }
        let is_after = self.lower.get(&key).is_some_and(|&start| start >= split_point.constant);
        is_after.then_some(SplitSide::After)
    }

    /// The numbers of steps before and behind the range in a loop of `length` steps that is long enough for a range, if
    /// they are constants, and `most` together at most.
    pub(super) fn peeled_iterations(
        &self,
        length: Atom,
        most: i64,
        facts: &IntegerFacts,
    ) -> Option<PeeledIterations> {
        let is_single = self.period.is_none()
            && self.lower_multiples.is_empty()
            && self.upper_multiples.is_empty();
        let Atom::Var(length) = length else { return None };
        if !is_single {
            return None;
        }
        let [mut before, mut behind] = [0, 0];
        for (sum, &constant) in &self.lower {
            let start = facts.reduced(&Sum { constant, ..sum.clone() });
            before = start.as_constant()?.max(before);
        }
        for (sum, &constant) in &self.upper {
            // This bound does not restrict the range: a row has fewer than `LONG` steps.
            if sum.terms.is_empty() && constant >= LONG {
                continue;
            }
            let missing = Sum::symbol(length).plus(-1, &Sum { constant, ..sum.clone() });
            behind = facts.reduced(&missing).as_constant()?.max(behind);
        }
        let steps = before.checked_add(behind)?;
        let edge = |steps| u8::try_from(steps).ok();
        (1..=most).contains(&steps).then_some(())?;
        Some(PeeledIterations { before: edge(before)?, behind: edge(behind)? })
    }

    /// The code that computes the ends of the range in a loop of `length` steps, and those ends. The range begins where
    /// the one before it ends, `done`, or later.
    pub(super) fn code(
        &self,
        (length, done): (Atom, Option<Atom>),
        span: Span,
        vars: &mut PrimaryMap<VarId, Var>,
    ) -> (Vec<Step<Ranged>>, RangeEnds) {
        let mut code = CodeBuilder::new(Vec::new(), span, vars);
        let low = code.extremum(BinOp::Max, int(0), &self.lower);
        let low = code.extremum_of_quotients(BinOp::Max, low, &self.lower_multiples);
        let high = code.binary(BinOp::Min, length, int(SANE));
        let high = match &self.period {
            // The demands are on the first steps of periods.
            Some(PeriodDemand::Whole(grid)) => code.binary(BinOp::Sub, high, int(grid.steps() - 1)),
            Some(PeriodDemand::From(..)) | None => high,
        };
        let high = code.extremum(BinOp::Min, high, &self.upper);
        let high = code.extremum_of_quotients(BinOp::Min, high, &self.upper_multiples);
        let holds = self.holds(&mut code);
        let high = code.value_if(holds, high);
        let from = match done {
            // An empty range must not hide steps from the next one.
            Some(done) => {
                let low = code.binary(BinOp::Min, low, high);
                code.binary(BinOp::Max, done, low)
            }
            None if low == int(0) => low,
            None => code.binary(BinOp::Min, low, length),
        };
        let to = code.binary(BinOp::Max, from, high);
        let ends = match &self.period {
            Some(PeriodDemand::Whole(grid)) => code.whole_periods(grid, [from, to]),
            Some(PeriodDemand::From(grid, ends)) => {
                let period = Some(code.period((grid, ends), holds, from));
                RangeEnds { from, to, period }
            }
            None => RangeEnds { from, to, period: None },
        };
        (code.steps, ends)
    }

    /// Whether the demands hold that do not depend on the counter; nothing if all of them always hold.
    fn holds(&self, code: &mut CodeBuilder<'_>) -> Option<Atom> {
        let mut flags = Vec::new();
        if !self.natural.is_empty() {
            let least = code.extremum(BinOp::Min, int(0), &self.natural);
            flags.push(code.binary(BinOp::Ge, least, int(0)));
        }
        if !self.sane.is_empty() {
            let sums = self.sane.iter().map(|sum| (sum.clone(), 0)).collect();
            let least = code.extremum(BinOp::Min, int(0), &sums);
            let most = code.extremum(BinOp::Max, int(0), &sums);
            flags.push(code.binary(BinOp::Ge, least, int(-SANE)));
            flags.push(code.binary(BinOp::Le, most, int(SANE)));
        }
        flags.into_iter().reduce(|all, flag| code.binary(BinOp::And, all, flag))
    }
}

/// Code that is being written.
pub(super) struct CodeBuilder<'a, P: Phase = Ranged> {
    pub(super) steps: Vec<Step<P>>,
    /// The sums that have been computed.
    sums: IndexMap<Sum, Atom>,
    span: Span,
    vars: &'a mut PrimaryMap<VarId, Var>,
}

impl<'a, P: Phase> CodeBuilder<'a, P> {
    /// Code that continues some steps.
    pub(super) fn new(
        steps: Vec<Step<P>>,
        span: Span,
        vars: &'a mut PrimaryMap<VarId, Var>,
    ) -> Self {
        Self { steps, sums: IndexMap::new(), span, vars }
    }

    /// The range from the first step in a grid to the end of the last period, if the first steps of periods lie between
    /// these ends.
    fn whole_periods(&mut self, grid: &Grid, [from, to]: [Atom; 2]) -> RangeEnds {
        let by = int(grid.steps());
        let rest = self.sum(&grid.rest);
        let place = self.binary(BinOp::Add, from, rest);
        let place = self.binary(BinOp::Sub, int(0), place);
        let missing = self.binary(BinOp::Mod, place, by);
        let from = self.binary(BinOp::Add, from, missing);
        let from = self.binary(BinOp::Min, from, to);
        let steps = self.binary(BinOp::Sub, to, from);
        let steps = self.binary(BinOp::Add, steps, int(grid.steps() - 1));
        let period = self.binary(BinOp::Div, steps, by);
        let steps = self.binary(BinOp::Mul, period, by);
        RangeEnds { from, to: self.binary(BinOp::Add, from, steps), period: None }
    }

    /// The periods of a range that begins at `from`. The demands on the ends of variants are among those that `holds`
    /// stands for. Where they do not hold, the range is empty, and its periods have one step.
    fn period(
        &mut self,
        (grid, ends): (&Grid, &[Sum]),
        holds: Option<Atom>,
        from: Atom,
    ) -> Period<Ranged> {
        let ends = ends.iter().map(|end| {
            let number = self.sum(end);
            if end.as_constant().is_some() { number } else { self.value_if(holds, number) }
        });
        let mut ends = ends.collect::<Vec<_>>();
        let by = ends.last_mut().expect("a turn has an end");
        *by = self.binary(BinOp::Max, *by, int(1));
        let by = *by;
        let last = ends.windows(2).skip(1).map(|ends| self.binary(BinOp::Sub, ends[1], ends[0]));
        let last = last.collect::<Vec<_>>();
        let steps = ends[1..2].iter().copied().chain(last).collect();
        if from == int(0) && grid.rest == Sum::constant(0) {
            return Period { first: from, steps };
        }
        let rest = self.sum(&grid.rest);
        let place = self.binary(BinOp::Add, from, rest);
        let place = self.binary(BinOp::Mod, place, by);
        Period { first: self.binary(BinOp::Sub, from, place), steps }
    }

    /// The largest or smallest of several.
    fn extremum(&mut self, op: BinOp, first: Atom, sums: &Sums) -> Atom {
        sums.iter().fold(first, |most, (sum, &constant)| {
            let sum = self.sum(&Sum { constant, ..sum.clone() });
            self.binary(op, most, sum)
        })
    }

    /// The largest or smallest of several sums, each divided by its factor and rounded up.
    fn extremum_of_quotients(&mut self, op: BinOp, first: Atom, sums: &Multiples) -> Atom {
        sums.iter().fold(first, |most, ((factor, sum), &constant)| {
            let sum = self.sum(&Sum { constant, ..sum.clone() }.shifted(factor - 1));
            let part = self.binary(BinOp::Div, sum, int(*factor));
            self.binary(op, most, part)
        })
    }

    /// A sum as a number.
    pub(super) fn sum(&mut self, sum: &Sum) -> Atom {
        if let Some(&done) = self.sums.get(sum) {
            return done;
        }
        let mut total = None;
        for (&var, &count) in &sum.terms {
            let term = self.term(var);
            total = Some(match (total, count) {
                (None, 1) => term,
                (Some(total), 1) => self.binary(BinOp::Add, total, term),
                (total, -1) => self.binary(BinOp::Sub, total.unwrap_or(int(0)), term),
                (total, count) => {
                    let term = self.binary(BinOp::Mul, term, int(count));
                    total.map_or(term, |total| self.binary(BinOp::Add, total, term))
                }
            });
        }
        let value = match (total, sum.constant) {
            (None, constant) => int(constant),
            (Some(total), 0) => total,
            (Some(total), constant) => self.binary(BinOp::Add, total, int(constant)),
        };
        self.sums.insert(sum.clone(), value);
        value
    }

    /// A symbol as an `i64`.
    fn term(&mut self, symbol: VarId) -> Atom {
        if self.vars[symbol].ty == Type::Scalar(Scalar::I64) {
            return symbol.into();
        }
        let wide = self.fresh(Scalar::I64);
        self.steps.push(Step::Scalar {
            var: wide,
            op: Operation::Un(UnOp::To(Scalar::I64), symbol.into()),
            span: self.span,
        });
        wide.into()
    }

    /// An operation on two numbers, or truth values.
    pub(super) fn binary(&mut self, op: BinOp, a: Atom, b: Atom) -> Atom {
        if let (Atom::Const(x), Atom::Const(y)) = (a, b)
            && let Ok(value) = scalar::bin(op, x, y)
        {
            return value.into();
        }
        let operand = if op == BinOp::And { Scalar::Bool } else { Scalar::I64 };
        let var = self.fresh(op.result(operand));
        self.steps.push(Step::Scalar { var, op: Operation::Bin(op, [a, b]), span: self.span });
        Atom::Var(var)
    }

    /// The number where the condition holds, and 0 elsewhere. No condition always holds.
    fn value_if(&mut self, cond: Option<Atom>, number: Atom) -> Atom {
        let Some(cond) = cond else { return number };
        let var = self.fresh(Scalar::I64);
        let [then, otherwise] =
            [number, int(0)].map(|number| Block { steps: Vec::new(), results: vec![number] });
        self.steps.push(Step::If { vars: vec![var], cond, takes: Vec::new(), then, otherwise });
        Atom::Var(var)
    }

    fn fresh(&mut self, ty: Scalar) -> VarId {
        self.vars.push(Var { name: Name::new("bound"), ty: Type::Scalar(ty) })
    }
}

fn int(value: i64) -> Atom {
    Atom::Const(Const::i64(value))
}

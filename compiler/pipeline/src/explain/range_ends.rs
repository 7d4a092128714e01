//! The bounds of ranges as a reader writes them: in terms of parameters and sizes instead of variables of the compiler.
//!
//! Before a loop, [`arrc_loops::ranges::split`] computes the bounds of its ranges. Each bound is the strongest of
//! several demands, cut to the loop, to the range before and to numbers whose sums do not wrap. A reader needs the
//! demands alone.
//!
//! Invariant: a bound whose code does not have that form is shown as its variable.
//!
//! ```text
//! low = max 0 p; high = min (min n 2⁶⁰) q; from = max done (min low high); to = max from high   ⇒   from p to q
//! ```

use std::fmt;

use indexmap::IndexMap;

use arrc_fusion::cnf::{Atom, Operation, Var};
use arrc_fusion::process::text::VarNames;
use arrc_fusion::tables;
use arrc_loops::concrete::{Period, Range, Step};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::BinOp;

/// The bound that keeps sums from wrapping: see [`arrc_loops::ranges::split`].
const SANE: i64 = 1 << 60;

/// More than the steps of a period that has a variant for each of them.
const MANY: i64 = 64;

/// The name of the bounds that the compiler makes for ranges.
const BOUND: &str = "bound";

/// A bound of a box in one dimension: a sum of a number and, unless the bound is a constant, of what has the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BoxBound {
    of: Option<String>,
    number: i64,
}

impl BoxBound {
    pub(super) fn number(number: i64) -> Self {
        Self { of: None, number }
    }

    pub(super) fn of(text: String) -> Self {
        Self { of: Some(text), number: 0 }
    }

    /// The bound, if it is a constant.
    pub(super) fn value(&self) -> Option<i64> {
        self.of.is_none().then_some(self.number)
    }

    /// The sum of two.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let of = match (&self.of, &other.of) {
            (Some(left), Some(right)) => Some(format!("{left} + {right}")),
            (one, other) => one.clone().or_else(|| other.clone()),
        };
        Self { of, number: self.number.wrapping_add(other.number) }
    }

    /// The difference of two.
    fn minus(&self, other: &Self) -> Self {
        let of = match (&self.of, &other.of) {
            (Some(left), Some(right)) => Some(format!("{left} - {}", operand(right))),
            (None, Some(right)) => Some(format!("-{}", operand(right))),
            (left, None) => left.clone(),
        };
        Self { of, number: self.number.wrapping_sub(other.number) }
    }
}

impl fmt::Display for BoxBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.of, self.number) {
            (None, number) => write!(f, "{number}"),
            (Some(of), 0) => f.write_str(of),
            (Some(of), number) if number < 0 => write!(f, "{of} - {}", number.unsigned_abs()),
            (Some(of), number) => write!(f, "{of} + {number}"),
        }
    }
}

/// A text as an operand.
fn operand(text: &str) -> String {
    if text.contains(' ') { format!("({text})") } else { text.to_owned() }
}

/// The steps of a variant of a range, among the numbers from one bound to below another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GridInterval {
    pub(super) ends: [BoxBound; 2],
    /// The step and the width, unless the variant has all numbers.
    pub(super) grid: Option<[BoxBound; 2]>,
}

/// How a number was computed.
#[derive(Clone, Copy)]
enum Definition {
    Operation(BinOp, [Atom; 2]),
    /// A number that counts only if all demands can hold.
    Demanded(Atom),
    Length(VarId, usize),
}

/// How the steps so far compute the numbers that end ranges.
pub(super) struct RangeEndExprs<'p> {
    vars: &'p PrimaryMap<VarId, Var>,
    made: IndexMap<VarId, Definition>,
}

impl<'p> RangeEndExprs<'p> {
    pub(super) fn new(vars: &'p PrimaryMap<VarId, Var>) -> Self {
        Self { vars, made: IndexMap::new() }
    }

    /// Notes the number that a step computes, and says whether it belongs to a range.
    pub(super) fn note(&mut self, step: &Step) -> bool {
        #[allow(clippy::wildcard_enum_match_arm, reason = "bounds consist of these steps")]
        let (var, made) = match step {
            Step::Scalar { var, op: Operation::Bin(op, args), .. } => {
                (*var, Definition::Operation(*op, *args))
            }
            Step::Length { var, array, dim } => (*var, Definition::Length(*array, *dim)),
            Step::If { vars, then, .. } if vars.len() == 1 && self.is_bound(vars[0]) => {
                (vars[0], Definition::Demanded(then.results[0]))
            }
            _ => return false,
        };
        self.made.insert(var, made);
        self.is_bound(var)
    }

    fn is_bound(&self, var: VarId) -> bool {
        self.vars[var].name == BOUND
    }

    /// How a number of a range was computed.
    fn bound(&self, atom: Atom) -> Option<Definition> {
        match atom {
            Atom::Var(var) if self.is_bound(var) => self.made.get(&var).copied(),
            Atom::Var(_) | Atom::Const(_) => None,
        }
    }

    /// The operands of a number of a range that is computed by this operation.
    fn operands(&self, atom: Atom, by: BinOp) -> Option<[Atom; 2]> {
        match self.bound(atom) {
            Some(Definition::Operation(op, args)) if op == by => Some(args),
            Some(Definition::Operation(..) | Definition::Demanded(_) | Definition::Length(..))
            | None => None,
        }
    }

    /// The steps of each variant of a range.
    pub(super) fn variant_intervals(
        &self,
        names: &mut VarNames<'_>,
        range: &Range,
    ) -> Vec<GridInterval> {
        let from = self.from(names, range.from);
        let Some(period) = &range.period else {
            let count = i64::try_from(range.variants.len()).expect("few ways");
            let to = match self.whole(range) {
                // The first step of the last period is below that.
                Some(to) => self.to(names, to).plus(&BoxBound::number(count - 1)),
                None => self.to(names, range.to),
            };
            let way = |number| {
                let ends = [from.plus(&BoxBound::number(number)), to.clone()];
                let grid = (count > 1).then(|| [count, 1].map(BoxBound::number));
                GridInterval { ends, grid }
            };
            return (0..count).map(way).collect();
        };
        let to = self.to(names, range.to);
        let first = self.first(names, (range.from, &from), period);
        let widths = period.steps.iter().map(|&steps| self.number(names, steps));
        let widths: Vec<BoxBound> = widths.collect();
        let difference = |at: usize| self.operands(period.steps[at], BinOp::Sub);
        let sum = || widths.iter().fold(BoxBound::number(0), |sum, width| sum.plus(width));
        let step = match difference(widths.len() - 1) {
            Some([step, _]) => self.number(names, step),
            None => sum(),
        };
        let mut begins = BoxBound::number(0);
        let mut sides = Vec::new();
        for (at, width) in widths.iter().enumerate() {
            if at > 0 {
                begins = match difference(at) {
                    Some([_, begins]) => self.number(names, begins),
                    None => begins.plus(&widths[at - 1]),
                };
            }
            let ends = [first.plus(&begins), to.clone()];
            sides.push(GridInterval { ends, grid: Some([step.clone(), width.clone()]) });
        }
        sides
    }

    /// The number that the first steps of whole periods are below, if a range has such periods.
    fn whole(&self, range: &Range) -> Option<Atom> {
        let period = self.operands(range.to, BinOp::Add).filter(|&[from, _]| from == range.from);
        let steps = period.and_then(|[_, steps]| self.operands(steps, BinOp::Mul));
        let count = steps.and_then(|[period, _]| self.operands(period, BinOp::Div));
        let sum = count.and_then(|[sum, _]| self.operands(sum, BinOp::Add));
        let distance = sum.and_then(|[distance, _]| self.operands(distance, BinOp::Sub));
        distance.map(|[to, _]| to)
    }

    /// The first step of a range.
    fn from(&self, names: &mut VarNames<'_>, from: Atom) -> BoxBound {
        let cut = match self.operands(from, BinOp::Max) {
            Some([_, later]) if self.operands(later, BinOp::Min).is_some() => later,
            Some(_) | None => from,
        };
        let low = self.operands(cut, BinOp::Min).map_or(cut, |[low, _]| low);
        if let Some([of, missing]) = self.operands(low, BinOp::Add) {
            // The first step that is in the grid.
            let text = self.from(names, of);
            if self.is_in_grid(names, (of, &text), missing) {
                return text;
            }
        }
        let mut demands = self.demands(names, low, BinOp::Max);
        demands.retain(|demand| demand.value() != Some(0));
        strongest("max", demands).unwrap_or(BoxBound::number(0))
    }

    /// Whether a remainder, or its complement, is 0 for a step: that of the sum of the step and a number, which is the
    /// step with the other sign.
    fn is_in_grid(
        &self,
        names: &mut VarNames<'_>,
        (step, text): (Atom, &BoxBound),
        place: Atom,
    ) -> bool {
        let Some([sum, _]) = self.operands(place, BinOp::Mod) else { return false };
        let sum = self.operands(sum, BinOp::Sub).map_or(sum, |[_, sum]| sum);
        let Some([of, rest]) = self.operands(sum, BinOp::Add) else { return false };
        of == step && self.number(names, rest) == BoxBound::number(0).minus(text)
    }

    /// The step behind the last one of a range.
    fn to(&self, names: &mut VarNames<'_>, to: Atom) -> BoxBound {
        let high = self.operands(to, BinOp::Max).map_or(to, |[_, high]| high);
        let mut demands = self.demands(names, high, BinOp::Min);
        demands.retain(|demand| demand.value().is_none_or(|number| number < SANE - MANY));
        if demands.len() > 1 {
            // The first one is that the range ends with the loop.
            demands.remove(0);
        }
        strongest("min", demands).unwrap_or_else(|| self.number(names, to))
    }

    /// The first step of a range in a grid, if the range begins with a whole period.
    fn first(
        &self,
        names: &mut VarNames<'_>,
        (from, text): (Atom, &BoxBound),
        period: &Period,
    ) -> BoxBound {
        let place = self.operands(period.first, BinOp::Sub).filter(|&[of, _]| of == from);
        match place {
            Some([_, place]) if self.is_in_grid(names, (from, text), place) => text.clone(),
            Some(_) | None => self.number(names, period.first),
        }
    }

    /// The operands of the chain of `max` or `min` that computes an end of a range.
    fn demands(&self, names: &mut VarNames<'_>, atom: Atom, by: BinOp) -> Vec<BoxBound> {
        if let Some(Definition::Demanded(number)) = self.bound(atom) {
            return self.demands(names, number, by);
        }
        let Some([left, right]) = self.operands(atom, by) else {
            if let Some([of, Atom::Const(less)]) = self.operands(atom, BinOp::Sub) {
                let less = BoxBound::number(less.bits.cast_signed());
                return self.demands(names, of, by).iter().map(|of| of.minus(&less)).collect();
            }
            return vec![self.number(names, atom)];
        };
        [self.demands(names, left, by), self.demands(names, right, by)].concat()
    }

    /// A number.
    pub(super) fn number(&self, names: &mut VarNames<'_>, atom: Atom) -> BoxBound {
        let var = match atom {
            Atom::Const(value) => return BoxBound::number(value.bits.cast_signed()),
            Atom::Var(var) => var,
        };
        let is_generated = tables::is_generated(&self.vars[var].name);
        match self.made.get(&var).filter(|_| is_generated) {
            Some(Definition::Demanded(number)) => self.number(names, *number),
            Some(&Definition::Length(array, dim)) => BoxBound::of(names.extent(array, dim)),
            Some(&Definition::Operation(op, args)) => {
                let [left, right] = args.map(|arg| self.number(names, arg));
                self.operation((op, &left, &right)).unwrap_or_else(|| BoxBound::of(names.var(var)))
            }
            None => BoxBound::of(names.var(var)),
        }
    }

    fn operation(&self, (op, left, right): (BinOp, &BoxBound, &BoxBound)) -> Option<BoxBound> {
        if op == BinOp::Add {
            Some(left.plus(right))
        } else if op == BinOp::Sub {
            Some(left.minus(right))
        } else {
            // The step of a grid is positive.
            (op == BinOp::Max && right.value() == Some(1)).then(|| left.clone())
        }
    }
}

/// The largest or the smallest of some numbers.
fn strongest(name: &str, demands: Vec<BoxBound>) -> Option<BoxBound> {
    let mut all: IndexMap<Option<String>, i64> = IndexMap::new();
    for BoxBound { of, number } in demands {
        let stronger = if name == "max" { i64::max } else { i64::min };
        let own = all.entry(of).or_insert(number);
        *own = stronger(*own, number);
    }
    let all: Vec<BoxBound> = all.into_iter().map(|(of, number)| BoxBound { of, number }).collect();
    let texts = all.iter().map(|demand| operand(&demand.to_string())).collect::<Vec<_>>();
    match all.as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        [..] => Some(BoxBound::of(format!("{name} {}", texts.join(" ")))),
    }
}

//! The conditions on a loop's counter that hold in most steps. A comparison, a remainder or the check of an index is
//! decided, and the range is restricted to the steps in which the decision is right.
//!
//! Invariant: each decision follows from the demands, in arithmetic that wraps.
//!
//! ```text
//! i + 1 < n      holds where i < n - 1
//! (i + 1) % n    is i + 1 where i >= -1 and i < n - 1
//! (i + k) % n    is i + k before step n - k, and i + k - n from there on
//! a[i - 1]       is there where i >= 1 and i < length a + 1
//! a[2 i + 1]     is there where 2 i >= -1 and 2 i < length a - 1
//! a[i / 2]       is there where i >= 0 and i < 2 (length a)
//! ```

use super::likely;
use super::likely::{Guess, OutcomeShare, SplitSide};
use super::version_state::Version;
use crate::concrete::{Ranged, Step};
use crate::ranges::sums::{SANE, Sum, is_followed};
use arrc_fusion::cnf::{Atom, Extent, SizeDef, Type, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Scalar};

/// The largest factor of the counter in an index, and the largest divisor of an index.
const MAX_FACTOR: i64 = 1 << 12;

/// The length of an array whose product with such a divisor certainly does not wrap. Memory has no more elements, but
/// an array without elements may be longer.
const MAX_EXTENT: i64 = SANE / MAX_FACTOR;

/// A scalar that is affine in the counter: a multiple of it, plus an invariant part.
struct AffineInCounter {
    /// -1, 0 or 1, or more for an index.
    factor: i64,
    rest: Sum,
}

/// An index: a sum, or a sum divided by a number and rounded down.
struct IndexExpr {
    sum: AffineInCounter,
    by: i64,
}

/// The split point of a comparison: the step at which a comparison with the counter changes its result.
enum SplitPoint {
    /// It holds before that step, and not from there on.
    Until(Sum),
    /// It holds from that step on, and not before.
    From(Sum),
    /// It holds in that step alone.
    At(Sum),
}

/// A comparison that has to hold in the steps of the range.
struct RangeCondition {
    split_point: SplitPoint,
    /// The two operands, without the counter.
    sides: [Sum; 2],
}

impl Version<'_> {
    /// A scalar in terms of the counter and of values that are known before the loop, if it is such a sum.
    pub(super) fn form(&mut self, atom: Atom) -> Option<Sum> {
        match atom {
            Atom::Const(value) if is_followed(value.ty) => {
                i64::try_from(value.as_i128()).ok().map(Sum::constant)
            }
            Atom::Const(_) => None,
            Atom::Var(var) if self.forms.contains_key(&var) => self.forms.get(&var).cloned(),
            Atom::Var(var) => {
                let is_sum = self.vars[var].ty.as_scalar().is_some_and(is_followed);
                let known = is_sum && !self.inside.contains(&var);
                known.then(|| self.wide_value(var).unwrap_or_else(|| Sum::symbol(var)))
            }
        }
    }

    fn affine(&mut self, atom: Atom) -> Option<AffineInCounter> {
        self.affine_to(atom, 1)
    }

    /// The same with a larger factor at most.
    fn affine_to(&mut self, atom: Atom, most: i64) -> Option<AffineInCounter> {
        let (factor, rest) = self.form(atom)?.without(self.counter);
        (factor.unsigned_abs() <= most.unsigned_abs()).then_some(AffineInCounter { factor, rest })
    }

    fn index_of(&mut self, atom: Atom) -> Option<IndexExpr> {
        if let Atom::Var(var) = atom
            && let Some(&(number, by)) = self.quotients.get(&var)
        {
            return Some(IndexExpr { sum: self.affine(number)?, by });
        }
        Some(IndexExpr { sum: self.affine_to(atom, MAX_FACTOR)?, by: 1 })
    }

    /// Notes the quotient of a number, rounded down, if its divisor is a small positive constant.
    pub(super) fn quotient(&mut self, var: VarId, op: BinOp, [number, by]: [Atom; 2]) {
        if let (BinOp::Div, Atom::Const(by)) = (op, by)
            && by.ty == Scalar::I64
            && (1..=MAX_FACTOR).contains(&by.bits.cast_signed())
        {
            self.quotients.insert(var, (number, by.bits.cast_signed()));
        }
    }

    /// The side of a split point on which the steps of the range are: the known side, or else the side of most steps of
    /// the loop, or the side of the path. It is the same in all alternating copies of the body.
    fn decide_side(&mut self, var: VarId, split_point: &SplitPoint, at: &Sum) -> Option<SplitSide> {
        if let Some(&side) = self.sides.get(&var) {
            return Some(side);
        }
        let side = self.likely_side(split_point, at)?;
        self.sides.insert(var, side);
        Some(side)
    }

    fn likely_side(&mut self, split_point: &SplitPoint, at: &Sum) -> Option<SplitSide> {
        let is_at = matches!(split_point, SplitPoint::At(_));
        if !is_at && let Some(implied) = self.bounds.implied_side(at) {
            return Some(implied);
        }
        let share = likely::outcome_share(&self.length, &self.known.likely.form(at));
        match (share, self.path.as_mut()) {
            (OutcomeShare::Most(_) | OutcomeShare::Any, Some(path)) if !is_at => Some(path.next()),
            (OutcomeShare::Nearly(side) | OutcomeShare::Most(side), _) => Some(side),
            (OutcomeShare::Any, _) => None,
        }
    }

    /// Whether a comparison holds in the steps of the range; nothing if that is not decided. `var` is the result of the
    /// comparison, or the operand that the comparison selects.
    pub(super) fn decide_comparison(
        &mut self,
        var: VarId,
        op: BinOp,
        args: [Atom; 2],
    ) -> Option<bool> {
        let (left, right) = (self.affine(args[0])?, self.affine(args[1])?);
        let rest = left.rest.plus(-1, &right.rest);
        let split_point = split_point(op, left.factor - right.factor, rest)?;
        let (SplitPoint::Until(at) | SplitPoint::From(at) | SplitPoint::At(at)) = &split_point;
        let side = self.decide_side(var, &split_point, at)?;
        self.bounds.require_sane(left.rest);
        self.bounds.require_sane(right.rest);
        self.gains = true;
        self.has_edges = true;
        let holds = match (&split_point, side) {
            (SplitPoint::Until(_), SplitSide::Before) | (SplitPoint::From(_), SplitSide::After) => {
                true
            }
            (SplitPoint::Until(_), SplitSide::After)
            | (SplitPoint::From(_), SplitSide::Before)
            | (SplitPoint::At(_), _) => op == BinOp::Ne,
        };
        match (split_point, side) {
            (
                SplitPoint::Until(at) | SplitPoint::From(at) | SplitPoint::At(at),
                SplitSide::Before,
            ) => {
                self.bounds.require_below(at);
            }
            (SplitPoint::Until(at) | SplitPoint::From(at), SplitSide::After) => {
                self.bounds.require_at_least(at)
            }
            (SplitPoint::At(at), SplitSide::After) => self.bounds.require_at_least(at.shifted(1)),
        }
        Some(holds)
    }

    /// Restricts the range to the steps in which a condition holds, if it is a conjunction of comparisons with the
    /// counter. Says whether that succeeded: then an assertion of the condition is not needed.
    pub(super) fn require_condition(&mut self, cond: Atom) -> bool {
        let mut demands = Vec::new();
        let can = self.list_comparisons(cond, &mut demands);
        if can {
            self.gains |= !demands.is_empty();
            for demand in demands {
                self.comparison_demand(demand);
            }
        }
        can
    }

    /// Lists the comparisons that a condition consists of. False if the range cannot be restricted to one of them.
    fn list_comparisons(&mut self, cond: Atom, found: &mut Vec<RangeCondition>) -> bool {
        if self.is_known(cond) {
            return self.holds(cond);
        }
        let Atom::Var(var) = cond else { return false };
        let Some(&(op, args)) = self.tests.get(&var) else { return false };
        if op == BinOp::And {
            return args.into_iter().all(|arg| self.list_comparisons(arg, found));
        }
        let (Some(left), Some(right)) = (self.affine(args[0]), self.affine(args[1])) else {
            return false;
        };
        let rest = left.rest.plus(-1, &right.rest);
        let Some(split_point) = split_point(op, left.factor - right.factor, rest) else {
            return false;
        };
        found.push(RangeCondition { split_point, sides: [left.rest, right.rest] });
        true
    }

    fn comparison_demand(&mut self, RangeCondition { split_point, sides }: RangeCondition) {
        for side in sides {
            self.bounds.require_sane(side);
        }
        match split_point {
            SplitPoint::Until(at) => self.bounds.require_below(at),
            SplitPoint::From(at) => self.bounds.require_at_least(at),
            SplitPoint::At(at) => {
                self.bounds.require_at_least(at.clone());
                self.bounds.require_below(at.shifted(1));
            }
        }
    }

    /// The quotient of a remainder's operands, if it is the same in most steps because the counter goes no further than
    /// the divisor.
    pub(super) fn constant_quotient(
        &mut self,
        var: VarId,
        op: BinOp,
        [number, by]: [Atom; 2],
    ) -> Option<i64> {
        let (number, by) = (self.affine(number)?, self.affine(by)?);
        if number.factor == 0 || by.factor != 0 {
            return None;
        }
        let round = self.known.likely.form(&by.rest);
        let apart = self.length.plus(-1, &round).as_constant()?;
        if apart != 0 && round.as_constant().is_some() {
            return None;
        }
        let rest = self.known.likely.form(&number.rest);
        let first = if number.factor == 1 { rest.clone() } else { rest.plus(-1, &round) };
        // The result of `%%` has the sign of the number.
        let most: &[i64] = if op == BinOp::Rem { &[0, 1] } else { &[0, 1, -1] };
        let near = |&&quotient: &&i64| first.plus(-quotient, &round).as_constant().is_some();
        let quotient = match most.iter().find(near) {
            Some(quotient) => *quotient,
            None => {
                let quotient = self.quotient_on_path(var, &number, (&rest, &round), &by.rest)?;
                most.contains(&quotient).then_some(quotient)?
            }
        };
        let rest = AffineInCounter { rest: number.rest.plus(-quotient, &by.rest), ..number };
        self.bounds.require_sane(number.rest);
        self.within(&rest, &by.rest);
        self.gains = true;
        self.has_edges = true;
        Some(quotient)
    }

    /// The quotient on the path's side of the step in which it changes. The part of the number that is not the counter
    /// is likely to be shorter than the divisor, apart from multiples of the divisor.
    fn quotient_on_path(
        &mut self,
        var: VarId,
        number: &AffineInCounter,
        (rest, round): (&Guess, &Guess),
        by: &Sum,
    ) -> Option<i64> {
        let mut terms = round.terms.iter();
        let (Some((unit, 1)), None) = (terms.next(), terms.next()) else { return None };
        let whole = rest.terms.get(unit).copied().unwrap_or(0);
        let apart = rest.plus(-whole, round);
        let is_below = apart.terms.values().all(|&count| count < 0);
        let first = whole - i64::from(is_below);
        // The quotient is `first` up to the end of the divisor, or down to its start.
        let (at, second) = if number.factor == 1 {
            (Sum::constant(0).plus(first + 1, by).plus(-1, &number.rest), first + 1)
        } else {
            (number.rest.plus(-first, by).shifted(1), first - 1)
        };
        let side = self.decide_side(var, &SplitPoint::Until(at.clone()), &at)?;
        Some(if side == SplitSide::Before { first } else { second })
    }

    /// Whether an element is certainly in bounds in the steps of the range.
    pub(super) fn is_in_bounds(&mut self, array: VarId, indices: &[Atom]) -> bool {
        if self.inside.contains(&array) {
            return false;
        }
        let Some(indices) =
            indices.iter().map(|&index| self.index_of(index)).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        let moves = indices.iter().any(|index| index.sum.factor != 0);
        if !moves && self.depth > 0 {
            // The read may not run, so its index need not be in bounds.
            return false;
        }
        for (dim, index) in indices.iter().enumerate() {
            let extent = self.extent(array, dim);
            if index.by > 1 {
                self.bounds.require_sane(extent.clone());
                self.bounds.require_non_negative(Sum::constant(MAX_EXTENT).plus(-1, &extent));
            }
            self.within(&index.sum, &Sum::constant(0).plus(index.by, &extent));
        }
        self.gains |= moves;
        true
    }

    /// Demands that a sum is not negative, and less than a number; whether that can be demanded.
    pub(super) fn lies_within(&mut self, sum: &Sum, extent: i64) -> bool {
        let (factor, rest) = sum.without(self.counter);
        let can = factor.unsigned_abs() <= 1;
        if can {
            self.within(&AffineInCounter { factor, rest }, &Sum::constant(extent));
        }
        can
    }

    /// Demands that an index is not negative, and less than the extent.
    fn within(&mut self, index: &AffineInCounter, extent: &Sum) {
        self.bounds.require_sane(index.rest.clone());
        self.bounds.require_sane(extent.clone());
        let beyond = index.rest.plus(-1, extent);
        match index.factor {
            0 => {
                self.bounds.require_non_negative(index.rest.clone());
                self.bounds.require_non_negative(beyond.negated().shifted(-1));
            }
            1 => {
                self.bounds.require_at_least(index.rest.negated());
                self.bounds.require_below(beyond.negated());
            }
            -1 => {
                self.bounds.require_below(index.rest.shifted(1));
                self.bounds.require_at_least(beyond.shifted(1));
            }
            factor if factor > 0 => {
                self.bounds.require_multiple_at_least(factor, index.rest.negated());
                self.bounds.require_multiple_below(factor, beyond.negated());
            }
            factor => {
                self.bounds.require_multiple_below(-factor, index.rest.shifted(1));
                self.bounds.require_multiple_at_least(-factor, beyond.shifted(1));
            }
        }
    }

    /// The length of a dimension of an array that was made before the loop.
    fn extent(&mut self, array: VarId, dim: usize) -> Sum {
        let Type::Array { shape, .. } = &self.vars[array].ty else {
            panic!("{array} is indexed as an array")
        };
        let size = match shape[dim] {
            Extent::Const(extent) => return Sum::constant(extent),
            Extent::Size(size) => size,
        };
        if let Some(length) = self.known.facts.length_of(size) {
            return Sum::symbol(length);
        }
        // An array is no longer than the number. If the number is negative, the array is empty.
        if let SizeDef::Value(var) = self.known.sizes[size].def
            && self.known.scope.contains(&var)
        {
            return Sum::symbol(var);
        }
        let (vars, before) = (&mut *self.vars, &mut self.before);
        let length = self.extents.entry(size).or_insert_with(|| extent(vars, array, dim, before));
        Sum::symbol(*length)
    }
}

/// A variable for the length of an array, which a step before the loop binds.
pub(super) fn extent(
    vars: &mut PrimaryMap<VarId, Var>,
    array: VarId,
    dim: usize,
    before: &mut Vec<Step<Ranged>>,
) -> VarId {
    let var = vars.push(Var { name: Name::new("extent"), ty: Type::Scalar(Scalar::I64) });
    before.push(Step::Length { var, array, dim });
    var
}

/// The split point of a comparison of `factor * i + rest` with 0.
fn split_point(op: BinOp, factor: i64, rest: Sum) -> Option<SplitPoint> {
    // From `i ? at` on to `at ? i`.
    let (rises, at) = match factor {
        1 => (true, rest.negated()),
        -1 => (false, rest),
        _ => return None,
    };
    if matches!(op, BinOp::Eq | BinOp::Ne) {
        return Some(SplitPoint::At(at));
    }
    let (less, open) = (matches!(op, BinOp::Lt | BinOp::Le), matches!(op, BinOp::Lt | BinOp::Gt));
    if !less && !matches!(op, BinOp::Gt | BinOp::Ge) {
        return None;
    }
    let before = less == rises;
    let at = if before == open { at } else { at.shifted(1) };
    Some(if before { SplitPoint::Until(at) } else { SplitPoint::From(at) })
}

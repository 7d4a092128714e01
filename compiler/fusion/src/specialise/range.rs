//! Ranges.
//!
//! Invariant: a range is one `generate`, whose size is computed without overflow: distances are `u64`.
//!
//! ```text
//! a..b..<c   ⇒ s = b - a; assert s != 0 …; assert s > 0 && a <= c …
//!              d = c - a; n = d / s + (d % s != 0); xs = generate n (\i -> a + i * s)
//! ```

use super::Specialiser;
use super::check::{number, number_of};
use super::error::Eval;
use super::expected_result::CallSite;
use super::value::{Env, Value};
use crate::cnf::{Atom, Extent, Type};
use arrc_front::core::{Expr, Range};
use arrc_syntax::ast::RangeEnd;
use arrc_syntax::diagnostics::{Failure, WrongRange};
use arrc_syntax::prim::{BinOp, Scalar, UnOp};
use arrc_syntax::source::Span;

/// The numbers of a range, evaluated.
#[derive(Clone, Copy)]
struct RangeNumbers {
    first: Atom,
    second: Option<Atom>,
    last: Atom,
    end: RangeEnd,
    ty: Scalar,
    span: Span,
}

/// The direction of a range, and the length of a step.
struct RangeStep {
    /// From one number to the next.
    step: Atom,
    /// Whether it goes upwards.
    up: Atom,
    /// How far a step is, `u64`; none if 1.
    width: Option<Atom>,
}

impl<'a> Specialiser<'a> {
    /// `a..b..<c`.
    pub(super) fn eval_range(
        &mut self,
        env: &mut Env<'a>,
        expr: &'a Expr,
        range: &'a Range,
    ) -> Eval<Value<'a>> {
        let first = self.eval(env, &range.first)?.expect_scalar();
        let second = match &range.second {
            Some(second) => Some(self.eval(env, second)?.expect_scalar()),
            None => None,
        };
        let last = self.eval(env, &range.last)?.expect_scalar();
        let ty = self.build.scalar_of(first);
        let span = expr.span;
        let numbers = RangeNumbers { first, second, last, end: range.end, ty, span };
        let steps = self.steps(numbers);
        self.check_direction(numbers, &steps);
        let count = self.range_count(numbers, &steps);
        let extent = self.extent_of_array(env, &expr.ty);
        self.build.open();
        let index = self.build.variable(Type::Scalar(Scalar::I64), "i".into());
        let at = self.build.un(UnOp::To(ty), index.into(), span);
        let offset = self.times(at, steps.step, span);
        let value = self.plus(first, offset, span);
        let at = CallSite::span(span);
        self.finish_generate((count, extent), index, &Value::scalar(value), at)
    }

    /// The extent that the type of an array tells.
    pub(super) fn extent_of_array(
        &mut self,
        env: &Env<'a>,
        ty: &arrc_front::core::Type,
    ) -> Option<Extent> {
        let arrc_front::core::Type::Array(size, _) = ty else { return None };
        self.extent_of_size(env, size)
    }

    fn steps(&mut self, numbers: RangeNumbers) -> RangeStep {
        let RangeNumbers { first, second, end, ty, span, .. } = numbers;
        let Some(second) = second else {
            let up = end != RangeEnd::Above;
            let step = number_of(ty, if up { 1 } else { -1 });
            return RangeStep { step, up: arrc_syntax::prim::Const::bool(up).into(), width: None };
        };
        let step = self.build.bin(BinOp::Sub, second, first, span);
        let differ = self.build.bin(BinOp::Ne, first, second, span);
        self.check(differ, numbers.failure(WrongRange::StepZero), span);
        let up = self.build.bin(BinOp::Lt, first, second, span);
        let width = self.distance(numbers, up, second);
        RangeStep { step, up, width: Some(width) }
    }

    /// Checks that the step leads from the first number to the last.
    fn check_direction(&mut self, numbers: RangeNumbers, steps: &RangeStep) {
        let RangeNumbers { first, last, end, span, .. } = numbers;
        let upwards = self.build.bin(BinOp::Le, first, last, span);
        let downwards = self.build.bin(BinOp::Ge, first, last, span);
        let holds = match end {
            RangeEnd::Below => self.and_conditions(steps.up, upwards, span),
            RangeEnd::Above => {
                let down = self.build.un(UnOp::Not, steps.up, span);
                self.and_conditions(down, downwards, span)
            }
            RangeEnd::With => self.select(steps.up, upwards, downwards, span),
        };
        self.check(holds, numbers.failure(WrongRange::Direction), span);
    }

    /// How many numbers there are, `i64`.
    fn range_count(&mut self, numbers: RangeNumbers, steps: &RangeStep) -> Atom {
        let RangeNumbers { last, end, span, .. } = numbers;
        let from_zero = numbers.first == number(0) && end == RangeEnd::Below;
        if from_zero && steps.width.is_none() {
            return last;
        }
        let distance = self.distance(numbers, steps.up, last);
        let whole = match steps.width {
            Some(width) => self.build.bin(BinOp::Div, distance, width, span),
            None => distance,
        };
        if may_be_too_long(numbers) {
            let most = number_of(Scalar::U64, i128::from(i64::MAX) - 1);
            let holds = self.build.bin(BinOp::Le, whole, most, span);
            self.check(holds, numbers.failure(WrongRange::TooLong), span);
        }
        let count = match (steps.width, end) {
            (_, RangeEnd::With) => {
                self.build.bin(BinOp::Add, whole, number_of(Scalar::U64, 1), span)
            }
            (None, RangeEnd::Below | RangeEnd::Above) => whole,
            (Some(width), RangeEnd::Below | RangeEnd::Above) => {
                let rest = self.build.bin(BinOp::Mod, distance, width, span);
                let zero = number_of(Scalar::U64, 0);
                let more = self.build.bin(BinOp::Ne, rest, zero, span);
                let more = self.build.un(UnOp::To(Scalar::U64), more, span);
                self.build.bin(BinOp::Add, whole, more, span)
            }
        };
        self.build.un(UnOp::To(Scalar::I64), count, span)
    }

    /// How far a number is from the first one in the range's direction, `u64`.
    fn distance(&mut self, numbers: RangeNumbers, up: Atom, to: Atom) -> Atom {
        let RangeNumbers { first, ty, span, .. } = numbers;
        // Converted directly to `u64`, a negative number would lose the upper bits of its sign.
        let wide = if ty.is_signed() { Scalar::I64 } else { Scalar::U64 };
        let [first, to] = [first, to].map(|end| {
            let end = self.build.un(UnOp::To(wide), end, span);
            self.build.un(UnOp::To(Scalar::U64), end, span)
        });
        let low = self.select(up, first, to, span);
        let high = self.select(up, to, first, span);
        self.build.bin(BinOp::Sub, high, low, span)
    }

    /// `x * y`, where one is often 1.
    pub(super) fn times(&mut self, x: Atom, y: Atom, span: Span) -> Atom {
        if is(y, 1) { x } else { self.build.bin(BinOp::Mul, x, y, span) }
    }

    /// `x + y`, where x is often 0.
    pub(super) fn plus(&mut self, x: Atom, y: Atom, span: Span) -> Atom {
        if is(x, 0) { y } else { self.build.bin(BinOp::Add, x, y, span) }
    }
}

/// Whether a range may have more numbers than an `i64` can count: its ends have 64 bits, and are not known to be near
/// enough.
fn may_be_too_long(numbers: RangeNumbers) -> bool {
    let RangeNumbers { first, second, last, end, ty, .. } = numbers;
    let at_least =
        |atom: Atom, least: i128| matches!(atom, Atom::Const(value) if value.as_i128() >= least);
    let is_near = match (second, end, first) {
        (_, RangeEnd::Below, _) => at_least(first, 0),
        (_, RangeEnd::Above, _) => at_least(last, 0),
        (None, RangeEnd::With, _) => at_least(first, 1),
        (Some(second), RangeEnd::With, Atom::Const(start)) => {
            at_least(first, 1) && at_least(second, start.as_i128())
        }
        (Some(_), RangeEnd::With, Atom::Var(_)) => false,
    };
    ty.bytes() == 8 && !(ty.is_signed() && is_near)
}

fn is(atom: Atom, value: i128) -> bool {
    matches!(atom, Atom::Const(constant) if constant.as_i128() == value)
}

impl RangeNumbers {
    fn failure(self, wrong: WrongRange) -> Failure<Atom> {
        let Self { first, second, last, end, .. } = self;
        Failure::range((first, second, end.sign(), last), wrong)
    }
}

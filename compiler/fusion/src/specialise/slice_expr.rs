//! Slices.
//!
//! Invariant: a slice is one `generate`, so that it fuses with its consumers. All positions are checked before it, so
//! its reads need no check.
//!
//! ```text
//! xs[i:j]   ⇒ assert i == j || 0 <= i && i <= j && j <= n …; m = j - i; generate m (\k -> xs[i + k])
//! ```

use arr_abi::ErrorCode;

use super::Specialiser;
use super::check::number;
use super::error::Eval;
use super::expected_result::{CallSite, ExpectedResult};
use super::value::{Array, Column, Env, Value};
use crate::cnf::{Atom, Extent, Type};
use crate::specialise::value_tree::Tree;
use arrc_front::core;
use arrc_front::core::{Dim, Expr};
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::prim::{BinOp, Scalar};
use arrc_syntax::source::Span;

/// An index or a slice of one dimension, evaluated.
pub(super) enum EvaluatedDim {
    /// `i`.
    Index(Atom),
    /// `i:j:s`.
    Slice([Option<Atom>; 3]),
}

/// The positions of a slice: `count` from `start` on, `step` apart. None is out of bounds.
#[derive(Clone, Copy)]
pub(super) struct SliceRange {
    pub(super) start: Atom,
    pub(super) step: Atom,
    pub(super) count: Atom,
}

/// A dimension of a slice that is taken.
enum SlicedDim {
    /// One position.
    Index(Atom),
    /// Some positions, and their number as core's types have it.
    Cut(SliceRange, Option<Extent>),
}

/// The parts of `i:j:s` as they are written, evaluated.
#[derive(Clone, Copy)]
struct SliceBounds {
    first: Option<Atom>,
    last: Option<Atom>,
    step: Option<Atom>,
    /// The size of the dimension.
    length: Atom,
    span: Span,
}

impl<'a> Specialiser<'a> {
    /// `a[i, j:k]`; `expr` is the whole.
    pub(super) fn eval_slice(
        &mut self,
        env: &mut Env<'a>,
        expr: &'a Expr,
        (array, dims): (&'a Expr, &'a [Dim]),
    ) -> Eval<Value<'a>> {
        let array = self.eval(env, array)?.expect_array().clone();
        let mut ty = &expr.ty;
        let mut parts = Vec::new();
        for (depth, dim) in dims.iter().enumerate() {
            let part = match self.dim(env, dim)? {
                EvaluatedDim::Index(index) => {
                    let length = self.length(rows(&array, depth).size, expr.span);
                    self.check_index(ErrorCode::Index, index, length, expr.span);
                    SlicedDim::Index(index)
                }
                EvaluatedDim::Slice(bounds) => {
                    let size = rows(&array, depth).size;
                    let extent = self.extent_of_array(env, ty);
                    if let core::Type::Array(_, element) = ty {
                        ty = element;
                    }
                    let length = self.length(size, expr.span);
                    SlicedDim::Cut(self.cut(bounds, length, expr.span), extent)
                }
            };
            parts.push(part);
        }
        let here = CallSite { span: expr.span, wanted: ExpectedResult::Core(env, &expr.ty) };
        self.take(&array, &parts, &mut Vec::new(), here)
    }

    /// Evaluates the index or slice of one dimension.
    pub(super) fn dim(&mut self, env: &mut Env<'a>, dim: &'a Dim) -> Eval<EvaluatedDim> {
        let mut part = |part: &'a Expr| Eval::Ok(self.eval(env, part)?.expect_scalar());
        Ok(match dim {
            Dim::Index(index) => EvaluatedDim::Index(part(index)?),
            Dim::Slice { first, last, step } => {
                let mut bounds = [None; 3];
                for (bound, written) in bounds.iter_mut().zip([first, last, step]) {
                    *bound = written.as_ref().map(&mut part).transpose()?;
                }
                EvaluatedDim::Slice(bounds)
            }
        })
    }

    /// The size of a dimension of an array.
    pub(super) fn length(&mut self, size: Extent, span: Span) -> Atom {
        self.build.size_value(size, span).expect("an array in scope tells its sizes")
    }

    /// Checks the bounds of a slice of a dimension of that length, and tells which positions it has.
    pub(super) fn cut(
        &mut self,
        bounds: [Option<Atom>; 3],
        length: Atom,
        span: Span,
    ) -> SliceRange {
        let [first, last, step] = bounds;
        let bounds = SliceBounds { first, last, step, length, span };
        let step = step.unwrap_or(number(1));
        let known = match step {
            Atom::Const(step) => i64::try_from(step.as_i128()).ok(),
            Atom::Var(_) => None,
        };
        let (start, count) = match known {
            Some(1) => self.forwards(bounds),
            Some(-1) => self.backwards(bounds),
            Some(_) | None => self.stepping(bounds, step),
        };
        SliceRange { start, step, count }
    }

    /// `i:j`.
    fn forwards(&mut self, bounds: SliceBounds) -> (Atom, Atom) {
        let SliceBounds { first, last, length, span, .. } = bounds;
        let (start, end) = (first.unwrap_or(number(0)), last.unwrap_or(length));
        let mut holds = arrc_syntax::prim::Const::bool(true).into();
        if first.is_some() {
            let begins = self.build.bin(BinOp::Le, number(0), start, span);
            holds = self.and_conditions(holds, begins, span);
        }
        if first.is_some() || last.is_some() {
            let ordered = self.build.bin(BinOp::Le, start, end, span);
            holds = self.and_conditions(holds, ordered, span);
        }
        if last.is_some() {
            let ends = self.build.bin(BinOp::Le, end, length, span);
            holds = self.and_conditions(holds, ends, span);
        }
        if first.is_some() && last.is_some() {
            holds = self.or_empty(start, end, holds, span);
        }
        self.check(holds, bounds.outside(), span);
        let count =
            if first.is_some() { self.build.bin(BinOp::Sub, end, start, span) } else { end };
        (start, count)
    }

    /// `i:j:-1`.
    fn backwards(&mut self, bounds: SliceBounds) -> (Atom, Atom) {
        let SliceBounds { first, last, length, span, .. } = bounds;
        if (first, last) == (None, None) {
            return (self.build.bin(BinOp::Sub, length, number(1), span), length);
        }
        let start = first.unwrap_or_else(|| self.build.bin(BinOp::Sub, length, number(1), span));
        let end = last.unwrap_or(number(-1));
        let begins = self.build.bin(BinOp::Lt, start, length, span);
        let ordered = self.build.bin(BinOp::Le, end, start, span);
        let ends = self.build.bin(BinOp::Le, number(-1), end, span);
        let holds = self.and_conditions(begins, ordered, span);
        let holds = self.and_conditions(holds, ends, span);
        let holds = self.or_empty(start, end, holds, span);
        self.check(holds, bounds.outside(), span);
        (start, self.build.bin(BinOp::Sub, start, end, span))
    }

    /// `i:j:s`, whatever the step is. Errors are checked before the division.
    fn stepping(&mut self, bounds: SliceBounds, step: Atom) -> (Atom, Atom) {
        let SliceBounds { first, last, length, span, .. } = bounds;
        let bin = |this: &mut Self, op, x, y| this.build.bin(op, x, y, span);
        let moves = bin(self, BinOp::Ne, step, number(0));
        self.check(moves, Failure::slice_step_zero(bounds.written()), span);
        let up = bin(self, BinOp::Gt, step, number(0));
        let top = bin(self, BinOp::Sub, length, number(1));
        let start = first.unwrap_or_else(|| self.select(up, number(0), top, span));
        let end = last.unwrap_or_else(|| self.select(up, length, number(-1), span));
        // The steps that stay before the end, rounded up.
        let one = self.select(up, number(1), number(-1), span);
        let distance = bin(self, BinOp::Sub, end, start);
        let before = bin(self, BinOp::Sub, distance, one);
        let steps = bin(self, BinOp::Quot, before, step);
        let taken = bin(self, BinOp::Mul, steps, step);
        let highest = bin(self, BinOp::Add, start, taken);
        let empty = bin(self, BinOp::Eq, start, end);
        let some = bin(self, BinOp::Add, steps, number(1));
        let count = self.select(empty, number(0), some, span);
        let forwards = {
            let begins = bin(self, BinOp::Le, number(0), start);
            let ordered = bin(self, BinOp::Le, start, end);
            let ends = bin(self, BinOp::Lt, highest, length);
            let holds = self.and_conditions(begins, ordered, span);
            self.and_conditions(holds, ends, span)
        };
        let backwards = {
            let begins = bin(self, BinOp::Lt, start, length);
            let ordered = bin(self, BinOp::Le, end, start);
            let ends = bin(self, BinOp::Le, number(-1), end);
            let holds = self.and_conditions(begins, ordered, span);
            self.and_conditions(holds, ends, span)
        };
        let holds = self.select(up, forwards, backwards, span);
        let holds = self.or_empty(start, end, holds, span);
        self.check(holds, bounds.outside(), span);
        (start, count)
    }

    /// A slice without elements is inside every array.
    fn or_empty(&mut self, start: Atom, end: Atom, holds: Atom, span: Span) -> Atom {
        let empty = self.build.bin(BinOp::Eq, start, end, span);
        self.build.bin(BinOp::Or, empty, holds, span)
    }

    /// The elements at the positions of the parts; `at` has the positions in the dimensions before.
    fn take(
        &mut self,
        array: &Array,
        parts: &[SlicedDim],
        at: &mut Vec<Atom>,
        here: CallSite<'_, 'a>,
    ) -> Eval<Value<'a>> {
        let Some((part, rest)) = parts.split_first() else {
            return Ok(self.element_inside(rows(array, at.len() - 1), at, here.span));
        };
        let (start, step, count, extent) = match part {
            SlicedDim::Index(index) => {
                at.push(*index);
                return self.take(array, rest, at, here);
            }
            SlicedDim::Cut(SliceRange { start, step, count }, extent) => {
                (*start, *step, *count, *extent)
            }
        };
        self.build.open();
        let index = self.build.variable(Type::Scalar(Scalar::I64), "i".into());
        let offset = self.times(index.into(), step, here.span);
        at.push(self.plus(start, offset, here.span));
        let value = self.take(array, rest, at, here.element())?;
        self.finish_generate((count, extent), index, &value, here)
    }
}

/// The rows of an array, `depth` dimensions further in.
fn rows(array: &Array, depth: usize) -> &Array {
    let Some(depth) = depth.checked_sub(1) else { return array };
    let Tree::Leaf(Column::Rows(inner)) = &array.elem else {
        panic!("core is well-typed: an array has no more indices than dimensions");
    };
    rows(inner, depth)
}

impl SliceBounds {
    fn written(self) -> [Option<Atom>; 3] {
        [self.first, self.last, self.step]
    }

    fn outside(self) -> Failure<Atom> {
        Failure::slice_outside(self.written(), self.length)
    }
}

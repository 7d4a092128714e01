//! Ranges, slices, `:>` and `assert`.
//!
//! Invariant: the checks and their messages are those of compiled code.
//!
//! ```text
//! 1..3...6   ⇒   [1, 3, 5]        [1, 2, 3][::-1]   ⇒   [3, 2, 1]
//! ```

use std::rc::Rc;

use arr_abi::ErrorCode;
use indexmap::IndexMap;

use super::{Machine, Run};
use crate::core::{Assert, Dim, Expr, ExprKind, Range, SourceNames, Type, size_text, type_text};
use crate::eval::core::eval_expr::element;
use crate::eval::core::eval_scope::Env;
use crate::eval::core::eval_value::{Array, Shape, Value};
use crate::eval::run_error::{RunError, check_array_size};
use crate::eval::scalar::shown;
use arrc_syntax::ast::RangeEnd;
use arrc_syntax::diagnostics::{Failure, WrongRange};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Const;
use arrc_syntax::source::Span;

/// A dimension of a slice, evaluated.
pub(super) enum SlicedDim {
    /// One position.
    Index(i64),
    /// Bounds: the first, the last and the step. Each may be left out.
    Bounds([Option<i64>; 3]),
}

/// The positions that a slice selects in one dimension, and whether it is a single index.
pub(super) type SelectedPositions = (Vec<i64>, bool);

impl<'a> Machine<'a> {
    /// `a..b..<c`.
    pub(super) fn range(
        &mut self,
        scope: &mut Env<'a>,
        range: &'a Range,
        span: Span,
    ) -> Run<Value<'a>> {
        let first = self.eval(scope, &range.first)?.expect_scalar();
        let second = match &range.second {
            Some(second) => Some(self.eval(scope, second)?.expect_scalar()),
            None => None,
        };
        let last = self.eval(scope, &range.last)?.expect_scalar();
        let numbers = (shown(first), second.map(shown), range.end.sign(), shown(last));
        let fail = |wrong| Err(RunError::failed(&Failure::range(numbers, wrong), span));
        let (from, to) = (first.as_i128(), last.as_i128());
        let default = if range.end == RangeEnd::Above { -1 } else { 1 };
        let step = second.map_or(default, |second| second.as_i128() - from);
        if step == 0 {
            return fail(WrongRange::StepZero);
        }
        let fits = match range.end {
            RangeEnd::Below => step > 0 && from <= to,
            RangeEnd::Above => step < 0 && from >= to,
            RangeEnd::With => (to - from) * step.signum() >= 0,
        };
        if !fits {
            return fail(WrongRange::Direction);
        }
        let inclusive = i128::from(range.end == RangeEnd::With);
        let count = ((to - from).abs() + inclusive + step.abs() - 1) / step.abs();
        if count > i128::from(i64::MAX) {
            return fail(WrongRange::TooLong);
        }
        check_array_size(usize::try_from(count).ok(), span)?;
        let number = |at: i128| Value::Scalar(Const::int(first.ty, from + at * step));
        Ok(Value::array((0..count).map(number).collect(), || Shape::Scalar(first.ty)))
    }

    /// `a[i, j:k]`. All bounds are evaluated before any element is read.
    pub(super) fn slice(
        &mut self,
        scope: &mut Env<'a>,
        array: &'a Expr,
        dims: &'a [Dim],
        span: Span,
    ) -> Run<Value<'a>> {
        let array = self.eval(scope, array)?;
        let parts = self.parts(scope, dims)?;
        let places = selected_positions(&array, &parts, ErrorCode::Index, span)?;
        take(&array, &places, span)
    }

    /// The dimensions between the brackets, evaluated.
    pub(super) fn parts(&mut self, scope: &mut Env<'a>, dims: &'a [Dim]) -> Run<Vec<SlicedDim>> {
        let mut parts = Vec::new();
        for dim in dims {
            let mut part = |part: &'a Expr| Ok(integer(self.eval(scope, part)?.expect_scalar()));
            parts.push(match dim {
                Dim::Index(index) => SlicedDim::Index(part(index)?),
                Dim::Slice { first, last, step } => {
                    let mut given = [None; 3];
                    for (given, written) in given.iter_mut().zip([first, last, step]) {
                        *given = written.as_ref().map(&mut part).transpose()?;
                    }
                    SlicedDim::Bounds(given)
                }
            });
        }
        Ok(parts)
    }

    /// Checks the sizes that the type of a `:>` says.
    pub(super) fn coerce(
        &mut self,
        scope: &Env<'a>,
        ty: &Type,
        value: &Value<'a>,
        span: Span,
    ) -> Run<()> {
        self.coerce_shape(scope, ty, &value.shape(), span)
    }

    fn coerce_shape(&mut self, scope: &Env<'a>, ty: &Type, shape: &Shape, span: Span) -> Run<()> {
        match (ty, shape) {
            (Type::Array(size, elem), Shape::Array(found, own)) => {
                let wanted = scope.exact_size(self.program, size).transpose();
                let wanted = wanted.map_err(|large| RunError::failed(&large, span))?;
                if let Some(wanted) = wanted.filter(|wanted| wanted != found) {
                    let mut names = SourceNames(self.program);
                    let of = type_text(ty, &mut names);
                    let is_told = size.as_constant().is_some();
                    let wanted = (!is_told).then(|| (size_text(size, &mut names), wanted));
                    let failure = Failure::coercion(&of, *found, wanted);
                    return Err(RunError::failed(&failure, span));
                }
                self.coerce_shape(scope, elem, own, span)
            }
            (Type::Tuple(types), Shape::Tuple(items)) => types
                .iter()
                .zip(items)
                .try_for_each(|(ty, item)| self.coerce_shape(scope, ty, item, span)),
            (Type::Record(types), Shape::Record(fields)) => types
                .iter()
                .try_for_each(|(name, ty)| self.coerce_shape(scope, ty, &fields[name], span)),
            _ => Ok(()),
        }
    }

    /// `assert c e`.
    pub(super) fn assert(
        &mut self,
        scope: &mut Env<'a>,
        assert: &'a Assert,
        span: Span,
    ) -> Run<Value<'a>> {
        if self.eval(scope, &assert.condition)?.expect_bool() {
            return self.eval(scope, &assert.value);
        }
        let vars = self.mentioned(scope, &assert.condition).into_iter();
        let vars = vars.map(|(name, value)| (name, shown(value)));
        Err(RunError::failed(&Failure::assertion(&assert.text, vars), span))
    }

    /// The scalar variables in an expression, with their values.
    fn mentioned(&self, scope: &Env<'a>, expr: &'a Expr) -> IndexMap<Name, Const> {
        let mut found = IndexMap::new();
        let mut work = vec![expr];
        while let Some(expr) = work.pop() {
            if let ExprKind::Var(var) = &expr.kind {
                if let Some(Value::Scalar(value)) = scope.bound(*var) {
                    found.entry(self.program.vars[*var].name.clone()).or_insert(*value);
                }
            } else if let ExprKind::Size(size) = &expr.kind
                && size.as_symbol().is_some()
                && let Some(value) = scope.size(self.program, size)
            {
                let name = size_text(size, &mut SourceNames(self.program));
                found.entry(name.into()).or_insert(Const::i64(value));
            }
            let mut children = Vec::new();
            expr.for_each_child(&mut |child| children.push(child));
            work.extend(children.into_iter().rev());
        }
        found
    }
}

/// The positions of a part of an array, all in bounds. `code` is the error for an index that is out of bounds.
pub(super) fn selected_positions(
    array: &Value<'_>,
    parts: &[SlicedDim],
    code: ErrorCode,
    span: Span,
) -> Run<Vec<SelectedPositions>> {
    let lengths = lengths(&array.shape(), parts.len());
    let place = |(part, length): (&SlicedDim, i64)| match part {
        SlicedDim::Index(index) if (0..length).contains(index) => Ok((vec![*index], true)),
        SlicedDim::Index(index) => {
            Err(RunError::failed(&Failure::index(code, *index, length), span))
        }
        SlicedDim::Bounds(bounds) => Ok((positions(*bounds, length, span)?, false)),
    };
    parts.iter().zip(lengths).map(place).collect()
}

/// The sizes of the first `count` dimensions.
pub(super) fn lengths(mut shape: &Shape, count: usize) -> Vec<i64> {
    let mut lengths = Vec::new();
    while let Shape::Array(length, elem) = shape
        && lengths.len() < count
    {
        lengths.push(*length);
        shape = elem;
    }
    lengths
}

/// The positions that a slice selects in a dimension of this length.
fn positions(bounds: [Option<i64>; 3], length: i64, span: Span) -> Run<Vec<i64>> {
    let [first, last, step] = bounds;
    let fail = |failure| Err(RunError::failed(&failure, span));
    let step = i128::from(step.unwrap_or(1));
    if step == 0 {
        return fail(Failure::slice_step_zero(bounds));
    }
    let within = length;
    let length = i128::from(length);
    let (low, high) = if step > 0 { (0, length) } else { (length - 1, -1) };
    let start = first.map_or(low, i128::from);
    let end = last.map_or(high, i128::from);
    let count = ((end - start).abs() + step.abs() - 1) / step.abs();
    let highest = start + (count - 1) * step;
    let fits = if step > 0 {
        0 <= start && start <= end && highest < length
    } else {
        start < length && end <= start && -1 <= end
    };
    if start != end && !fits {
        return fail(Failure::slice_outside(bounds, within));
    }
    let place = |at: i128| i64::try_from(start + at * step).expect("positions are i64");
    Ok((0..count).map(place).collect())
}

/// The elements at these positions of each dimension. A dimension with a single index is left out.
pub(super) fn take<'a>(
    array: &Value<'a>,
    places: &[SelectedPositions],
    span: Span,
) -> Run<Value<'a>> {
    let Some(((positions, is_index), rest)) = places.split_first() else {
        return Ok(array.clone());
    };
    let taken = positions.iter().map(|&at| {
        let found = element(array, Const::i64(at), span)?;
        take(&found, rest, span)
    });
    let mut taken = taken.collect::<Run<Vec<_>>>()?;
    if *is_index {
        return Ok(taken.remove(0));
    }
    let own = || sliced(&array.expect_array().elem, rest);
    let elem = Rc::new(taken.first().map_or_else(own, Value::shape));
    Ok(Value::Array(Rc::new(Array { elem, elems: taken })))
}

/// The shape of a slice of a value of this shape.
fn sliced(shape: &Shape, places: &[SelectedPositions]) -> Shape {
    let (Some(((positions, is_index), rest)), Shape::Array(_, elem)) =
        (places.split_first(), shape)
    else {
        return shape.clone();
    };
    let elem = sliced(elem, rest);
    if *is_index {
        return elem;
    }
    let length = i64::try_from(positions.len()).expect("a slice is shorter than its array");
    Shape::Array(length, Rc::new(elem))
}

fn integer(value: Const) -> i64 {
    i64::try_from(value.as_i128()).expect("core is well-typed: a bound is an i64")
}

//! The operations that the compiler implements, such as the combinators, on values.
//!
//! Invariant: functions are applied to the elements in their order, as a strict fold does.
//!
//! ```text
//! reduce (+) 0 (map (* 2) [1, 2, 3])   ⇒   12
//! ```

use std::rc::Rc;

use arr_abi::ErrorCode;

use super::{Machine, Run, Trace, traced};
use crate::core::Intrinsic;
use crate::eval::core::eval_expr::element;
use crate::eval::core::eval_value::{Array, Shape, Value};
use crate::eval::run_error::{RunError, check_array_size};
use crate::eval::scalar;
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::Span;

impl<'a> Machine<'a> {
    /// Applies an intrinsic to all its arguments. `elem` is the shape of the elements of its result, which is needed
    /// if there are none.
    pub(super) fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        args: &[Value<'a>],
        elem: &dyn Fn() -> Shape,
        span: Span,
    ) -> Run<Value<'a>> {
        let result = self.combinator(intrinsic, args, elem, span)?;
        sized(&result, span)?;
        Ok(result)
    }

    fn combinator(
        &mut self,
        intrinsic: Intrinsic,
        args: &[Value<'a>],
        elem: &dyn Fn() -> Shape,
        span: Span,
    ) -> Run<Value<'a>> {
        match intrinsic {
            Intrinsic::Map(_) => {
                let rows = rows(&args[1..]);
                let results = rows.map(|row| self.apply_for(&args[0], row, &|| Some(elem()), span));
                let results = results.collect::<Run<_>>()?;
                Ok(Value::array(results, elem))
            }
            Intrinsic::Zip(_) => Ok(Value::array(rows(args).map(Value::tuple).collect(), elem)),
            Intrinsic::Unzip(_) => Ok(unzip(args[0].expect_array())),
            Intrinsic::Filter => self.filter(&args[0], args[1].expect_array(), span),
            Intrinsic::FlatMap => {
                Ok(Value::array(self.flat_map(&args[0], args[1].expect_array(), span)?, elem))
            }
            Intrinsic::Partition(_) => {
                let (array, predicates) = args.split_last().expect("an array and predicates");
                self.partition(predicates, array.expect_array(), span)
            }
            // `op` is associative and `ne` is neutral, so every grouping gives the same result.
            Intrinsic::Reduce | Intrinsic::ReduceComm | Intrinsic::Fold => self.fold(args, span),
            Intrinsic::Scan | Intrinsic::Exscan => {
                Ok(Value::array(self.scan(intrinsic == Intrinsic::Scan, args, span)?, elem))
            }
            Intrinsic::Iota => {
                let count = count(&args[0], "iota", span)?;
                Ok(Value::array((0..count).map(Value::count).collect(), || {
                    Shape::Scalar(Scalar::I64)
                }))
            }
            Intrinsic::Replicate => {
                let count = count(&args[0], "replicate", span)?;
                Ok(Value::array(vec![args[1].clone(); count], || args[1].shape()))
            }
            Intrinsic::Generate => {
                let count = count(&args[0], "generate", span)?;
                let rows = (0..count).map(|at| vec![Value::count(at)]);
                let results = rows.map(|row| self.apply_for(&args[1], row, &|| Some(elem()), span));
                let results = results.collect::<Run<_>>()?;
                Ok(Value::array(results, elem))
            }
            Intrinsic::Gather => {
                let indices = args[1].expect_array().elems.iter();
                let elems = indices.map(|index| element(&args[0], index.expect_scalar(), span));
                Ok(like(args[0].expect_array(), elems.collect::<Run<_>>()?))
            }
            Intrinsic::Cross => cross(args[0].expect_array(), args[1].expect_array(), span),
            Intrinsic::Append => {
                let (left, right) = (args[0].expect_array(), args[1].expect_array());
                check_array_size(left.elems.len().checked_add(right.elems.len()), span)?;
                Ok(like(left, left.elems.iter().chain(&right.elems).cloned().collect()))
            }
            Intrinsic::Flatten => flatten(args[0].expect_array(), elem, span),
            Intrinsic::Unflatten => panic!("`unflatten` is told the shape that is wanted"),
            Intrinsic::OrderBits => Ok(self.order_bits(&args[0], &args[1])),
            Intrinsic::IsFew => Ok(self.is_few(&args[0], &args[1])),
            Intrinsic::IsNumbers => Ok(self.is_numbers(&args[0], &args[1])),
            Intrinsic::Between => Ok(self.in_order(&args[0], &args[3])),
            Intrinsic::Positions => Ok(self.order_of(&args[0], &args[1])),
            Intrinsic::IsConstant => Ok(Value::Scalar(Const::bool(false))),
            Intrinsic::Exchanged => Ok(self.in_order(&args[0], &args[1])),
            Intrinsic::NanPlace => Ok(self.nan_place(&args[0], &args[1])),
            Intrinsic::OrderKey => Ok(self.order_key(&args[0], &args[1])),
            Intrinsic::Trace => {
                (self.tracer)(Trace { span, text: traced::text(&args[0], &args[1]) });
                Ok(args[1].clone())
            }
            Intrinsic::Length => Ok(Value::Scalar(Const::i64(args[0].expect_array().len()))),
        }
    }

    fn flat_map(
        &mut self,
        function: &Value<'a>,
        array: &Rc<Array<'a>>,
        span: Span,
    ) -> Run<Vec<Value<'a>>> {
        let mut all = Vec::new();
        for each in &array.elems {
            let part = self.apply(function, vec![each.clone()], span)?;
            let part = &part.expect_array().elems;
            check_array_size(all.len().checked_add(part.len()), span)?;
            all.extend(part.iter().cloned());
        }
        Ok(all)
    }

    /// The last accumulator: the arguments are an operator, the first accumulator and an array.
    fn fold(&mut self, args: &[Value<'a>], span: Span) -> Run<Value<'a>> {
        let mut result = args[1].clone();
        for each in &args[2].expect_array().elems {
            result = self.apply(&args[0], vec![result, each.clone()], span)?;
        }
        Ok(result)
    }

    /// The accumulators of a fold after each step, or before each step if the scan is not inclusive.
    fn scan(&mut self, is_inclusive: bool, args: &[Value<'a>], span: Span) -> Run<Vec<Value<'a>>> {
        let mut result = args[1].clone();
        let mut results = Vec::new();
        for each in &args[2].expect_array().elems {
            let before = result.clone();
            result = self.apply(&args[0], vec![result, each.clone()], span)?;
            results.push(if is_inclusive { result.clone() } else { before });
        }
        Ok(results)
    }

    fn filter(
        &mut self,
        predicate: &Value<'a>,
        array: &Rc<Array<'a>>,
        span: Span,
    ) -> Run<Value<'a>> {
        let mut kept = Vec::new();
        for each in &array.elems {
            if self.apply(predicate, vec![each.clone()], span)?.expect_bool() {
                kept.push(each.clone());
            }
        }
        Ok(like(array, kept))
    }

    /// The elements in groups: one for the first predicate that holds, and a last group for elements for which none
    /// holds.
    fn partition(
        &mut self,
        predicates: &[Value<'a>],
        array: &Rc<Array<'a>>,
        span: Span,
    ) -> Run<Value<'a>> {
        let mut parts = vec![Vec::new(); predicates.len() + 1];
        for each in &array.elems {
            let mut class = 0;
            while class < predicates.len()
                && !self.apply(&predicates[class], vec![each.clone()], span)?.expect_bool()
            {
                class += 1;
            }
            parts[class].push(each.clone());
        }
        Ok(Value::tuple(parts.into_iter().map(|part| like(array, part)).collect()))
    }
}

/// Fails if an empty array has elements of negative size.
pub(super) fn sized(value: &Value<'_>, span: Span) -> Run<()> {
    fn check(shape: &Shape, span: Span) -> Run<()> {
        match shape {
            Shape::Scalar(_) | Shape::Fun => Ok(()),
            Shape::Tuple(items) => items.iter().try_for_each(|item| check(item, span)),
            Shape::Record(fields) => fields.values().try_for_each(|field| check(field, span)),
            Shape::Sum(cases) => cases.values().flatten().try_for_each(|case| check(case, span)),
            Shape::Array(size, _) if *size < 0 => {
                Err(RunError::failed(&Failure::negative_size(size, "an array's element"), span))
            }
            Shape::Array(_, elem) => check(elem, span),
        }
    }
    match value {
        Value::Array(array) if array.elems.is_empty() => check(&array.elem, span),
        Value::Scalar(_)
        | Value::Tuple(_)
        | Value::Record(_)
        | Value::Sum(_)
        | Value::Array(_)
        | Value::Fun(_) => Ok(()),
    }
}

/// The elements of arrays of one size, row by row.
fn rows<'v, 'a>(arrays: &'v [Value<'a>]) -> impl Iterator<Item = Vec<Value<'a>>> + use<'v, 'a> {
    let count = arrays[0].expect_array().elems.len();
    (0..count)
        .map(move |at| arrays.iter().map(|array| array.expect_array().elems[at].clone()).collect())
}

/// An array whose elements have the shape of another array's elements.
fn like<'a>(array: &Array<'a>, elems: Vec<Value<'a>>) -> Value<'a> {
    Value::Array(Rc::new(Array { elem: array.elem.clone(), elems }))
}

fn unzip<'a>(array: &Array<'a>) -> Value<'a> {
    let Shape::Tuple(shapes) = &*array.elem else {
        panic!("core is well-typed: the elements of what is unzipped are tuples")
    };
    let columns = shapes.iter().enumerate().map(|(at, shape)| {
        let name = at.to_string();
        let elems = array.elems.iter().map(|elem| elem.field(&name).clone()).collect();
        Value::array(elems, || shape.clone())
    });
    Value::tuple(columns.collect())
}

/// The pairs of each element of `left` and each element of `right`.
fn cross<'a>(left: &Array<'a>, right: &Array<'a>, span: Span) -> Run<Value<'a>> {
    check_array_size(left.elems.len().checked_mul(right.elems.len()), span)?;
    let pairs = left
        .elems
        .iter()
        .flat_map(|x| right.elems.iter().map(move |y| Value::tuple(vec![x.clone(), y.clone()])));
    let shape = || Shape::Tuple(vec![Shape::clone(&left.elem), Shape::clone(&right.elem)]);
    Ok(Value::array(pairs.collect(), shape))
}

/// The rows one after the other.
fn flatten<'a>(array: &Array<'a>, elem: &dyn Fn() -> Shape, span: Span) -> Run<Value<'a>> {
    let rows = array.elems.iter().map(|row| &row.expect_array().elems);
    check_array_size(Some(rows.clone().map(Vec::len).sum()), span)?;
    Ok(Value::array(rows.flatten().cloned().collect(), elem))
}

/// An array cut into the rows of the wanted shape.
///
/// # Panics
/// If there is no wanted shape: inference rejects programs in which it is not known.
pub(super) fn unflatten<'a>(
    array: &Array<'a>,
    wanted: Option<Shape>,
    span: Span,
) -> Run<Value<'a>> {
    let Some(Shape::Array(count, row)) = wanted else {
        panic!("core is checked: a shape is known")
    };
    let Shape::Array(size, _) = *row else { panic!("core is well-typed: rows are wanted") };
    let fail = |failure| Err(RunError::failed(&failure, span));
    if let Some(negative) = [count, size].into_iter().find(|&size| size < 0) {
        return fail(Failure::negative_size(negative, "unflatten"));
    }
    if count.checked_mul(size) != Some(array.len()) {
        // In the types, this product wraps as in `i64` arithmetic.
        return fail(Failure::size_overflow(count, '*', size));
    }
    let count = usize::try_from(count).expect("it is not negative");
    let size = usize::try_from(size).expect("it is not negative");
    check_array_size(Some(count), span)?;
    let rows = (0..count).map(|at| like(array, array.elems[at * size..][..size].to_vec()));
    Ok(Value::array(rows.collect(), || Shape::clone(&row)))
}

/// The number of elements for `what`, which must not be negative.
pub(super) fn count(size: &Value<'_>, what: &str, span: Span) -> Run<usize> {
    let size = size.expect_scalar();
    let Ok(count) = usize::try_from(size.as_i128()) else {
        let message = format!("negative size {} in {what}", scalar::shown(size));
        return Err(RunError::check(ErrorCode::Size, message, span));
    };
    check_array_size(Some(count), span)?;
    Ok(count)
}

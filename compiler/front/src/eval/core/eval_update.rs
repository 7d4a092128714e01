//! Updates: a part of a value is replaced.
//!
//! Invariant: all written expressions are evaluated before any check, and all checks come before any replacement, as
//! in compiled code.
//!
//! ```text
//! [1, 2, 3] with [1:] = [8, 9]   ⇒   [1, 8, 9]
//! ```

use std::rc::Rc;

use arr_abi::ErrorCode;
use indexmap::IndexMap;

use super::{Machine, Run};
use crate::core::{Accessor, Expr};
use crate::eval::core::eval_part::{
    SelectedPositions, SlicedDim, lengths, selected_positions, take,
};
use crate::eval::core::eval_scope::Env;
use crate::eval::core::eval_value::{Array, Value};
use crate::eval::run_error::RunError;
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// A step of a path, evaluated.
enum EvaluatedAccessor<'e> {
    /// A component of a tuple.
    Item(usize),
    /// A field of a record.
    Field(&'e Name),
    /// A part of an array.
    At(Vec<SlicedDim>),
}

impl<'a> Machine<'a> {
    /// `whole with x[i].y = value`.
    pub(super) fn update(
        &mut self,
        scope: &mut Env<'a>,
        (whole, steps, value): (&'a Expr, &'a [Accessor], &'a Expr),
        span: Span,
    ) -> Run<Value<'a>> {
        let whole = self.eval(scope, whole)?;
        let mut way = Vec::new();
        for step in steps {
            way.push(match step {
                Accessor::Item(at) => EvaluatedAccessor::Item(*at),
                Accessor::Field(name) => EvaluatedAccessor::Field(name),
                Accessor::At(dims) => EvaluatedAccessor::At(self.parts(scope, dims)?),
            });
        }
        let value = self.eval(scope, value)?;
        let has_slice = way.iter().any(EvaluatedAccessor::has_slice);
        UpdateContext { has_slice, span }.updated(&whole, &way, value)
    }
}

impl EvaluatedAccessor<'_> {
    fn has_slice(&self) -> bool {
        match self {
            Self::Item(_) | Self::Field(_) => false,
            Self::At(parts) => parts.iter().any(|part| matches!(part, SlicedDim::Bounds(_))),
        }
    }
}

/// The details of a message on a position out of bounds.
struct UpdateContext {
    /// Whether the path has a slice. Then all positions out of bounds are errors of a slice.
    has_slice: bool,
    span: Span,
}

impl UpdateContext {
    /// The value with the value at the end of a path replaced.
    fn updated<'a>(
        &self,
        whole: &Value<'a>,
        way: &[EvaluatedAccessor<'_>],
        value: Value<'a>,
    ) -> Run<Value<'a>> {
        let Some((first, rest)) = way.split_first() else { return Ok(value) };
        match (first, whole) {
            (EvaluatedAccessor::Item(at), Value::Tuple(items)) => {
                let mut items = Vec::clone(items);
                items[*at] = self.updated(&items[*at], rest, value)?;
                Ok(Value::tuple(items))
            }
            (EvaluatedAccessor::Field(name), Value::Record(fields)) => {
                let mut fields = IndexMap::clone(fields);
                let field = self.updated(&fields[*name], rest, value)?;
                fields.insert((*name).clone(), field);
                Ok(Value::Record(Rc::new(fields)))
            }
            (EvaluatedAccessor::At(parts), whole) => {
                let places = self.checked(whole, parts)?;
                let part = self.updated(&take(whole, &places, self.span)?, rest, value)?;
                if rest.is_empty() {
                    check_lengths(&part, &places, self.span)?;
                }
                Ok(replace_elements(whole, &places, &part))
            }
            (EvaluatedAccessor::Item(_) | EvaluatedAccessor::Field(_), whole) => {
                panic!("core is well-typed: {whole:?} has components")
            }
        }
    }

    /// The positions of a part of an array, all in bounds.
    fn checked(&self, array: &Value<'_>, parts: &[SlicedDim]) -> Run<Vec<SelectedPositions>> {
        let code = if self.has_slice { ErrorCode::Slice } else { ErrorCode::Index };
        selected_positions(array, parts, code, self.span)
    }
}

/// Checks that the number of new elements is the number of elements of the slice.
fn check_lengths(part: &Value<'_>, places: &[SelectedPositions], span: Span) -> Run<()> {
    let slices = places.iter().filter(|(_, is_index)| !is_index).map(|(positions, _)| positions);
    let wanted = slices.map(|positions| i64::try_from(positions.len()).expect("positions are i64"));
    let wanted: Vec<i64> = wanted.collect();
    for (found, wanted) in lengths(&part.shape(), wanted.len()).into_iter().zip(wanted) {
        if found != wanted {
            return Err(RunError::failed(&Failure::replacement(wanted, found), span));
        }
    }
    Ok(())
}

/// The array with the elements at these positions replaced.
fn replace_elements<'a>(
    array: &Value<'a>,
    places: &[SelectedPositions],
    part: &Value<'a>,
) -> Value<'a> {
    let Some(((positions, is_index), rest)) = places.split_first() else { return part.clone() };
    let Array { elem, mut elems } = Array::clone(array.expect_array());
    for (number, &at) in positions.iter().enumerate() {
        let at = usize::try_from(at).expect("the position was checked");
        let part = if *is_index { part } else { &part.expect_array().elems[number] };
        elems[at] = replace_elements(&elems[at], rest, part);
    }
    Value::Array(Rc::new(Array { elem, elems }))
}

//! `order_bits`, `order_key` and `nan_place`, on values.
//!
//! Invariant: for every function, they give the same results as in compiled code.
//!
//! ```text
//! order_bits (>=) [1i32] ⇒ 32       order_key (>=) 1i32 ⇒ 0x7fff_fffe
//! ```

use std::rc::Rc;

use super::Machine;
use crate::core::{ComponentStep, Direction, FEW, NanPlace, Order};
use crate::eval::core::eval_value::{Array, Callable, Closure, Shape, Value};
use crate::eval::scalar;
use crate::sorting::Sorting;
use arrc_syntax::prim::{Const, Scalar, UnOp};

impl<'a> Machine<'a> {
    /// The number of bits of the keys of an array's elements; 0 if the order is not that of an operator on scalars.
    pub(super) fn order_bits(&self, le: &Value<'a>, array: &Value<'a>) -> Value<'a> {
        let order = self.order(le.expect_fun());
        let elem = &*array.expect_array().elem;
        let part = order.and_then(|order| component(elem, &order.path));
        let bits = if let Some(Shape::Scalar(elem)) = part { elem.bytes() * 8 } else { 0 };
        Value::Scalar(Const::i64(bits.into()))
    }

    /// Where elements with `nan` are in an order.
    pub(super) fn nan_place(&self, le: &Value<'a>, array: &Value<'a>) -> Value<'a> {
        let elem = &*array.expect_array().elem;
        let order = self.order(le.expect_fun());
        let known = order.and_then(|order| match component(elem, &order.path) {
            Some(Shape::Scalar(scalar)) if scalar.is_float() => Some(order.nan_place()),
            Some(Shape::Scalar(_)) => Some(NanPlace::Nowhere),
            _ => None,
        });
        let apart = if has_floats(elem) { NanPlace::Apart } else { NanPlace::Nowhere };
        Value::Scalar(Const::i64(known.unwrap_or(apart) as i64))
    }

    /// The number that orders an element among others.
    pub(super) fn order_key(&self, le: &Value<'a>, elem: &Value<'a>) -> Value<'a> {
        let order = self.order(le.expect_fun());
        let part = order.as_ref().and_then(|order| {
            order.path.iter().try_fold(elem, |elem, part| match (elem, part) {
                (Value::Tuple(items), ComponentStep::Item(at)) => items.get(*at),
                (Value::Record(fields), ComponentStep::Field(name)) => fields.get(name),
                _ => None,
            })
        });
        let (Some(Order { direction, .. }), Some(Value::Scalar(key))) = (&order, part) else {
            return Value::Scalar(Const::int(Scalar::U64, 0));
        };
        let mut key = *key;
        if key.ty != Scalar::Bool {
            key = scalar::un(UnOp::Order, key);
        }
        if *direction == Direction::Down {
            key = scalar::un(UnOp::Not, key);
        }
        Value::Scalar(scalar::un(UnOp::To(Scalar::U64), key))
    }

    /// Whether an array has few scalars, in the order of an operator.
    pub(super) fn is_few(&self, le: &Value<'a>, array: &Value<'a>) -> Value<'a> {
        let is_known = self.direction(le.expect_fun()).is_some();
        let array = array.expect_array();
        let is_number = matches!(&*array.elem, Shape::Scalar(elem) if *elem != Scalar::Bool);
        let is_few = is_known && is_number && (2..=FEW).contains(&array.elems.len());
        Value::Scalar(Const::bool(is_few))
    }

    /// Whether an array has numbers of 32 or 64 bits, in the order of an operator.
    pub(super) fn is_numbers(&self, le: &Value<'a>, array: &Value<'a>) -> Value<'a> {
        let is_known = self.direction(le.expect_fun()).is_some();
        let elem = &*array.expect_array().elem;
        let is_number = matches!(elem, Shape::Scalar(elem) if Sorting::takes(*elem));
        Value::Scalar(Const::bool(is_known && is_number))
    }

    /// The elements in order; equal elements keep their order.
    pub(super) fn in_order(&self, le: &Value<'a>, array: &Value<'a>) -> Value<'a> {
        let array = array.expect_array();
        let elems = self
            .sorted_positions(le, array)
            .into_iter()
            .map(|at| array.elems[at].clone())
            .collect();
        Value::Array(Rc::new(Array { elems, elem: array.elem.clone() }))
    }

    /// The positions of the elements in order.
    pub(super) fn order_of(&self, le: &Value<'a>, array: &Value<'a>) -> Value<'a> {
        let places = self.sorted_positions(le, array.expect_array()).into_iter().map(Value::count);
        Value::array(places.collect(), || Shape::Scalar(Scalar::I64))
    }

    fn sorted_positions(&self, le: &Value<'a>, array: &Array<'a>) -> Vec<usize> {
        let mut places = (0..array.elems.len()).collect::<Vec<_>>();
        places.sort_by_cached_key(|&at| {
            self.order_key(le, &array.elems[at]).expect_scalar().as_i128()
        });
        places
    }

    fn direction(&self, le: &Closure<'a>) -> Option<Direction> {
        self.order(le).filter(|order| order.path.is_empty()).map(|order| order.direction)
    }

    fn order(&self, le: &Closure<'a>) -> Option<Order> {
        if !le.args.is_empty() {
            return None;
        }
        match &le.code {
            Callable::Bin(op) => Order::of_operator(*op),
            Callable::Lambda(params, body, _) => Order::of_function(params, body),
            Callable::Global(def, ..) => Order::of_definition(&self.program.defs[*def]),
            Callable::Un(_) | Callable::Fma => None,
        }
    }
}

/// A component of the elements of a shape.
fn component<'s>(elem: &'s Shape, path: &[ComponentStep]) -> Option<&'s Shape> {
    path.iter().try_fold(elem, |elem, part| match (elem, part) {
        (Shape::Tuple(items), ComponentStep::Item(at)) => items.get(*at),
        (Shape::Record(fields), ComponentStep::Field(name)) => fields.get(name),
        _ => None,
    })
}

/// Whether values of a shape have floats.
fn has_floats(shape: &Shape) -> bool {
    match shape {
        Shape::Scalar(scalar) => scalar.is_float(),
        Shape::Tuple(items) => items.iter().any(has_floats),
        Shape::Record(fields) => fields.values().any(has_floats),
        Shape::Sum(constructors) => constructors.values().flatten().any(has_floats),
        Shape::Array(_, elem) => has_floats(elem),
        Shape::Fun => false,
    }
}

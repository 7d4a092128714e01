//! `order_bits` and `order_key`, on values.
//!
//! Invariant: for every function, they give the same results as in compiled code.
//!
//! ```text
//! order_bits (>=) [1i32] ⇒ 32       order_key (>=) 1i32 ⇒ 0x7fff_fffe
//! ```

use std::rc::Rc;

use super::Machine;
use super::value::{Array, Code, Fun, Shape, Value};
use crate::eval::scalar;
use crate::ir::core::{Direction, FEW};
use crate::prim::{Const, Scalar, UnOp};

impl<'a> Machine<'a> {
    /// The number of bits of the keys of an array's elements; 0 if the order is not that of an operator on scalars.
    pub(super) fn order_bits(&self, le: &Value<'a>, array: &Value<'a>) -> Value<'a> {
        let bits = match (self.direction(le.expect_fun()), &*array.expect_array().elem) {
            (Some(_), Shape::Scalar(elem)) => elem.bytes() * 8,
            _ => 0,
        };
        Value::Scalar(Const::i64(bits.into()))
    }

    /// The number that orders an element among others.
    pub(super) fn order_key(&self, le: &Value<'a>, elem: &Value<'a>) -> Value<'a> {
        let (Some(direction), Value::Scalar(elem)) = (self.direction(le.expect_fun()), elem) else {
            return Value::Scalar(Const::int(Scalar::U64, 0));
        };
        let mut key = *elem;
        if key.ty != Scalar::Bool {
            key = scalar::un(UnOp::Order, key);
        }
        if direction == Direction::Down {
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

    /// The elements in order; equal elements keep their order.
    pub(super) fn exchanged(&self, le: &Value<'a>, array: &Value<'a>) -> Value<'a> {
        let array = array.expect_array();
        let mut elems = array.elems.clone();
        elems.sort_by_key(|elem| self.order_key(le, elem).expect_scalar().as_i128());
        Value::Array(Rc::new(Array { elems, elem: array.elem.clone() }))
    }

    fn direction(&self, le: &Fun<'a>) -> Option<Direction> {
        if !le.args.is_empty() {
            return None;
        }
        match &le.code {
            Code::Bin(op) => Direction::of_operator(*op),
            Code::Lambda(params, body, _) => Direction::of_function(params, body),
            Code::Global(def, ..) => Direction::of_definition(&self.program.defs[*def]),
            Code::Un(_) | Code::Fma => None,
        }
    }
}

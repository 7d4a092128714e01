//! `order_bits` and `order_key`: comparisons of scalars as unsigned numbers, which the library sorts by digits.
//!
//! Invariant: a function that is not known to be `<=` or `>=` of scalars has 0 bits, and its key is never compared.
//!
//! ```text
//! order_bits (>=) (xs: [n]i32) ⇒ 32       order_key (>=) (x: i32) ⇒ t = order x; u = ! t; v = to_u64 u
//! ```

use super::Specialiser;
use super::tree::Tree;
use super::value::{Code, Column, Fun, Leaf, Value};
use crate::ir::core::Direction;
use crate::prim::{Const, Scalar, UnOp};
use crate::source::Span;

impl<'a> Specialiser<'a> {
    /// How many bits the keys of an array's elements have; 0 if the order is not that of a scalar's operator.
    pub(super) fn order_bits(&self, le: &Value<'a>, array: &Value<'a>) -> Value<'a> {
        let bits = match (self.direction(le.expect_fun()), &array.expect_array().elem) {
            (Some(_), Tree::Leaf(Column::Scalar(elems))) => self.build.elem_of(*elems).bytes() * 8,
            _ => 0,
        };
        Value::scalar(Const::i64(bits.into()))
    }

    /// The number of an element whose comparison gives the order.
    pub(super) fn order_key(&mut self, le: &Value<'a>, elem: &Value<'a>, span: Span) -> Value<'a> {
        let (Some(direction), Tree::Leaf(Leaf::Scalar(elem))) =
            (self.direction(le.expect_fun()), elem)
        else {
            return Value::scalar(Const::int(Scalar::U64, 0));
        };
        let mut key = *elem;
        if self.build.scalar_of(key) != Scalar::Bool {
            key = self.build.un(UnOp::Order, key, span);
        }
        if direction == Direction::Down {
            key = self.build.un(UnOp::Not, key, span);
        }
        Value::scalar(self.build.un(UnOp::To(Scalar::U64), key, span))
    }

    pub(super) fn direction(&self, le: &Fun<'a>) -> Option<Direction> {
        if !le.args.is_empty() {
            return None;
        }
        match &le.code {
            Code::Bin(op) => Direction::of_operator(*op),
            Code::Lambda { params, body, .. } => Direction::of_function(params, body),
            Code::Global(def, ..) => Direction::of_definition(&self.core.defs[*def]),
            Code::Un(_) | Code::Fma => None,
        }
    }
}

//! `order_bits`, `order_key` and `nan_place`: comparisons of scalars as unsigned numbers, which the library sorts by
//! digits.
//!
//! Invariant: a function that is not known to be `<=` or `>=` of scalars, or of a scalar component, has 0 bits, and its
//! key is never compared.
//!
//! ```text
//! order_bits (>=) (xs: [n]i32) ⇒ 32       order_key (>=) (x: i32) ⇒ t = order x; u = ! t; v = to_u64 u
//! ```

use super::Specialiser;
use super::value::{Callable, Closure, Column, Leaf, Value};
use crate::cnf::{Atom, Op, Type};
use crate::specialise::value_tree::Tree;
use arrc_front::core::{ComponentStep, Direction, NanPlace, Order};
use arrc_front::sorting::Sorting;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{Const, Scalar, UnOp};
use arrc_syntax::source::Span;

impl<'a> Specialiser<'a> {
    /// How many bits the keys of an array's elements have; 0 if the order is not that of a scalar's operator.
    pub(super) fn order_bits(&self, le: &Value<'a>, array: &Value<'a>) -> Value<'a> {
        let order = self.order(le.expect_fun());
        let part = order.and_then(|order| component(&array.expect_array().elem, &order.path));
        let bits = match part {
            Some(Tree::Leaf(Column::Scalar(elems))) => self.build.elem_of(*elems).bytes() * 8,
            _ => 0,
        };
        Value::scalar(Const::i64(bits.into()))
    }

    /// The number of an element whose comparison gives the order.
    pub(super) fn order_key(&mut self, le: &Value<'a>, elem: &Value<'a>, span: Span) -> Value<'a> {
        let order = self.order(le.expect_fun());
        let part = order.as_ref().and_then(|order| component(elem, &order.path));
        let (Some(Order { direction, .. }), Some(Tree::Leaf(Leaf::Scalar(key)))) = (&order, part)
        else {
            return Value::scalar(Const::int(Scalar::U64, 0));
        };
        let mut key = *key;
        if self.build.scalar_of(key) != Scalar::Bool {
            key = self.build.un(UnOp::Order, key, span);
        }
        if *direction == Direction::Down {
            key = self.build.un(UnOp::Not, key, span);
        }
        Value::scalar(self.build.un(UnOp::To(Scalar::U64), key, span))
    }

    /// Where elements with `nan` are in an order.
    pub(super) fn nan_place(&self, le: &Value<'a>, array: &Value<'a>) -> Value<'a> {
        let array = array.expect_array();
        let is_float = |var| self.build.elem_of(var).is_float();
        let order = self.order(le.expect_fun());
        let known = order.and_then(|order| match component(&array.elem, &order.path) {
            Some(Tree::Leaf(Column::Scalar(var))) if is_float(*var) => Some(order.nan_place()),
            Some(Tree::Leaf(Column::Scalar(_))) => Some(NanPlace::Nowhere),
            _ => None,
        });
        let has_floats = array.vars().into_iter().any(is_float);
        let apart = if has_floats { NanPlace::Apart } else { NanPlace::Nowhere };
        Value::scalar(Const::i64(known.unwrap_or(apart) as i64))
    }

    /// Whether an array has numbers that [`Op::Sort`] takes, in the order of an operator.
    pub(super) fn is_numbers(&self, le: &Value<'a>, array: &Value<'a>) -> Value<'a> {
        let elem = self.numbers_of(array).map(|var| self.build.elem_of(var));
        let is_known = self.direction(le.expect_fun()).is_some();
        Value::scalar(Const::bool(is_known && elem.is_some_and(Sorting::takes)))
    }

    /// The array of scalars that an array is.
    fn numbers_of(&self, array: &Value<'a>) -> Option<VarId> {
        let Tree::Leaf(Column::Scalar(var)) = array.expect_array().elem else { return None };
        Some(var)
    }

    /// Numbers in order, at the positions in a window.
    pub(super) fn between(&mut self, args: &[Value<'a>], span: Span) -> Value<'a> {
        let [le, from, to, array] = args else {
            panic!("core is well-typed: a comparison, a window and an array")
        };
        let window = [from, to].map(Value::expect_scalar);
        self.sort_numbers(false, (le, array), window, span)
    }

    /// The positions of numbers in order.
    pub(super) fn positions(&mut self, le: &Value<'a>, array: &Value<'a>, span: Span) -> Value<'a> {
        let count = self.build.size_value(array.expect_array().size, span);
        let count = count.expect("an array in scope tells its size");
        self.sort_numbers(true, (le, array), [Const::i64(0).into(), count], span)
    }

    fn sort_numbers(
        &mut self,
        positions: bool,
        (le, array): (&Value<'a>, &Value<'a>),
        window: [Atom; 2],
        span: Span,
    ) -> Value<'a> {
        const ASKED: &str = "the prelude asks `is_numbers` first";
        let var = self.numbers_of(array).expect(ASKED);
        let direction = self.direction(le.expect_fun()).expect(ASKED);
        let sorting = Sorting { direction, positions };
        let (size, elem) = (array.expect_array().size, self.build.elem_of(var));
        let ty = Type::Array { elem: sorting.gives(elem), shape: vec![size] };
        let sorted = self.build.emit_one(Op::Sort { sorting, array: var, window }, ty, span);
        Value::array(size, Tree::Leaf(Column::Scalar(sorted)))
    }

    /// The order of scalars that a function is.
    pub(super) fn direction(&self, le: &Closure<'a>) -> Option<Direction> {
        self.order(le).filter(|order| order.path.is_empty()).map(|order| order.direction)
    }

    fn order(&self, le: &Closure<'a>) -> Option<Order> {
        if !le.args.is_empty() {
            return None;
        }
        match &le.code {
            Callable::Bin(op) => Order::of_operator(*op),
            Callable::Lambda { params, body, .. } => Order::of_function(params, body),
            Callable::Global(def, ..) => Order::of_definition(&self.core.defs[*def]),
            Callable::Un(_) | Callable::Fma => None,
        }
    }
}

/// A component of an element.
fn component<'t, T>(elem: &'t Tree<T>, path: &[ComponentStep]) -> Option<&'t Tree<T>> {
    path.iter().try_fold(elem, |elem, part| match (elem, part) {
        (Tree::Tuple(items), ComponentStep::Item(at)) => items.get(*at),
        (Tree::Record(fields), ComponentStep::Field(name)) => fields.get(name),
        (Tree::Leaf(_) | Tree::Tuple(_) | Tree::Record(_) | Tree::Sum(_), _) => None,
    })
}

//! `is_few` and `exchanged`: a sort of a small, constant number of scalars is a network of exchanges, without a loop.
//! Where only some elements of the result are read, the exchanges that no read needs are dead code.
//!
//! Equal integers are the same, so their network may exchange distant elements. Zeros of both signs are equal but
//! differ, so the network of floats exchanges neighbours only, if they are out of order: that is stable.
//!
//! Invariant: the result is that of a stable sort by `order_key`.
//!
//! ```text
//! exchanged (<=) [x, y, z], of i32
//! ⇒ a = min y z; b = max y z; c = min x a; d = max x a; e = min d b; f = max d b; [c, e, f]
//! ```

use super::Specialiser;
use super::value::{Column, Value};
use crate::cnf::{Atom, Extent, Type};
use crate::specialise::value_tree::Tree;
use arrc_front::core::{Direction, FEW};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};
use arrc_syntax::source::Span;

/// A sorting network as pairs of positions, the lower one first: after an exchange, the element that comes first is
/// there.
type SortingNetwork = Vec<(usize, usize)>;

impl<'a> Specialiser<'a> {
    /// Whether [`Self::exchanged`] puts the elements of this array in order.
    pub(super) fn is_few(&self, le: &Value<'a>, array: &Value<'a>) -> Value<'a> {
        Value::scalar(Const::bool(self.network_input(le, array).is_some()))
    }

    /// The elements of an array of few scalars in order.
    pub(super) fn exchanged(&mut self, le: &Value<'a>, array: &Value<'a>, span: Span) -> Value<'a> {
        let Some((var, count, direction)) = self.network_input(le, array) else {
            return array.clone();
        };
        let read = |at| {
            let index = Const::i64(i64::try_from(at).expect("the elements are few")).into();
            Atom::Var(self.build.index(var, &[index], true, span))
        };
        let mut elems: Vec<Atom> = (0..count).map(read).collect();
        let elem = self.build.elem_of(var);
        if elem.is_float() {
            self.order_floats(&mut elems, direction, span);
        } else {
            self.order_integers(&mut elems, direction, span);
        }
        let array = array.expect_array();
        let ty = Type::Array { elem, shape: vec![array.size] };
        let sorted = self.build.literal(ty, elems, span);
        Tree::Leaf(super::value::Leaf::Array(array.resized(array.size, [sorted])))
    }

    /// The array, how many elements it has, and their direction, if a network puts them in order.
    fn network_input(
        &self,
        le: &Value<'a>,
        array: &Value<'a>,
    ) -> Option<(VarId, usize, Direction)> {
        let direction = self.direction(le.expect_fun())?;
        let array = array.expect_array();
        let (Tree::Leaf(Column::Scalar(var)), Extent::Const(count)) = (&array.elem, array.size)
        else {
            return None;
        };
        let count = usize::try_from(count).ok().filter(|count| (2..=FEW).contains(count))?;
        (self.build.elem_of(*var) != Scalar::Bool).then_some((*var, count, direction))
    }

    fn order_integers(&mut self, elems: &mut [Atom], direction: Direction, span: Span) {
        let (first, last) = match direction {
            Direction::Up => (BinOp::Min, BinOp::Max),
            Direction::Down => (BinOp::Max, BinOp::Min),
        };
        for (left, right) in shortest(elems.len()) {
            let (x, y) = (elems[left], elems[right]);
            elems[left] = self.build.bin(first, x, y, span);
            elems[right] = self.build.bin(last, x, y, span);
        }
    }

    /// Each `nan` takes part as an infinity, so that one comparison decides an exchange. There are as many `nan` at
    /// the end of the order as before.
    fn order_floats(&mut self, elems: &mut [Atom], direction: Direction, span: Span) {
        let ty = self.build.scalar_of(elems[0]);
        let counts = if ty == Scalar::F32 { Scalar::I32 } else { Scalar::I64 };
        let infinity = Atom::Const(Const::float(ty, f64::INFINITY));
        let mut nans = Atom::Const(Const::int(counts, 0));
        for elem in &mut *elems {
            let is_nan = self.build.un(UnOp::IsNan, *elem, span);
            let is_nan = self.build.un(UnOp::To(counts), is_nan, span);
            nans = self.build.bin(BinOp::Add, nans, is_nan, span);
            let is_less = self.build.bin(BinOp::Lt, *elem, infinity, span);
            *elem = self.select(is_less, *elem, infinity, span);
        }
        let before = match direction {
            Direction::Up => BinOp::Lt,
            Direction::Down => BinOp::Gt,
        };
        for (left, right) in neighbours(elems.len()) {
            let (x, y) = (elems[left], elems[right]);
            let is_wrong = self.build.bin(before, y, x, span);
            elems[left] = self.select(is_wrong, y, x, span);
            elems[right] = self.select(is_wrong, x, y, span);
        }
        let count = elems.len();
        for (at, elem) in elems.iter_mut().enumerate() {
            let numbers = match direction {
                Direction::Up => count - at,
                Direction::Down => at + 1,
            };
            let numbers = i128::try_from(numbers).expect("the elements are few");
            let least = Atom::Const(Const::int(counts, numbers));
            let is_nan = self.build.bin(BinOp::Le, least, nans, span);
            let nan = Atom::Const(Const::float(ty, f64::NAN));
            *elem = self.select(is_nan, nan, *elem, span);
        }
    }
}

/// The exchanges of neighbours that sort `count` elements, in turn at even and at odd positions.
fn neighbours(count: usize) -> SortingNetwork {
    let turn = |turn: usize| (turn % 2..count - 1).step_by(2).map(|at| (at, at + 1));
    (0..count).flat_map(turn).collect()
}

/// A network of few exchanges.
fn shortest(count: usize) -> SortingNetwork {
    if count == 9 { nine_element_network() } else { merged(count) }
}

/// A network of nine elements: the rows of a square, its columns, and then seven more exchanges. Its median needs fewer
/// of them than that of [`merged`].
fn nine_element_network() -> SortingNetwork {
    let three = |a, b, c| [(b, c), (a, b), (b, c)];
    let rows = (0..3).flat_map(|row| three(3 * row, 3 * row + 1, 3 * row + 2));
    let columns = (0..3).flat_map(|column| three(column, column + 3, column + 6));
    let rest = [(2, 4), (4, 6), (2, 4), (1, 3), (2, 3), (5, 7), (5, 6)];
    rows.chain(columns).chain(rest).collect()
}

/// Batcher's merge of the even and the odd elements: runs of 1, 2, 4 … elements in order are merged, two at a time.
fn merged(count: usize) -> SortingNetwork {
    let mut network = SortingNetwork::new();
    let doubled = |&from: &usize| Some(2 * from).filter(|&to| to < count);
    for run in std::iter::successors(Some(1), doubled) {
        let halved = |&from: &usize| Some(from / 2).filter(|&to| to > 0);
        for apart in std::iter::successors(Some(run), halved) {
            let is_in = |&(left, right): &(usize, usize)| {
                let begin = apart % run;
                left >= begin
                    && (left - begin) / apart % 2 == 0
                    && left / (2 * run) == right / (2 * run)
            };
            network.extend((0..count - apart).map(|at| (at, at + apart)).filter(is_in));
        }
    }
    network
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network that puts all arrays of zeros and ones in order puts all arrays in order.
    fn puts_in_order(count: usize, network: &SortingNetwork) -> bool {
        (0..1_u32 << count).all(|bits| {
            let mut elems: Vec<bool> = (0..count).map(|at| bits >> at & 1 == 1).collect();
            for &(left, right) in network {
                if elems[left] & !elems[right] {
                    elems.swap(left, right);
                }
            }
            elems.is_sorted()
        })
    }

    #[test]
    fn networks_put_all_elements_in_order() {
        for count in 2..=FEW {
            assert!(puts_in_order(count, &shortest(count)), "{count} integers");
            assert!(puts_in_order(count, &neighbours(count)), "{count} floats");
        }
    }

    #[test]
    fn floats_are_exchanged_with_neighbours_only() {
        assert!((2..=FEW).flat_map(neighbours).all(|(left, right)| left + 1 == right));
    }

    #[test]
    fn networks_of_integers_are_short() {
        let lengths = [3, 5, 9, 16].map(|count| shortest(count).len());
        assert_eq!(lengths, [3, 9, 25, 63]);
    }
}

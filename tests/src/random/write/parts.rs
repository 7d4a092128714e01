//! Scans, parts of arrays, ranges, arrays by position, and orders.
//!
//! Invariant: that of [`Writer`]; operators of scans are associative.

use arrc_syntax::prim::Scalar;

use super::{Array, Writer, int};
use crate::random::types::Ty;

impl Writer<'_> {
    /// A scan of integers, or of pairs of them.
    pub(super) fn scanned(&mut self, depth: u32) -> Array {
        let (array, size, elem) = self.array(depth);
        let each = self.lambda(&[&elem], |this| this.scalar(Scalar::I64, 1));
        if self.choose(4) == 3 {
            let text = format!(
                "(scan (\\(a, b) (c, d) -> (a + c, i64.max b d)) (0i64, i64.lowest) \
                 (map (\\x -> ({each} x, 2 * {each} x)) {array}))"
            );
            return (text, size, Ty::Tuple(vec![int(), int()]));
        }
        let scan = self.pick(&["scan", "exscan"]);
        let op = self.pick(&[
            "(+) 0",
            "i64.max i64.lowest",
            "(*) 1",
            "(^) 0",
            "(\\a b -> if b == 0 then a else b) 0",
        ]);
        (format!("({scan} {op} (map {each} {array}))"), size, int())
    }

    /// A part of an array, its elements in another order, or a range.
    pub(super) fn part(&mut self, depth: u32) -> Array {
        let (array, size, elem) = self.array(depth);
        let at = self.scalar(Scalar::I64, depth);
        // Some slices begin far outside of all memory, so that a read before their check is a crash.
        let within = match self.choose(8) {
            7 => format!("({at} % 3 * 1000000000000)"),
            _ => format!("({at} % (length w + 1))"),
        };
        let of_own_size = [
            "w[K:]",
            "w[:K]",
            "w[K:K + 2]",
            "w[::2]",
            "w[::-2]",
            "take K w",
            "drop K w",
            "w[K:length w]",
            "w[length w - 1:K - 1:-1]",
        ];
        let of_same_size = [
            "w[::-1]",
            "reverse w",
            "w[:]",
            "rotate K w",
            "rotate 1 w",
            "rotate (-1) w",
            "rotate (-3) w",
        ];
        match self.choose(4) {
            0 => {
                let text = self.pick(&of_same_size).replace('K', &within);
                (format!("(let w = {array} in {text})"), size, elem)
            }
            1 => {
                let text = self.pick(&[
                    "0..<(K % 5)",
                    "1..3...(K % 6 + 1)",
                    "(K % 5)..>(-1)",
                    "(K % 3)..(K % 3 + 2)..<(K % 3 + 9)",
                    "(-2i64)...(K % 3)",
                ]);
                let text = format!("({}: []i64)", text.replace('K', &at));
                (text, self.fresh_size(), int())
            }
            _ => {
                let text = self.pick(&of_own_size).replace('K', &within);
                (format!("(let w = {array} in {text})"), self.fresh_size(), elem)
            }
        }
    }

    /// An array with values at positions, some of them out of bounds.
    pub(super) fn scattered(&mut self, depth: u32) -> Array {
        let (target, size, elem) = self.known_array();
        let (places, _, own) = self.array(depth);
        let place = self.lambda(&[&own], |this| this.scalar(Scalar::I64, 1));
        let value = self.lambda(&[&own], |this| this.value(&elem, 1));
        if elem == int() && self.choose(2) == 1 {
            let op = self.pick(&["(+) 0", "i64.max i64.lowest", "(*) 1"]);
            let text = format!(
                "(let w = {places} in reduce_by_index {target} {op} \
                 (map (\\i -> {place} i % 6) w) (map {value} w))"
            );
            return (text, size, elem);
        }
        let text = format!(
            "(let w = {places} in scatter {target} (map (\\i -> {place} i % 6) w) (map {value} w))"
        );
        (text, size, elem)
    }

    /// An array of integers in order, without repetitions, or divided.
    pub(super) fn ordered(&mut self, depth: u32) -> Array {
        let (array, size, elem) = self.array(depth);
        let key = self.lambda(&[&elem], |this| this.scalar(Scalar::I64, 1));
        match self.choose(4) {
            0 => (format!("(sort_by_key {key} (<=) {array})"), size, elem),
            1 => (format!("(sort (>=) (map {key} {array}))"), size, int()),
            2 => (format!("(unique (==) (map {key} {array}))"), self.fresh_size(), int()),
            _ => {
                let text = format!("((partition (\\x -> {key} x > 1) {array}).1)");
                (text, self.fresh_size(), elem)
            }
        }
    }

    /// An element of an array at an index.
    pub(super) fn looked_up(&mut self, ty: Scalar, depth: u32) -> String {
        let (array, _, elem) = self.array(depth);
        let holds = self.lambda(&[&elem], |this| this.scalar(Scalar::Bool, 1));
        let other = self.scalar(ty, depth);
        let name = ty.name();
        let found = if ty == Scalar::Bool { "at > 1" } else { "T.i64 at" }.replace('T', name);
        match self.choose(3) {
            0 => format!(
                "(match find_first {holds} {array} case #some at -> {found} case #none -> {other})"
            ),
            1 => {
                let key = self.lambda(&[&elem], |this| this.scalar(Scalar::I64, 1));
                format!(
                    "(let at = binary_search (<=) (sort (<=) (map {key} {array})) 2 in \
                     if even (at % 9) then {found} else {other})"
                )
            }
            _ => {
                let key = self.lambda(&[&elem], |this| this.scalar(Scalar::I64, 1));
                format!(
                    "(let (at, w) = summed (map {key} {array}) in \
                     if length w > 1 && w[1] > 0 then {found} else {other})"
                )
            }
        }
    }
}

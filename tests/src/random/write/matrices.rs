//! Arrays of arrays.
//!
//! Invariant: that of [`Writer`]; all rows of an array have one size, which is known outside of the rows.

use arrc_syntax::prim::Scalar;

use super::{Array, Writer, int};
use crate::random::types::Ty;

/// A matrix's text, the sizes of its columns and of its rows, and its elements.
pub(super) type Matrix = (String, u32, u32, Ty);

impl Writer<'_> {
    /// A matrix.
    pub(super) fn matrix(&mut self, depth: u32) -> Matrix {
        let known: Vec<Matrix> = self
            .scope
            .iter()
            .rev()
            .filter_map(|(name, ty)| match ty {
                Ty::Matrix(rows, columns, elem) => {
                    Some((name.clone(), *rows, *columns, Ty::clone(elem)))
                }
                Ty::Scalar(_)
                | Ty::Tuple(_)
                | Ty::Record(_)
                | Ty::Array(..)
                | Ty::Choice
                | Ty::Fun(..) => None,
            })
            .collect();
        if !known.is_empty() && (depth == 0 || self.choose(3) == 0) {
            let index = self.choose(known.len());
            return known.into_iter().nth(index).expect("below the length");
        }
        if depth == 0 || self.choose(3) == 0 {
            return self.new_matrix(depth);
        }
        self.other_matrix(depth - 1)
    }

    /// A matrix from arrays.
    fn new_matrix(&mut self, depth: u32) -> Matrix {
        let (row, columns, own) = self.known_array();
        match self.choose(4) {
            0 => {
                let count = self.scalar(Scalar::I64, depth.min(1));
                (format!("(replicate ({count} % 4) {row})"), self.fresh_size(), columns, own)
            }
            1 => {
                let elem = self.element();
                let count = self.scalar(Scalar::I64, depth.min(1));
                let each = self.lambda(&[&int()], |this| {
                    let each = this.lambda(&[&own], |this| this.value(&elem, 1));
                    format!("map {each} {row}")
                });
                (format!("(generate ({count} % 4) {each})"), self.fresh_size(), columns, elem)
            }
            2 => {
                let each = self.lambda(&[&own], |this| this.value(&own, 1));
                (format!("[{row}, map {each} {row}]"), self.fresh_size(), columns, own)
            }
            _ => {
                let (array, rows, outer) = self.known_array();
                let elem = self.element();
                let each = self.lambda(&[&outer], |this| {
                    let each = this.lambda(&[&own], |this| this.value(&elem, 1));
                    format!("map {each} {row}")
                });
                (format!("(map {each} {array})"), rows, columns, elem)
            }
        }
    }

    /// A matrix from a matrix.
    fn other_matrix(&mut self, depth: u32) -> Matrix {
        let (matrix, rows, columns, elem) = self.matrix(depth);
        match self.choose(8) {
            0 => (format!("(transpose {matrix})"), columns, rows, elem),
            1 => {
                let result = self.element();
                let each = self.lambda(&[&elem], |this| this.value(&result, 1));
                (format!("(map (map {each}) {matrix})"), rows, columns, result)
            }
            2 => {
                let row = Ty::array(columns, elem.clone());
                let keep = self.lambda(&[&row], |this| this.scalar(Scalar::Bool, 2));
                (format!("(filter {keep} {matrix})"), self.fresh_size(), columns, elem)
            }
            3 => {
                let at = self.scalar(Scalar::I64, depth);
                let text = format!("(let w = {matrix} in w[{at} % (length w + 1):])");
                (text, self.fresh_size(), columns, elem)
            }
            4 => {
                let row = Ty::array(columns, elem.clone());
                let each = self.lambda(&[&row], |this| {
                    let (array, size, own) = this.known_array();
                    if size == columns && own == elem { array } else { "(reverse r)".to_string() }
                });
                let text = format!("(map (\\r -> {each} r) {matrix})");
                (text, rows, columns, elem)
            }
            5 => {
                let step = self.lambda(&[&elem, &elem], |this| this.value(&elem, 1));
                let text = format!("(let w = {matrix} in map2 (map2 {step}) w (reverse w))");
                (text, rows, columns, elem)
            }
            6 if elem == int() => {
                let text = format!("(map (scan (+) 0) {matrix})");
                (text, rows, columns, elem)
            }
            _ => (format!("(map reverse {matrix})"), rows, columns, elem),
        }
    }

    /// An array from a matrix.
    pub(super) fn array_of_matrix(&mut self, depth: u32) -> Array {
        let (matrix, rows, columns, elem) = self.matrix(depth);
        match self.choose(5) {
            0 => {
                let row = Ty::array(columns, elem);
                let result = self.element();
                let each = self.lambda(&[&row], |this| this.value(&result, 2));
                (format!("(map {each} {matrix})"), rows, result)
            }
            1 if self.workers == 0 => (format!("(flatten {matrix})"), self.fresh_size(), elem),
            2 => {
                let at = self.scalar(Scalar::I64, depth);
                let (other, _, own) = self.known_array();
                let each = self.lambda(&[&own], |this| this.value(&elem, 1));
                let text = format!(
                    "(let w = {matrix} in if length w > 0 then w[{at} % length w] \
                     else map {each} {other})"
                );
                (text, self.fresh_size(), elem)
            }
            3 => {
                let each = self.lambda(&[&elem], |this| this.scalar(Scalar::I64, 1));
                (format!("(map (\\r -> i64.sum (map {each} r)) {matrix})"), rows, int())
            }
            _ => {
                let each = self.lambda(&[&elem], |this| this.scalar(Scalar::I64, 1));
                let text = format!(
                    "(let w = map (map {each}) {matrix} in \
                     reduce (map2 (+)) (map (\\_ -> 0i64) (transpose w)) w)"
                );
                (text, columns, int())
            }
        }
    }

    /// A scalar from a matrix.
    pub(super) fn of_matrix(&mut self, ty: Scalar, depth: u32) -> String {
        let (matrix, _, _, elem) = self.matrix(depth);
        let each = self.lambda(&[&elem], |this| this.scalar(Scalar::I64, 1));
        let total = self.pick(&[
            "i64.sum (map (\\r -> i64.maximum (map F r)) M)",
            "fold (fold (\\w x -> w * 3 + F x)) 0 M",
            "loop w = 0i64 for r in M do w * 2 + i64.sum (map F r)",
            "let w = M in if length w > 1 && length w[1] > 0 then F w[1, 0] else 5",
        ]);
        let total = total.replace('F', &each).replace('M', &matrix);
        if ty == Scalar::Bool {
            return format!("(({total}) > 2)");
        }
        format!("({}.i64 ({total}))", ty.name())
    }
}

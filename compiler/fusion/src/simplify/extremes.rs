//! Choices between the two integers of a comparison are their minimum or maximum.
//!
//! A limit may be written as a comparison. As an operator, it is known to be associative, and a count up to a limit is
//! one.
//!
//! Invariant: floats stay choices, since nan is neither less nor greater.
//!
//! ```text
//! if a > b then b else a        ⇒   min a b
//! if t < 256 then t else 255    ⇒   min t 255
//! ```

use crate::cnf::{Atom, Op};
use arrc_syntax::prim::{BinOp, Const, Scalar};

/// A comparison of two numbers.
#[derive(Clone, Copy)]
pub(super) struct Comparison {
    op: BinOp,
    args: [Atom; 2],
}

impl Comparison {
    /// The comparison that an operation is, if it tells which number is less.
    pub(super) fn of(op: &Op) -> Option<Self> {
        let (op, args) = op.binary()?;
        matches!(op, BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge).then_some(Self { op, args })
    }

    /// The operation whose result is `yes` where the comparison of integers of that type holds, and `no` elsewhere.
    pub(super) fn choice(self, [yes, no]: [Atom; 2], ty: Scalar) -> Option<Op> {
        if !ty.is_integer() {
            return None;
        }
        let args = self
            .pairs()
            .into_iter()
            .flatten()
            .find(|&[a, b]| [yes, no] == [a, b] || [yes, no] == [b, a])?;
        let takes_first = yes == args[0];
        let op = if takes_first == self.first_is_less() { BinOp::Min } else { BinOp::Max };
        Some(Op::bin(op, args[0], args[1]))
    }

    fn first_is_less(self) -> bool {
        matches!(self.op, BinOp::Lt | BinOp::Le)
    }

    /// The operands, also of the same comparison with the next constant: `t < 256` is `t <= 255`.
    fn pairs(self) -> [Option<[Atom; 2]>; 3] {
        let [a, b] = self.args;
        let is_strict = matches!(self.op, BinOp::Lt | BinOp::Gt);
        // The constant comes nearer to the other number if the comparison is strict.
        let up = is_strict == self.first_is_less();
        let moved = |atom: Atom, by: i128| match atom {
            Atom::Const(number) => next(number, by).map(Atom::Const),
            Atom::Var(_) => None,
        };
        let by = if up { 1 } else { -1 };
        let left = moved(a, by).map(|a| [a, b]);
        let right = moved(b, -by).map(|b| [a, b]);
        [Some([a, b]), left, right]
    }
}

/// An integer and another one, if the sum does not wrap.
fn next(number: Const, by: i128) -> Option<Const> {
    if !number.ty.is_integer() {
        return None;
    }
    let sum = number.as_i128() + by;
    let next = Const::int(number.ty, sum);
    (next.as_i128() == sum).then_some(next)
}

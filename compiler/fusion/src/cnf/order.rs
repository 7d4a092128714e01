//! What the order of a fold allows.
//!
//! ```text
//! reduce (+) 0.0 xs: any order. fold (+) 0.0 xs: from the left. min and max: any order, whatever is written
//! ```

use arrc_syntax::prim::{BinOp, Const, Fold, Scalar};

use super::{Atom, Order};

/// Whether the elements of a fold may be reordered and regrouped: the result stays the same, or the program allows
/// another one.
#[must_use]
pub fn in_any_order(op: BinOp, ty: Scalar, order: Order) -> bool {
    match op.fold() {
        Fold::Sum => !ty.is_float() || order != Order::Strict,
        Fold::Choice => true,
        Fold::Ordered => false,
    }
}

/// A value that leaves an accumulator of a commutative operation exactly as it is, even if the accumulator is -0 or
/// NaN. For an idempotent operation, such as a minimum, it is the initial value. The operation's own neutral element
/// would be a worse choice: LLVM knows it, and would turn the code back into a choice of accumulators.
#[must_use]
pub fn neutral(op: BinOp, ty: Scalar, init: Atom) -> Option<Atom> {
    match op.fold() {
        Fold::Sum if op == BinOp::Add && ty.is_float() => Some(Const::float(ty, -0.0).into()),
        Fold::Sum => op.row().neutral.map(|neutral| neutral.of(ty).into()),
        Fold::Choice => Some(init),
        Fold::Ordered => None,
    }
}

//! What the order of a fold allows.
//!
//! ```text
//! reduce (+) 0.0 xs: any order. fold (+) 0.0 xs: from the left. min and max: any order, whatever is written
//! ```

use arrc_syntax::prim::{BinOp, Const, Reassociation, Scalar};

use super::{Atom, FoldOrder};

/// Whether the elements of a fold may be reordered and regrouped: the result stays the same, or the program allows
/// another one.
#[must_use]
pub fn in_any_order(op: BinOp, ty: Scalar, order: FoldOrder) -> bool {
    match op.fold() {
        Reassociation::Sum => !ty.is_float() || order != FoldOrder::Strict,
        Reassociation::Choice => true,
        Reassociation::Ordered => false,
    }
}

/// A value that leaves an accumulator of a commutative operation exactly as it is, even if the accumulator is -0 or
/// NaN. For an idempotent operation, such as a minimum, it is the initial value. The operation's own neutral element
/// would be a worse choice: LLVM knows it, and would turn the code back into a choice of accumulators.
#[must_use]
pub fn neutral(op: BinOp, ty: Scalar, init: Atom) -> Option<Atom> {
    match op.fold() {
        Reassociation::Sum if op == BinOp::Add && ty.is_float() => {
            Some(Const::float(ty, -0.0).into())
        }
        Reassociation::Sum => op.row().neutral.map(|neutral| neutral.of(ty).into()),
        Reassociation::Choice => Some(init),
        Reassociation::Ordered => None,
    }
}

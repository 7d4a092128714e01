//! Operations on scalars with their operands. Bindings, and the steps of concrete programs, share them.
//!
//! Invariant: a pass that needs the operands of an operation, or needs to know whether it can fail, uses this type
//! and names no variant of `Op` or `Step`.
//!
//! ```text
//! t = x / 2   ⇒   Bin(Div, [x, 2]), which cannot fail
//! ```

use super::{Atom, Var};
use crate::ids::{PrimaryMap, VarId};
use crate::prim::{BinOp, Scalar, UnOp};

/// An operation on scalars, and its operands.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    /// An operation with one operand.
    Un(UnOp, Atom),
    /// An operation with two operands.
    Bin(BinOp, [Atom; 2]),
    /// `a * b + c`.
    Fma([Atom; 3]),
}

impl Operation {
    /// The operator with two operands, and its operands.
    #[must_use]
    pub fn binary(self) -> Option<(BinOp, [Atom; 2])> {
        if let Self::Bin(op, args) = self { Some((op, args)) } else { None }
    }

    /// The type of the result, for operands of this type.
    #[must_use]
    pub fn result(self, operand: Scalar) -> Scalar {
        match self {
            Self::Un(op, _) => op.result(operand),
            Self::Bin(op, _) => op.result(operand),
            Self::Fma(_) => operand,
        }
    }

    /// Whether it can fail: it is an operation that can trap, and its right operand is not a constant other than 0.
    #[must_use]
    pub fn fails(self, vars: &PrimaryMap<VarId, Var>) -> bool {
        self.binary().is_some_and(|(op, [left, right])| {
            let divides = matches!(right, Atom::Const(right) if right.bits != 0);
            op.traps(left.ty(vars).scalars()) && !divides
        })
    }
}

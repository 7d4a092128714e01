//! Operations on scalars with their operands. Bindings, and the steps of concrete programs, share them.
//!
//! Invariant: a pass that needs the operands of an operation, or needs to know whether it can fail, uses this type
//! and names no variant of `Op` or `Step`.
//!
//! ```text
//! t = x / 2   ⇒   Bin(Div, [x, 2]), which cannot fail
//! ```

use super::{Atom, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::{BinOp, Rounding, Scalar, UnOp};

/// An operation on scalars, and its operands.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    /// An operation with one operand.
    Un(UnOp, Atom),
    /// An operation with two operands.
    Bin(BinOp, [Atom; 2]),
    /// `a * b + c`.
    MulAdd(Rounding, [Atom; 3]),
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
            Self::MulAdd(..) => operand,
        }
    }

    /// Whether it can fail: it has a trap, and its right operand is no constant that the trap spares.
    #[must_use]
    pub fn fails(self, vars: &PrimaryMap<VarId, Var>) -> bool {
        let Some((op, [left, right])) = self.binary() else { return false };
        op.trap(left.ty(vars).scalars()).is_some_and(|trap| match right {
            Atom::Const(right) => trap.traps_on(right.as_i128()),
            Atom::Var(_) => true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cnf::Type;
    use arrc_syntax::names::Name;
    use arrc_syntax::prim::Const;

    #[test]
    fn constants_that_a_trap_spares_cannot_fail() {
        let mut vars = PrimaryMap::new();
        let x: VarId = vars.push(Var { name: Name::new("x"), ty: Type::Scalar(Scalar::I64) });
        let fails =
            |op, by| Operation::Bin(op, [x.into(), Atom::Const(Const::i64(by))]).fails(&vars);
        assert!(!fails(BinOp::Div, 3) && !fails(BinOp::Div, -3));
        assert!(fails(BinOp::Div, 0));
        assert!(!fails(BinOp::Pow, 3) && !fails(BinOp::Pow, 0));
        assert!(fails(BinOp::Pow, -1), "a negative power");
        assert!(Operation::Bin(BinOp::Pow, [x.into(), x.into()]).fails(&vars));
        assert!(!fails(BinOp::Add, 0));
    }
}

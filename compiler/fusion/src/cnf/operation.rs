//! Operations on scalars with their operands: the bindings of combinator normal form and the steps of concrete programs
//! that compute a scalar from scalars. Both forms embed this type.
//!
//! Invariant: everything that both forms ask about such an operation is answered here: its operands, its type, its
//! value, its cost, and whether it can fail. `print/scalar.rs` prints it, and `form/signature.rs` reads it.
//!
//! ```text
//! t = x / 2   ⇒   Bin(Div, [x, 2]), which cannot fail
//! ```

use super::{Atom, Var};
use arrc_front::eval::run_error::RunError;
use arrc_front::eval::scalar;
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::{BinOp, Const, Cost, Rounding, Scalar, UnOp};
use arrc_syntax::source::Span;

/// An operation on scalars, and its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// An operation with one operand.
    Un(UnOp, Atom),
    /// An operation with two operands.
    Bin(BinOp, [Atom; 2]),
    /// `a * b + c` of three floats.
    MulAdd(Rounding, [Atom; 3]),
}

impl Operation {
    /// The name of the operator.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Un(op, _) => op.name(),
            Self::Bin(op, _) => op.name(),
            Self::MulAdd(rounding, _) => rounding.name(),
        }
    }

    /// The operands, in order.
    #[must_use]
    pub fn args(&self) -> &[Atom] {
        match self {
            Self::Un(_, arg) => std::slice::from_ref(arg),
            Self::Bin(_, args) => args,
            Self::MulAdd(_, args) => args,
        }
    }

    /// The operands, to be changed.
    pub fn args_mut(&mut self) -> &mut [Atom] {
        match self {
            Self::Un(_, arg) => std::slice::from_mut(arg),
            Self::Bin(_, args) => args,
            Self::MulAdd(_, args) => args,
        }
    }

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

    /// The type of the result; `scalar` gives the types of the operands.
    ///
    /// # Errors
    /// If the operands have several types, or one that the operation is not defined on.
    pub fn check(
        self,
        mut scalar: impl FnMut(Atom) -> Result<Scalar, String>,
    ) -> Result<Scalar, String> {
        let args = self.args();
        let operand = scalar(args[0])?;
        for &arg in &args[1..] {
            let other = scalar(arg)?;
            if other != operand {
                return Err(format!("`{}` of {operand} and {other}", self.name()));
            }
        }
        let is_defined = match self {
            Self::Un(op, _) => op.accepts(operand),
            Self::Bin(op, _) => op.accepts(operand),
            Self::MulAdd(..) => operand.is_float(),
        };
        if !is_defined {
            return Err(format!("`{}` of {operand}", self.name()));
        }
        Ok(self.result(operand))
    }

    /// The value of the result; `value` gives the values of the operands.
    ///
    /// # Errors
    /// The trap, if the operation has one on these operands.
    pub fn value(
        self,
        mut value: impl FnMut(Atom) -> Const,
        span: Span,
    ) -> Result<Const, RunError> {
        match self {
            Self::Un(op, arg) => Ok(scalar::un(op, value(arg))),
            Self::Bin(op, args) => {
                let [x, y] = args.map(value);
                scalar::bin(op, x, y).map_err(|trap| RunError::trapped(trap, y, span))
            }
            Self::MulAdd(rounding, args) => Ok(scalar::mul_add(rounding, args.map(value))),
        }
    }

    /// The cost class of the operation. `a * b + c` is quick: on most machines it is one instruction.
    #[must_use]
    pub fn cost(self, vars: &PrimaryMap<VarId, Var>) -> Cost {
        let operand = self.args()[0].ty(vars).scalars();
        match self {
            Self::Un(op, _) => op.cost(operand),
            Self::Bin(op, _) => op.cost(operand),
            Self::MulAdd(..) => Cost::Quick,
        }
    }

    /// The highest cost class of the operation, on any type and any machine. Where there is no such instruction,
    /// `a * b + c` with a single rounding is a call.
    #[must_use]
    pub fn greatest_cost(self) -> Cost {
        match self {
            Self::Un(op, _) => op.greatest_cost(),
            Self::Bin(op, _) => op.greatest_cost(),
            Self::MulAdd(Rounding::Any, _) => Cost::Quick,
            Self::MulAdd(Rounding::Once, _) => Cost::Call,
        }
    }

    /// Whether it has a trap on operands of this type, whatever their values.
    #[must_use]
    pub fn has_trap(self, vars: &PrimaryMap<VarId, Var>) -> bool {
        self.binary().is_some_and(|(op, [left, _])| op.traps(left.ty(vars).scalars()))
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

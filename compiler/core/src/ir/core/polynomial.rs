//! Which polynomial of sizes a number is.
//!
//! Invariant: an expression has the value of its polynomial whenever it has a value.
//!
//! ```text
//! length xs + 1, xs: [n]t   ⇒   n+1
//! ```

use super::{Expr, ExprKind, Phase, Size, Solved};
use crate::ids::DefId;
use crate::prim::{BinOp, Scalar, UnOp};

/// Answers questions about the variables and definitions in an expression.
pub(crate) trait Known<P: Phase = Solved> {
    /// Whether an expression can be a size; of a sum, whether it is computed as sizes are.
    fn is_number(&self, expr: &Expr<P>) -> bool;
    /// The size that a constant is.
    fn constant(&self, constant: &P::Literal) -> Option<Size>;
    /// The size that a variable has the value of.
    fn var(&mut self, var: &P::Local) -> Option<Size>;
    /// The size that a definition without parameters is.
    fn global(&mut self, def: DefId) -> Option<Size>;
    /// The size that `i64` of a number is.
    fn converted(&mut self, operand: &Expr<P>) -> Option<Size>;
    /// The size of an array, if the definition is its `length`.
    fn length(&self, def: DefId, array: &Expr<P>) -> Option<Size>;
    /// Whether a size that is computed is small enough to be known.
    fn is_small(&self, size: &Size) -> bool;
}

/// The size that an expression is the value of, if it is made of sizes, variables, literals, lengths, `+`, `-` and `*`.
pub(crate) fn polynomial<P: Phase>(known: &mut impl Known<P>, expr: &Expr<P>) -> Option<Size> {
    if !known.is_number(expr) {
        return None;
    }
    #[allow(clippy::wildcard_enum_match_arm, reason = "a size is made of nothing else")]
    match &expr.kind {
        ExprKind::Const(constant) => known.constant(constant),
        ExprKind::Var(var) => known.var(var),
        ExprKind::Size(size) => Some(size.clone()),
        ExprKind::Global(def, _) => known.global(*def),
        ExprKind::App(function, args) => call(known, function, args),
        ExprKind::Assert(assert) => polynomial(known, &assert.value),
        _ => None,
    }
}

fn call<P: Phase>(known: &mut impl Known<P>, function: &Expr<P>, args: &[Expr<P>]) -> Option<Size> {
    match (&function.kind, args) {
        (ExprKind::BinOp(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul)), [left, right]) => {
            let (left, right) = (polynomial(known, left)?, polynomial(known, right)?);
            let size = if *op == BinOp::Add {
                left.plus(&right)
            } else if *op == BinOp::Sub {
                left.minus(&right)
            } else {
                left.times(&right)
            };
            known.is_small(&size).then_some(size)
        }
        (ExprKind::UnOp(UnOp::Neg), [operand]) => {
            Some(polynomial(known, operand)?.times_constant(-1))
        }
        (ExprKind::UnOp(UnOp::To(Scalar::I64)), [operand]) => known.converted(operand),
        (ExprKind::Global(def, _), [array]) => known.length(*def, array),
        _ => None,
    }
}

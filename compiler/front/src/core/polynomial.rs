//! The polynomial of sizes that is equal to an expression.
//!
//! Invariant: whenever the evaluation of an expression succeeds, it gives the value of the polynomial.
//!
//! ```text
//! length xs + 1, xs: [n]t   ⇒   n+1
//! ```

use super::{Expr, ExprKind, Phase, Size, Solved};
use arrc_syntax::ids::DefId;
use arrc_syntax::prim::{BinOp, Scalar, UnOp};

/// The context in which an expression is read as a size: it answers questions about variables and definitions.
pub(crate) trait SizeContext<P: Phase = Solved> {
    /// Whether the expression may be a size. A sum must also be computed as sizes are, without wrapping in a narrower
    /// type.
    fn is_number(&self, expr: &Expr<P>) -> bool;
    /// The constant as a size.
    fn constant(&self, constant: &P::Literal) -> Option<Size>;
    /// The size that is equal to a variable.
    fn var(&mut self, var: &P::Local) -> Option<Size>;
    /// The size that is equal to a definition without parameters.
    fn global(&mut self, def: DefId) -> Option<Size>;
    /// The size that is equal to `i64` of an operand.
    fn converted(&mut self, operand: &Expr<P>) -> Option<Size>;
    /// The size of an array, if the definition is `length`.
    fn length(&self, def: DefId, array: &Expr<P>) -> Option<Size>;
    /// Whether a computed size is small enough to be kept.
    fn is_small(&self, size: &Size) -> bool;
}

/// The size that is equal to an expression, if the expression is made of sizes, variables, literals, lengths, `+`,
/// `-` and `*`.
pub(crate) fn polynomial<P: Phase>(
    known: &mut impl SizeContext<P>,
    expr: &Expr<P>,
) -> Option<Size> {
    if !known.is_number(expr) {
        return None;
    }
    #[allow(clippy::wildcard_enum_match_arm, reason = "a size is made of nothing else")]
    match &expr.kind {
        ExprKind::Const(constant) => known.constant(constant).filter(|size| !size.is_too_large()),
        ExprKind::Var(var) => known.var(var),
        ExprKind::Size(size) => Some(size.clone()),
        ExprKind::Global(def, _) => known.global(*def),
        ExprKind::App(function, args) => call(known, function, args),
        ExprKind::Assert(assert) => polynomial(known, &assert.value),
        _ => None,
    }
}

fn call<P: Phase>(
    known: &mut impl SizeContext<P>,
    function: &Expr<P>,
    args: &[Expr<P>],
) -> Option<Size> {
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

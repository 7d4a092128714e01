//! Comparison functions that are equal to `<=` or `>=`, also if they are written as lambdas.
//!
//! Invariant: a function has a direction only if its result is that of `<=` or `>=` on its two arguments. The type of
//! the arguments is not part of the answer.
//!
//! ```text
//! (<=)   \x y -> x <= y   ⇒   up       (>=)   \x y -> y <= x   ⇒   down       \p q -> p.x <= q.x   ⇒   none
//! ```

use super::{Body, Def, Expr, ExprKind, Param, Pat};
use crate::ids::LocalId;
use crate::prim::BinOp;

/// Which of two elements comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// The lower one: `<=`.
    Up,
    /// The higher one: `>=`.
    Down,
}

impl Direction {
    /// The direction of an operator.
    #[must_use]
    pub fn of_operator(op: BinOp) -> Option<Self> {
        if op == BinOp::Le { Some(Self::Up) } else { (op == BinOp::Ge).then_some(Self::Down) }
    }

    /// The direction of a function.
    #[must_use]
    pub fn of_function(params: &[Param], body: &Expr) -> Option<Self> {
        let [first, second] = params else { return None };
        let [first, second] = [variable(&first.pat)?, variable(&second.pat)?];
        let ExprKind::App(operator, args) = &body.kind else { return None };
        let ExprKind::BinOp(op) = operator.kind else { return None };
        let [left, right] = args.as_slice() else { return None };
        let direction = Self::of_operator(op)?;
        let (ExprKind::Var(left), ExprKind::Var(right)) = (&left.kind, &right.kind) else {
            return None;
        };
        if (*left, *right) == (first, second) {
            Some(direction)
        } else {
            ((*left, *right) == (second, first)).then(|| direction.turned())
        }
    }

    /// The direction of a definition.
    #[must_use]
    pub fn of_definition(def: &Def) -> Option<Self> {
        match &def.body {
            Body::Expr(body) => Self::of_function(&def.params, body),
            Body::Intrinsic(_) | Body::External(_) => None,
        }
    }

    fn turned(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }
}

fn variable(pat: &Pat) -> Option<LocalId> {
    if let Pat::Var(var, _) = pat { Some(*var) } else { None }
}

//! Comparisons that are an operator, whatever is written around it.
//!
//! Invariant: a direction is told only of functions that give what `<=` or `>=` of their arguments gives, of a type that is
//! only known from the arguments.
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
    /// That of an operator.
    #[must_use]
    pub fn of_operator(op: BinOp) -> Option<Self> {
        if op == BinOp::Le { Some(Self::Up) } else { (op == BinOp::Ge).then_some(Self::Down) }
    }

    /// That of a function.
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

    /// That of a definition.
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

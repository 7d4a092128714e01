//! Comparison functions that are equal to `<=` or `>=` of scalars, or of one component of their arguments.
//!
//! Invariant: a function has an order only if its result is that of `<=` or `>=` on its two arguments, or on the same
//! component of both. The type of the arguments is not part of the answer.
//!
//! ```text
//! (<=)   \x y -> x <= y   ⇒   up       \x y -> y <= x   ⇒   down       \p q -> p.x <= q.x   ⇒   up, of .x
//! ```

use super::{Body, Def, Expr, ExprKind, Param, Pat};
use crate::ids::LocalId;
use crate::names::Name;
use crate::prim::BinOp;

/// Which of two elements comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// The lower one: `<=`.
    Up,
    /// The higher one: `>=`.
    Down,
}

/// A step from a value to a component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// A component of a tuple, from 0.
    Item(usize),
    /// A field of a record.
    Field(Name),
}

/// The order of elements by a component, or by themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// Which component comes first.
    pub direction: Direction,
    /// From an element to the component.
    pub path: Vec<Part>,
}

impl Order {
    /// The order of an operator.
    #[must_use]
    pub fn of_operator(op: BinOp) -> Option<Self> {
        let down = (op == BinOp::Ge).then_some(Direction::Down);
        let direction = if op == BinOp::Le { Some(Direction::Up) } else { down };
        Some(Self { direction: direction?, path: Vec::new() })
    }

    /// The order of a function.
    #[must_use]
    pub fn of_function(params: &[Param], body: &Expr) -> Option<Self> {
        let [first, second] = params else { return None };
        let ExprKind::App(operator, args) = &body.kind else { return None };
        let ExprKind::BinOp(op) = operator.kind else { return None };
        let [left, right] = args.as_slice() else { return None };
        let order = Self::of_operator(op)?;
        let both = |left: &Param, right: &Param, args: [&Expr; 2]| {
            let paths = [(left, args[0]), (right, args[1])];
            let [left, right] = paths.map(|(param, arg)| path(&param.pat, arg));
            if left == right { left } else { None }
        };
        if let Some(path) = both(first, second, [left, right]) {
            return Some(Self { path, ..order });
        }
        let path = both(first, second, [right, left])?;
        Some(Self { direction: order.direction.turned(), path })
    }

    /// The order of a definition.
    #[must_use]
    pub fn of_definition(def: &Def) -> Option<Self> {
        match &def.body {
            Body::Expr(body) => Self::of_function(&def.params, body),
            Body::Intrinsic(_) | Body::External(_) => None,
        }
    }
}

impl Direction {
    fn turned(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }
}

/// From the value of a parameter to that of an expression, if the expression is a component of it.
fn path(param: &Pat, expr: &Expr) -> Option<Vec<Part>> {
    let behind = |of: &Expr, part: Part| {
        let mut parts = path(param, of)?;
        parts.push(part);
        Some(parts)
    };
    if let ExprKind::Var(var) = expr.kind {
        bound(param, var)
    } else if let ExprKind::Item(of, at) = &expr.kind {
        behind(of, Part::Item(*at))
    } else if let ExprKind::Field(of, name) = &expr.kind {
        behind(of, Part::Field(name.clone()))
    } else {
        None
    }
}

/// From a value to the component that a pattern binds to a variable.
fn bound(pat: &Pat, var: LocalId) -> Option<Vec<Part>> {
    let behind = |part: Part, pat: &Pat| {
        let mut parts = bound(pat, var)?;
        parts.insert(0, part);
        Some(parts)
    };
    match pat {
        Pat::Var(of, _) => (*of == var).then(Vec::new),
        Pat::Tuple(items) => {
            items.iter().enumerate().find_map(|(at, item)| behind(Part::Item(at), item))
        }
        Pat::Record(fields) => {
            fields.iter().find_map(|(name, field)| behind(Part::Field(name.clone()), field))
        }
        Pat::Wild | Pat::Constructor(..) | Pat::Const(..) => None,
    }
}

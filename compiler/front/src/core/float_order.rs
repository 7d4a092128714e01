//! Comparison functions that are equal to `<=`, `>=`, `<` or `>` of scalars, or of one component of their arguments.
//!
//! Invariant: a function has an order only if its result is that of such an operator on its two arguments, or on the
//! same component of both. The type of the arguments is not part of the answer. The order of all floats is total: `nan`
//! is above all numbers.
//!
//! ```text
//! (<=)   (<)   \x y -> x <= y   ⇒   up       \x y -> y <= x   ⇒   down       \p q -> p.x <= q.x   ⇒   up, of .x
//! ```

use super::{Body, Def, Expr, ExprKind, Param, Pat};
use arrc_syntax::ids::LocalId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::BinOp;

/// Which of two elements comes first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// The lower one: `<=` or `<`.
    Up,
    /// The higher one: `>=` or `>`.
    Down,
}

/// Where elements with `nan` are in an order. The library has code for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NanPlace {
    /// There are none: the order is one of other scalars, or the elements have no floats.
    Nowhere = 0,
    /// Last: the order is `<=` of floats.
    Last = 1,
    /// First: the order is `>=` of floats.
    First = 2,
    /// The function is no operator, and the elements have floats. Those that do not come before themselves are last.
    Apart = 3,
    /// By its key: the order is `<` or `>` of floats, which does not tell `nan` from an equal number.
    Key = 4,
}

/// A step from a value to a component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ComponentStep {
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
    pub path: Vec<ComponentStep>,
    /// Whether equal elements do not come before each other: `<` and `>`.
    pub is_strict: bool,
}

impl Order {
    /// The order of an operator.
    #[must_use]
    pub fn of_operator(op: BinOp) -> Option<Self> {
        let direction = if [BinOp::Le, BinOp::Lt].contains(&op) {
            Direction::Up
        } else if [BinOp::Ge, BinOp::Gt].contains(&op) {
            Direction::Down
        } else {
            return None;
        };
        let is_strict = [BinOp::Lt, BinOp::Gt].contains(&op);
        Some(Self { direction, path: Vec::new(), is_strict })
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
        Some(Self { direction: order.direction.reversed(), path, ..order })
    }

    /// Where `nan` is among floats in this order.
    #[must_use]
    pub fn nan_place(&self) -> NanPlace {
        match self.direction {
            _ if self.is_strict => NanPlace::Key,
            Direction::Up => NanPlace::Last,
            Direction::Down => NanPlace::First,
        }
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
    fn reversed(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }
}

/// From the value of a parameter to that of an expression, if the expression is a component of it.
fn path(param: &Pat, expr: &Expr) -> Option<Vec<ComponentStep>> {
    let behind = |of: &Expr, part: ComponentStep| {
        let mut parts = path(param, of)?;
        parts.push(part);
        Some(parts)
    };
    if let ExprKind::Var(var) = expr.kind {
        bound(param, var)
    } else if let ExprKind::Item(of, at) = &expr.kind {
        behind(of, ComponentStep::Item(*at))
    } else if let ExprKind::Field(of, name) = &expr.kind {
        behind(of, ComponentStep::Field(name.clone()))
    } else {
        None
    }
}

/// From a value to the component that a pattern binds to a variable.
fn bound(pat: &Pat, var: LocalId) -> Option<Vec<ComponentStep>> {
    let behind = |part: ComponentStep, pat: &Pat| {
        let mut parts = bound(pat, var)?;
        parts.insert(0, part);
        Some(parts)
    };
    match pat {
        Pat::Var(of, _) => (*of == var).then(Vec::new),
        Pat::Tuple(items) => {
            items.iter().enumerate().find_map(|(at, item)| behind(ComponentStep::Item(at), item))
        }
        Pat::Record(fields) => fields
            .iter()
            .find_map(|(name, field)| behind(ComponentStep::Field(name.clone()), field)),
        Pat::Wild | Pat::Constructor(..) | Pat::Const(..) => None,
    }
}

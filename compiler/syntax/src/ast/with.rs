//! With-loops as written.
//!
//! Invariant: a with-loop has at least one generator and one operator.
//!
//! ```text
//! with { ([1, 1] <= [i, j] < .) : i + j } : genarray ([3, 5], 0)
//! ```

use super::{Expr, Ident};
use crate::source::Span;

/// A with-loop.
#[derive(Clone, PartialEq, Debug)]
pub struct With {
    /// The generators: sets of indices, each with an expression for its elements.
    pub generators: Vec<Generator>,
    /// The operators. If there are several, the body of a generator is a tuple with a part for each.
    pub operators: Vec<Operator>,
}

/// `(lower <= iv < upper step s width w) : e`.
#[derive(Clone, PartialEq, Debug)]
pub struct Generator {
    /// The first index, or the one before it.
    pub lower: Bound,
    /// Whether `<` follows the lower bound, so that the bound itself is excluded.
    pub is_above: bool,
    /// The name of the index, or the names of its components.
    pub index: IndexName,
    /// Whether `<` stands before the upper bound, so that the bound itself is excluded.
    pub is_below: bool,
    /// The last index, or the one after it.
    pub upper: Bound,
    /// The distance between the periods of a grid.
    pub step: Option<Expr>,
    /// The number of indices of each period that belong to the grid.
    pub width: Option<Expr>,
    /// The element of an array, or the operand of a fold.
    pub body: Expr,
    /// The text in parentheses, with the parentheses.
    pub span: Span,
}

impl Generator {
    /// The expressions around the index, in order.
    pub fn bounds(&self) -> impl Iterator<Item = &Expr> {
        let upper = self.upper.expr().into_iter();
        self.lower.expr().into_iter().chain(upper).chain(&self.step).chain(&self.width)
    }
}

/// A bound of a generator.
#[derive(Clone, PartialEq, Debug)]
#[allow(clippy::large_enum_variant, reason = "a generator has two")]
pub enum Bound {
    /// `.`: the first or the last index of the result.
    Edge(Span),
    /// An index vector, or a number for each of its components.
    Expr(Expr),
}

impl Bound {
    /// The expression, if there is one.
    #[must_use]
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Self::Edge(_) => None,
            Self::Expr(expr) => Some(expr),
        }
    }

    /// Its place.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Edge(span) => *span,
            Self::Expr(expr) => expr.span,
        }
    }
}

/// The name of a generator's index, or the names of its components.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IndexName {
    /// `iv`: the whole vector.
    Vector(Ident),
    /// `[i, _]`: its components, and the place of the brackets. A component written `_` has no name.
    Components(Vec<Option<Ident>>, Span),
}

impl IndexName {
    /// The names that are bound.
    pub fn names(&self) -> impl Iterator<Item = &Ident> {
        let (vector, components) = match self {
            Self::Vector(name) => (Some(name), None),
            Self::Components(names, _) => (None, Some(names)),
        };
        vector.into_iter().chain(components.into_iter().flatten().flatten())
    }

    /// Its place.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Vector(name) => name.span,
            Self::Components(_, span) => *span,
        }
    }
}

/// An operator with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Operator {
    /// Its kind and its arguments.
    pub kind: OperatorKind,
    /// Its text.
    pub span: Span,
}

/// An operator: it combines the elements into a result.
#[derive(Clone, PartialEq, Debug)]
#[allow(clippy::large_enum_variant, reason = "a with-loop has few")]
pub enum OperatorKind {
    /// `genarray (shape, default)`: a new array. Elements that no generator gives have the default value.
    Genarray(Expr, Option<Expr>),
    /// `modarray a`: a copy of the array in which the generators replace elements.
    Modarray(Expr),
    /// `fold (op, ne)`: the elements combined in row-major order.
    Fold(Expr, Expr),
}

impl OperatorKind {
    /// The expressions in it, in order.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let parts = match self {
            Self::Genarray(shape, default) => [Some(shape), default.as_ref()],
            Self::Modarray(array) => [Some(array), None],
            Self::Fold(op, neutral) => [Some(op), Some(neutral)],
        };
        parts.into_iter().flatten()
    }
}

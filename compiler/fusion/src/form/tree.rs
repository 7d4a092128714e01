//! Types as they are written, before it is known what their names mean.
//!
//! Invariant: a type has its place.
//!
//! ```text
//! (xs: *[n + 1]f64)   ⇒   Param { name: xs, owned, ty: Type { shape: [Sum(n, 1)], elem: f64 } }
//! ```

use arrc_syntax::ast::Ident;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// `(xs: *[n]i64)`.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: Ident,
    pub(super) owned: bool,
    pub(super) ty: Type,
}

/// A result: `++[n]i64`.
#[derive(Clone, Debug)]
pub(super) struct ResultType {
    /// It is appended to a parameter.
    pub(super) appended: bool,
    pub(super) ty: Type,
}

/// `[n][m + 1]f64`.
#[derive(Clone, Debug)]
pub struct Type {
    pub(super) shape: Vec<Size>,
    /// The scalars' type.
    pub elem: Scalar,
    /// The place.
    pub at: Span,
}

/// What stands between the brackets of a dimension.
#[derive(Clone, Debug)]
pub(super) enum Size {
    /// Nothing, as in the type of an external function.
    Any,
    Const(i64),
    Name(Ident),
    Sum(Box<Size>, Box<Size>),
    Product(Box<Size>, Box<Size>),
    /// A size times a power of two: the size, and the exponent.
    Shifted(Box<Size>, i64),
}

//! Types as they are written, before it is known what their names mean.
//!
//! Invariant: a type has its place.
//!
//! ```text
//! (xs: *[n + 1]f64)   ⇒   Param { name: xs, owned, ty: Type { shape: [Sum(n, 1)], elem: f64 } }
//! ```

use crate::ir::ast::Ident;
use crate::prim::Scalar;
use crate::source::Span;

/// `(xs: *[n]i64)`.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: Ident,
    pub(super) owned: bool,
    pub(super) ty: Type,
}

/// A result: `++[n]i64`.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// It is appended to a parameter.
    pub(super) appended: bool,
    pub(super) ty: Type,
}

/// `[n][m + 1]f64`.
#[derive(Clone, Debug)]
pub(super) struct Type {
    pub(super) shape: Vec<Size>,
    pub(super) elem: Scalar,
    pub(super) at: Span,
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

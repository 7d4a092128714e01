//! What the text of a form says, before it is known what its names mean.
//!
//! Invariant: the tree has the places of what may be wrong in it.
//!
//! ```text
//! let ys = map (\x -> x + 1i64) xs   ⇒   Bind { vars: [ys], value: Apply(map, [Lambda, xs]) }
//! ```

use crate::ir::ast::Ident;
use crate::prim::{Const, Scalar};
use crate::source::Span;

/// A declaration.
#[derive(Clone, Debug)]
pub(super) enum Decl {
    /// `external f (x: []f64): i64`.
    External { effect: bool, name: Ident, params: Vec<Param>, results: Vec<Type> },
    /// `def f …` and `entry f …`.
    Function(Function),
}

/// A function.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) is_entry: bool,
    /// Its first word.
    pub(super) at: Span,
    pub(super) name: Ident,
    /// The sizes that the parameters bring along.
    pub(super) sizes: Vec<Ident>,
    pub(super) params: Vec<Param>,
    pub(super) results: Vec<Type>,
    pub(super) body: Block,
}

/// `(xs: *[n]i64)`.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: Ident,
    pub(super) owned: bool,
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
    /// Nothing: of an external.
    Any,
    Const(i64),
    Name(Ident),
    Sum(Box<Size>, Box<Size>),
    Product(Box<Size>, Box<Size>),
}

/// `let … in …`, or only what it yields.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) binds: Vec<Bind>,
    /// Atoms, or an operation whose result the block yields.
    pub(super) last: Term,
}

/// `let (a, b: [k]i64) = …`.
#[derive(Clone, Debug)]
pub(super) struct Bind {
    pub(super) vars: Vec<Binder>,
    pub(super) value: Term,
}

/// A variable where it is bound, with its type if the text says it.
#[derive(Clone, Debug)]
pub(super) struct Binder {
    /// `_` binds nothing.
    pub(super) name: Option<Ident>,
    pub(super) ty: Option<Type>,
}

/// An expression and its place.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) kind: Kind,
    pub(super) at: Span,
}

/// `\(a, b) x -> …`: the groups of parameters as they are written.
#[derive(Clone, Debug)]
pub(super) struct Lambda {
    pub(super) params: Vec<Vec<Binder>>,
    pub(super) body: Block,
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Const(Const),
    Text(String),
    Name(String),
    /// `f x y`, `f64.max x y`.
    Apply(String, Vec<Term>),
    /// `!x`, `-x`.
    Prefix(&'static str, Box<Term>),
    Infix(Box<Term>, String, Box<Term>),
    /// `a[i, j]`.
    Index(Ident, Vec<Term>),
    /// `a with [i, j] = x`.
    Replace(Ident, Vec<Term>, Box<Term>),
    Tuple(Vec<Term>),
    List(Vec<Term>),
    /// `([]: [0]i64)`.
    Empty(Type),
    Lambda(Box<Lambda>),
    /// `assert c else slice "from " i`.
    Assert(Box<Term>, Ident, Vec<Term>),
    If(Box<Term>, Box<Block>, Box<Block>),
    Loop(Box<Loop>),
}

/// `loop (a, b) = (x, y) for i < n do …`.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) carried: Vec<Binder>,
    pub(super) init: Term,
    pub(super) form: LoopForm,
    pub(super) body: Block,
}

/// How long a loop goes on.
#[derive(Clone, Debug)]
pub(super) enum LoopForm {
    For(Ident, Term),
    While(Lambda),
}

//! Typed expressions whose types are not solved yet.
//!
//! Invariant: a type in such an expression may have metavariables, which the [`super::solve::Unifier`] binds. The
//! walk over a definition makes these expressions; [`super::finish`] turns them into core when all is solved.
//!
//! ```text
//! x + 1   ⇒   App(BinOp Add: ?3 -> ?3 -> ?3, [x: ?3, Int(1): ?3])
//! ```

use crate::core;
use crate::core::{Phase, Type};
use arrc_syntax::ast;
use arrc_syntax::ids::LocalId;
use arrc_syntax::prim::{BinOp, Const};
use arrc_syntax::source::Span;

/// The phase of expressions whose types are not solved yet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Open {}

impl Phase for Open {
    type Literal = Literal;
    type Local = Use;
}

/// A typed expression.
pub(super) type Expr = core::Expr<Open>;
/// The kinds of expressions.
pub(super) type ExprKind = core::ExprKind<Open>;
/// A pattern.
pub(super) type Pat = core::Pat<Open>;
/// A parameter.
pub(super) type Param = core::Param<Open>;
/// One case of a `match`.
pub(super) type Case = core::Case<Open>;
/// An index or a slice.
pub(super) type Dim = core::Dim<Open>;
/// A step from a value to a part of it.
pub(super) type Step = core::Step<Open>;
/// A range.
pub(super) type Range = core::Range<Open>;
/// An assertion.
pub(super) type Assert = core::Assert<Open>;
/// A loop.
pub(super) type Loop = core::Loop<Open>;
/// The form of a loop: it decides how many steps the loop takes.
pub(super) type LoopForm = core::LoopForm<Open>;
/// A with-loop.
pub(super) type With = core::With<Open>;
/// The indices of a box or a grid.
pub(super) type Generator = core::Generator<Open>;
/// An operator of a with-loop.
pub(super) type Operator = core::Operator<Open>;

/// A literal, whose type is that of its expression.
#[derive(Clone, Copy, Debug)]
pub(super) enum Literal {
    /// A whole number, and whether it is negated.
    Int(u128, bool),
    /// A number with a fraction or an exponent, and whether it is negated.
    Float(ast::Float, bool),
    /// The neutral element of this operator.
    Neutral(BinOp),
    /// Any other constant.
    Const(Const),
}

/// A use of a local variable.
#[derive(Clone, Debug)]
pub(super) struct Use {
    /// The variable.
    pub(super) var: LocalId,
    /// The types at which it is used, if it is a polymorphic local function.
    pub(super) types: Vec<Type>,
}

impl From<LocalId> for Use {
    fn from(var: LocalId) -> Self {
        Self { var, types: Vec::new() }
    }
}

impl Expr {
    /// A literal.
    pub(super) fn literal(literal: Literal, ty: Type, span: Span) -> Self {
        Self { kind: ExprKind::Const(literal), ty, span }
    }

    /// A variable that is no polymorphic function.
    pub(super) fn var(var: LocalId, ty: Type, span: Span) -> Self {
        Self { kind: ExprKind::Var(var.into()), ty, span }
    }
}

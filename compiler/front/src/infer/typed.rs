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
pub(super) enum Unsolved {}

impl Phase for Unsolved {
    type Literal = Literal;
    type Local = VarUse;
}

/// A typed expression.
pub(super) type Expr = core::Expr<Unsolved>;
/// The kinds of expressions.
pub(super) type ExprKind = core::ExprKind<Unsolved>;
/// A pattern.
pub(super) type Pat = core::Pat<Unsolved>;
/// A parameter.
pub(super) type Param = core::Param<Unsolved>;
/// One case of a `match`.
pub(super) type Case = core::Case<Unsolved>;
/// An index or a slice.
pub(super) type Dim = core::Dim<Unsolved>;
/// A step from a value to a part of it.
pub(super) type Accessor = core::Accessor<Unsolved>;
/// A range.
pub(super) type Range = core::Range<Unsolved>;
/// An assertion.
pub(super) type Assert = core::Assert<Unsolved>;
/// A loop.
pub(super) type Loop = core::Loop<Unsolved>;
/// The form of a loop: it decides how many steps the loop takes.
pub(super) type LoopForm = core::LoopForm<Unsolved>;
/// A with-loop.
pub(super) type With = core::With<Unsolved>;
/// The indices of a box or a grid.
pub(super) type Generator = core::Generator<Unsolved>;
/// An operator of a with-loop.
pub(super) type Operator = core::Operator<Unsolved>;

/// A literal, whose type is that of its expression.
#[derive(Clone, Copy, Debug)]
pub(super) enum Literal {
    /// A whole number, and whether it is negated.
    Int(u128, bool),
    /// A number with a fraction or an exponent, and whether it is negated.
    Float(ast::FloatLiteral, bool),
    /// The neutral element of this operator.
    Neutral(BinOp),
    /// Any other constant.
    Const(Const),
}

/// A use of a local variable.
#[derive(Clone, Debug)]
pub(super) struct VarUse {
    /// The variable.
    pub(super) var: LocalId,
    /// The types at which it is used, if it is a polymorphic local function.
    pub(super) types: Vec<Type>,
}

impl From<LocalId> for VarUse {
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

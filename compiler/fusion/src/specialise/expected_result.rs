//! The expected result of a call before the call is evaluated: its type in core.
//!
//! The operands of a worker nearly always determine the sizes of the rows that it makes. The expected type determines
//! them where only a symbol of the worker does, as that of `iota (n * m)`, and where only the type does, as with
//! `unflatten`.
//!
//! Invariant: types are evaluated only when asked for.
//!
//! ```text
//! map (\i -> iota (n * m)) xs : [k][n * m]i64    the worker's result is wanted to be of [n * m]i64
//! ```

use super::Specialiser;
use super::value::{Env, Ty, TyLeaf};
use crate::specialise::value_tree::Tree;
use arrc_front::core;
use arrc_syntax::source::Span;

/// A place where something is called.
#[derive(Clone, Copy)]
pub(super) struct CallSite<'e, 'a> {
    /// The call's text.
    pub(super) span: Span,
    /// Its expected result.
    pub(super) wanted: ExpectedResult<'e, 'a>,
}

/// An expected result.
#[derive(Clone, Copy)]
pub(super) enum ExpectedResult<'e, 'a> {
    /// Nothing.
    Unknown,
    /// A type of core, to be evaluated.
    Core(&'e Env<'a>, &'e core::Type),
    /// A type.
    Known(&'e Ty),
}

impl<'e, 'a> CallSite<'e, 'a> {
    /// A place without an expected result.
    pub(super) fn span(span: Span) -> Self {
        Self { span, wanted: ExpectedResult::Unknown }
    }

    /// The place where an element of the result is made.
    pub(super) fn element(self) -> Self {
        Self { wanted: self.wanted.element(), ..self }
    }
}

impl ExpectedResult<'_, '_> {
    fn element(self) -> Self {
        match self {
            Self::Core(env, core::Type::Array(_, elem)) => Self::Core(env, elem),
            Self::Core(env, core::Type::Exists(_, ty)) => Self::Core(env, ty).element(),
            Self::Core(env, core::Type::Var(var)) => {
                env.types.get(var).map_or(Self::Unknown, |ty| Self::Known(ty).element())
            }
            Self::Known(Tree::Leaf(TyLeaf::Array(_, elem))) => Self::Known(elem),
            Self::Known(_)
            | Self::Unknown
            | Self::Core(
                _,
                core::Type::Scalar(_)
                | core::Type::Tuple(_)
                | core::Type::Record(_)
                | core::Type::Sum(_)
                | core::Type::Fun(..)
                | core::Type::Hidden(_),
            ) => Self::Unknown,
        }
    }
}

impl<'a> Specialiser<'a> {
    /// The type that a result has, if that is known.
    pub(super) fn expected_type(&mut self, at: CallSite<'_, 'a>) -> Option<Ty> {
        match at.wanted {
            ExpectedResult::Unknown => None,
            ExpectedResult::Core(env, ty) => self.eval_type(env, ty, at.span).ok(),
            ExpectedResult::Known(ty) => Some(ty.clone()),
        }
    }
}

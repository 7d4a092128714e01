//! The reason why two types cannot be unified.
//!
//! Invariant: the two sides of a clash have the order of the arguments of [`super::Unifier::unify`].
//!
//! ```text
//! unify i64 with [n]f64   ⇒   Types { expected: i64, found: [n]f64 }
//! ```

use super::OperatorSite;
use crate::core::{Size, Type};
use arrc_syntax::ids::{SizeVar, TypeVar};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// The reason why two types cannot be unified.
#[derive(Clone, Debug)]
pub(crate) enum UnifyError {
    /// These two differ.
    Types { expected: Box<Type>, found: Box<Type> },
    /// These two sizes differ.
    Sizes { expected: Size, found: Size },
    /// A type would have to contain itself.
    Infinite { var: TypeVar, ty: Box<Type> },
    /// A size would have to be known before it was computed.
    Escape { size: SizeVar },
    /// A local type parameter would be known outside its function.
    TypeEscape { var: TypeVar },
    /// An operator is not defined on this type.
    Operator { operator: OperatorSite, ty: Box<Type> },
    /// This type does not have this field.
    Field { name: Name, span: Span, ty: Box<Type> },
    /// This type does not have this constructor, or the constructor does not have `given` payloads.
    Constructor { name: Name, span: Span, given: usize, ty: Box<Type> },
}

impl UnifyError {
    pub(crate) fn types(expected: Type, found: Type) -> Self {
        Self::Types { expected: Box::new(expected), found: Box::new(found) }
    }

    pub(crate) fn operator(operator: &OperatorSite, ty: Type) -> Self {
        Self::Operator { operator: operator.clone(), ty: Box::new(ty) }
    }

    pub(crate) fn field(name: &Name, span: Span, ty: Type) -> Self {
        Self::Field { name: name.clone(), span, ty: Box::new(ty) }
    }

    /// A clash in a part of `ty`, as a clash of the whole types.
    pub(crate) fn inside(self, ty: &Type) -> Self {
        if let Self::Infinite { var, .. } = self {
            return Self::Infinite { var, ty: Box::new(ty.clone()) };
        }
        self
    }

    /// The same clash with its sides swapped.
    pub(crate) fn flipped(self) -> Self {
        match self {
            Self::Types { expected, found } => Self::Types { expected: found, found: expected },
            Self::Sizes { expected, found } => Self::Sizes { expected: found, found: expected },
            Self::Infinite { .. }
            | Self::Escape { .. }
            | Self::TypeEscape { .. }
            | Self::Operator { .. }
            | Self::Field { .. }
            | Self::Constructor { .. } => self,
        }
    }
}

//! Queries on types that may not be fully known.
//!
//! Invariant: nothing here binds a metavariable.
//!
//! ```text
//! has_function (?a, i64 -> ?b)   ⇒   true
//! ```

use super::{Bounds, ScalarSet, SizeState, TypeState, Unifier};
use crate::core::Type;
use arrc_syntax::ids::{SizeVar, TypeVar};
use arrc_syntax::prim::Scalar;

impl Unifier {
    /// Whether `ty` has a function in it.
    pub(crate) fn has_function(&self, ty: &Type) -> bool {
        match self.head_ref(ty) {
            Type::Scalar(_) | Type::Var(_) => false,
            Type::Tuple(items) => items.iter().any(|ty| self.has_function(ty)),
            Type::Record(fields) => fields.values().any(|ty| self.has_function(ty)),
            Type::Sum(constructors) => {
                constructors.values().flatten().any(|ty| self.has_function(ty))
            }
            Type::Array(_, element) => self.has_function(element),
            Type::Fun(..) => true,
            Type::Exists(_, body) => self.has_function(body),
            Type::Hidden(hidden) => {
                hidden.may_be_function || hidden.types.iter().any(|ty| self.has_function(ty))
            }
        }
    }

    /// Whether a part of `ty` is not known, other than because of a reported error.
    pub(crate) fn has_variable(&self, ty: &Type) -> bool {
        match self.head_ref(ty) {
            Type::Scalar(_) => false,
            Type::Var(_) => !self.is_error(ty),
            Type::Tuple(items) => items.iter().any(|ty| self.has_variable(ty)),
            Type::Record(fields) => fields.values().any(|ty| self.has_variable(ty)),
            Type::Sum(constructors) => {
                constructors.values().flatten().any(|ty| self.has_variable(ty))
            }
            Type::Array(_, element) => self.has_variable(element),
            Type::Fun(_, param, result) => self.has_variable(param) || self.has_variable(result),
            Type::Exists(_, body) => self.has_variable(body),
            Type::Hidden(hidden) => hidden.types.iter().any(|ty| self.has_variable(ty)),
        }
    }

    /// Whether a part of `ty` has an error that was reported.
    pub(crate) fn has_error(&self, ty: &Type) -> bool {
        match self.head_ref(ty) {
            Type::Scalar(_) => false,
            Type::Var(_) => self.is_error(ty),
            Type::Tuple(items) => items.iter().any(|ty| self.has_error(ty)),
            Type::Record(fields) => fields.values().any(|ty| self.has_error(ty)),
            Type::Sum(constructors) => constructors.values().flatten().any(|ty| self.has_error(ty)),
            Type::Array(_, element) => self.has_error(element),
            Type::Fun(_, param, result) => self.has_error(param) || self.has_error(result),
            Type::Exists(_, body) => self.has_error(body),
            Type::Hidden(hidden) => hidden.types.iter().any(|ty| self.has_error(ty)),
        }
    }

    /// The scalars that `ty` may be. None if it may be another type.
    pub(crate) fn scalars(&self, ty: &Type) -> Option<ScalarSet> {
        match self.head_ref(ty) {
            Type::Scalar(scalar) => Some(ScalarSet::of(|other| other == *scalar)),
            Type::Var(var) => match &self.types[*var].state {
                TypeState::Free(_, bounds) => bounds.scalars(),
                TypeState::Rigid(_) | TypeState::Bound(_) | TypeState::Error => None,
            },
            Type::Tuple(_)
            | Type::Record(_)
            | Type::Sum(_)
            | Type::Array(..)
            | Type::Fun(..)
            | Type::Exists(..)
            | Type::Hidden(_) => None,
        }
    }

    /// Whether `ty` is the type of a number without a suffix.
    pub(crate) fn is_literal(&self, ty: &Type) -> bool {
        let var = self.as_free(ty);
        var.is_some_and(|var| match &self.types[var].state {
            TypeState::Free(_, bounds) => bounds.literal().is_some(),
            TypeState::Rigid(_) | TypeState::Bound(_) | TypeState::Error => false,
        })
    }

    /// The scalar that `ty` is.
    pub(crate) fn as_scalar(&self, ty: &Type) -> Option<Scalar> {
        if let Type::Scalar(scalar) = self.head_ref(ty) { Some(*scalar) } else { None }
    }

    /// Whether an unknown type must be a scalar.
    pub(crate) fn is_number(&self, ty: &Type) -> bool {
        let Type::Var(var) = self.head_ref(ty) else { return false };
        matches!(&self.types[*var].state, TypeState::Free(_, bounds) if bounds.scalars().is_some())
    }

    /// The bounds of a metavariable.
    pub(crate) fn bounds(&self, var: TypeVar) -> Option<&Bounds> {
        match &self.types[var].state {
            TypeState::Free(_, bounds) => Some(bounds),
            TypeState::Rigid(_) | TypeState::Bound(_) | TypeState::Error => None,
        }
    }

    /// Whether a size is rigid.
    pub(crate) fn is_rigid_size(&self, id: SizeVar) -> bool {
        matches!(self.sizes[id].state, SizeState::Rigid(_))
    }

    /// Whether a type, with `types` in the place of its variables, is at most `depth` deep and has at most `left`
    /// parts. Its parts are subtracted from `left`.
    pub(crate) fn fits(
        &self,
        ty: &Type,
        types: &[(TypeVar, Type)],
        depth: usize,
        left: &mut usize,
    ) -> bool {
        let (Some(rest), Some(depth)) = (left.checked_sub(1), depth.checked_sub(1)) else {
            return false;
        };
        *left = rest;
        let mut go = |ty: &Type| self.fits(ty, types, depth, left);
        match self.head_ref(ty) {
            Type::Scalar(_) => true,
            Type::Tuple(items) => items.iter().all(go),
            Type::Record(fields) => fields.values().all(go),
            Type::Sum(constructors) => constructors.values().flatten().all(go),
            Type::Array(_, element) => go(element),
            Type::Fun(_, from, to) => go(from) && go(to),
            Type::Exists(_, body) => go(body),
            Type::Hidden(hidden) => hidden.types.iter().all(go),
            Type::Var(var) => match types.iter().find(|(replaced, _)| replaced == var) {
                Some((_, by)) => self.fits(by, &[], depth, left),
                None => true,
            },
        }
    }
}

//! Metavariables that are left after the walk of a definition or a local function.
//!
//! Invariant: a metavariable with a bound is not generalised.
//!
//! ```text
//! default of ?a, a number   ⇒   i32
//! ```

use super::{Level, TypeState, Unifier, UnifyError};
use crate::core::{Size, Type};
use arrc_syntax::ids::TypeVar;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

impl Unifier {
    /// Prevents the metavariables that got a bound since `bounded` from being generalised.
    pub(crate) fn prevent_generalisation(
        &mut self,
        bounded: usize,
        level: Level,
    ) -> Result<(), (UnifyError, Span)> {
        for at in bounded..self.bounded.len() {
            let var = self.bounded[at];
            let TypeState::Free(made, bounds) = &mut self.types[var].state else { continue };
            *made = level.min(*made);
            let bounds = bounds.clone();
            for field in bounds.fields {
                self.lower(None, level, &field.ty).map_err(|clash| (clash, field.span))?;
            }
            for constructor in bounds.constructors {
                for ty in &constructor.payloads {
                    self.lower(None, level, ty).map_err(|clash| (clash, constructor.span))?;
                }
            }
        }
        Ok(())
    }

    /// The level of a metavariable.
    pub(crate) fn type_level(&self, var: TypeVar) -> Level {
        match self.types[var].state {
            TypeState::Free(level, _) | TypeState::Rigid(level) => level,
            TypeState::Bound(_) | TypeState::Error => Level::default(),
        }
    }

    /// The type that a metavariable gets if nothing determines it. Only one that must be a number, or comparable, has
    /// such a type.
    pub(crate) fn default_of(&self, var: TypeVar) -> Option<Type> {
        let bounds = self.bounds(var)?;
        match (bounds.scalars(), &bounds.equality) {
            (Some(set), _) if bounds.is_index && set.has(Scalar::I64) => {
                Some(Type::Scalar(Scalar::I64))
            }
            (Some(set), _) => Some(Type::Scalar(set.default())),
            (None, Some(_)) if bounds.fields.is_empty() && bounds.constructors.is_empty() => {
                Some(Type::Scalar(Scalar::I32))
            }
            (None, _) => None,
        }
    }

    /// A type in which all solved variables are replaced, and unsolved literals are `i32`.
    pub(crate) fn defaulted(&self, ty: &Type) -> Type {
        let default = |var| self.is_free(var).then_some(Type::Scalar(Scalar::I32));
        let size = |size: Size| size.substitute(|id| self.is_free_size(id).then(Size::default));
        self.rewrite(ty, &default, &size)
    }
}

//! Requirements on a type before it is known: to be one of some scalars, to be comparable, to have a field or a
//! constructor.
//!
//! Invariant: a known type is checked at once. A metavariable remembers its requirements. When it is bound to a type,
//! the type is checked.
//!
//! ```text
//! field ?a x   ⇒   ?b, and ?a has a field x: ?b
//! ```

use super::unify::UnifySide;
use super::{
    BoundReason, Bounds, ConstructorBound, FieldBound, OperatorSite, ScalarBound, ScalarSet,
    TypeState, Unifier, UnifyError, component,
};
use crate::core::Type;
use arrc_syntax::ids::TypeVar;
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

impl Unifier {
    /// Narrows a type to one of some scalars.
    pub(crate) fn bound_scalar(&mut self, ty: &Type, bound: ScalarBound) -> Result<(), UnifyError> {
        let narrowed = self.fresh_scalar(bound);
        self.unify(&narrowed, ty)
    }

    /// Narrows a type to the integers. Its default is `i64`.
    pub(crate) fn bound_index(&mut self, ty: &Type) -> Result<(), UnifyError> {
        self.bound_scalar(
            ty,
            ScalarBound::new(ScalarSet::of(Scalar::is_integer), BoundReason::Literal),
        )?;
        if let Some(var) = self.as_free(ty)
            && let TypeState::Free(_, bounds) = &mut self.types[var].state
        {
            bounds.is_index = true;
        }
        Ok(())
    }

    /// Requires that the values of a type can be compared.
    pub(crate) fn bound_equality(
        &mut self,
        ty: &Type,
        operator: &OperatorSite,
    ) -> Result<(), UnifyError> {
        let clash = |ty: Type| Err(UnifyError::operator(operator, ty));
        match self.head(ty) {
            Type::Scalar(_) => Ok(()),
            Type::Tuple(items) => items.iter().try_for_each(|ty| self.bound_equality(ty, operator)),
            Type::Record(fields) => {
                fields.values().try_for_each(|ty| self.bound_equality(ty, operator))
            }
            Type::Sum(constructors) => {
                constructors.values().flatten().try_for_each(|ty| self.bound_equality(ty, operator))
            }
            Type::Var(var) => match &mut self.types[var].state {
                TypeState::Free(_, bounds) => {
                    bounds.equality.get_or_insert_with(|| operator.clone());
                    self.bounded.push(var);
                    Ok(())
                }
                TypeState::Error => Ok(()),
                TypeState::Rigid(_) | TypeState::Bound(_) => clash(Type::Var(var)),
            },
            ty @ (Type::Array(..) | Type::Fun(..) | Type::Exists(..) | Type::Hidden(_)) => {
                clash(ty)
            }
        }
    }

    /// The type of a field or a component of `ty`. If `ty` is not known yet, the type is found when `ty` is.
    pub(crate) fn field(&mut self, ty: &Type, name: &Name, span: Span) -> Result<Type, UnifyError> {
        let head = self.head(ty);
        let missing = || UnifyError::field(name, span, head.clone());
        match &head {
            Type::Tuple(items) => {
                component(name).and_then(|at| items.get(at)).cloned().ok_or_else(missing)
            }
            Type::Record(fields) => fields.get(name).cloned().ok_or_else(missing),
            Type::Var(var) if self.is_free(*var) => self.bound_field(*var, name, span),
            Type::Var(var) if matches!(self.types[*var].state, TypeState::Error) => {
                Ok(self.error_type())
            }
            Type::Scalar(_)
            | Type::Sum(_)
            | Type::Array(..)
            | Type::Fun(..)
            | Type::Var(_)
            | Type::Exists(..)
            | Type::Hidden(_) => Err(missing()),
        }
    }

    /// Requires a field of a type that is not known yet.
    fn bound_field(&mut self, var: TypeVar, name: &Name, span: Span) -> Result<Type, UnifyError> {
        let ty = self.fresh();
        let TypeState::Free(_, bounds) = &mut self.types[var].state else {
            panic!("only a metavariable gets bounds");
        };
        if !bounds.scalars.is_empty() {
            return Err(UnifyError::field(name, span, Type::Var(var)));
        }
        if let Some(field) = bounds.fields.iter().find(|field| field.name == *name) {
            return Ok(field.ty.clone());
        }
        bounds.fields.push(FieldBound { name: name.clone(), span, ty: ty.clone() });
        self.bounded.push(var);
        Ok(ty)
    }

    /// Checks that a type is one of the required scalars.
    pub(super) fn check_scalars(
        &self,
        bounds: &Bounds,
        var: TypeVar,
        ty: &Type,
        side: UnifySide,
    ) -> Result<(), UnifyError> {
        let is_unfit = |bound: &&ScalarBound| !matches!(ty, Type::Scalar(s) if bound.own.has(*s));
        let unfit: Vec<&ScalarBound> = bounds.scalars.iter().filter(is_unfit).collect();
        let operator = unfit.iter().find(|bound| bound.why.operator().is_some());
        let Some(bound) = operator.or(unfit.first()) else { return Ok(()) };
        Err(match (&bound.why, side) {
            (BoundReason::Operator(operator), _) => UnifyError::operator(operator, ty.clone()),
            (BoundReason::Literal, UnifySide::Expected) => {
                UnifyError::types(Type::Var(var), ty.clone())
            }
            (BoundReason::Literal, UnifySide::Found) => {
                UnifyError::types(ty.clone(), Type::Var(var))
            }
        })
    }

    /// Requires of a type the fields that its metavariable had to have.
    pub(super) fn require_fields(
        &mut self,
        ty: &Type,
        fields: &[FieldBound],
    ) -> Result<(), UnifyError> {
        for field in fields {
            let found = self.field(ty, &field.name, field.span)?;
            self.unify(&field.ty, &found)?;
        }
        Ok(())
    }

    /// Requires a constructor of a type.
    pub(crate) fn bound_constructor(
        &mut self,
        ty: &Type,
        bound: ConstructorBound,
    ) -> Result<(), UnifyError> {
        let head = self.head(ty);
        let ConstructorBound { name, span, payloads } = &bound;
        let clash = |ty: &Type| {
            let (name, ty) = (name.clone(), Box::new(ty.clone()));
            Err(UnifyError::Constructor { name, span: *span, given: payloads.len(), ty })
        };
        match &head {
            Type::Sum(constructors) => match constructors.get(name) {
                Some(own) if own.len() == payloads.len() => {
                    own.iter().zip(payloads).try_for_each(|(own, found)| self.unify(own, found))
                }
                Some(_) | None => clash(&head),
            },
            Type::Var(var) => match &mut self.types[*var].state {
                TypeState::Free(_, bounds) if bounds.scalars.is_empty() => {
                    let known = bounds.constructors.iter().find(|known| known.name == *name);
                    let Some(known) = known.cloned() else {
                        bounds.constructors.push(bound);
                        self.bounded.push(*var);
                        return Ok(());
                    };
                    if known.payloads.len() != payloads.len() {
                        return clash(&head);
                    }
                    let mut pairs = known.payloads.iter().zip(payloads);
                    pairs.try_for_each(|(known, found)| self.unify(known, found))
                }
                TypeState::Error => Ok(()),
                TypeState::Free(..) | TypeState::Rigid(_) | TypeState::Bound(_) => clash(&head),
            },
            Type::Scalar(_)
            | Type::Tuple(_)
            | Type::Record(_)
            | Type::Array(..)
            | Type::Fun(..)
            | Type::Exists(..)
            | Type::Hidden(_) => clash(&head),
        }
    }

    /// Requires of a type the constructors that its metavariable had to have.
    pub(crate) fn require_constructors(
        &mut self,
        ty: &Type,
        constructors: &[ConstructorBound],
    ) -> Result<(), UnifyError> {
        constructors.iter().try_for_each(|bound| self.bound_constructor(ty, bound.clone()))
    }

    /// A copy of a type, with new open sizes in place of its open sizes.
    pub(crate) fn with_own_sizes(&mut self, ty: &Type) -> Type {
        let mut sizes = Vec::new();
        self.sizes_of(ty, &mut sizes);
        sizes.retain(|&size| self.is_free_size(size));
        let own: Vec<_> =
            sizes.into_iter().map(|size| (size, self.fresh_size_like(size))).collect();
        self.substitute(ty, &[], &own)
    }
}

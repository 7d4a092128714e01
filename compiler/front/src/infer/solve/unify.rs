//! Unification of types.
//!
//! Invariant: no metavariable is bound to a type that contains it, or to a type of a deeper level.
//!
//! ```text
//! unify [?n](?a, bool) with [k](f64, bool)   ⇒   ?n = k, ?a = f64
//! ```

use super::{Bounds, Level, TypeState, Unifier, UnifyError, have_same_constructors};
use crate::core::{Size, Type};
use arrc_syntax::ids::{SizeVar, TypeVar};

impl Unifier {
    /// Unifies two types.
    pub(crate) fn unify(&mut self, expected: &Type, found: &Type) -> Result<(), UnifyError> {
        let (expected, found) = (self.head(expected), self.head(found));
        match (&expected, &found) {
            (Type::Var(a), Type::Var(b)) if a == b => Ok(()),
            (Type::Var(a), _) if matches!(self.types[*a].state, TypeState::Error) => Ok(()),
            (_, Type::Var(b)) if matches!(self.types[*b].state, TypeState::Error) => Ok(()),
            (Type::Var(a), Type::Var(b)) if self.is_free(*a) && self.is_free(*b) => {
                self.merge(*a, *b)
            }
            (Type::Var(a), _) if self.is_free(*a) => self.bind(*a, &found, UnifySide::Expected),
            (_, Type::Var(b)) if self.is_free(*b) => self.bind(*b, &expected, UnifySide::Found),
            (Type::Scalar(a), Type::Scalar(b)) if a == b => Ok(()),
            (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
                a.iter().zip(b).try_for_each(|(a, b)| self.unify(a, b))
            }
            (Type::Record(a), Type::Record(b)) if a.len() == b.len() => {
                a.iter().try_for_each(|(name, a)| match b.get(name) {
                    Some(b) => self.unify(a, b),
                    None => Err(UnifyError::types(expected.clone(), found.clone())),
                })
            }
            (Type::Sum(a), Type::Sum(b)) if have_same_constructors(a, b) => {
                let pairs = a.iter().flat_map(|(name, tys)| tys.iter().zip(&b[name]));
                pairs.into_iter().try_for_each(|(a, b)| self.unify(a, b))
            }
            (Type::Array(n, a), Type::Array(m, b)) => {
                self.unify(a, b)?;
                self.unify_sizes(n, m)
            }
            (Type::Fun(k, pa, ra), Type::Fun(j, pb, rb)) => {
                self.unify(pb, pa).map_err(UnifyError::flipped)?;
                self.unify_dependent((*k, ra), (*j, rb))
            }
            (Type::Hidden(a), Type::Hidden(b)) if a.id == b.id => {
                a.types.iter().zip(&b.types).try_for_each(|(a, b)| self.unify(a, b))?;
                a.sizes.iter().zip(&b.sizes).try_for_each(|(n, m)| self.unify_sizes(n, m))
            }
            (Type::Exists(..), _) | (_, Type::Exists(..)) => self.unify_results(&expected, &found),
            _ => Err(UnifyError::types(expected, found)),
        }
    }

    /// Unifies two metavariables.
    fn merge(&mut self, expected: TypeVar, found: TypeVar) -> Result<(), UnifyError> {
        let (level, bounds) = self.take_free(expected);
        let TypeState::Free(to, mine) = &mut self.types[found].state else {
            panic!("only metavariables are merged");
        };
        let mut merged = mine.clone();
        let clash = bounds.scalars.iter().find_map(|bound| merged.narrow(bound).err());
        if let Some(why) = clash {
            self.types[expected].state = TypeState::Free(level, bounds);
            let (expected, ty) = (Type::Var(expected), Type::Var(found));
            return Err(match why {
                Some(operator) => UnifyError::operator(&operator, ty),
                None => UnifyError::types(expected, ty),
            });
        }
        if merged.equality.is_none() {
            merged.equality.clone_from(&bounds.equality);
        }
        merged.is_index |= bounds.is_index;
        let level = level.min(*to);
        let is_new = !bounds.is_empty() || !mine.is_empty();
        // Union by rank: the chain from a variable to the type that it stands for stays short.
        let (root, other) = if self.types[expected].rank > self.types[found].rank {
            (expected, found)
        } else {
            (found, expected)
        };
        let below = self.types[other].rank + 1;
        let entry = &mut self.types[root];
        entry.rank = entry.rank.max(below);
        entry.state = TypeState::Free(level, merged);
        self.types[other].state = TypeState::Bound(Type::Var(root));
        if is_new {
            self.bounded.push(root);
        }
        self.require_fields(&Type::Var(root), &bounds.fields)?;
        self.require_constructors(&Type::Var(root), &bounds.constructors)
    }

    /// Binds a metavariable to a type that is no metavariable.
    fn bind(&mut self, var: TypeVar, ty: &Type, side: UnifySide) -> Result<(), UnifyError> {
        let TypeState::Free(level, bounds) = self.types[var].state.clone() else {
            panic!("only a metavariable is bound");
        };
        if let Type::Exists(sizes, _) = ty {
            let size = *sizes.first().expect("?[k] has at least one size");
            return Err(UnifyError::Escape { size });
        }
        self.check_scalars(&bounds, var, ty, side)?;
        if let Some(operator) = &bounds.equality {
            self.bound_equality(ty, operator)?;
        }
        self.lower(Some(var), level, ty).map_err(|clash| clash.inside(ty))?;
        self.types[var].state = TypeState::Bound(ty.clone());
        self.require_fields(ty, &bounds.fields)?;
        self.require_constructors(ty, &bounds.constructors)
    }

    /// Takes a metavariable's state out, to be replaced.
    fn take_free(&mut self, var: TypeVar) -> (Level, Bounds) {
        match std::mem::replace(&mut self.types[var].state, TypeState::Error) {
            TypeState::Free(level, bounds) => (level, bounds),
            TypeState::Rigid(_) | TypeState::Bound(_) | TypeState::Error => {
                panic!("only a metavariable is merged")
            }
        }
    }

    /// Makes a type known at `level`: its metavariables move to that level. A rigid type or size of a deeper level in
    /// it is a clash, and so is `var`.
    pub(crate) fn lower(
        &mut self,
        var: Option<TypeVar>,
        level: Level,
        ty: &Type,
    ) -> Result<(), UnifyError> {
        let mut sizes = Vec::new();
        self.sizes_of(ty, &mut sizes);
        for size in sizes {
            self.lower_size(level, &Size::symbol(size))?;
        }
        self.lower_types(var, level, ty)
    }

    /// [`Self::lower`] for the type variables.
    fn lower_types(
        &mut self,
        var: Option<TypeVar>,
        level: Level,
        ty: &Type,
    ) -> Result<(), UnifyError> {
        match self.head(ty) {
            Type::Scalar(_) => Ok(()),
            Type::Tuple(items) => items.iter().try_for_each(|ty| self.lower_types(var, level, ty)),
            Type::Record(fields) => {
                fields.values().try_for_each(|ty| self.lower_types(var, level, ty))
            }
            Type::Sum(constructors) => {
                let mut payloads = constructors.values().flatten();
                payloads.try_for_each(|ty| self.lower_types(var, level, ty))
            }
            Type::Array(_, element) => self.lower_types(var, level, &element),
            Type::Fun(_, param, result) => {
                self.lower_types(var, level, &param)?;
                self.lower_types(var, level, &result)
            }
            Type::Exists(_, body) => self.lower_types(var, level, &body),
            Type::Hidden(hidden) => {
                hidden.types.iter().try_for_each(|ty| self.lower_types(var, level, ty))
            }
            Type::Var(found) if Some(found) == var => {
                Err(UnifyError::Infinite { var: found, ty: Box::new(ty.clone()) })
            }
            Type::Var(found) => match &mut self.types[found].state {
                TypeState::Free(old, _) => {
                    *old = level.min(*old);
                    Ok(())
                }
                TypeState::Rigid(made) if *made > level => {
                    Err(UnifyError::TypeEscape { var: found })
                }
                TypeState::Rigid(_) | TypeState::Error | TypeState::Bound(_) => Ok(()),
            },
        }
    }

    /// Unifies the results of two functions. They may mention the parameters `k` and `j` as sizes.
    fn unify_dependent(
        &mut self,
        (k, expected): (Option<SizeVar>, &Type),
        (j, found): (Option<SizeVar>, &Type),
    ) -> Result<(), UnifyError> {
        let Some(model) = k.or(j) else { return self.unify_results(expected, found) };
        let common = Size::symbol(self.inner_copy(model));
        let put = |this: &Self, own: Option<SizeVar>, ty: &Type| match own {
            Some(own) => this.substitute(ty, &[], &[(own, common.clone())]),
            None => ty.clone(),
        };
        let (expected, found) = (put(self, k, expected), put(self, j, found));
        self.unify_results(&expected, &found)
    }

    /// Unifies the results of two functions, where `?[k]` may stand. The found function chooses its sizes, so they
    /// become rigid. The expected sizes may be any, so they become metavariables.
    fn unify_results(&mut self, expected: &Type, found: &Type) -> Result<(), UnifyError> {
        let (expected, found) = (self.head(expected), self.head(found));
        let (own, body) = found.without_exists();
        if let (Type::Var(_), Some(&size)) = (&expected, own.first()) {
            return Err(UnifyError::Escape { size });
        }
        let copies: Vec<_> =
            own.iter().map(|&size| (size, Size::symbol(self.inner_copy(size)))).collect();
        let found = self.substitute(&body, &[], &copies);
        let (own, body) = expected.without_exists();
        let outer = self.level;
        self.level = outer.inner();
        let fresh: Vec<_> = own.iter().map(|&size| (size, self.fresh_size_like(size))).collect();
        self.level = outer;
        let expected = self.substitute(&body, &[], &fresh);
        self.unify(&expected, &found)
    }
}

/// The side of a metavariable.
#[derive(Clone, Copy, Debug)]
pub(super) enum UnifySide {
    /// The type that the context asks for.
    Expected,
    /// The type of the expression.
    Found,
}

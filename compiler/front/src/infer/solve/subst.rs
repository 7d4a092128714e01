//! Substitution of types and sizes: instances of schemes, and metavariables replaced by the types that they stand
//! for.
//!
//! Invariant: nothing here binds a metavariable.
//!
//! ```text
//! instance of ∀n a. [n]a -> ?[k].[k]a   ⇒   [?1]?2 -> ?[k].[k]?2
//! ```

use super::{TypeState, Unifier};
use crate::core::{Size, Type};
use arrc_syntax::ids::{SizeVar, TypeVar};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// A polymorphic type.
#[derive(Clone, Debug)]
pub(crate) struct Scheme {
    /// The types that it is quantified over.
    pub(crate) types: Vec<TypeVar>,
    /// The sizes that it is quantified over.
    pub(crate) sizes: Vec<SizeVar>,
    /// The type itself.
    pub(crate) ty: Type,
}

/// One instance of a [`Scheme`].
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// The types that were chosen, in the scheme's order.
    pub(crate) types: Vec<Type>,
    /// The sizes of the scheme, each with the size that was chosen.
    pub(crate) sizes: Vec<(SizeVar, Size)>,
    /// The type.
    pub(crate) ty: Type,
}

impl Scheme {
    /// The scheme of a type that is not polymorphic.
    pub(crate) fn mono(ty: Type) -> Self {
        Self { types: Vec::new(), sizes: Vec::new(), ty }
    }
}

impl Unifier {
    /// A scheme's type, with fresh metavariables for its quantified types and sizes.
    pub(crate) fn instantiate(&mut self, scheme: &Scheme, span: Span) -> Instance {
        if scheme.types.is_empty() && scheme.sizes.is_empty() {
            let ty = scheme.ty.clone();
            return Instance { types: Vec::new(), sizes: Vec::new(), ty };
        }
        let types: Vec<Type> = scheme.types.iter().map(|_| self.fresh()).collect();
        let mut sizes = Vec::new();
        for &size in &scheme.sizes {
            let name = self.sizes[size].info.name.clone();
            sizes.push((size, self.fresh_size(name, span)));
        }
        let by: Vec<_> = scheme.types.iter().copied().zip(types.iter().cloned()).collect();
        let ty = self.substitute(&scheme.ty, &by, &sizes);
        Instance { types, sizes, ty }
    }

    /// A type with some of its variables and sizes replaced.
    pub(crate) fn substitute(
        &self,
        ty: &Type,
        types: &[(TypeVar, Type)],
        sizes: &[(SizeVar, Size)],
    ) -> Type {
        self.rewrite(ty, &|var| find(types, var), &|size| {
            self.substitute_in_size(&size, |id| find(sizes, id))
        })
    }

    /// A type with every metavariable that is bound replaced.
    pub(crate) fn resolve(&self, ty: &Type) -> Type {
        self.rewrite(ty, &|_| None, &|size| size)
    }

    /// A type with its bound metavariables resolved, and then its variables and sizes replaced.
    pub(crate) fn rewrite(
        &self,
        ty: &Type,
        var: &dyn Fn(TypeVar) -> Option<Type>,
        size: &dyn Fn(Size) -> Size,
    ) -> Type {
        let go = |ty: &Type| self.rewrite(ty, var, size);
        match ty {
            Type::Scalar(scalar) => Type::Scalar(*scalar),
            Type::Tuple(items) => Type::Tuple(items.iter().map(go).collect()),
            Type::Record(fields) => {
                Type::Record(fields.iter().map(|(name, ty)| (name.clone(), go(ty))).collect())
            }
            Type::Sum(constructors) => {
                let constructors = constructors.iter();
                let with =
                    |(name, tys): (&Name, &Vec<Type>)| (name.clone(), tys.iter().map(go).collect());
                Type::Sum(constructors.map(with).collect())
            }
            Type::Array(length, element) => {
                Type::Array(size(self.resolve_size(length)), Box::new(go(element)))
            }
            Type::Fun(param, from, to) => Type::Fun(*param, Box::new(go(from)), Box::new(go(to))),
            Type::Exists(sizes, body) => Type::Exists(sizes.clone(), Box::new(go(body))),
            Type::Hidden(hidden) => {
                let sized = |own: &Size| size(self.resolve_size(own));
                Type::Hidden(Box::new(hidden.map(sized, go)))
            }
            Type::Var(id) => match &self.types[*id].state {
                TypeState::Bound(bound) => go(bound),
                TypeState::Rigid(_) | TypeState::Free(..) | TypeState::Error => {
                    var(*id).unwrap_or(Type::Var(*id))
                }
            },
        }
    }

    /// The metavariables in `ty` that are not bound, in order of writing.
    pub(crate) fn free_types(&self, ty: &Type, found: &mut Vec<TypeVar>) {
        match self.head_ref(ty) {
            Type::Scalar(_) => {}
            Type::Tuple(items) => items.iter().for_each(|ty| self.free_types(ty, found)),
            Type::Record(fields) => fields.values().for_each(|ty| self.free_types(ty, found)),
            Type::Sum(constructors) => {
                constructors.values().flatten().for_each(|ty| self.free_types(ty, found));
            }
            Type::Array(_, element) => self.free_types(element, found),
            Type::Fun(_, param, result) => {
                self.free_types(param, found);
                self.free_types(result, found);
            }
            Type::Exists(_, body) => self.free_types(body, found),
            Type::Hidden(hidden) => hidden.types.iter().for_each(|ty| self.free_types(ty, found)),
            Type::Var(var) => {
                if self.is_free(*var) && !found.contains(var) {
                    found.push(*var);
                }
            }
        }
    }

    /// The symbols of the sizes in `ty`, in order of writing, except those that `ty` binds itself.
    pub(crate) fn sizes_of(&self, ty: &Type, found: &mut Vec<SizeVar>) {
        self.sizes_inside(ty, &mut Vec::new(), found);
    }

    /// The symbols in `size` except those in `own`.
    fn symbols_of(&self, size: &Size, own: &[SizeVar], found: &mut Vec<SizeVar>) {
        for id in self.resolve_size(size).symbols() {
            if !own.contains(&id) && !found.contains(&id) {
                found.push(id);
            }
        }
    }

    /// The symbols in `ty` except those in `own`.
    fn sizes_inside(&self, ty: &Type, own: &mut Vec<SizeVar>, found: &mut Vec<SizeVar>) {
        match self.head_ref(ty) {
            Type::Scalar(_) | Type::Var(_) => {}
            Type::Tuple(items) => items.iter().for_each(|ty| self.sizes_inside(ty, own, found)),
            Type::Record(fields) => {
                fields.values().for_each(|ty| self.sizes_inside(ty, own, found));
            }
            Type::Sum(constructors) => {
                let payloads = constructors.values().flatten();
                payloads.for_each(|ty| self.sizes_inside(ty, own, found));
            }
            Type::Array(size, element) => {
                self.symbols_of(size, own, found);
                self.sizes_inside(element, own, found);
            }
            Type::Hidden(hidden) => {
                hidden.sizes.iter().for_each(|size| self.symbols_of(size, own, found));
                hidden.types.iter().for_each(|ty| self.sizes_inside(ty, own, found));
            }
            Type::Fun(param, from, to) => {
                self.sizes_inside(from, own, found);
                own.extend(param);
                self.sizes_inside(to, own, found);
                own.truncate(own.len() - param.iter().len());
            }
            Type::Exists(sizes, body) => {
                own.extend(sizes);
                self.sizes_inside(body, own, found);
                own.truncate(own.len() - sizes.len());
            }
        }
    }
}

/// The replacement of `key`.
fn find<K: PartialEq, V: Clone>(pairs: &[(K, V)], key: K) -> Option<V> {
    pairs.iter().find(|(from, _)| *from == key).map(|(_, to)| to.clone())
}

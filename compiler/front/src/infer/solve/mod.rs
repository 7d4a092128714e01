//! Metavariables of types and sizes, and their unification.
//!
//! Until a definition is finished, a [`Type::Var`] may be a metavariable: a type that is still to be
//! found. Every variable has a level, the depth of the scope that made it; a metavariable may only be
//! bound to a type whose variables and sizes are known in its own scope.
//!
//! Invariant: nothing here knows names in scope, expressions or messages. A mismatch is returned as a [`UnifyError`],
//! and the caller reports it.
//!
//! ```text
//! unify [?n](?a, bool) with [k](f64, bool)   ⇒   ?n = k, ?a = f64
//! ```

mod bounds;
mod clash;
mod constraints;
mod queries;
mod settle;
mod subst;
mod unify;
mod unify_sizes;

pub(super) use bounds::{
    BoundReason, Bounds, ConstructorBound, FieldBound, OperatorSite, ScalarBound, ScalarSet,
    component,
};
pub(super) use clash::UnifyError;
pub(super) use subst::{Instance, Scheme};
pub(super) use unify_sizes::{Equation, SizeEntry, SizeState};

use std::cell::Cell;

use indexmap::IndexMap;

use crate::core::Type;
use arrc_syntax::ids::{PrimaryMap, SizeVar, TypeVar};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// The depth of the scope in which a variable was made. A variable of a deeper scope is known later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Level(pub(crate) u32);

impl Level {
    /// The next scope inwards.
    pub(crate) fn inner(self) -> Self {
        Self(self.0 + 1)
    }
}

/// The facts on a type variable.
#[derive(Clone, Debug)]
pub(crate) struct TypeEntry {
    /// Its name, if it is a parameter.
    pub(crate) name: Name,
    /// What it stands for.
    pub(crate) state: TypeState,
    /// The length of the longest chain of variables that leads to this one.
    rank: u32,
}

impl TypeEntry {
    fn new(name: Name, state: TypeState) -> Self {
        Self { name, state, rank: 0 }
    }
}

/// What a type variable stands for.
#[derive(Clone, Debug)]
pub(crate) enum TypeState {
    /// Itself: it is a type parameter, known from this level on.
    Rigid(Level),
    /// A type that is still to be found.
    Free(Level, Bounds),
    /// That type.
    Bound(Type),
    /// The type of an expression with an error that was reported: it equals every type.
    Error,
}

/// The tables of type and size variables.
#[derive(Debug)]
pub(crate) struct Unifier {
    /// Every type variable.
    pub(crate) types: PrimaryMap<TypeVar, TypeEntry>,
    /// Every size.
    pub(crate) sizes: PrimaryMap<SizeVar, SizeEntry>,
    /// The level of the scope that is walked.
    pub(crate) level: Level,
    /// The place that is walked. Equations of sizes that have to wait remember it.
    pub(crate) at: Span,
    /// Metavariables of the definition that is walked that got a bound.
    pub(crate) bounded: Vec<TypeVar>,
    /// Equations of sizes that could not be solved yet.
    pub(crate) waiting: Vec<Equation>,
    /// Equations of sizes that have several metavariables, and were solved for one of them.
    pub(crate) sums: Vec<Equation>,
    /// Whether a size became too large since the last check.
    pub(crate) has_too_large: Cell<bool>,
    /// The type of an expression with an error.
    error: TypeVar,
}

impl Unifier {
    /// A unifier that has only the error's type variable.
    pub(crate) fn new(at: Span) -> Self {
        let mut types = PrimaryMap::new();
        let error = types.push(TypeEntry::new(Name::default(), TypeState::Error));
        Self {
            types,
            sizes: PrimaryMap::new(),
            level: Level::default(),
            at,
            bounded: Vec::new(),
            waiting: Vec::new(),
            sums: Vec::new(),
            has_too_large: Cell::new(false),
            error,
        }
    }

    /// The type of an expression with an error that was reported already.
    pub(crate) fn error_type(&self) -> Type {
        Type::Var(self.error)
    }

    /// Whether `ty` is the type of an expression with a reported error.
    pub(crate) fn is_error(&self, ty: &Type) -> bool {
        matches!(self.head_ref(ty), Type::Var(var) if matches!(self.types[*var].state, TypeState::Error))
    }

    /// A type that is still to be found.
    pub(crate) fn fresh(&mut self) -> Type {
        let state = TypeState::Free(self.level, Bounds::default());
        Type::Var(self.types.push(TypeEntry::new(Name::default(), state)))
    }

    /// A type parameter.
    pub(crate) fn rigid(&mut self, name: Name) -> TypeVar {
        self.types.push(TypeEntry::new(name, TypeState::Rigid(self.level)))
    }

    /// A type that is still to be found among some scalars.
    pub(crate) fn fresh_scalar(&mut self, bound: ScalarBound) -> Type {
        let bounds = Bounds { scalars: vec![bound], ..Bounds::default() };
        let state = TypeState::Free(self.level, bounds);
        let var = self.types.push(TypeEntry::new(Name::default(), state));
        self.bounded.push(var);
        Type::Var(var)
    }

    /// The type that `ty` stands for, as far as its outermost constructor is known.
    pub(crate) fn head(&self, ty: &Type) -> Type {
        self.head_ref(ty).clone()
    }

    /// [`Self::head`] by reference.
    pub(crate) fn head_ref<'t>(&'t self, mut ty: &'t Type) -> &'t Type {
        while let Type::Var(var) = ty {
            match &self.types[*var].state {
                TypeState::Bound(bound) => ty = bound,
                TypeState::Rigid(_) | TypeState::Free(..) | TypeState::Error => break,
            }
        }
        ty
    }

    /// The metavariable that `ty` is, if its type is not known yet.
    pub(crate) fn as_free(&self, ty: &Type) -> Option<TypeVar> {
        if let Type::Var(var) = self.head(ty) {
            Some(var).filter(|&var| self.is_free(var))
        } else {
            None
        }
    }
    /// Whether the variable is a metavariable that is not bound.
    pub(crate) fn is_free(&self, var: TypeVar) -> bool {
        matches!(self.types[var].state, TypeState::Free(..))
    }
}

/// Whether two sums have the same constructors, with the same numbers of payloads.
pub(crate) fn have_same_constructors(
    left: &IndexMap<Name, Vec<Type>>,
    right: &IndexMap<Name, Vec<Type>>,
) -> bool {
    let has = |(name, tys): (&Name, &Vec<Type>)| {
        right.get(name).is_some_and(|others| others.len() == tys.len())
    };
    left.len() == right.len() && left.iter().all(has)
}

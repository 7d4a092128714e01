//! Metavariables of types, and when two types are one.
//!
//! Until a definition is finished, a [`Type::Var`] may be a metavariable: a type that is still to be
//! found. Every variable has a level, the depth of the scope that made it; a metavariable may only be
//! bound to a type whose variables and sizes are known in its own scope.
//!
//! Invariant: no metavariable is bound to a type that it occurs in, nor to one of a deeper level.
//!
//! ```text
//! unify [?n](?a, bool) with [k](f64, bool)   ⇒   ?n = k, ?a = f64
//! ```

use std::cell::Cell;

use indexmap::IndexMap;

use super::bounds::{Bounds, FieldBound, Operator, ScalarBound, ScalarSet, Why, component};
use super::sizes::{Equation, SizeEntry};
use crate::ids::{PrimaryMap, SizeVar, TypeVar};
use crate::ir::core::{Size, Type};
use crate::names::Name;
use crate::prim::Scalar;
use crate::source::Span;

/// The depth of the scope in which a variable was made: deeper ones are known later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Level(pub(super) u32);

impl Level {
    /// The next scope inwards.
    pub(super) fn inner(self) -> Self {
        Self(self.0 + 1)
    }
}

/// The facts on a type variable.
#[derive(Clone, Debug)]
pub(super) struct TypeEntry {
    /// Its name, if it is a parameter.
    pub(super) name: Name,
    /// What it stands for.
    pub(super) state: TypeState,
    /// How many steps the longest way to it takes from those that stand for it.
    rank: u32,
}

impl TypeEntry {
    fn new(name: Name, state: TypeState) -> Self {
        Self { name, state, rank: 0 }
    }
}

/// What a type variable stands for.
#[derive(Clone, Debug)]
pub(super) enum TypeState {
    /// Itself: a type parameter, known from this level on.
    Rigid(Level),
    /// A type that is still to be found.
    Free(Level, Bounds),
    /// That type.
    Bound(Type),
    /// The type of something wrong that was reported: equal to every type.
    Error,
}

/// Why two types are not one.
#[derive(Clone, Debug)]
pub(super) enum Clash {
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
    Operator { operator: Operator, ty: Box<Type> },
    /// A type without this field.
    Field { name: Name, span: Span, ty: Box<Type> },
    /// A type without this constructor, or whose constructor has not `given` payloads.
    Constructor { name: Name, span: Span, given: usize, ty: Box<Type> },
}

/// The tables of type and size variables.
#[derive(Debug)]
pub(super) struct Unifier {
    /// Every type variable.
    pub(super) types: PrimaryMap<TypeVar, TypeEntry>,
    /// Every size.
    pub(super) sizes: PrimaryMap<SizeVar, SizeEntry>,
    /// The scope that is being looked at.
    pub(super) level: Level,
    /// Where: equations of sizes that have to wait remember it.
    pub(super) at: Span,
    /// Metavariables that got a bound, of the definition that is being looked at.
    pub(super) bounded: Vec<TypeVar>,
    /// Equations of sizes that could not be solved yet.
    pub(super) waiting: Vec<Equation>,
    /// Equations of sizes that were solved for one of several metavariables.
    pub(super) sums: Vec<Equation>,
    /// Whether a size became too large since that was looked for.
    pub(super) has_too_large: Cell<bool>,
    /// The type of something wrong.
    error: TypeVar,
}

impl Unifier {
    /// Without any variable but the error's.
    pub(super) fn new(at: Span) -> Self {
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

    /// The type of something that was reported already.
    pub(super) fn error_type(&self) -> Type {
        Type::Var(self.error)
    }

    /// Whether `ty` is the type of something that was reported already.
    pub(super) fn is_error(&self, ty: &Type) -> bool {
        matches!(self.head_ref(ty), Type::Var(var) if matches!(self.types[*var].state, TypeState::Error))
    }

    /// A type that is still to be found.
    pub(super) fn fresh(&mut self) -> Type {
        let state = TypeState::Free(self.level, Bounds::default());
        Type::Var(self.types.push(TypeEntry::new(Name::default(), state)))
    }

    /// A type parameter.
    pub(super) fn rigid(&mut self, name: Name) -> TypeVar {
        self.types.push(TypeEntry::new(name, TypeState::Rigid(self.level)))
    }

    /// A type that is still to be found, of one of some scalars.
    pub(super) fn fresh_scalar(&mut self, bound: ScalarBound) -> Type {
        let bounds = Bounds { scalars: vec![bound], ..Bounds::default() };
        let state = TypeState::Free(self.level, bounds);
        let var = self.types.push(TypeEntry::new(Name::default(), state));
        self.bounded.push(var);
        Type::Var(var)
    }

    /// The type that `ty` stands for, as far as its outermost constructor is known.
    pub(super) fn head(&self, ty: &Type) -> Type {
        self.head_ref(ty).clone()
    }

    /// [`Self::head`], to look at.
    pub(super) fn head_ref<'t>(&'t self, mut ty: &'t Type) -> &'t Type {
        while let Type::Var(var) = ty {
            match &self.types[*var].state {
                TypeState::Bound(bound) => ty = bound,
                TypeState::Rigid(_) | TypeState::Free(..) | TypeState::Error => break,
            }
        }
        ty
    }

    /// The metavariable that `ty` is, if its type is not known yet.
    pub(super) fn as_free(&self, ty: &Type) -> Option<TypeVar> {
        if let Type::Var(var) = self.head(ty) {
            Some(var).filter(|&var| self.is_free(var))
        } else {
            None
        }
    }

    /// Whether only scalars can be the type, which is not known yet.
    pub(super) fn is_number(&self, ty: &Type) -> bool {
        let Type::Var(var) = self.head_ref(ty) else { return false };
        matches!(&self.types[*var].state, TypeState::Free(_, bounds) if bounds.scalars().is_some())
    }

    /// Makes two types one.
    pub(super) fn unify(&mut self, expected: &Type, found: &Type) -> Result<(), Clash> {
        let (expected, found) = (self.head(expected), self.head(found));
        match (&expected, &found) {
            (Type::Var(a), Type::Var(b)) if a == b => Ok(()),
            (Type::Var(a), _) if matches!(self.types[*a].state, TypeState::Error) => Ok(()),
            (_, Type::Var(b)) if matches!(self.types[*b].state, TypeState::Error) => Ok(()),
            (Type::Var(a), Type::Var(b)) if self.is_free(*a) && self.is_free(*b) => {
                self.merge(*a, *b)
            }
            (Type::Var(a), _) if self.is_free(*a) => self.bind(*a, &found, Side::Expected),
            (_, Type::Var(b)) if self.is_free(*b) => self.bind(*b, &expected, Side::Found),
            (Type::Scalar(a), Type::Scalar(b)) if a == b => Ok(()),
            (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
                a.iter().zip(b).try_for_each(|(a, b)| self.unify(a, b))
            }
            (Type::Record(a), Type::Record(b)) if a.len() == b.len() => {
                a.iter().try_for_each(|(name, a)| match b.get(name) {
                    Some(b) => self.unify(a, b),
                    None => Err(Clash::types(expected.clone(), found.clone())),
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
                self.unify(pb, pa).map_err(Clash::flipped)?;
                self.unify_dependent((*k, ra), (*j, rb))
            }
            (Type::Exists(..), _) | (_, Type::Exists(..)) => self.unify_results(&expected, &found),
            _ => Err(Clash::types(expected, found)),
        }
    }

    /// Narrows a type to one of some scalars.
    pub(super) fn bound_scalar(&mut self, ty: &Type, bound: ScalarBound) -> Result<(), Clash> {
        let narrowed = self.fresh_scalar(bound);
        self.unify(&narrowed, ty)
    }

    /// Narrows a type to the integers; it is `i64` if nothing else is known of it.
    pub(super) fn bound_index(&mut self, ty: &Type) -> Result<(), Clash> {
        self.bound_scalar(ty, ScalarBound::new(ScalarSet::of(Scalar::is_integer), Why::Literal))?;
        if let Some(var) = self.as_free(ty)
            && let TypeState::Free(_, bounds) = &mut self.types[var].state
        {
            bounds.is_index = true;
        }
        Ok(())
    }

    /// Asks that the values of a type can be compared.
    pub(super) fn bound_equality(&mut self, ty: &Type, operator: &Operator) -> Result<(), Clash> {
        let clash = |ty: Type| Err(Clash::operator(operator, ty));
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
            ty @ (Type::Array(..) | Type::Fun(..) | Type::Exists(..)) => clash(ty),
        }
    }

    /// The type of a field or a component of `ty`: found now, or when `ty` is.
    pub(super) fn field(&mut self, ty: &Type, name: &Name, span: Span) -> Result<Type, Clash> {
        let head = self.head(ty);
        let missing = || Clash::field(name, span, head.clone());
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
            | Type::Exists(..) => Err(missing()),
        }
    }

    /// Asks for a field of a type that is not known yet.
    fn bound_field(&mut self, var: TypeVar, name: &Name, span: Span) -> Result<Type, Clash> {
        let ty = self.fresh();
        let TypeState::Free(_, bounds) = &mut self.types[var].state else {
            panic!("only a metavariable gets bounds");
        };
        if !bounds.scalars.is_empty() {
            return Err(Clash::field(name, span, Type::Var(var)));
        }
        if let Some(field) = bounds.fields.iter().find(|field| field.name == *name) {
            return Ok(field.ty.clone());
        }
        bounds.fields.push(FieldBound { name: name.clone(), span, ty: ty.clone() });
        self.bounded.push(var);
        Ok(ty)
    }

    /// Whether the variable is a metavariable that is not bound.
    pub(super) fn is_free(&self, var: TypeVar) -> bool {
        matches!(self.types[var].state, TypeState::Free(..))
    }

    /// Makes two metavariables one.
    fn merge(&mut self, expected: TypeVar, found: TypeVar) -> Result<(), Clash> {
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
                Some(operator) => Clash::operator(&operator, ty),
                None => Clash::types(expected, ty),
            });
        }
        if merged.equality.is_none() {
            merged.equality.clone_from(&bounds.equality);
        }
        merged.is_index |= bounds.is_index;
        let level = level.min(*to);
        let is_new = !bounds.is_empty() || !mine.is_empty();
        // The way from a variable to what it stands for stays short, however many are made one.
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

    /// Binds a metavariable to a type that is not one.
    fn bind(&mut self, var: TypeVar, ty: &Type, side: Side) -> Result<(), Clash> {
        let TypeState::Free(level, bounds) = self.types[var].state.clone() else {
            panic!("only a metavariable is bound");
        };
        if let Type::Exists(sizes, _) = ty {
            let size = *sizes.first().expect("?[k] has at least one size");
            return Err(Clash::Escape { size });
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

    /// Checks that a type is one of the scalars that were asked for.
    fn check_scalars(
        &self,
        bounds: &Bounds,
        var: TypeVar,
        ty: &Type,
        side: Side,
    ) -> Result<(), Clash> {
        let is_unfit = |bound: &&ScalarBound| !matches!(ty, Type::Scalar(s) if bound.own.has(*s));
        let unfit: Vec<&ScalarBound> = bounds.scalars.iter().filter(is_unfit).collect();
        let operator = unfit.iter().find(|bound| bound.why.operator().is_some());
        let Some(bound) = operator.or(unfit.first()) else { return Ok(()) };
        Err(match (&bound.why, side) {
            (Why::Operator(operator), _) => Clash::operator(operator, ty.clone()),
            (Why::Literal, Side::Expected) => Clash::types(Type::Var(var), ty.clone()),
            (Why::Literal, Side::Found) => Clash::types(ty.clone(), Type::Var(var)),
        })
    }

    /// Gives a type the fields that were asked of its metavariable.
    fn require_fields(&mut self, ty: &Type, fields: &[FieldBound]) -> Result<(), Clash> {
        for field in fields {
            let found = self.field(ty, &field.name, field.span)?;
            self.unify(&field.ty, &found)?;
        }
        Ok(())
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

    /// Lets a type be known at `level`: its metavariables move there, and nothing in it may be made
    /// deeper. `var` may not occur in it.
    pub(super) fn lower(
        &mut self,
        var: Option<TypeVar>,
        level: Level,
        ty: &Type,
    ) -> Result<(), Clash> {
        let mut sizes = Vec::new();
        self.sizes_of(ty, &mut sizes);
        for size in sizes {
            self.lower_size(level, &Size::symbol(size))?;
        }
        self.lower_types(var, level, ty)
    }

    /// [`Self::lower`] for the type variables.
    fn lower_types(&mut self, var: Option<TypeVar>, level: Level, ty: &Type) -> Result<(), Clash> {
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
            Type::Var(found) if Some(found) == var => {
                Err(Clash::Infinite { var: found, ty: Box::new(ty.clone()) })
            }
            Type::Var(found) => match &mut self.types[found].state {
                TypeState::Free(old, _) => {
                    *old = level.min(*old);
                    Ok(())
                }
                TypeState::Rigid(made) if *made > level => Err(Clash::TypeEscape { var: found }),
                TypeState::Rigid(_) | TypeState::Error | TypeState::Bound(_) => Ok(()),
            },
        }
    }

    /// The results of two functions, whose parameters `k` and `j` they may mention as sizes.
    fn unify_dependent(
        &mut self,
        (k, expected): (Option<SizeVar>, &Type),
        (j, found): (Option<SizeVar>, &Type),
    ) -> Result<(), Clash> {
        let Some(model) = k.or(j) else { return self.unify_results(expected, found) };
        let common = Size::symbol(self.inner_copy(model));
        let put = |this: &Self, own: Option<SizeVar>, ty: &Type| match own {
            Some(own) => this.substitute(ty, &[], &[(own, common.clone())]),
            None => ty.clone(),
        };
        let (expected, found) = (put(self, k, expected), put(self, j, found));
        self.unify_results(&expected, &found)
    }

    /// The results of two functions, where `?[k]` may stand: the found size may be any that the function
    /// chooses, and the expected one may be left open.
    fn unify_results(&mut self, expected: &Type, found: &Type) -> Result<(), Clash> {
        let (expected, found) = (self.head(expected), self.head(found));
        let (own, body) = found.without_exists();
        if let (Type::Var(_), Some(&size)) = (&expected, own.first()) {
            return Err(Clash::Escape { size });
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

    /// Whether `ty` has a function in it.
    pub(super) fn has_function(&self, ty: &Type) -> bool {
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
        }
    }

    /// Whether something in `ty` is not known, and was not reported.
    pub(super) fn has_variable(&self, ty: &Type) -> bool {
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
        }
    }

    /// Whether something in `ty` was reported already.
    pub(super) fn has_error(&self, ty: &Type) -> bool {
        match self.head_ref(ty) {
            Type::Scalar(_) => false,
            Type::Var(_) => self.is_error(ty),
            Type::Tuple(items) => items.iter().any(|ty| self.has_error(ty)),
            Type::Record(fields) => fields.values().any(|ty| self.has_error(ty)),
            Type::Sum(constructors) => constructors.values().flatten().any(|ty| self.has_error(ty)),
            Type::Array(_, element) => self.has_error(element),
            Type::Fun(_, param, result) => self.has_error(param) || self.has_error(result),
            Type::Exists(_, body) => self.has_error(body),
        }
    }

    /// The scalars that `ty` may be; none if it may be something else.
    pub(super) fn scalars(&self, ty: &Type) -> Option<ScalarSet> {
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
            | Type::Exists(..) => None,
        }
    }

    /// Whether `ty` is that of a number without a suffix.
    pub(super) fn is_literal(&self, ty: &Type) -> bool {
        let var = self.as_free(ty);
        var.is_some_and(|var| match &self.types[var].state {
            TypeState::Free(_, bounds) => bounds.literal().is_some(),
            TypeState::Rigid(_) | TypeState::Bound(_) | TypeState::Error => false,
        })
    }

    /// The scalar that `ty` is.
    pub(super) fn as_scalar(&self, ty: &Type) -> Option<Scalar> {
        if let Type::Scalar(scalar) = self.head_ref(ty) { Some(*scalar) } else { None }
    }
}

impl Clash {
    pub(super) fn types(expected: Type, found: Type) -> Self {
        Self::Types { expected: Box::new(expected), found: Box::new(found) }
    }

    fn operator(operator: &Operator, ty: Type) -> Self {
        Self::Operator { operator: operator.clone(), ty: Box::new(ty) }
    }

    fn field(name: &Name, span: Span, ty: Type) -> Self {
        Self::Field { name: name.clone(), span, ty: Box::new(ty) }
    }

    /// A clash in a part of `ty`, seen from the whole.
    fn inside(self, ty: &Type) -> Self {
        if let Self::Infinite { var, .. } = self {
            return Self::Infinite { var, ty: Box::new(ty.clone()) };
        }
        self
    }

    /// The same clash, seen from the other side.
    fn flipped(self) -> Self {
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

/// Whether two sums have the same constructors, with as many payloads.
pub(super) fn have_same_constructors(
    left: &IndexMap<Name, Vec<Type>>,
    right: &IndexMap<Name, Vec<Type>>,
) -> bool {
    let has = |(name, tys): (&Name, &Vec<Type>)| {
        right.get(name).is_some_and(|others| others.len() == tys.len())
    };
    left.len() == right.len() && left.iter().all(has)
}

/// Which of the two types the metavariable is.
#[derive(Clone, Copy, Debug)]
enum Side {
    /// What the context asks for.
    Expected,
    /// What the expression is.
    Found,
}

//! Polymorphic local functions: one copy for each choice of types that is used.
//!
//! Core has no type arguments on local variables; since every call is specialised in the end anyway,
//! a polymorphic local function becomes one local function for each instance.
//!
//! Invariant: a copy shares no variable and no size with its original.
//!
//! ```text
//! let twice x = (x, x) in (twice 1, twice true)
//! ⇒ let twice (x: i32) = (x, x)  let twice' (x: bool) = (x, x) in (twice 1, twice' true)
//! ```

use std::ops::Range;

use indexmap::IndexMap;

use super::Checker;
use super::typed::{Expr, ExprKind, LoopForm, Pat, VarUse};
use super::value::SizeValue;
use crate::core;
use crate::core::{Hidden, Size, SizeOrigin, Type};
use arrc_syntax::ids::{EntityRef, LocalId, SizeVar, TypeVar};
use arrc_syntax::stack::with_enough_stack;

/// The polymorphic local functions, and their monomorphic instances.
#[derive(Default, Debug)]
pub(super) struct LocalInstances {
    declared: IndexMap<LocalId, PolymorphicLocal>,
    instances: IndexMap<LocalId, Vec<(Vec<Type>, LocalId)>>,
    /// Whether uses make no copies, because the finished expressions will be dropped.
    dry: bool,
}

/// A polymorphic local function.
#[derive(Clone, Debug)]
pub(super) struct PolymorphicLocal {
    /// Its type parameters.
    pub(super) types: Vec<TypeVar>,
    /// The variables that were made with it.
    pub(super) vars: Range<LocalId>,
    /// The sizes that were made with it.
    pub(super) sizes: Range<SizeVar>,
}

impl LocalInstances {
    /// Remembers a local function, if it is polymorphic.
    pub(super) fn declare(&mut self, var: LocalId, function: PolymorphicLocal) {
        if !function.types.is_empty() {
            self.declared.insert(var, function);
        }
    }

    /// Whether a variable is a polymorphic local function.
    pub(super) fn is_polymorphic(&self, var: LocalId) -> bool {
        self.declared.contains_key(&var)
    }
}

impl Checker<'_> {
    /// The variable of the copy that a use stands for.
    pub(super) fn instance(&mut self, VarUse { var: of, types }: VarUse) -> LocalId {
        if types.is_empty() || self.copies.dry {
            return of;
        }
        let types: Vec<Type> = types.iter().map(|ty| self.u.defaulted(ty)).collect();
        let known = self.copies.instances.get(&of).into_iter().flatten();
        if let Some((_, copy)) = known.into_iter().find(|(known, _)| *known == types) {
            return *copy;
        }
        let copy = self.vars.push(self.vars[of].clone());
        self.copies.instances.entry(of).or_default().push((types, copy));
        copy
    }

    /// `let var = function in body`, where the polymorphic `function` is not finished and `body` is. The result binds
    /// one copy of the function for each instance that the body uses.
    pub(super) fn finish_copies(
        &mut self,
        var: LocalId,
        function: &Expr,
        body: core::Expr,
    ) -> core::Expr {
        let instances = self.copies.instances.shift_remove(&var).unwrap_or_default();
        if instances.is_empty() {
            // Nothing calls it, but it may contain errors.
            let outer = std::mem::replace(&mut self.copies.dry, true);
            self.finish_expr(function.clone());
            self.copies.dry = outer;
        }
        instances.into_iter().rev().fold(body, |body, (types, copy)| {
            let value = self.copy(var, function, types);
            let value = self.finish_expr(value);
            let (ty, span) = (body.ty.clone(), body.span);
            let pat = core::Pat::Var(copy, value.ty.clone());
            let kind = core::ExprKind::Let(pat, Box::new(value), Box::new(body));
            core::Expr { kind, ty, span }
        })
    }

    /// A polymorphic function at some types, with variables and sizes of its own.
    fn copy(&mut self, var: LocalId, function: &Expr, types: Vec<Type>) -> Expr {
        let polymorphic = self.copies.declared[&var].clone();
        let renaming = Renaming {
            types: polymorphic.types.iter().copied().zip(types).collect(),
            vars: IdShift::new(&polymorphic.vars, self.vars.next_key()),
            sizes: IdShift::new(&polymorphic.sizes, self.u.sizes.next_key()),
        };
        for size in ids(&polymorphic.sizes) {
            let mut entry = self.u.sizes[size].clone();
            if let SizeOrigin::Value(var) = &mut entry.info.origin {
                *var = renaming.vars.of(*var);
            }
            self.u.sizes.push(entry);
        }
        for var in ids(&polymorphic.vars) {
            let copy = self.vars.push(self.vars[var].clone());
            let SizeValue { level, size, .. } = self.vars.values[var].clone();
            let size = size.map(|size| renaming.size(&self.u.resolve_size(&size)));
            self.vars.values[copy] = SizeValue { level, size, components: None };
            self.copy_facts(var, copy, &renaming);
        }
        let mut copy = function.clone();
        self.rename(&mut copy, &renaming);
        copy
    }

    /// Copies the facts on local functions inside a local function.
    fn copy_facts(&mut self, var: LocalId, copy: LocalId, renaming: &Renaming) {
        if let Some(inner) = self.copies.declared.get(&var).cloned() {
            let vars = renaming.vars.of(inner.vars.start)..renaming.vars.of_end(inner.vars.end);
            let sizes =
                renaming.sizes.of(inner.sizes.start)..renaming.sizes.of_end(inner.sizes.end);
            self.copies.declared.insert(copy, PolymorphicLocal { types: inner.types, vars, sizes });
        }
    }

    /// Gives an expression the variables, sizes and types of a copy.
    fn rename(&self, expr: &mut Expr, renaming: &Renaming) {
        expr.ty = renaming.ty(self, &expr.ty);
        #[allow(clippy::wildcard_enum_match_arm, reason = "of the others only the parts matter")]
        match &mut expr.kind {
            ExprKind::Var(used) => {
                used.var = renaming.vars.of(used.var);
                for ty in &mut used.types {
                    *ty = renaming.ty(self, ty);
                }
            }
            ExprKind::Size(size) => *size = renaming.size(&self.u.resolve_size(size)),
            ExprKind::Global(_, types) => {
                for ty in types {
                    *ty = renaming.ty(self, ty);
                }
            }
            ExprKind::Lambda(params, _) => {
                for param in params {
                    param.ty = renaming.ty(self, &param.ty);
                    self.rename_pat(&mut param.pat, renaming);
                }
            }
            ExprKind::Let(pat, ..) => self.rename_pat(pat, renaming),
            ExprKind::Loop(data) => {
                data.ty = renaming.ty(self, &data.ty);
                self.rename_pat(&mut data.pat, renaming);
                match &mut data.form {
                    LoopForm::For(pat, _) | LoopForm::In(pat, _) => self.rename_pat(pat, renaming),
                    LoopForm::While(_) => {}
                }
            }
            ExprKind::With(data) => {
                data.indices_mut().for_each(|pat| self.rename_pat(pat, renaming));
            }
            ExprKind::Match(_, cases) => {
                cases.iter_mut().for_each(|case| self.rename_pat(&mut case.pat, renaming));
            }
            _ => {}
        }
        expr.for_each_child_mut(&mut |child| with_enough_stack(|| self.rename(child, renaming)));
    }

    fn rename_pat(&self, pat: &mut Pat, renaming: &Renaming) {
        match pat {
            Pat::Wild => {}
            Pat::Var(var, ty) => {
                *var = renaming.vars.of(*var);
                *ty = renaming.ty(self, ty);
            }
            Pat::Tuple(items) => items.iter_mut().for_each(|item| self.rename_pat(item, renaming)),
            Pat::Record(fields) => {
                fields.iter_mut().for_each(|(_, field)| self.rename_pat(field, renaming));
            }
            Pat::Constructor(_, pats) => {
                pats.iter_mut().for_each(|pat| self.rename_pat(pat, renaming));
            }
            Pat::Const(_, ty) => *ty = renaming.ty(self, ty),
        }
    }
}

/// The variables, sizes and types that a copy of a function has instead of the function's.
struct Renaming {
    types: Vec<(TypeVar, Type)>,
    vars: IdShift<LocalId>,
    sizes: IdShift<SizeVar>,
}

impl Renaming {
    fn ty(&self, checker: &Checker<'_>, ty: &Type) -> Type {
        let var = |var| self.types.iter().find(|(from, _)| *from == var).map(|(_, to)| to.clone());
        let renamed = checker.u.rewrite(ty, &var, &|size| self.size(&size));
        self.bound_sizes(renamed)
    }

    fn size(&self, size: &Size) -> Size {
        size.substitute(|id| Some(Size::symbol(self.sizes.of(id))))
    }

    /// Renames the sizes that a type binds itself.
    fn bound_sizes(&self, ty: Type) -> Type {
        let boxed = |ty: Box<Type>| Box::new(self.bound_sizes(*ty));
        match ty {
            Type::Scalar(_) | Type::Var(_) => ty,
            Type::Hidden(hidden) => {
                let types = hidden.types.into_iter().map(|ty| self.bound_sizes(ty)).collect();
                Type::Hidden(Box::new(Hidden { types, ..*hidden }))
            }
            Type::Tuple(items) => {
                Type::Tuple(items.into_iter().map(|ty| self.bound_sizes(ty)).collect())
            }
            Type::Record(fields) => Type::Record(
                fields.into_iter().map(|(name, ty)| (name, self.bound_sizes(ty))).collect(),
            ),
            Type::Sum(constructors) => {
                let all = |tys: Vec<Type>| tys.into_iter().map(|ty| self.bound_sizes(ty)).collect();
                Type::Sum(constructors.into_iter().map(|(name, tys)| (name, all(tys))).collect())
            }
            Type::Array(size, element) => Type::Array(size, boxed(element)),
            Type::Fun(own, from, to) => {
                Type::Fun(own.map(|id| self.sizes.of(id)), boxed(from), boxed(to))
            }
            Type::Exists(own, body) => {
                Type::Exists(own.into_iter().map(|id| self.sizes.of(id)).collect(), boxed(body))
            }
        }
    }
}

/// A range of ids that moves to another place of its table.
struct IdShift<K> {
    from: Range<K>,
    to: K,
}

impl<K: EntityRef + PartialOrd> IdShift<K> {
    fn new(from: &Range<K>, to: K) -> Self {
        Self { from: from.clone(), to }
    }

    /// Where an id is after the move.
    fn of(&self, id: K) -> K {
        if self.from.contains(&id) { self.moved(id) } else { id }
    }

    /// Where the end of a range inside is after the move.
    fn of_end(&self, id: K) -> K {
        if id == self.from.end { self.moved(id) } else { self.of(id) }
    }

    fn moved(&self, id: K) -> K {
        K::new(self.to.index() + id.index() - self.from.start.index())
    }
}

/// The ids of a range.
fn ids<K: EntityRef>(range: &Range<K>) -> impl Iterator<Item = K> + use<K> {
    (range.start.index()..range.end.index()).map(K::new)
}

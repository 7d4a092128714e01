//! The variables and sizes that a lambda uses from its environment.
//!
//! Invariant: everything that the lambda can look up in its environment is listed. Its own bindings may be listed too:
//! they are never in the environment where the lambda is made.
//!
//! ```text
//! \y -> x + y + length of n   ⇒ vars x, y; sizes n (its value is needed)
//! ```

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};

use super::Specialiser;
use arrc_front::core::{Accessor, Def, Dim, Expr, ExprKind, Program, Size, SizeOrigin, Type};
use arrc_syntax::ids::{LocalId, SizeVar};

/// The variables and sizes that a lambda uses from outside.
#[derive(Debug, Default)]
pub(super) struct Free {
    /// Variables.
    pub(super) vars: IndexSet<LocalId>,
    /// Sizes, and whether their value is needed, not only their identity.
    pub(super) sizes: IndexMap<SizeVar, bool>,
}

impl Specialiser<'_> {
    /// The variables and sizes that the lambda uses from outside.
    pub(super) fn free(&mut self, lambda: &Expr) -> Rc<Free> {
        let key: *const Expr = lambda;
        if let Some(free) = self.lambdas.get(&key) {
            return free.clone();
        }
        let mut free = Free::default();
        free.expr(self.core, lambda);
        let free = Rc::new(free);
        self.lambdas.insert(key, free.clone());
        free
    }
}

impl Free {
    /// Adds what an expression uses; the work list keeps deep expressions off the stack.
    fn expr(&mut self, core: &Program, expr: &Expr) {
        let mut work = vec![expr];
        while let Some(expr) = work.pop() {
            self.ty(core, &expr.ty);
            self.kind(core, expr, &mut work);
        }
    }

    /// Adds what an expression itself uses, and its parts to the work list.
    fn kind<'e>(&mut self, core: &Program, expr: &'e Expr, work: &mut Vec<&'e Expr>) {
        match &expr.kind {
            ExprKind::Const(_)
            | ExprKind::Text(_)
            | ExprKind::BinOp(_)
            | ExprKind::UnOp(_)
            | ExprKind::Fma => {}
            ExprKind::Var(var) => {
                self.vars.insert(*var);
            }
            ExprKind::Size(size) => self.size(core, size, true),
            ExprKind::Global(def, types) => {
                for ty in types {
                    self.ty(core, ty);
                }
                self.size_arguments(core, &core.defs[*def], &expr.ty);
            }
            ExprKind::AndAlso(left, right)
            | ExprKind::OrElse(left, right)
            | ExprKind::Let(_, left, right) => work.extend([&**right, left]),
            ExprKind::Update(whole, steps, value) => {
                work.push(value);
                let dims = steps.iter().flat_map(Accessor::dims);
                let parts: Vec<_> = dims.flat_map(Dim::parts).collect();
                work.extend(parts.into_iter().rev());
                work.push(whole);
            }
            ExprKind::With(_) => expr.for_each_child(&mut |child| work.push(child)),
            ExprKind::Loop(data) => {
                self.ty(core, &data.ty);
                expr.for_each_child(&mut |child| work.push(child));
            }
            ExprKind::App(fun, args) | ExprKind::Index(fun, args) => {
                work.extend(args.iter().rev());
                work.push(fun);
            }
            ExprKind::Lambda(params, body) => {
                for param in params {
                    self.ty(core, &param.ty);
                }
                work.push(body);
            }
            ExprKind::If(cond, then, otherwise) => work.extend([&**otherwise, then, cond]),
            ExprKind::Match(value, cases) => {
                work.extend(cases.iter().rev().map(|case| &case.body));
                work.push(value);
            }
            ExprKind::Constructor(_, items) | ExprKind::Tuple(items) | ExprKind::Array(items) => {
                work.extend(items.iter().rev());
            }
            ExprKind::Record(fields) => work.extend(fields.iter().rev().map(|(_, e)| e)),
            ExprKind::Item(expr, _) | ExprKind::Field(expr, _) | ExprKind::Coerce(expr) => {
                work.push(expr);
            }
            ExprKind::Slice(array, dims) => {
                let parts: Vec<_> = dims.iter().flat_map(Dim::parts).collect();
                work.extend(parts.into_iter().rev());
                work.push(array);
            }
            ExprKind::Range(range) => {
                let parts: Vec<_> = range.parts().collect();
                work.extend(parts.into_iter().rev());
            }
            ExprKind::Assert(assert) => work.extend([&assert.value, &assert.condition]),
        }
    }

    /// Adds the sizes that the type at a use passes to a definition.
    fn size_arguments(&mut self, core: &Program, def: &Def, instance: &Type) {
        for (_, size) in def.size_arguments(instance) {
            self.size(core, &size, true);
        }
    }

    fn ty(&mut self, core: &Program, ty: &Type) {
        match ty {
            Type::Scalar(_) | Type::Var(_) => {}
            Type::Hidden(hidden) => hidden.gone(),
            Type::Tuple(types) => types.iter().for_each(|ty| self.ty(core, ty)),
            Type::Record(types) => types.values().for_each(|ty| self.ty(core, ty)),
            Type::Sum(cases) => cases.values().flatten().for_each(|ty| self.ty(core, ty)),
            Type::Array(size, elem) => {
                self.size(core, size, false);
                self.ty(core, elem);
            }
            Type::Fun(_, param, result) => {
                self.ty(core, param);
                self.ty(core, result);
            }
            Type::Exists(_, ty) => self.ty(core, ty),
        }
    }

    fn size(&mut self, core: &Program, size: &Size, needed: bool) {
        for &factor in size.terms.keys().flatten() {
            *self.sizes.entry(factor).or_default() |= needed;
            if let SizeOrigin::Value(var) = core.sizes[factor].origin {
                self.vars.insert(var);
            }
        }
    }
}

//! The rules for expressions: which sizes must be equal.
//!
//! Invariant: the parts of an expression are checked before it.
//!
//! ```text
//! xs ++ ys: [k]t, xs: [n]t, ys: [m]t   ⇒   k = n + m
//! ```

use super::super::super::{Case, Expr, ExprKind, Type};
use super::relate::SizeBindings;
use super::{SizeVerifier, free_sizes};
use crate::core::verify::verify_types;
use arrc_syntax::ids::{DefId, LocalId};

impl<'p> SizeVerifier<'p> {
    /// An expression that is no `let`.
    pub(super) fn node(&mut self, expr: &'p Expr) -> Result<(), String> {
        let ty = &expr.ty;
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::BinOp(_) | ExprKind::UnOp(_) | ExprKind::Fma => {
                self.parts(expr)
            }
            ExprKind::Size(size) => {
                size.symbols().into_iter().for_each(|id| self.regions.mention(id, expr.span));
                Ok(())
            }
            ExprKind::Var(var) => self.variable(*var, ty),
            ExprKind::Global(def, args) => self.global(*def, args, ty),
            ExprKind::AndAlso(left, right) | ExprKind::OrElse(left, right) => {
                self.expr(left)?;
                let around = self.regions.enter();
                let result = self.expr(right);
                self.regions.here = around;
                result
            }
            ExprKind::App(function, args) => self.call(function, args, ty),
            ExprKind::Lambda(params, body) => self.lambda(params, body, ty, expr.span),
            ExprKind::Let(..) => self.expr(expr),
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition)?;
                self.branches(&[(None, &**then), (None, &**otherwise)], ty)
            }
            ExprKind::Match(value, cases) => {
                self.expr(value)?;
                let one = |Case { pat, body }: &'p Case| (Some((pat, &**value)), body);
                self.branches(&cases.iter().map(one).collect::<Vec<_>>(), ty)
            }
            ExprKind::Loop(data) => self.verify_loop(data, ty, expr.span),
            ExprKind::With(data) => self.with_loop(data, ty),
            ExprKind::Constructor(..)
            | ExprKind::Tuple(_)
            | ExprKind::Record(_)
            | ExprKind::Item(..)
            | ExprKind::Field(..)
            | ExprKind::Update(..)
            | ExprKind::Array(_)
            | ExprKind::Text(_)
            | ExprKind::Index(..)
            | ExprKind::Slice(..)
            | ExprKind::Range(_)
            | ExprKind::Coerce(_)
            | ExprKind::Assert(_) => {
                self.parts(expr)?;
                self.data(expr)
            }
        }
    }

    /// The direct parts of an expression. They run in the region of the expression.
    fn parts(&mut self, expr: &'p Expr) -> Result<(), String> {
        let mut result = Ok(());
        expr.for_each_child(&mut |child| {
            if result.is_ok() {
                result = self.expr(child);
            }
        });
        result
    }

    /// A variable. A use of a local function chooses its sizes.
    fn variable(&mut self, var: LocalId, ty: &Type) -> Result<(), String> {
        let variable = self.vars.get(&var).cloned();
        let variable = variable.ok_or_else(|| format!("{var} is not in scope"))?;
        let mut relation = self.relation();
        let mut names = SizeBindings::new();
        relation.ask_for(&variable.chosen, &mut names);
        self.fits_named(relation, (variable.ty, &names), ty).map(|_| ())
    }

    /// A definition. Its use chooses its sizes, and opens the `?[k]` of a result without parameters.
    fn global(&mut self, def: DefId, args: &[Type], ty: &Type) -> Result<(), String> {
        let callee = &self.program.defs[def];
        let own = self.function_type(&callee.params, &callee.result);
        let mut is_closed = true;
        free_sizes(&own, &mut |id| is_closed &= callee.sizes.contains(&id));
        if !is_closed {
            let name = &callee.name;
            return Err(format!("the type of {name} has a size that its call cannot know"));
        }
        let mut relation = self.relation();
        let mut names = SizeBindings::new();
        relation.ask_for(&callee.sizes, &mut names);
        // The types that are put in have sizes of this definition, which may be a recursive callee.
        let own = verify_types::instance(&self.renamed(&own, &names), &callee.types, args);
        let (made, own) = own.without_exists();
        made.iter().for_each(|&id| relation.make_unknown(id));
        let told = self.fits_named(relation, (&own, &SizeBindings::new()), ty);
        let told = told.map_err(|wrong| format!("{}: {wrong}", callee.name))?;
        self.define_sizes(&made, &told)
    }
}

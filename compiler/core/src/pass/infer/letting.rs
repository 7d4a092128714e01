//! Chains of `let`, of any length.
//!
//! Invariant: a chain is walked in a loop, not by recursion, since programs have long ones.
//!
//! ```text
//! let a = e let f x = g in b   ⇒   Let(a, e, Let(f, Lambda(x. g), b))
//! ```

use super::Checker;
use super::annotation::Holes;
use super::solve::Scheme;
use super::typed::{Expr, ExprKind, Pat};
use crate::ir::ast;
use crate::ir::core::Type;
use crate::source::Span;

impl Checker<'_> {
    /// A chain of `let`s that begins with `expr`.
    pub(super) fn lets(&mut self, mut expr: &ast::Expr, hint: Option<&Type>) -> Expr {
        let mark = self.names.scope.mark();
        let mut bound: Vec<(Pat, Expr, Span)> = Vec::new();
        loop {
            let ((pat, value), body) = if let ast::ExprKind::Let(pat, value, body) = &expr.kind {
                (self.binding(pat, value), body)
            } else if let ast::ExprKind::LetFun(def, body) = &expr.kind {
                match &def.body {
                    Some(value) if def.params.is_empty() => (self.local_value(def, value), body),
                    Some(_) | None => (self.local_function(def), body),
                }
            } else if let ast::ExprKind::LetUpdate(name, steps, value, body) = &expr.kind {
                (self.updated_binding(name, steps, value), body)
            } else {
                break;
            };
            bound.push((pat, value, expr.span));
            expr = body;
        }
        let body = self.expr_hint(expr, hint);
        self.names.scope.leave(mark);
        bound.into_iter().rev().fold(body, |body, (pat, value, span)| {
            let ty = body.ty.clone();
            let kind = ExprKind::Let(pat, Box::new(value), Box::new(body));
            Expr { kind, ty, span }
        })
    }

    /// `let a[i].x = e`, which is `let a = a with [i].x = e`.
    fn updated_binding(
        &mut self,
        name: &ast::Ident,
        steps: &[ast::Step],
        value: &ast::Expr,
    ) -> (Pat, Expr) {
        let path = ast::QualName { quals: Vec::new(), name: name.clone() };
        let old = ast::Expr { kind: ast::ExprKind::Name(path), span: name.span };
        let value = self.update(&old, steps, value, name.span.to(value.span));
        let var = self.bind_var(name, Scheme::mono(value.ty.clone()));
        (Pat::Var(var, value.ty.clone()), value)
    }

    /// `let x 'a = e`. A binding without parameters is a value of one type, even if type parameters stand before its
    /// `=`.
    fn local_value(&mut self, def: &ast::Def, value: &ast::Expr) -> (Pat, Expr) {
        let name = ast::Pat { kind: ast::PatKind::Name(def.name.clone()), span: def.name.span };
        let pat = match &def.result {
            None => name,
            Some(ty) => {
                let span = name.span.to(ty.span);
                ast::Pat { kind: ast::PatKind::Typed(Box::new(name), ty.clone()), span }
            }
        };
        self.binding(&pat, value)
    }

    /// The type that is written for a pattern. Its errors are reported when the pattern is read.
    fn written_type(&mut self, pat: &ast::Pat) -> Option<Type> {
        let ast::PatKind::Typed(_, ty) = &pat.kind else { return None };
        let before = self.reports.mark();
        let ty = self.annotation(ty, &mut Holes::Infer);
        let is_good = self.reports.is_clean_since(before);
        self.reports.take_since(before);
        is_good.then_some(ty)
    }

    fn binding(&mut self, pat: &ast::Pat, value: &ast::Expr) -> (Pat, Expr) {
        let hint = self.written_type(pat);
        let value = self.expr_hint(value, hint.as_ref());
        self.distinct_pattern(&[pat]);
        let span = pat.span;
        let pat = self.pattern(pat, &value.ty, &mut Holes::Infer);
        self.must_fit(&pat, &value.ty, span, "a `let`");
        self.alias(&pat, &value);
        (pat, value)
    }
}

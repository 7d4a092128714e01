//! Chains of `let`, of any length.
//!
//! Invariant: a chain is walked in a loop, not by recursion, since programs have long ones.
//!
//! ```text
//! let a = e let f x = g in b   ⇒   Let(a, e, Let(f, Lambda(x. g), b))
//! ```

use super::Checker;
use super::annotation::AnonymousSizes;
use super::operator::BoundValue;
use super::solve::Scheme;
use super::typed::{Expr, ExprKind, Pat};
use crate::core::{SizeOrigin, Type};
use arrc_syntax::ast;
use arrc_syntax::ids::SizeVar;
use arrc_syntax::source::Span;

impl Checker<'_> {
    /// A chain of `let`s that begins with `expr`.
    pub(super) fn lets(&mut self, mut expr: &ast::Expr, hint: Option<&Type>) -> Expr {
        let mark = self.names.scope.mark();
        let mut bound: Vec<(Pat, Expr, Span)> = Vec::new();
        loop {
            let ((pat, value), body) = if let ast::ExprKind::Let(pat, value, body) = &expr.kind {
                let (bound_to, mut value) = self.binding(pat, value);
                if names_sizes(pat) {
                    self.name_makers(&mut value, &mut bound);
                }
                ((bound_to, value), body)
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
        steps: &[ast::Accessor],
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
        let ty = self.annotation(ty, &mut AnonymousSizes::Infer);
        let is_good = self.reports.is_clean_since(before);
        self.reports.take_since(before);
        is_good.then_some(ty)
    }

    /// Binds the parts of a value that make sizes, in the order in which they are computed. A pattern may name a size
    /// that is made of several such sizes, as in `let [k] v: [k]t = filter p xs ++ filter q xs`: with these bindings,
    /// each of them is the size of a variable.
    fn name_makers(&mut self, value: &mut Expr, bound: &mut Vec<(Pat, Expr, Span)>) {
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the sizes that others make are their own"
        )]
        match &mut value.kind {
            ExprKind::Let(..) => {
                let hole = Expr { kind: ExprKind::Tuple(Vec::new()), ..value.clone() };
                let ExprKind::Let(pat, inner, body) = std::mem::replace(value, hole).kind else {
                    unreachable!("the value was a `let`")
                };
                bound.push((pat, *inner, value.span));
                *value = *body;
                self.name_makers(value, bound);
            }
            ExprKind::App(function, args) => {
                self.name_makers(function, bound);
                self.name_all(args.iter_mut().collect(), bound);
            }
            ExprKind::Tuple(items) => {
                items.iter_mut().for_each(|item| self.name_makers(item, bound));
            }
            ExprKind::Record(fields) => {
                fields.iter_mut().for_each(|(_, field)| self.name_makers(field, bound));
            }
            ExprKind::Item(part, _)
            | ExprKind::Field(part, _)
            | ExprKind::Index(part, _)
            | ExprKind::Slice(part, _)
            | ExprKind::Coerce(part) => self.name_all(vec![part], bound),
            _ => {}
        }
    }

    /// Binds operands if one of them makes sizes. The others are bound too, so that the first one that fails is the
    /// same.
    fn name_all(&mut self, operands: Vec<&mut Expr>, bound: &mut Vec<(Pat, Expr, Span)>) {
        if !operands.iter().any(|operand| self.makes_sizes(&operand.ty)) {
            return;
        }
        for operand in operands {
            self.name_makers(operand, bound);
            let hole = Expr { kind: ExprKind::Tuple(Vec::new()), ..operand.clone() };
            let (given, binding) = self.bind_once(std::mem::replace(operand, hole));
            *operand = given;
            bound.extend(binding.map(|BoundValue(pat, value)| {
                let span = value.span;
                (pat, value, span)
            }));
        }
    }

    /// Whether a type has sizes that are known only when they are computed.
    fn makes_sizes(&self, ty: &Type) -> bool {
        let mut sizes = Vec::new();
        self.u.sizes_of(ty, &mut sizes);
        let is_made =
            |&id: &SizeVar| matches!(self.u.sizes[id].info.origin, SizeOrigin::Exists { .. });
        sizes.iter().any(is_made)
    }

    fn binding(&mut self, pat: &ast::Pat, value: &ast::Expr) -> (Pat, Expr) {
        let hint = self.written_type(pat);
        let value = self.expr_hint(value, hint.as_ref());
        self.distinct_pattern(&[pat]);
        let span = pat.span;
        let pat = self.pattern(pat, &value.ty, &mut AnonymousSizes::Infer);
        self.must_fit(&pat, &value.ty, span, "a `let`");
        self.alias(&pat, &value);
        (pat, value)
    }
}

/// Whether a pattern names sizes.
fn names_sizes(pat: &ast::Pat) -> bool {
    match &pat.kind {
        ast::PatKind::Sized(..) => true,
        ast::PatKind::Tuple(items) => items.iter().any(names_sizes),
        ast::PatKind::Record(fields) => fields.iter().any(|(_, field)| names_sizes(field)),
        ast::PatKind::Constructor(_, items) => items.iter().any(names_sizes),
        ast::PatKind::Typed(inner, _) => names_sizes(inner),
        ast::PatKind::Wild
        | ast::PatKind::Name(_)
        | ast::PatKind::Literal(..)
        | ast::PatKind::Error => false,
    }
}

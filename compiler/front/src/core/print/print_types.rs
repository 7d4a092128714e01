//! Types and patterns as trees.
//!
//! Invariant: a size that has no name where the type stands is left to be inferred.
//!
//! ```text
//! [n](f64, [k]i32), k made by filter   ⇒   [n](f64, []i32)
//! ```

use super::super::{Pat, Size, Type};
use super::exprs::{ExprPrinter, constant};
use super::{ident, nowhere};
use arrc_syntax::ast;
use arrc_syntax::ast::{ExprKind, Literal, PatKind, Sign, TypeKind};
use arrc_syntax::ids::SizeVar;
use arrc_syntax::names::Name;
use arrc_syntax::prim::Const;

impl ExprPrinter<'_> {
    /// A type.
    pub(super) fn ty(&mut self, ty: &Type) -> ast::Type {
        let kind = match ty {
            Type::Scalar(scalar) => named_type(scalar.name().into()),
            Type::Tuple(items) => TypeKind::Tuple(items.iter().map(|ty| self.ty(ty)).collect()),
            Type::Record(fields) => TypeKind::Record(
                fields.iter().map(|(name, ty)| (ident(name.clone()), self.ty(ty))).collect(),
            ),
            Type::Sum(constructors) => TypeKind::Sum(
                constructors
                    .iter()
                    .map(|(name, payloads)| {
                        let payloads = payloads.iter().map(|ty| self.ty(ty)).collect();
                        (ident(name.clone()), payloads)
                    })
                    .collect(),
            ),
            Type::Array(size, element) => {
                TypeKind::Array(self.size(size), Box::new(self.ty(element)))
            }
            Type::Fun(param, from, to) => {
                let from = Box::new(self.ty(from));
                let own = param.map(|param| ident(self.names.declare_size(param)));
                let to = Box::new(self.ty(to));
                param.iter().for_each(|&param| self.names.forget_size(param));
                TypeKind::Fun(own, from, to)
            }
            Type::Var(var) => named_type(self.names.type_param(*var)),
            Type::Hidden(hidden) => hidden.gone(),
            Type::Exists(sizes, body) => {
                let own = sizes.iter().map(|&size| ident(self.names.declare_size(size))).collect();
                let body = Box::new(self.ty(body));
                sizes.iter().for_each(|&size| self.names.forget_size(size));
                TypeKind::Exists(own, body)
            }
        };
        ast::Type { kind, span: nowhere() }
    }

    /// A pattern.
    pub(super) fn pat(&mut self, pat: &Pat) -> ast::Pat {
        let kind = match pat {
            Pat::Wild => PatKind::Wild,
            Pat::Var(var, _) => PatKind::Name(ident(self.names.bind(*var))),
            Pat::Tuple(items) => PatKind::Tuple(items.iter().map(|pat| self.pat(pat)).collect()),
            Pat::Record(fields) => PatKind::Record(
                fields.iter().map(|(name, pat)| (ident(name.clone()), self.pat(pat))).collect(),
            ),
            Pat::Constructor(name, pats) => PatKind::Constructor(
                ident(name.clone()),
                pats.iter().map(|pat| self.pat(pat)).collect(),
            ),
            Pat::Const(value, _) => literal_pat(*value),
        };
        ast::Pat { kind, span: nowhere() }
    }

    /// A pattern with its type.
    pub(super) fn typed_pat(&mut self, pat: &Pat, ty: &Type) -> ast::Pat {
        let ty = self.ty(ty);
        let kind = PatKind::Typed(Box::new(self.pat(pat)), ty);
        ast::Pat { kind, span: nowhere() }
    }

    /// The value of a size. All its symbols have names here.
    pub(super) fn size_value(&self, size: &Size) -> ast::Expr {
        let name = |id: SizeVar| self.names.size(id).unwrap_or_else(|| Name::from(id.to_string()));
        polynomial(size, &name)
    }

    fn size(&self, size: &Size) -> ast::Size {
        if size.symbols().into_iter().any(|id| self.names.size(id).is_none()) {
            return ast::Size::Infer(nowhere());
        }
        ast::Size::Expr(Box::new(self.size_value(size)))
    }
}

/// The pattern for a constant.
fn literal_pat(value: Const) -> PatKind {
    let written = constant(value).kind;
    if let ExprKind::Literal(literal) = written {
        return PatKind::Literal(literal, Sign::Plus);
    }
    if let ExprKind::Neg(operand) = written
        && let ExprKind::Literal(literal) = operand.kind
    {
        return PatKind::Literal(literal, Sign::Minus);
    }
    panic!("a pattern is for a finite number, not for {value:?}")
}

/// A polynomial, with positive terms before negative ones.
fn polynomial(size: &Size, name: &dyn Fn(SizeVar) -> Name) -> ast::Expr {
    let mut terms: Vec<(&Vec<SizeVar>, i64)> = size.terms.iter().map(|(f, &c)| (f, c)).collect();
    terms.sort_by_key(|(factors, coefficient)| (*coefficient < 0, factors.is_empty()));
    let mut sum: Option<ast::Expr> = None;
    for (factors, coefficient) in terms {
        let mut product = None;
        if factors.is_empty() || coefficient.unsigned_abs() != 1 {
            product = Some(number(coefficient.unsigned_abs()));
        }
        for &factor in factors {
            let factor = named(name(factor));
            product = Some(match product {
                Some(product) => infix(product, "*", factor),
                None => factor,
            });
        }
        let term = product.expect("a term has a coefficient or a factor");
        sum = Some(match (sum, coefficient < 0) {
            (Some(sum), false) => infix(sum, "+", term),
            (Some(sum), true) => infix(sum, "-", term),
            (None, false) => term,
            (None, true) => ast::Expr { kind: ExprKind::Neg(Box::new(term)), span: nowhere() },
        });
    }
    sum.unwrap_or_else(|| number(0))
}

fn number(value: u64) -> ast::Expr {
    ast::Expr { kind: ExprKind::Literal(Literal::Int(value.into(), None)), span: nowhere() }
}

/// `left sign right`.
pub(super) fn infix(left: ast::Expr, sign: &str, right: ast::Expr) -> ast::Expr {
    let operator = ast::QualName { quals: Vec::new(), name: ident(sign.into()) };
    let kind = ExprKind::Infix(Box::new(left), operator, Box::new(right));
    ast::Expr { kind, span: nowhere() }
}

/// A name without qualifiers.
pub(super) fn named(name: Name) -> ast::Expr {
    let name = ast::QualName { quals: Vec::new(), name: ident(name) };
    ast::Expr { kind: ExprKind::Name(name), span: nowhere() }
}

fn named_type(name: Name) -> TypeKind {
    TypeKind::Name(ast::QualName { quals: Vec::new(), name: ident(name) }, Vec::new())
}

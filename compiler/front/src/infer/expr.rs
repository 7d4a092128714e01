//! Expressions: the typed expression for each written one, and its type.
//!
//! Invariant: there is exactly one typed expression for each written one, with its span. A wrong one has the error's
//! type, which fits everywhere.
//!
//! ```text
//! if d == 0 then [a] else f ps   ⇒   If(App(Eq, [d, 0]), Array [a], App(f, [ps])) : [k]point
//! ```

use indexmap::IndexMap;

use super::Checker;
use super::annotation::AnonymousSizes;
use super::branches::Branches;
use super::def_state::UndeterminedSize;
use super::error::{ConstraintSite, TypeError};
use super::name::function;
use super::solve::{BoundReason, ScalarBound, ScalarSet};
use super::typed::{Assert, Expr, ExprKind, Literal};
use crate::core;
use crate::core::{Phase, Size, Type};
use crate::data::Data;
use arrc_syntax::ast;
use arrc_syntax::ids::SizeVar;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};
use arrc_syntax::source::Span;
use arrc_syntax::stack::with_enough_stack;

impl Checker<'_> {
    /// An expression.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        self.expr_hint(expr, None)
    }

    /// An expression whose type is probably `hint`. The hint gives a lambda's parameters their types at once.
    pub(super) fn expr_hint(&mut self, expr: &ast::Expr, hint: Option<&Type>) -> Expr {
        let mut typed = with_enough_stack(|| self.kind_of(expr, hint));
        if self.is_too_large(&typed.ty, expr.span) || self.has_too_large_size(&typed.ty, expr.span)
        {
            typed.ty = self.u.error_type();
        }
        self.note_type(expr.span, &typed.ty);
        typed
    }

    fn kind_of(&mut self, expr: &ast::Expr, hint: Option<&Type>) -> Expr {
        use ast::ExprKind as E;
        let span = expr.span;
        if self.names.globals.is_guess(span) {
            return self.wrong(span);
        }
        match &expr.kind {
            E::Literal(literal) => self.literal_expr(*literal, false, span),
            E::Name(name) => match self.shaped_def(expr) {
                Some(template) => self.template_at(template, hint, span),
                None => self.qualified(name, span),
            },
            E::Apply(function, args) => self.apply(function, args, span),
            E::Infix(left, op, right) => self.infix(left, op, right, hint, span),
            E::Neg(operand) => self.negate(operand, span),
            E::Not(operand) => self.unary(UnOp::Not, operand, span),
            E::SectionRight(op, operand) => self.section_right(op, operand, span),
            E::SectionLeft(operand, op) => self.section_left(operand, op, span),
            E::SectionPath(steps) => self.section_path(steps, span),
            E::Text(text) => Self::text(text, span),
            E::Hole => self.hole_expr(hint, span),
            E::Opened(module, body) => self.open_in(module, body, hint),
            E::Attr(_, body) => self.expr_hint(body, hint),
            E::Lambda(params, result, body) => {
                self.lambda(params, (result.as_deref(), body), hint, span)
            }
            E::Let(..) | E::LetFun(..) | E::LetUpdate(..) => self.lets(expr, hint),
            E::Loop(data) => self.infer_loop(data, span),
            E::With(data) => self.with_loop(data, span),
            E::If(condition, then, otherwise) => {
                self.branches(condition, (then, otherwise), hint, span)
            }
            E::Match(value, cases) => self.matching(value, cases, hint, span),
            E::Constructor(name, args) => self.constructor(name, args, hint, span),
            E::Tuple(items) => {
                let hints = self.component_hints(hint, items.len());
                let items = items.iter().zip(&hints);
                let items: Vec<Expr> =
                    items.map(|(item, hint)| self.expr_hint(item, hint.as_ref())).collect();
                let ty = Type::Tuple(items.iter().map(|item| item.ty.clone()).collect());
                Expr { kind: ExprKind::Tuple(items), ty, span }
            }
            E::Record(fields) => self.record(fields, hint, span),
            E::Update(whole, steps, value) => self.update(whole, steps, value, span),
            E::Array(items) => self.array(items, span),
            E::Index(array, indices) => self.index(array, indices, span),
            E::Field(record, field) => self.field(record, field, span),
            E::Slice(array, dims) => self.slice(array, dims, span),
            E::Range(range) => self.range(range, span),
            E::Ascribe(inner, ty) => self.ascribe(inner, ty),
            E::Coerce(inner, ty) => self.coerce(inner, ty, span),
            E::Assert(condition, value) => self.assert(condition, value, hint, span),
            E::Error => self.wrong(span),
        }
    }

    /// A literal. A literal without a suffix may have several types.
    pub(super) fn literal_expr(
        &mut self,
        literal: ast::Literal,
        negative: bool,
        span: Span,
    ) -> Expr {
        let (literal, set, suffix) = match literal {
            ast::Literal::Bool(value) => {
                let constant = arrc_syntax::prim::Const::bool(value);
                return Expr::literal(Literal::Const(constant), Type::Scalar(Scalar::Bool), span);
            }
            ast::Literal::Int(value, suffix) => {
                (Literal::Int(value, negative), ScalarSet::of(Scalar::is_numeric), suffix)
            }
            ast::Literal::Float(value, suffix) => {
                (Literal::Float(value, negative), ScalarSet::of(Scalar::is_float), suffix)
            }
        };
        let ty = match suffix {
            Some(scalar) => Type::Scalar(scalar),
            None => self.u.fresh_scalar(ScalarBound::new(set, BoundReason::Literal)),
        };
        Expr::literal(literal, ty, span)
    }

    /// `-e`. The sign of a literal becomes a part of it, so that the lowest integer can be written.
    fn negate(&mut self, operand: &ast::Expr, span: Span) -> Expr {
        if let ast::ExprKind::Literal(literal) = operand.kind
            && !matches!(literal, ast::Literal::Bool(_))
        {
            return self.literal_expr(literal, true, span);
        }
        self.unary(UnOp::Neg, operand, span)
    }

    /// The probable types of the components of a tuple.
    fn component_hints(&self, hint: Option<&Type>, count: usize) -> Vec<Option<Type>> {
        match hint.map(|hint| self.u.head(hint)) {
            Some(Type::Tuple(types)) if types.len() == count => {
                types.into_iter().map(Some).collect()
            }
            _ => vec![None; count],
        }
    }

    fn record(
        &mut self,
        fields: &[(ast::Ident, ast::Expr)],
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        self.distinct("fields", fields.iter().map(|(name, _)| name));
        let hint = hint.map(|hint| self.u.head(hint));
        let hints = if let Some(Type::Record(types)) = hint { types } else { IndexMap::new() };
        let (mut types, mut values) = (IndexMap::new(), Vec::new());
        for (name, value) in fields {
            let value = self.expr_hint(value, hints.get(&name.name));
            types.insert(name.name.clone(), value.ty.clone());
            values.push((name.name.clone(), value));
        }
        Expr { kind: ExprKind::Record(values), ty: Type::Record(types), span }
    }

    fn array(&mut self, items: &[ast::Expr], span: Span) -> Expr {
        let element = self.u.fresh();
        let mut values: Vec<Expr> = Vec::new();
        for item in items {
            let value = self.expr_hint(item, Some(&element));
            self.u.at = value.span;
            let first = values.first().map_or(value.span, |first| first.span);
            self.expect(&element, &value.ty, || ConstraintSite::Element {
                first,
                span: value.span,
            });
            values.push(value);
        }
        let length = i64::try_from(items.len()).expect("an array literal is shorter than its text");
        let ty = Type::Array(Size::constant(length), Box::new(element));
        Expr { kind: ExprKind::Array(values), ty, span }
    }

    /// The bytes of a text.
    pub(super) fn text<P: Phase>(text: &Name, span: Span) -> core::Expr<P> {
        let length = i64::try_from(text.len()).expect("a text is shorter than its file");
        let ty = Type::Array(Size::constant(length), Box::new(Type::Scalar(Scalar::U8)));
        core::Expr { kind: core::ExprKind::Text(Data::text(text)), ty, span }
    }

    fn index(&mut self, array: &ast::Expr, indices: &[ast::Expr], span: Span) -> Expr {
        let array = self.expr(array);
        let (mut values, mut bound) = (Vec::new(), Vec::new());
        let mut ty = array.ty.clone();
        for index in indices {
            let index = self.expr(index);
            let parts = if let Type::Array(..) = self.u.head(&index.ty) {
                self.vector_components(index, &mut bound)
            } else {
                Some(vec![index])
            };
            let Some(parts) = parts else { return self.wrong(span) };
            for part in parts {
                ty = self.element(&ty, array.span, values.len());
                self.is_index(&part);
                values.push(part);
            }
        }
        if values.is_empty() {
            return array;
        }
        let found = Expr { kind: ExprKind::Index(Box::new(array), values), ty, span };
        bound.into_iter().rev().fold(found, |body, bound| bound.wrap_in_let(body, span))
    }

    /// An array at indices that are typed already.
    pub(super) fn index_of(&mut self, array: Expr, indices: Vec<Expr>, span: Span) -> Expr {
        let mut ty = array.ty.clone();
        for (depth, index) in indices.iter().enumerate() {
            ty = self.element(&ty, array.span, depth);
            self.is_index(index);
        }
        Expr { kind: ExprKind::Index(Box::new(array), indices), ty, span }
    }

    fn is_index(&mut self, index: &Expr) {
        self.u.at = index.span;
        if self.u.bound_index(&index.ty).is_err() {
            let index_type = Type::Scalar(Scalar::I64);
            self.expect(&index_type, &index.ty, || ConstraintSite::Index { span: index.span });
        }
    }

    /// A number of any type of integers as an `i64`. A number above the range of `i64` is an error at run time.
    pub(super) fn as_i64(&mut self, number: Expr) -> Expr {
        let Some(scalar) = self.u.as_scalar(&number.ty) else { return number };
        if !scalar.is_integer() || scalar == Scalar::I64 {
            return number;
        }
        let span = number.span;
        if scalar == Scalar::U64 {
            return self.with_value_bound(number, span, |this, number| this.checked_i64(number));
        }
        converted(number, scalar)
    }

    /// A number of type `u64` as an `i64`, after a check that it is in range.
    fn checked_i64(&mut self, number: Expr) -> Expr {
        let (span, ty) = (number.span, Type::Scalar(Scalar::U64));
        let name = if let ExprKind::Var(used) = &number.kind {
            self.vars[used.var].name.clone()
        } else {
            "the number".into()
        };
        let highest = Const::int(Scalar::U64, i128::from(i64::MAX));
        let highest = Expr::literal(Literal::Const(highest), ty.clone(), span);
        let compare = self.bin_op(BinOp::Le, Some(ty), span);
        let kind = ExprKind::App(Box::new(compare), vec![number.clone(), highest]);
        let condition = Expr { kind, ty: Type::Scalar(Scalar::Bool), span };
        let text = format!("{name} <= {}", i64::MAX);
        let value = converted(number, Scalar::U64);
        let assert = ExprKind::Assert(Box::new(Assert { condition, text, value }));
        Expr { kind: assert, ty: Type::Scalar(Scalar::I64), span }
    }

    /// The type of an element of `ty`. The array at `array` has the type `ty` after `depth` indices.
    pub(super) fn element(&mut self, ty: &Type, array: Span, depth: usize) -> Type {
        if let Type::Array(_, element) = self.u.head(ty) {
            return *element;
        }
        if self.u.as_free(ty).is_none() {
            self.not_an_array(ty, array, depth);
            return self.u.error_type();
        }
        let element = self.u.fresh();
        let size = self.u.fresh_size(Name::default(), array);
        self.u.at = array;
        let expected = Type::Array(size, Box::new(element.clone()));
        if self.u.unify(&expected, ty).is_err() {
            self.not_an_array(ty, array, depth);
        }
        element
    }

    fn not_an_array(&mut self, ty: &Type, array: Span, depth: usize) {
        if !self.u.is_error(ty) {
            let ty = self.show(ty);
            self.report(TypeError::NotAnArray { span: array, ty, depth });
        }
    }

    fn ascribe(&mut self, inner: &ast::Expr, ty: &ast::Type) -> Expr {
        let annotated = self.annotation(ty, &mut AnonymousSizes::Infer);
        self.unmarked(ty);
        let inner = self.expr_hint(inner, Some(&annotated));
        self.u.at = inner.span;
        let place = || ConstraintSite::Annotation { span: inner.span, ty: ty.span };
        let fits = self.expect(&annotated, &inner.ty, place);
        // Enclosing expressions may still rely on the annotated type.
        let inner = if fits { inner } else { self.wrong(inner.span) };
        Expr { ty: annotated, ..inner }
    }

    fn branches(
        &mut self,
        condition: &ast::Expr,
        (then, otherwise): (&ast::Expr, &ast::Expr),
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let bool_type = Type::Scalar(Scalar::Bool);
        let condition = self.expr(condition);
        self.u.at = condition.span;
        self.expect(&bool_type, &condition.ty, || ConstraintSite::Condition {
            span: condition.span,
        });
        if let Some(holds) = self.decided(&condition) {
            return self.expr_hint(if holds { then } else { otherwise }, hint);
        }
        let mut branches = Branches::new("if", span);
        let made = self.next_ids();
        let then = self.expr_hint(then, hint);
        let otherwise = self.expr_hint(otherwise, hint);
        branches.add(made, self);
        self.u.at = span;
        let ty = match self.join(&then.ty, &otherwise.ty, &mut branches) {
            Ok(ty) => ty,
            Err(clash) => {
                let place =
                    ConstraintSite::Branch { then: tail(&then), otherwise: tail(&otherwise) };
                self.clash(place, &then.ty, &otherwise.ty, clash);
                self.u.error_type()
            }
        };
        let kind = ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
        Expr { kind, ty, span }
    }

    /// Whether the place of a call has to determine one of two sizes, and the other size determines it.
    pub(super) fn determines_wanted(&mut self, left: &Size, right: &Size) -> bool {
        let sizes = [left, right].map(|size| self.u.resolve_size(size).as_symbol());
        let is_wanted = |size: SizeVar| {
            let wanted = |wanted: &UndeterminedSize| {
                self.u.resolve_size(&wanted.size).as_symbol() == Some(size)
            };
            self.u.is_free_size(size) && self.walk.wanted.iter().any(wanted)
        };
        sizes.into_iter().flatten().any(is_wanted) && self.u.unify_sizes(left, right).is_ok()
    }
}

/// A number of a type of integers as an `i64`.
fn converted(number: Expr, scalar: Scalar) -> Expr {
    let (span, ty) = (number.span, Type::Scalar(Scalar::I64));
    let convert = Expr {
        kind: ExprKind::UnOp(UnOp::To(Scalar::I64)),
        ty: function(&[Type::Scalar(scalar)], ty.clone()),
        span,
    };
    Expr { kind: ExprKind::App(Box::new(convert), vec![number]), ty, span }
}

/// The place of the part of an expression that gives its value, below its bindings and assertions.
pub(super) fn tail(expr: &Expr) -> Span {
    if let ExprKind::Let(_, _, body) = &expr.kind {
        return tail(body);
    }
    if let ExprKind::Assert(assert) = &expr.kind { tail(&assert.value) } else { expr.span }
}

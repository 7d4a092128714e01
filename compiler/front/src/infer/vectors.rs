//! Index vectors: arrays of `i64` whose length is a constant, taken apart into their components.
//!
//! Invariant: the expression of a component is evaluated once, before the vector is used.
//!
//! ```text
//! a[iv + [1, 0]], iv = [i, j]   ⇒   a[i + 1, j + 0]
//! shape a, a: [n][m]f64         ⇒   [n, m]
//! ```

use super::Checker;
use super::error::{NotAVector, WithError};
use super::operator::BoundValue;
use super::typed::{Expr, ExprKind, Literal};
use crate::core::{Size, Type};
use arrc_syntax::ast;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// The most components of an index vector. Each of them is an expression of its own.
const LONGEST_VECTOR: i64 = 10_000;

/// An index vector, or a number that stands for each component.
pub(super) enum IndexVector {
    Components(Vec<Expr>),
    Each(Expr),
}

impl IndexVector {
    /// The number of components, if the vector determines it.
    pub(super) fn rank(&self) -> Option<usize> {
        match self {
            Self::Components(components) => Some(components.len()),
            Self::Each(_) => None,
        }
    }

    /// Its components.
    pub(super) fn of_rank(self, rank: usize) -> Vec<Expr> {
        match self {
            Self::Components(components) => components,
            Self::Each(number) => vec![number; rank],
        }
    }
}

impl Checker<'_> {
    /// An index vector as written. Expressions that must be evaluated only once are added to `bound`.
    pub(super) fn vector(
        &mut self,
        written: &ast::Expr,
        bound: &mut Vec<BoundValue>,
    ) -> Option<IndexVector> {
        let value = self.expr(written);
        if let Type::Array(..) = self.u.head(&value.ty) {
            let components = self.vector_components(value, bound)?;
            let numbers = components.into_iter().map(|number| self.number(number));
            return Some(IndexVector::Components(numbers.collect::<Option<_>>()?));
        }
        let (number, binding) = self.bind_once(value);
        bound.extend(binding);
        Some(IndexVector::Each(self.number(number)?))
    }

    /// A number of any type of integers as an `i64`.
    fn number(&mut self, number: Expr) -> Option<Expr> {
        let is_known = self.u.as_scalar(&number.ty).is_some_and(Scalar::is_integer);
        if is_known || self.u.unify(&Type::Scalar(Scalar::I64), &number.ty).is_ok() {
            return Some(self.as_i64(number));
        }
        self.no_vector(&number, NotAVector::Type);
        None
    }

    fn no_vector(&mut self, value: &Expr, why: NotAVector) {
        if !self.u.is_error(&value.ty) {
            let ty = self.show(&value.ty);
            self.report(WithError::NoVector { span: value.span, ty, why });
        }
    }

    /// The elements of an array whose length is a constant.
    pub(super) fn vector_components(
        &mut self,
        value: Expr,
        bound: &mut Vec<BoundValue>,
    ) -> Option<Vec<Expr>> {
        if let Some(known) = self.known_components(&value) {
            return Some(known);
        }
        let Type::Array(size, element) = self.u.head(&value.ty) else {
            self.no_vector(&value, NotAVector::Type);
            return None;
        };
        let Some(rank) = self.constant_length(&size).and_then(|size| usize::try_from(size).ok())
        else {
            let is_other = self.u.as_scalar(&element).is_some_and(|scalar| !scalar.is_integer());
            let is_deep = matches!(self.u.head(&element), Type::Array(..));
            let why = if is_other || is_deep { NotAVector::Type } else { NotAVector::Length };
            self.no_vector(&value, why);
            return None;
        };
        if let ExprKind::Array(items) = value.kind {
            return Some(items);
        }
        let span = value.span;
        let (whole, binding) = self.bind_once(value);
        bound.extend(binding);
        let component = |at: usize| {
            let at = self.i64_literal(i64::try_from(at).expect("a rank is small"), span);
            let kind = ExprKind::Index(Box::new(whole.clone()), vec![at]);
            Expr { kind, ty: (*element).clone(), span }
        };
        Some((0..rank).map(component).collect())
    }

    /// The components of a variable that is another name for them.
    fn known_components(&self, value: &Expr) -> Option<Vec<Expr>> {
        let ExprKind::Var(used) = &value.kind else { return None };
        let known = self.vars.values[used.var].components.as_ref()?;
        Some(known.iter().map(|known| Expr { span: value.span, ..known.clone() }).collect())
    }

    /// A constant of type `i64`.
    pub(super) fn i64_literal(&mut self, value: i64, span: Span) -> Expr {
        let literal = Literal::Const(Const::i64(value));
        Expr::literal(literal, Type::Scalar(Scalar::I64), span)
    }

    /// `number + by`.
    pub(super) fn shifted(&mut self, number: Expr, by: i64) -> Expr {
        let (span, ty) = (number.span, Type::Scalar(Scalar::I64));
        if by == 0 {
            return number;
        }
        if matches!(number.kind, ExprKind::Const(_))
            && let Some(value) = self.size_of(&number).and_then(|size| size.as_constant())
            && let Some(sum) = value.checked_add(by)
        {
            return self.i64_literal(sum, span);
        }
        let op = if by < 0 { BinOp::Sub } else { BinOp::Add };
        let by = self.i64_literal(by.abs(), span);
        let function = self.bin_op(op, Some(ty.clone()), span);
        Expr { kind: ExprKind::App(Box::new(function), vec![number, by]), ty, span }
    }

    /// An expression for the value of a size.
    pub(super) fn size_value(&mut self, size: &Size, span: Span) -> Expr {
        let size = self.u.resolve_size(size);
        match size.as_constant() {
            Some(value) => self.i64_literal(value, span),
            None => Expr { kind: ExprKind::Size(size), ty: Type::Scalar(Scalar::I64), span },
        }
    }

    /// The sizes of the dimensions of an array, as far as its type is known.
    pub(super) fn dimensions_of(&self, ty: &Type) -> Vec<Size> {
        let mut sizes = Vec::new();
        let mut ty = self.u.head(ty);
        while let Type::Array(size, element) = ty {
            sizes.push(self.u.resolve_size(&size));
            ty = self.u.head(&element);
        }
        sizes
    }

    /// The name of `shape` or `dim`, unless it is the name of something else here.
    pub(super) fn measure<'e>(&mut self, function: &'e ast::Expr) -> Option<&'e str> {
        let ast::ExprKind::Name(path) = &function.kind else { return None };
        let name = path.name.name.as_str();
        let is_measure = path.quals.is_empty() && matches!(name, "shape" | "dim");
        if !is_measure || self.names.has_term(&path.name.name) {
            return None;
        }
        self.note_known(path.name.span);
        Some(name)
    }

    /// `shape a` and `dim a`, from the dimensions of the type of `a` that is known at this place.
    pub(super) fn measured(&mut self, name: &str, array: Expr, span: Span) -> Expr {
        let mut inner = self.u.head(&array.ty);
        while let Type::Array(_, element) = inner {
            inner = self.u.head(&element);
        }
        if self.u.is_error(&inner) {
            return self.wrong(span);
        }
        if self.u.as_free(&inner).is_some_and(|_| !self.u.is_number(&inner)) {
            let name = name.into();
            self.report(WithError::UnknownShape { name, span: array.span });
            return self.wrong(span);
        }
        self.with_value_bound(array, span, |this, array| {
            let sizes = this.dimensions_of(&array.ty);
            let rank = i64::try_from(sizes.len()).expect("a type is not that deep");
            if name == "dim" {
                return this.i64_literal(rank, span);
            }
            let items = sizes.iter().map(|size| this.size_value(size, span)).collect();
            let element = Box::new(Type::Scalar(Scalar::I64));
            Expr {
                kind: ExprKind::Array(items),
                ty: Type::Array(Size::constant(rank), element),
                span,
            }
        })
    }

    /// The length of an array if it is a constant, and an index vector may be that long. An array that a loop carries, and that
    /// began with a constant length, keeps it from here on: it is used as an index vector.
    fn constant_length(&mut self, size: &Size) -> Option<i64> {
        let size = self.u.resolve_size(size);
        let may_be = |length: &i64| (0..=LONGEST_VECTOR).contains(length);
        if let Some(length) = size.as_constant() {
            return Some(length).filter(may_be);
        }
        let length = *self.walk.initial.get(&size.as_symbol()?).filter(|length| may_be(length))?;
        self.u.unify_sizes(&size, &Size::constant(length)).is_ok().then_some(length)
    }

    /// Whether an operand is an index vector.
    pub(super) fn is_vector(&mut self, operand: &Expr) -> bool {
        let Type::Array(size, element) = self.u.head(&operand.ty) else { return false };
        let is_i64 = self.u.as_scalar(&element) == Some(Scalar::I64);
        (is_i64 || self.u.is_number(&element)) && self.constant_length(&size).is_some()
    }

    /// An operator on the components of two index vectors, or of an index vector and a number.
    pub(super) fn vector_operator(
        &mut self,
        (left, right): (Expr, Expr),
        (op, at): (BinOp, Span),
        span: Span,
    ) -> Expr {
        let mut bound = Vec::new();
        let spans = [left.span, right.span];
        let operands = [left, right].map(|operand| self.vector_operand(operand, &mut bound));
        let [Some(left), Some(right)] = operands else { return self.wrong(span) };
        let Some(rank) = left.rank().or(right.rank()) else { return self.wrong(span) };
        if let (Some(first), Some(second)) = (left.rank(), right.rank())
            && first != second
        {
            let operands = [(first, spans[0]), (second, spans[1])];
            self.report(WithError::VectorLengths { span: at, operands });
            return self.wrong(span);
        }
        let ty = Type::Scalar(Scalar::I64);
        let pairs = left.of_rank(rank).into_iter().zip(right.of_rank(rank));
        let items = pairs.map(|(left, right)| {
            let function = self.bin_op(op, Some(ty.clone()), at);
            let kind = ExprKind::App(Box::new(function), vec![left, right]);
            Expr { kind, ty: ty.clone(), span }
        });
        let kind = ExprKind::Array(items.collect());
        let size = Size::constant(i64::try_from(rank).expect("a rank is small"));
        let vector = Expr { kind, ty: Type::Array(size, Box::new(ty)), span };
        bound.into_iter().rev().fold(vector, |body, bound| bound.wrap_in_let(body, span))
    }

    fn vector_operand(
        &mut self,
        operand: Expr,
        bound: &mut Vec<BoundValue>,
    ) -> Option<IndexVector> {
        if let Type::Array(..) = self.u.head(&operand.ty) {
            let components = self.vector_components(operand, bound)?.into_iter();
            let numbers = components.map(|number| self.number(number));
            return Some(IndexVector::Components(numbers.collect::<Option<_>>()?));
        }
        let (number, binding) = self.bind_once(operand);
        bound.extend(binding);
        Some(IndexVector::Each(self.number(number)?))
    }
}

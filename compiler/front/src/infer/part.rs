//! Ranges, slices, and the checks at run time: `:>` and `assert`.
//!
//! Invariant: if one of these determines a size, the array has that size whenever the check succeeds. Otherwise the
//! size is a new one.
//!
//! ```text
//! 0..<n       ⇒   [n]i64           xs[i:j]   ⇒   [j-i]t           xs[::2]   ⇒   [k]t
//! ```

use super::Checker;
use super::annotation::AnonymousSizes;
use super::error::ConstraintSite;
use super::solve::{BoundReason, OperatorSite, ScalarBound, ScalarSet};
use super::typed::{Assert, Dim, Expr, ExprKind, Literal, Range};
use crate::core::{Size, SizeOrigin, Type};
use arrc_syntax::ast;
use arrc_syntax::ast::RangeEnd;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

impl Checker<'_> {
    /// `a..b..<c`.
    pub(super) fn range(&mut self, range: &ast::Range, span: Span) -> Expr {
        let (end, at) = range.end;
        let why = BoundReason::Operator(OperatorSite { sign: end.sign().into(), span: at });
        let set = ScalarSet::of(Scalar::is_integer);
        let element = self.u.fresh_scalar(ScalarBound::new(set, why));
        let first = self.range_number(&range.first, &element, range.first.span, end);
        let second = range.second.as_ref();
        let second = second.map(|second| self.range_number(second, &element, first.span, end));
        let last = self.range_number(&range.last, &element, first.span, end);
        let range = Range { first, second, end, last };
        let size = self.range_size(&range).unwrap_or_else(|| self.fresh_result_size("range", span));
        let ty = Type::Array(size, Box::new(element));
        Expr { kind: ExprKind::Range(Box::new(range)), ty, span }
    }

    /// A number of a range.
    fn range_number(&mut self, written: &ast::Expr, ty: &Type, left: Span, end: RangeEnd) -> Expr {
        let bound = self.expr_hint(written, Some(ty));
        self.u.at = bound.span;
        let right = bound.span;
        let (written, wanted) = ([None, None], None);
        let place =
            || ConstraintSite::Operands { sign: end.sign().into(), left, right, written, wanted };
        self.expect(ty, &bound.ty, place);
        bound
    }

    /// The size of a range, if its numbers are literals, or if its step is 1 or -1 and its ends are sizes. The check of its
    /// direction makes sure that it is not negative.
    fn range_size(&mut self, range: &Range) -> Option<Size> {
        let Range { first, second, end, last } = range;
        let default = if *end == RangeEnd::Above { -1 } else { 1 };
        let literals = [Some(first), second.as_ref(), Some(last)].map(|number| {
            number.map_or(Some(None), |number| Self::literal_value(number).map(Some))
        });
        if let [Some(Some(from)), Some(next), Some(Some(to))] = literals {
            return range_count([from, next.unwrap_or(from.checked_add(default)?), to], *end)
                .map(Size::constant);
        }
        if self.u.as_scalar(&last.ty) != Some(Scalar::I64) {
            return None;
        }
        let (from, to) = (self.size_of(first)?, self.size_of(last)?);
        let step = match second {
            Some(second) => self.size_of(second)?.minus(&from).as_constant()?,
            None => default,
        };
        let distance = match (step, end) {
            (1, RangeEnd::Below | RangeEnd::With) => to.minus(&from),
            (-1, RangeEnd::Above | RangeEnd::With) => from.minus(&to),
            _ => return None,
        };
        let more = Size::constant((*end == RangeEnd::With).into());
        Some(distance.plus(&more)).filter(|size| !size.is_too_large())
    }

    /// The value of an integer literal.
    fn literal_value(expr: &Expr) -> Option<i64> {
        let ExprKind::Const(literal) = &expr.kind else { return None };
        match *literal {
            Literal::Int(value, negative) => {
                let value = i64::try_from(value).ok()?;
                Some(if negative { -value } else { value })
            }
            Literal::Float(..) | Literal::Neutral(_) | Literal::Const(_) => None,
        }
    }

    /// A size of its own, which is known after `maker` has run.
    fn fresh_result_size(&mut self, maker: &str, span: Span) -> Size {
        let origin = SizeOrigin::Exists { maker: maker.into() };
        Size::symbol(self.u.rigid_size("k".into(), origin, span))
    }

    /// `a[i, j:k]`.
    pub(super) fn slice(&mut self, array: &ast::Expr, dims: &[ast::Dim], span: Span) -> Expr {
        let array = self.expr(array);
        let dims = dims.iter().map(|dim| self.dim(dim)).collect();
        self.slice_of(array, dims, span)
    }

    /// An array at indices and slices that are typed already.
    pub(super) fn slice_of(&mut self, array: Expr, dims: Vec<Dim>, span: Span) -> Expr {
        let (sizes, rest) = self.sliced(&array.ty, array.span, &dims, span);
        let array_of = |element, size| Type::Array(size, Box::new(element));
        let ty = sizes.into_iter().rev().fold(rest, array_of);
        Expr { kind: ExprKind::Slice(Box::new(array), dims), ty, span }
    }

    /// The sizes of the slices of an array of type `ty`, and the type of the elements.
    pub(super) fn sliced(
        &mut self,
        ty: &Type,
        array: Span,
        dims: &[Dim],
        span: Span,
    ) -> (Vec<Size>, Type) {
        let mut rest = ty.clone();
        let mut sizes = Vec::new();
        for (depth, dim) in dims.iter().enumerate() {
            let element = self.element(&rest, array, depth);
            let size = if let Type::Array(size, _) = self.u.head(&rest) {
                size
            } else {
                self.fresh_result_size("slice", span)
            };
            sizes.extend(self.slice_size(dim, size, span));
            rest = element;
        }
        (sizes, rest)
    }

    pub(super) fn dim(&mut self, dim: &ast::Dim) -> Dim {
        let mut position = |written: &ast::Expr| {
            let ty = Type::Scalar(Scalar::I64);
            let index = self.expr_hint(written, Some(&ty));
            let index = self.as_i64(index);
            self.u.at = index.span;
            self.expect(&ty, &index.ty, || ConstraintSite::Index { span: index.span });
            index
        };
        match dim {
            ast::Dim::Index(index) => Dim::Index(position(index)),
            ast::Dim::Slice(ast::Slice { first, last, step, .. }) => Dim::Slice {
                first: first.as_ref().map(&mut position),
                last: last.as_ref().map(&mut position),
                step: step.as_ref().map(&mut position),
            },
        }
    }

    /// The size of a slice of a dimension of size `whole`. An index has none.
    fn slice_size(&mut self, dim: &Dim, whole: Size, span: Span) -> Option<Size> {
        let Dim::Slice { first, last, step } = dim else { return None };
        let step = step.as_ref().map_or(Some(1), Self::literal_value);
        let known = match (first, last, step) {
            (None, None, Some(1 | -1)) => Some(whole),
            (first, last, Some(1)) => {
                let first =
                    first.as_ref().map_or(Some(Size::constant(0)), |first| self.size_of(first));
                let last = last.as_ref().map_or(Some(whole), |last| self.size_of(last));
                first
                    .zip(last)
                    .map(|(first, last)| last.minus(&first))
                    .filter(|size| !size.is_too_large())
            }
            _ => None,
        };
        Some(known.unwrap_or_else(|| self.fresh_result_size("slice", span)))
    }

    /// `e :> t`.
    pub(super) fn coerce(&mut self, inner: &ast::Expr, ty: &ast::Type, span: Span) -> Expr {
        let annotated = self.annotation(ty, &mut AnonymousSizes::Infer);
        self.unmarked(ty);
        let loose = self.with_open_sizes(&annotated);
        let inner = self.expr_hint(inner, Some(&loose));
        self.u.at = inner.span;
        if let Err(clash) = self.u.unify(&loose, &inner.ty) {
            let place = ConstraintSite::Annotation { span: inner.span, ty: ty.span };
            self.clash(place, &annotated, &inner.ty, clash);
        }
        Expr { kind: ExprKind::Coerce(Box::new(inner)), ty: annotated, span }
    }

    /// A type whose known sizes are replaced by open ones. Sizes in functions and sums stay, since the check does not
    /// compare them.
    fn with_open_sizes(&mut self, ty: &Type) -> Type {
        match self.u.head(ty) {
            Type::Array(size, element) => {
                let open = self.u.resolve_size(&size);
                let is_hole = open.as_symbol().is_some_and(|id| self.u.is_free_size(id));
                let size = if is_hole {
                    size
                } else {
                    self.u.fresh_size(arrc_syntax::names::Name::default(), self.u.at)
                };
                Type::Array(size, Box::new(self.with_open_sizes(&element)))
            }
            Type::Tuple(items) => {
                Type::Tuple(items.iter().map(|item| self.with_open_sizes(item)).collect())
            }
            Type::Record(fields) => {
                let fields = fields.iter();
                Type::Record(
                    fields.map(|(name, ty)| (name.clone(), self.with_open_sizes(ty))).collect(),
                )
            }
            ty @ (Type::Scalar(_)
            | Type::Sum(_)
            | Type::Fun(..)
            | Type::Var(_)
            | Type::Exists(..)
            | Type::Hidden(_)) => ty,
        }
    }

    /// `assert c e`.
    pub(super) fn assert(
        &mut self,
        condition: &ast::Expr,
        value: &ast::Expr,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let text = condition.to_string();
        let condition = self.expr(condition);
        self.u.at = condition.span;
        let bool_type = Type::Scalar(Scalar::Bool);
        self.expect(&bool_type, &condition.ty, || ConstraintSite::Assertion {
            span: condition.span,
        });
        let value = self.expr_hint(value, hint);
        let ty = value.ty.clone();
        Expr { kind: ExprKind::Assert(Box::new(Assert { condition, text, value })), ty, span }
    }
}

/// How many numbers a range has. None if its step is 0, or leads away from its end.
fn range_count([first, second, last]: [i64; 3], end: RangeEnd) -> Option<i64> {
    let [first, second, last] = [first, second, last].map(i128::from);
    let (step, distance) = (second - first, last - first);
    let leads = match end {
        RangeEnd::Below => step > 0 && distance >= 0,
        RangeEnd::Above => step < 0 && distance <= 0,
        RangeEnd::With => step != 0 && distance * step.signum() >= 0,
    };
    let (distance, step) = (distance.abs(), step.abs());
    let count = if end == RangeEnd::With {
        distance.checked_div(step)? + 1
    } else {
        (distance + step - 1).checked_div(step)?
    };
    leads.then(|| i64::try_from(count).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_literals_have_as_many_numbers() {
        let counts = [
            ([0, 1, 5], RangeEnd::Below, Some(5)),
            ([-2, -1, 2], RangeEnd::With, Some(5)),
            ([1, 3, 6], RangeEnd::With, Some(3)),
            ([1, 3, 7], RangeEnd::Below, Some(3)),
            ([1, 3, 8], RangeEnd::Below, Some(4)),
            ([9, 7, 1], RangeEnd::Above, Some(4)),
            ([3, 2, 3], RangeEnd::With, Some(1)),
            ([4, 5, 4], RangeEnd::Below, Some(0)),
            ([4, 5, 3], RangeEnd::Below, None),
            ([4, 4, 9], RangeEnd::With, None),
            ([i64::MIN, i64::MIN + 1, i64::MAX], RangeEnd::With, None),
        ];
        for (numbers, end, count) in counts {
            assert_eq!(range_count(numbers, end), count, "{numbers:?} {end:?}");
        }
    }
}

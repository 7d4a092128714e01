//! Operators: infix, prefix, and in sections.
//!
//! Invariant: the given operand of a section is computed once, however often the section is called.
//!
//! ```text
//! xs |> map (/ sum xs)   ⇒   App(map, [Let(s, sum xs, Lambda(x. x / s)), xs])
//! ```

use super::Checker;
use super::environment::builtin;
use super::error::{ConstraintSite, QuotedOperand};
use super::solve::{BoundReason, OperatorSite, ScalarBound, ScalarSet, Scheme};
use super::typed::{Dim, Expr, ExprKind, Param, Pat};
use crate::core::Type;
use arrc_syntax::ast;
use arrc_syntax::prim::{BinOp, Scalar, UnOp};
use arrc_syntax::source::Span;

/// An operand.
#[allow(clippy::large_enum_variant, reason = "an operand is used once, where it is made")]
enum Operand<'e> {
    /// As written.
    Written(&'e ast::Expr),
    /// Typed already.
    Typed(Expr),
}

impl<'e> Operand<'e> {
    /// The written expression, if the operand is not typed yet.
    fn written(&self) -> Option<&'e ast::Expr> {
        match self {
            Self::Written(written) => Some(written),
            Self::Typed(_) => None,
        }
    }
}

/// One side of a composition: a function, and the arguments that it is applied to before.
struct CompositionStage<'e> {
    function: Operand<'e>,
    args: Vec<Expr>,
    bound: Vec<BoundValue>,
}

/// A step of a section, with its indices computed.
enum SectionAccessor<'e> {
    /// `.x`.
    Field(&'e ast::Ident),
    /// `[i, j:k]`.
    At(Vec<Dim>),
}

/// A value with a name.
pub(super) struct BoundValue(pub(super) Pat, pub(super) Expr);

impl BoundValue {
    /// `body` inside a `let` that binds this value.
    pub(super) fn wrap_in_let(self, body: Expr, span: Span) -> Expr {
        let ty = body.ty.clone();
        let kind = ExprKind::Let(self.0, Box::new(self.1), Box::new(body));
        Expr { kind, ty, span }
    }
}

impl Checker<'_> {
    /// `left op right`, whose type is probably `hint`.
    pub(super) fn infix(
        &mut self,
        left: &ast::Expr,
        op: &ast::QualName,
        right: &ast::Expr,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        self.operate((Operand::Written(left), op, Operand::Written(right)), hint, span)
    }

    /// `op operand`.
    pub(super) fn unary(&mut self, op: UnOp, operand: &ast::Expr, span: Span) -> Expr {
        let operand = self.expr(operand);
        let sign = Span { end: operand.span.start, ..span };
        let sign = Span { end: (sign.start + 1).min(sign.end.max(sign.start + 1)), ..sign };
        if op == UnOp::Neg && self.is_vector(&operand) {
            let none = self.i64_literal(0, sign);
            return self.vector_operator((none, operand), (BinOp::Sub, sign), span);
        }
        let function = self.un_op(op, sign);
        let Type::Fun(_, param, result) = &function.ty else { panic!("an operator is a function") };
        self.u.at = operand.span;
        if let Err(clash) = self.u.unify(param, &operand.ty) {
            let place = ConstraintSite::Logic { sign: op.name().into(), span: operand.span };
            self.clash(place, param, &operand.ty, clash);
            return self.wrong(span);
        }
        let ty = (**result).clone();
        Expr { kind: ExprKind::App(Box::new(function), vec![operand]), ty, span }
    }

    /// `(op right)`.
    pub(super) fn section_right(
        &mut self,
        op: &ast::QualName,
        right: &ast::Expr,
        span: Span,
    ) -> Expr {
        let right = self.expr(right);
        self.with_value_bound(right, span, |this, right| {
            this.wrap("x", span, |this, left| {
                this.operate((Operand::Typed(left), op, Operand::Typed(right)), None, span)
            })
        })
    }

    /// `(left op)`.
    pub(super) fn section_left(
        &mut self,
        left: &ast::Expr,
        op: &ast::QualName,
        span: Span,
    ) -> Expr {
        let left = self.expr(left);
        self.with_value_bound(left, span, |this, left| {
            this.wrap("x", span, |this, right| {
                this.operate((Operand::Typed(left), op, Operand::Typed(right)), None, span)
            })
        })
    }

    /// `(.x[i, j:k].y)`.
    pub(super) fn section_path(&mut self, steps: &[ast::Accessor], span: Span) -> Expr {
        let mut bound = Vec::new();
        let steps = steps.iter().map(|step| match step {
            ast::Accessor::Field(field) => SectionAccessor::Field(field),
            ast::Accessor::At(dims) => {
                let dims = dims.iter().map(|dim| {
                    let mut dim = self.dim(dim);
                    dim.parts_mut().for_each(|part| self.bind_operand(part, &mut bound));
                    dim
                });
                SectionAccessor::At(dims.collect())
            }
        });
        let steps: Vec<SectionAccessor<'_>> = steps.collect();
        let section = self.wrap("x", span, |this, whole| {
            steps.into_iter().fold(whole, |part, step| match step {
                SectionAccessor::Field(field) => this.field_of(part, field, field.span),
                SectionAccessor::At(dims) => this.part_at(part, dims, span),
            })
        });
        bound.into_iter().rev().fold(section, |body, bound| bound.wrap_in_let(body, span))
    }

    /// Binds an operand of a section outside the section, so that it is computed once.
    fn bind_operand(&mut self, operand: &mut Expr, bound: &mut Vec<BoundValue>) {
        let hole = Expr { kind: ExprKind::Tuple(Vec::new()), ..operand.clone() };
        let (given, binding) = self.bind_once(std::mem::replace(operand, hole));
        *operand = given;
        bound.extend(binding);
    }

    /// `array[i, j:k]`, with indices that are typed already.
    fn part_at(&mut self, array: Expr, dims: Vec<Dim>, span: Span) -> Expr {
        let index = |dim: &Dim| match dim {
            Dim::Index(index) => Some(index.clone()),
            Dim::Slice { .. } => None,
        };
        match dims.iter().map(index).collect::<Option<Vec<_>>>() {
            Some(indices) => self.index_of(array, indices, span),
            None => self.slice_of(array, dims, span),
        }
    }

    /// A special operator as a function of two arguments.
    pub(super) fn eta_expand(&mut self, op: &ast::QualName, span: Span) -> Expr {
        let outer = self.wrap("x", span, |this, left| {
            this.wrap("y", span, |this, right| {
                this.operate((Operand::Typed(left), op, Operand::Typed(right)), None, span)
            })
        });
        uncurried(outer)
    }

    fn operate(
        &mut self,
        (left, op, right): (Operand<'_>, &ast::QualName, Operand<'_>),
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        if !op.quals.is_empty() || self.names.has_term(&op.name.name) {
            return self.call_operator(left, op, right, span);
        }
        let op = &op.name;
        if matches!(op.name.as_str(), ">->" | "<-<") {
            let stages = (self.stage(left), self.stage(right));
            let (first, second) = if op.name == ">->" { stages } else { (stages.1, stages.0) };
            return self.compose(first, second, span);
        }
        // If the operator does not compare, its operands have the type of its result.
        let operator = builtin::operator(&op.name);
        let hint = hint.filter(|_| operator.is_some_and(|operator| !operator.is_comparison()));
        let written = [left.written(), right.written()];
        let left = self.operand(left, hint);
        match op.name.as_str() {
            "|>" => {
                if let Some(applied) = self.piped(&left, right.written(), span) {
                    return applied;
                }
                let right = self.operand(right, None);
                self.call(right, vec![left], span)
            }
            "<|" => match right {
                Operand::Written(right) => self.call_written(left, right, span),
                Operand::Typed(right) => self.call(left, vec![right], span),
            },
            "&&" | "||" => {
                let right = self.operand(right, None);
                self.logical_operator(left, op, right, span)
            }
            _ => {
                let right = self.operand(right, hint);
                let Some(operator) = operator else {
                    self.unknown_name(op);
                    return self.wrong(span);
                };
                let has_vector = self.is_vector(&left) || self.is_vector(&right);
                if has_vector && is_arithmetic(operator) {
                    return self.vector_operator((left, right), (operator, op.span), span);
                }
                let wanted = hint.and_then(|hint| self.u.as_scalar(hint));
                self.binary((left, right), (operator, op.span), (written, wanted), span)
            }
        }
    }

    /// An operator that is defined in Arr.
    fn call_operator(
        &mut self,
        left: Operand<'_>,
        op: &ast::QualName,
        right: Operand<'_>,
        span: Span,
    ) -> Expr {
        let function = self.qualified(op, op.span());
        let left = self.operand(left, None);
        match right {
            Operand::Written(right) => self.call_with(function, left, right, span),
            Operand::Typed(right) => self.call(function, vec![left, right], span),
        }
    }

    fn operand(&mut self, operand: Operand<'_>, hint: Option<&Type>) -> Expr {
        match operand {
            Operand::Written(written) => self.expr_hint(written, hint),
            Operand::Typed(expr) => expr,
        }
    }

    /// A built-in operator on two values with the text `written`, where the context asks for the type `wanted`.
    fn binary(
        &mut self,
        (left, right): (Expr, Expr),
        (op, at): (BinOp, Span),
        (written, wanted): ([Option<&ast::Expr>; 2], Option<Scalar>),
        span: Span,
    ) -> Expr {
        let operator = OperatorSite { sign: op.name().into(), span: at };
        let mut fits = self.fits(op, &operator, &left) && self.fits(op, &operator, &right);
        if fits {
            self.u.at = span;
            let place = || ConstraintSite::Operands {
                sign: operator.sign.clone(),
                left: left.span,
                right: right.span,
                written: written.map(|operand| operand.map(QuotedOperand::of)),
                wanted,
            };
            fits = self.expect(&left.ty, &right.ty, place);
        }
        let operand = if fits { self.common(&left.ty, &right.ty) } else { self.u.error_type() };
        let result = if op.is_comparison() { Type::Scalar(Scalar::Bool) } else { operand.clone() };
        let function = self.bin_op(op, Some(operand), at);
        Expr { kind: ExprKind::App(Box::new(function), vec![left, right]), ty: result, span }
    }

    /// The type of two operands that fit. If one operand has an error, the type of the other may be wrong as well, so
    /// it counts only if it is still to be found.
    fn common(&self, left: &Type, right: &Type) -> Type {
        let other = match (self.u.is_error(left), self.u.is_error(right)) {
            (true, _) => right,
            (false, true) => left,
            (false, false) => return left.clone(),
        };
        if self.u.as_free(other).is_some() { other.clone() } else { self.u.error_type() }
    }

    /// Whether an operator is defined on an operand. If it is not, that is reported.
    fn fits(&mut self, op: BinOp, operator: &OperatorSite, operand: &Expr) -> bool {
        self.u.at = operand.span;
        let asked = if matches!(op, BinOp::Eq | BinOp::Ne) {
            self.u.bound_equality(&operand.ty, operator)
        } else if self.u.as_scalar(&operand.ty).is_some_and(|scalar| op.accepts(scalar)) {
            Ok(())
        } else {
            let set = ScalarSet::of_bin(op);
            self.u.bound_scalar(
                &operand.ty,
                ScalarBound::new(set, BoundReason::Operator(operator.clone())),
            )
        };
        let Err(clash) = asked else { return true };
        let place = ConstraintSite::Operands {
            sign: operator.sign.clone(),
            left: operand.span,
            right: operand.span,
            written: [None, None],
            wanted: None,
        };
        self.clash(place, &operand.ty, &operand.ty, clash);
        false
    }

    /// `&&` and `||`.
    fn logical_operator(&mut self, left: Expr, op: &ast::Ident, right: Expr, span: Span) -> Expr {
        let ty = Type::Scalar(Scalar::Bool);
        for operand in [&left, &right] {
            self.u.at = operand.span;
            let sign = op.name.clone();
            self.expect(&ty, &operand.ty, || ConstraintSite::Logic { sign, span: operand.span });
        }
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = if op.name == "&&" {
            ExprKind::AndAlso(left, right)
        } else {
            ExprKind::OrElse(left, right)
        };
        Expr { kind, ty, span }
    }

    /// `\x -> second (first x)`. The function names stand inside, so that their types may have sizes that the body
    /// makes. Their arguments are computed outside, once.
    fn compose(
        &mut self,
        first: CompositionStage<'_>,
        second: CompositionStage<'_>,
        span: Span,
    ) -> Expr {
        let bound: Vec<BoundValue> = first.bound.into_iter().chain(second.bound).collect();
        let stages = [(first.function, first.args), (second.function, second.args)];
        let lambda = self.wrap("x", span, |this, x| {
            stages.into_iter().fold(x, |x, (function, mut args)| {
                let function = this.operand(function, None);
                args.push(x);
                this.call(function, args, span)
            })
        });
        bound.into_iter().rev().fold(lambda, |body, bound| bound.wrap_in_let(body, span))
    }

    /// One side of a composition.
    fn stage<'e>(&mut self, operand: Operand<'e>) -> CompositionStage<'e> {
        let Operand::Written(ast::Expr { kind: ast::ExprKind::Apply(function, written), .. }) =
            operand
        else {
            return CompositionStage { function: operand, args: Vec::new(), bound: Vec::new() };
        };
        let (mut args, mut bound) = (Vec::new(), Vec::new());
        for arg in written {
            let arg = self.expr(arg);
            let (arg, binding) = self.bind_once(arg);
            args.push(arg);
            bound.extend(binding);
        }
        CompositionStage { function: Operand::Written(function), args, bound }
    }

    /// Computes a value once, before `then` makes an expression that uses it.
    pub(super) fn with_value_bound(
        &mut self,
        value: Expr,
        span: Span,
        then: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let (value, bound) = self.bind_once(value);
        let body = then(self, value);
        match bound {
            Some(bound) => bound.wrap_in_let(body, span),
            None => body,
        }
    }

    /// An expression that costs nothing to use twice, and the binding that it needs around it.
    pub(super) fn bind_once(&mut self, value: Expr) -> (Expr, Option<BoundValue>) {
        if is_atomic(&value) {
            return (value, None);
        }
        let name = ast::Ident { name: "given".into(), span: value.span };
        let mark = self.names.scope.mark();
        let var = self.bind_var(&name, Scheme::mono(value.ty.clone()));
        self.names.scope.leave(mark);
        let pat = Pat::Var(var, value.ty.clone());
        self.alias(&pat, &value);
        let used = Expr::var(var, value.ty.clone(), value.span);
        (used, Some(BoundValue(pat, value)))
    }

    /// A function of one parameter.
    fn wrap(&mut self, name: &str, span: Span, body: impl FnOnce(&mut Self, Expr) -> Expr) -> Expr {
        let outer = self.u.level;
        self.u.level = outer.inner();
        let ty = self.u.fresh();
        let mark = self.names.scope.mark();
        let var = self.bind_var(&ast::Ident { name: name.into(), span }, Scheme::mono(ty.clone()));
        self.names.scope.leave(mark);
        self.u.level = self.u.level.inner();
        let used = Expr::var(var, ty.clone(), span);
        let body = body(self, used);
        let params = vec![Param { pat: Pat::Var(var, ty.clone()), ty }];
        self.u.level = outer;
        self.close_lambda(params, body, span)
    }
}

/// A function that returns a function, as one function of all their parameters.
fn uncurried(outer: Expr) -> Expr {
    let Expr { kind: ExprKind::Lambda(mut params, inner), ty, span } = outer else { return outer };
    let Expr { kind: ExprKind::Lambda(more, body), .. } = *inner else {
        return Expr { kind: ExprKind::Lambda(params, inner), ty, span };
    };
    params.extend(more);
    Expr { kind: ExprKind::Lambda(params, body), ty, span }
}

/// Whether an operator computes a number from two numbers.
fn is_arithmetic(op: BinOp) -> bool {
    matches!(op.name(), "+" | "-" | "*" | "/" | "%" | "//" | "%%")
}

/// Whether an expression costs nothing to compute again.
pub(super) fn is_atomic(expr: &Expr) -> bool {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others compute something")]
    match &expr.kind {
        ExprKind::Const(_)
        | ExprKind::Var(_)
        | ExprKind::Size(_)
        | ExprKind::BinOp(_)
        | ExprKind::UnOp(_)
        | ExprKind::Fma
        | ExprKind::Lambda(..) => true,
        ExprKind::Global(..) => matches!(expr.ty, Type::Fun(..)),
        _ => false,
    }
}

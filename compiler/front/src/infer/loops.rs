//! Loops: a carried value has one type, and each size in it stays the same or varies from step to step.
//!
//! Invariant: if the body keeps a size of a carried value, it is the size of the initial value. Otherwise the loop
//! has a size of its own for it inside, and another one after the loop.
//!
//! ```text
//! loop xs = xs0 for i < k do map f xs      ⇒   xs: [n]t, all of it [n]t
//! loop xs = xs0 for i < k do filter p xs   ⇒   xs: [m]t, all of it [k]t, where nothing is known of k
//! ```

use indexmap::IndexMap;

use super::Checker;
use super::annotation::AnonymousSizes;
use super::error::{ConstraintSite, LoopError, LoopMoment};
use super::expr::tail;
use super::solve::{BoundReason, Level, ScalarBound, ScalarSet, Scheme};
use super::typed::{Expr, ExprKind, Loop, LoopForm, Pat};
use crate::core::{Hidden, Size, SizeOrigin, Type};
use arrc_syntax::ast;
use arrc_syntax::ids::SizeVar;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// A size that varies from step to step. Several carried arrays may have it.
struct VaryingSize {
    /// The size in a step.
    inside: Size,
    /// The size of the result.
    outside: Size,
    /// The size before the first step.
    first: Size,
    /// The size after a step.
    next: Size,
}

/// The parts of a loop, for messages.
#[derive(Clone, Copy)]
struct LoopParts<'e> {
    whole: Span,
    init: &'e Expr,
    body: &'e Expr,
}

impl Checker<'_> {
    /// `loop p = e for i < n do e`, and its other forms.
    pub(super) fn infer_loop(&mut self, data: &ast::Loop, span: Span) -> Expr {
        let init = match &data.init {
            Some(init) => self.expr(init),
            None => {
                let init = self.own_value(&data.pat, data.pat.span);
                self.expr(&init)
            }
        };
        if let ast::LoopForm::For(counter, bound) = &data.form
            && self.is_rank(bound)
        {
            return self.for_each_dimension(data, (counter, bound), init, span);
        }
        let over = self.over(&data.form);
        let outer = self.u.level;
        let mark = self.names.scope.mark();
        self.u.level = outer.inner();
        let ty = self.carried(&init.ty, span);
        self.distinct_pattern(&[&data.pat]);
        let pat = self.pattern(&data.pat, &ty, &mut AnonymousSizes::Infer);
        self.must_fit(&pat, &ty, data.pat.span, "a `loop`");
        self.u.level = self.u.level.inner();
        let form = self.form(&data.form, over);
        let body = self.expr_hint(&data.body, Some(&ty));
        self.u.level = outer;
        self.names.scope.leave(mark);
        let places = LoopParts { whole: span, init: &init, body: &body };
        self.u.at = tail(&body);
        let told = self.reports.mark();
        let whole = self.carried_type(&ty, (&init.ty, &body.ty), places, &mut Vec::new());
        // An error in one part may be a consequence of any other part.
        let whole = if self.reports.is_clean_since(told) { whole } else { self.u.error_type() };
        let data = Loop { pat, ty, init, form, body };
        Expr { kind: ExprKind::Loop(Box::new(data)), ty: whole, span }
    }

    /// Whether a bound is `dim a`.
    fn is_rank(&self, bound: &ast::Expr) -> bool {
        let ast::ExprKind::Apply(function, args) = &bound.kind else { return false };
        let ast::ExprKind::Name(path) = &function.kind else { return false };
        let name = &path.name.name;
        path.quals.is_empty() && name == "dim" && args.len() == 1 && !self.names.has_term(name)
    }

    /// `loop p = e for k < dim a do …`, as one `let` for each dimension. The counter is a constant in each.
    fn for_each_dimension(
        &mut self,
        data: &ast::Loop,
        (counter, bound): (&ast::Ident, &ast::Expr),
        init: Expr,
        span: Span,
    ) -> Expr {
        let bound = self.expr(bound);
        if self.u.is_error(&bound.ty) {
            return self.wrong(span);
        }
        let rank = self.size_of(&bound).and_then(|rank| rank.as_constant()).unwrap_or(0);
        let mark = self.names.scope.mark();
        let mut steps = Vec::new();
        let mut value = init;
        for step in 0..rank {
            self.distinct_pattern(&[&data.pat]);
            let pat = self.pattern(&data.pat, &value.ty, &mut AnonymousSizes::Infer);
            self.must_fit(&pat, &value.ty, data.pat.span, "a `loop`");
            self.alias(&pat, &value);
            let ty = Type::Scalar(Scalar::I64);
            let at = self.i64_literal(step, counter.span);
            let var = self.bind_var(counter, Scheme::mono(ty.clone()));
            let at_pat = Pat::Var(var, ty);
            self.alias(&at_pat, &at);
            let ty = value.ty.clone();
            let body = self.expr_hint(&data.body, Some(&ty));
            steps.push([(pat, value), (at_pat, at)]);
            value = body;
        }
        self.names.scope.leave(mark);
        steps.into_iter().rev().flatten().fold(value, |body, (pat, value)| {
            let ty = body.ty.clone();
            Expr { kind: ExprKind::Let(pat, Box::new(value), Box::new(body)), ty, span }
        })
    }

    /// The initial value that a pattern stands for, in a loop that writes no initial value.
    fn own_value(&mut self, pat: &ast::Pat, whole: Span) -> ast::Expr {
        let mut wrong = |what| {
            self.report(LoopError::NoInitialValue { span: whole, part: pat.span, what });
            ast::ExprKind::Error
        };
        let kind = match &pat.kind {
            ast::PatKind::Wild => wrong("`_`"),
            ast::PatKind::Error => ast::ExprKind::Error,
            ast::PatKind::Constructor(..) => wrong("a constructor's pattern"),
            ast::PatKind::Literal(..) => wrong("a literal's pattern"),
            ast::PatKind::Name(name) => {
                let path = ast::QualName { quals: Vec::new(), name: name.clone() };
                ast::ExprKind::Name(path)
            }
            ast::PatKind::Tuple(items) => {
                let items = items.iter().map(|item| self.own_value(item, whole));
                ast::ExprKind::Tuple(items.collect())
            }
            ast::PatKind::Record(fields) => {
                let fields = fields.iter();
                let fields =
                    fields.map(|(name, field)| (name.clone(), self.own_value(field, whole)));
                ast::ExprKind::Record(fields.collect())
            }
            ast::PatKind::Typed(inner, _) | ast::PatKind::Sized(_, inner) => {
                return self.own_value(inner, whole);
            }
        };
        ast::Expr { kind, span: pat.span }
    }

    /// The number or array that a loop runs over. The loop's own names are not visible in it.
    fn over(&mut self, form: &ast::LoopForm) -> Option<Expr> {
        match form {
            ast::LoopForm::For(_, bound) => {
                let bound = self.expr(bound);
                let ty = self.u.head(&bound.ty);
                let set = ScalarSet::of(Scalar::is_integer);
                let integer = self.u.fresh_scalar(ScalarBound::new(set, BoundReason::Literal));
                self.u.at = bound.span;
                if self.u.unify(&integer, &ty).is_err() && !self.u.is_error(&ty) {
                    let ty = self.show(&ty);
                    self.report(LoopError::LoopBound { span: bound.span, ty });
                }
                Some(bound)
            }
            ast::LoopForm::In(_, array) => Some(self.expr(array)),
            ast::LoopForm::While(_) => None,
        }
    }

    /// The names that the form binds, and the condition of a `while`.
    fn form(&mut self, form: &ast::LoopForm, over: Option<Expr>) -> LoopForm {
        match (form, over) {
            (ast::LoopForm::For(counter, _), Some(bound)) => {
                let var = self.bind_var(counter, Scheme::mono(bound.ty.clone()));
                LoopForm::For(Pat::Var(var, bound.ty.clone()), bound)
            }
            (ast::LoopForm::In(each, _), Some(array)) => {
                let element = self.element(&array.ty.clone(), array.span, 0);
                self.distinct_pattern(&[each]);
                let pat = self.pattern(each, &element, &mut AnonymousSizes::Infer);
                self.must_fit(&pat, &element, each.span, "a `for`");
                LoopForm::In(pat, array)
            }
            (ast::LoopForm::While(condition), _) => {
                let flag = Type::Scalar(Scalar::Bool);
                let condition = self.expr_hint(condition, Some(&flag));
                let span = condition.span;
                self.u.at = span;
                self.expect(&flag, &condition.ty, || ConstraintSite::LoopCondition { span });
                LoopForm::While(condition)
            }
            (ast::LoopForm::For(..) | ast::LoopForm::In(..), None) => {
                panic!("a `for` runs over something")
            }
        }
    }

    /// The initial value's type, with sizes that are still to be found.
    fn carried(&mut self, ty: &Type, span: Span) -> Type {
        match self.u.head(ty) {
            Type::Array(first, element) => {
                let element = self.carried(&element, span);
                let size = self.u.fresh_size("m".into(), span);
                if let (Some(id), Some(length)) =
                    (size.as_symbol(), self.u.resolve_size(&first).as_constant())
                {
                    self.walk.initial.insert(id, length);
                }
                Type::Array(size, Box::new(element))
            }
            Type::Tuple(items) => {
                Type::Tuple(items.iter().map(|item| self.carried(item, span)).collect())
            }
            Type::Record(fields) => {
                let fields = fields.into_iter();
                Type::Record(fields.map(|(name, ty)| (name, self.carried(&ty, span))).collect())
            }
            Type::Hidden(hidden) => {
                let sizes = hidden.sizes.iter().map(|_| self.u.fresh_size("m".into(), span));
                let sizes = sizes.collect();
                let types = hidden.types.iter().map(|ty| self.carried(ty, span)).collect();
                Type::Hidden(Box::new(Hidden { sizes, types, ..*hidden }))
            }
            other @ (Type::Scalar(_)
            | Type::Sum(_)
            | Type::Fun(..)
            | Type::Var(_)
            | Type::Exists(..)) => other,
        }
    }

    /// The type of the whole loop. The carried values, the initial value and the body's result have the same type, up
    /// to the sizes that vary, of which `varying` has those that are known so far.
    fn carried_type(
        &mut self,
        ty: &Type,
        (init, body): (&Type, &Type),
        places: LoopParts<'_>,
        varying: &mut Vec<VaryingSize>,
    ) -> Type {
        let heads = (self.u.head(ty), self.u.head(init), self.u.head(body));
        match &heads {
            (Type::Array(size, item), Type::Array(first, a), Type::Array(next, b)) => {
                let item = self.carried_type(item, (a, b), places, varying);
                Type::Array(self.kept_size(size, (first, next), places, varying), Box::new(item))
            }
            (Type::Tuple(items), Type::Tuple(a), Type::Tuple(b)) if items.len() == b.len() => {
                let parts = items.iter().zip(a.iter().zip(b));
                let kept =
                    |(at, (ty, sides))| self.carried_type(ty, sides, places.item(at), varying);
                Type::Tuple(parts.enumerate().map(kept).collect())
            }
            (Type::Record(fields), Type::Record(a), Type::Record(b))
                if fields.len() == b.len() && fields.keys().all(|name| b.contains_key(name)) =>
            {
                let kept = |(name, ty): (&arrc_syntax::names::Name, &Type)| {
                    (name.clone(), self.carried_type(ty, (&a[name], &b[name]), places, varying))
                };
                Type::Record(fields.iter().map(kept).collect::<IndexMap<_, _>>())
            }
            (Type::Hidden(hidden), Type::Hidden(a), Type::Hidden(b))
                if hidden.id == a.id && a.id == b.id =>
            {
                let types = hidden.types.iter().zip(a.types.iter().zip(&b.types));
                let types = types.map(|(ty, sides)| self.carried_type(ty, sides, places, varying));
                let types = types.collect();
                let sizes = hidden.sizes.iter().zip(a.sizes.iter().zip(&b.sizes));
                let sizes = sizes.map(|(size, sides)| self.kept_size(size, sides, places, varying));
                let sizes = sizes.collect();
                Type::Hidden(Box::new(Hidden { sizes, types, ..(**hidden).clone() }))
            }
            (carried, first, next) => {
                let (init, body) = (tail(places.init), tail(places.body));
                if self.expect(first, next, || ConstraintSite::Loop { init, body }) {
                    carried.clone()
                } else {
                    self.u.error_type()
                }
            }
        }
    }

    /// The size of the result of a loop that carries an array of `size`.
    fn kept_size(
        &mut self,
        size: &Size,
        (first, next): (&Size, &Size),
        places: LoopParts<'_>,
        varying: &mut Vec<VaryingSize>,
    ) -> Size {
        let [size, first, next] = [size, first, next].map(|size| self.u.resolve_size(size));
        if let Some(known) = varying.iter().find(|known| known.inside == size) {
            self.check_same_size(known, (&first, &next), places);
            return known.outside.clone();
        }
        let open = size.as_symbol().filter(|&id| self.u.is_free_size(id));
        let local = open.filter(|&id| self.u.size_level(id) > self.u.level);
        let Some(local) = local else {
            self.check_relied_size(&size, (&first, &next), places);
            return first;
        };
        let known =
            |checker: &mut Self| !mentions(&next, local) && checker.u.join_sizes(&first, &next);
        if (next == size || known(self)) && self.u.unify_sizes(&size, &first).is_ok() {
            return first;
        }
        let inside = self.own_size(self.u.size_level(local), places.whole);
        self.u.sizes[local].bind(inside.clone());
        let outside = self.own_size(self.u.level, places.whole);
        let next = self.u.resolve_size(&next);
        varying.push(VaryingSize { inside, outside: outside.clone(), first, next });
        outside
    }

    /// Checks that another array with a size that varies has it too before the first step and after each step.
    fn check_same_size(
        &mut self,
        known: &VaryingSize,
        (first, next): (&Size, &Size),
        places: LoopParts<'_>,
    ) {
        let starts = self.u.unify_sizes(&known.first, first).is_ok();
        if starts && self.u.unify_sizes(&known.next, next).is_ok() {
            return;
        }
        let (place, when, sizes) = if starts {
            (tail(places.body), LoopMoment::AfterAStep, [&known.next, next])
        } else {
            (tail(places.init), LoopMoment::BeforeTheFirstStep, [&known.first, first])
        };
        let mut shown = self.shown();
        let [one, other] = sizes.map(|size| shown.size(size));
        self.report(LoopError::LoopSizesDiffer { place, when, one, other });
    }

    /// A size that is determined only by running the loop.
    fn own_size(&mut self, level: Level, span: Span) -> Size {
        let around = std::mem::replace(&mut self.u.level, level);
        let origin = SizeOrigin::Exists { maker: "loop".into() };
        let size = self.u.rigid_size("m".into(), origin, span);
        self.u.level = around;
        Size::symbol(size)
    }

    /// Checks a size that the body relies on: the carried value must have it before the first step and after each
    /// step.
    fn check_relied_size(
        &mut self,
        needed: &Size,
        (first, next): (&Size, &Size),
        places: LoopParts<'_>,
    ) {
        let starts = self.u.unify_sizes(needed, first).is_ok();
        if starts && self.u.unify_sizes(needed, next).is_ok() {
            return;
        }
        let mut shown = self.shown();
        let [needed, first, next] = [needed, first, next].map(|size| shown.size(size));
        let (init, body) = (tail(places.init), tail(places.body));
        self.report(LoopError::LoopSize { init, body, needed, first, next });
    }
}

impl LoopParts<'_> {
    /// The places of a component of the parts.
    fn item(self, at: usize) -> Self {
        Self { init: item(self.init, at), body: item(self.body, at), ..self }
    }
}

/// The component of an expression that is written as a tuple, or else the whole expression.
fn item(expr: &Expr, at: usize) -> &Expr {
    let mut last = expr;
    while let ExprKind::Let(_, _, body) = &last.kind {
        last = body;
    }
    if let ExprKind::Tuple(items) = &last.kind { items.get(at).unwrap_or(expr) } else { expr }
}

fn mentions(size: &Size, id: SizeVar) -> bool {
    size.symbols().contains(&id)
}

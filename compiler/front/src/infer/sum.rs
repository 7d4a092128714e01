//! Constructors and `match`.
//!
//! Invariant: the type of a constructor is a sum that the context or an annotation determines. Until it is found, its
//! metavariable remembers the constructors that it must have.
//!
//! ```text
//! if c then #some x else #none : option i64
//! ⇒ ?a with #some i64, ?a with #none; ?a = #some i64 | #none
//! ```

use indexmap::IndexMap;

use super::Checker;
use super::annotation::AnonymousSizes;
use super::branches::Branches;
use super::cases::{ExhaustivenessCheck, ExhaustivenessSite};
use super::error::{ConstraintSite, Sum, SumError};
use super::expr::tail;
use super::report::ReportMark;
use super::solve::{ConstructorBound, TypeState, UnifyError};
use super::typed::{Case, Expr, ExprKind, Pat};
use crate::core::Type;
use arrc_syntax::ast;
use arrc_syntax::diagnostics::nearest;
use arrc_syntax::ids::TypeVar;
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

impl Checker<'_> {
    /// `#name e …`.
    pub(super) fn constructor(
        &mut self,
        name: &ast::Ident,
        args: &[ast::Expr],
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        if let Some(sum @ Type::Sum(_)) = hint.map(|hint| self.u.head(hint)) {
            return self.constructor_of(name, args, &sum, span);
        }
        let args: Vec<Expr> = args.iter().map(|arg| self.expr(arg)).collect();
        let ty = self.u.fresh();
        let payloads = args.iter().map(|arg| arg.ty.clone()).collect();
        let bound = ConstructorBound { name: name.name.clone(), span: name.span, payloads };
        let asked = self.u.bound_constructor(&ty, bound);
        asked.expect("a type that is not known may have any constructor");
        Expr { kind: ExprKind::Constructor(name.name.clone(), args), ty, span }
    }

    /// `#name e …`, probably of type `sum`. Sizes that are not known yet may differ from those of
    /// other values of the type.
    fn constructor_of(
        &mut self,
        name: &ast::Ident,
        args: &[ast::Expr],
        sum: &Type,
        span: Span,
    ) -> Expr {
        let sum = self.u.with_own_sizes(sum);
        let types = self.payload_types(name, args.len(), &sum);
        let mut values = Vec::new();
        for (position, (arg, ty)) in args.iter().zip(&types).enumerate() {
            let value = self.expr_hint(arg, Some(ty));
            self.u.at = value.span;
            let constructor = name.name.clone();
            self.expect(ty, &value.ty, || ConstraintSite::Payload {
                span: value.span,
                constructor,
                position,
            });
            values.push(value);
        }
        let is_wrong = types.iter().any(|ty| self.u.is_error(ty));
        let ty = if is_wrong { self.u.error_type() } else { sum };
        Expr { kind: ExprKind::Constructor(name.name.clone(), values), ty, span }
    }

    /// The types of the payloads that a constructor of the type `ty` has, for `count` of them. Errors are reported.
    fn payload_types(&mut self, name: &ast::Ident, count: usize, ty: &Type) -> Vec<Type> {
        if let Type::Sum(mut constructors) = self.u.head(ty)
            && let Some(payloads) = constructors.swap_remove(&name.name)
            && payloads.len() == count
        {
            return payloads;
        }
        if self.u.as_free(ty).is_some() {
            let payloads: Vec<Type> = (0..count).map(|_| self.u.fresh()).collect();
            let (name, span) = (name.name.clone(), name.span);
            let bound = ConstructorBound { name, span, payloads: payloads.clone() };
            match self.u.bound_constructor(ty, bound) {
                Ok(()) => return payloads,
                Err(UnifyError::Constructor { name, span, given, ty }) => {
                    self.constructor_clash(&name, span, given, &ty);
                }
                Err(clash) => {
                    let error = self.u.error_type();
                    self.clash(ConstraintSite::Later { span }, &error, ty, clash);
                }
            }
        } else {
            self.constructor_clash(&name.name, name.span, count, ty);
        }
        vec![self.u.error_type(); count]
    }

    /// A pattern `#name p …`.
    pub(super) fn constructor_pattern(
        &mut self,
        name: &ast::Ident,
        pats: &[ast::Pat],
        ty: &Type,
        holes: &mut AnonymousSizes,
    ) -> Pat {
        let before = self.reports.mark();
        let types = self.payload_types(name, pats.len(), ty);
        let is_wrong = !self.reports.is_clean_since(before) || self.u.is_error(ty);
        let pats = pats.iter().zip(&types);
        let pats = pats.map(|(pat, ty)| self.pattern(pat, ty, holes)).collect();
        // Its errors were reported. Missing cases would only be a consequence.
        if is_wrong { Pat::Wild } else { Pat::Constructor(name.name.clone(), pats) }
    }

    /// Reports that a type does not have a constructor, or that the constructor has another number of payloads.
    pub(super) fn constructor_clash(&mut self, name: &Name, span: Span, given: usize, ty: &Type) {
        if self.u.is_error(ty) {
            return;
        }
        let head = self.u.head(ty);
        let sum = self.sum(&head);
        let empty = IndexMap::new();
        let constructors = if let Type::Sum(constructors) = &head { constructors } else { &empty };
        let name = name.clone();
        if let Some(payloads) = constructors.get(&name) {
            let takes = payloads.len();
            return self.report(SumError::Payloads { name, span, sum, takes, given });
        }
        let near = nearest(&name, constructors.keys());
        self.report(SumError::UnknownConstructor { name, span, sum, near });
    }

    /// A type, for a message about its constructors.
    fn sum(&self, ty: &Type) -> Sum {
        let mut shown = self.shown();
        let whole = shown.ty(ty);
        let mut texts = Vec::new();
        let mut declared = None;
        if let Type::Sum(constructors) = ty {
            for (name, payloads) in constructors {
                let one = IndexMap::from([(name.clone(), payloads.clone())]);
                texts.push(self.shown().ty(&Type::Sum(one)));
            }
            let is_it = |other: &IndexMap<Name, Vec<Type>>| {
                other.len() == constructors.len()
                    && other.keys().all(|name| constructors.contains_key(name))
            };
            declared = self.names.abbreviations.values().find_map(|abbreviation| {
                let (span, sum) = abbreviation.sum()?;
                (is_it(sum) && self.names.is_user(span))
                    .then(|| (abbreviation.name().clone(), span))
            });
        }
        Sum { ty: whole, constructors: texts, declared }
    }

    /// Reports that nothing determines which sum a type is.
    pub(super) fn unknown_sum(&mut self, var: TypeVar, clean: ReportMark) {
        let Some(bounds) = self.u.bounds(var) else { return };
        let mut bounds = bounds.constructors.clone();
        bounds.sort_by_key(|bound| bound.span);
        let Some(ConstructorBound { name, span, .. }) = bounds.first().cloned() else { return };
        let all = bounds.iter().map(|bound| bound.name.clone()).collect();
        self.u.types[var].state = TypeState::Error;
        for payload in bounds.iter().flat_map(|bound| &bound.payloads) {
            if let Some(inner) = self.u.as_free(payload) {
                self.u.types[inner].state = TypeState::Error;
            }
        }
        if self.reports.is_clean_since(clean) || self.errors_are_subjects(clean) {
            self.report(SumError::UnknownSum { name, span, all });
        }
    }

    /// `match value case p -> e …`.
    pub(super) fn matching(
        &mut self,
        value: &ast::Expr,
        cases: &[ast::Case],
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let value = self.expr(value);
        let mut found: Vec<Case> = Vec::new();
        let mut ty: Option<Type> = None;
        let mut is_wrong = false;
        let mut branches = Branches::new("match", span);
        for case in cases {
            let made = self.next_ids();
            let mark = self.names.scope.mark();
            self.distinct_pattern(&[&case.pat]);
            let before = self.reports.mark();
            let pat = self.pattern(&case.pat, &value.ty, &mut AnonymousSizes::Infer);
            is_wrong |= !self.reports.is_clean_since(before)
                || matches!(case.pat.kind, ast::PatKind::Error);
            self.alias(&pat, &value);
            let body = self.expr_hint(&case.body, hint);
            self.names.scope.leave(mark);
            branches.add(made, self);
            let first = found.first().map_or(body.span, |first| tail(&first.body));
            ty = Some(match ty {
                None => body.ty.clone(),
                Some(ty) => self.common_type(&ty, &body, first, &mut branches),
            });
            found.push(Case { pat, body });
        }
        // A pattern with a mistake leaves open which values it covers.
        if !is_wrong && !self.names.globals.is_doubtful(span) {
            let rows = found.iter().zip(cases);
            let rows = rows.map(|(case, written)| (case.pat.clone(), written.pat.span)).collect();
            let last = cases.last().map_or(span, |case| case.body.span);
            let of = ExhaustivenessSite::Match {
                span: match_head(span, &value),
                value: value.span,
                end: Span { start: last.end, ..last },
            };
            self.walk.patterns.covers.push(ExhaustivenessCheck { ty: value.ty.clone(), rows, of });
        }
        let ty = ty.unwrap_or_else(|| self.u.error_type());
        Expr { kind: ExprKind::Match(Box::new(value), found), ty, span }
    }

    /// The common type of the earlier cases and one more.
    fn common_type(
        &mut self,
        before: &Type,
        body: &Expr,
        first: Span,
        branches: &mut Branches,
    ) -> Type {
        self.u.at = body.span;
        match self.join(before, &body.ty, branches) {
            Ok(ty) => ty,
            Err(clash) => {
                let place = ConstraintSite::Case { first, span: tail(body) };
                self.clash(place, before, &body.ty, clash);
                self.u.error_type()
            }
        }
    }
}

/// The word `match` and its value, which a message about the whole shows.
fn match_head(span: Span, value: &Expr) -> Span {
    Span { end: value.span.end.max(span.start), ..span }
}

//! Lambdas and local functions, and the type of a function from the types of its parts.
//!
//! Invariant: a size that a body makes stands in the function's type only under `?[k]`, or if it is the value of the
//! function's parameter.
//!
//! ```text
//! \n -> iota n             ⇒   (n: i64) -> [n]i64
//! \xs -> filter p xs       ⇒   [n]t -> ?[k].[k]t
//! ```

use super::Checker;
use super::annotation::AnonymousSizes;
use super::decl::CallTreatment;
use super::error::{CalleeParam, ConstraintSite, WithError};
use super::expr::tail;
use super::local_instances::PolymorphicLocal;
use super::solve::{Level, UnifyError};
use super::typed::{Expr, ExprKind, Param, Pat};
use crate::core::{Size, SizeOrigin, Type, UniquenessMarks};
use arrc_syntax::ast;
use arrc_syntax::ids::SizeVar;
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// A local function, for messages.
#[derive(Clone, Debug)]
pub(super) struct LocalFunction {
    pub(super) params: Vec<CalleeParam>,
    pub(super) ty: Type,
}

impl Checker<'_> {
    /// `\p q: t -> body`.
    pub(super) fn lambda(
        &mut self,
        params: &[ast::Pat],
        (result, body): (Option<&ast::Type>, &ast::Expr),
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let outer = self.u.level;
        let mark = self.names.scope.mark();
        let around = self.walk.params.len();
        self.u.level = outer.inner();
        let (params, rest) = self.parameters(params, hint, &mut AnonymousSizes::Infer);
        self.u.level = self.u.level.inner();
        let (body, ty) = match result {
            None => {
                let body = self.expr_hint(body, rest.as_ref());
                let ty = body.ty.clone();
                (body, ty)
            }
            Some(result) => {
                self.unmarked(result);
                let maker = "this function".into();
                let ty = self.result_annotation(result, &mut AnonymousSizes::Infer, &maker);
                self.infer_declared_body(body, (result.span, ty), None)
            }
        };
        self.u.level = outer;
        self.walk.params.truncate(around);
        self.names.scope.leave(mark);
        self.close_lambda_as(params, (body, &ty), span)
    }

    /// The parameters of a function that probably has the type `hint`, and the type that the hint has for the result.
    pub(super) fn parameters(
        &mut self,
        pats: &[ast::Pat],
        hint: Option<&Type>,
        holes: &mut AnonymousSizes,
    ) -> (Vec<Param>, Option<Type>) {
        self.distinct_pattern(&pats.iter().collect::<Vec<_>>());
        let mut hint = hint.map(|hint| self.u.head(hint));
        let mut params = Vec::new();
        for pat in pats {
            let (ty, rest) = match hint {
                Some(Type::Fun(_, param, result)) => (*param, Some(self.u.head(&result))),
                _ => (self.u.fresh(), None),
            };
            hint = rest;
            let span = pat.span;
            let pat = self.pattern(pat, &ty, holes);
            self.must_fit(&pat, &ty, span, "a parameter");
            if let Pat::Var(var, ty) = &pat {
                self.walk.params.push((*var, ty.clone()));
            }
            params.push(Param { pat, ty });
        }
        (params, hint.filter(|hint| !matches!(hint, Type::Exists(..))))
    }

    /// A lambda from its parts, which were typed two levels deeper.
    pub(super) fn close_lambda(&mut self, params: Vec<Param>, body: Expr, span: Span) -> Expr {
        let ty = body.ty.clone();
        self.close_lambda_as(params, (body, &ty), span)
    }

    /// A lambda from its parts, with the type of its result.
    fn close_lambda_as(
        &mut self,
        params: Vec<Param>,
        (body, result): (Expr, &Type),
        span: Span,
    ) -> Expr {
        let outer = self.u.level;
        let result = self.close_result(&params, result, outer.inner());
        let ty = self.function_type_of(&params, &result);
        if let Err(clash) = self.u.lower(None, outer, &ty) {
            self.unclosed(span, clash);
        }
        Expr { kind: ExprKind::Lambda(params, Box::new(body)), ty, span }
    }

    /// A function's result, with `?[k]` before it for the sizes that its body makes: the sizes that are deeper than
    /// the parameters, which are at `level`, and the sizes that are the value of a part of a parameter.
    pub(super) fn close_result(&mut self, params: &[Param], result: &Type, level: Level) -> Type {
        let result = self.u.resolve(result);
        let (declared, body) = result.without_exists();
        let mut found = Vec::new();
        self.u.sizes_of(&body, &mut found);
        let values: Vec<SizeVar> = params.iter().filter_map(|param| self.value_of(param)).collect();
        let is_made = |id: &SizeVar| {
            let deeper = self.u.size_level(*id) > level;
            let part = self.u.size_level(*id) == level
                && matches!(self.u.sizes[*id].info.origin, SizeOrigin::Value(_));
            self.u.is_rigid_size(*id) && (deeper || part) && !values.contains(id)
        };
        let made = found.into_iter().filter(|id| !declared.contains(id)).filter(is_made);
        let made: Vec<SizeVar> = made.collect();
        let (body, own) = self.open_undetermined_dims(&body, made);
        let mut sizes = Vec::new();
        self.u.sizes_of(&body, &mut sizes);
        sizes.retain(|id| own.contains(id));
        body.with_bound_sizes([declared, sizes].concat())
    }

    /// The type with a new size for each dimension that does not determine the sizes in it. For example, an array of
    /// size `k*l` determines neither `k` nor `l`, where both were `made` inside. Also returns `made` with the new
    /// sizes.
    fn open_undetermined_dims(
        &mut self,
        ty: &Type,
        mut made: Vec<SizeVar>,
    ) -> (Type, Vec<SizeVar>) {
        let mut dimensions = Vec::new();
        ty.dimensions(&mut dimensions);
        let mut told = Vec::new();
        let unknown = |size: &Size, told: &[SizeVar]| -> Vec<SizeVar> {
            let symbols = size.symbols().into_iter();
            symbols.filter(|id| made.contains(id) && !told.contains(id)).collect()
        };
        // An array determines a size that stands alone in its dimension, or that stands there beside sizes that are
        // determined.
        while let Some(id) = dimensions.iter().find_map(|size| match *unknown(size, &told) {
            [id] if size.is_linear_in(id) => Some(id),
            _ => None,
        }) {
            told.push(id);
        }
        let untold = dimensions.into_iter().filter_map(|size| {
            let first = unknown(&size, &told).first().copied()?;
            Some((size, first))
        });
        let mut own: Vec<(Size, SizeVar)> = Vec::new();
        for (size, first) in untold.collect::<Vec<_>>() {
            if own.iter().all(|(dimension, _)| *dimension != size) {
                let info = self.u.sizes[first].info.clone();
                let maker = match info.origin {
                    SizeOrigin::Exists { maker } => maker,
                    SizeOrigin::Param | SizeOrigin::Value(_) => info.name.clone(),
                };
                let origin = SizeOrigin::Exists { maker };
                own.push((size, self.u.rigid_size(info.name, origin, info.span)));
            }
        }
        made.extend(own.iter().map(|(_, id)| *id));
        let replaced = self.u.rewrite(ty, &|_| None, &|size| {
            let found = own.iter().find(|(dimension, _)| *dimension == size);
            found.map_or(size, |(_, id)| Size::symbol(*id))
        });
        (replaced, made)
    }

    /// The type of a function, from its parameters and its result.
    pub(super) fn function_type_of(&self, params: &[Param], result: &Type) -> Type {
        let mut ty = self.u.resolve(result);
        for param in params.iter().rev() {
            let mut used = Vec::new();
            self.u.sizes_of(&ty, &mut used);
            let value = self.value_of(param).filter(|value| used.contains(value));
            ty = Type::Fun(value, Box::new(self.u.resolve(&param.ty)), Box::new(ty));
        }
        ty
    }

    /// The size that is the value of a parameter, if there is one.
    pub(super) fn value_of(&self, param: &Param) -> Option<SizeVar> {
        let Pat::Var(var, _) = &param.pat else { return None };
        self.vars.values[*var].size.as_ref().and_then(Size::as_symbol)
    }

    /// Reports that a function's type needs a size or a type that only its body knows.
    pub(super) fn unclosed(&mut self, span: Span, clash: UnifyError) {
        let error = self.u.error_type();
        self.clash(ConstraintSite::Later { span }, &error, &error, clash);
    }

    /// `f [n] 'a p q: t = e`, as a local binding.
    pub(super) fn local_function(&mut self, def: &ast::Def) -> (Pat, Expr) {
        let outer = self.u.level;
        let level = outer.inner();
        let mark = self.names.scope.mark();
        let around = self.walk.params.len();
        let bounded = self.u.bounded.len();
        let made = (self.vars.next_key(), self.u.sizes.next_key());
        self.u.level = level;
        if let Some(shape) = def.shapes.first() {
            let (name, span) = (def.name.name.clone(), shape.span);
            self.report(WithError::FixedRank { name, span, what: "a local function" });
        }
        let (sizes, types) = self.declare_params(&def.sizes, &def.types);
        let (params, _) = self.parameters(&def.params, None, &mut AnonymousSizes::Infer);
        self.walk.local_functions.push(def.name.name.clone());
        let body = self.body(def, level);
        let wanted = def.result.as_ref().map(|_| &body.1);
        self.determined(
            &def.sizes,
            &sizes,
            &params,
            (wanted, CallTreatment::Stay("a local function")),
        );
        self.walk.local_functions.pop();
        let result = self.close_result(&params, &body.1, level);
        let ty = self.function_type_of(&params, &result);
        self.u.level = outer;
        self.walk.params.truncate(around);
        self.names.scope.leave(mark);
        let declared = def.result.as_ref().map(|ty| self.marks(ty));
        let marks =
            params.iter().map(|param| UniquenessMarks::of_pattern(&param.pat, self.vars.all()));
        let marks = UniquenessMarks::functions(marks.collect(), declared.unwrap_or_default());
        let info = LocalFunction { params: self.callee_params(&def.params), ty: ty.clone() };
        let scheme = self.generalise_local(ty.clone(), (sizes, types), bounded);
        let polymorphic = PolymorphicLocal {
            types: scheme.types.clone(),
            vars: made.0..self.vars.next_key(),
            sizes: made.1..self.u.sizes.next_key(),
        };
        let var = self.bind_var(&def.name, scheme);
        self.vars[var].marks = marks;
        self.vars.functions.insert(var, info);
        self.copies.declare(var, polymorphic);
        let span = def.span;
        let lambda =
            Expr { kind: ExprKind::Lambda(params, Box::new(body.0)), ty: ty.clone(), span };
        (Pat::Var(var, ty), lambda)
    }

    /// The body of a definition whose parameters are at `level`, and its result's type. That is the declared type, if
    /// there is one.
    pub(super) fn body(&mut self, def: &ast::Def, level: Level) -> (Expr, Type) {
        self.u.level = level.inner();
        let name = &def.name.name;
        let declared = def
            .result
            .as_ref()
            .map(|ty| (ty.span, self.result_annotation(ty, &mut AnonymousSizes::Infer, name)));
        self.body_of(def, declared, level)
    }

    /// The body of a definition whose result is declared as `declared`.
    pub(super) fn body_of(
        &mut self,
        def: &ast::Def,
        declared: Option<(Span, Type)>,
        level: Level,
    ) -> (Expr, Type) {
        self.u.level = level.inner();
        let written = def.body.as_ref().expect("only intrinsics have no body, and have none");
        let Some(declared) = declared else {
            let body = self.expr(written);
            let ty = body.ty.clone();
            return (body, ty);
        };
        self.infer_declared_body(written, declared, Some(&def.name.name))
    }

    /// The body of a function whose result is declared, with the function's name if it has one.
    fn infer_declared_body(
        &mut self,
        written: &ast::Expr,
        (span, ty): (Span, Type),
        function: Option<&Name>,
    ) -> (Expr, Type) {
        let opened = self.opened(&ty);
        let body = self.expr_hint(written, Some(&opened));
        self.u.at = body.span;
        let function = function.cloned();
        let place = || ConstraintSite::Result { function, span: tail(&body), ty: span };
        let fits = self.expect(&opened, &body.ty, place);
        // Either the declared or the found type may be the error, so consequences of it are not reported.
        let ty = if fits { ty } else { self.u.error_type() };
        (body, ty)
    }

    /// A declared result in which each `?[k]` may become any size.
    fn opened(&mut self, ty: &Type) -> Type {
        let Type::Exists(sizes, body) = ty else { return ty.clone() };
        let fresh: Vec<_> =
            sizes.iter().map(|&size| (size, self.u.fresh_size_like(size))).collect();
        self.u.substitute(body, &[], &fresh)
    }

    /// The parameters of a function, for messages.
    pub(super) fn callee_params(&self, params: &[ast::Pat]) -> Vec<CalleeParam> {
        let one = |pat: &ast::Pat| CalleeParam {
            name: name_of(pat),
            declared: self.names.is_user(pat.span).then_some(pat.span),
        };
        params.iter().map(one).collect()
    }
}

/// The name of a parameter that is one variable.
fn name_of(pat: &ast::Pat) -> Option<Name> {
    match &pat.kind {
        ast::PatKind::Name(name) => Some(name.name.clone()),
        ast::PatKind::Typed(inner, _) | ast::PatKind::Sized(_, inner) => name_of(inner),
        ast::PatKind::Wild
        | ast::PatKind::Tuple(_)
        | ast::PatKind::Record(_)
        | ast::PatKind::Constructor(..)
        | ast::PatKind::Literal(..)
        | ast::PatKind::Error => None,
    }
}

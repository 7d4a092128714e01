//! From metavariables to what they stand for: the last walk over a definition.
//!
//! Invariant: nothing that is finished has a metavariable, and its types and sizes are those of the
//! program's tables.
//!
//! ```text
//! App(BinOp Add: ?3 -> ?3 -> ?3, [x: ?3, literal 1]), ?3 = i64   ⇒   x + 1i64
//! ```

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::Checker;
use super::environment::builtin::neutral;
use super::error::{Escaping, FunctionError, SizeError, TypeError};
use super::solve::Scheme;
use super::typed::{
    Assert, Case, Dim, Expr, ExprKind, Generator, Literal, Loop, LoopForm, Operator, Param, Pat,
    Range, Step, With,
};
use crate::ids::{PrimaryMap, SizeVar, TypeVar};
use crate::ir::ast;
use crate::ir::core::{self, Size, SizeInfo, SizeOrigin, Type};
use crate::names::Name;
use crate::prim::{Const, Scalar};
use crate::source::Span;
use crate::stack::deep;

/// The program's tables of sizes and types, and which of the walk's they are.
#[derive(Default, Debug)]
pub(super) struct Ids {
    /// Every size of every definition.
    pub(super) sizes: PrimaryMap<SizeVar, SizeInfo>,
    /// Every quantified type parameter.
    pub(super) types: PrimaryMap<TypeVar, Name>,
    size_ids: IndexMap<SizeVar, SizeVar>,
    type_vars: IndexMap<TypeVar, TypeVar>,
    /// The computed sizes that are known at the place that is finished.
    made: BTreeSet<SizeVar>,
}

impl Checker<'_> {
    /// The parameters of a scheme, in order.
    pub(super) fn finish_scheme(&mut self, scheme: &Scheme) -> (Vec<TypeVar>, Vec<SizeVar>) {
        let types = scheme.types.iter().map(|&var| self.finish_var(var)).collect();
        let sizes = scheme.sizes.iter().map(|&size| self.finish_id(size)).collect();
        (types, sizes)
    }

    /// Parameters, with what they bind.
    pub(super) fn finish_params(&mut self, params: Vec<Param>) -> Vec<core::Param> {
        let finished = |Param { pat, ty }| {
            let pat = self.finish_pat(pat);
            core::Param { pat, ty: self.finish_type(&ty) }
        };
        params.into_iter().map(finished).collect()
    }

    /// A type.
    pub(super) fn finish_type(&mut self, ty: &Type) -> Type {
        let mut ty = self.u.defaulted(ty);
        self.translate(&mut ty);
        ty
    }

    /// An expression.
    pub(super) fn finish_expr(&mut self, mut expr: Expr) -> core::Expr {
        let mut bindings = Vec::new();
        let innermost = loop {
            let Expr { kind, ty, span } = expr;
            let ty = self.finish_type(&ty);
            let ExprKind::Let(pat, value, body) = kind else {
                break deep(|| self.finish_kind(kind, ty, span));
            };
            if let Pat::Var(var, _) = pat
                && self.copies.is_polymorphic(var)
            {
                let body = self.finish_expr(*body);
                break self.finish_copies(var, &value, body);
            }
            let value = self.finish_expr(*value);
            self.check_made(&value);
            bindings.push((self.finish_pat(pat), value, ty, span));
            expr = *body;
        };
        bindings.into_iter().rev().fold(innermost, |body, (pat, value, ty, span)| {
            let kind = core::ExprKind::Let(pat, Box::new(value), Box::new(body));
            core::Expr { kind, ty, span }
        })
    }

    /// An expression that is no `let`.
    fn finish_kind(&mut self, kind: ExprKind, ty: Type, span: Span) -> core::Expr {
        use core::ExprKind as Solved;
        let kind = match kind {
            ExprKind::Const(literal) => Solved::Const(self.finish_constant(literal, &ty, span)),
            ExprKind::Var(used) => Solved::Var(self.instance(used)),
            ExprKind::Size(size) => {
                let resolved = self.u.resolve_size(&size);
                self.check_told(&resolved, span);
                Solved::Size(self.finish_size(&resolved))
            }
            ExprKind::Global(def, types) => {
                Solved::Global(def, types.iter().map(|ty| self.finish_type(ty)).collect())
            }
            ExprKind::BinOp(op) => Solved::BinOp(op),
            ExprKind::UnOp(op) => Solved::UnOp(op),
            ExprKind::Fma => Solved::Fma,
            ExprKind::AndAlso(left, right) => {
                Solved::AndAlso(self.finish_part(left), self.finish_part(right))
            }
            ExprKind::OrElse(left, right) => {
                Solved::OrElse(self.finish_part(left), self.finish_part(right))
            }
            ExprKind::App(function, args) => {
                Solved::App(self.finish_part(function), self.finish_all(args))
            }
            ExprKind::Lambda(params, body) => self.finish_lambda(params, body),
            ExprKind::Let(..) => panic!("chains of `let` are finished in a loop"),
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.finish_part(condition);
                Solved::If(condition, self.finish_part(then), self.finish_part(otherwise))
            }
            ExprKind::Match(value, cases) => self.finish_match(value, cases),
            ExprKind::Constructor(name, payloads) => {
                Solved::Constructor(name, self.finish_all(payloads))
            }
            ExprKind::Tuple(items) => Solved::Tuple(self.finish_all(items)),
            ExprKind::Record(fields) => {
                let fields = fields.into_iter();
                Solved::Record(
                    fields.map(|(name, field)| (name, self.finish_expr(field))).collect(),
                )
            }
            ExprKind::Item(tuple, at) => Solved::Item(self.finish_part(tuple), at),
            ExprKind::Field(record, name) => Solved::Field(self.finish_part(record), name),
            ExprKind::Update(whole, steps, value) => {
                let whole = self.finish_part(whole);
                let steps = steps.into_iter().map(|step| self.finish_step(step)).collect();
                Solved::Update(whole, steps, self.finish_part(value))
            }
            ExprKind::Loop(data) => Solved::Loop(Box::new(self.finish_loop(*data, span))),
            ExprKind::With(data) => Solved::With(Box::new(self.finish_with(*data))),
            ExprKind::Array(items) => Solved::Array(self.finish_all(items)),
            ExprKind::Text(bytes) => Solved::Text(bytes),
            ExprKind::Index(array, indices) => {
                Solved::Index(self.finish_part(array), self.finish_all(indices))
            }
            ExprKind::Slice(array, dims) => {
                Solved::Slice(self.finish_part(array), self.finish_dims(dims))
            }
            ExprKind::Range(range) => Solved::Range(Box::new(self.finish_range(*range))),
            ExprKind::Coerce(value) => Solved::Coerce(self.finish_part(value)),
            ExprKind::Assert(assert) => Solved::Assert(Box::new(self.finish_assert(*assert))),
        };
        let expr = core::Expr { kind, ty, span };
        self.check_data(&expr);
        self.make(&expr);
        expr
    }

    fn finish_part(&mut self, part: Box<Expr>) -> Box<core::Expr> {
        Box::new(self.finish_expr(*part))
    }

    fn finish_all(&mut self, parts: Vec<Expr>) -> Vec<core::Expr> {
        parts.into_iter().map(|part| self.finish_expr(part)).collect()
    }

    fn finish_lambda(&mut self, params: Vec<Param>, body: Box<Expr>) -> core::ExprKind {
        let params = self.finish_params(params);
        let given = self.given(&params);
        let body = self.finish_part(body);
        for id in &given {
            self.ids.made.remove(id);
        }
        core::ExprKind::Lambda(params, body)
    }

    fn finish_match(&mut self, value: Box<Expr>, cases: Vec<Case>) -> core::ExprKind {
        let (pats, bodies): (Vec<_>, Vec<_>) =
            cases.into_iter().map(|Case { pat, body }| (self.finish_pat(pat), body)).unzip();
        let value = self.finish_part(value);
        let cases = pats.into_iter().zip(bodies);
        let cases = cases.map(|(pat, body)| core::Case { pat, body: self.finish_expr(body) });
        core::ExprKind::Match(value, cases.collect())
    }

    fn finish_step(&mut self, step: Step) -> core::Step {
        match step {
            Step::Item(at) => core::Step::Item(at),
            Step::Field(name) => core::Step::Field(name),
            Step::At(dims) => core::Step::At(self.finish_dims(dims)),
        }
    }

    fn finish_dims(&mut self, dims: Vec<Dim>) -> Vec<core::Dim> {
        let finished = |dim| match dim {
            Dim::Index(index) => core::Dim::Index(self.finish_expr(index)),
            Dim::Slice { first, last, step } => {
                let [first, last, step] =
                    [first, last, step].map(|part| part.map(|part| self.finish_expr(part)));
                core::Dim::Slice { first, last, step }
            }
        };
        dims.into_iter().map(finished).collect()
    }

    fn finish_range(&mut self, Range { first, second, end, last }: Range) -> core::Range {
        let first = self.finish_expr(first);
        let second = second.map(|second| self.finish_expr(second));
        core::Range { first, second, end, last: self.finish_expr(last) }
    }

    fn finish_assert(&mut self, Assert { condition, text, value }: Assert) -> core::Assert {
        let condition = self.finish_expr(condition);
        core::Assert { condition, text, value: self.finish_expr(value) }
    }

    /// A with-loop: the parts outside of the bodies first.
    fn finish_with(&mut self, data: With) -> core::With {
        let With { shape, operators, generators, may_overlap } = data;
        let indices = |generator: &Generator| {
            let index = generator.index.iter().cloned();
            index.map(|pat| self.finish_pat(pat)).collect()
        };
        let indices: Vec<Vec<core::Pat>> = generators.iter().map(indices).collect();
        let shape = shape.map(|shape| self.finish_all(shape));
        let operators = operators.into_iter().map(|operator| match operator {
            Operator::Genarray(default) => {
                core::Operator::Genarray(default.map(|default| self.finish_expr(default)))
            }
            Operator::Modarray(array) => core::Operator::Modarray(self.finish_expr(array)),
            Operator::Fold(op, neutral) => {
                let op = self.finish_expr(op);
                core::Operator::Fold(op, self.finish_expr(neutral))
            }
        });
        let operators = operators.collect();
        let mut bounds = Vec::new();
        let mut rest = Vec::new();
        for Generator { lower, upper, grid, index: _, body, is_inside, is_single, span } in
            generators
        {
            let (lower, upper) = (self.finish_all(lower), self.finish_all(upper));
            bounds.push((lower, upper, grid.map(|grid| grid.map(|part| self.finish_all(part)))));
            rest.push((body, is_inside, is_single, span));
        }
        let parts = indices.into_iter().zip(bounds).zip(rest);
        let generators = parts.map(|((index, (lower, upper, grid)), rest)| {
            let (body, is_inside, is_single, span) = rest;
            let body = self.finish_expr(body);
            core::Generator { lower, upper, grid, index, body, is_inside, is_single, span }
        });
        core::With { generators: generators.collect(), shape, operators, may_overlap }
    }

    /// Checks that something tells a size whose value is needed.
    fn check_told(&mut self, size: &Size, span: Span) {
        if let Some(&id) = size.symbols().iter().find(|&&id| self.u.is_free_size(id)) {
            let SizeInfo { name, span: declared, .. } = self.u.sizes[id].info.clone();
            if !self.is_untold(declared) {
                self.report(SizeError::UntoldSize { span, name, declared });
            }
        }
    }

    /// Sizes that are known in a function because its parameters tell them, though they are made later: by an
    /// argument of the call that the function is an argument of.
    fn given(&mut self, params: &[core::Param]) -> Vec<SizeVar> {
        let mut found = Vec::new();
        params.iter().for_each(|param| sizes_in(&param.ty, &mut found));
        found.into_iter().filter(|&id| self.ids.made.insert(id)).collect()
    }

    /// A loop. The sizes that are its own are known in it.
    fn finish_loop(&mut self, data: Loop, span: Span) -> core::Loop {
        let Loop { pat, ty, init, form, body } = data;
        let ty = self.finish_type(&ty);
        self.made_here(&ty, span);
        let pat = self.finish_pat(pat);
        let (init, form) = match form {
            LoopForm::For(counter, bound) => {
                let counter = self.finish_pat(counter);
                let init = self.finish_expr(init);
                (init, core::LoopForm::For(counter, self.finish_expr(bound)))
            }
            LoopForm::In(element, array) => {
                let element = self.finish_pat(element);
                let init = self.finish_expr(init);
                (init, core::LoopForm::In(element, self.finish_expr(array)))
            }
            LoopForm::While(condition) => {
                let init = self.finish_expr(init);
                (init, core::LoopForm::While(self.finish_expr(condition)))
            }
        };
        core::Loop { pat, ty, init, form, body: self.finish_expr(body) }
    }

    /// A literal of a finished type.
    fn finish_constant(&mut self, literal: Literal, ty: &Type, span: Span) -> Const {
        // Of any other type, a mismatch was reported.
        let Type::Scalar(scalar) = ty else { return Const::bool(false) };
        self.finish_literal(literal, *scalar, span)
    }

    /// Reports a float that is beyond `f32`, which it turned out to be.
    fn float_fits(&mut self, value: ast::Float, negative: bool, ty: Scalar, span: Span) {
        if ty == Scalar::F32 && value.single.is_infinite() {
            let sign = if negative { "-" } else { "" };
            self.report(TypeError::FloatLiteral {
                span,
                value: format!("{sign}{:e}", value.double),
            });
        }
    }

    /// The constant that a literal is; one that does not fit is reported.
    pub(super) fn finish_literal(&mut self, literal: Literal, ty: Scalar, span: Span) -> Const {
        if let Literal::Float(value, negative) = literal {
            self.float_fits(value, negative, ty, span);
        }
        constant_of(literal, ty).unwrap_or_else(|value| {
            let range = [Const::lowest(ty), Const::highest(ty)]
                .map(|limit| limit.as_i128().to_string())
                .into();
            self.report(TypeError::Literal { span, value, ty: ty.name().into(), range });
            Const::int(ty, 0)
        })
    }

    /// Checks that functions are neither stored nor chosen.
    fn check_data(&mut self, expr: &core::Expr) {
        let is_stored = |ty: &Type| match ty {
            Type::Array(_, element) => has_function(element),
            Type::Sum(constructors) => constructors.values().flatten().any(has_function),
            Type::Scalar(_)
            | Type::Tuple(_)
            | Type::Record(_)
            | Type::Fun(..)
            | Type::Var(_)
            | Type::Exists(..) => false,
        };
        let (span, ty) = (expr.span, &expr.ty);
        let makes = if let core::ExprKind::App(_, args) = &expr.kind {
            !args.iter().any(|arg| is_stored(&arg.ty))
        } else {
            matches!(expr.kind, core::ExprKind::Array(_) | core::ExprKind::Constructor(..))
        };
        if makes && is_stored(ty) {
            let holder = if matches!(ty, Type::Sum(_)) { "a constructor" } else { "an array" };
            let ty = self.u_shown(ty);
            self.report(FunctionError::StoredFunction { span, holder, ty });
        } else if matches!(expr.kind, core::ExprKind::If(..) | core::ExprKind::Match(..))
            && has_function(ty)
        {
            let ty = self.u_shown(ty);
            let word =
                if matches!(expr.kind, core::ExprKind::If(..)) { "an `if`" } else { "a `match`" };
            self.report(FunctionError::ChosenFunction { span, word, ty });
        } else if matches!(expr.kind, core::ExprKind::Loop(_)) && has_function(ty) {
            let ty = self.u_shown(ty);
            self.report(FunctionError::FunctionFromLoop { span, ty });
        }
    }

    /// A finished type, for a message.
    fn u_shown(&self, ty: &Type) -> String {
        struct FinishedNames<'i>(&'i Ids);
        impl crate::ir::core::TypeNames for FinishedNames<'_> {
            fn size(&mut self, id: SizeVar) -> String {
                self.0.sizes[id].name.to_string()
            }
            fn type_var(&mut self, var: TypeVar) -> String {
                self.0.types[var].to_string()
            }
        }
        crate::ir::core::type_text(ty, &mut FinishedNames(&self.ids))
    }

    /// Remembers the sizes that a call, an `if`, a loop, a range or a slice makes.
    fn make(&mut self, expr: &core::Expr) {
        if matches!(
            expr.kind,
            core::ExprKind::App(..)
                | core::ExprKind::Global(..)
                | core::ExprKind::If(..)
                | core::ExprKind::Match(..)
                | core::ExprKind::Loop(_)
                | core::ExprKind::With(_)
                | core::ExprKind::Range(_)
                | core::ExprKind::Slice(..)
        ) {
            self.made_here(&expr.ty, expr.span);
        }
    }

    /// Remembers the sizes of a type that are made at this place.
    fn made_here(&mut self, ty: &Type, span: Span) {
        let mut found = Vec::new();
        sizes_in(ty, &mut found);
        let ids = &mut self.ids;
        ids.made.extend(found.into_iter().filter(|&id| ids.sizes[id].span == span));
    }

    /// Checks that a binding does not need sizes that are made later.
    fn check_made(&mut self, value: &core::Expr) {
        let mut found = Vec::new();
        sizes_in(&value.ty, &mut found);
        let later = |id: &SizeVar| {
            matches!(self.ids.sizes[*id].origin, SizeOrigin::Exists { .. })
                && !self.ids.made.contains(id)
        };
        if let Some(id) = found.into_iter().find(later) {
            let info = self.ids.sizes[id].clone();
            let SizeOrigin::Exists { maker } = info.origin else { return };
            let (size, made) = (info.name.to_string(), info.span);
            self.report(SizeError::SizeEscape {
                span: value.span,
                size,
                maker: Some(maker),
                made,
                of: Escaping::Early(Vec::new()),
            });
        }
    }

    fn finish_pat(&mut self, pat: Pat) -> core::Pat {
        match pat {
            Pat::Wild => core::Pat::Wild,
            Pat::Var(var, ty) => core::Pat::Var(var, self.finish_type(&ty)),
            Pat::Tuple(items) => core::Pat::Tuple(self.finish_pats(items)),
            Pat::Record(fields) => {
                let fields = fields.into_iter();
                core::Pat::Record(fields.map(|(name, pat)| (name, self.finish_pat(pat))).collect())
            }
            Pat::Constructor(name, pats) => core::Pat::Constructor(name, self.finish_pats(pats)),
            Pat::Const(literal, ty) => {
                let ty = self.finish_type(&ty);
                let constant = if let Type::Scalar(scalar) = ty {
                    // What does not fit was reported with the cases.
                    constant_of(literal, scalar).unwrap_or_else(|_| Const::int(scalar, 0))
                } else {
                    Const::bool(false)
                };
                core::Pat::Const(constant, ty)
            }
        }
    }

    fn finish_pats(&mut self, pats: Vec<Pat>) -> Vec<core::Pat> {
        pats.into_iter().map(|pat| self.finish_pat(pat)).collect()
    }

    /// Gives a type the program's ids.
    fn translate(&mut self, ty: &mut Type) {
        match ty {
            Type::Scalar(_) => {}
            Type::Tuple(items) => items.iter_mut().for_each(|ty| self.translate(ty)),
            Type::Record(fields) => fields.values_mut().for_each(|ty| self.translate(ty)),
            Type::Sum(constructors) => {
                constructors.values_mut().flatten().for_each(|ty| self.translate(ty));
            }
            Type::Array(size, element) => {
                *size = self.finish_size(size);
                self.translate(element);
            }
            Type::Fun(param, from, to) => {
                if let Some(param) = param {
                    *param = self.finish_id(*param);
                }
                self.translate(from);
                self.translate(to);
            }
            Type::Var(var) => *var = self.finish_var(*var),
            Type::Exists(sizes, body) => {
                for size in sizes {
                    *size = self.finish_id(*size);
                }
                self.translate(body);
            }
        }
    }

    fn finish_size(&mut self, size: &Size) -> Size {
        size.substitute(|id| Some(Size::symbol(self.finish_id(id))))
    }

    fn finish_id(&mut self, id: SizeVar) -> SizeVar {
        if let Some(&known) = self.ids.size_ids.get(&id) {
            return known;
        }
        let finished = self.ids.sizes.push(self.u.sizes[id].info.clone());
        self.ids.size_ids.insert(id, finished);
        finished
    }

    fn finish_var(&mut self, var: TypeVar) -> TypeVar {
        if let Some(&known) = self.ids.type_vars.get(&var) {
            return known;
        }
        let finished = self.ids.types.push(self.u.types[var].name.clone());
        self.ids.type_vars.insert(var, finished);
        finished
    }
}

/// The constant that a literal is; if its type cannot hold it, the literal's digits.
pub(super) fn constant_of(literal: Literal, ty: Scalar) -> Result<Const, String> {
    Ok(match literal {
        Literal::Const(constant) => constant,
        Literal::Neutral(op) => neutral(op, ty),
        // That it is of another type was reported.
        Literal::Int(..) | Literal::Float(..) if ty == Scalar::Bool => Const::bool(false),
        Literal::Float(..) if !ty.is_float() => Const::int(ty, 0),
        Literal::Float(value, negative) => {
            let value = value.value(ty);
            Const::float(ty, if negative { -value } else { value })
        }
        Literal::Int(value, negative) if ty.is_float() => {
            #[allow(clippy::cast_precision_loss)]
            let value = if ty == Scalar::F32 { f64::from(value as f32) } else { value as f64 };
            Const::float(ty, if negative { -value } else { value })
        }
        Literal::Int(value, negative) => {
            let limit = if negative && ty.is_signed() {
                -Const::lowest(ty).as_i128()
            } else {
                Const::highest(ty).as_i128()
            };
            match i128::try_from(value) {
                Ok(value) if value <= limit => {
                    Const::int(ty, if negative { -value } else { value })
                }
                _ => return Err(format!("{}{value}", if negative { "-" } else { "" })),
            }
        }
    })
}

/// Whether a finished type has a function in it.
pub(super) fn has_function(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) | Type::Var(_) => false,
        Type::Tuple(items) => items.iter().any(has_function),
        Type::Record(fields) => fields.values().any(has_function),
        Type::Sum(constructors) => constructors.values().flatten().any(has_function),
        Type::Array(_, element) => has_function(element),
        Type::Fun(..) => true,
        Type::Exists(_, body) => has_function(body),
    }
}

/// The sizes in a finished type that is no function's.
fn sizes_in(ty: &Type, found: &mut Vec<SizeVar>) {
    match ty {
        Type::Scalar(_) | Type::Var(_) | Type::Fun(..) | Type::Exists(..) => {}
        Type::Tuple(items) => items.iter().for_each(|ty| sizes_in(ty, found)),
        Type::Record(fields) => fields.values().for_each(|ty| sizes_in(ty, found)),
        Type::Sum(constructors) => {
            constructors.values().flatten().for_each(|ty| sizes_in(ty, found));
        }
        Type::Array(size, element) => {
            found.extend(size.symbols());
            sizes_in(element, found);
        }
    }
}

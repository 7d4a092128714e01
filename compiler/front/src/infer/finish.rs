//! The last walk over a definition: it replaces metavariables by the types and sizes that they stand for.
//!
//! Invariant: a finished definition has no metavariable. Its types and sizes are those of the program's tables.
//!
//! ```text
//! App(BinOp Add: ?3 -> ?3 -> ?3, [x: ?3, literal 1]), ?3 = i64   ⇒   x + 1i64
//! ```

mod checks;
mod ids;
mod literals;

pub(super) use checks::has_function;
pub(super) use ids::IdTables;
pub(super) use literals::constant_of;

use super::Checker;
use super::apply::make_trace;
use super::typed::{
    Accessor, Assert, Case, Dim, Expr, ExprKind, Generator, Loop, LoopForm, Operator, Param, Pat,
    Range, With,
};
use crate::core;
use crate::core::Type;
use arrc_syntax::ids::DefId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::Const;
use arrc_syntax::source::Span;
use arrc_syntax::stack::with_enough_stack;

impl Checker<'_> {
    /// Parameters, with their patterns.
    pub(super) fn finish_params(&mut self, params: Vec<Param>) -> Vec<core::Param> {
        let finished = |Param { pat, ty }| {
            let pat = self.finish_pat(pat);
            core::Param { pat, ty: self.finish_type(&ty) }
        };
        params.into_iter().map(finished).collect()
    }

    /// An expression.
    pub(super) fn finish_expr(&mut self, mut expr: Expr) -> core::Expr {
        let mut bindings = Vec::new();
        let innermost = loop {
            let Expr { kind, ty, span } = expr;
            let ty = self.finish_type(&ty);
            let ExprKind::Let(pat, value, body) = kind else {
                break with_enough_stack(|| self.finish_kind(kind, ty, span));
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
                self.check_determined(&resolved, span);
                Solved::Size(self.finish_size(&resolved))
            }
            ExprKind::Global(def, types) => {
                let kind =
                    Solved::Global(def, types.iter().map(|ty| self.finish_type(ty)).collect());
                match self.names.globals.named_trace_of(def) {
                    Some(trace) => nameless_trace(core::Expr { kind, ty: ty.clone(), span }, trace),
                    None => kind,
                }
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
                let is_trace = self.named_trace_of(&function).is_some();
                let (function, args) = (self.finish_part(function), self.finish_all(args));
                #[allow(clippy::wildcard_enum_match_arm, reason = "all other functions stay")]
                match function.kind {
                    // `trace` has become a call of `trace_as`, which lacks an argument.
                    Solved::App(trace, name) if is_trace => {
                        Solved::App(trace, [name, args].concat())
                    }
                    _ => Solved::App(function, args),
                }
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
        self.record_sizes(&expr);
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
        let given = self.param_sizes(&params);
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

    fn finish_step(&mut self, step: Accessor) -> core::Accessor {
        match step {
            Accessor::Item(at) => core::Accessor::Item(at),
            Accessor::Field(name) => core::Accessor::Field(name),
            Accessor::At(dims) => core::Accessor::At(self.finish_dims(dims)),
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

    /// A with-loop. The parts outside of the bodies come first.
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
        for generator in generators {
            let Generator { lower, upper, grid, index: _, body, .. } = generator;
            let Generator { is_inside, is_inclusive, is_single, span, .. } = generator;
            let (lower, upper) = (self.finish_all(lower), self.finish_all(upper));
            bounds.push((lower, upper, grid.map(|grid| grid.map(|part| self.finish_all(part)))));
            rest.push((body, is_inside, is_inclusive, is_single, span));
        }
        let parts = indices.into_iter().zip(bounds).zip(rest);
        let generators = parts.map(|((index, (lower, upper, grid)), rest)| {
            let (body, is_inside, is_inclusive, is_single, span) = rest;
            let body = self.finish_expr(body);
            core::Generator {
                lower,
                upper,
                grid,
                index,
                body,
                is_inside,
                is_inclusive,
                is_single,
                span,
            }
        });
        core::With { generators: generators.collect(), shape, operators, may_overlap }
    }

    /// A loop. Its own sizes are known inside it.
    fn finish_loop(&mut self, data: Loop, span: Span) -> core::Loop {
        let Loop { pat, ty, init, form, body } = data;
        let ty = self.finish_type(&ty);
        self.record_type_sizes(&ty, span);
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
                    // A literal that does not fit was reported with the cases.
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
}

/// `trace_as ""` for `trace`, where it is not applied.
fn nameless_trace(mut function: core::Expr, trace: DefId) -> core::ExprKind {
    let name = make_trace(&mut function, trace, &Name::default());
    core::ExprKind::App(Box::new(function), vec![name])
}

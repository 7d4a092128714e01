//! Expressions as trees.
//!
//! Invariant: every literal has its suffix and every variable its type, so nothing depends on how
//! inference would default.
//!
//! ```text
//! App(BinOp Max: f64, [x, Const 0.5])   ⇒   f64.max x 0.5f64
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Accessor, Body, Case, Dim, Expr, ExprKind, Loop, LoopForm, Param, Pat, Type};
use super::{ident, nowhere, sizes_of};
use crate::core::print::print_names::DefNames;
use crate::core::print::print_types::{infix, named};
use arrc_syntax::ast;
use arrc_syntax::ast::Literal;
use arrc_syntax::ast::operators::is_word;
use arrc_syntax::ids::{DefId, SizeVar};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};
use arrc_syntax::stack::with_enough_stack;

/// Prints the expressions of one definition.
pub(super) struct ExprPrinter<'a> {
    globals: &'a BTreeMap<DefId, Name>,
    pub(super) names: DefNames<'a>,
    /// The sizes whose values the definition uses.
    valued: BTreeSet<SizeVar>,
}

impl<'a> ExprPrinter<'a> {
    /// A printer for one definition.
    pub(super) fn new(
        globals: &'a BTreeMap<DefId, Name>,
        names: DefNames<'a>,
        body: &Body,
    ) -> Self {
        let mut valued = BTreeSet::new();
        if let Body::Expr(body) = body {
            collect_valued(body, &mut valued);
        }
        Self { globals, names, valued }
    }

    /// An expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> ast::Expr {
        with_enough_stack(|| self.kind_of(expr))
    }

    fn kind_of(&mut self, expr: &Expr) -> ast::Expr {
        use ast::ExprKind as E;
        let boxed = |this: &mut Self, expr: &Expr| Box::new(this.expr(expr));
        let kind = match &expr.kind {
            ExprKind::Const(value) => return constant(*value),
            ExprKind::Var(var) => return named(self.names.var(*var)),
            ExprKind::Size(size) => return typed_numbers(self.size_value(size)),
            ExprKind::Global(def, _) => return named(self.globals[def].clone()),
            ExprKind::BinOp(op) => return binary(*op, &expr.ty),
            ExprKind::UnOp(op) => return unary(*op, &expr.ty),
            ExprKind::Fma => return fma(&expr.ty),
            ExprKind::AndAlso(left, right) => {
                return infix(self.expr(left), "&&", self.expr(right));
            }
            ExprKind::OrElse(left, right) => return infix(self.expr(left), "||", self.expr(right)),
            ExprKind::App(function, args) if self.is_wanted(function) => {
                E::Ascribe(Box::new(self.call(function, args)), self.ty(&expr.ty))
            }
            ExprKind::App(function, args) => return self.call(function, args),
            ExprKind::Lambda(params, body) => {
                let params = self.params(params);
                E::Lambda(params, None, boxed(self, body))
            }
            ExprKind::Let(..) => return self.lets(expr),
            ExprKind::If(condition, then, otherwise) => {
                E::If(boxed(self, condition), boxed(self, then), boxed(self, otherwise))
            }
            ExprKind::Match(value, cases) => {
                let value = boxed(self, value);
                E::Match(value, cases.iter().map(|case| self.case(case)).collect())
            }
            // The type is written, since the context may not determine it.
            ExprKind::Constructor(name, args) => {
                let args = args.iter().map(|arg| self.expr(arg)).collect();
                let kind = E::Constructor(ident(name.clone()), args);
                let value = ast::Expr { kind, span: nowhere() };
                E::Ascribe(Box::new(value), self.ty(&expr.ty))
            }
            ExprKind::Tuple(items) => E::Tuple(items.iter().map(|item| self.expr(item)).collect()),
            ExprKind::Record(fields) => E::Record(
                fields
                    .iter()
                    .map(|(name, field)| (ident(name.clone()), self.expr(field)))
                    .collect(),
            ),
            ExprKind::Item(tuple, at) => E::Field(boxed(self, tuple), ident(at.to_string().into())),
            ExprKind::Field(record, name) => field(self.expr(record), name),
            ExprKind::Update(whole, steps, value) => {
                let whole = boxed(self, whole);
                let steps = steps.iter().map(|step| self.step(step)).collect();
                E::Update(whole, steps, boxed(self, value))
            }
            ExprKind::Array(items) => E::Array(items.iter().map(|item| self.expr(item)).collect()),
            ExprKind::Text(data) => E::Array(data.values().map(constant).collect()),
            ExprKind::Loop(data) => E::Loop(Box::new(self.loop_expr(data))),
            ExprKind::With(data) => E::With(Box::new(self.with_loop(data))),
            ExprKind::Index(array, indices) => {
                let array = boxed(self, array);
                E::Index(array, indices.iter().map(|index| self.expr(index)).collect())
            }
            ExprKind::Slice(array, dims) => {
                let array = boxed(self, array);
                E::Slice(array, dims.iter().map(|dim| self.dim(dim)).collect())
            }
            ExprKind::Range(range) => E::Range(Box::new(ast::Range {
                first: self.expr(&range.first),
                second: range.second.as_ref().map(|second| self.expr(second)),
                end: (range.end, nowhere()),
                last: self.expr(&range.last),
            })),
            ExprKind::Coerce(inner) => E::Coerce(boxed(self, inner), self.ty(&expr.ty)),
            ExprKind::Assert(assert) => {
                E::Assert(boxed(self, &assert.condition), boxed(self, &assert.value))
            }
        };
        ast::Expr { kind, span: nowhere() }
    }

    fn step(&mut self, step: &Accessor) -> ast::Accessor {
        match step {
            Accessor::Item(at) => ast::Accessor::Field(ident(at.to_string().into())),
            Accessor::Field(name) => ast::Accessor::Field(ident(name.clone())),
            Accessor::At(dims) => ast::Accessor::At(dims.iter().map(|dim| self.dim(dim)).collect()),
        }
    }

    fn dim(&mut self, dim: &Dim) -> ast::Dim {
        match dim {
            Dim::Index(index) => ast::Dim::Index(self.expr(index)),
            Dim::Slice { first, last, step } => {
                let [first, last, step] =
                    [first, last, step].map(|part| part.as_ref().map(|part| self.expr(part)));
                ast::Dim::Slice(ast::Slice { first, last, step, span: nowhere() })
            }
        }
    }

    /// Whether the result type of a call determines sizes that the arguments do not determine. Then the type is
    /// written.
    fn is_wanted(&self, function: &Expr) -> bool {
        let ExprKind::Global(def, _) = function.kind else { return false };
        !self.names.program.defs[def].undetermined_sizes().is_empty()
    }

    /// A call; operators between their operands.
    fn call(&mut self, function: &Expr, args: &[Expr]) -> ast::Expr {
        match (&function.kind, args) {
            (ExprKind::BinOp(op), [left, right]) if op.is_infix() => {
                return infix(self.expr(left), op.name(), self.expr(right));
            }
            // Before a literal, `-` would be read as its sign.
            (ExprKind::UnOp(UnOp::Neg), [operand]) if !is_literal(operand) => {
                let kind = ast::ExprKind::Neg(Box::new(self.expr(operand)));
                return ast::Expr { kind, span: nowhere() };
            }
            (ExprKind::UnOp(UnOp::Not), [operand]) => {
                let kind = ast::ExprKind::Not(Box::new(self.expr(operand)));
                return ast::Expr { kind, span: nowhere() };
            }
            (ExprKind::Global(def, _), [left, right]) if !is_word(&self.globals[def]) => {
                return infix(self.expr(left), &self.globals[def].clone(), self.expr(right));
            }
            _ => {}
        }
        let function = Box::new(self.expr(function));
        let args = args.iter().map(|arg| self.expr(arg)).collect();
        ast::Expr { kind: ast::ExprKind::Apply(function, args), span: nowhere() }
    }

    fn loop_expr(&mut self, data: &Loop) -> ast::Loop {
        let init = Some(self.expr(&data.init));
        let (pat, form) = match &data.form {
            LoopForm::For(counter, bound) => {
                let bound = self.expr(bound);
                let pat = self.carried(data);
                let counter = match counter {
                    Pat::Var(var, _) => self.names.bind(*var),
                    Pat::Wild
                    | Pat::Tuple(_)
                    | Pat::Record(_)
                    | Pat::Constructor(..)
                    | Pat::Const(..) => "_".into(),
                };
                (pat, ast::LoopForm::For(ident(counter), bound))
            }
            LoopForm::In(each, array) => {
                let array = self.expr(array);
                let pat = self.carried(data);
                (pat, ast::LoopForm::In(self.pat(each), array))
            }
            LoopForm::While(condition) => {
                let pat = self.carried(data);
                (pat, ast::LoopForm::While(self.expr(condition)))
            }
        };
        ast::Loop { pat, init, form, body: self.expr(&data.body) }
    }

    /// The pattern of a loop, with names for the sizes that change from step to step.
    fn carried(&mut self, data: &Loop) -> ast::Pat {
        let sizes = self.named_here(&data.ty);
        if sizes.is_empty() {
            self.pat(&data.pat)
        } else {
            sized(sizes, self.typed_pat(&data.pat, &data.ty))
        }
    }

    fn case(&mut self, case: &Case) -> ast::Case {
        let pat = self.pat(&case.pat);
        ast::Case { pat, body: self.expr(&case.body), span: nowhere() }
    }

    /// A chain of `let`s, which may be long.
    fn lets(&mut self, mut expr: &Expr) -> ast::Expr {
        let (mut bound, mut vars) = (Vec::new(), Vec::new());
        while let ExprKind::Let(pat, value, body) = &expr.kind {
            bound.push(self.binding(pat, value));
            if let Pat::Var(var, _) = pat {
                vars.push(*var);
            }
            expr = body;
        }
        let body = self.expr(expr);
        vars.into_iter().for_each(|var| self.names.leave(var));
        bound.into_iter().rev().fold(body, |body, bound| {
            let kind = match bound {
                Binding::Value(pat, value) => {
                    ast::ExprKind::Let(Box::new(pat), Box::new(value), Box::new(body))
                }
                Binding::Function(def) => ast::ExprKind::LetFun(Box::new(def), Box::new(body)),
            };
            ast::Expr { kind, span: nowhere() }
        })
    }

    fn binding(&mut self, pat: &Pat, value: &Expr) -> Binding {
        match (pat, &value.kind) {
            (Pat::Var(var, _), ExprKind::Lambda(params, body)) => {
                let sizes = self.new_sizes(params);
                let params = self.params(params);
                let body = Some(self.expr(body));
                let name = ident(self.names.bind(*var));
                let (doc, types, result) = (None, Vec::new(), None);
                let kind = ast::DefKind::Def;
                let span = nowhere();
                Binding::Function(ast::Def {
                    kind,
                    doc,
                    attrs: Vec::new(),
                    name,
                    sizes,
                    shapes: Vec::new(),
                    types,
                    params,
                    result,
                    body,
                    span,
                })
            }
            (Pat::Var(_, ty), _) if !matches!(ty, Type::Fun(..)) => {
                let printed = self.expr(value);
                let sizes = self.named_here(ty);
                let pat = self.typed_pat(pat, ty);
                Binding::Value(sized(sizes, pat), printed)
            }
            _ => {
                let printed = self.expr(value);
                let sizes = self.named_here(&value.ty);
                let pat = if sizes.is_empty() {
                    self.pat(pat)
                } else {
                    sized(sizes, self.typed_pat(pat, &value.ty))
                };
                Binding::Value(pat, printed)
            }
        }
    }

    /// The sizes that get their names where a value of this type is bound: they are used as values later, and have no
    /// name yet.
    fn named_here(&mut self, ty: &Type) -> Vec<ast::Ident> {
        let mut sizes = sizes_of([ty]);
        sizes.retain(|&size| self.valued.contains(&size) && self.names.size(size).is_none());
        sizes.into_iter().map(|size| ident(self.names.declare_size(size))).collect()
    }

    /// The size parameters that a local function declares.
    fn new_sizes(&mut self, params: &[Param]) -> Vec<ast::Ident> {
        let mut sizes = sizes_of(params.iter().map(|param| &param.ty));
        sizes.retain(|&size| self.names.is_new_param(size));
        sizes.into_iter().map(|size| ident(self.names.declare_size(size))).collect()
    }

    fn params(&mut self, params: &[Param]) -> Vec<ast::Pat> {
        let typed = |param: &Param| self.typed_pat(&param.pat, &param.ty);
        params.iter().map(typed).collect()
    }
}

/// The value of a size in an expression. Its numbers have the suffix `i64`.
fn typed_numbers(mut expr: ast::Expr) -> ast::Expr {
    if let ast::ExprKind::Literal(Literal::Int(_, suffix)) = &mut expr.kind {
        *suffix = Some(Scalar::I64);
    } else if let ast::ExprKind::Infix(left, _, right) = &mut expr.kind {
        for part in [left, right] {
            **part = typed_numbers((**part).clone());
        }
    } else if let ast::ExprKind::Neg(inner) = &mut expr.kind {
        **inner = typed_numbers((**inner).clone());
    }
    expr
}

/// The sizes whose values an expression uses.
fn collect_valued(expr: &Expr, found: &mut BTreeSet<SizeVar>) {
    if let ExprKind::Size(size) = &expr.kind {
        found.extend(size.symbols());
    }
    expr.for_each_child(&mut |child| with_enough_stack(|| collect_valued(child, found)));
}

/// A pattern, with size names in front of it if there are any.
fn sized(sizes: Vec<ast::Ident>, pat: ast::Pat) -> ast::Pat {
    if sizes.is_empty() {
        return pat;
    }
    ast::Pat { kind: ast::PatKind::Sized(sizes, Box::new(pat)), span: nowhere() }
}

/// What a `let` binds.
enum Binding {
    Value(ast::Pat, ast::Expr),
    Function(ast::Def),
}

/// Whether an expression prints as a literal.
fn is_literal(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Const(value) if !value.ty.is_float() || value.as_f64().is_finite())
}

/// A constant with its suffix.
pub(super) fn constant(value: Const) -> ast::Expr {
    let literal = |literal| ast::Expr { kind: ast::ExprKind::Literal(literal), span: nowhere() };
    let negated = |literal| {
        let literal = ast::Expr { kind: ast::ExprKind::Literal(literal), span: nowhere() };
        ast::Expr { kind: ast::ExprKind::Neg(Box::new(literal)), span: nowhere() }
    };
    match value.ty {
        Scalar::Bool => literal(Literal::Bool(value.bits != 0)),
        Scalar::F32 | Scalar::F64 => {
            let float = value.as_f64();
            if float.is_finite() {
                let magnitude = Literal::Float(ast::FloatLiteral::new(float.abs()), Some(value.ty));
                return if float.is_sign_negative() {
                    negated(magnitude)
                } else {
                    literal(magnitude)
                };
            }
            let below = float == f64::NEG_INFINITY;
            let name = if float.is_nan() { "nan" } else { "inf" };
            member(value.ty, if below { "lowest" } else { name })
        }
        Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64
        | Scalar::U8
        | Scalar::U16
        | Scalar::U32
        | Scalar::U64 => {
            let integer = value.as_i128();
            let magnitude = Literal::Int(integer.unsigned_abs(), Some(value.ty));
            if integer < 0 { negated(magnitude) } else { literal(magnitude) }
        }
    }
}

/// `record.name`. If the record is a path, the whole is a path.
fn field(record: ast::Expr, name: &Name) -> ast::ExprKind {
    if let ast::ExprKind::Name(mut path) = record.kind {
        path.quals.push(std::mem::replace(&mut path.name, ident(name.clone())));
        return ast::ExprKind::Name(path);
    }
    ast::ExprKind::Field(Box::new(record), ident(name.clone()))
}

/// An operator on two values, as a value.
fn binary(op: BinOp, ty: &Type) -> ast::Expr {
    match operand(ty) {
        Some(scalar) if !op.is_infix() => member(scalar, op.name()),
        Some(_) | None => named(op.name().into()),
    }
}

/// An operator on one value, as a value.
fn unary(op: UnOp, ty: &Type) -> ast::Expr {
    let from = operand(ty).expect("an operator on one value takes a scalar");
    member(op.module(from), op.name_on(from))
}

/// `fma`, as a value.
fn fma(ty: &Type) -> ast::Expr {
    member(operand(ty).expect("fma is of floats"), "fma")
}

/// The scalar that an operator takes.
fn operand(ty: &Type) -> Option<Scalar> {
    let Type::Fun(_, from, _) = ty else { return None };
    if let Type::Scalar(scalar) = **from { Some(scalar) } else { None }
}

/// `module.name`.
fn member(module: Scalar, name: &str) -> ast::Expr {
    let quals = vec![ident(module.name().into())];
    let name = ast::QualName { quals, name: ident(name.into()) };
    ast::Expr { kind: ast::ExprKind::Name(name), span: nowhere() }
}

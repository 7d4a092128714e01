//! The walk over expressions and types: where names are bound and used.
//!
//! Invariant: every name in an expression or a size is looked up in the scope where it stands.
//!
//! ```text
//! let n = length xs in (e :> [n]i64)   ⇒   n is used, by a size
//! ```

use super::Linter;
use super::names::Kind;
use crate::ir::ast::{
    Dim, Expr, ExprKind, Loop, LoopForm, Pat, PatKind, QualName, Size, Step, Type, TypeArg,
    TypeKind,
};
use crate::stack::deep;

impl Linter<'_> {
    /// An expression; a chain of `let`s is walked in a loop, since programs have long ones.
    pub(super) fn expr(&mut self, expr: &Expr) {
        let mark = self.names.mark();
        let mut expr = expr;
        loop {
            if let ExprKind::Let(pat, value, body) = &expr.kind {
                self.expr(value);
                self.pattern(pat, Kind::Let);
                expr = body;
            } else if let ExprKind::LetFun(def, body) = &expr.kind {
                self.function(def);
                self.bind(&def.name, Kind::Let);
                expr = body;
            } else if let ExprKind::LetUpdate(name, steps, value, body) = &expr.kind {
                self.names.use_name(&name.name);
                self.steps(steps);
                self.expr(value);
                self.bind(name, Kind::Updated);
                expr = body;
            } else {
                break;
            }
        }
        deep(|| self.kind(expr));
        self.leave(mark);
    }

    fn kind(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Text(_) | ExprKind::Hole | ExprKind::Error => {}
            ExprKind::Name(name) => self.path(name),
            ExprKind::SectionPath(steps) => self.steps(steps),
            ExprKind::Attr(attr, body) => {
                self.attribute(attr);
                self.expr(body);
            }
            ExprKind::Opened(_, body) => self.expr(body),
            ExprKind::Apply(function, args) | ExprKind::Index(function, args) => {
                self.expr(function);
                self.exprs(args);
            }
            ExprKind::Infix(left, op, right) => {
                self.expr(left);
                self.path(op);
                self.expr(right);
            }
            ExprKind::SectionRight(op, operand) | ExprKind::SectionLeft(operand, op) => {
                self.path(op);
                self.expr(operand);
            }
            ExprKind::Neg(inner) | ExprKind::Not(inner) | ExprKind::Field(inner, _) => {
                self.expr(inner);
            }
            ExprKind::Lambda(params, result, body) => {
                let mark = self.names.mark();
                params.iter().for_each(|param| self.pattern(param, Kind::Parameter));
                result.iter().for_each(|result| self.ty(result));
                self.expr(body);
                self.leave(mark);
            }
            ExprKind::Let(..) | ExprKind::LetFun(..) | ExprKind::LetUpdate(..) => self.expr(expr),
            ExprKind::Loop(data) => self.repeated(data),
            ExprKind::If(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| self.expr(part));
            }
            ExprKind::Match(subject, cases) => {
                self.expr(subject);
                for case in cases {
                    let mark = self.names.mark();
                    self.pattern(&case.pat, Kind::Part);
                    self.expr(&case.body);
                    self.leave(mark);
                }
            }
            ExprKind::Tuple(items) | ExprKind::Array(items) | ExprKind::Constructor(_, items) => {
                self.exprs(items);
            }
            ExprKind::Record(fields) => fields.iter().for_each(|(_, value)| self.expr(value)),
            ExprKind::Update(whole, steps, value) => {
                self.expr(whole);
                self.steps(steps);
                self.expr(value);
            }
            ExprKind::Slice(array, dims) => {
                self.expr(array);
                dims.iter().flat_map(Dim::parts).for_each(|part| self.expr(part));
            }
            ExprKind::Range(range) => {
                self.expr(&range.first);
                range.second.iter().for_each(|second| self.expr(second));
                self.expr(&range.last);
            }
            ExprKind::Assert(condition, value) => {
                self.expr(condition);
                self.expr(value);
            }
            ExprKind::Ascribe(inner, ty) | ExprKind::Coerce(inner, ty) => {
                self.expr(inner);
                self.ty(ty);
            }
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        let dims = steps.iter().flat_map(Step::dims);
        dims.flat_map(Dim::parts).for_each(|part| self.expr(part));
    }

    /// The first name of a path: what is behind it is looked up in a module or a record.
    fn path(&mut self, path: &QualName) {
        let head = path.quals.first().unwrap_or(&path.name);
        self.names.use_name(&head.name);
    }

    /// A loop. Of what it carries each part may be there for the result alone.
    fn repeated(&mut self, data: &Loop) {
        match &data.init {
            Some(init) => self.expr(init),
            None => self.own_value(&data.pat),
        }
        match &data.form {
            LoopForm::For(_, over) | LoopForm::In(_, over) => self.expr(over),
            LoopForm::While(_) => {}
        }
        let mark = self.names.mark();
        self.pattern(&data.pat, Kind::Carried);
        match &data.form {
            LoopForm::For(counter, _) => self.bind(counter, Kind::Step),
            LoopForm::In(pat, _) => self.pattern(pat, Kind::Step),
            LoopForm::While(condition) => self.expr(condition),
        }
        self.expr(&data.body);
        self.leave_loop(mark, data.pat.span);
    }

    /// The names of a pattern that is the initial value too.
    fn own_value(&mut self, pat: &Pat) {
        match &pat.kind {
            PatKind::Name(name) => self.names.use_name(&name.name),
            PatKind::Tuple(items) | PatKind::Constructor(_, items) => {
                items.iter().for_each(|item| self.own_value(item));
            }
            PatKind::Record(fields) => fields.iter().for_each(|(_, field)| self.own_value(field)),
            PatKind::Typed(inner, _) | PatKind::Sized(_, inner) => self.own_value(inner),
            PatKind::Wild | PatKind::Literal(..) | PatKind::Error => {}
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    /// A type: its sizes use names.
    pub(super) fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Name(_, args) => {
                for arg in args {
                    match arg {
                        TypeArg::Type(ty) => self.ty(ty),
                        TypeArg::Size(size) => self.size(size),
                    }
                }
            }
            TypeKind::Tuple(types) => types.iter().for_each(|ty| self.ty(ty)),
            TypeKind::Record(fields) => fields.iter().for_each(|(_, ty)| self.ty(ty)),
            TypeKind::Sum(constructors) => {
                constructors.iter().flat_map(|(_, types)| types).for_each(|ty| self.ty(ty));
            }
            TypeKind::Array(size, element) => {
                self.size(size);
                self.ty(element);
            }
            TypeKind::Fun(name, param, result) => {
                self.ty(param);
                self.under(name.iter(), result);
            }
            TypeKind::Exists(names, ty) => self.under(names.iter(), ty),
            TypeKind::Unique(ty) => self.ty(ty),
            TypeKind::Error => {}
        }
    }

    /// A type in which sizes have names of their own.
    fn under<'n>(&mut self, names: impl Iterator<Item = &'n crate::ir::ast::Ident>, ty: &Type) {
        let mark = self.names.mark();
        names.for_each(|name| self.names.bind(&name.name, name.span, Kind::Parameter));
        self.ty(ty);
        self.leave(mark);
    }

    fn size(&mut self, size: &Size) {
        match size {
            Size::Infer(_) => {}
            Size::Expr(expr) => self.expr(expr),
        }
    }
}

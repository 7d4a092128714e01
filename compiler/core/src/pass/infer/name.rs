//! What names in expressions mean: variables, sizes, definitions, and the scalar types' modules.
//!
//! Invariant: `a.b` is a field of the variable `a` where one is in scope, and else `b` of the
//! module `a`.
//!
//! ```text
//! f64.sqrt p.x   ⇒   App(UnOp Sqrt, [Field(Var p, x)])
//! ```

use super::Checker;
use super::bounds::{Operator, ScalarBound, ScalarSet, Why, component};
use super::builtin::{self, Member};
use super::error::Error;
use super::scope::Local;
use super::value::Literal;
use crate::diagnostics::nearest;
use crate::ids::{DefId, VarId};
use crate::ir::ast;
use crate::ir::core::{Expr, ExprKind, Type};
use crate::names::Name;
use crate::prim::{BinOp, Const, Scalar, UnOp};
use crate::source::Span;

impl Checker<'_> {
    /// A name, qualified or not.
    pub(super) fn qualified(&mut self, name: &ast::QualName, span: Span) -> Expr {
        let path: Vec<&ast::Ident> = name.quals.iter().chain([&name.name]).collect();
        match path.as_slice() {
            [one] => self.name(one, span),
            [head, member] if self.is_module(head) => self.member(head, member, span),
            [head, ..] if !self.is_defined(&head.name) => {
                self.unknown_head(head);
                self.wrong(span)
            }
            [head, fields @ ..] => {
                let record = self.name(head, head.span);
                fields.iter().fold(record, |record, field| {
                    let span = record.span.to(field.span);
                    self.field_of(record, field, span)
                })
            }
            [] => panic!("a name has at least one part"),
        }
    }

    /// `record.field`.
    pub(super) fn field(&mut self, record: &ast::Expr, field: &ast::Ident, span: Span) -> Expr {
        if let ast::ExprKind::Name(name) = &record.kind
            && name.quals.is_empty()
            && self.is_module(&name.name)
        {
            return self.member(&name.name, field, span);
        }
        let record = self.expr(record);
        self.field_of(record, field, span)
    }

    /// A field of a value.
    pub(super) fn field_of(&mut self, record: Expr, field: &ast::Ident, span: Span) -> Expr {
        let ty = self.field_type(&record.ty, field);
        let record = Box::new(record);
        let kind = match component(&field.name) {
            Some(at) => ExprKind::Item(record, at),
            None => ExprKind::Field(record, field.name.clone()),
        };
        Expr { kind, ty, span }
    }

    /// A name without qualifiers, or an operator.
    pub(super) fn name(&mut self, name: &ast::Ident, span: Span) -> Expr {
        match self.scope.get(&name.name).cloned() {
            Some(Local::Var(var, scheme)) => {
                let instance = self.u.instantiate(&scheme, span);
                let var = self.use_of(var, instance.types);
                Expr { kind: ExprKind::Var(var), ty: instance.ty, span }
            }
            Some(Local::Size(size)) => {
                Expr { kind: ExprKind::Size(size), ty: Type::Scalar(Scalar::I64), span }
            }
            None => match self.globals.get(self.current, &name.name) {
                Some(def) => self.global(def, span),
                None => self.operator_value(name, span),
            },
        }
    }

    /// A definition, with fresh types for its type parameters.
    fn global(&mut self, def: DefId, span: Span) -> Expr {
        let Some(known) = self.known[def].clone() else {
            // Something is wrong with it, which was reported.
            return self.wrong(span);
        };
        let instance = self.u.instantiate(&known.scheme, span);
        Expr { kind: ExprKind::Global(def, instance.types), ty: instance.ty, span }
    }

    /// An expression in which something is wrong, which was reported.
    pub(super) fn wrong(&self, span: Span) -> Expr {
        Expr { kind: ExprKind::Tuple(Vec::new()), ty: self.u.error_type(), span }
    }

    /// A built-in operator as a value: `(+)`.
    fn operator_value(&mut self, name: &ast::Ident, span: Span) -> Expr {
        if let Some(op) = builtin::operator(&name.name) {
            return self.bin_op(op, None, span);
        }
        match name.name.as_str() {
            "&&" | "||" | "|>" | "<|" | ">->" | "<-<" => self.eta(name, span),
            "!" => self.un_op(UnOp::Not, span),
            _ => {
                self.unknown_name(name);
                self.wrong(span)
            }
        }
    }

    /// An operator on two values, of one type.
    pub(super) fn bin_op(&mut self, op: BinOp, operand: Option<Type>, span: Span) -> Expr {
        let operator = Operator { sign: op.name().into(), span };
        let operand = operand.unwrap_or_else(|| {
            if matches!(op, BinOp::Eq | BinOp::Ne) {
                let ty = self.u.fresh();
                let asked = self.u.bound_equality(&ty, &operator);
                asked.expect("a type that is not known can still be compared");
                return ty;
            }
            let set = ScalarSet::of_bin(op);
            self.u.fresh_scalar(ScalarBound::new(set, Why::Operator(operator)))
        });
        let result = if op.is_comparison() { Type::Scalar(Scalar::Bool) } else { operand.clone() };
        let ty = function(&[operand.clone(), operand], result);
        Expr { kind: ExprKind::BinOp(op), ty, span }
    }

    /// An operator on one value.
    pub(super) fn un_op(&mut self, op: UnOp, span: Span) -> Expr {
        let sign = if op == UnOp::Not { "!" } else { "-" };
        let why = Why::Operator(Operator { sign: sign.into(), span });
        let operand = self.u.fresh_scalar(ScalarBound::new(ScalarSet::of_un(op), why));
        let ty = function(std::slice::from_ref(&operand), operand.clone());
        Expr { kind: ExprKind::UnOp(op), ty, span }
    }

    /// Whether a name means the module of a scalar type.
    fn is_module(&self, name: &ast::Ident) -> bool {
        Scalar::from_name(&name.name).is_some() && !self.is_defined(&name.name)
    }

    /// Whether a name means a variable, a size or a definition here.
    pub(super) fn is_defined(&self, name: &Name) -> bool {
        self.scope.get(name).is_some() || self.globals.get(self.current, name).is_some()
    }

    /// `module.name`.
    fn member(&mut self, module: &ast::Ident, name: &ast::Ident, span: Span) -> Expr {
        let scalar = Scalar::from_name(&module.name).expect("modules are scalar types");
        let ty = Type::Scalar(scalar);
        match builtin::member(scalar, &name.name) {
            Some(Member::Const(constant)) => self.constant(constant, span),
            Some(Member::Un(op, from)) => {
                let ty = function(&[Type::Scalar(from)], Type::Scalar(op.result(from)));
                Expr { kind: ExprKind::UnOp(op), ty, span }
            }
            Some(Member::Bin(op)) => self.bin_op(op, Some(ty), span),
            Some(Member::Reduce(op, neutral)) => self.reduction(op, neutral, span),
            None => {
                let near = nearest(&name.name, &builtin::members(scalar));
                let (module, name, span) = (module.name.clone(), name.name.clone(), name.span);
                self.report(Error::UnknownMember { module, name, span, near });
                self.wrong(span)
            }
        }
    }

    /// `reduce op neutral`.
    fn reduction(&mut self, op: BinOp, neutral: Const, span: Span) -> Expr {
        let Some(reduce) = self.globals.prelude.get("reduce").copied() else {
            return self.wrong(span);
        };
        let scalar = Type::Scalar(neutral.ty);
        let reduce = self.global(reduce, span);
        let op = self.bin_op(op, Some(scalar), span);
        let neutral = self.constant(neutral, span);
        self.call(reduce, vec![op, neutral], span)
    }

    fn constant(&mut self, constant: Const, span: Span) -> Expr {
        self.literal(Literal::Const(constant), Type::Scalar(constant.ty), span)
    }

    /// A name before a dot that is neither a variable nor a module.
    fn unknown_head(&mut self, name: &ast::Ident) {
        let modules: Vec<Name> = Scalar::ALL.iter().map(|scalar| scalar.name().into()).collect();
        let near = nearest(&name.name, self.scope.names().chain(&modules));
        if near.is_empty() {
            return self.unknown_name(name);
        }
        let (name, span) = (name.name.clone(), name.span);
        self.report(Error::UnknownName { name, span, near, hint: None });
    }

    pub(super) fn unknown_name(&mut self, name: &ast::Ident) {
        let Self { scope, globals, .. } = self;
        let known = scope.names().chain(globals.file.keys()).chain(&globals.prelude_names);
        let near = nearest(&name.name, known);
        let hint = if self.local_functions.contains(&name.name) {
            Some("a local function cannot call itself; make it a `def`, with its types".to_owned())
        } else if Scalar::from_name(&name.name).is_some() {
            let other = if name.name == "f64" { "i64" } else { "f64" };
            Some(format!("`{0}` is a type; to convert to it write `{0}.{other}`", name.name))
        } else if near.is_empty() && builtin::member(Scalar::F64, &name.name).is_some() {
            Some(format!("each type of numbers has its own: `f64.{}`", name.name))
        } else {
            None
        };
        let (name, span) = (name.name.clone(), name.span);
        self.report(Error::UnknownName { name, span, near, hint });
    }

    /// The variable to use for a local function at chosen types.
    fn use_of(&mut self, var: VarId, types: Vec<Type>) -> VarId {
        if types.is_empty() {
            return var;
        }
        let info = self.vars[var].clone();
        let copy = self.vars.push(info);
        self.copies.use_of(copy, var, types);
        copy
    }
}

/// The type of a function of some parameters.
pub(super) fn function(params: &[Type], result: Type) -> Type {
    params
        .iter()
        .rev()
        .fold(result, |result, param| Type::Fun(None, Box::new(param.clone()), Box::new(result)))
}

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
use super::builtin::neutral;
use super::error::{Error, Escaping};
use super::subst::Scheme;
use super::value::Literal;
use crate::ids::{PrimaryMap, SizeVar, TypeVar};
use crate::ir::ast;
use crate::ir::core::{
    Expr, ExprKind, Loop, LoopForm, Param, Pat, Size, SizeInfo, SizeOrigin, Type,
};
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
    pub(super) fn finish_params(&mut self, params: Vec<Param>) -> Vec<Param> {
        params
            .into_iter()
            .map(|Param { mut pat, ty }| {
                self.finish_pat(&mut pat);
                Param { pat, ty: self.finish_type(&ty) }
            })
            .collect()
    }

    /// A type.
    pub(super) fn finish_type(&mut self, ty: &Type) -> Type {
        let mut ty = self.u.defaulted(ty);
        self.translate(&mut ty);
        ty
    }

    /// An expression.
    pub(super) fn finish_expr(&mut self, mut expr: &mut Expr) {
        loop {
            expr.ty = self.finish_type(&expr.ty);
            let ExprKind::Let(pat, ..) = &expr.kind else {
                return deep(|| self.finish_kind(expr));
            };
            if matches!(pat, Pat::Var(var, _) if self.copies.is_polymorphic(*var)) {
                return self.finish_polymorphic(expr);
            }
            expr = self.finish_let(expr);
        }
    }

    /// What a `let` binds; gives its body.
    fn finish_let<'e>(&mut self, expr: &'e mut Expr) -> &'e mut Expr {
        let ExprKind::Let(pat, value, body) = &mut expr.kind else {
            panic!("only a `let` is finished as one");
        };
        self.finish_expr(value);
        self.check_made(value);
        self.finish_pat(pat);
        body
    }

    /// `let` of a polymorphic function: its copies instead.
    fn finish_polymorphic(&mut self, expr: &mut Expr) {
        let kind = std::mem::replace(&mut expr.kind, ExprKind::Tuple(Vec::new()));
        let ExprKind::Let(Pat::Var(var, _), function, mut body) = kind else {
            panic!("only a `let` of a variable is polymorphic");
        };
        self.finish_expr(&mut body);
        *expr = self.finish_copies(var, &function, *body);
    }

    fn finish_kind(&mut self, expr: &mut Expr) {
        let span = expr.span;
        let mut given = Vec::new();
        #[allow(clippy::wildcard_enum_match_arm, reason = "of the others only the parts matter")]
        match &mut expr.kind {
            ExprKind::Const(constant) => {
                let literal = self.literal_of(*constant);
                if let Type::Scalar(scalar) = expr.ty {
                    *constant = self.finish_literal(literal, scalar, span);
                }
            }
            ExprKind::Var(var) => *var = self.instance(*var),
            ExprKind::Size(size) => {
                let resolved = self.u.resolve_size(size);
                self.check_told(&resolved, span);
                *size = self.finish_size(&resolved);
            }
            ExprKind::Global(_, types) => {
                for ty in types {
                    *ty = self.finish_type(ty);
                }
            }
            ExprKind::Lambda(params, _) => {
                *params = self.finish_params(std::mem::take(params));
                given = self.given(params);
            }
            ExprKind::Match(_, cases) => {
                cases.iter_mut().for_each(|case| self.finish_pat(&mut case.pat));
            }
            ExprKind::Let(..) => panic!("chains of `let` are finished in a loop"),
            ExprKind::Loop(data) => self.finish_loop(data, span),
            ExprKind::With(data) => {
                data.indices_mut().for_each(|pat| self.finish_pat(pat));
            }
            _ => {}
        }
        expr.for_each_child_mut(&mut |child| self.finish_expr(child));
        for id in &given {
            self.ids.made.remove(id);
        }
        self.check_data(expr);
        self.make(expr);
    }

    /// Checks that something tells a size whose value is needed.
    fn check_told(&mut self, size: &Size, span: Span) {
        if let Some(&id) = size.symbols().iter().find(|&&id| self.u.is_free_size(id)) {
            let SizeInfo { name, span: declared, .. } = self.u.sizes[id].info.clone();
            if !self.is_untold(declared) {
                self.report(Error::UntoldSize { span, name, declared });
            }
        }
    }

    /// Sizes that are known in a function because its parameters tell them, though they are made later: by an
    /// argument of the call that the function is an argument of.
    fn given(&mut self, params: &[Param]) -> Vec<SizeVar> {
        let mut found = Vec::new();
        params.iter().for_each(|param| sizes_in(&param.ty, &mut found));
        found.into_iter().filter(|&id| self.ids.made.insert(id)).collect()
    }

    /// What a loop carries. The sizes that are its own are known in it.
    fn finish_loop(&mut self, data: &mut Loop, span: Span) {
        data.ty = self.finish_type(&data.ty);
        self.made_here(&data.ty, span);
        self.finish_pat(&mut data.pat);
        match &mut data.form {
            LoopForm::For(pat, _) | LoopForm::In(pat, _) => self.finish_pat(pat),
            LoopForm::While(_) => {}
        }
    }

    /// Reports a float that is beyond `f32`, which it turned out to be.
    fn float_fits(&mut self, value: ast::Float, negative: bool, ty: Scalar, span: Span) {
        if ty == Scalar::F32 && value.single.is_infinite() {
            let sign = if negative { "-" } else { "" };
            self.report(Error::FloatLiteral { span, value: format!("{sign}{:e}", value.double) });
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
            self.report(Error::Literal { span, value, ty: ty.name().into(), range });
            Const::int(ty, 0)
        })
    }

    /// Checks that functions are neither stored nor chosen.
    fn check_data(&mut self, expr: &Expr) {
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
        let makes = if let ExprKind::App(_, args) = &expr.kind {
            !args.iter().any(|arg| is_stored(&arg.ty))
        } else {
            matches!(expr.kind, ExprKind::Array(_) | ExprKind::Constructor(..))
        };
        if makes && is_stored(ty) {
            let holder = if matches!(ty, Type::Sum(_)) { "a constructor" } else { "an array" };
            let ty = self.u_shown(ty);
            self.report(Error::StoredFunction { span, holder, ty });
        } else if matches!(expr.kind, ExprKind::If(..) | ExprKind::Match(..)) && has_function(ty) {
            let ty = self.u_shown(ty);
            let word = if matches!(expr.kind, ExprKind::If(..)) { "an `if`" } else { "a `match`" };
            self.report(Error::ChosenFunction { span, word, ty });
        } else if matches!(expr.kind, ExprKind::Loop(_)) && has_function(ty) {
            let ty = self.u_shown(ty);
            self.report(Error::FunctionFromLoop { span, ty });
        }
    }

    /// A finished type, for a message.
    fn u_shown(&self, ty: &Type) -> String {
        struct Names<'i>(&'i Ids);
        impl crate::ir::core::TypeNames for Names<'_> {
            fn size(&mut self, id: SizeVar) -> String {
                self.0.sizes[id].name.to_string()
            }
            fn type_var(&mut self, var: TypeVar) -> String {
                self.0.types[var].to_string()
            }
        }
        crate::ir::core::type_text(ty, &mut Names(&self.ids))
    }

    /// Remembers the sizes that a call, an `if`, a loop, a range or a slice makes.
    fn make(&mut self, expr: &Expr) {
        if matches!(
            expr.kind,
            ExprKind::App(..)
                | ExprKind::Global(..)
                | ExprKind::If(..)
                | ExprKind::Match(..)
                | ExprKind::Loop(_)
                | ExprKind::With(_)
                | ExprKind::Range(_)
                | ExprKind::Slice(..)
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
    fn check_made(&mut self, value: &Expr) {
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
            self.report(Error::SizeEscape {
                span: value.span,
                size,
                maker: Some(maker),
                made,
                of: Escaping::Early(Vec::new()),
            });
        }
    }

    fn finish_pat(&mut self, pat: &mut Pat) {
        match pat {
            Pat::Wild => {}
            Pat::Var(_, ty) => *ty = self.finish_type(ty),
            Pat::Tuple(items) => items.iter_mut().for_each(|item| self.finish_pat(item)),
            Pat::Record(fields) => fields.iter_mut().for_each(|(_, field)| self.finish_pat(field)),
            Pat::Constructor(_, pats) => pats.iter_mut().for_each(|pat| self.finish_pat(pat)),
            Pat::Const(constant, ty) => {
                *ty = self.finish_type(ty);
                let literal = self.literal_of(*constant);
                if let Type::Scalar(scalar) = *ty {
                    // What does not fit was reported with the cases.
                    *constant =
                        constant_of(literal, scalar).unwrap_or_else(|_| Const::int(scalar, 0));
                }
            }
        }
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

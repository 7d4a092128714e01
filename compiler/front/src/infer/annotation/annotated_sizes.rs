//! Sizes as they are written in types.
//!
//! Invariant: a size is made of names of sizes, whole numbers, `+`, `-` and `*`.
//!
//! ```text
//! [2 * n + 1]f64   ⇒   the polynomial 2n + 1
//! ```

use super::AnonymousSizes;
use crate::core::{Size, SizeOrigin, Type};
use crate::infer::Checker;
use crate::infer::environment::globals::{GlobalMeaning, ResolvedPath};
use crate::infer::environment::scope::Local;
use crate::infer::error::SizeError;
use arrc_syntax::ast;
use arrc_syntax::diagnostics::nearest;
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

impl Checker<'_> {
    pub(super) fn size_annotation(&mut self, size: &ast::Size, holes: &mut AnonymousSizes) -> Size {
        match size {
            ast::Size::Infer(span) => self.hole(*span, holes),
            ast::Size::Shape(name) => {
                self.unknown_shape(name);
                self.u.fresh_size(Name::default(), name.span)
            }
            ast::Size::Expr(expr) => {
                let size = self.size_expr(expr).filter(|size| {
                    let fits = !size.is_too_large();
                    if !fits {
                        let written = Some(expr.to_string());
                        self.report(SizeError::SizeTooLarge { span: expr.span, written });
                    }
                    fits
                });
                // The error was reported, so any size will do.
                size.unwrap_or_else(|| self.u.fresh_size(Name::default(), expr.span))
            }
        }
    }

    pub(super) fn hole(&mut self, span: Span, holes: &mut AnonymousSizes) -> Size {
        match holes {
            AnonymousSizes::Infer => self.u.fresh_size(Name::default(), span),
            AnonymousSizes::Own(made) => {
                let size = self.u.rigid_size(Name::default(), SizeOrigin::Param, span);
                made.push(size);
                Size::symbol(size)
            }
        }
    }

    /// A size as written, or none if it is wrong, which is reported.
    pub(super) fn size_expr(&mut self, expr: &ast::Expr) -> Option<Size> {
        let bad = |this: &mut Self, found| {
            this.report(SizeError::BadSize { span: expr.span, found });
            None
        };
        match &expr.kind {
            ast::ExprKind::Literal(ast::Literal::Int(value, suffix)) => {
                match (i64::try_from(*value), suffix) {
                    (Ok(value), None | Some(Scalar::I64)) => Some(Size::constant(value)),
                    _ => bad(self, "a number that is not of type `i64`"),
                }
            }
            ast::ExprKind::Name(name) if name.quals.is_empty() => self.size_name(&name.name),
            ast::ExprKind::Infix(left, op, right) => {
                let (left, right) = (self.size_expr(left), self.size_expr(right));
                match op.name.name.as_str() {
                    _ if !op.quals.is_empty() => bad(self, "this operator"),
                    "+" => Some(self.in_order(left?, right?, Size::plus)),
                    "-" => Some(left?.minus(&right?)),
                    "*" => Some(self.in_order(left?, right?, Size::times)),
                    _ => bad(self, "this operator"),
                }
            }
            ast::ExprKind::Neg(operand) => Some(self.size_expr(operand)?.times_constant(-1)),
            ast::ExprKind::Error => None,
            ast::ExprKind::Apply(..) => bad(self, "a call"),
            ast::ExprKind::Literal(_) => bad(self, "this literal"),
            ast::ExprKind::Name(name) => {
                let path = name.quals.iter().chain([&name.name]).cloned().collect();
                self.size_path(path).or_else(|| bad(self, "a field"))
            }
            ast::ExprKind::Field(record, field) => {
                let ast::ExprKind::Name(name) = &record.kind else { return bad(self, "a field") };
                let path = name.quals.iter().chain([&name.name, field]);
                self.size_path(path.cloned().collect()).or_else(|| bad(self, "a field"))
            }
            ast::ExprKind::Not(_)
            | ast::ExprKind::SectionRight(..)
            | ast::ExprKind::SectionLeft(..)
            | ast::ExprKind::SectionPath(_)
            | ast::ExprKind::Opened(..)
            | ast::ExprKind::Text(_)
            | ast::ExprKind::Hole
            | ast::ExprKind::Attr(..)
            | ast::ExprKind::Lambda(..)
            | ast::ExprKind::Let(..)
            | ast::ExprKind::LetFun(..)
            | ast::ExprKind::LetUpdate(..)
            | ast::ExprKind::Loop(_)
            | ast::ExprKind::With(_)
            | ast::ExprKind::If(..)
            | ast::ExprKind::Match(..)
            | ast::ExprKind::Constructor(..)
            | ast::ExprKind::Tuple(_)
            | ast::ExprKind::Record(_)
            | ast::ExprKind::Update(..)
            | ast::ExprKind::Array(_)
            | ast::ExprKind::Index(..)
            | ast::ExprKind::Slice(..)
            | ast::ExprKind::Range(_)
            | ast::ExprKind::Coerce(..)
            | ast::ExprKind::Assert(..)
            | ast::ExprKind::Ascribe(..) => bad(self, "this expression"),
        }
    }

    /// Two sizes joined by a commutative operation. Their written order is kept: where nothing else determines the
    /// two sizes, the order tells which is which.
    pub(super) fn in_order(
        &mut self,
        left: Size,
        right: Size,
        join: fn(&Size, &Size) -> Size,
    ) -> Size {
        let operands = [&left, &right].map(Size::as_symbol);
        let [Some(first), Some(second)] = operands else { return join(&left, &right) };
        if first <= second {
            return join(&left, &right);
        }
        let [left, right] = [left, right].map(|size| self.u.alias_size(size));
        join(&left, &right)
    }

    /// The size that a name in a module stands for, if it is a constant.
    fn size_path(&mut self, path: Vec<ast::Ident>) -> Option<Size> {
        let names: Vec<Name> = path.iter().map(|part| part.name.clone()).collect();
        let meaning = self.names.path(&names);
        self.note_path(&path.iter().collect::<Vec<_>>(), meaning.as_ref());
        match meaning? {
            ResolvedPath::Def(def, used) if used == names.len() => self.size_of_def(def),
            ResolvedPath::Def(..)
            | ResolvedPath::Member(..)
            | ResolvedPath::Reduce(_)
            | ResolvedPath::Module(_)
            | ResolvedPath::NoMember { .. }
            | ResolvedPath::Wrong
            | ResolvedPath::Unknown => None,
        }
    }

    /// The size that a name stands for.
    pub(super) fn size_name(&mut self, ident: &ast::Ident) -> Option<Size> {
        self.look_for_sizes(ident.span);
        match self.names.scope.get(&ident.name).cloned() {
            Some(Local::Size(size, declared)) => {
                self.note_use(ident.span, declared);
                Some(size)
            }
            Some(Local::Var(var, scheme)) => {
                let declared = self.vars[var].span;
                self.note_use(ident.span, declared);
                let fits = self.size_type(&ident.name, &scheme.ty, ident.span, declared);
                let is_i64 = self.u.as_scalar(&scheme.ty) == Some(Scalar::I64);
                fits.then(|| if is_i64 { self.size_of_var(var) } else { self.size_of_integer(var) })
            }
            found @ (Some(Local::Opened(_)) | None) => {
                let meaning = match found {
                    Some(Local::Opened(meaning)) => Some(meaning),
                    Some(Local::Size(..) | Local::Var(..)) | None => self.names.term(&ident.name),
                };
                let global = match meaning {
                    Some(GlobalMeaning::Def(def)) => {
                        self.note_use(ident.span, self.names.def(def).name.span);
                        Some(def)
                    }
                    Some(GlobalMeaning::Module(_) | GlobalMeaning::Member(..)) | None => None,
                };
                if let Some(size) = global.and_then(|def| self.size_of_def(def)) {
                    return Some(size);
                }
                let near = nearest(&ident.name, self.names.scope.names());
                let (name, span) = (ident.name.clone(), ident.span);
                self.report(SizeError::UnknownSize { name, span, near });
                None
            }
        }
    }

    /// Whether a parameter of this type can be a size.
    pub(super) fn may_be_size(&self, ty: &Type) -> bool {
        self.u.is_error(ty) || self.u.as_scalar(ty).is_some_and(Scalar::is_integer)
    }

    /// Checks that a variable in a size is an integer.
    pub(super) fn size_type(&mut self, name: &Name, ty: &Type, span: Span, declared: Span) -> bool {
        if self.u.as_scalar(ty).is_some_and(Scalar::is_integer) {
            return true;
        }
        if self.u.unify(&Type::Scalar(Scalar::I64), ty).is_ok() {
            return true;
        }
        let ty = self.show(ty);
        self.report(SizeError::SizeType { span, name: name.clone(), ty, declared });
        false
    }
}

//! Types as text.
//!
//! Invariant: as in [`super`].
//!
//! ```text
//! Fun(None, Fun(None, a, b), Array(n, a))   ⇒   (a -> b) -> [n]a
//! ```

use super::Printer;
use crate::ast::{Ident, QualName, Size, Type, TypeArg, TypeKind};

impl Printer {
    /// A type that needs no parentheses.
    pub(super) fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Name(name, args) => {
                self.path(name);
                for arg in args {
                    self.text(" ");
                    match arg {
                        TypeArg::Type(ty) => self.type_arg(ty),
                        TypeArg::Size(size) => self.size(size),
                    }
                }
            }
            TypeKind::Tuple(types) => {
                self.text("(");
                self.list(types, Self::ty);
                self.text(")");
            }
            TypeKind::Record(fields) => {
                self.text("{");
                self.list(fields, |printer, (name, ty)| {
                    printer.text(&name.name);
                    printer.text(": ");
                    printer.ty(ty);
                });
                self.text("}");
            }
            TypeKind::Sum(constructors) => self.sum(constructors),
            TypeKind::Array(size, element) => {
                self.size(size);
                self.type_operand(element);
            }
            TypeKind::Fun(name, param, result) => {
                match name {
                    Some(name) => {
                        self.between(&format!("({}: ", name.name), param.as_ref(), ")", Self::ty)
                    }
                    // Elsewhere an operand with a `*` stands in parentheses; before an arrow it needs none.
                    None if matches!(param.kind, TypeKind::Unique(_)) => self.ty(param),
                    None => self.type_operand(param),
                }
                self.text(" -> ");
                self.ty(result);
            }
            TypeKind::Exists(sizes, body) => {
                self.exists(sizes);
                self.ty(body);
            }
            TypeKind::Unique(marked) => {
                self.text("*");
                self.type_operand(marked);
            }
            TypeKind::Error => self.text("_"),
        }
    }

    /// `#some t | #none`.
    fn sum(&mut self, constructors: &[(Ident, Vec<Type>)]) {
        for (number, (name, payloads)) in constructors.iter().enumerate() {
            self.text(if number > 0 { " | #" } else { "#" });
            self.text(&name.name);
            for payload in payloads {
                self.text(" ");
                self.type_arg(payload);
            }
        }
    }

    /// The result type of a lambda, between the parameters and the arrow. A function type in it stands in
    /// parentheses.
    pub(super) fn lambda_result(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Fun(..) => self.between("(", ty, ")", Self::ty),
            TypeKind::Exists(sizes, body) => {
                self.exists(sizes);
                self.lambda_result(body);
            }
            TypeKind::Name(..)
            | TypeKind::Tuple(_)
            | TypeKind::Record(_)
            | TypeKind::Sum(_)
            | TypeKind::Array(..)
            | TypeKind::Unique(_)
            | TypeKind::Error => self.ty(ty),
        }
    }

    /// `?[k].`
    fn exists(&mut self, sizes: &[Ident]) {
        self.text("?");
        for size in sizes {
            self.text(&format!("[{}]", size.name));
        }
        self.text(".");
    }

    /// A type to the left of an arrow, or the element of an array.
    fn type_operand(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Fun(..) | TypeKind::Exists(..) | TypeKind::Sum(_) | TypeKind::Unique(_) => {
                self.between("(", ty, ")", Self::ty);
            }
            TypeKind::Name(..)
            | TypeKind::Tuple(_)
            | TypeKind::Record(_)
            | TypeKind::Array(..)
            | TypeKind::Error => self.ty(ty),
        }
    }

    fn type_arg(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Name(_, args) if args.is_empty() => self.ty(ty),
            TypeKind::Tuple(_) | TypeKind::Record(_) | TypeKind::Error => self.ty(ty),
            TypeKind::Name(..)
            | TypeKind::Sum(_)
            | TypeKind::Array(..)
            | TypeKind::Fun(..)
            | TypeKind::Unique(_)
            | TypeKind::Exists(..) => {
                self.between("(", ty, ")", Self::ty);
            }
        }
    }

    fn size(&mut self, size: &Size) {
        match size {
            Size::Infer(_) => self.text("[]"),
            Size::Shape(name) => self.text(&format!("[..{}]", name.name)),
            Size::Expr(expr) => self.between("[", expr.as_ref(), "]", Self::expr),
        }
    }

    /// `M.x`.
    pub(super) fn path(&mut self, path: &QualName) {
        for qualifier in &path.quals {
            self.text(&qualifier.name);
            self.text(".");
        }
        self.binder(&path.name);
    }
}

//! Types.
//!
//! Invariant: the constructors of a sum stand in one line, or each has its own.
//!
//! ```text
//! type t =
//!     #some i64
//!   | #none
//! ```

use arrc_syntax::ast::{Ident, Size, Type, TypeArg, TypeKind};
use arrc_syntax::stack::with_enough_stack;

use crate::layout::{Commas, Doc, Gap, Layout};

impl<'a> Layout<'a> {
    /// A type.
    pub(crate) fn ty(&mut self, ty: &Type) -> Doc<'a> {
        with_enough_stack(|| {
            let (first, last) = self.ends(ty.span);
            let own = usize::from(matches!(ty.kind, TypeKind::Tuple(_)));
            let around = self.layers_around(first, last, own);
            self.in_parentheses(around, |layout| layout.type_kind(ty, last).align())
        })
    }

    /// A number of pairs of parentheses around `inner`, which is not aligned.
    pub(crate) fn in_parentheses(
        &mut self,
        layers: usize,
        inner: impl FnOnce(&mut Self) -> Doc<'a>,
    ) -> Doc<'a> {
        if layers == 0 {
            return inner(self);
        }
        let mut open = self.nil();
        for _ in 0..layers {
            open = open.append(self.token()).append(self.gap(Gap::Tight));
        }
        let mut doc = open.append(inner(self));
        for _ in 0..layers {
            doc = doc.append(self.then(Gap::Tight));
        }
        doc.group()
    }

    /// A name or a number of a field, and its type.
    fn field_type(&mut self, ty: &Type) -> Doc<'a> {
        let name = self.token().append(self.then(Gap::Tight));
        name.append(self.gap(Gap::Space)).append(self.ty(ty))
    }

    fn type_kind(&mut self, ty: &Type, last: usize) -> Doc<'a> {
        match &ty.kind {
            TypeKind::Name(name, args) => {
                let (_, end) = self.ends(name.span());
                let name = self.tight(end);
                args.iter().fold(name, |doc, arg| {
                    let gap = self.gap(Gap::Line);
                    let arg = match arg {
                        TypeArg::Type(ty) => self.ty(ty),
                        TypeArg::Size(size) => self.size(size),
                    };
                    doc.append(gap.append(arg).group().nest(2))
                })
            }
            TypeKind::Tuple(types) if self.next() == "{" => self.fields(types, Self::field_type),
            TypeKind::Tuple(types) => self.brackets(types, Commas::Flow, Self::ty),
            TypeKind::Record(fields) => {
                self.fields(fields, |layout, (_, ty)| layout.field_type(ty))
            }
            TypeKind::Sum(constructors) => self.sum(constructors),
            TypeKind::Array(size, element) => {
                let size = self.size(size);
                size.append(self.gap(Gap::Tight)).append(self.ty(element))
            }
            TypeKind::Fun(..) => self.arrows(ty),
            TypeKind::Exists(sizes, body) => {
                let mut doc = self.token();
                for _ in sizes {
                    doc = doc.append(self.gap(Gap::Tight)).append(self.tight_brackets());
                }
                let dot = doc.append(self.then(Gap::Tight));
                dot.append(self.gap(Gap::Tight)).append(self.ty(body))
            }
            TypeKind::Unique(marked) => {
                self.token().append(self.gap(Gap::Tight)).append(self.ty(marked))
            }
            TypeKind::Error => unreachable!("a text with mistakes is not formatted: token {last}"),
        }
    }

    /// `#some t | #none`.
    fn sum(&mut self, constructors: &[(Ident, Vec<Type>)]) -> Doc<'a> {
        let mut doc = self.if_broken("  ");
        for (number, (_, payloads)) in constructors.iter().enumerate() {
            if number > 0 {
                doc = doc.append(self.before_operator()).append(self.token());
                doc = doc.append(self.gap(Gap::Space));
            }
            let mut one = self.token();
            for payload in payloads {
                one = one.append(self.gap(Gap::Line).append(self.ty(payload)).group().nest(6));
            }
            doc = doc.append(one);
        }
        doc.group()
    }

    /// `a -> (n: b) -> c`.
    fn arrows(&mut self, ty: &Type) -> Doc<'a> {
        let mut doc = self.nil();
        let mut rest = ty;
        while let TypeKind::Fun(name, param, result) = &rest.kind {
            let param = match name {
                Some(_) => {
                    let open = self.token().append(self.then(Gap::Tight));
                    let open = open.append(self.then(Gap::Tight)).append(self.gap(Gap::Space));
                    open.append(self.ty(param)).append(self.then(Gap::Tight))
                }
                None => self.ty(param),
            };
            let arrow = param.append(self.then(Gap::Space));
            doc = doc.append(arrow);
            doc = doc.append(self.gap(Gap::Line).group());
            rest = result;
            if !self.is_bare_type(rest) {
                break;
            }
        }
        doc.append(self.ty(rest)).align()
    }

    /// Whether no parentheses stand around a type that begins with the next token.
    fn is_bare_type(&self, ty: &Type) -> bool {
        let (first, last) = self.ends(ty.span);
        self.layers(first, last) == 0
    }

    fn size(&mut self, size: &Size) -> Doc<'a> {
        match size {
            Size::Infer(_) | Size::Shape(_) => self.tight_brackets(),
            Size::Expr(expr) => {
                let open = self.token().append(self.gap(Gap::Tight));
                open.append(self.expr(expr)).append(self.then(Gap::Tight))
            }
        }
    }
}

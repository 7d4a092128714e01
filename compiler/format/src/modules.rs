//! Modules and module types.
//!
//! Invariant: what stands between braces takes one line, or each item has lines of its own. What ends with such lines
//! begins on the line before it, unless the user begins a line with it.
//!
//! ```text
//! module f (P: {type t}): u with t = P.t = {
//!   type t = P.t
//!   def x: t = P.x
//! }
//! ```

use arrc_syntax::ast::{ModuleDef, ModuleExpr, ModuleType, ModuleTypeDef, Refinement, Spec};
use arrc_syntax::source::Span;
use arrc_syntax::stack::with_enough_stack;

use crate::declarations::SHORT_RESULT;
use crate::layout::{Doc, Gap, Layout};

impl<'a> Layout<'a> {
    /// `module m (P: t): u = …`.
    pub(crate) fn module_definition(&mut self, def: &ModuleDef) -> Doc<'a> {
        let mut doc = self.token().append(self.then(Gap::Space));
        for param in &def.params {
            let can_hang = ends_with_items(&param.ty);
            doc = doc.append(
                self.part(false, 4, can_hang, |layout| layout.named_module_type(&param.ty)),
            );
        }
        if let Some(ty) = &def.ascription {
            doc = doc.append(self.ascription(ty));
        }
        doc.append(self.then(Gap::Space)).append(self.module_value(&def.body))
    }

    /// `module type t = …`.
    pub(crate) fn module_type_definition(&mut self, def: &ModuleTypeDef) -> Doc<'a> {
        let words = self.token().append(self.then(Gap::Space));
        let head = words.append(self.then(Gap::Space)).append(self.then(Gap::Space));
        if let ModuleType::Specs(..) = def.body {
            return head.append(self.gap(Gap::Space)).append(self.module_type(&def.body));
        }
        let can_hang = ends_with_items(&def.body);
        head.append(self.part(false, 2, can_hang, |layout| layout.module_type(&def.body)))
    }

    /// A module.
    pub(crate) fn module(&mut self, module: &ModuleExpr) -> Doc<'a> {
        with_enough_stack(|| {
            let around = self.parentheses_before(module.span());
            self.in_parentheses(around, |layout| layout.module_kind(module))
        })
    }

    /// A part of a head or of an application, on the same line or on one below, which is further to the right by
    /// `indent`. If it can hang, and takes several lines, it stays on the line, unless the user begins one with it.
    /// `is_broken` says that the user begins a line with the sign before it.
    fn part(
        &mut self,
        is_broken: bool,
        indent: isize,
        can_hang: bool,
        write: impl FnOnce(&mut Self) -> Doc<'a>,
    ) -> Doc<'a> {
        let is_broken = is_broken || self.begins_line();
        let gap = self.gap_broken(Gap::Line, is_broken);
        let before = self.breaks();
        let doc = write(self);
        if can_hang && !is_broken && self.breaks() > before {
            return self.space().append(doc);
        }
        gap.append(doc).group().nest(indent)
    }

    /// How many parentheses stand before a node, which are not part of its place.
    fn parentheses_before(&self, span: Span) -> usize {
        self.ends(span).0 - self.at()
    }

    /// `(P: t)`.
    fn named_module_type(&mut self, ty: &ModuleType) -> Doc<'a> {
        let name = self.token().append(self.then(Gap::Tight)).append(self.then(Gap::Tight));
        let ty = self.gap(Gap::Space).append(self.module_type(ty));
        name.append(ty).append(self.then(Gap::Tight))
    }

    /// `: t`, `:> t`. A short name stays on the line of the colon.
    fn ascription(&mut self, ty: &ModuleType) -> Doc<'a> {
        let is_broken = self.begins_line();
        let colon = self.colon();
        let (first, last) = self.ends(ty.span());
        let is_name = matches!(ty, ModuleType::Name(_));
        if is_name && self.tokens().width(first, last) <= SHORT_RESULT {
            return colon.append(self.gap(Gap::Space)).append(self.module_type(ty));
        }
        let can_hang = ends_with_items(ty);
        colon.append(self.part(is_broken, 4, can_hang, |layout| layout.module_type(ty)))
    }

    /// The sign before the type of a head.
    fn colon(&mut self) -> Doc<'a> {
        self.then(if self.next() == ":" { Gap::Tight } else { Gap::Space })
    }

    /// The module behind a `=` or an arrow.
    fn module_value(&mut self, module: &ModuleExpr) -> Doc<'a> {
        if let ModuleExpr::Body(..) = module {
            return self.gap(Gap::Space).append(self.module(module));
        }
        self.part(false, 2, ends_with_declarations(module), |layout| layout.module(module))
    }

    fn module_kind(&mut self, module: &ModuleExpr) -> Doc<'a> {
        match module {
            ModuleExpr::Name(name) => {
                let (_, last) = self.ends(name.span());
                self.tight(last)
            }
            ModuleExpr::Import(_) => self.token().append(self.then(Gap::Space)),
            ModuleExpr::Body(decls, _) => self.braces(decls, decls.len() > 1, Self::decl),
            ModuleExpr::Apply(function, given, _) => {
                let function = self.module(function);
                let can_hang = ends_with_declarations(given);
                function.append(self.part(false, 2, can_hang, |layout| layout.module(given)))
            }
            ModuleExpr::Ascribe(module, ty, _) => {
                let module = self.module(module);
                let is_broken = self.tokens().begins_line(self.at() + 1);
                self.move_comments_before_operator();
                module.append(self.part(is_broken, 2, ends_with_items(ty), |layout| {
                    let colon = layout.token().append(layout.gap(Gap::Space));
                    colon.append(layout.module_type(ty))
                }))
            }
            ModuleExpr::Function(param, result, body, _) => {
                let sign = self.token().append(self.gap(Gap::Tight));
                let mut doc = sign.append(self.named_module_type(&param.ty));
                if let Some(result) = result {
                    doc = doc.append(self.ascription(result));
                }
                doc.append(self.then(Gap::Space)).append(self.module_value(body))
            }
            ModuleExpr::Error(_) => unreachable!("a text with mistakes is not formatted"),
        }
    }

    /// A module type.
    fn module_type(&mut self, ty: &ModuleType) -> Doc<'a> {
        with_enough_stack(|| {
            let around = self.parentheses_before(ty.span());
            self.in_parentheses(around, |layout| match ty {
                ModuleType::Name(name) => {
                    let (_, last) = layout.ends(name.span());
                    layout.tight(last)
                }
                ModuleType::Specs(specs, _) => layout.braces(specs, false, Self::spec),
                ModuleType::With(..) => layout.refined(ty),
                ModuleType::Function(..) => layout.module_arrows(ty),
                ModuleType::Error(_) => unreachable!("a text with mistakes is not formatted"),
            })
        })
    }

    /// `t with u = i64 with v = u`.
    fn refined(&mut self, ty: &ModuleType) -> Doc<'a> {
        let mut refinements = Vec::new();
        let mut rest = ty;
        while let ModuleType::With(inner, refinement, _) = rest
            && self.parentheses_before(rest.span()) == 0
        {
            refinements.push(refinement);
            rest = inner;
        }
        let doc = self.module_type(rest);
        let mut clauses = self.nil();
        for refinement in refinements.into_iter().rev() {
            clauses = clauses.append(self.gap(Gap::Line)).append(self.refinement(refinement));
        }
        doc.append(clauses.group().nest(2))
    }

    /// `with u [n] 'a = [n]a`.
    fn refinement(&mut self, refinement: &Refinement) -> Doc<'a> {
        let word = self.token().append(self.gap(Gap::Space));
        let (_, last) = self.ends(refinement.name.span());
        let head = word.append(self.tight(last));
        let binders = refinement.sizes.len() + refinement.types.len();
        self.type_body(head, binders, Some(&refinement.body))
    }

    /// `(P: t) -> u -> v`.
    fn module_arrows(&mut self, ty: &ModuleType) -> Doc<'a> {
        let mut doc = self.nil();
        let mut rest = ty;
        while let ModuleType::Function(name, param, result, _) = rest
            && self.parentheses_before(rest.span()) == 0
        {
            let can_hang = ends_with_items(param);
            let write = |layout: &mut Self| match name {
                Some(_) => layout.named_module_type(param),
                None => layout.module_type(param),
            };
            let is_first = std::ptr::eq(rest, ty);
            let param = if is_first { write(self) } else { self.part(false, 2, can_hang, write) };
            doc = doc.append(param).append(self.then(Gap::Space));
            rest = result;
        }
        let can_hang = ends_with_items(rest);
        doc.append(self.part(false, 2, can_hang, |layout| layout.module_type(rest)))
    }

    /// An item that a module type asks for.
    fn spec(&mut self, spec: &Spec) -> Doc<'a> {
        let attributes = self.attributes();
        attributes.append(match spec {
            Spec::Value(def) => {
                self.token().append(self.gap(Gap::Space)).append(self.definition(def))
            }
            Spec::Type(spec) => {
                let binders = spec.sizes.len() + spec.types.len();
                self.type_item(binders, spec.body.as_ref())
            }
            Spec::Module(spec) => {
                let name = self.token().append(self.then(Gap::Space));
                name.append(self.ascription(&spec.ty))
            }
            Spec::Include(include) => {
                self.token().append(self.gap(Gap::Space)).append(self.module_type(&include.ty))
            }
        })
    }

    /// Items in the braces that begin with the next token. They can stand in one line, unless `has_lines` says that
    /// they have lines of their own.
    fn braces<T>(
        &mut self,
        items: &[T],
        has_lines: bool,
        item: impl Fn(&mut Self, &T) -> Doc<'a>,
    ) -> Doc<'a> {
        let open = self.token();
        if items.is_empty() {
            return open.append(self.then(Gap::Tight));
        }
        let (edge, between) =
            if has_lines { (Gap::Break, Gap::Break) } else { (Gap::Soft, Gap::Step) };
        let mut body = self.nil();
        for (number, one) in items.iter().enumerate() {
            let gap = self.gap(if number > 0 { between } else { edge });
            body = body.append(gap).append(item(self, one));
        }
        open.append(body.nest(2)).append(self.then(edge)).group()
    }
}

/// Whether a module type ends with items in braces, behind which at most a `with` stands.
fn ends_with_items(ty: &ModuleType) -> bool {
    match ty {
        ModuleType::Specs(..) => true,
        ModuleType::With(ty, ..) | ModuleType::Function(_, _, ty, _) => ends_with_items(ty),
        ModuleType::Name(_) | ModuleType::Error(_) => false,
    }
}

/// Whether the declarations of a module in braces are part of a module, so that its lines are theirs.
fn ends_with_declarations(module: &ModuleExpr) -> bool {
    match module {
        ModuleExpr::Body(..) => true,
        ModuleExpr::Apply(function, given, _) => {
            ends_with_declarations(function) || ends_with_declarations(given)
        }
        ModuleExpr::Ascribe(module, ty, _) => ends_with_declarations(module) || ends_with_items(ty),
        ModuleExpr::Function(_, _, body, _) => ends_with_declarations(body),
        ModuleExpr::Name(_) | ModuleExpr::Import(_) | ModuleExpr::Error(_) => false,
    }
}

//! Modules and module types as text.
//!
//! Invariant: parentheses stand only where the tree needs them.
//!
//! ```text
//! Apply(f, Apply(g, m))   ⇒   f (g m)
//! ```

use super::Printer;
use crate::ast::operators::is_word;
use crate::ast::{ModuleDef, ModuleExpr, ModuleParam, ModuleType, Refinement, Spec, TypeSpec};

impl Printer {
    /// A module without the words before it.
    pub(super) fn module_def(&mut self, def: &ModuleDef) {
        self.text("module ");
        self.text(&def.name.name);
        for param in &def.params {
            self.text(" ");
            self.module_param(param);
        }
        self.ascription(def.ascription.as_ref());
        self.text(" = ");
        self.module(&def.body);
    }

    fn module_param(&mut self, param: &ModuleParam) {
        self.text(&format!("({}: ", param.name.name));
        self.module_type(&param.ty);
        self.text(")");
    }

    fn ascription(&mut self, ty: Option<&ModuleType>) {
        let Some(ty) = ty else { return };
        self.text(": ");
        self.operand_type(ty);
    }

    pub(super) fn module(&mut self, module: &ModuleExpr) {
        match module {
            ModuleExpr::Name(path) => self.path(path),
            ModuleExpr::Import(import) => self.import(import),
            ModuleExpr::Body(decls, _) => self.braces(decls, true, |this, decl| {
                this.decl(decl, false);
            }),
            ModuleExpr::Apply(function, given, _) => {
                let is_head = !matches!(
                    **function,
                    ModuleExpr::Ascribe(..) | ModuleExpr::Function(..) | ModuleExpr::Body(..)
                );
                self.module_in(function, is_head);
                self.text(" ");
                let is_atom = matches!(
                    **given,
                    ModuleExpr::Name(_) | ModuleExpr::Body(..) | ModuleExpr::Error(_)
                );
                self.module_in(given, is_atom);
            }
            ModuleExpr::Ascribe(module, ty, _) => {
                self.module_in(
                    module,
                    !matches!(**module, ModuleExpr::Function(..) | ModuleExpr::Body(..)),
                );
                self.ascription(Some(ty));
            }
            ModuleExpr::Function(param, result, body, _) => {
                self.text("\\");
                self.module_param(param);
                if let Some(result) = result {
                    self.text(": ");
                    self.closed_type(result);
                }
                self.text(" -> ");
                self.module(body);
            }
            ModuleExpr::Error(_) => self.text("_"),
        }
    }

    fn module_in(&mut self, module: &ModuleExpr, is_plain: bool) {
        if is_plain {
            self.module(module);
        } else {
            self.between("(", module, ")", Self::module);
        }
    }

    pub(super) fn module_type(&mut self, ty: &ModuleType) {
        match ty {
            ModuleType::Name(path) => self.path(path),
            ModuleType::Specs(specs, _) => self.braces(specs, false, Self::spec),
            ModuleType::With(inner, refinement, _) => {
                self.operand_type(inner);
                self.text(" with ");
                self.refinement(refinement);
            }
            ModuleType::Function(name, param, result, _) => {
                match name {
                    Some(name) => {
                        self.text(&format!("({}: ", name.name));
                        self.module_type(param);
                        self.text(")");
                    }
                    None => self.closed_type(param),
                }
                self.text(" -> ");
                self.module_type(result);
            }
            ModuleType::Error(_) => self.text("_"),
        }
    }

    /// A module type before `->` or `with`, or where an `=` may follow.
    fn operand_type(&mut self, ty: &ModuleType) {
        if matches!(ty, ModuleType::Function(..)) {
            self.between("(", ty, ")", Self::module_type);
        } else {
            self.module_type(ty);
        }
    }

    /// A module type before `->`: the type behind a `with` would go on there.
    fn closed_type(&mut self, ty: &ModuleType) {
        if matches!(ty, ModuleType::Function(..) | ModuleType::With(..)) {
            self.between("(", ty, ")", Self::module_type);
        } else {
            self.module_type(ty);
        }
    }

    fn refinement(&mut self, refinement: &Refinement) {
        self.path(&refinement.name);
        self.binders(&refinement.sizes, &refinement.types);
        self.text(" = ");
        self.ty(&refinement.body);
    }

    fn spec(&mut self, spec: &Spec) {
        match spec {
            Spec::Value(def) => {
                self.doc(def.doc.as_deref());
                self.text("val ");
                self.def(def);
            }
            Spec::Type(TypeSpec { lift, name, sizes, types, body, .. }) => {
                debug_assert!(is_word(&name.name), "a type is named by a word");
                self.text(&format!("type{} {}", lift.mark(), name.name));
                self.binders(sizes, types);
                if let Some(body) = body {
                    self.text(" = ");
                    self.ty(body);
                }
            }
            Spec::Module(spec) => {
                self.text(&format!("module {}: ", spec.name.name));
                self.module_type(&spec.ty);
            }
            Spec::Include(include) => {
                self.text("include ");
                self.module_type(&include.ty);
            }
        }
    }

    /// Items between braces, each on lines of its own, with or without an empty line between them.
    fn braces<T>(&mut self, items: &[T], is_wide: bool, print: impl Fn(&mut Self, &T)) {
        self.text("{");
        self.indent += 2;
        for (number, item) in items.iter().enumerate() {
            self.out.push_str(if number > 0 && is_wide { "\n" } else { "" });
            self.line();
            print(self, item);
        }
        self.indent -= 2;
        self.line();
        self.text("}");
    }
}

//! Warnings about correct programs: code that the user probably did not mean.
//!
//! Invariant: a warning is given only if its advice does not change the meaning of the program. A name that begins
//! with `_` is declared as unused, and is never reported.
//!
//! ```text
//! let (far, d) = reduce farther (a, 0) left in far   ⇒   warning[A0701]: `d` is never used
//! ```

mod attributes;
pub mod folds;
pub mod operators;
#[cfg(test)]
mod tests;
mod unused_names;

use indexmap::IndexMap;

use self::unused_names::{Binding, NameScope, ScopeMark};
use arrc_syntax::ast::bound_names;
use arrc_syntax::ast::bound_names::{BinderKind, ScopeVisitor};
use arrc_syntax::ast::{Attr, Decl, Def, File, Ident, ModuleExpr, Pat, QualName};
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// The warnings on a file without errors.
#[must_use]
pub fn lint(file: &File) -> Vec<Diagnostic> {
    let mut linter = Linter {
        defs: IndexMap::new(),
        current: None,
        names: NameScope::default(),
        hidden: Vec::new(),
        warnings: Vec::new(),
    };
    file.decls.iter().for_each(|decl| linter.declare(decl));
    file.decls.iter().for_each(|decl| linter.decl(decl));
    let Linter { hidden, mut warnings, names, .. } = linter;
    let is_used = |(name, _): &&(Ident, Span)| names.is_used_outside(&name.name);
    warnings
        .extend(hidden.iter().filter(is_used).map(|(name, span)| shadowing_warning(name, *span)));
    warnings
}

/// The walk over a file.
struct Linter<'a> {
    /// The definitions of the file.
    defs: IndexMap<Name, &'a Def>,
    /// The place of the name of the definition that is walked.
    current: Option<Span>,
    /// The names in scope.
    names: NameScope,
    /// Names that hide definitions, each with the place of the definition.
    hidden: Vec<(Ident, Span)>,
    /// The warnings.
    warnings: Vec<Diagnostic>,
}

impl<'a> Linter<'a> {
    /// Notes the definitions of the file. A definition in a module has another name, so it is left out.
    fn declare(&mut self, decl: &'a Decl) {
        match decl {
            Decl::Def(def) => {
                self.defs.insert(def.name.name.clone(), def);
            }
            Decl::Local(local) => self.declare(&local.decl),
            Decl::Type(_)
            | Decl::Module(_)
            | Decl::ModuleType(_)
            | Decl::Open(_)
            | Decl::Import(_) => {}
        }
    }

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Def(def) => {
                self.current = Some(def.name.span);
                def.attrs.iter().for_each(|attr| self.check_attribute(attr));
                bound_names::def(self, def);
            }
            Decl::Type(ty) => bound_names::ty(self, &ty.body),
            Decl::Module(module) => self.module(&module.body),
            Decl::Open(open) => self.module(&open.module),
            Decl::Local(local) => self.decl(&local.decl),
            Decl::ModuleType(_) | Decl::Import(_) => {}
        }
    }

    fn module(&mut self, module: &ModuleExpr) {
        match module {
            ModuleExpr::Body(decls, _) => decls.iter().for_each(|decl| self.decl(decl)),
            ModuleExpr::Apply(function, given, _) => {
                self.module(function);
                self.module(given);
            }
            ModuleExpr::Ascribe(module, ..) | ModuleExpr::Function(_, _, module, _) => {
                self.module(module);
            }
            ModuleExpr::Name(_) | ModuleExpr::Import(_) | ModuleExpr::Error(_) => {}
        }
    }

    fn unused(&mut self, ended: &[Binding]) {
        let unused = ended.iter().filter(|binding| !binding.is_used);
        self.warnings.extend(unused.filter_map(unused_warning));
    }
}

impl ScopeVisitor for Linter<'_> {
    type Mark = ScopeMark;

    fn mark(&mut self) -> ScopeMark {
        self.names.mark()
    }

    /// Reports the names of the scope that are never used.
    fn leave(&mut self, mark: ScopeMark) {
        let ended = self.names.leave(mark);
        self.unused(&ended);
    }

    /// A loop may carry a value only for its result. But if the body uses no carried value at all, only the last step
    /// matters.
    fn leave_loop(&mut self, mark: ScopeMark, pat: &Pat) {
        let ended = self.names.leave(mark);
        self.unused(&ended);
        let carried = ended.iter().filter(|binding| binding.kind == BinderKind::Carried);
        let carried: Vec<&Binding> = carried.collect();
        let is_meant = |binding: &&Binding| binding.is_used || binding.name.starts_with('_');
        if !carried.is_empty() && !carried.iter().any(is_meant) {
            self.warnings.push(unused_carried_values(&carried, pat.span));
        }
    }

    /// Notes a name that hides a definition. The warning is given if the definition is used elsewhere. A definition
    /// may bind its own name, as in `def pairs … = let pairs = … in pairs`.
    fn bind(&mut self, name: &Ident, how: BinderKind) {
        if how.is_local()
            && let Some(def) = self.defs.get(&name.name)
            && self.current != Some(def.name.span)
        {
            self.hidden.push((name.clone(), def.name.span));
        }
        self.names.bind(&name.name, name.span, how);
    }

    /// Only the first name of a path is looked up in the scope. The others name members of a module or a record.
    fn path(&mut self, path: &QualName) {
        let head = path.quals.first().unwrap_or(&path.name);
        self.names.use_name(&head.name);
    }

    fn variable(&mut self, name: &Ident) {
        self.names.use_name(&name.name);
    }

    fn attribute(&mut self, attr: &Attr) {
        self.check_attribute(attr);
    }
}

fn unused_warning(binding: &Binding) -> Option<Diagnostic> {
    let Binding { name, span, kind, .. } = binding;
    let is_word = name.starts_with(|c: char| c.is_alphabetic());
    let warning = || {
        Diagnostic::warning(Code::UNUSED_BINDING, *span, format!("`{name}` is never used"))
            .label("bound here")
    };
    match kind {
        _ if name.starts_with('_') => None,
        BinderKind::Parameter => binding.hidden_by.map(|span| hides_parameter(binding, span)),
        BinderKind::Updated | BinderKind::Carried => None,
        BinderKind::Step => Some(unused_step(name, *span)),
        BinderKind::Let if is_word => Some(warning().fix(
            format!("remove it, or write `_{name}` if it is there on purpose"),
            [(*span, format!("_{name}"))],
        )),
        BinderKind::Let => Some(warning().help("remove it")),
        BinderKind::Part => {
            Some(warning().fix("write `_` for a part that is not needed", [(*span, "_")]))
        }
        BinderKind::Pun => Some(warning().fix(
            format!("write `{name} = _` for a field that is not needed"),
            [(*span, format!("{name} = _"))],
        )),
    }
}

fn shadowing_warning(name: &Ident, definition: Span) -> Diagnostic {
    let message = format!("`{}` hides the definition of the same name", name.name);
    Diagnostic::warning(Code::HIDDEN_DEFINITION, name.span, message)
        .label("from here on, the name means this")
        .also(definition, "the definition that is hidden")
        .help("give it another name")
}

/// The warning about a parameter that a `let` hides before it is used.
fn hides_parameter(parameter: &Binding, span: Span) -> Diagnostic {
    let name = &parameter.name;
    let message = format!("`{name}` hides the parameter of the same name, which nothing uses");
    let warning = Diagnostic::warning(Code::HIDDEN_PARAMETER, span, message)
        .label("from here on, the name means this")
        .also(parameter.span, "the parameter that is hidden");
    let other = "if the parameter is needed, give one of the two another name";
    if !name.starts_with(char::is_alphabetic) {
        return warning.help(other);
    }
    let edit = (parameter.span, format!("_{name}"));
    warning.help(other).fix(format!("if it is not needed, write `_{name}` for it"), [edit])
}

/// The warning about a counter or an element that the steps of its loop do not use.
fn unused_step(name: &Name, span: Span) -> Diagnostic {
    let message = format!("the loop variable `{name}` is never used");
    Diagnostic::warning(Code::UNUSED_LOOP_VARIABLE, span, message)
        .label("no step uses it")
        .fix("write `_` if only the number of steps matters", [(span, "_")])
}

/// The warning about a loop whose steps use no result of the steps before.
fn unused_carried_values(carried: &[&Binding], pat: Span) -> Diagnostic {
    let names: Vec<String> = carried.iter().map(|binding| format!("`{}`", binding.name)).collect();
    let names = attributes::enumeration(&names);
    let message = format!("this loop never uses {names}, so that only its last step counts");
    Diagnostic::warning(Code::FORGETFUL_LOOP, pat, message)
        .label("the value of the step before")
        .help("use it in the body, as in `loop sum = 0 for x in xs do sum + x`; what does not depend on the step before is a `map`")
}

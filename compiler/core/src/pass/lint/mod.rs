//! Warnings: what a correct program has that was probably not meant.
//!
//! Invariant: a warning is only given where taking its advice does not change what the program means.
//! Names that begin with `_` say that they are not used, and are never reported.
//!
//! ```text
//! let (far, d) = reduce farther (a, 0) left in far   ⇒   warning[A0701]: `d` is never used
//! ```

mod attributes;
mod names;
#[cfg(test)]
mod tests;
mod walk;

use indexmap::IndexMap;

use self::names::{Binding, Kind, Names};
use crate::diagnostics::{Code, Diagnostic};
use crate::ir::ast::{Decl, Def, File, Ident, ModuleExpr, Pat, PatKind};
use crate::names::Name;
use crate::source::Span;

/// What is suspicious in a file without errors.
#[must_use]
pub fn lint(file: &File) -> Vec<Diagnostic> {
    let mut linter = Linter {
        defs: IndexMap::new(),
        current: None,
        names: Names::default(),
        hidden: Vec::new(),
        warnings: Vec::new(),
    };
    file.decls.iter().for_each(|decl| linter.declare(decl));
    file.decls.iter().for_each(|decl| linter.decl(decl));
    let Linter { hidden, mut warnings, names, .. } = linter;
    let is_used = |(name, _): &&(Ident, Span)| names.is_used_outside(&name.name);
    warnings.extend(hidden.iter().filter(is_used).map(|(name, span)| hides(name, *span)));
    warnings
}

/// The walk over a file.
struct Linter<'a> {
    /// The definitions of the file.
    defs: IndexMap<Name, &'a Def>,
    /// Where the definition is named that is walked.
    current: Option<Span>,
    /// The names that can be seen.
    names: Names,
    /// Names that hide definitions, and these.
    hidden: Vec<(Ident, Span)>,
    /// What was found.
    warnings: Vec<Diagnostic>,
}

impl<'a> Linter<'a> {
    /// Notes the definitions of the file; those in a module have names of their own.
    fn declare(&mut self, decl: &'a Decl) {
        match decl {
            Decl::Def(def) => {
                self.defs.insert(def.name.name.clone(), def);
            }
            Decl::Local(local) => self.declare(&local.decl),
            Decl::Type(_) | Decl::Module(_) | Decl::Open(_) | Decl::Import(_) => {}
        }
    }

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Def(def) => {
                self.current = Some(def.name.span);
                def.attrs.iter().for_each(|attr| self.attribute(attr));
                self.function(def);
            }
            Decl::Type(ty) => self.ty(&ty.body),
            Decl::Module(module) => match &module.body {
                ModuleExpr::Body(decls, _) => decls.iter().for_each(|decl| self.decl(decl)),
                ModuleExpr::Name(_) | ModuleExpr::Import(_) | ModuleExpr::Error(_) => {}
            },
            Decl::Local(local) => self.decl(&local.decl),
            Decl::Open(_) | Decl::Import(_) => {}
        }
    }

    /// The parameters of a function, and its body; its own name is not bound here.
    fn function(&mut self, def: &Def) {
        let mark = self.names.mark();
        for size in &def.sizes {
            self.names.bind(&size.name, size.span, Kind::Parameter);
        }
        for param in &def.params {
            self.pattern(param, Kind::Parameter);
        }
        if let Some(result) = &def.result {
            self.ty(result);
        }
        if let Some(body) = &def.body {
            self.expr(body);
        }
        self.leave(mark);
    }

    /// Binds the names of a pattern.
    fn pattern(&mut self, pat: &Pat, kind: Kind) {
        match &pat.kind {
            PatKind::Wild | PatKind::Literal(..) | PatKind::Error => {}
            PatKind::Name(name) => self.bind(name, kind),
            PatKind::Tuple(pats) | PatKind::Constructor(_, pats) => {
                pats.iter().for_each(|pat| self.pattern(pat, kind.in_pattern()))
            }
            PatKind::Record(fields) => {
                for (field, pat) in fields {
                    let is_pun = binds_at(pat, field.span);
                    self.pattern(pat, if is_pun { Kind::Pun } else { kind.in_pattern() });
                }
            }
            PatKind::Sized(sizes, pat) => {
                sizes.iter().for_each(|size| self.bind(size, Kind::Parameter));
                self.pattern(pat, kind);
            }
            PatKind::Typed(pat, ty) => {
                self.ty(ty);
                self.pattern(pat, kind);
            }
        }
    }

    /// Binds a name. One that hides a definition may surprise, if the definition is used elsewhere, and
    /// unless it is what the definition gives: `def pairs … = let pairs = … in pairs`.
    fn bind(&mut self, name: &Ident, kind: Kind) {
        let is_declared =
            matches!(kind, Kind::Parameter | Kind::Updated | Kind::Carried | Kind::Step);
        if !is_declared
            && let Some(def) = self.defs.get(&name.name)
            && self.current != Some(def.name.span)
        {
            self.hidden.push((name.clone(), def.name.span));
        }
        self.names.bind(&name.name, name.span, kind);
    }

    /// Ends a scope: what was bound in it and not used is reported.
    fn leave(&mut self, mark: names::Mark) {
        let ended = self.names.leave(mark);
        self.unused(&ended);
    }

    /// Ends the scope of a loop that carries what the pattern at `pat` binds. A part of it may be there for the
    /// result alone, but if the body uses none of it, only the last step counts.
    fn leave_loop(&mut self, mark: names::Mark, pat: Span) {
        let ended = self.names.leave(mark);
        self.unused(&ended);
        let carried = ended.iter().filter(|binding| binding.kind == Kind::Carried);
        let carried: Vec<&Binding> = carried.collect();
        let is_meant = |binding: &&Binding| binding.is_used || binding.name.starts_with('_');
        if !carried.is_empty() && !carried.iter().any(is_meant) {
            self.warnings.push(forgetful(&carried, pat));
        }
    }

    fn unused(&mut self, ended: &[Binding]) {
        let unused = ended.iter().filter(|binding| !binding.is_used);
        self.warnings.extend(unused.filter_map(unused_warning));
    }
}

/// Whether a pattern is the name that stands at this place: `{x}` binds the field `x` to its name.
fn binds_at(pat: &Pat, span: Span) -> bool {
    match &pat.kind {
        PatKind::Name(name) => name.span == span,
        PatKind::Typed(pat, _) | PatKind::Sized(_, pat) => binds_at(pat, span),
        PatKind::Wild
        | PatKind::Tuple(_)
        | PatKind::Record(_)
        | PatKind::Constructor(..)
        | PatKind::Literal(..)
        | PatKind::Error => false,
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
        Kind::Parameter => binding.hidden_by.map(|span| hides_parameter(binding, span)),
        Kind::Updated | Kind::Carried => None,
        Kind::Step => Some(unused_step(name, *span)),
        Kind::Let if is_word => Some(warning().fix(
            format!("remove it, or write `_{name}` if it is there on purpose"),
            [(*span, format!("_{name}"))],
        )),
        Kind::Let => Some(warning().help("remove it")),
        Kind::Part => {
            Some(warning().fix("write `_` for a part that is not needed", [(*span, "_")]))
        }
        Kind::Pun => Some(warning().fix(
            format!("write `{name} = _` for a field that is not needed"),
            [(*span, format!("{name} = _"))],
        )),
    }
}

fn hides(name: &Ident, definition: Span) -> Diagnostic {
    let message = format!("`{}` hides the definition of the same name", name.name);
    Diagnostic::warning(Code::HIDDEN_DEFINITION, name.span, message)
        .label("from here on, the name means this")
        .also(definition, "the definition that is hidden")
        .help("give it another name")
}

/// A parameter that a `let` hides, and that nothing uses.
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

/// A counter, or an element, that the steps of its loop do not use.
fn unused_step(name: &Name, span: Span) -> Diagnostic {
    let message = format!("the loop variable `{name}` is never used");
    Diagnostic::warning(Code::UNUSED_LOOP_VARIABLE, span, message)
        .label("no step uses it")
        .fix("write `_` if only the number of steps matters", [(span, "_")])
}

/// A loop whose steps use nothing of what the steps before gave.
fn forgetful(carried: &[&Binding], pat: Span) -> Diagnostic {
    let names: Vec<String> = carried.iter().map(|binding| format!("`{}`", binding.name)).collect();
    let names = attributes::joined(&names);
    let message = format!("this loop never uses {names}, so that only its last step counts");
    Diagnostic::warning(Code::FORGETFUL_LOOP, pat, message)
        .label("the value of the step before")
        .help("use it in the body, as in `loop sum = 0 for x in xs do sum + x`; what does not depend on the step before is a `map`")
}

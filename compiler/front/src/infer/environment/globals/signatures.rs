//! Modules with types: what a module type asks for, taken from a module.
//!
//! Invariant: a module with a type is a list that has just the items of the type. Each of its values is a definition
//! whose type is written in the module type, and names what gives it. A type that only the module knows is a declared
//! type without a body, so that nothing else equals it.
//!
//! ```text
//! module m : {type t val f: t -> i64} = {type t = f64 def f = i64.f64 def g = 1}
//! ⇒ list m: t = hidden (f64), f: t -> i64 = (f)
//! ```

use super::super::super::error::{MissingItem, ModuleError};
use super::functors::{DefOrigin, Functor};
use super::{DeclList, DeclPlace, GlobalMeaning, Globals, Module, TypeDecl, TypeMeaning};
use crate::places::Meaning;
use arrc_syntax::ast;
use arrc_syntax::ast::{Lift, ModuleType, Refinement, Spec, TypeSpec};
use arrc_syntax::diagnostics::nearest;
use arrc_syntax::ids::{AscriptionId, FunctorId, TypeId};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// A place where a module gets a type.
#[derive(Clone, Debug)]
pub(crate) struct Ascription {
    /// The name of the module.
    pub(crate) module: Name,
    /// Where the module stands.
    pub(crate) span: Span,
}

/// A value that a module type asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpecValue {
    /// What gives it; none if only its type is known.
    pub(crate) given: Option<GlobalMeaning>,
    /// Where the module gets its type.
    pub(crate) ascription: AscriptionId,
}

/// A type that a module hides.
#[derive(Clone, Debug)]
pub(crate) struct HiddenType {
    /// Its name, with that of the module.
    pub(crate) name: Name,
    /// What its values may be made of.
    pub(crate) lift: Lift,
    /// What it stands for; none if nothing of it is known.
    pub(crate) given: Option<TypeMeaning>,
    /// Where the module gets its type.
    pub(crate) ascription: AscriptionId,
}

/// A type of a module, and a type that a module type has in its place.
#[derive(Clone, Debug)]
pub(crate) struct TypeCheck {
    /// The type that the module type says.
    pub(crate) declared: TypeId,
    /// The type of the module.
    pub(crate) given: TypeMeaning,
    /// Where the module gets its type.
    pub(crate) ascription: AscriptionId,
}

/// A type that `with` fixes, and the place whose names it sees. The first names of its path may be those of modules
/// around.
#[derive(Clone, Copy)]
struct Fixed<'a> {
    refinement: &'a Refinement,
    /// How many names of its path lead here.
    depth: usize,
    place: DeclPlace,
}

impl Fixed<'_> {
    /// The path from here.
    fn path(&self) -> Vec<&Name> {
        let name = &self.refinement.name;
        let path = name.quals.iter().chain([&name.name]).map(|part| &part.name);
        path.skip(self.depth).collect()
    }
}

/// What a module with a type is made of.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    /// The module, if it is known.
    given: Option<Module>,
    /// Whether types that the module type does not say are hidden.
    hides: bool,
    /// The name of the module.
    name: Name,
    /// Where it stands.
    span: Span,
}

impl Goal {
    pub(super) fn new(given: Option<Module>, hides: bool, name: Name, span: Span) -> Self {
        Self { given, hides, name, span }
    }

    /// A module in it.
    fn inner(&self, given: Option<Module>, name: &Name) -> Self {
        let name = Name::from(format!("{}.{name}", self.name));
        Self { given, name, ..self.clone() }
    }
}

/// A walk over a module type.
struct View<'a> {
    ascription: AscriptionId,
    /// The items that the module does not have.
    missing: Vec<MissingItem>,
    program: &'a ast::Program,
}

impl<'a> Globals<'a> {
    /// Ascribes a module type to a module: the result exports the items of the type, and hides all others.
    pub(super) fn ascribed(
        &mut self,
        module: Module,
        ty: &'a ModuleType,
        (name, span): (&Name, Span),
        place: DeclPlace,
        program: &'a ast::Program,
    ) -> Module {
        if module == Module::Wrong {
            return module;
        }
        let goal = Goal::new(Some(module), true, name.clone(), span);
        match self.viewed(ty, goal, place, program) {
            // The type is wrong, which is reported. The module itself is known.
            Module::Wrong => module,
            viewed @ (Module::List(_) | Module::Scalar(_) | Module::Functor(_)) => viewed,
        }
    }

    /// A module with a type.
    pub(super) fn viewed(
        &mut self,
        ty: &'a ModuleType,
        goal: Goal,
        place: DeclPlace,
        program: &'a ast::Program,
    ) -> Module {
        let (module, span) = (goal.name.clone(), goal.span);
        let ascription = self.ascriptions.push(Ascription { module: module.clone(), span });
        let mut view = View { ascription, missing: Vec::new(), program };
        let viewed = self.view(ty, &goal, &[], place, &mut view);
        if !view.missing.is_empty() {
            let missing = view.missing;
            self.reports.push(ModuleError::Missing { module, span, missing });
        }
        viewed
    }

    /// Reads a module type by itself, so that its mistakes are reported.
    pub(super) fn check_signature(
        &mut self,
        def: &'a ast::ModuleTypeDef,
        place: DeclPlace,
        program: &'a ast::Program,
    ) {
        if self.origin == DefOrigin::Applied || self.lists[place.list].around.is_none() {
            return;
        }
        let around = std::mem::replace(&mut self.origin, DefOrigin::Checked);
        let goal = Goal::new(None, false, def.name.name.clone(), def.name.span);
        self.viewed(&def.body, goal, place, program);
        self.origin = around;
    }

    fn view(
        &mut self,
        ty: &'a ModuleType,
        goal: &Goal,
        fixed: &[Fixed<'a>],
        place: DeclPlace,
        view: &mut View<'a>,
    ) -> Module {
        match ty {
            ModuleType::Name(path) => {
                let names = path.quals.iter().chain([&path.name]).map(|part| part.name.clone());
                let names: Vec<Name> = names.collect();
                match self.signature(place, &names) {
                    Some(signature) => {
                        let declared = self.signature_names.get(&signature).copied();
                        let declared = declared.map(Meaning::Declared);
                        self.uses.extend(declared.map(|of| (path.name.span, of)));
                        let (ty, place) = self.signatures[signature];
                        self.view(ty, goal, fixed, place, view)
                    }
                    None => {
                        let near = nearest(&path.name.name, &self.signature_names(place));
                        let names: Vec<&str> = names.iter().map(Name::as_str).collect();
                        let (name, span) = (names.join(".").into(), path.span());
                        self.reports.push(ModuleError::UnknownType { name, span, near });
                        Module::Wrong
                    }
                }
            }
            ModuleType::With(inner, refinement, _) => {
                let own = Fixed { refinement, depth: 0, place };
                let viewed = self.view(inner, goal, &[&[own], fixed].concat(), place, view);
                if viewed != Module::Wrong && !self.used_refinements.contains(&refinement.span) {
                    let (name, span) = (refinement.name.name.name.clone(), refinement.name.span());
                    self.used_refinements.push(refinement.span);
                    let ty = inner.span();
                    self.reports.push(ModuleError::Refinement { name, span, ty });
                }
                viewed
            }
            ModuleType::Specs(specs, _) => {
                if let Some(module) = goal.given
                    && self.complete(module, goal.span) == Module::Wrong
                {
                    return Module::Wrong;
                }
                self.specs(specs, goal, fixed, place, view)
            }
            ModuleType::Function(param, takes, gives, span) => {
                let given = match goal.given {
                    None => None,
                    Some(Module::Functor(functor)) => Some(functor),
                    Some(Module::Wrong) => return Module::Wrong,
                    Some(Module::List(_) | Module::Scalar(_)) => {
                        let (span, given) = (goal.span, *span);
                        self.reports.push(ModuleError::NoParameter { span, given });
                        return Module::Wrong;
                    }
                };
                let param = param.as_ref();
                let typed = Functor::Typed { given, param, takes, gives, place };
                let functor = self.functors.push(typed);
                if given.is_some() {
                    self.check_applied(functor, goal, view.program);
                }
                Module::Functor(functor)
            }
            ModuleType::Error(_) => Module::Wrong,
        }
    }

    /// Checks that a parametric module gives what its type says, for every module that the type allows.
    fn check_applied(&mut self, functor: FunctorId, goal: &Goal, program: &'a ast::Program) {
        let around = std::mem::replace(&mut self.origin, DefOrigin::Checked);
        self.apply(functor, None, (&goal.name, goal.span), program);
        self.origin = around;
    }

    fn specs(
        &mut self,
        specs: &'a [Spec],
        goal: &Goal,
        fixed: &[Fixed<'a>],
        around: DeclPlace,
        view: &mut View<'a>,
    ) -> Module {
        let list = self.lists.push(DeclList { around: Some(around), ..DeclList::default() });
        for (at, spec) in specs.iter().enumerate() {
            let place = DeclPlace { list, at };
            match spec {
                Spec::Value(def) => self.value(def, goal, place, view),
                Spec::Type(spec) => self.type_spec(spec, goal, fixed, place, view),
                Spec::Module(spec) => {
                    let name = &spec.name;
                    let inner = |one: &Fixed<'a>| {
                        let path = one.path();
                        let leads = path.len() > 1 && *path[0] == name.name;
                        leads.then_some(Fixed { depth: one.depth + 1, ..*one })
                    };
                    let fixed: Vec<Fixed<'a>> = fixed.iter().filter_map(inner).collect();
                    let given = self.given_module(goal, name, view);
                    let module = match given {
                        Some(Module::Wrong) => Module::Wrong,
                        given => {
                            let goal = goal.inner(given, &name.name);
                            self.view(&spec.ty, &goal, &fixed, place, view)
                        }
                    };
                    self.bind(place, name, GlobalMeaning::Module(module), false);
                }
                Spec::Include(include) => {
                    let module = self.view(&include.ty, goal, fixed, place, view);
                    let module = self.complete(module, include.ty.span());
                    self.open(module, place, false, false);
                }
            }
        }
        Module::List(list)
    }

    /// The module in a module, if the outer one is known. One that is not there is reported, and wrong.
    fn given_module(&self, goal: &Goal, name: &ast::Ident, view: &mut View<'a>) -> Option<Module> {
        let outer = goal.given?;
        match self.exported_by(outer, &name.name) {
            Some(GlobalMeaning::Module(module)) => Some(module),
            Some(GlobalMeaning::Def(_) | GlobalMeaning::Member(..)) | None => {
                view.missing.push(MissingItem::new("module", name, self.is_seen(name.span)));
                Some(Module::Wrong)
            }
        }
    }

    /// Whether the user sees the text at a place: it is not in the prelude.
    fn is_seen(&self, span: Span) -> bool {
        self.files.first().is_none_or(|(prelude, _)| *prelude != span.file)
    }

    fn value(&mut self, def: &'a ast::Def, goal: &Goal, place: DeclPlace, view: &mut View<'a>) {
        let id = self.add_def(def, place);
        let found = goal.given.and_then(|module| self.exported_by(module, &def.name.name));
        let given = found.filter(|found| !matches!(found, GlobalMeaning::Module(_)));
        if given.is_none() && goal.given.is_some_and(|module| module != Module::Wrong) {
            view.missing.push(MissingItem::new("value", &def.name, self.is_seen(def.span)));
        }
        self.values.insert(id, SpecValue { given, ascription: view.ascription });
        self.bind(place, &def.name, GlobalMeaning::Def(id), false);
    }

    fn type_spec(
        &mut self,
        spec: &'a TypeSpec,
        goal: &Goal,
        fixed: &[Fixed<'a>],
        place: DeclPlace,
        view: &mut View<'a>,
    ) {
        let TypeSpec { lift, name, sizes, types, body, span } = spec;
        let given = goal.given.and_then(|module| self.exported_type(module, &name.name));
        if given.is_none() && goal.given.is_some_and(|module| module != Module::Wrong) {
            view.missing.push(MissingItem::new("type", name, self.is_seen(*span)));
        }
        let fixes = |one: &&Fixed<'a>| *one.path() == [&name.name];
        let fixed = if body.is_none() { fixed.iter().find(fixes) } else { None };
        let decl = match (body, fixed) {
            (None, Some(Fixed { refinement, place, .. })) => {
                self.used_refinements.push(refinement.span);
                let Refinement { name: path, sizes, types, body, span } = *refinement;
                let (name, body) = (&path.name, Some(body));
                TypeDecl { name, sizes, types, body, place: *place, span: *span }
            }
            (None, None) if given.is_some() && !goal.hides => {
                let meaning = given.expect("it was just tested");
                return self.bind_type(place, name, meaning, false);
            }
            (body, _) => {
                let body = body.as_ref();
                TypeDecl { name, sizes, types, body, place, span: *span }
            }
        };
        let declared = self.types.push(decl);
        self.bind_type(place, name, TypeMeaning::Declared(declared), false);
        let ascription = view.ascription;
        if decl.body.is_none() {
            let name = Name::from(format!("{}.{}", goal.name, name.name));
            self.hidden.insert(declared, HiddenType { name, lift: *lift, given, ascription });
        }
        self.type_checks.extend(given.map(|given| TypeCheck { declared, given, ascription }));
    }
}

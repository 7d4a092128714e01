//! Module expressions, and parametric modules.
//!
//! Invariant: a parametric module is a closure: its text, and the scope of its declaration. The text is checked once, with
//! an opaque module of the parameter's type as its argument. Each application reads the text again, with its own argument.
//!
//! ```text
//! module f (P: {type t}) = {type u = (P.t, P.t)}   module m = f i64
//! ⇒ lists: root: f, m ◁ P: (i64) ◁ m: u = (P.t, P.t)
//! ```

use super::super::super::error::ModuleError;
use super::signatures::Goal;
use super::{DeclList, DeclPlace, GlobalMeaning, Globals, Module, NameError, last_export};
use arrc_syntax::ast;
use arrc_syntax::ast::ModuleExpr;
use arrc_syntax::diagnostics::nearest;
use arrc_syntax::ids::FunctorId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// Why a definition is there.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum DefOrigin {
    /// It is a part of the program.
    #[default]
    Program,
    /// It is a part of a parametric module, and is only checked.
    Checked,
    /// It is a part of an application, and its text was checked before.
    Applied,
}

/// A parametric module.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Functor<'a> {
    /// Its text.
    Written {
        /// Its parameters, at least one.
        params: &'a [ast::ModuleParam],
        /// The type of its result.
        result: Option<&'a ast::ModuleType>,
        /// Its result.
        body: &'a ModuleExpr,
        /// The place whose names the text sees.
        place: DeclPlace,
    },
    /// One with a type.
    Typed {
        /// The module that it stands for, if it is known.
        given: Option<FunctorId>,
        /// The name of the parameter.
        param: Option<&'a ast::Ident>,
        /// The type of the parameter.
        takes: &'a ast::ModuleType,
        /// The type of the result.
        gives: &'a ast::ModuleType,
        /// The place whose names the types see.
        place: DeclPlace,
    },
}

impl<'a> Globals<'a> {
    /// The module that a declaration names.
    pub(super) fn module_def(
        &mut self,
        def: &'a ast::ModuleDef,
        place: DeclPlace,
        program: &'a ast::Program,
    ) -> Module {
        let ast::ModuleDef { params, ascription, body, name, .. } = def;
        self.parametric(params, (ascription.as_ref(), body), &name.name, place, program)
    }

    /// A module with these parameters. If there are none, it is the result.
    fn parametric(
        &mut self,
        params: &'a [ast::ModuleParam],
        (result, body): (Option<&'a ast::ModuleType>, &'a ModuleExpr),
        name: &Name,
        place: DeclPlace,
        program: &'a ast::Program,
    ) -> Module {
        if params.is_empty() {
            let module = self.module(body, name, place, program);
            return match result {
                Some(ty) => self.ascribed(module, ty, (name, body.span()), place, program),
                None => module,
            };
        }
        let functor = self.functors.push(Functor::Written { params, result, body, place });
        // The text of a functor in an application was checked with the text around it.
        if self.origin != DefOrigin::Applied {
            let around = std::mem::replace(&mut self.origin, DefOrigin::Checked);
            self.apply(functor, None, (name, body.span()), program);
            self.origin = around;
        }
        Module::Functor(functor)
    }

    /// The module that an expression means. Types that it hides are shown with `name` before them.
    pub(super) fn module(
        &mut self,
        module: &'a ModuleExpr,
        name: &Name,
        place: DeclPlace,
        program: &'a ast::Program,
    ) -> Module {
        match module {
            ModuleExpr::Name(path) => self.module_path(path, place),
            ModuleExpr::Import(import) => self.imported(import, program),
            ModuleExpr::Body(decls, _) => Module::List(self.list(decls, Some(place), program)),
            ModuleExpr::Apply(function, given, span) => {
                let functor = self.module(function, name, place, program);
                let argument = self.module(given, name, place, program);
                match (functor, argument) {
                    (Module::Wrong, _) | (_, Module::Wrong) => Module::Wrong,
                    (Module::Functor(functor), _) => {
                        let is_new = self.origin == DefOrigin::Program;
                        let around = self.origin;
                        self.origin = if is_new { DefOrigin::Applied } else { around };
                        let argument = Some((argument, given.span()));
                        let module = self.apply(functor, argument, (name, *span), program);
                        self.origin = around;
                        module
                    }
                    (Module::List(_) | Module::Scalar(_), _) => {
                        let (span, given) = (function.span(), given.span());
                        self.reports.push(ModuleError::NoParameter { span, given });
                        Module::Wrong
                    }
                }
            }
            ModuleExpr::Ascribe(module, ty, _) => {
                let inner = self.module(module, name, place, program);
                self.ascribed(inner, ty, (name, module.span()), place, program)
            }
            ModuleExpr::Function(param, result, body, _) => {
                let params = std::slice::from_ref(&**param);
                self.parametric(params, (result.as_deref(), body), name, place, program)
            }
            ModuleExpr::Error(_) => Module::Wrong,
        }
    }

    /// The module, if it is not parametric. Otherwise reports that it lacks an argument.
    pub(super) fn complete(&mut self, module: Module, span: Span) -> Module {
        if let Module::Functor(functor) = module {
            let param = self.param_of(functor);
            self.reports.push(ModuleError::NoArgument { span, param });
            return Module::Wrong;
        }
        module
    }

    /// Where the parameter of a parametric module stands.
    pub(crate) fn param_of(&self, functor: FunctorId) -> Span {
        match self.functors[functor] {
            Functor::Written { params, .. } => params[0].span,
            Functor::Typed { takes, .. } => takes.span(),
        }
    }

    /// Applies a parametric module to an argument, which stands at a place. Without an argument, the parameter is an opaque
    /// module of its type.
    pub(super) fn apply(
        &mut self,
        functor: FunctorId,
        given: Option<(Module, Span)>,
        (name, span): (&Name, Span),
        program: &'a ast::Program,
    ) -> Module {
        if self.applied.contains(&functor) {
            self.reports.push(ModuleError::AppliesItself { span });
            return Module::Wrong;
        }
        self.applied.push(functor);
        let module = self.applied_to(functor, given, (name, span), program);
        self.applied.pop();
        module
    }

    fn applied_to(
        &mut self,
        functor: FunctorId,
        given: Option<(Module, Span)>,
        (name, span): (&Name, Span),
        program: &'a ast::Program,
    ) -> Module {
        match self.functors[functor] {
            Functor::Written { params, result, body, place } => {
                let param = &params[0];
                let inside = self.with_param(Some(&param.name), (&param.ty, given), place, program);
                let Some((inside, _)) = inside else { return Module::Wrong };
                self.parametric(&params[1..], (result, body), name, inside, program)
            }
            Functor::Typed { given: inner, param, takes, gives, place } => {
                let inside = self.with_param(param, (takes, given), place, program);
                let Some((inside, argument)) = inside else { return Module::Wrong };
                let result = match inner {
                    Some(inner) => {
                        let at = given.map_or(takes.span(), |(_, at)| at);
                        let argument = Some((argument, at));
                        Some(self.apply(inner, argument, (name, span), program))
                    }
                    None => None,
                };
                let goal = Goal::new(result, result.is_some(), name.clone(), span);
                self.viewed(gives, goal, inside, program)
            }
        }
    }

    /// A place inside of a parametric module, where its parameter is a module.
    fn with_param(
        &mut self,
        param: Option<&ast::Ident>,
        (ty, given): (&'a ast::ModuleType, Option<(Module, Span)>),
        place: DeclPlace,
        program: &'a ast::Program,
    ) -> Option<(DeclPlace, Module)> {
        let name = param.map_or_else(|| Name::from("_"), |param| param.name.clone());
        let at = given.map_or(ty.span(), |(_, at)| at);
        let goal = Goal::new(given.map(|(module, _)| module), false, name, at);
        let module = self.viewed(ty, goal, place, program);
        let list = self.lists.push(DeclList { around: Some(place), ..DeclList::default() });
        let inside = DeclPlace { list, at: 0 };
        if let Some(param) = param {
            self.bind(inside, param, GlobalMeaning::Module(module), true);
        }
        (module != Module::Wrong).then_some((inside, module))
    }

    /// The module that has this path before `place`.
    pub(super) fn module_path(&mut self, path: &ast::QualName, place: DeclPlace) -> Module {
        let names: Vec<&ast::Ident> = path.quals.iter().chain([&path.name]).collect();
        let mut module = match self.term(place, &names[0].name) {
            Some(GlobalMeaning::Module(module)) => module,
            Some(GlobalMeaning::Def(def)) => {
                let declared = self.defs[def].name.span;
                return self.no_module(names[0], None, Some(declared), Vec::new());
            }
            Some(GlobalMeaning::Member(..)) | None => match Scalar::from_name(&names[0].name) {
                Some(scalar) => Module::Scalar(scalar),
                None => {
                    let near = nearest(&names[0].name, &self.module_names(place));
                    return self.no_module(names[0], None, None, near);
                }
            },
        };
        self.note_module(names[0].span, module);
        for (at, name) in names.iter().enumerate().skip(1) {
            let Module::List(list) = module else {
                return self.complete(module, names[0].span.to(names[at - 1].span));
            };
            let entries = self.lists[list].terms.get(&name.name);
            module = match entries.and_then(|entries| last_export(entries)) {
                Some(GlobalMeaning::Module(module)) => module,
                Some(GlobalMeaning::Def(_) | GlobalMeaning::Member(..)) | None => {
                    let near = nearest(&name.name, &self.exports(list));
                    return self.no_module(name, Some(path), None, near);
                }
            };
            self.note_module(name.span, module);
        }
        module
    }

    fn no_module(
        &mut self,
        name: &ast::Ident,
        of: Option<&ast::QualName>,
        declared: Option<Span>,
        near: Vec<Name>,
    ) -> Module {
        let of = of.map(|path| path.quals[0].name.clone());
        let (name, span) = (name.name.clone(), name.span);
        self.reports.push(NameError::UnknownModule { name, span, of, declared, near });
        Module::Wrong
    }
}

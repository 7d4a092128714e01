//! Modules with types: values that a module gives for those of its type, and the types that it hides.
//!
//! Invariant: a hidden type equals only itself. What it stands for is put in its place where the module gets its type,
//! so that the module is compared with the type, and in the finished program. There, a value of a module with a type
//! is the value that gives it: the module costs nothing.
//!
//! ```text
//! module m : {type t val f: t -> i64} = {type t = f64 def f = i64.f64}
//! m.f : m.t -> i64   ⇒   in the program, i64.f64 : f64 -> i64
//! ```

use super::Checker;
use super::annotation::{AnonymousSizes, Template};
use super::decl::{DefInterface, Signature};
use super::environment::globals::{
    DefOrigin, GlobalMeaning, HiddenType, SpecValue, TypeCheck, TypeDecl, TypeMeaning,
};
use super::error::{DifferentItem, ModuleError, TypeProblem};
use super::report::ReportMark;
use super::typed::{Expr, ExprKind};
use crate::core::{Hidden, Size, SizeOrigin, Type};
use arrc_syntax::ast;
use arrc_syntax::ast::Lift;
use arrc_syntax::ids::{AscriptionId, DefId, SizeVar, TypeId};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

impl<'a> Checker<'a> {
    /// A value that a module type asks for: what gives it must have its type.
    pub(super) fn spec_value(&mut self, id: DefId, signature: Signature) {
        let def = self.names.def(id);
        let told = self.reports.mark();
        self.know(id, &signature);
        let Some(SpecValue { given, ascription }) = self.names.globals.values.get(&id).copied()
        else {
            panic!("a module type asks for `{}`", def.name.name);
        };
        let Some(known) = self.names.interface(id).cloned() else { return };
        let Some(given) = given else {
            let constant = self.written_size(id);
            return self.names.know(id, Some(DefInterface { constant, ..(*known).clone() }));
        };
        let expected = self.revealed(&known.scheme.ty, Some(ascription));
        let found = self.given_value(given, def.name.span);
        let found_ty = found.ty.clone();
        self.u.at = def.name.span;
        let declared = match given {
            GlobalMeaning::Def(def) => Some(self.names.def(def).name.span),
            GlobalMeaning::Member(..) | GlobalMeaning::Module(_) => None,
        };
        let place = declared.unwrap_or(self.names.globals.ascriptions[ascription].span);
        // Each application of a parametric module compares the same texts.
        if self.u.unify(&expected, &found_ty).is_err()
            && self.reports.is_clean_since(told)
            && self.different.insert((def.name.span, place))
        {
            let item = self.different_item(ascription, &def.name, declared);
            let found = self.given_type(given, def.name.span);
            let mut shown = self.shown();
            let (expected, found) = (shown.ty(&expected), shown.ty(&found));
            self.report(ModuleError::ValueType { item, expected, found });
        }
        self.close();
        let interface = match given {
            GlobalMeaning::Def(given) => self.names.interface(given).cloned(),
            GlobalMeaning::Member(..) | GlobalMeaning::Module(_) => None,
        };
        let constant = if let ExprKind::Const(_) = &found.kind {
            self.size_of(&found)
        } else {
            interface.as_ref().and_then(|known| known.constant.clone())
        };
        let intrinsic = interface.and_then(|known| known.intrinsic);
        let DefInterface { scheme, params, wanted, late, .. } = (*known).clone();
        let known = DefInterface { scheme, params, wanted, constant, intrinsic, late };
        self.names.know(id, Some(known));
    }

    /// The type of what gives a value, as it was declared.
    fn given_type(&mut self, given: GlobalMeaning, span: Span) -> Type {
        match given {
            GlobalMeaning::Def(def) => self
                .names
                .interface(def)
                .map_or_else(|| self.u.error_type(), |known| known.scheme.ty.clone()),
            GlobalMeaning::Member(..) | GlobalMeaning::Module(_) => {
                self.given_value(given, span).ty
            }
        }
    }

    /// The type of a value that a module type asks for: a `[]` of a parameter is a size parameter, and a `[]` of the
    /// result is a `?[k]`.
    pub(super) fn spec_type(
        &mut self,
        def: &ast::Def,
        ty: &ast::Type,
        holes: &mut AnonymousSizes,
    ) -> Type {
        let ast::TypeKind::Fun(param, from, to) = &ty.kind else {
            return self.result(def, ty, true);
        };
        self.function_type_of_parts(param.as_ref(), from, holes, |checker, holes, _| {
            checker.spec_type(def, to, holes)
        })
    }

    /// What gives a value of a module with a type.
    fn given_value(&mut self, given: GlobalMeaning, span: Span) -> Expr {
        match given {
            GlobalMeaning::Def(def) => self.global(def, span),
            GlobalMeaning::Member(scalar, member) => self.member(scalar, member, span),
            GlobalMeaning::Module(_) => self.wrong(span),
        }
    }

    /// The use of a value of a module with a type, whose type is `ty` here.
    pub(super) fn through_type(&mut self, def: DefId, ty: &Type, span: Span) -> Option<Expr> {
        let SpecValue { given, ascription } = self.names.globals.values.get(&def).copied()?;
        let found = self.given_value(given?, span);
        let expected = self.revealed(ty, Some(ascription));
        let found_ty = found.ty.clone();
        // Where they do not fit, that was reported where the module got its type.
        let _ = self.u.unify(&expected, &found_ty);
        Some(Expr { ty: ty.clone(), ..found })
    }

    /// The type with what hidden types stand for: those that are hidden at this place, or all.
    pub(super) fn revealed(&self, ty: &Type, at: Option<AscriptionId>) -> Type {
        if self.names.globals.hidden.is_empty() {
            return ty.clone();
        }
        self.reveal(&self.u.resolve(ty), at)
    }

    fn reveal(&self, ty: &Type, at: Option<AscriptionId>) -> Type {
        let go = |ty: &Type| self.reveal(ty, at);
        match ty {
            Type::Scalar(_) | Type::Var(_) => ty.clone(),
            Type::Tuple(items) => Type::Tuple(items.iter().map(go).collect()),
            Type::Record(fields) => {
                Type::Record(fields.iter().map(|(name, ty)| (name.clone(), go(ty))).collect())
            }
            Type::Sum(constructors) => {
                let all = |(name, types): (&Name, &Vec<Type>)| {
                    (name.clone(), types.iter().map(go).collect())
                };
                Type::Sum(constructors.iter().map(all).collect())
            }
            Type::Array(size, element) => Type::Array(size.clone(), Box::new(go(element))),
            Type::Fun(param, from, to) => Type::Fun(*param, Box::new(go(from)), Box::new(go(to))),
            Type::Exists(sizes, body) => Type::Exists(sizes.clone(), Box::new(go(body))),
            Type::Hidden(hidden) => {
                let hidden = hidden.map(Size::clone, go);
                let known = self.names.globals.hidden.get(&hidden.id);
                let known = known.filter(|known| at.is_none_or(|at| known.ascription == at));
                match known.and_then(|known| self.behind(&hidden, known)) {
                    Some(ty) => go(&ty),
                    None => Type::Hidden(Box::new(hidden)),
                }
            }
        }
    }

    /// What a hidden type stands for.
    fn behind(&self, hidden: &Hidden, known: &HiddenType) -> Option<Type> {
        let id = match known.given? {
            TypeMeaning::Scalar(scalar) => return Some(Type::Scalar(scalar)),
            TypeMeaning::Declared(id) => id,
        };
        let template = self.names.abbreviations[id].known()?;
        let types: Vec<_> =
            template.types.iter().copied().zip(hidden.types.iter().cloned()).collect();
        let sizes: Vec<_> = template.all_sizes().zip(hidden.sizes.iter().cloned()).collect();
        Some(self.u.substitute(&template.body, &types, &sizes))
    }

    /// The meaning of a type that a module hides. It has the parameters that are written, and a size for each size
    /// that values of the type have of their own.
    pub(super) fn hidden_template(&mut self, id: TypeId, def: &TypeDecl<'a>) -> Option<Template> {
        let HiddenType { name, lift, given, .. } = self.names.globals.hidden.get(&id)?.clone();
        let (sizes, types) = self.declare_params(def.sizes, def.types);
        let (mut holes, mut own) = (Vec::new(), Vec::new());
        let copy = |checker: &mut Self, size: Option<SizeVar>| {
            let info = size.map(|size| checker.u.sizes[size].info.clone());
            let (name, origin) = match info {
                Some(info) => (info.name, info.origin),
                None => ("k".into(), SizeOrigin::Exists { maker: def.name.name.clone() }),
            };
            checker.u.rigid_size(name, origin, def.name.span)
        };
        match given {
            Some(TypeMeaning::Declared(given)) => {
                let template = self.template(given, def.name.span)?;
                holes.extend(template.holes.iter().map(|&size| copy(self, Some(size))));
                own.extend(template.own.iter().map(|&size| copy(self, Some(size))));
            }
            None if lift != Lift::Data => own.push(copy(self, None)),
            Some(TypeMeaning::Scalar(_)) | None => {}
        }
        let all = sizes.iter().chain(&holes).chain(&own);
        let hidden = Hidden {
            id,
            name,
            may_be_function: lift == Lift::Any,
            sizes: all.copied().map(Size::symbol).collect(),
            written: sizes.len(),
            types: types.iter().copied().map(Type::Var).collect(),
        };
        let body = Type::Hidden(Box::new(hidden));
        Some(Template { sizes, types, holes, own, body })
    }

    /// Compares the types of modules with those that their module types say.
    pub(super) fn check_types_of_modules(&mut self) {
        for check in std::mem::take(&mut self.names.globals.type_checks) {
            if let Some(problem) = self.type_problem(&check) {
                let declared = match check.given {
                    TypeMeaning::Declared(id) => Some(self.names.globals.types[id].name.span),
                    TypeMeaning::Scalar(_) => None,
                };
                let name = self.names.globals.types[check.declared].name.clone();
                let item = self.different_item(check.ascription, &name, declared);
                self.names.abbreviations[check.declared].set_wrong();
                self.report(ModuleError::DifferentType { item, problem });
            }
        }
    }

    fn type_problem(&mut self, check: &TypeCheck) -> Option<TypeProblem> {
        let TypeCheck { declared, given, ascription } = *check;
        let span = self.names.globals.types[declared].name.span;
        let expected = self.template(declared, span)?;
        let found = match given {
            TypeMeaning::Declared(id) => self.template(id, span)?,
            TypeMeaning::Scalar(scalar) => Template::plain(Type::Scalar(scalar)),
        };
        if self.u.has_error(&expected.body) || self.u.has_error(&found.body) {
            return None;
        }
        let counts = |template: &Template| (template.sizes.len(), template.types.len());
        let (takes, has) = (counts(&expected), counts(&found));
        if takes != has {
            return Some(TypeProblem::Parameters { expected: takes, found: has });
        }
        if let Some(hidden) = self.names.globals.hidden.get(&declared) {
            return self.lift_problem(hidden.lift, &found);
        }
        // The sizes of their own have no names, and are compared in order.
        let sizes: Vec<_> = found.all_sizes().zip(expected.all_sizes().map(Size::symbol)).collect();
        let types: Vec<_> = found
            .types
            .iter()
            .copied()
            .zip(expected.types.iter().copied().map(Type::Var))
            .collect();
        let found_body = self.u.substitute(&found.body, &types, &sizes);
        let expected_body = self.revealed(&expected.body, Some(ascription));
        let found_body = self.revealed(&found_body, Some(ascription));
        let is_same = found.all_sizes().count() == expected.all_sizes().count()
            && self.u.unify(&expected_body, &found_body).is_ok();
        let mut shown = self.shown();
        let (expected, found) = (shown.ty(&expected_body), shown.ty(&found_body));
        (!is_same).then_some(TypeProblem::Other { expected, found })
    }

    /// Why a type cannot be one of which only so much is said.
    fn lift_problem(&self, lift: Lift, found: &Template) -> Option<TypeProblem> {
        if lift != Lift::Any && self.u.has_function(&found.body) {
            return Some(TypeProblem::Functions);
        }
        if lift == Lift::Data && !(found.holes.is_empty() && found.own.is_empty()) {
            return Some(TypeProblem::OwnSizes);
        }
        let mut told = Vec::new();
        self.dimensions(&found.body, &mut told);
        let unused = found.sizes.iter().find(|size| !told.contains(size))?;
        let size = self.u.sizes[*unused].info.name.clone();
        (!self.u.has_function(&found.body)).then_some(TypeProblem::UnusedSize { size })
    }

    fn different_item(
        &self,
        ascription: AscriptionId,
        asked: &ast::Ident,
        given: Option<Span>,
    ) -> DifferentItem {
        let ascription = &self.names.globals.ascriptions[ascription];
        let seen = |span: &Span| self.names.is_user(*span);
        DifferentItem {
            module: ascription.module.clone(),
            name: asked.name.clone(),
            span: ascription.span,
            asked: Some(asked.span).filter(seen),
            given: given.filter(seen),
        }
    }

    /// Whether the text of a definition in an application of a parametric module has an error. The error was reported
    /// when the text was checked.
    pub(super) fn was_wrong(&self, id: DefId) -> bool {
        self.names.globals.origins[id] == DefOrigin::Applied
            && self.wrong_texts.contains(&self.names.def(id).span)
    }

    /// Remembers the text of a definition that is only checked, if there are errors since `told`.
    pub(super) fn note_wrong(&mut self, id: DefId, told: ReportMark) {
        if self.reports.wrong_since(told) > 0 && self.is_only_checked(id) {
            self.wrong_texts.insert(self.names.def(id).span);
        }
    }

    /// Whether a definition is only checked, and is no part of the program.
    pub(super) fn is_only_checked(&self, id: DefId) -> bool {
        self.names.globals.origins[id] == DefOrigin::Checked
            || self.names.globals.values.contains_key(&id)
    }
}

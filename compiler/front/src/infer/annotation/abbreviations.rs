//! Type abbreviations: each is read once, and expanded at each use.
//!
//! Invariant: an error in an abbreviation is reported once, where the abbreviation is declared.
//!
//! ```text
//! type rows [n] = ?[k].[k][n]f64   rows [3], as a result   ⇒   ?[k'].[k'][3]f64
//! ```

use indexmap::IndexMap;

use super::AnonymousSizes;
use crate::core::{Size, SizeOrigin, Type};
use crate::infer::Checker;
use crate::infer::environment::globals::{TypeDecl, TypeMeaning};
use crate::infer::error::{DefinitionError, NameError, SizeError};
use arrc_syntax::ast;
use arrc_syntax::diagnostics::nearest;
use arrc_syntax::ids::{SizeVar, TypeId, TypeVar};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// A type abbreviation.
#[derive(Debug)]
pub(crate) struct Abbreviation<'a> {
    pub(super) def: TypeDecl<'a>,
    state: AbbreviationState,
}

/// How far the meaning of an abbreviation is known.
#[derive(Clone, Debug)]
enum AbbreviationState {
    Unknown,
    /// The abbreviation is being read. If its name is met now, it is made of itself.
    Reading,
    Known(Template),
    Wrong,
}

/// The type that an abbreviation stands for.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub(in crate::infer) sizes: Vec<SizeVar>,
    pub(in crate::infer) types: Vec<TypeVar>,
    /// The sizes of its `[]`.
    pub(in crate::infer) holes: Vec<SizeVar>,
    /// The sizes of its `?[k]`. Each use has new sizes for them.
    pub(in crate::infer) own: Vec<SizeVar>,
    pub(in crate::infer) body: Type,
}

impl<'a> Checker<'a> {
    /// Reads every abbreviation, so that an error in one is reported once.
    pub(crate) fn abbreviations(&mut self) {
        let abbreviation = |&def: &TypeDecl<'a>| {
            let is_wrong = self.names.globals.is_doubtful(def.span);
            Abbreviation {
                def,
                state: if is_wrong { AbbreviationState::Wrong } else { AbbreviationState::Unknown },
            }
        };
        self.names.abbreviations = self.names.globals.types.values().map(abbreviation).collect();
        for id in self.names.globals.types.keys() {
            self.template(id, self.names.abbreviations[id].def.name.span);
        }
        self.check_types_of_modules();
    }

    pub(super) fn named_type(
        &mut self,
        name: &ast::QualName,
        args: &[ast::TypeArg],
        span: Span,
        holes: &mut AnonymousSizes,
    ) -> Type {
        self.note_type_path(name);
        let key = &name.name.name;
        let local = if name.quals.is_empty() {
            self.names.scope.get_type(key).map(|local| local.ty.clone())
        } else {
            None
        };
        let path = name.quals.iter().chain([&name.name]).map(|part| part.name.clone());
        let path: Vec<_> = path.collect();
        let (id, of_module) = match self.names.type_path(&path) {
            Some(TypeMeaning::Declared(id)) => (Some(id), None),
            Some(TypeMeaning::Scalar(scalar)) => (None, Some(scalar)),
            None => (None, None),
        };
        let scalar = self.names.scalar(key).filter(|_| id.is_none());
        let plain =
            local.or(of_module.or(scalar.filter(|_| name.quals.is_empty())).map(Type::Scalar));
        if let Some(ty) = plain {
            if !args.is_empty() {
                let given = count_args(args);
                let name = key.clone();
                let takes = (0, 0);
                self.report(DefinitionError::TypeArguments {
                    name,
                    span,
                    declared: None,
                    takes,
                    given,
                });
            }
            return ty;
        }
        let Some(id) = id else { return self.unknown_type(name) };
        let template = self.template(id, name.name.span);
        let given = self.type_args(args, holes);
        match template {
            Some(template) => self.expand(&template, id, given, span, holes),
            None => self.u.error_type(),
        }
    }

    /// Puts arguments into an abbreviation.
    pub(super) fn expand(
        &mut self,
        template: &Template,
        id: TypeId,
        (sizes, types): (Vec<Size>, Vec<Type>),
        span: Span,
        holes: &mut AnonymousSizes,
    ) -> Type {
        let takes = (template.sizes.len(), template.types.len());
        let given = (sizes.len(), types.len());
        if takes != given {
            let ast::Ident { name, span: declared } = self.names.abbreviations[id].def.name.clone();
            let declared = Some(declared);
            self.report(DefinitionError::TypeArguments { name, span, declared, takes, given });
            return self.u.error_type();
        }
        let types: Vec<_> = template.types.iter().copied().zip(types).collect();
        let mut sizes: Vec<_> = template.sizes.iter().copied().zip(sizes).collect();
        for &hole in &template.holes {
            sizes.push((hole, self.hole(span, holes)));
        }
        for &own in &template.own {
            sizes.push((own, self.own_size_of(own, span, holes)));
        }
        if self.expands_too_far(&template.body, &types, span) {
            return self.u.error_type();
        }
        self.u.substitute(&template.body, &types, &sizes)
    }

    /// The size that stands for a `?[k]` of an abbreviation. In a result, it is a `?[k]` of the result. Elsewhere it
    /// is a size that is found or passed, as for `[]`.
    pub(super) fn own_size_of(
        &mut self,
        own: SizeVar,
        span: Span,
        holes: &mut AnonymousSizes,
    ) -> Size {
        let name = self.u.sizes[own].info.name.clone();
        let Some(maker) = self.walk.brought.as_ref().map(|brought| brought.maker.clone()) else {
            return self.hole(span, holes);
        };
        let size = self.u.rigid_size(name, SizeOrigin::Exists { maker }, span);
        self.walk.brought.iter_mut().for_each(|brought| brought.sizes.push(size));
        Size::symbol(size)
    }

    pub(super) fn type_args(
        &mut self,
        args: &[ast::TypeArg],
        holes: &mut AnonymousSizes,
    ) -> (Vec<Size>, Vec<Type>) {
        let (mut sizes, mut types) = (Vec::new(), Vec::new());
        for arg in args {
            match arg {
                ast::TypeArg::Type(ty) => types.push(self.annotation(ty, holes)),
                ast::TypeArg::Size(size) => sizes.push(self.size_annotation(size, holes)),
            }
        }
        (sizes, types)
    }

    pub(super) fn unknown_type(&mut self, name: &ast::QualName) -> Type {
        let key = &name.name.name;
        let scalars: Vec<Name> = Scalar::ALL.iter().map(|s| Name::from(s.name())).collect();
        let in_scope = self.names.type_names();
        let known = scalars.iter().chain(&in_scope).chain(self.names.scope.type_names());
        let near = nearest(key, known);
        let parts = name.quals.iter().chain([&name.name]).map(|part| part.name.as_str());
        let path = parts.collect::<Vec<_>>().join(".");
        self.report(NameError::UnknownType { name: path.into(), span: name.span(), near });
        self.u.error_type()
    }

    /// The type that an abbreviation stands for, or none if the abbreviation is wrong, which is reported.
    pub(in crate::infer) fn template(&mut self, id: TypeId, used: Span) -> Option<Template> {
        let abbreviation = &mut self.names.abbreviations[id];
        match abbreviation.state.clone() {
            AbbreviationState::Known(template) => Some(template),
            AbbreviationState::Wrong => None,
            AbbreviationState::Reading => {
                abbreviation.state = AbbreviationState::Wrong;
                let name = abbreviation.def.name.name.clone();
                self.report(DefinitionError::RecursiveType { name, span: used });
                None
            }
            AbbreviationState::Unknown => {
                abbreviation.state = AbbreviationState::Reading;
                let def = abbreviation.def;
                let outer = self.names.suspend_for_type(id);
                let template = match def.body {
                    Some(body) => Some(self.read_template(&def, body)),
                    None => self.hidden_template(id, &def),
                };
                self.names.resume_from_type(outer);
                let Some(template) = template else {
                    self.names.abbreviations[id].state = AbbreviationState::Wrong;
                    return None;
                };
                let abbreviation = &mut self.names.abbreviations[id];
                if matches!(abbreviation.state, AbbreviationState::Wrong) {
                    return None;
                }
                abbreviation.state = AbbreviationState::Known(template.clone());
                Some(template)
            }
        }
    }

    /// Reads an abbreviation in a scope of its own.
    pub(super) fn read_template(&mut self, def: &TypeDecl<'a>, body: &'a ast::Type) -> Template {
        let (sizes, types) = self.declare_params(def.sizes, def.types);
        let mut holes = AnonymousSizes::Own(Vec::new());
        let outside = self.walk.brought.take();
        let ty = self.result_annotation(body, &mut holes, &def.name.name);
        self.walk.brought = outside;
        self.unmarked(body);
        let place = body.span;
        let (own, body) = ty.without_exists();
        self.used_sizes(def, &sizes, (&body, place));
        let AnonymousSizes::Own(holes) = holes else { panic!("holes stay what they are") };
        Template { sizes, types, holes, own, body }
    }

    /// Reports size parameters that an abbreviation does not use: nothing would determine them.
    fn used_sizes(&mut self, def: &TypeDecl<'_>, sizes: &[SizeVar], (body, place): (&Type, Span)) {
        let mut used = Vec::new();
        self.u.sizes_of(body, &mut used);
        for (ast::Ident { name, span }, size) in def.sizes.iter().zip(sizes) {
            let is_hidden =
                def.sizes.iter().any(|other| other.name == *name && other.span != *span);
            if !used.contains(size) && !is_hidden && !self.u.has_error(body) {
                let (name, span, of) = (name.clone(), *span, def.name.name.clone());
                self.report(SizeError::UnusedSize { name, span, of, body: place });
            }
        }
    }
}

impl Template {
    /// A type without parameters.
    pub(in crate::infer) fn plain(body: Type) -> Self {
        let (sizes, types, holes, own) = Default::default();
        Self { sizes, types, holes, own, body }
    }

    /// Its size parameters, then the sizes of its `[]` and `?[k]`.
    pub(in crate::infer) fn all_sizes(&self) -> impl Iterator<Item = SizeVar> {
        self.sizes.iter().chain(&self.holes).chain(&self.own).copied()
    }
}

impl Abbreviation<'_> {
    /// Forgets what it stands for: it is wrong, which is reported.
    pub(in crate::infer) fn set_wrong(&mut self) {
        self.state = AbbreviationState::Wrong;
    }

    /// Its name.
    pub(crate) fn name(&self) -> &Name {
        &self.def.name.name
    }

    /// Where it is declared, and its constructors, if it stands for a sum type.
    pub(crate) fn sum(&self) -> Option<(Span, &IndexMap<Name, Vec<Type>>)> {
        match &self.state {
            AbbreviationState::Known(Template { body: Type::Sum(constructors), .. }) => {
                Some((self.def.name.span, constructors))
            }
            AbbreviationState::Known(_)
            | AbbreviationState::Unknown
            | AbbreviationState::Reading
            | AbbreviationState::Wrong => None,
        }
    }

    /// What it stands for, if that is known.
    pub(crate) fn known(&self) -> Option<&Template> {
        if let AbbreviationState::Known(template) = &self.state { Some(template) } else { None }
    }

    /// The type that it stands for, if it has no parameters.
    pub(crate) fn plain(&self) -> Option<&Type> {
        match &self.state {
            AbbreviationState::Known(template) => {
                let Template { sizes, types, holes, own, body } = template;
                let has_sizes = !(sizes.is_empty() && holes.is_empty() && own.is_empty());
                (types.is_empty() && !has_sizes).then_some(body)
            }
            AbbreviationState::Unknown | AbbreviationState::Reading | AbbreviationState::Wrong => {
                None
            }
        }
    }
}

/// The numbers of sizes and of types among the arguments.
fn count_args(args: &[ast::TypeArg]) -> (usize, usize) {
    let sizes = args.iter().filter(|arg| matches!(arg, ast::TypeArg::Size(_))).count();
    (sizes, args.len() - sizes)
}

//! Notes on the places of the user's files, for [`Places`].
//!
//! Invariant: notes change nothing that inference finds. Without a wish for them, none are made.
//!
//! ```text
//! the walk over `x + 1`   ⇒   a note on `x`, and one on `x + 1`
//! ```

use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::Checker;
use super::environment::builtin::Member;
use super::environment::globals::{GlobalMeaning, Module, ResolvedPath, TypeMeaning};
use super::environment::scope::Local;
use super::solve::{Scheme, TypeState};
use crate::core::Type;
use crate::places::{
    Declaration, DeclarationKind, Meaning, Places, Sight, SymbolName, Visible, maker_of,
};
use arrc_syntax::ast;
use arrc_syntax::ids::{DefId, EntityRef, FileId, SizeVar, TypeVar};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// The notes so far, with types that are not solved yet.
#[derive(Debug)]
pub(super) struct Notes {
    places: Places,
    /// The files that notes are made on.
    files: IndexSet<FileId>,
    /// The place of the name for which names are looked for.
    asked: Option<Span>,
}

impl Notes {
    /// No notes yet, on the files of the user.
    pub(super) fn new(program: &ast::Program, asked: Option<Span>) -> Self {
        let own = program.files.iter().filter(|file| !file.is_library);
        Self { places: Places::default(), files: own.map(|file| file.id).collect(), asked }
    }

    fn is_asked(&self, span: Span) -> bool {
        self.asked.is_some_and(|asked| asked == span)
    }

    fn use_of(&mut self, span: Span, meaning: Meaning) {
        if self.files.contains(&span.file) {
            self.places.uses.insert(span, meaning);
        }
    }

    fn declare(&mut self, span: Span, kind: DeclarationKind, ty: Option<Type>) {
        if self.files.contains(&span.file) {
            let quantified = (Vec::new(), Vec::new());
            self.places.declarations.insert(span, Declaration { kind, ty, quantified });
        }
    }
}

impl Checker<'_> {
    /// Notes the type of an expression or a pattern.
    pub(super) fn note_type(&mut self, span: Span, ty: &Type) {
        if let Some(notes) = &mut self.notes
            && notes.files.contains(&span.file)
        {
            notes.places.types.insert(span, ty.clone());
        }
    }

    /// Notes the declaration of a variable.
    pub(super) fn note_variable(&mut self, span: Span, scheme: &Scheme) {
        if let Some(notes) = &mut self.notes {
            notes.declare(span, DeclarationKind::Variable, Some(scheme.ty.clone()));
            if let Some(declared) = notes.places.declarations.get_mut(&span) {
                declared.quantified = (scheme.sizes.clone(), scheme.types.clone());
            }
        }
    }

    /// Notes the declaration of a size or a type parameter.
    pub(super) fn note_parameter(&mut self, span: Span, kind: DeclarationKind) {
        if let Some(notes) = &mut self.notes {
            let ty = (kind == DeclarationKind::Size).then_some(Type::Scalar(Scalar::I64));
            notes.declare(span, kind, ty);
        }
    }

    /// Notes what a local name means.
    pub(super) fn note_use(&mut self, span: Span, declared: Span) {
        if let Some(notes) = &mut self.notes {
            notes.use_of(span, Meaning::Declared(declared));
        }
    }

    /// Notes what the names of a path mean.
    pub(super) fn note_path(&mut self, path: &[&ast::Ident], meaning: Option<&ResolvedPath>) {
        if self.notes.is_none() {
            return;
        }
        self.look_from(path, meaning);
        let Some(meaning) = meaning else { return };
        let names: Vec<Name> = path.iter().map(|part| part.name.clone()).collect();
        let used = match meaning {
            ResolvedPath::Def(_, used) | ResolvedPath::Member(_, _, used) => *used,
            ResolvedPath::Module(_) => path.len() + 1,
            ResolvedPath::NoMember { at, .. } => at + 1,
            ResolvedPath::Reduce(_) => 1,
            ResolvedPath::Wrong | ResolvedPath::Unknown => 0,
        };
        for count in 1..used.min(path.len() + 1) {
            let of_module = self.names.path(&names[..count]);
            let module = match of_module {
                Some(ResolvedPath::Module(module)) => Some(module),
                _ => Scalar::from_name(&names[0]).filter(|_| count == 1).map(Module::Scalar),
            };
            let meaning = module.and_then(|module| self.module_meaning(module));
            if let (Some(meaning), Some(notes)) = (meaning, &mut self.notes) {
                notes.use_of(path[count - 1].span, meaning);
            }
        }
        let found = match meaning {
            ResolvedPath::Def(def, used) => {
                Some((*used, Meaning::Declared(self.names.def(*def).name.span)))
            }
            ResolvedPath::Member(scalar, _, used) => Some((*used, Meaning::Member(*scalar))),
            ResolvedPath::Reduce(_) => Some((1, Meaning::Known)),
            ResolvedPath::Module(_)
            | ResolvedPath::NoMember { .. }
            | ResolvedPath::Wrong
            | ResolvedPath::Unknown => None,
        };
        if let (Some((used, meaning)), Some(notes)) = (found, &mut self.notes) {
            notes.use_of(path[used - 1].span, meaning);
        }
    }

    /// Notes that a name is that of a function that the compiler knows by itself.
    pub(super) fn note_known(&mut self, span: Span) {
        if let Some(notes) = &mut self.notes {
            notes.use_of(span, Meaning::Known);
        }
    }

    /// Notes that a name stands for a module.
    pub(super) fn note_module(&mut self, span: Span, module: Module) {
        if self.notes.is_some()
            && let Some(meaning) = self.module_meaning(module)
            && let Some(notes) = &mut self.notes
        {
            notes.use_of(span, meaning);
        }
    }

    fn module_meaning(&self, module: Module) -> Option<Meaning> {
        match module {
            Module::Scalar(scalar) => Some(Meaning::Scalar(scalar)),
            Module::List(_) | Module::Functor(_) => {
                self.names.globals.module_name(module).map(Meaning::Declared)
            }
            Module::Wrong => None,
        }
    }

    /// Notes what the names of the path of a type mean.
    pub(super) fn note_type_path(&mut self, name: &ast::QualName) {
        if self.notes.is_none() {
            return;
        }
        let path: Vec<&ast::Ident> = name.quals.iter().chain([&name.name]).collect();
        let names: Vec<Name> = path.iter().map(|part| part.name.clone()).collect();
        if self.is_asked(name.name.span) {
            self.look_for_types(&names);
        }
        let quals = &path[..path.len() - 1];
        if !quals.is_empty() {
            let meaning = self.names.path(&names[..quals.len()]);
            self.note_path(quals, meaning.as_ref());
        }
        let local = self.names.scope.get_type(&name.name.name).filter(|_| quals.is_empty());
        let meaning = match (local, self.names.type_path(&names)) {
            (Some(local), _) => Some(Meaning::Declared(local.declared)),
            (None, Some(TypeMeaning::Declared(id))) => {
                Some(Meaning::Declared(self.names.globals.types[id].name.span))
            }
            (None, Some(TypeMeaning::Scalar(scalar))) => Some(Meaning::Scalar(scalar)),
            (None, None) => self.names.scalar(&name.name.name).map(Meaning::Scalar),
        };
        if let (Some(meaning), Some(notes)) = (meaning, &mut self.notes) {
            notes.use_of(name.name.span, meaning);
        }
    }

    /// Notes a field that a value is asked for.
    pub(super) fn note_field(&mut self, record: &Type, field: Span) {
        if self.is_asked(field)
            && let Some(notes) = &mut self.notes
        {
            notes.places.sight = Some(Sight::Fields(record.clone()));
        }
    }

    fn is_asked(&self, span: Span) -> bool {
        self.notes.as_ref().is_some_and(|notes| notes.is_asked(span))
    }

    /// Notes what can be named at a name of the path, if that is asked for.
    fn look_from(&mut self, path: &[&ast::Ident], meaning: Option<&ResolvedPath>) {
        let Some(at) = path.iter().position(|part| self.is_asked(part.span)) else { return };
        let sight = match (at, meaning) {
            (0, _) => Some(Sight::Names(self.visible_names(path[0].span))),
            (at, Some(ResolvedPath::NoMember { module, at: missing })) if at == *missing => {
                let members = self.names.globals.meanings(*module).into_iter();
                let members: Vec<_> = members
                    .map(|(name, meaning)| self.visible(name, meaning, path[at].span))
                    .collect();
                Some(Sight::Members(members))
            }
            _ => None,
        };
        if let (Some(sight), Some(notes)) = (sight, &mut self.notes) {
            notes.places.sight = Some(sight);
        }
    }

    /// Notes what can be named at the name of a size, if that is asked for.
    pub(super) fn look_for_sizes(&mut self, span: Span) {
        if self.is_asked(span) {
            let sight = Sight::Names(self.visible_names(span));
            if let Some(notes) = &mut self.notes {
                notes.places.sight = Some(sight);
            }
        }
    }

    fn look_for_types(&mut self, path: &[Name]) {
        let visible = |name: Name| {
            let (meaning, ty) = (None, None);
            Visible { name, meaning, kind: DeclarationKind::Type, ty }
        };
        let sight = match path {
            [_] => {
                let local = self.names.scope.type_names().cloned();
                let scalars = Scalar::ALL.into_iter().map(|scalar| Name::from(scalar.name()));
                let all = local.chain(self.names.type_names()).chain(scalars);
                let all: IndexSet<Name> = all.collect();
                let types = all.into_iter().map(visible);
                let modules = self
                    .names
                    .module_names()
                    .into_iter()
                    .map(|name| Visible { kind: DeclarationKind::Module, ..visible(name) });
                Sight::Types(types.chain(modules).collect())
            }
            _ => {
                let quals = &path[..path.len() - 1];
                let types = self.names.exported_types_of(quals);
                Sight::Types(types.into_iter().map(visible).collect())
            }
        };
        if let Some(notes) = &mut self.notes {
            notes.places.sight = Some(sight);
        }
    }

    /// The names of values and modules that can be seen at the place of the walk, the innermost first.
    fn visible_names(&mut self, at: Span) -> Vec<Visible> {
        let mut locals: Vec<(Span, Visible)> = Vec::new();
        let mut opened = Vec::new();
        for (name, local) in self.names.scope.locals() {
            let (span, kind, ty) = match local {
                Local::Var(var, scheme) => {
                    (self.vars[*var].span, DeclarationKind::Variable, scheme.ty.clone())
                }
                Local::Size(_, span) => (*span, DeclarationKind::Size, Type::Scalar(Scalar::I64)),
                Local::Opened(meaning) => {
                    opened.push((name.clone(), *meaning));
                    continue;
                }
            };
            let meaning = Some(Meaning::Declared(span));
            locals.push((span, Visible { name: name.clone(), meaning, kind, ty: Some(ty) }));
        }
        locals.sort_by_key(|(span, _)| std::cmp::Reverse(*span));
        let globals = self.names.terms().into_iter();
        let globals = globals.filter_map(|name| Some((name.clone(), self.names.term(&name)?)));
        let others: Vec<(Name, GlobalMeaning)> = opened.into_iter().chain(globals).collect();
        let others = others.into_iter().map(|(name, meaning)| self.visible(name, meaning, at));
        let mut seen = IndexSet::new();
        let all = locals.into_iter().map(|(_, visible)| visible).chain(others);
        all.filter(|visible| seen.insert(visible.name.clone())).collect()
    }

    fn visible(&mut self, name: Name, meaning: GlobalMeaning, at: Span) -> Visible {
        let (meaning, kind, ty) = match meaning {
            GlobalMeaning::Def(def) if self.is_known(def) => {
                let ty = self.names.interface(def).map(|known| known.scheme.ty.clone());
                let span = self.names.def(def).name.span;
                (Some(Meaning::Declared(span)), DeclarationKind::Definition, ty)
            }
            GlobalMeaning::Def(_) => (None, DeclarationKind::Definition, None),
            GlobalMeaning::Member(scalar, member) => {
                let ty = match member {
                    // It is a call of `reduce`, which is not made here.
                    Member::Reduce(_) => None,
                    Member::Const(_) | Member::Un(..) | Member::Bin(_) | Member::Fma => {
                        Some(self.member(scalar, member, at).ty)
                    }
                };
                (Some(Meaning::Member(scalar)), DeclarationKind::Definition, ty)
            }
            GlobalMeaning::Module(module) => {
                (self.module_meaning(module), DeclarationKind::Module, None)
            }
        };
        Visible { name, meaning, kind, ty }
    }

    /// Whether the definition is a part of the program.
    fn is_known(&self, def: DefId) -> bool {
        def.index() < self.names.globals.defs.len()
    }

    /// The notes, with the types that were found.
    pub(super) fn take_places(&mut self) -> Places {
        let Some(notes) = self.notes.take() else { return Places::default() };
        let Notes { mut places, files, asked: _ } = *notes;
        for (span, meaning) in std::mem::take(&mut self.names.globals.uses) {
            if files.contains(&span.file) {
                places.uses.entry(span).or_insert(meaning);
            }
        }
        for (span, kind) in self.names.globals.declared() {
            if files.contains(&span.file) {
                let (ty, quantified) = (None, (Vec::new(), Vec::new()));
                places.declarations.entry(span).or_insert(Declaration { kind, ty, quantified });
            }
        }
        for (id, def) in self.names.globals.defs.iter() {
            if !files.contains(&def.name.span.file) {
                continue;
            }
            let known = self.names.interface(id).map(|known| known.scheme.clone());
            let kind = DeclarationKind::Definition;
            let (ty, quantified) = match known {
                Some(Scheme { types, sizes, ty }) => (Some(ty), (sizes, types)),
                None => (None, (Vec::new(), Vec::new())),
            };
            places.declarations.insert(def.name.span, Declaration { kind, ty, quantified });
        }
        self.solve_places(&mut places);
        places
    }

    /// Replaces the types by those that were found.
    fn solve_places(&self, places: &mut Places) {
        let (mut sizes, mut types): (IndexSet<SizeVar>, IndexSet<TypeVar>) = Default::default();
        let mut solve = |ty: &mut Type| {
            let default = |var| self.u.default_of(var);
            *ty = self.u.rewrite(ty, &default, &|size| size);
            let (mut found, mut open) = (Vec::new(), Vec::new());
            self.u.sizes_of(ty, &mut found);
            self.type_variables(ty, &mut open);
            sizes.extend(found);
            types.extend(open);
        };
        places.types.values_mut().for_each(&mut solve);
        places.declarations.values_mut().filter_map(|one| one.ty.as_mut()).for_each(&mut solve);
        match &mut places.sight {
            Some(Sight::Fields(ty)) => solve(ty),
            Some(Sight::Names(all) | Sight::Members(all) | Sight::Types(all)) => {
                all.iter_mut().filter_map(|one| one.ty.as_mut()).for_each(&mut solve);
            }
            None => {}
        }
        let quantified = places.declarations.values().map(|one| &one.quantified);
        for (own_sizes, own_types) in quantified {
            sizes.extend(own_sizes);
            types.extend(own_types);
        }
        let named = |id: SizeVar| {
            let info = &self.u.sizes[id].info;
            (id, SymbolName { name: info.name.clone(), maker: maker_of(&info.origin) })
        };
        places.sizes = sizes.into_iter().map(named).collect();
        let rigid = |var: TypeVar| {
            let entry = &self.u.types[var];
            matches!(entry.state, TypeState::Rigid(_)).then(|| (var, entry.name.clone()))
        };
        places.variables = types.into_iter().filter_map(rigid).collect::<BTreeMap<_, _>>();
    }

    fn type_variables(&self, ty: &Type, found: &mut Vec<TypeVar>) {
        match ty {
            Type::Scalar(_) => {}
            Type::Tuple(items) => items.iter().for_each(|ty| self.type_variables(ty, found)),
            Type::Record(fields) => fields.values().for_each(|ty| self.type_variables(ty, found)),
            Type::Sum(all) => {
                all.values().flatten().for_each(|ty| self.type_variables(ty, found));
            }
            Type::Array(_, element) => self.type_variables(element, found),
            Type::Fun(_, from, to) => {
                self.type_variables(from, found);
                self.type_variables(to, found);
            }
            Type::Exists(_, body) => self.type_variables(body, found),
            Type::Hidden(hidden) => {
                hidden.types.iter().for_each(|ty| self.type_variables(ty, found));
            }
            Type::Var(var) => found.push(*var),
        }
    }
}

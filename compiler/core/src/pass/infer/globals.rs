//! What names of definitions, modules and types mean at a place of a program.
//!
//! Invariant: modules exist only here. A definition in one is a definition like any other, and what
//! a name or a path means is asked of the list of declarations that the place is in.
//!
//! ```text
//! import "geometry"   module m = { def f x = area x }   def g = m.f
//! ⇒ lists: prelude ◁ geometry: area    prelude ◁ root: area, m, g ◁ m: f
//! ```
//!
//! A name means the last declaration of it before the place, in the innermost braces that declare it;
//! if those declare it only behind the place, the first one there, so that definitions can be in any
//! order. Values and modules share their names, types have theirs.

use indexmap::IndexMap;

use super::builtin::{self, Member};
use super::error::Error;
use super::order::{self, Group};
use crate::diagnostics::nearest;
use crate::ids::{DefId, EntityRef, FileId, ListId, PrimaryMap, ReservedValue, TypeId};
use crate::ir::ast::{self, Decl, ModuleExpr};
use crate::names::Name;
use crate::prim::Scalar;
use crate::source::Span;

/// A place between declarations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// The list of declarations.
    list: ListId,
    /// The number of the declaration in it.
    at: usize,
}

/// The beginning of the prelude.
impl Default for Place {
    fn default() -> Self {
        Self { list: ListId::new(0), at: 0 }
    }
}

/// What a name of a value or a module means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// A definition.
    Def(DefId),
    /// A module.
    Module(Module),
}

/// A module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Module {
    /// The declarations of a file or between braces.
    List(ListId),
    /// The module of a scalar type.
    Scalar(Scalar),
    /// Something is wrong with it, which was reported.
    Wrong,
}

/// What a path of names means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Path {
    /// A definition; the names behind the first so many are fields of it.
    Def(DefId, usize),
    /// A member of a scalar type's module; as before.
    Member(Scalar, Member, usize),
    /// No value, but the whole path is a module.
    Module,
    /// The module before name `at` has no such member.
    NoMember {
        /// The module.
        module: Module,
        /// The number of the name.
        at: usize,
    },
    /// Something is wrong with a module in it, which was reported.
    Wrong,
    /// The first name means nothing.
    Unknown,
}

/// A list of declarations.
#[derive(Debug, Default)]
struct List {
    /// Where it stands; none if nothing is around it.
    around: Option<Place>,
    terms: IndexMap<Name, Vec<Entry<Meaning>>>,
    types: IndexMap<Name, Vec<Entry<TypeId>>>,
}

/// What a name means from a declaration on.
#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    /// The number of the declaration.
    at: usize,
    meaning: T,
    /// Whether only the list itself sees it.
    is_local: bool,
    /// The name's place, if it is declared and not opened here.
    declared: Option<Span>,
}

/// The definitions that matter, who calls whom, and what names mean.
#[derive(Debug, Default)]
pub(super) struct Globals<'a> {
    /// The definitions: those of the prelude that are reached, then those of the files.
    pub(super) defs: PrimaryMap<DefId, &'a ast::Def>,
    /// Where each definition stands.
    pub(super) places: PrimaryMap<DefId, Place>,
    /// The type abbreviations, and where each stands.
    pub(super) types: PrimaryMap<TypeId, (&'a ast::TypeDef, Place)>,
    /// Groups of definitions that reach each other, each after those that it uses.
    pub(super) groups: Vec<Group>,
    /// The definitions of the prelude, by name, that are reached.
    pub(super) prelude: IndexMap<Name, DefId>,
    /// What could not be read of the files.
    pub(super) gaps: IndexMap<FileId, &'a ast::Gaps>,
    /// Whether a module is opened that is wrong, so that any name may be one of it.
    opens_wrong: bool,
    /// What is wrong with the declarations themselves.
    pub(super) errors: Vec<Error>,
    lists: PrimaryMap<ListId, List>,
    files: IndexMap<FileId, ListId>,
}

/// Finds out what names mean, which definitions matter, and orders them.
pub(super) fn globals<'a>(prelude: &'a ast::File, program: &'a ast::Program) -> Globals<'a> {
    let mut globals = Globals::default();
    globals.file(prelude, None, program);
    let library = globals.defs.len();
    let prelude_end = Place { list: ListId::new(0), at: usize::MAX };
    for file in &program.files {
        globals.file(file, Some(prelude_end), program);
    }
    order::order(globals, library)
}

/// Building the lists.
impl<'a> Globals<'a> {
    fn file(&mut self, file: &'a ast::File, around: Option<Place>, program: &'a ast::Program) {
        let list = self.list(&file.decls, around, program);
        self.files.insert(file.id, list);
        self.gaps.insert(file.id, &file.gaps);
    }

    fn list(
        &mut self,
        decls: &'a [Decl],
        around: Option<Place>,
        program: &'a ast::Program,
    ) -> ListId {
        let list = self.lists.push(List { around, ..List::default() });
        for (at, decl) in decls.iter().enumerate() {
            self.declare(decl, Place { list, at }, false, program);
        }
        list
    }

    fn declare(&mut self, decl: &'a Decl, place: Place, is_local: bool, program: &'a ast::Program) {
        match decl {
            Decl::Def(def) => {
                let id = self.defs.push(def);
                self.places.push(place);
                self.bind(place, &def.name, Meaning::Def(id), is_local);
            }
            Decl::Type(def) => {
                let id = self.types.push((def, place));
                let types = &mut self.lists[place.list].types;
                let entries = types.entry(def.name.name.clone()).or_default();
                let first = entries.iter().find_map(|entry| entry.declared);
                let declared = Some(def.name.span);
                entries.push(Entry { at: place.at, meaning: id, is_local, declared });
                self.duplicate(&def.name, first);
            }
            Decl::Module(def) => {
                let module = self.module(&def.body, place, program);
                self.bind(place, &def.name, Meaning::Module(module), is_local);
            }
            Decl::Open(open) => {
                let module = self.module(&open.module, place, program);
                self.open(module, open.module.span(), place, is_local);
            }
            Decl::Import(import) => {
                let module = self.imported(import, program);
                self.open(module, import.span, place, true);
            }
            Decl::Local(local) => self.declare(&local.decl, place, true, program),
        }
    }

    fn bind(&mut self, place: Place, name: &ast::Ident, meaning: Meaning, is_local: bool) {
        let entries = self.lists[place.list].terms.entry(name.name.clone()).or_default();
        let first = entries.iter().find_map(|entry| entry.declared);
        if first.is_none() {
            let declared = Some(name.span);
            entries.push(Entry { at: place.at, meaning, is_local, declared });
        }
        self.duplicate(name, first);
    }

    fn duplicate(&mut self, name: &ast::Ident, first: Option<Span>) {
        if let Some(first) = first {
            let (name, span) = (name.name.clone(), name.span);
            self.errors.push(Error::DuplicateDefinition { name, span, first });
        }
    }

    fn module(
        &mut self,
        module: &'a ModuleExpr,
        place: Place,
        program: &'a ast::Program,
    ) -> Module {
        match module {
            ModuleExpr::Name(path) => self.module_path(path, place),
            ModuleExpr::Import(import) => self.imported(import, program),
            ModuleExpr::Body(decls, _) => Module::List(self.list(decls, Some(place), program)),
            ModuleExpr::Error(_) => Module::Wrong,
        }
    }

    /// The module of an imported file; one that could not be loaded has been reported.
    fn imported(&self, import: &ast::Import, program: &ast::Program) -> Module {
        let key = (import.span.file, import.path.clone());
        let file = program.imports.get(&key).and_then(|file| self.files.get(file));
        file.map_or(Module::Wrong, |&list| Module::List(list))
    }

    /// The module that is called so before `place`.
    fn module_path(&mut self, path: &ast::QualName, place: Place) -> Module {
        let names: Vec<&ast::Ident> = path.quals.iter().chain([&path.name]).collect();
        let mut module = match self.term(place, &names[0].name) {
            Some(Meaning::Module(module)) => module,
            Some(Meaning::Def(def)) => {
                let declared = self.defs[def].name.span;
                return self.no_module(names[0], None, Some(declared), Vec::new());
            }
            None => match Scalar::from_name(&names[0].name) {
                Some(scalar) => Module::Scalar(scalar),
                None => {
                    let near = nearest(&names[0].name, &self.module_names(place));
                    return self.no_module(names[0], None, None, near);
                }
            },
        };
        for name in &names[1..] {
            let Module::List(list) = module else { return Module::Wrong };
            module = match self.exported(list, &name.name) {
                Some(Meaning::Module(module)) => module,
                Some(Meaning::Def(_)) | None => {
                    let near = nearest(&name.name, &self.exports(list));
                    return self.no_module(name, Some(path), None, near);
                }
            };
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
        self.errors.push(Error::UnknownModule { name, span, of, declared, near });
        Module::Wrong
    }

    /// Lets the names of a module be seen as they are.
    fn open(&mut self, module: Module, span: Span, place: Place, is_local: bool) {
        let from = match module {
            Module::List(from) => from,
            Module::Wrong => {
                self.opens_wrong = true;
                return;
            }
            Module::Scalar(scalar) => {
                self.errors.push(Error::OpenScalar { name: scalar.name().into(), span });
                return;
            }
        };
        let terms: Vec<_> = exported(&self.lists[from].terms).map(owned).collect();
        let types: Vec<_> = exported(&self.lists[from].types).map(owned).collect();
        let (at, declared) = (place.at, None);
        let list = &mut self.lists[place.list];
        for (name, meaning) in terms {
            let entry = Entry { at, meaning, is_local, declared };
            list.terms.entry(name).or_default().push(entry);
        }
        for (name, meaning) in types {
            let entry = Entry { at, meaning, is_local, declared };
            list.types.entry(name).or_default().push(entry);
        }
    }

    /// Keeps only some definitions, under new ids.
    pub(super) fn keep(&mut self, kept: &IndexMap<DefId, DefId>) {
        self.defs = kept.keys().map(|&old| self.defs[old]).collect();
        self.places = kept.keys().map(|&old| self.places[old]).collect();
        for list in self.lists.values_mut() {
            for entry in list.terms.values_mut().flatten() {
                if let Meaning::Def(def) = &mut entry.meaning {
                    // What is not reached keeps its name for suggestions; nobody asks what it means.
                    *def = kept.get(def).copied().unwrap_or(DefId::reserved_value());
                }
            }
        }
    }
}

/// Looking names up.
impl Globals<'_> {
    /// Whether a name may be one that could not be read.
    pub(super) fn may_be_lost(&self, name: &Name) -> bool {
        self.gaps.values().any(|gaps| gaps.may_declare(name))
    }

    /// Whether a name without qualifiers may be one that could not be read.
    pub(super) fn may_be_opened(&self, name: &Name) -> bool {
        self.opens_wrong || self.may_be_lost(name)
    }

    /// Whether all of a place may be meant otherwise.
    pub(super) fn is_guess(&self, span: Span) -> bool {
        self.gaps.get(&span.file).is_some_and(|gaps| gaps.covers(span))
    }

    /// Whether a place, or a part of it, may be meant otherwise.
    pub(super) fn is_doubtful(&self, span: Span) -> bool {
        self.gaps.get(&span.file).is_some_and(|gaps| gaps.is_doubtful(span))
    }

    /// What a name of a value or a module means.
    pub(super) fn term(&self, place: Place, name: &Name) -> Option<Meaning> {
        self.look_up(place, |list| list.terms.get(name))
    }

    /// What a name of a type means.
    pub(super) fn type_name(&self, place: Place, name: &Name) -> Option<TypeId> {
        self.look_up(place, |list| list.types.get(name))
    }

    /// What a path of a type means.
    pub(super) fn type_path(&self, place: Place, path: &[Name]) -> Option<TypeId> {
        let (name, quals) = path.split_last()?;
        let Some((head, quals)) = quals.split_first() else { return self.type_name(place, name) };
        let Some(Meaning::Module(Module::List(mut list))) = self.term(place, head) else {
            return None;
        };
        for qual in quals {
            let Meaning::Module(Module::List(inner)) = self.exported(list, qual)? else {
                return None;
            };
            list = inner;
        }
        last_export(self.lists[list].types.get(name)?)
    }

    /// What a path of names means.
    pub(super) fn path(&self, place: Place, path: &[Name]) -> Path {
        let mut module = match self.term(place, &path[0]) {
            Some(Meaning::Def(def)) => return Path::Def(def, 1),
            Some(Meaning::Module(module)) => module,
            None => match Scalar::from_name(&path[0]) {
                Some(scalar) if path.len() > 1 => Module::Scalar(scalar),
                Some(_) | None => return Path::Unknown,
            },
        };
        for (at, name) in path.iter().enumerate().skip(1) {
            let found = match module {
                Module::Wrong => return Path::Wrong,
                Module::Scalar(scalar) => match builtin::member(scalar, name) {
                    Some(member) => return Path::Member(scalar, member, at + 1),
                    None => None,
                },
                Module::List(list) => self.exported(list, name),
            };
            match found {
                Some(Meaning::Def(def)) => return Path::Def(def, at + 1),
                Some(Meaning::Module(inner)) => module = inner,
                None => return Path::NoMember { module, at },
            }
        }
        Path::Module
    }

    /// What a name means to those who open a list.
    fn exported(&self, list: ListId, name: &Name) -> Option<Meaning> {
        last_export(self.lists[list].terms.get(name)?)
    }

    /// The names that those see who open a module.
    pub(super) fn members(&self, module: Module) -> Vec<Name> {
        match module {
            Module::List(list) => self.exports(list),
            Module::Scalar(scalar) => builtin::members(scalar),
            Module::Wrong => Vec::new(),
        }
    }

    /// The names in the module that a path means.
    pub(super) fn module_members(&self, place: Place, path: &[Name]) -> Vec<Name> {
        let mut path = path.iter();
        let mut meaning = path.next().and_then(|head| self.term(place, head));
        for name in path {
            let Some(Meaning::Module(Module::List(list))) = meaning else { return Vec::new() };
            meaning = self.exported(list, name);
        }
        match meaning {
            Some(Meaning::Module(module)) => self.members(module),
            Some(Meaning::Def(_)) | None => Vec::new(),
        }
    }

    fn exports(&self, list: ListId) -> Vec<Name> {
        exported(&self.lists[list].terms).map(|(name, _)| name.clone()).collect()
    }

    /// The names of values and modules that can be seen.
    pub(super) fn names(&self, place: Place) -> Vec<Name> {
        self.around(place).flat_map(|list| list.terms.keys().cloned()).collect()
    }

    /// The names of types that can be seen.
    pub(super) fn type_names(&self, place: Place) -> Vec<Name> {
        self.around(place).flat_map(|list| list.types.keys().cloned()).collect()
    }

    /// The modules that can be seen.
    pub(super) fn module_names(&self, place: Place) -> Vec<Name> {
        let is_module = |entry: &Entry<Meaning>| matches!(entry.meaning, Meaning::Module(_));
        let terms = self.around(place).flat_map(|list| &list.terms);
        let modules = terms.filter(|(_, entries)| entries.iter().any(is_module));
        modules.map(|(name, _)| name.clone()).collect()
    }

    /// Whether a definition is one of the prelude's.
    pub(super) fn is_prelude(&self, def: DefId) -> bool {
        def.index() < self.prelude.len()
    }

    /// Whether a definition is an entry of the program: only the file `root` has them, and no module.
    pub(super) fn is_entry(&self, def: DefId, root: FileId) -> bool {
        let is_root = self.files.get(&root) == Some(&self.places[def].list);
        is_root && self.defs[def].kind == ast::DefKind::Entry
    }

    /// The lists from a place outwards.
    fn around(&self, place: Place) -> impl Iterator<Item = &List> {
        let outer = move |place: &Place| self.lists[place.list].around;
        std::iter::successors(Some(place), outer).map(|place| &self.lists[place.list])
    }

    fn look_up<'l, T: Copy + 'l>(
        &'l self,
        place: Place,
        entries: impl Fn(&'l List) -> Option<&'l Vec<Entry<T>>>,
    ) -> Option<T> {
        let mut place = place;
        loop {
            let list = &self.lists[place.list];
            if let Some(entries) = entries(list) {
                let before = entries.iter().rev().find(|entry| entry.at <= place.at);
                return before.or(entries.first()).map(|entry| entry.meaning);
            }
            place = list.around?;
        }
    }
}

/// What each name means to those who open a list.
fn exported<T: Copy>(entries: &IndexMap<Name, Vec<Entry<T>>>) -> impl Iterator<Item = (&Name, T)> {
    entries.iter().filter_map(|(name, entries)| Some((name, last_export(entries)?)))
}

fn owned<T>((name, meaning): (&Name, T)) -> (Name, T) {
    (name.clone(), meaning)
}

fn last_export<T: Copy>(entries: &[Entry<T>]) -> Option<T> {
    entries.iter().rev().find(|entry| !entry.is_local).map(|entry| entry.meaning)
}

//! The meanings of names of definitions, modules and types at a place of a program.
//!
//! Invariant: modules exist only here. A definition in a module is a definition like any other. The list of
//! declarations that a place is in gives the meaning of a name or a path there.
//!
//! ```text
//! import "geometry"   module m = { def f x = area x }   def g = m.f
//! ⇒ lists: prelude ◁ geometry: area    prelude ◁ root: area, m, g ◁ m: f
//! ```
//!
//! The innermost braces that declare a name decide its meaning. The name means the last declaration of it before the
//! place. If all its declarations there stand after the place, it means the first of them, so that definitions can be
//! in any order. Values and modules share one space of names, and types have another.

mod lookup;

use indexmap::IndexMap;

pub(crate) use self::lookup::module_of;
use super::super::error::NameError;
use super::super::report::Reporter;
use super::builtin::Member;
use super::order;
use super::order::Group;
use arrc_syntax::ast;
use arrc_syntax::ast::{Decl, ModuleExpr};
use arrc_syntax::diagnostics::nearest;
use arrc_syntax::ids::{DefId, EntityRef, FileId, ListId, PrimaryMap, ReservedValue, TypeId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Scalar};
use arrc_syntax::source::Span;

/// A place between declarations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DeclPlace {
    /// The list of declarations.
    list: ListId,
    /// The number of the declaration in it.
    at: usize,
}

/// The beginning of the prelude.
impl Default for DeclPlace {
    fn default() -> Self {
        Self { list: ListId::new(0), at: 0 }
    }
}

/// The meaning of a name of a value or a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GlobalMeaning {
    /// A definition.
    Def(DefId),
    /// A module.
    Module(Module),
    /// A member of a scalar type's module that was opened.
    Member(Scalar, Member),
}

/// A module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Module {
    /// The declarations of a file or between braces.
    List(ListId),
    /// The module of a scalar type.
    Scalar(Scalar),
    /// A module with an error that was reported.
    Wrong,
}

/// The meaning of a path of names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ResolvedPath {
    /// A definition, and the number of names that lead to it. The names after these are fields of it.
    Def(DefId, usize),
    /// A member of a scalar type's module, and the number of names that lead to it.
    Member(Scalar, Member, usize),
    /// `sum` and similar functions, for numbers of any type. The names after the first are fields of it.
    Reduce(BinOp),
    /// The whole path is a module, and no value.
    Module(Module),
    /// The module before name `at` has no such member.
    NoMember {
        /// The module.
        module: Module,
        /// The number of the name.
        at: usize,
    },
    /// A module on the path has an error that was reported.
    Wrong,
    /// The first name means nothing.
    Unknown,
}

/// A list of declarations.
#[derive(Debug, Default)]
struct DeclList {
    /// The place of the list in the list around it, if there is one.
    around: Option<DeclPlace>,
    terms: IndexMap<Name, Vec<Entry<GlobalMeaning>>>,
    types: IndexMap<Name, Vec<Entry<TypeId>>>,
    /// The scalar type that `t` stands for here.
    scalar: Option<Scalar>,
}

/// A meaning of a name, from a declaration on.
#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    /// The number of the declaration.
    at: usize,
    meaning: T,
    /// Whether only the list itself sees it.
    is_local: bool,
    /// The place of the name, if it is declared here. A name of an opened module has none.
    declared: Option<Span>,
    /// Whether it holds only after its place, as for an opened module.
    only_behind: bool,
}

/// The definitions that the program needs, the groups in which they use each other, and the meanings of names.
#[derive(Debug, Default)]
pub(crate) struct Globals<'a> {
    /// The definitions of the prelude that are reached, then the definitions of the files.
    pub(crate) defs: PrimaryMap<DefId, &'a ast::Def>,
    /// Where each definition stands.
    pub(crate) places: PrimaryMap<DefId, DeclPlace>,
    /// The type abbreviations, and where each stands.
    pub(crate) types: PrimaryMap<TypeId, (&'a ast::TypeDef, DeclPlace)>,
    /// Groups of definitions that reach each other. Each group comes after the groups that it uses.
    pub(crate) groups: Vec<Group>,
    /// The definitions of the prelude, by name, that are reached.
    pub(crate) prelude: IndexMap<Name, DefId>,
    /// The parts of the files that could not be read.
    pub(crate) gaps: IndexMap<FileId, &'a ast::UnparsedRegions>,
    /// Whether a module with an error is opened: any name may be one of its members.
    opens_wrong: bool,
    /// The errors of the declarations themselves.
    pub(crate) reports: Reporter,
    /// The number of definitions that are the prelude's.
    pub(crate) library: usize,
    lists: PrimaryMap<ListId, DeclList>,
    files: IndexMap<FileId, ListId>,
    /// What the prelude adds to the modules of the scalar types.
    scalars: IndexMap<Scalar, ListId>,
}

/// Resolves names, finds the definitions that the program needs, and orders them.
pub(crate) fn globals<'a>(prelude: &'a ast::File, program: &'a ast::Program) -> Globals<'a> {
    let mut globals = Globals::default();
    globals.file(prelude, None, program);
    let library = globals.defs.len();
    let prelude_end = DeclPlace { list: ListId::new(0), at: usize::MAX };
    for file in &program.files {
        globals.file(file, Some(prelude_end), program);
    }
    order::order(globals, library)
}

/// Building the lists.
impl<'a> Globals<'a> {
    fn file(&mut self, file: &'a ast::File, around: Option<DeclPlace>, program: &'a ast::Program) {
        let list = self.list(&file.decls, around, program);
        self.files.insert(file.id, list);
        self.gaps.insert(file.id, &file.gaps);
    }

    fn list(
        &mut self,
        decls: &'a [Decl],
        around: Option<DeclPlace>,
        program: &'a ast::Program,
    ) -> ListId {
        self.list_for(None, decls, around, program)
    }

    /// A list in which `t` stands for a scalar type and for its module, and `bits` for the module of the integer type
    /// of the same width.
    fn list_for(
        &mut self,
        scalar: Option<Scalar>,
        decls: &'a [Decl],
        around: Option<DeclPlace>,
        program: &'a ast::Program,
    ) -> ListId {
        let list = self.lists.push(DeclList { around, scalar, ..DeclList::default() });
        let modules = [("t", scalar), ("bits", scalar.and_then(Scalar::bits_type))];
        for (name, scalar) in modules {
            let Some(scalar) = scalar else { continue };
            let meaning = GlobalMeaning::Module(Module::Scalar(scalar));
            let (is_local, declared, only_behind) = (true, None, false);
            let entry = Entry { at: 0, meaning, is_local, declared, only_behind };
            self.lists[list].terms.insert(name.into(), vec![entry]);
        }
        for (at, decl) in decls.iter().enumerate() {
            self.declare(decl, DeclPlace { list, at }, false, program);
        }
        list
    }

    fn declare(
        &mut self,
        decl: &'a Decl,
        place: DeclPlace,
        is_local: bool,
        program: &'a ast::Program,
    ) {
        match decl {
            Decl::Def(def) => {
                let id = self.defs.push(def);
                self.places.push(place);
                self.bind(place, &def.name, GlobalMeaning::Def(id), is_local);
            }
            Decl::Type(def) => {
                let id = self.types.push((def, place));
                let types = &mut self.lists[place.list].types;
                let entries = types.entry(def.name.name.clone()).or_default();
                let first = entries.iter().find_map(|entry| entry.declared);
                let declared = Some(def.name.span);
                let only_behind = false;
                entries.push(Entry { at: place.at, meaning: id, is_local, declared, only_behind });
                self.duplicate(&def.name, first);
            }
            Decl::Module(def) if self.scalar_modules(def, place, program) => {}
            Decl::Module(def) => {
                let module = self.module(&def.body, place, program);
                self.bind(place, &def.name, GlobalMeaning::Module(module), is_local);
            }
            Decl::Open(open) => {
                let module = self.module(&open.module, place, program);
                self.open(module, place, is_local, true);
            }
            Decl::Import(import) => {
                let module = self.imported(import, program);
                self.open(module, place, true, false);
            }
            Decl::Local(local) => self.declare(&local.decl, place, true, program),
        }
    }

    /// Adds a declaration of the prelude to the modules of all integer types, or of all float types. The prelude
    /// writes it once, and each type gets definitions of its own. The compiler knows the other operations of these
    /// modules.
    fn scalar_modules(
        &mut self,
        def: &'a ast::ModuleDef,
        place: DeclPlace,
        program: &'a ast::Program,
    ) -> bool {
        let ModuleExpr::Body(decls, _) = &def.body else { return false };
        let members: fn(Scalar) -> bool = match def.name.name.as_str() {
            "integer" => Scalar::is_integer,
            "float" => Scalar::is_float,
            _ => return false,
        };
        if self.lists[place.list].around.is_some() {
            return false;
        }
        for scalar in Scalar::ALL.into_iter().filter(|&scalar| members(scalar)) {
            let list = self.list_for(Some(scalar), decls, Some(place), program);
            self.scalars.insert(scalar, list);
        }
        true
    }

    fn bind(
        &mut self,
        place: DeclPlace,
        name: &ast::Ident,
        meaning: GlobalMeaning,
        is_local: bool,
    ) {
        let entries = self.lists[place.list].terms.entry(name.name.clone()).or_default();
        let first = entries.iter().find_map(|entry| entry.declared);
        if first.is_none() {
            let declared = Some(name.span);
            entries.push(Entry { at: place.at, meaning, is_local, declared, only_behind: false });
        }
        self.duplicate(name, first);
    }

    fn duplicate(&mut self, name: &ast::Ident, first: Option<Span>) {
        if let Some(first) = first {
            let (name, span) = (name.name.clone(), name.span);
            self.reports.push(NameError::DuplicateDefinition { name, span, first });
        }
    }

    fn module(
        &mut self,
        module: &'a ModuleExpr,
        place: DeclPlace,
        program: &'a ast::Program,
    ) -> Module {
        match module {
            ModuleExpr::Name(path) => self.module_path(path, place),
            ModuleExpr::Import(import) => self.imported(import, program),
            ModuleExpr::Body(decls, _) => Module::List(self.list(decls, Some(place), program)),
            ModuleExpr::Error(_) => Module::Wrong,
        }
    }

    /// The module of an imported file. A file that could not be loaded was reported.
    fn imported(&self, import: &ast::Import, program: &ast::Program) -> Module {
        let key = (import.span.file, import.path.clone());
        let file = program.imports.get(&key).and_then(|file| self.files.get(file));
        file.map_or(Module::Wrong, |&list| Module::List(list))
    }

    /// The module that has this path before `place`.
    fn module_path(&mut self, path: &ast::QualName, place: DeclPlace) -> Module {
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
        for name in &names[1..] {
            let Module::List(list) = module else { return Module::Wrong };
            module = match self.exported(list, &name.name) {
                Some(GlobalMeaning::Module(module)) => module,
                Some(GlobalMeaning::Def(_) | GlobalMeaning::Member(..)) | None => {
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
        self.reports.push(NameError::UnknownModule { name, span, of, declared, near });
        Module::Wrong
    }

    /// Makes the names of a module visible without a qualifier.
    fn open(&mut self, module: Module, place: DeclPlace, is_local: bool, only_behind: bool) {
        self.opens_wrong |= module == Module::Wrong;
        let terms = self.meanings(module);
        let types: Vec<_> = match module {
            Module::List(from) => exported(&self.lists[from].types).map(owned).collect(),
            Module::Scalar(_) | Module::Wrong => Vec::new(),
        };
        let (at, declared) = (place.at, None);
        let list = &mut self.lists[place.list];
        for (name, meaning) in terms {
            let entry = Entry { at, meaning, is_local, declared, only_behind };
            list.terms.entry(name).or_default().push(entry);
        }
        for (name, meaning) in types {
            let entry = Entry { at, meaning, is_local, declared, only_behind };
            list.types.entry(name).or_default().push(entry);
        }
    }

    /// Keeps only some definitions, under new ids.
    pub(crate) fn retain_defs(&mut self, kept: &IndexMap<DefId, DefId>) {
        self.defs = kept.keys().map(|&old| self.defs[old]).collect();
        self.places = kept.keys().map(|&old| self.places[old]).collect();
        for list in self.lists.values_mut() {
            for entry in list.terms.values_mut().flatten() {
                if let GlobalMeaning::Def(def) = &mut entry.meaning {
                    // An unreachable name is kept only for suggestions, so its meaning is not needed.
                    *def = kept.get(def).copied().unwrap_or(DefId::reserved_value());
                }
            }
        }
    }
}

/// The meaning of each name outside its list, where the list is opened.
fn exported<T: Copy>(entries: &IndexMap<Name, Vec<Entry<T>>>) -> impl Iterator<Item = (&Name, T)> {
    entries.iter().filter_map(|(name, entries)| Some((name, last_export(entries)?)))
}

fn owned<T>((name, meaning): (&Name, T)) -> (Name, T) {
    (name.clone(), meaning)
}

fn last_export<T: Copy>(entries: &[Entry<T>]) -> Option<T> {
    entries.iter().rev().find(|entry| !entry.is_local).map(|entry| entry.meaning)
}

//! The meanings of names of definitions, modules and types at a place of a program.
//!
//! Invariant: modules exist only here. A definition in a module is a definition like any other. The list of
//! declarations that a place is in gives the meaning of a name or a path there. To apply a parametric module means to
//! read its text again, as a list in which the parameter is the module that is given.
//!
//! ```text
//! import "geometry"   module m = { def f x = area x }   def g = m.f
//! ⇒ lists: prelude ◁ geometry: area    prelude ◁ root: area, m, g ◁ m: f
//! ```
//!
//! The innermost braces that declare a name decide its meaning. (In a file of Futhark, only declarations before the
//! place count.) The name means the last declaration of it before the
//! place. If all its declarations there stand after the place, it means the first of them, so that definitions can be
//! in any order. Values and modules share one space of names, and types have another.

mod functors;
mod lookup;
mod signatures;

use indexmap::{IndexMap, IndexSet};

pub(crate) use self::functors::DefOrigin;
use self::functors::Functor;
pub(crate) use self::lookup::module_of;
pub(crate) use self::signatures::{Ascription, HiddenType, SpecValue, TypeCheck};
use super::super::error::NameError;
use super::super::report::Reporter;
use super::builtin::Member;
use super::order;
use super::order::Group;
use crate::places::{DeclarationKind, Meaning};
use arrc_syntax::ast;
use arrc_syntax::ast::{Decl, ModuleExpr};
use arrc_syntax::ids::{
    AscriptionId, DefId, EntityRef, FileId, FunctorId, ListId, PrimaryMap, ReservedValue,
    SecondaryMap, SignatureId, TypeId,
};
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Module {
    /// The declarations of a file or between braces.
    List(ListId),
    /// The module of a scalar type.
    Scalar(Scalar),
    /// A parametric module.
    Functor(FunctorId),
    /// A module with an error that was reported.
    Wrong,
}

/// The meaning of a name of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypeMeaning {
    /// A declared type.
    Declared(TypeId),
    /// A scalar type, as the type `t` of its module.
    Scalar(Scalar),
}

/// A declared type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypeDecl<'a> {
    /// Its name.
    pub(crate) name: &'a ast::Ident,
    /// Its size parameters.
    pub(crate) sizes: &'a [ast::Ident],
    /// Its type parameters.
    pub(crate) types: &'a [ast::Ident],
    /// What it stands for; none if a module hides that.
    pub(crate) body: Option<&'a ast::Type>,
    /// The place of the declaration.
    pub(crate) place: DeclPlace,
    /// The whole declaration.
    pub(crate) span: Span,
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
    types: IndexMap<Name, Vec<Entry<TypeMeaning>>>,
    signatures: IndexMap<Name, Vec<Entry<SignatureId>>>,
    /// The scalar type that `t` stands for here.
    scalar: Option<Scalar>,
    /// Whether a name can be used only after its declaration.
    is_in_order: bool,
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
    /// Why each definition is there.
    pub(crate) origins: SecondaryMap<DefId, DefOrigin>,
    /// The values that module types ask for, with what gives them.
    pub(crate) values: IndexMap<DefId, SpecValue>,
    /// The declared types.
    pub(crate) types: PrimaryMap<TypeId, TypeDecl<'a>>,
    /// The types that modules hide.
    pub(crate) hidden: IndexMap<TypeId, HiddenType>,
    /// The types of modules that must be those that module types say.
    pub(crate) type_checks: Vec<TypeCheck>,
    /// The places where modules get types.
    pub(crate) ascriptions: PrimaryMap<AscriptionId, Ascription>,
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
    /// The files in which a name can be used only after its declaration.
    in_order: IndexSet<FileId>,
    functors: PrimaryMap<FunctorId, Functor<'a>>,
    signatures: PrimaryMap<SignatureId, (&'a ast::ModuleType, DeclPlace)>,
    /// Why the definitions that are declared now are there.
    origin: DefOrigin,
    /// The parametric modules that are applied now, outermost first.
    applied: Vec<FunctorId>,
    /// The names of modules, and where each is declared first.
    module_names: IndexMap<Module, Span>,
    /// The places of the names of module types.
    signature_names: IndexMap<SignatureId, Span>,
    /// What the names of modules and module types mean where they are used.
    pub(crate) uses: Vec<(Span, Meaning)>,
    /// The refinements that fixed a type of their module type.
    used_refinements: Vec<Span>,
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
        if file.is_in_order {
            self.in_order.insert(file.id);
        }
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
        let file = decls.first().map(|decl| decl.span().file);
        let is_in_order = file.is_some_and(|file| self.in_order.contains(&file));
        let list = self.lists.push(DeclList { around, scalar, is_in_order, ..DeclList::default() });
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
                let id = self.add_def(def, place);
                self.bind(place, &def.name, GlobalMeaning::Def(id), is_local);
            }
            Decl::Type(def) => {
                let ast::TypeDef { name, sizes, types, body, span, .. } = def;
                let (body, span) = (Some(body), *span);
                let meaning = self.types.push(TypeDecl { name, sizes, types, body, place, span });
                self.bind_type(place, name, TypeMeaning::Declared(meaning), is_local);
            }
            Decl::Module(def) if self.scalar_modules(def, place, program) => {}
            Decl::Module(def) => {
                let module = self.module_def(def, place, program);
                self.bind(place, &def.name, GlobalMeaning::Module(module), is_local);
            }
            Decl::ModuleType(def) => {
                let meaning = self.signatures.push((&def.body, place));
                self.signature_names.insert(meaning, def.name.span);
                let entries = &mut self.lists[place.list].signatures;
                let first = declare_in(entries, place, &def.name, meaning, is_local);
                self.duplicate(&def.name, first);
                self.check_signature(def, place, program);
            }
            Decl::Open(open) => {
                let module = self.module(&open.module, &Name::from("open"), place, program);
                let module = self.complete(module, open.module.span());
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

    /// Adds a definition without a name.
    fn add_def(&mut self, def: &'a ast::Def, place: DeclPlace) -> DefId {
        let id = self.defs.push(def);
        self.places.push(place);
        self.origins[id] = self.origin;
        id
    }

    fn bind(
        &mut self,
        place: DeclPlace,
        name: &ast::Ident,
        meaning: GlobalMeaning,
        is_local: bool,
    ) {
        if let GlobalMeaning::Module(module @ (Module::List(_) | Module::Functor(_))) = meaning {
            self.module_names.entry(module).or_insert(name.span);
        }
        let entries = &mut self.lists[place.list].terms;
        let first = declare_in(entries, place, name, meaning, is_local);
        self.duplicate(name, first);
    }

    fn bind_type(
        &mut self,
        place: DeclPlace,
        name: &ast::Ident,
        meaning: TypeMeaning,
        is_local: bool,
    ) {
        let entries = &mut self.lists[place.list].types;
        let first = declare_in(entries, place, name, meaning, is_local);
        self.duplicate(name, first);
    }

    fn duplicate(&mut self, name: &ast::Ident, first: Option<Span>) {
        if let Some(first) = first {
            let (name, span) = (name.name.clone(), name.span);
            self.reports.push(NameError::DuplicateDefinition { name, span, first });
        }
    }

    /// The module of an imported file. A file that could not be loaded was reported.
    fn imported(&self, import: &ast::Import, program: &ast::Program) -> Module {
        let key = (import.span.file, import.path.clone());
        let file = program.imports.get(&key).and_then(|file| self.files.get(file));
        file.map_or(Module::Wrong, |&list| Module::List(list))
    }

    /// Makes the names of a module visible without a qualifier.
    fn open(&mut self, module: Module, place: DeclPlace, is_local: bool, only_behind: bool) {
        self.opens_wrong |= module == Module::Wrong;
        let terms = self.meanings(module);
        let types = self.exported_types(module);
        let signatures: Vec<_> = match module {
            Module::List(from) => exported(&self.lists[from].signatures).map(owned).collect(),
            Module::Scalar(_) | Module::Functor(_) | Module::Wrong => Vec::new(),
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
        for (name, meaning) in signatures {
            let entry = Entry { at, meaning, is_local, declared, only_behind };
            list.signatures.entry(name).or_default().push(entry);
        }
    }

    /// Where the name of a module is declared, if it has one.
    pub(crate) fn module_name(&self, module: Module) -> Option<Span> {
        self.module_names.get(&module).copied()
    }

    /// Notes that a name stands for a module.
    fn note_module(&mut self, span: Span, module: Module) {
        let meaning = match module {
            Module::Scalar(scalar) => Some(Meaning::Scalar(scalar)),
            Module::List(_) | Module::Functor(_) | Module::Wrong => {
                self.module_name(module).map(Meaning::Declared)
            }
        };
        self.uses.extend(meaning.map(|meaning| (span, meaning)));
    }

    /// The names of modules, types and module types, where they are declared.
    pub(crate) fn declared(&self) -> Vec<(Span, DeclarationKind)> {
        let modules = self.module_names.values().map(|span| (*span, DeclarationKind::Module));
        let types = self.types.values().map(|of| (of.name.span, DeclarationKind::Type));
        let signatures = self.signature_names.values();
        let signatures = signatures.map(|span| (*span, DeclarationKind::ModuleType));
        modules.chain(types).chain(signatures).collect()
    }

    /// Keeps only some definitions, under new ids.
    pub(crate) fn retain_defs(&mut self, kept: &IndexMap<DefId, DefId>) {
        self.defs = kept.keys().map(|&old| self.defs[old]).collect();
        self.places = kept.keys().map(|&old| self.places[old]).collect();
        let mut origins = SecondaryMap::new();
        kept.iter().for_each(|(&old, &new)| origins[new] = self.origins[old]);
        self.origins = origins;
        for list in self.lists.values_mut() {
            for entry in list.terms.values_mut().flatten() {
                if let GlobalMeaning::Def(def) = &mut entry.meaning {
                    // An unreachable name is kept only for suggestions, so its meaning is not needed.
                    *def = kept.get(def).copied().unwrap_or(DefId::reserved_value());
                }
            }
        }
        let renamed = |mut value: SpecValue| {
            if let Some(GlobalMeaning::Def(def)) = &mut value.given {
                *def = kept.get(def).copied().unwrap_or(DefId::reserved_value());
            }
            value
        };
        let values = std::mem::take(&mut self.values).into_iter();
        let values = values.filter_map(|(id, value)| Some((*kept.get(&id)?, renamed(value))));
        self.values = values.collect();
    }
}

/// Declares a name in a list, if it is the first declaration. Otherwise returns the place of the first.
fn declare_in<T: Copy>(
    entries: &mut IndexMap<Name, Vec<Entry<T>>>,
    place: DeclPlace,
    name: &ast::Ident,
    meaning: T,
    is_local: bool,
) -> Option<Span> {
    let entries = entries.entry(name.name.clone()).or_default();
    let first = entries.iter().find_map(|entry| entry.declared);
    if first.is_none() {
        let declared = Some(name.span);
        entries.push(Entry { at: place.at, meaning, is_local, declared, only_behind: false });
    }
    first
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

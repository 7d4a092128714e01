//! Names at the place of the walk: local names, names of modules that are opened around the place, and definitions.
//!
//! Invariant: a local name hides a name of an opened module, and that one hides the name of a definition. Nothing
//! here knows types that are still to be found.
//!
//! ```text
//! let m = … in m.(f x)   ⇒   f: of `m`, if it has one; else local, else a definition
//! ```

pub(super) mod builtin;
pub(super) mod globals;
pub(super) mod order;
pub(super) mod scope;

use std::mem;
use std::rc::Rc;

use self::globals::{DeclPlace, GlobalMeaning, Globals, Module, ResolvedPath, TypeMeaning};
use self::scope::{Local, Scope};
use super::annotation::Abbreviation;
use super::decl::DefInterface;
use arrc_syntax::ast;
use arrc_syntax::ids::{DefId, FileId, PrimaryMap, SecondaryMap, TypeId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// The names, and the definitions behind them.
pub(crate) struct Environment<'a> {
    /// The local names of the definition that is walked.
    pub(crate) scope: Scope,
    /// The definitions.
    pub(crate) globals: Globals<'a>,
    /// The type abbreviations of the prelude and the files.
    pub(crate) abbreviations: PrimaryMap<TypeId, Abbreviation<'a>>,
    /// The facts on each definition that was walked.
    known: SecondaryMap<DefId, Option<Rc<DefInterface>>>,
    /// The place among the declarations.
    place: DeclPlace,
    /// The modules that are opened around the place.
    opened: Vec<Module>,
    /// The prelude's file, which is not the user's.
    prelude: FileId,
}

/// The names in scope at a place that the walk leaves for another definition.
pub(crate) struct SavedScope {
    scope: Scope,
    place: DeclPlace,
    opened: Vec<Module>,
}

impl<'a> Environment<'a> {
    /// The environment before the first definition.
    pub(crate) fn new(globals: Globals<'a>, prelude: FileId) -> Self {
        Self {
            scope: Scope::default(),
            globals,
            abbreviations: PrimaryMap::new(),
            known: SecondaryMap::new(),
            place: DeclPlace::default(),
            opened: Vec::new(),
            prelude,
        }
    }

    /// A definition as written.
    pub(crate) fn def(&self, id: DefId) -> &'a ast::Def {
        self.globals.defs[id]
    }

    /// The facts on a definition, or none if it is not walked yet, or is wrong.
    pub(crate) fn interface(&self, def: DefId) -> Option<&Rc<DefInterface>> {
        self.known.get(def).and_then(Option::as_ref)
    }

    /// Remembers the facts on a definition.
    pub(crate) fn know(&mut self, def: DefId, known: Option<DefInterface>) {
        self.known[def] = known.map(Rc::new);
    }

    /// Goes to the place of a definition.
    pub(crate) fn enter(&mut self, def: DefId) {
        self.place = self.globals.places[def];
    }

    /// Adds a definition with the same text and place as `template`.
    pub(crate) fn add_instance(&mut self, template: DefId) -> DefId {
        let id = self.globals.defs.push(self.globals.defs[template]);
        self.globals.places.push(self.globals.places[template]);
        self.globals.origins[id] = self.globals.origins[template];
        id
    }

    /// Leaves the place for the place of another definition.
    pub(crate) fn suspend(&mut self) -> SavedScope {
        let (scope, opened) = (mem::take(&mut self.scope), mem::take(&mut self.opened));
        SavedScope { scope, place: self.place, opened }
    }

    /// Comes back to a place.
    pub(crate) fn resume(&mut self, around: SavedScope) {
        let SavedScope { scope, place, opened } = around;
        (self.scope, self.place, self.opened) = (scope, place, opened);
    }

    /// Leaves the place for the place of an abbreviation. Modules that are opened around the place stay open.
    pub(crate) fn suspend_for_type(&mut self, id: TypeId) -> (Scope, DeclPlace) {
        let place = mem::replace(&mut self.place, self.globals.types[id].place);
        (mem::take(&mut self.scope), place)
    }

    /// Comes back from an abbreviation.
    pub(crate) fn resume_from_type(&mut self, (scope, place): (Scope, DeclPlace)) {
        (self.scope, self.place) = (scope, place);
    }

    /// Opens a module.
    pub(crate) fn open(&mut self, module: Module) {
        for (name, meaning) in self.globals.meanings(module) {
            self.scope.bind(name, Local::Opened(meaning));
        }
        self.opened.push(module);
    }

    /// Closes the module that was opened last. The caller leaves the scope.
    pub(crate) fn close(&mut self) {
        self.opened.pop();
    }

    /// The meaning of a dotted path, if its first name is not that of a variable.
    pub(crate) fn path(&self, names: &[Name]) -> Option<ResolvedPath> {
        match self.scope.get(&names[0]) {
            Some(Local::Opened(meaning)) => Some(self.globals.path_from(*meaning, names)),
            Some(Local::Var(..) | Local::Size(..)) => None,
            None => Some(self.globals.path(self.place, names)),
        }
    }

    /// The meaning of a name of a value that is not local.
    pub(crate) fn term(&self, name: &Name) -> Option<GlobalMeaning> {
        self.globals.term(self.place, name)
    }

    /// Whether a name of a value means something.
    pub(crate) fn has_term(&self, name: &Name) -> bool {
        self.scope.get(name).is_some() || self.term(name).is_some()
    }

    /// Whether a name of a type means something.
    pub(crate) fn has_type(&self, name: &Name) -> bool {
        let is_local = self.scope.get_type(name).is_some();
        is_local || self.globals.type_name(self.place, name).is_some()
    }

    /// The abbreviation that a path means.
    pub(crate) fn type_path(&self, path: &[Name]) -> Option<TypeMeaning> {
        let (name, quals) = path.split_last()?;
        let opened = self.opened.iter().rev().filter(|_| quals.is_empty());
        let mut opened = opened.filter_map(|&module| self.globals.exported_type(module, name));
        opened.next().or_else(|| self.globals.type_path(self.place, path))
    }

    /// The scalar type that a name means.
    pub(crate) fn scalar(&self, name: &Name) -> Option<Scalar> {
        self.globals.scalar(self.place, name)
    }

    /// The names of definitions that can be seen.
    pub(crate) fn terms(&self) -> Vec<Name> {
        self.globals.names(self.place)
    }

    /// The names of abbreviations that can be seen.
    pub(crate) fn type_names(&self) -> Vec<Name> {
        self.globals.type_names(self.place)
    }

    /// The names of modules that can be seen.
    pub(crate) fn module_names(&self) -> Vec<Name> {
        self.globals.module_names(self.place)
    }

    /// The members of the modules that can be seen, each with the path to its module.
    pub(crate) fn members_in_sight(&self) -> Vec<(String, Name)> {
        self.globals.members_in_sight(self.place)
    }

    /// The members of the module that a path means.
    pub(crate) fn module_members(&self, path: &[Name]) -> Vec<Name> {
        self.globals.module_members(self.place, path)
    }

    /// The names of the types that a module exports.
    pub(crate) fn exported_types_of(&self, path: &[Name]) -> Vec<Name> {
        let module = self.path(path).and_then(|meaning| globals::module_of(meaning, path));
        let types = module.map(|module| self.globals.exported_types(module)).unwrap_or_default();
        types.into_iter().map(|(name, _)| name).collect()
    }

    /// Whether a place is in the user's file.
    pub(crate) fn is_user(&self, span: Span) -> bool {
        span.file != self.prelude
    }
}

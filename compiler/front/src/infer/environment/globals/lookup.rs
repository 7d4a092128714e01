//! Names and paths are looked up here, after all declarations are known.
//!
//! Invariant: nothing is changed.
//!
//! ```text
//! shapes.names.unit   ⇒   ResolvedPath::Def(unit, 3)        f64.sqrt   ⇒   ResolvedPath::Member(f64, sqrt, 2)
//! ```

use super::super::builtin;
use super::{
    DeclList, DeclPlace, Entry, GlobalMeaning, Globals, Module, ResolvedPath, TypeMeaning,
    exported, last_export, owned,
};
use arrc_syntax::ast;
use arrc_syntax::ids::{DefId, EntityRef, FileId, ListId, SignatureId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// The module that a path means, if it means one. Where a module is expected, the name of a scalar type means its
/// module.
pub(crate) fn module_of(meaning: ResolvedPath, path: &[Name]) -> Option<Module> {
    match (meaning, Scalar::from_name(&path[0])) {
        (ResolvedPath::Module(module), _) => Some(module),
        (ResolvedPath::Wrong, _) => Some(Module::Wrong),
        (ResolvedPath::Unknown | ResolvedPath::Member(..), Some(scalar)) if path.len() == 1 => {
            Some(Module::Scalar(scalar))
        }
        (
            ResolvedPath::Def(..)
            | ResolvedPath::Member(..)
            | ResolvedPath::Reduce(_)
            | ResolvedPath::NoMember { .. }
            | ResolvedPath::Unknown,
            _,
        ) => None,
    }
}

/// The type in a scalar type's module: `t` is the type itself, and `int_t` has the bits of a float.
fn scalar_type(scalar: Scalar, name: &str) -> Option<Scalar> {
    match name {
        "t" => Some(scalar),
        "int_t" if scalar.is_float() => scalar.bits_type(),
        _ => None,
    }
}

impl Globals<'_> {
    /// Whether a name may be declared in text that could not be read.
    pub(crate) fn may_be_lost(&self, name: &Name) -> bool {
        self.gaps.values().any(|gaps| gaps.may_declare(name))
    }

    /// Whether a name without qualifiers may be declared in text that could not be read, or in a module with an
    /// error.
    pub(crate) fn may_be_opened(&self, name: &Name) -> bool {
        self.opens_wrong || self.may_be_lost(name)
    }

    /// Whether the whole text at a place was read by guessing.
    pub(crate) fn is_guess(&self, span: Span) -> bool {
        self.gaps.get(&span.file).is_some_and(|gaps| gaps.covers(span))
    }

    /// Whether some of the text at a place was read by guessing.
    pub(crate) fn is_doubtful(&self, span: Span) -> bool {
        self.gaps.get(&span.file).is_some_and(|gaps| gaps.is_doubtful(span))
    }

    /// The meaning of a name of a value or a module.
    pub(crate) fn term(&self, place: DeclPlace, name: &Name) -> Option<GlobalMeaning> {
        self.look_up(place, |list| list.terms.get(name))
    }

    /// The meaning of a name of a type.
    pub(crate) fn type_name(&self, place: DeclPlace, name: &Name) -> Option<TypeMeaning> {
        self.look_up(place, |list| list.types.get(name))
    }

    /// The meaning of a path of a type.
    pub(crate) fn type_path(&self, place: DeclPlace, path: &[Name]) -> Option<TypeMeaning> {
        let (name, quals) = path.split_last()?;
        if quals.is_empty() {
            return self.type_name(place, name);
        }
        self.exported_type(module_of(self.path(place, quals), quals)?, name)
    }

    /// The meaning of a path of a module type.
    pub(super) fn signature(&self, place: DeclPlace, path: &[Name]) -> Option<SignatureId> {
        let (name, quals) = path.split_last()?;
        if quals.is_empty() {
            // Only the declarations above count, so that no module type is made of itself.
            return self.enclosing_places(place).find_map(|place| {
                let entries = self.lists[place.list].signatures.get(name)?;
                let above = entries.iter().rev().find(|entry| entry.at < place.at);
                above.map(|entry| entry.meaning)
            });
        }
        let Module::List(list) = module_of(self.path(place, quals), quals)? else { return None };
        last_export(self.lists[list].signatures.get(name)?)
    }

    /// The names of module types that can be seen.
    pub(super) fn signature_names(&self, place: DeclPlace) -> Vec<Name> {
        self.enclosing_lists(place).flat_map(|list| list.signatures.keys().cloned()).collect()
    }

    /// The meaning of a path of names.
    pub(crate) fn path(&self, place: DeclPlace, path: &[Name]) -> ResolvedPath {
        match self.term(place, &path[0]) {
            Some(meaning) => self.path_from(meaning, path),
            None => self.scalar_path(path),
        }
    }

    /// The meaning of a path whose first name has this meaning.
    pub(crate) fn path_from(&self, meaning: GlobalMeaning, path: &[Name]) -> ResolvedPath {
        match meaning {
            GlobalMeaning::Def(def) => ResolvedPath::Def(def, 1),
            GlobalMeaning::Module(module) => self.path_in(module, path),
            // `open f64` makes the name `i64` mean the function `f64.i64`, which converts from `i64`. A function has
            // no members, so a longer path means the module `i64`.
            GlobalMeaning::Member(..)
                if path.len() > 1 && Scalar::from_name(&path[0]).is_some() =>
            {
                self.scalar_path(path)
            }
            GlobalMeaning::Member(scalar, member) => ResolvedPath::Member(scalar, member, 1),
        }
    }

    /// The meaning of a path whose first name no list declares. The name may be that of a scalar type, or that of a
    /// reduction for numbers of any type.
    fn scalar_path(&self, path: &[Name]) -> ResolvedPath {
        match Scalar::from_name(&path[0]) {
            Some(scalar) if path.len() > 1 => self.path_in(Module::Scalar(scalar), path),
            Some(_) => ResolvedPath::Unknown,
            None => {
                builtin::reduction(&path[0]).map_or(ResolvedPath::Unknown, ResolvedPath::Reduce)
            }
        }
    }

    /// The meaning of a path whose first name is a module.
    fn path_in(&self, mut module: Module, path: &[Name]) -> ResolvedPath {
        for (at, name) in path.iter().enumerate().skip(1) {
            if module == Module::Wrong {
                return ResolvedPath::Wrong;
            }
            match self.exported_by(module, name) {
                Some(GlobalMeaning::Def(def)) => return ResolvedPath::Def(def, at + 1),
                Some(GlobalMeaning::Member(scalar, member)) => {
                    return ResolvedPath::Member(scalar, member, at + 1);
                }
                Some(GlobalMeaning::Module(inner)) => module = inner,
                None => return ResolvedPath::NoMember { module, at },
            }
        }
        ResolvedPath::Module(module)
    }

    /// The meaning of a name that a module exports.
    pub(crate) fn exported_by(&self, module: Module, name: &Name) -> Option<GlobalMeaning> {
        match module {
            Module::List(list) => self.exported(list, name),
            Module::Scalar(scalar) => match builtin::member(scalar, name) {
                Some(member) => Some(GlobalMeaning::Member(scalar, member)),
                None => self.scalar_member(scalar, name),
            },
            Module::Functor(_) | Module::Wrong => None,
        }
    }

    /// The meaning of a name of a type that a module exports.
    pub(crate) fn exported_type(&self, module: Module, name: &Name) -> Option<TypeMeaning> {
        match module {
            Module::List(list) => last_export(self.lists[list].types.get(name)?),
            Module::Scalar(scalar) => scalar_type(scalar, name).map(TypeMeaning::Scalar),
            Module::Functor(_) | Module::Wrong => None,
        }
    }

    /// The types that a module exports, with their names.
    pub(crate) fn exported_types(&self, module: Module) -> Vec<(Name, TypeMeaning)> {
        match module {
            Module::List(from) => exported(&self.lists[from].types).map(owned).collect(),
            Module::Scalar(_) => ["t", "int_t"]
                .into_iter()
                .filter_map(|name| Some((name.into(), self.exported_type(module, &name.into())?)))
                .collect(),
            Module::Functor(_) | Module::Wrong => Vec::new(),
        }
    }

    /// The names that a module exports, with their meanings.
    pub(crate) fn meanings(&self, module: Module) -> Vec<(Name, GlobalMeaning)> {
        let names = self.members(module).into_iter();
        names.filter_map(|name| Some((name.clone(), self.exported_by(module, &name)?))).collect()
    }

    /// The member of this name that the prelude adds to the module of a scalar type.
    fn scalar_member(&self, scalar: Scalar, name: &Name) -> Option<GlobalMeaning> {
        self.scalars.get(&scalar).and_then(|&list| self.exported(list, name))
    }

    /// The scalar type of that name. Where the prelude declares something for several types at once, `t` is the
    /// current one.
    pub(crate) fn scalar(&self, place: DeclPlace, name: &Name) -> Option<Scalar> {
        let here =
            || self.enclosing_lists(place).find_map(|list| list.scalar).filter(|_| name == "t");
        Scalar::from_name(name).or_else(here)
    }

    /// The meaning of a name that a list exports.
    pub(super) fn exported(&self, list: ListId, name: &Name) -> Option<GlobalMeaning> {
        last_export(self.lists[list].terms.get(name)?)
    }

    /// The names that a module exports.
    pub(crate) fn members(&self, module: Module) -> Vec<Name> {
        match module {
            Module::List(list) => self.exports(list),
            Module::Scalar(scalar) => {
                let more = self.scalars.get(&scalar).map(|&list| self.exports(list));
                builtin::members(scalar).into_iter().chain(more.unwrap_or_default()).collect()
            }
            Module::Functor(_) | Module::Wrong => Vec::new(),
        }
    }

    /// The names in the module that a path means.
    pub(crate) fn module_members(&self, place: DeclPlace, path: &[Name]) -> Vec<Name> {
        let mut path = path.iter();
        let mut meaning = path.next().and_then(|head| self.term(place, head));
        for name in path {
            let Some(GlobalMeaning::Module(Module::List(list))) = meaning else {
                return Vec::new();
            };
            meaning = self.exported(list, name);
        }
        match meaning {
            Some(GlobalMeaning::Module(module)) => self.members(module),
            Some(GlobalMeaning::Def(_) | GlobalMeaning::Member(..)) | None => Vec::new(),
        }
    }

    pub(super) fn exports(&self, list: ListId) -> Vec<Name> {
        exported(&self.lists[list].terms).map(|(name, _)| name.clone()).collect()
    }

    /// The names of values and modules that can be seen.
    pub(crate) fn names(&self, place: DeclPlace) -> Vec<Name> {
        self.enclosing_lists(place).flat_map(|list| list.terms.keys().cloned()).collect()
    }

    /// The names of types that can be seen.
    pub(crate) fn type_names(&self, place: DeclPlace) -> Vec<Name> {
        self.enclosing_lists(place).flat_map(|list| list.types.keys().cloned()).collect()
    }

    /// The modules that can be seen.
    pub(crate) fn module_names(&self, place: DeclPlace) -> Vec<Name> {
        let is_module =
            |entry: &Entry<GlobalMeaning>| matches!(entry.meaning, GlobalMeaning::Module(_));
        let terms = self.enclosing_lists(place).flat_map(|list| &list.terms);
        let modules = terms.filter(|(_, entries)| entries.iter().any(is_module));
        modules.map(|(name, _)| name.clone()).collect()
    }

    /// The members of the modules that can be seen, each with the path to its module. Modules in modules are looked
    /// at, up to a depth.
    pub(crate) fn members_in_sight(&self, place: DeclPlace) -> Vec<(String, Name)> {
        const DEEPEST: usize = 3;
        let modules = self.module_names(place).into_iter().filter_map(|name| {
            let meaning = self.term(place, &name)?;
            Some((name.to_string(), meaning))
        });
        let mut open: Vec<(String, GlobalMeaning, usize)> =
            modules.map(|(path, meaning)| (path, meaning, 1)).collect();
        let mut found = Vec::new();
        while let Some((path, meaning, depth)) = open.pop() {
            let GlobalMeaning::Module(module @ Module::List(_)) = meaning else { continue };
            for (name, meaning) in self.meanings(module) {
                if depth < DEEPEST {
                    open.push((format!("{path}.{name}"), meaning, depth + 1));
                }
                found.push((path.clone(), name));
            }
        }
        found
    }

    /// `trace_as` of the prelude, if the definition is `trace`.
    pub(crate) fn named_trace_of(&self, def: DefId) -> Option<DefId> {
        let is_trace = self.prelude.get("trace") == Some(&def);
        is_trace.then(|| self.prelude.get("trace_as").copied()).flatten()
    }

    /// Whether a definition is one of the prelude's.
    pub(crate) fn is_prelude(&self, def: DefId) -> bool {
        def.index() < self.library
    }

    /// Whether a definition is an entry of the program. Only the file `root` has entries, and no module has.
    pub(crate) fn is_entry(&self, def: DefId, root: FileId) -> bool {
        let is_root = self.files.get(&root) == Some(&self.places[def].list);
        is_root && self.defs[def].kind == ast::DefKind::Entry
    }

    /// The lists from a place outwards.
    fn enclosing_lists(&self, place: DeclPlace) -> impl Iterator<Item = &DeclList> {
        self.enclosing_places(place).map(|place| &self.lists[place.list])
    }

    /// A place, and the places of the lists around it.
    fn enclosing_places(&self, place: DeclPlace) -> impl Iterator<Item = DeclPlace> {
        let outer = move |place: &DeclPlace| self.lists[place.list].around;
        std::iter::successors(Some(place), outer)
    }

    fn look_up<'l, T: Copy + 'l>(
        &'l self,
        place: DeclPlace,
        entries: impl Fn(&'l DeclList) -> Option<&'l Vec<Entry<T>>>,
    ) -> Option<T> {
        let mut place = place;
        loop {
            let list = &self.lists[place.list];
            if let Some(entries) = entries(list) {
                let is_before = |entry: &&Entry<T>| match list.is_in_order {
                    true => entry.at < place.at,
                    false => entry.at <= place.at,
                };
                let before = entries.iter().rev().find(is_before);
                let may_follow = |entry: &&Entry<T>| !entry.only_behind && !list.is_in_order;
                let behind = || entries.iter().find(may_follow);
                if let Some(entry) = before.or_else(behind) {
                    return Some(entry.meaning);
                }
            }
            place = list.around?;
        }
    }
}

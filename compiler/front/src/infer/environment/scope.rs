//! The meanings of names at a place of a definition.
//!
//! Invariant: leaving a scope takes back exactly the bindings that were made since the scope was entered.
//!
//! ```text
//! \x -> let y = x in y   ⇒   enter; bind x; bind y; look up y; leave
//! ```

use std::rc::Rc;

use indexmap::IndexMap;

use super::super::solve::Scheme;
use super::globals;
use crate::core::{Size, Type};
use arrc_syntax::ids::LocalId;
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// The meaning of a name of a value.
#[derive(Clone, Debug)]
pub(crate) enum Local {
    /// A variable.
    Var(LocalId, Rc<Scheme>),
    /// A size parameter, and the place of its name.
    Size(Size, Span),
    /// A name of a module that is opened.
    Opened(globals::GlobalMeaning),
}

/// The meaning of a name of a type: a type parameter.
#[derive(Clone, Debug)]
pub(crate) struct LocalType {
    /// The type.
    pub(crate) ty: Type,
    /// The place of its name.
    pub(crate) declared: Span,
}

/// The names of a definition that can be seen at a place.
#[derive(Default, Debug)]
pub(crate) struct Scope {
    values: IndexMap<Name, Vec<Local>>,
    types: IndexMap<Name, Vec<LocalType>>,
    undo: Vec<UndoEntry>,
}

/// A place in the history of a [`Scope`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct UndoMark(usize);

/// The bindings of a scope, so that they can be made again.
#[derive(Debug)]
pub(crate) struct Frame(Vec<(Name, Meaning)>);

/// The meaning that a name was bound to.
#[derive(Debug)]
enum Meaning {
    Value(Local),
    Type(LocalType),
}

/// A name that was bound.
#[derive(Debug)]
enum UndoEntry {
    Value(Name),
    Type(Name),
}

impl Scope {
    /// Binds a name of a value, which hides an earlier binding.
    pub(crate) fn bind(&mut self, name: Name, local: Local) {
        self.undo.push(UndoEntry::Value(name.clone()));
        self.values.entry(name).or_default().push(local);
    }

    /// Binds a name of a type.
    pub(crate) fn bind_type(&mut self, name: Name, ty: LocalType) {
        self.undo.push(UndoEntry::Type(name.clone()));
        self.types.entry(name).or_default().push(ty);
    }

    /// The meaning of a name of a value.
    pub(crate) fn get(&self, name: &Name) -> Option<&Local> {
        self.values.get(name)?.last()
    }

    /// The meaning of a name of a type.
    pub(crate) fn get_type(&self, name: &Name) -> Option<&LocalType> {
        self.types.get(name)?.last()
    }

    /// Enters a scope.
    pub(crate) fn mark(&self) -> UndoMark {
        UndoMark(self.undo.len())
    }

    /// Leaves the scope that was entered at `mark`, and returns its bindings.
    pub(crate) fn leave(&mut self, mark: UndoMark) -> Frame {
        let mut bound = Vec::new();
        for undo in self.undo.split_off(mark.0).into_iter().rev() {
            bound.push(match undo {
                UndoEntry::Value(name) => {
                    let local = self.values.get_mut(&name).and_then(Vec::pop);
                    (name, Meaning::Value(local.expect("what was bound is there")))
                }
                UndoEntry::Type(name) => {
                    let ty = self.types.get_mut(&name).and_then(Vec::pop);
                    (name, Meaning::Type(ty.expect("what was bound is there")))
                }
            });
        }
        bound.reverse();
        Frame(bound)
    }

    /// Makes the bindings of a scope that was left again.
    pub(crate) fn enter(&mut self, frame: Frame) {
        for (name, meaning) in frame.0 {
            match meaning {
                Meaning::Value(local) => self.bind(name, local),
                Meaning::Type(ty) => self.bind_type(name, ty),
            }
        }
    }

    /// The names of values that can be seen, with their meanings.
    pub(crate) fn locals(&self) -> impl Iterator<Item = (&Name, &Local)> {
        self.values.iter().filter_map(|(name, locals)| Some((name, locals.last()?)))
    }

    /// The names of values that can be seen.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        self.values.iter().filter(|(_, locals)| !locals.is_empty()).map(|(name, _)| name)
    }

    /// The names of sizes and variables that a size may be made of.
    pub(crate) fn type_names(&self) -> impl Iterator<Item = &Name> {
        self.types.iter().filter(|(_, types)| !types.is_empty()).map(|(name, _)| name)
    }
}

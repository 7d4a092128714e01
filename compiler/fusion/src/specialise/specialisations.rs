//! The specialisations of one program: which function each of them is, and those that wait to be built.
//!
//! Invariant: two requests with one description get one function, also while it is still being built.
//!
//! ```text
//! each (\x -> x * k) 3 xs   ⇒   each = #1, waits;   each (\x -> x * k) 2 ys   ⇒   #1
//! ```

use indexmap::{IndexMap, IndexSet};

use super::build::Builder;
use super::describe::Description;
use super::value::Env;
use crate::cnf::Function;
use arrc_syntax::ids::{DefId, FuncId, PrimaryMap};
use arrc_syntax::names::Name;

/// A specialisation that waits to be built.
pub(super) struct Pending<'a> {
    pub(super) func: FuncId,
    pub(super) name: Name,
    pub(super) def: DefId,
    pub(super) build: Builder,
    pub(super) env: Env<'a>,
    /// The specialisations that led to it, oldest first, and itself.
    pub(super) chain: Vec<DefId>,
}

/// The functions of the program that is made.
pub(super) struct Specialisations<'a> {
    /// The functions. A function that is being built, or waits for it, is `None`.
    functions: PrimaryMap<FuncId, Option<Function>>,
    /// The function of each specialisation.
    known: IndexMap<Description<'a>, FuncId>,
    pending: Vec<Pending<'a>>,
    /// The names of functions that are taken.
    names: IndexSet<Name>,
}

impl<'a> Specialisations<'a> {
    /// There are no functions yet. `names` are the names of the entries, which are taken.
    pub(super) fn new(names: IndexSet<Name>) -> Self {
        Self { functions: PrimaryMap::new(), known: IndexMap::new(), pending: Vec::new(), names }
    }

    /// Makes the identifier of a function that is built later.
    pub(super) fn declare(&mut self) -> FuncId {
        self.functions.push(None)
    }

    /// Stores a function that has been built.
    pub(super) fn define(&mut self, id: FuncId, function: Function) {
        self.functions[id] = Some(function);
    }

    /// The function with that description.
    pub(super) fn get(&self, description: &Description<'a>) -> Option<FuncId> {
        self.known.get(description).copied()
    }

    /// Notes that function `id` has this description.
    pub(super) fn insert(&mut self, description: Description<'a>, id: FuncId) {
        self.known.insert(description, id);
    }

    /// Adds a function that waits to be built.
    pub(super) fn push(&mut self, pending: Pending<'a>) {
        self.pending.push(pending);
    }

    /// The newest function that waits, so that an endless chain is found before it has branched.
    pub(super) fn pop(&mut self) -> Option<Pending<'a>> {
        self.pending.pop()
    }

    /// Drops all functions that wait to be built.
    pub(super) fn drop_pending(&mut self) {
        self.pending.clear();
    }

    /// A name that no function has yet.
    pub(super) fn fresh_name(&mut self, name: &Name) -> Name {
        let mut fresh = name.clone();
        let mut number = 0;
        while !self.names.insert(fresh.clone()) {
            number += 1;
            fresh = format!("{name}_{number}").into();
        }
        fresh
    }

    /// All functions.
    ///
    /// # Panics
    /// If one of them was not built.
    pub(super) fn finish(self) -> PrimaryMap<FuncId, Function> {
        let functions = self.functions.into_iter();
        functions
            .map(|(_, function)| function.expect("each function that is called was built"))
            .collect()
    }
}

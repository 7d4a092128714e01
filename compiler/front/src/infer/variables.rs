//! The variables of all definitions.
//!
//! Invariant: each id is given once. Nothing here changes when the walk leaves a scope.

use std::ops::{Index, IndexMut};

use indexmap::IndexMap;

use super::function::LocalFunction;
use super::value::SizeValue;
use crate::core::VarInfo;
use arrc_syntax::ids::{LocalId, PrimaryMap, SecondaryMap};

/// Every variable, and the facts on it.
#[derive(Default)]
pub(super) struct Variables {
    all: PrimaryMap<LocalId, VarInfo>,
    /// Their values as sizes.
    pub(super) values: SecondaryMap<LocalId, SizeValue>,
    /// Local functions, for messages.
    pub(super) functions: IndexMap<LocalId, LocalFunction>,
}

impl Variables {
    /// A new variable.
    pub(super) fn push(&mut self, info: VarInfo) -> LocalId {
        self.all.push(info)
    }

    /// The id of the next variable.
    pub(super) fn next_key(&self) -> LocalId {
        self.all.next_key()
    }

    /// All of them, by their ids.
    pub(super) fn all(&self) -> &PrimaryMap<LocalId, VarInfo> {
        &self.all
    }

    /// The table for the finished program.
    pub(super) fn into_all(self) -> PrimaryMap<LocalId, VarInfo> {
        self.all
    }
}

impl Index<LocalId> for Variables {
    type Output = VarInfo;

    fn index(&self, var: LocalId) -> &VarInfo {
        &self.all[var]
    }
}

impl IndexMut<LocalId> for Variables {
    fn index_mut(&mut self, var: LocalId) -> &mut VarInfo {
        &mut self.all[var]
    }
}

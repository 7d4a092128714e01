//! The definition that is walked: facts that the walk gathers, and that are used when the definition is closed.
//!
//! Invariant: nothing here outlives the walk over its definition.

use indexmap::IndexMap;

use super::annotation::AbbreviationSizes;
use super::cases::Patterns;
use super::holes::TypedHole;
use crate::core::{Size, Type};
use arrc_syntax::ids::{DefId, EntityRef, LocalId, SizeVar};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// The state of the walk over a definition.
pub(super) struct DefState {
    /// The definition.
    pub(super) def: DefId,
    /// The sizes that its shape parameters stand for.
    pub(super) shapes: Vec<(Name, Vec<Size>)>,
    /// The parameters in scope, for messages.
    pub(super) params: Vec<(LocalId, Type)>,
    /// The local functions in scope, by name.
    pub(super) local_functions: Vec<Name>,
    /// For the place of each name of a variable, the variable that it stands for.
    pub(super) uses: IndexMap<Span, LocalId>,
    /// The holes.
    pub(super) holes: Vec<TypedHole>,
    /// The patterns that are still to be checked.
    pub(super) patterns: Patterns,
    /// The sizes that the places of calls have to determine.
    pub(super) wanted: Vec<UndeterminedSize>,
    /// The constant lengths of arrays with which loops begin, by the size of the array in the loop.
    pub(super) initial: IndexMap<SizeVar, i64>,
    /// The sizes that abbreviations bring into the result type that is read, if one is being read.
    pub(super) brought: Option<AbbreviationSizes>,
}

/// A size of a call's result that no argument determines.
#[derive(Clone, Debug)]
pub(super) struct UndeterminedSize {
    /// The called function.
    pub(super) def: DefId,
    /// The size in its type.
    pub(super) own: SizeVar,
    /// The size at this place.
    pub(super) size: Size,
    /// The place.
    pub(super) span: Span,
}

impl Default for DefState {
    fn default() -> Self {
        Self::new(DefId::new(0), Vec::new())
    }
}

impl DefState {
    /// The state at the beginning of a definition.
    pub(super) fn new(def: DefId, shapes: Vec<(Name, Vec<Size>)>) -> Self {
        Self {
            def,
            shapes,
            params: Vec::new(),
            local_functions: Vec::new(),
            uses: IndexMap::new(),
            holes: Vec::new(),
            patterns: Patterns::default(),
            wanted: Vec::new(),
            initial: IndexMap::new(),
            brought: None,
        }
    }
}

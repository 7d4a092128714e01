//! Typed identifiers: newtypes over `u32` that print as they read (`n3`, `v7`).
//!
//! Invariant: an id is only meaningful together with the table that made it; ids are handed out in
//! program order, so iterating a table is deterministic.

use std::convert::Infallible;

pub use cranelift_entity::entity_impl;
pub use cranelift_entity::packed_option::ReservedValue;
pub use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);
    )*};
}

ids! {
    /// A source file.
    FileId = "file";
    /// A top-level definition of `core`.
    DefId = "def";
    /// A local variable of `core`: one table for the whole program.
    LocalId = "v";
    /// A list of declarations: of a file or of a module.
    ListId = "list";
    /// A type abbreviation, or a type that a module hides.
    TypeId = "type";
    /// A parametric module, with the names that its text sees.
    FunctorId = "functor";
    /// A module type, with the names that its text sees.
    SignatureId = "signature";
    /// A place where a module gets a type.
    AscriptionId = "ascription";
    /// A quantified type parameter of `core`.
    TypeVar = "t";
    /// A size symbol of `core`: one table for the whole program.
    SizeVar = "k";
    /// A first-order function of `cnf` and later.
    FuncId = "f";
    /// A variable of `cnf` and later: one table for each function.
    VarId = "v";
    /// A size of `cnf` and later, a symbol that stands for one run-time extent: one table for each function.
    SizeId = "k";
    /// A C function that the program is linked with.
    ExternalId = "x";
    /// A combinator of one block, in the dependency graph.
    NodeId = "n";
    /// A cluster of nodes: one pass over memory.
    ClusterId = "c";
    /// A series of a process (paper 002, section 3.1).
    SeriesId = "s";
    /// A rate: how often a series yields within one pass (paper 002, section 3.2).
    RateId = "r";
    /// A selector that relates an outer to an inner rate (paper 002, section 3.4).
    SelId = "sel";
    /// An accumulator of a procedure (paper 002, figure 6).
    AccId = "acc";
}

/// What a phase without such variables has in their place.
impl From<Infallible> for VarId {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

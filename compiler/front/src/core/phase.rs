//! The phases of core expressions. Before the types of its definition are solved, an expression has parts that core
//! does not have.
//!
//! Invariant: an expression of a phase cannot contain parts of another phase. `infer` has a phase of its own, which
//! no other module can name.
//!
//! ```text
//! Expr⟨Open⟩ x + 1 : ?3   ──infer::finish──▶   Expr⟨Solved⟩ x + 1i64 : i64
//! ```

use std::fmt;

use arrc_syntax::ids::LocalId;
use arrc_syntax::prim::Const;

/// A phase.
pub trait Phase: Clone + fmt::Debug {
    /// The type of literals.
    type Literal: Clone + fmt::Debug;
    /// The type of uses of local variables.
    type Local: Clone + fmt::Debug;
}

/// All types are known: a literal is a constant of its type.
#[derive(Clone, Copy, Debug)]
pub struct Solved;

impl Phase for Solved {
    type Literal = Const;
    type Local = LocalId;
}

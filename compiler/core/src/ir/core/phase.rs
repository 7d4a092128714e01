//! The phases of core expressions: before its definition is solved, an expression has parts that core does not have.
//!
//! Invariant: a part that a phase does not have cannot be made in it. `infer` has a phase of its own, which nothing
//! outside of it can name.
//!
//! ```text
//! Expr⟨Open⟩ x + 1 : ?3   ──infer::finish──▶   Expr⟨Solved⟩ x + 1i64 : i64
//! ```

use std::fmt;

use crate::ids::LocalId;
use crate::prim::Const;

/// A phase.
pub trait Phase: Clone + fmt::Debug {
    /// What a literal is.
    type Literal: Clone + fmt::Debug;
    /// What a local variable is where it is used.
    type Local: Clone + fmt::Debug;
}

/// All types are known: a literal is a constant of its type.
#[derive(Clone, Copy, Debug)]
pub struct Solved;

impl Phase for Solved {
    type Literal = Const;
    type Local = LocalId;
}

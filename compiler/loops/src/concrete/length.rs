//! Numbers of elements.
//!
//! Invariant: a number of elements is known before the pass that has it.
//!
//! ```text
//! length xs      (n)      (length xs * length ys)
//! ```

use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::VarId;

/// A number of elements that is known before the pass.
#[derive(Clone, PartialEq, Debug)]
pub enum Length {
    /// The length of an array.
    Array(VarId),
    /// A scalar, `i64`; checked not to be negative by [`Start::CheckSize`](super::Start::CheckSize).
    Value(Atom),
    /// The product of two.
    Product(Box<Length>, Box<Length>),
}

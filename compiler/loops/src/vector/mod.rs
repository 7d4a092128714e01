//! Loop nests in a shape that the lowering can run in vectors: loop distribution of updates, and fission of wide
//! passes.
//!
//! Invariant: each result is computed from the same elements in the same order as before.
//!
//! ```text
//! { y = x / d; a with [k] = a[k] + y }  ⇒  { y = x / d; guard true { a with [k] = a[k] + y } }
//! ```

pub mod defer_updates;
pub mod fission;

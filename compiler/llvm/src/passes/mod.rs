//! Passes over LLVM's IR, beside LLVM's own: they mend what its optimiser or its back end makes of our loops.
//!
//! Invariant: afterwards the IR has the results that the lowering gave it, and verifies. Each is about one pattern,
//! which its file shows.
//!
//! ```text
//! load 8 lanes at p; load 8 lanes at p + 4; load 8 lanes at p + 8  ⇒  load at p; load at p + 8; lanes of both
//! ```

pub(crate) mod masked_stores;
pub(crate) mod overlapping_loads;
pub(crate) mod reduction_zeros;
pub(crate) mod row_addresses;

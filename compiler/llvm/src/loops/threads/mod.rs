//! Passes that several threads run: the functions of a slice, and what slices exchange.
//!
//! Invariant: the bits of a result depend neither on the number of slices nor on which thread runs each.
//!
//! ```text
//! for i in 0 … n { s = s + xs[i] }  ⇒  slice(from, to) { t = 0; for i in from … to { t = t + xs[i] } }, join(s, t) { s + t }
//! ```

pub(super) mod carried_scans;
pub(super) mod filled_vectors;
mod slice_functions;
pub(super) mod slices;
pub(super) mod thread_bins;

//! Where the arrays of a pass lie in memory, and in which order memory is read: vectors that grow, strides, tiles for
//! the caches.
//!
//! Invariant: a result depends neither on the size of a buffer nor on that of a tile.
//!
//! ```text
//! s = s + x[i], where x has a stride  ⇒  for each strip { gather the strip into a buffer; s = s + buffer[i] }
//! ```

pub(super) mod column_tiling;
pub(super) mod gathering;
pub(super) mod growing;

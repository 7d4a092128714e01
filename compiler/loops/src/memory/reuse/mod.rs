//! Passes and updates write in the memory of arrays that end there.
//!
//! Invariant: the array has no other owner, and each element is read before it is overwritten.
//!
//! ```text
//! ys = newVecI (n); …; release xs  ⇒  ys = newVecI (n) over xs
//! ```

pub(crate) mod append_in_place;
pub(crate) mod delay_updates;
pub(crate) mod overwrite;
pub(crate) mod rows_in_place;
pub(crate) mod silent_stores;
pub(crate) mod windows;
pub(crate) mod write_into_part;

pub use overwrite::{ReuseObstacle, obstacle};

//! The steps from form to form. A pass is a function: it consumes the old form and returns a new
//! one.

pub mod cluster;
pub mod infer;
pub mod parse;
pub mod rate;
pub mod simplify;
pub mod specialise;
pub mod fuse;
pub mod lifetimes;
pub mod rate;
pub mod schedule;
pub mod specialise;
#[cfg(test)]
pub(crate) mod testing;

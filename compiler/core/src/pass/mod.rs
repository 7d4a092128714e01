//! The steps from form to form. A pass is a function that consumes one form and returns the next one.

pub mod accumulate;
pub(crate) mod affine;
pub mod chunk;
pub mod clamps;
pub mod cluster;
mod copy;
pub mod defer;
pub mod distribute;
pub mod fuse;
pub mod hint;
pub mod indices;
pub mod infer;
pub mod laws;
pub mod lifetimes;
pub mod lint;
pub mod load;
pub mod named;
pub mod narrow;
pub mod parse;
pub mod rate;
pub mod rematerialise;
pub mod repair;
pub mod schedule;
pub mod select;
pub mod simplify;
pub mod slice;
pub mod specialise;
pub mod split;
pub mod tasks;
#[cfg(test)]
pub(crate) mod testing;
pub mod unique;
pub mod views;

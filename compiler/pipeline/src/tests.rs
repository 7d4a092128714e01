//! Tests of passes on whole programs, and what forms mean under each strategy.

mod disjoint_rows;
mod examples;
mod fission;
mod forms;
mod fuse;
mod join_appends;
mod overwrite;
mod place_rows;
mod places;
mod random;
mod split;

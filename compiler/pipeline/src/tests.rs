//! Tests of passes on whole programs, and what forms mean under each strategy.

mod apart;
mod appends;
mod examples;
mod forms;
mod fuse;
mod narrow;
mod over;
mod random;
mod rows;
mod split;

//! Programs built by hand, compiled, linked with a runtime for tests, and called.

#![allow(dead_code, unreachable_pub, reason = "a module of each test file, which uses some of it")]

pub mod build;
pub mod emitted;
pub mod native;

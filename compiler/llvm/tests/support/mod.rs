//! Programs as text, compiled, linked with a runtime for tests, and called.

#![allow(dead_code, unreachable_pub, reason = "a module of each test file, which uses some of it")]

pub mod native;
pub mod source;

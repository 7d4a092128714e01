//! The ABI: the facts that the compiler, the runtime and C programs share.
//!
//! Invariant: each fact of the ABI is declared here once, and read from here by the runtime, the code
//! generator, the writer of headers, the host and the interpreters. The crate is a part of every compiled
//! program, so it uses nothing but `core`, and what the runtime calls is inlined into it.
#![no_std]

pub mod code;
pub mod ctype;
pub mod function;
pub mod layout;
pub mod reason;
pub mod scalar;
pub mod sorting;
pub mod trace;

pub use code::ErrorCode;
pub use scalar::Scalar;

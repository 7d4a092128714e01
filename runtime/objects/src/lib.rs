//! The runtime, the pool of threads, and the main function of programs as object files, which the compiler contains.
//!
//! Invariant: an object defines symbols that begin with `arr_` and no others, so it can be linked beside another Rust
//! library. It is optimised, in whatever profile this crate is built.
//!
//! ```text
//! arr_rt        ──cargo rustc──▶ libarr_rt.a        ──ld -r──▶ arr_runtime.o     45 KB
//! arr_parallel  ──cargo rustc──▶ libarr_parallel.a  ──ld -r──▶ arr_parallel.o   Rust's library inside
//! arr_program   ──cargo rustc──▶ libarr_program.a   ──ld -r──▶ arr_program.o    both of them, and `main`
//! ```

/// The part that every program needs: memory, errors and contexts.
pub const RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/arr_runtime.o"));

/// The pool of threads. Its functions replace those of the runtime, which are weak.
pub const PARALLEL: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/arr_parallel.o"));

/// The main function of programs, with the runtime and the pool of threads.
pub const PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/arr_program.o"));

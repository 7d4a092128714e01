//! The runtime, the pool of threads, and the main function of programs as object files, which the compiler contains,
//! for its own target and for others.
//!
//! Invariant: an object defines symbols that begin with `arr_` and no others, so it can be linked beside another Rust
//! library. It is optimised, in whatever profile this crate is built.
//!
//! ```text
//! arr_rt        ──cargo rustc──▶ libarr_rt.a        ──ld -r──▶ arr_runtime.o    the C functions that code calls
//! arr_parallel  ──cargo rustc──▶ libarr_parallel.a  ──ld -r──▶ arr_parallel.o   Rust's library inside
//! arr_program   ──cargo rustc──▶ libarr_program.a   ──ld -r──▶ arr_program.o    both of them, and `main`
//! ```

/// The object files for one target.
#[derive(Debug)]
pub struct Objects {
    /// The target, by Rust's name.
    pub triple: &'static str,
    /// The part that every program needs: memory, errors and contexts.
    pub runtime: &'static [u8],
    /// The pool of threads. Its functions replace those of the runtime, which are weak.
    pub parallel: &'static [u8],
    /// The main function of programs, with the runtime and the pool of threads.
    pub program: &'static [u8],
}

/// All targets. The first is the one that this crate is compiled for.
pub static TARGETS: &[Objects] = include!(concat!(env!("OUT_DIR"), "/targets.rs"));

/// The object files for the target that this crate is compiled for.
#[must_use]
pub fn own() -> &'static Objects {
    &TARGETS[0]
}

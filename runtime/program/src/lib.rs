//! The parts of a program made by `arrc build --exe` besides its own code: `main`, the runtime and the pool of threads.
//!
//! Invariant: one copy of Rust's library serves all three.

pub use arr_parallel::{arr_parallel_for, arr_parallel_threads};
pub use arr_rt::ABI;
pub use arr_runtime::program::{arr_rt_main, arr_rt_server};

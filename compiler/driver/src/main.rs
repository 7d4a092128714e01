//! The `arrc` program, which only calls the library.

use std::process::ExitCode;

/// The forms of a program are many small nodes. This allocator is faster for them than the C library's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    arrc::main()
}

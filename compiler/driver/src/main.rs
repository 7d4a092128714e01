//! The `arrc` program: a thin shell over the library.

use std::process::ExitCode;

/// The forms of a program are many small nodes: they take less time to allocate here than in the C library.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    arrc::main()
}

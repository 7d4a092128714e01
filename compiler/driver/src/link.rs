//! Shared libraries and programs from object files, through the system's C toolchain.
//!
//! Invariant: whatever is linked has exactly one runtime inside.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use arr_runtime::header;
use arr_runtime::locate::{self, Library};
use arr_runtime::text::reason;
use arrc_core::ir::procedure::concrete::Program;

use crate::error::DriverError;

/// What the runtime needs of the system.
const SYSTEM_LIBRARIES: [&str; 3] = ["-lm", "-lpthread", "-ldl"];

/// What keeps results small: Rust's library, which the pool of threads needs, comes with information for debuggers.
const SMALL: [&str; 2] = ["-Wl,--gc-sections", "-Wl,--strip-debug"];

/// The process that loads a shared library.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Host {
    /// This process, which lends its threads. Every function that is called must be in the library.
    ThisProcess,
    /// Any other. It may define functions that are called, and the library has a pool of threads.
    Other,
}

/// Makes `output` a shared library that exports the entries and the runtime's API.
pub(crate) fn shared(
    objects: &[PathBuf],
    program: &Program,
    folder: &Path,
    output: &Path,
    host: Host,
) -> Result<(), DriverError> {
    let script = folder.join("exports.map");
    write(&script, exports(program).as_bytes())?;
    let mut command = compiler();
    command
        .arg("-shared")
        .arg("-o")
        .arg(output)
        .args(objects)
        .args(if host == Host::Other { pool()? } else { Vec::new() })
        .arg(runtime_library()?)
        .args(SMALL)
        .arg(format!("-Wl,--version-script={}", script.display()))
        .args(SYSTEM_LIBRARIES);
    if let Some(name) = output.file_name() {
        // Who links it finds it by this name, wherever it was made.
        let mut soname = OsString::from("-Wl,-soname,");
        soname.push(name);
        command.arg(soname);
    }
    if host == Host::ThisProcess {
        command.arg("-Wl,-z,defs");
    }
    run(command)
}

/// Makes `output` a program from an object file and the C text of its `main`.
pub(crate) fn executable(
    objects: &[PathBuf],
    main: &str,
    folder: &Path,
    output: &Path,
) -> Result<(), DriverError> {
    let source = folder.join("main.c");
    write(&source, main.as_bytes())?;
    let mut command = compiler();
    command
        .args(["-rdynamic", "-o"])
        .arg(output)
        .arg(source)
        .args(objects)
        .args(pool()?)
        .arg(runtime_library()?)
        .args(SMALL)
        .args(SYSTEM_LIBRARIES);
    run(command)
}

/// The symbols that a shared library offers; everything else is its own affair.
fn exports(program: &Program) -> String {
    let entries: String =
        program.entries.iter().map(|entry| format!("{0}; {0}__uniform; ", entry.name)).collect();
    format!("{{ global: {}; {entries}local: *; }};\n", header::EXPORTED.join("; "))
}

/// The system's C compiler, which knows how to link.
pub(crate) fn compiler() -> Command {
    Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()))
}

fn run(mut command: Command) -> Result<(), DriverError> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(DriverError::Link {
            program,
            problem: String::from_utf8_lossy(&output.stderr).trim().to_string(),
        }),
        Err(error) => Err(DriverError::Link { program, problem: reason(&error) }),
    }
}

/// Where the runtime is.
pub(crate) fn runtime_library() -> Result<PathBuf, DriverError> {
    library(Library::Runtime)
}

/// Where a library is that programs are linked with.
pub(crate) fn library(which: Library) -> Result<PathBuf, DriverError> {
    locate::static_library(which)
        .map_err(|looked| DriverError::NoRuntime { library: which.file(), looked })
}

/// The pool of threads, as the linker is told of it. It stands before the runtime, whose own definitions are weak.
fn pool() -> Result<Vec<OsString>, DriverError> {
    Ok(vec!["-Wl,-u,arr_parallel_for".into(), library(Library::Parallel)?.into()])
}

/// Writes a file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), DriverError> {
    fs::write(path, bytes).map_err(|error| {
        let reason = if error.kind() == io::ErrorKind::NotFound {
            "there is no such folder".to_string()
        } else {
            reason(&error)
        };
        DriverError::Unwritable { path: path.to_path_buf(), reason }
    })
}

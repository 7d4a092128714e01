//! C compilers, the header and the static library, for the tests that need them.
//!
//! Invariant: every warning of a C compiler is an error.
#![allow(dead_code, reason = "each test program uses its part")]

use std::path::{Path, PathBuf};
use std::process::Command;

use arr_runtime::header;
use arr_runtime::host::Scalar;
use tempfile::TempDir;

/// A folder with the test's headers in it, as the driver would write them.
pub(crate) fn folder_with_headers() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder for a test");
    let arrays = |types: &[(Scalar, u32)]| -> String {
        types.iter().map(|&(scalar, rank)| header::array_part(scalar, rank)).collect()
    };
    let write = |name: &str, text: String| {
        std::fs::write(folder.path().join(name), text).expect("a file for a test");
    };
    let first = arrays(&[(Scalar::I64, 1), (Scalar::I64, 2), (Scalar::F64, 1)]);
    let second = arrays(&[
        (Scalar::F64, 1),
        (Scalar::Bool, 1),
        (Scalar::U8, 3),
        (Scalar::F32, 4),
        (Scalar::I64, 1),
    ]);
    write("generated.h", header::runtime_part() + &first);
    write("again.h", header::runtime_part() + &second);
    write("arr_rt.h", header::compiled_code_part());
    folder
}

/// Where the C sources of the tests are.
pub(crate) fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c")
}

/// The runtime in the form that the compiler links.
pub(crate) fn runtime(folder: &Path) -> PathBuf {
    let path = folder.join("arr_runtime.o");
    std::fs::write(&path, arr_objects::own().runtime).expect("a file for a test");
    path
}

/// Runs a command, which has to succeed; its standard output.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?} ends with {}\n{out}\n{err}", output.status);
    out.into_owned()
}

/// A compiler that takes every warning for an error.
pub(crate) fn compiler(name: &str, standard: &str, headers: &Path) -> Command {
    let mut command = Command::new(name);
    command
        .args([
            standard,
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pedantic",
            "-Wcast-qual",
            "-O1",
            "-g",
            "-I",
        ])
        .arg(headers);
    command.arg("-I").arg(sources());
    command
}

/// Whether there is such a program here.
pub(crate) fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

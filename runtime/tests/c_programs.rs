//! C programs that link the runtime as users do.
//!
//! Invariant: `main.c` checks itself and ends with 1 at the first thing that is wrong; here it is
//! compiled, run, and run under valgrind where there is one.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::{compiler, exists, folder_with_headers, run, runtime, sources};

#[test]
fn a_c_program_works() {
    let folder = folder_with_headers();
    let program = link(folder.path());
    assert_eq!(run(&mut Command::new(&program)).trim(), env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_c_program_is_clean_under_valgrind() {
    if !exists("valgrind") {
        return;
    }
    let folder = folder_with_headers();
    let program = link(folder.path());
    let mut valgrind = Command::new("valgrind");
    valgrind.args([
        "--quiet",
        "--leak-check=full",
        "--show-leak-kinds=all",
        "--errors-for-leak-kinds=all",
    ]);
    run(valgrind.arg("--error-exitcode=9").arg(&program));
}

#[test]
fn programs_contain_nothing_of_the_rust_library() {
    let folder = folder_with_headers();
    let program = std::fs::read(link(folder.path())).expect("the program that was linked");
    let contains = |name: &str| program.windows(name.len()).any(|bytes| bytes == name.as_bytes());
    assert!(contains("arr_rt_enter"), "the names of functions are in the program");
    for name in [
        "rust_eh_personality",
        "rust_begin_unwind",
        "rust_panic",
        "ARGV_INIT_ARRAY",
        "__rust_alloc",
    ] {
        assert!(!contains(name), "{name} came with the runtime");
    }
}

#[test]
fn headers_are_c99_and_cxx11() {
    let folder = folder_with_headers();
    let text = "#include \"generated.h\"\n#include \"again.h\"\n#include \"generated.h\"\nint main(void) { return 0; }\n";
    for (name, standard, compilers) in [
        ("h.c", "-std=c99", ["cc", "clang", "clang-22"]),
        ("h.cpp", "-std=c++11", ["c++", "clang++", "clang++-22"]),
    ] {
        let source = folder.path().join(name);
        std::fs::write(&source, text).expect("a file for a test");
        let present: Vec<&str> =
            compilers.into_iter().filter(|compiler| exists(compiler)).collect();
        assert!(!present.is_empty(), "a C and a C++ compiler are needed for the tests");
        for name in present {
            run(compiler(name, standard, folder.path()).arg("-fsyntax-only").arg(&source));
        }
    }
}

#[test]
fn a_runtime_of_another_abi_does_not_link() {
    let folder = folder_with_headers();
    let source = folder.path().join("other.c");
    let text = "extern const unsigned arr_runtime_abi_0;\nint main(void) { return (int)arr_runtime_abi_0; }\n";
    std::fs::write(&source, text).expect("a file for a test");
    let mut link = compiler("cc", "-std=c99", folder.path());
    link.arg(&source).arg(runtime(folder.path())).args(LIBRARIES);
    let output = link.arg(folder.path().join("other")).output().expect("a C compiler");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("arr_runtime_abi_0"));
}

/// The libraries that programs link besides the runtime, and the option for the output.
const LIBRARIES: [&str; 3] = ["-lm", "-lpthread", "-o"];

/// Compiles and links `main.c`.
fn link(folder: &Path) -> PathBuf {
    let program = folder.join("program");
    let mut link = compiler("cc", "-std=c99", folder);
    link.arg(sources().join("main.c")).arg(runtime(folder)).args([
        "-lm",
        "-lpthread",
        "-ldl",
        "-o",
    ]);
    run(link.arg(&program));
    program
}

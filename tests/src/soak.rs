//! Eight threads call random entries, and one call in five fails: results are right, memory does not grow, and the
//! sanitizers report nothing.
//!
//! Invariant: the program checks itself (`tests/soak/soak.c`); this file says how it is built and for how long it runs.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::tools::{arrc, built, project, succeed};

/// How a program is compiled and linked: the C compiler, and the sanitizer.
type Kind = Option<&'static str>;

/// The trials: some seconds by day, ten minutes by night.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let all = env::var_os("ARR_TESTS").is_some_and(|value| value == "all");
    let (short, long) = if all { (60, 600) } else { (2, 3) };
    let trial = |name: &str, sanitizer: Kind, seconds: u32, threads: &'static str| {
        Trial::test(format!("soak::{name}"), move || soak(sanitizer, seconds, threads))
    };
    let mut trials = vec![
        trial("pool", None, long, "pool"),
        trial("threads_of_the_host", None, short, "lend"),
        trial("address_sanitizer", Some("address"), long, "pool"),
        trial("thread_sanitizer", Some("thread"), long, "lend"),
        Trial::test("soak::parts_of_bins", parts),
        Trial::test("soak::one_context", move || one_context(if all { 20_000 } else { 500 })),
        Trial::test("soak::a_race_is_found", race),
        Trial::test("soak::programs", programs),
        Trial::test("soak::test_blocks", test_blocks),
    ];
    if all {
        trials.push(Trial::test("soak::helgrind", helgrind));
    }
    trials
}

/// Builds the program, and runs it.
fn soak(sanitizer: Kind, seconds: u32, threads: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let program = program("soak", sanitizer, folder.path())?;
    let mut command = Command::new(program);
    // The sanitizer keeps freed memory for a while, which would look like growth.
    command.env("ASAN_OPTIONS", "quarantine_size_mb=1:detect_leaks=1");
    command.env("TSAN_OPTIONS", "halt_on_error=1");
    succeed(command.arg(seconds.to_string()).arg(threads))?;
    Ok(())
}

/// Threads list the changes of many bins, and make them.
fn parts() -> Result<(), Failed> {
    for sanitizer in ["thread", "address"] {
        let folder = tempfile::tempdir()?;
        let program = program("parts", Some(sanitizer), folder.path())?;
        succeed(Command::new(program).env("TSAN_OPTIONS", "halt_on_error=1"))?;
    }
    Ok(())
}

/// Threads share a context, others free the results of its calls, and a third kind disturbs both.
fn one_context(calls: u32) -> Result<(), Failed> {
    for sanitizer in [None, Some("thread"), Some("address")] {
        let folder = tempfile::tempdir()?;
        let program = program("shared", sanitizer, folder.path())?;
        let mut command = Command::new(program);
        command.env("TSAN_OPTIONS", "halt_on_error=1");
        succeed(command.arg(calls.to_string()))?;
    }
    Ok(())
}

/// Each thread makes its calls alone, in a context of its own. So only the memory that contexts share, and cancelling, is
/// between threads, by locks and atomic variables.
fn helgrind() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let runtime = vec![runtime_for("helgrind", "-Cdebuginfo=line-tables-only")?];
    let program = program_with("soak", None, runtime, folder.path())?;
    let suppressions = project().join("tests/soak/helgrind.supp");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=helgrind", "--quiet", "--error-exitcode=99"]);
    valgrind.arg(format!("--suppressions={}", suppressions.display()));
    succeed(valgrind.arg(program).args(["20", "alone"]))?;
    Ok(())
}

/// The sanitizer reports two threads that write to the same array in compiled code.
fn race() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    for (sanitizer, expected) in [("thread", "data race"), ("address", "heap-buffer-overflow")] {
        let program = program("mistakes", Some(sanitizer), folder.path())?;
        let found = Command::new(program).arg(sanitizer).output()?;
        let told = String::from_utf8_lossy(&found.stderr);
        if found.status.success() || !told.contains(expected) || !told.contains("mistakes") {
            return Err(format!("{expected} was not found: {}\n{told}", found.status).into());
        }
    }
    Ok(())
}

/// Programs made by `arrc build --exe --sanitize`, whose C functions have the checks as well.
fn programs() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let sources = project().join("tests/soak");
    let kinds = [("address", "1", "heap-buffer-overflow"), ("thread", "2", "data race")];
    for (sanitizer, mistake, expected) in kinds {
        let program = folder.path().join(sanitizer);
        let mut build = Command::new(arrc());
        build.args(["build", "--exe"]).arg(sources.join("external.arr")).arg("--link");
        build.arg(sources.join("external.c")).arg(format!("--sanitize={sanitizer}"));
        succeed(build.arg("-o").arg(&program))?;
        let right = succeed(Command::new(&program).args(["sum_with", "1000000", "0"]))?;
        if right.trim() != "999999000001i64" {
            return Err(format!("{sanitizer}: {right}").into());
        }
        let found = Command::new(&program).args(["sum_with", "10", mistake]).output()?;
        let told = String::from_utf8_lossy(&found.stderr);
        if found.status.success() || !told.contains(expected) || !told.contains("external.c:") {
            return Err(format!("{expected} was not found: {}\n{told}", found.status).into());
        }
    }
    Ok(())
}

/// A test block in which a call reads what is not its own fails, and `arrc test` tells where. The others pass.
fn test_blocks() -> Result<(), Failed> {
    let mut test = Command::new(arrc());
    test.args(["test", "--sanitize=address"]).arg(project().join("tests/soak/external.arr"));
    let told = String::from_utf8_lossy(&test.output()?.stdout).into_owned();
    let report = "a report of AddressSanitizer: heap-buffer-overflow, in mistaken";
    if !told.contains(report) || !told.contains("1 passed, 1 failed") {
        return Err(format!("the mistake was not found: {told}").into());
    }
    Ok(())
}

/// `NAME.c` with the object file of `NAME.arr`, the pool and the runtime.
fn program(name: &str, sanitizer: Kind, folder: &Path) -> Result<PathBuf, Failed> {
    program_with(name, sanitizer, runtime(sanitizer, folder)?, folder)
}

/// `NAME.c` with the object file of `NAME.arr` and a runtime.
fn program_with(
    name: &str,
    sanitizer: Kind,
    runtime: Vec<PathBuf>,
    folder: &Path,
) -> Result<PathBuf, Failed> {
    let sources = project().join("tests/soak");
    let at = |file: &str| folder.join(file);
    let mut build = Command::new(arrc());
    build.arg("build").arg(sources.join(format!("{name}.arr"))).arg("-o").arg(at("program.o"));
    succeed(build.args(sanitizer.map(|name| format!("--sanitize={name}"))))?;
    std::fs::rename(at("program.h"), at(&format!("{name}.h")))?;
    let mut clang = Command::new("clang-22");
    clang.args(["-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]);
    clang.arg(folder).args(sanitizer.map(|name| format!("-fsanitize={name}")));
    clang.arg(sources.join(format!("{name}.c"))).arg(at("program.o"));
    clang.args(runtime);
    succeed(clang.args(["-lm", "-lpthread", "-ldl", "-o"]).arg(at(name)))?;
    Ok(at(name))
}

/// The pool and the runtime. The thread sanitizer has to know of atomic variables, by which slices and tasks wait for each other,
/// so the runtime is compiled for it; Rust's library, and so the pool, is not.
fn runtime(sanitizer: Kind, folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    if sanitizer == Some("thread") {
        let flags = "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer";
        return Ok(vec![runtime_for("sanitized", flags)?]);
    }
    let [pool, runtime] = ["pool.a", "rt.a"].map(|name| folder.join(name));
    succeed(Command::new(arrc()).arg("runtime").arg("-o").arg(&runtime))?;
    succeed(Command::new(arrc()).args(["runtime", "--parallel", "-o"]).arg(&pool))?;
    Ok(vec![pool, runtime])
}

/// The runtime's crate, compiled with other flags, which may be unstable: a variable makes the stable compiler accept
/// them.
fn runtime_for(tool: &str, flags: &str) -> Result<PathBuf, Failed> {
    const TARGET: &str = "x86_64-unknown-linux-gnu";
    let folder = built(tool);
    let mut cargo = Command::new("cargo");
    cargo.args(["rustc", "--locked", "--release", "--lib", "--crate-type=staticlib"]);
    cargo.args(["--package=arr_rt", "--target", TARGET, "--target-dir"]).arg(&folder);
    cargo.current_dir(project()).env("RUSTC_BOOTSTRAP", "1");
    succeed(cargo.env("RUSTFLAGS", flags))?;
    Ok(folder.join(TARGET).join("release/libarr_rt.a"))
}

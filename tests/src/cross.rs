//! Libraries and programs for another architecture: they have its runtime inside, and run on it.
//!
//! Invariant: by day, files are only looked at, for which nothing but `arrc` is needed. By night they are linked by
//! `scripts/setup cross`'s tools, and run in an emulator.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;

use crate::aarch64::{EMULATOR, GCC, TARGET};
use crate::run::all;
use crate::tools::{arrc, output, succeed};

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("cross::every_member_has_the_target's_code", members),
        Trial::test("cross::files_for_another_machine_are_refused", refused),
        Trial::test("cross::a_linker_for_another_machine", wrong_linker),
    ];
    if all() {
        let libraries = ["static", "static-parallel", "shared", "shared by gcc", "object"];
        trials.extend(libraries.map(|how| {
            Trial::test(format!("cross::a_library_runs::{how}"), move || library_runs(how))
        }));
        trials.extend([None, Some(GCC)].map(|linker| {
            let name = format!("cross::a_program_runs::{}", linker.unwrap_or("clang"));
            Trial::test(name, move || program_runs(linker))
        }));
    }
    trials
}

/// A program that calls a function of C, with results of both kinds.
const PROGRAM: &str = "external twice (x: f64): f64
entry dot [n] (xs: [n]f64) (ys: [n]f64): f64 = twice (reduce (+) 0 (map2 (*) xs ys))
entry above [n] (xs: [n]f64) (bound: f64): ?[k].[k]f64 = filter (> bound) xs
entry fails (x: i64): i64 = 1 / x
";

const TWICE: &str = r#"#include "dot.h"
int twice(arr_context *ctx, double *out, double x) { (void)ctx; *out = 2 * x; return ARR_OK; }
"#;

/// Prints the results, and the message of a call that fails.
const CALLER: &str = r#"#include "dot.h"
#include <stdio.h>
int main(void)
{
    static double xs[100000], sum;
    arr_context *ctx = arr_context_new(NULL);
    arr_f64_1d array = arr_f64_1d_borrow(xs, 100000), found;
    int64_t quotient;
    for (int i = 0; i < 100000; i++)
        xs[i] = i % 4;
    if (dot(ctx, &sum, array, array) != ARR_OK || above(ctx, &found, array, 2.0) != ARR_OK)
        return 1;
    printf("%g %lld\n", sum, (long long)found.shape[0]);
    arr_f64_1d_free(ctx, &found);
    if (fails(ctx, &quotient, 0) != ARR_ERROR_DIVISION)
        return 2;
    printf("%s\n", arr_context_error(ctx));
    arr_context_free(ctx);
    return 0;
}
"#;

/// The number of AArch64 in ELF files.
const AARCH64: u16 = 183;

/// A folder with the program and the C sources.
fn folder() -> Result<TempDir, Failed> {
    let folder = tempfile::tempdir()?;
    for (name, text) in [("dot.arr", PROGRAM), ("twice.c", TWICE), ("main.c", CALLER)] {
        fs::write(folder.path().join(name), text)?;
    }
    Ok(folder)
}

/// `arrc` in a folder, with no linker named.
fn arrc_in(folder: &TempDir, words: &[&str]) -> Command {
    let mut command = Command::new(arrc());
    command.args(words).current_dir(folder).env_remove("CC").env("NO_COLOR", "1");
    command
}

/// The target as an option.
fn target() -> String {
    format!("--target={TARGET}")
}

/// The architecture of an ELF file, by its number there.
fn machine(file: &Path) -> Result<u16, Failed> {
    let bytes = fs::read(file)?;
    match (bytes.get(..4), bytes.get(18..20)) {
        (Some(b"\x7fELF"), Some(&[low, high])) => Ok(u16::from_le_bytes([low, high])),
        _ => Err(format!("{} is no ELF file", file.display()).into()),
    }
}

/// The members of a static library, extracted into a folder.
fn extracted(library: &Path) -> Result<Vec<PathBuf>, Failed> {
    let folder = library.with_extension("members");
    fs::create_dir(&folder)?;
    succeed(Command::new("ar").arg("x").arg(library).current_dir(&folder))?;
    let files = fs::read_dir(&folder)?.map(|file| file.map(|file| file.path()));
    Ok(files.collect::<Result<_, _>>()?)
}

fn members() -> Result<(), Failed> {
    let folder = folder()?;
    let target = target();
    let cases: [(&[&str], usize); 4] = [
        (&["runtime"], 1),
        (&["runtime", "--parallel"], 1),
        (&["build", "dot.arr", "--lib=static"], 3),
        (&["build", "dot.arr", "--lib=static-parallel"], 4),
    ];
    for (number, (words, count)) in cases.into_iter().enumerate() {
        let name = format!("lib{number}.a");
        succeed(arrc_in(&folder, words).args([&target, "-o", &name]))?;
        let members = extracted(&folder.path().join(name))?;
        if members.len() != count {
            return Err(format!("{words:?} gives {members:?}").into());
        }
        for member in members {
            let found = machine(&member)?;
            if found != AARCH64 {
                return Err(format!("{words:?}: {} is for {found}", member.display()).into());
            }
        }
    }
    Ok(())
}

/// A command fails, and says this.
fn fails(command: &mut Command, expected: &str) -> Result<(), Failed> {
    let result = output(command)?;
    let told = String::from_utf8_lossy(&result.stderr);
    if result.status.success() || !told.contains(expected) {
        return Err(
            format!("{command:?}: {}\n{told}\ninstead of\n{expected}", result.status).into()
        );
    }
    Ok(())
}

/// Object files and static libraries behind `--link` have to be for the target.
fn refused() -> Result<(), Failed> {
    let folder = folder()?;
    let (own, other) = if cfg!(target_arch = "x86_64") {
        ("x86_64-unknown-linux-gnu", TARGET)
    } else {
        (TARGET, "x86_64-unknown-linux-gnu")
    };
    succeed(&mut arrc_in(&folder, &["build", "dot.arr", "-o", "here.o"]))?;
    succeed(&mut arrc_in(&folder, &["runtime", "--target", other, "-o", "libthere.a"]))?;
    let build = |linked: &str, target: &str| {
        arrc_in(
            &folder,
            &["build", "dot.arr", "--lib=static", "--link", linked, "--target", target],
        )
    };
    fails(
        &mut build("here.o", other),
        "error[A0614]: cannot link with `here.o`\n  Help: `--link` takes C sources",
    )?;
    fails(&mut build("here.o", other), &format!("Note: the code of `here.o` is not for {other}"))?;
    let expected = format!("Note: the code of `arr_runtime.o` is not for {own}");
    fails(&mut build("libthere.a", own), &expected)?;
    let expected = "error[A0614]: cannot link with `twice.c`\n  Help: ";
    fails(build("twice.c", other).env("CC", "gcc"), expected)?;
    let expected = format!("Note: `gcc` does not compile for {other}: name a C compiler");
    fails(build("twice.c", other).env("CC", "gcc"), &expected)
}

/// A linker that does not know the target is an error that says what the linker has to be.
fn wrong_linker() -> Result<(), Failed> {
    let folder = folder()?;
    let mut build = arrc_in(&folder, &["build", "dot.arr", "--exe", &target()]);
    let expected = "error[A0510]: `false` could not link the result\n  Help: install clang 22, lld 22 and a C library for \
                    aarch64-unknown-linux-gnu, or name a C compiler for it in the environment variable CC, such as \
                    aarch64-linux-gnu-gcc";
    fails(build.env("CC", "false"), expected)
}

/// Runs a program in the emulator; its output.
fn emulated(folder: &TempDir, words: &[&str]) -> Result<String, Failed> {
    let [emulator, options @ ..] = EMULATOR;
    let mut command = Command::new(emulator);
    command.args(options).arg("-E").arg("LD_LIBRARY_PATH=.").args(words);
    succeed(command.current_dir(folder))
}

/// A program in C that is linked with the library.
fn library_runs(how: &str) -> Result<(), Failed> {
    let folder = folder()?;
    let target = target();
    let build = |words: &[&str]| {
        let mut build = arrc_in(&folder, &["build", "dot.arr", &target]);
        build.args(words);
        build
    };
    let (mut command, library) = match how {
        "object" => {
            succeed(&mut arrc_in(&folder, &["runtime", &target]))?;
            (build(&[]), &["dot.o", "twice.c", "libarr_runtime.a"][..])
        }
        "shared" | "shared by gcc" => {
            let words = ["--lib=shared", "--link=twice.c"];
            (build(&words), &["./libdot.so"][..])
        }
        _ => {
            let words = ["--lib", how, "--link=twice.c"];
            (build(&words), &["libdot.a"][..])
        }
    };
    if how != "shared" {
        command.env("CC", GCC);
    }
    succeed(&mut command)?;
    let mut gcc = Command::new(GCC);
    gcc.arg("main.c").args(library).args(["-lm", "-lpthread", "-o", "main"]);
    succeed(gcc.current_dir(&folder))?;
    let found = emulated(&folder, &["./main"])?;
    if found == "700000 25000\ndot.arr:4:29: division by zero\n" {
        Ok(())
    } else {
        Err(found.into())
    }
}

/// A program of `--exe`, linked by clang and LLVM's linker or by the compiler that is named.
fn program_runs(linker: Option<&str>) -> Result<(), Failed> {
    let folder = folder()?;
    let words = ["build", "dot.arr", "--exe", "--link=twice.c", &target(), "-o", "dot"];
    succeed(arrc_in(&folder, &words).envs(linker.map(|linker| ("CC", linker))))?;
    let found = emulated(&folder, &["./dot", "dot", "[1,2,3]", "[4,5,6]"])?;
    if found == "64.0f64\n" { Ok(()) } else { Err(found.into()) }
}

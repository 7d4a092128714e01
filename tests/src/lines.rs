//! Lines of the source in the code (`arrc build -g`), and frames that debuggers and profilers can walk.
//!
//! Invariant: each operation of a fused pass has its own line, at each optimisation level.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::examples::runtime;
use crate::tools::{BASELINE, arrc, succeed};

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("lines::frames", frames),
        Trial::test("lines::of_a_shared_library", of_a_library),
    ];
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        trials.push(Trial::test(format!("lines::of_an_object::{level}"), move || {
            of_an_object(level)
        }));
        trials.push(Trial::test(format!("lines::variables::{level}"), move || variables(level)));
    }
    trials
}

/// A fused pass over several lines, with operations of the library.
const PROGRAM: &str = "entry scaled [n] (xs: [n]f64) (ys: [n]f64): (f64, f64) =
  let zs = map2 (\\x y ->
    x * y - 1) xs ys
  in (
    f64.sum zs,
    f64.maximum zs)
";

/// Every operation has its line, and nothing has a line that the program does not have.
fn of_an_object(level: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let object = folder.path().join("scaled.o");
    build(folder.path(), &["-g", level], &object)?;
    let found = lines_of(&object)?;
    let expected = BTreeSet::from([1, 3, 6]);
    if !found.is_superset(&expected) || found.iter().any(|line| *line > 6) {
        return Err(format!("the code has the lines {found:?}").into());
    }
    build(folder.path(), &[level], &object)?;
    let found = lines_of(&object)?;
    if found.is_empty() { Ok(()) } else { Err("there are lines without -g".into()) }
}

/// Debuggers know the variables of the program, and optimised code does not depend on that.
fn variables(level: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let object = folder.path().join("scaled.o");
    let code = || succeed(Command::new("objdump").args(["-d", "--no-show-raw-insn"]).arg(&object));
    build(folder.path(), &[level], &object)?;
    let plain = code()?;
    build(folder.path(), &["-g", level], &object)?;
    if level != "-O0" && code()? != plain {
        return Err("the code depends on -g".into());
    }
    let listed = succeed(Command::new("objdump").arg("--dwarf=info").arg(&object))?;
    for name in ["xs", "x", "y"] {
        let is_there = listed.lines().any(|line| {
            line.contains("DW_AT_name") && line.split_whitespace().next_back() == Some(name)
        });
        if !is_there {
            return Err(format!("nothing is told of `{name}`").into());
        }
    }
    Ok(())
}

/// A shared library keeps the lines, of all its levels.
fn of_a_library() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let library = folder.path().join("libscaled.so");
    for (options, has_lines) in [(&["--lib=shared", "-g"][..], true), (&["--lib=shared"], false)] {
        build(folder.path(), options, &library)?;
        if lines_of(&library)?.contains(&3) != has_lines {
            return Err(format!("{options:?}: lines are there, or not").into());
        }
    }
    Ok(())
}

fn build(folder: &Path, options: &[&str], output: &Path) -> Result<(), Failed> {
    let source = folder.join("scaled.arr");
    std::fs::write(&source, PROGRAM)?;
    succeed(Command::new(arrc()).arg("build").args(options).arg(source).arg("-o").arg(output))?;
    Ok(())
}

/// The lines of `scaled.arr` that instructions of a file have.
fn lines_of(file: &Path) -> Result<BTreeSet<u32>, Failed> {
    let listed = succeed(Command::new("objdump").arg("--dwarf=decodedline").arg(file))?;
    let lines = listed.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        (words.next()? == "scaled.arr").then(|| words.next()?.parse().ok())?
    });
    Ok(lines.filter(|line| *line > 0).collect())
}

/// A function of C that a pass of a nested call runs sees all frames up to `main`.
fn frames() -> Result<(), Failed> {
    const CALLER: &str = r#"#define _GNU_SOURCE
#include "walked.h"
#include <dlfcn.h>
#include <execinfo.h>
#include <string.h>
static int frames, has_main;
int seen(arr_context *ctx, double *out, double x)
{
    void *places[64];
    Dl_info info;
    (void)ctx;
    frames = backtrace(places, 64);
    for (int i = 0; i < frames; i++)
        if (dladdr(places[i], &info) && info.dli_sname && strcmp(info.dli_sname, "main") == 0) has_main = 1;
    *out = x;
    return ARR_OK;
}
int main(void)
{
    const double xs[3] = {1, 2, 3};
    double sum;
    arr_context *ctx = arr_context_new(NULL);
    int code = walked(ctx, &sum, arr_f64_1d_borrow(xs, 3), 4);
    arr_context_free(ctx);
    return code == ARR_OK && sum == 14 && has_main && frames > 5 ? 0 : 1;
}
"#;
    const WALKED: &str = "external seen (x: f64): f64
#[noinline] def deep [n] (xs: [n]f64) (k: i64): f64 =
  if k == 0 then f64.sum (map (\\x -> seen x) xs) else 2 + deep xs (k - 1)
entry walked [n] (xs: [n]f64) (k: i64): f64 = deep xs k
";
    let folder = tempfile::tempdir()?;
    let place = |name: &str| folder.path().join(name);
    std::fs::write(place("walked.arr"), WALKED)?;
    std::fs::write(place("main.c"), CALLER)?;
    for level in ["-O0", "-O3"] {
        let object = place("walked.o");
        let mut build = Command::new(arrc());
        build.args(["build", BASELINE, level]).arg(place("walked.arr")).arg("-o").arg(&object);
        succeed(&mut build)?;
        let mut gcc = Command::new("gcc");
        gcc.args(["-rdynamic", "-o"]).arg(place("main")).arg(place("main.c")).arg(&object);
        succeed(gcc.arg(runtime(folder.path())?).args(["-lm", "-lpthread", "-ldl"]))?;
        succeed(&mut Command::new(place("main")))?;
    }
    Ok(())
}

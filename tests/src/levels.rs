//! Programs with code for several processors: which code runs, what the linker sees of it, and wrong names of processors.
//!
//! Invariant: each level is run by a processor that has it. The others are only looked at.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;

use crate::examples::runtime;
use crate::tools::{arrc, output, succeed};

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    // Other architectures have no levels.
    let has_levels = cfg!(target_arch = "x86_64");
    vec![
        Trial::test("levels::the_processor_chooses", chosen).with_ignored_flag(!has_levels),
        Trial::test("levels::of_libraries", of_libraries).with_ignored_flag(!has_levels),
        Trial::test("levels::wrong_names", wrong_names),
        Trial::test("levels::names_of_processors", listed),
    ]
}

/// An entry with arguments of every kind, and a function of C that is told from where it is called.
const PROGRAM: &str = "external caller (x: f64): f64
def level (x: i64): i64 = if x < 2 then x else level (x - 1) + level (x - 2)
entry levels (x: i64): i64 = level x
entry dot [n] (few: u8) (xs: [n]f64) (a: [n][n]f64) (is_told: bool): ([n]f64, f64, u8) =
  let ys = map2 (\\x r -> x * f64.sum r) xs a
  in (ys, if is_told then caller (f64.sum ys) else 0, few)
";

/// Calls the entry twice with the processor of a level that has at most that of this machine, and prints the place of the
/// code that calls `caller`.
const CALLER: &str = r#"#include "dot.h"
#include <stdio.h>
#include <stdlib.h>
static int asked, level;
int __real_arr_rt_cpu_level(void);
int __wrap_arr_rt_cpu_level(void);
int __wrap_arr_rt_cpu_level(void)
{
    const int real = __real_arr_rt_cpu_level();
    asked++;
    return real < level ? real : level;
}
static const char *place;
int caller(arr_context *ctx, double *out, double x)
{
    (void)ctx;
    place = (const char *)__builtin_return_address(0);
    *out = 2 * x;
    return ARR_OK;
}
int main(int count, char **words)
{
    static double xs[9], a[81], into[9];
    double told = 0;
    uint8_t few = 0;
    level = count > 1 ? atoi(words[1]) : 4;
    for (int i = 0; i < 81; i++) a[i] = xs[i % 9] = i % 9;
    arr_context *ctx = arr_context_new(NULL);
    arr_f64_1d ys, out = arr_f64_1d_lend_mut(into, 9);
    const arr_f64_1d x = arr_f64_1d_borrow(xs, 9);
    const arr_f64_2d m = arr_f64_2d_borrow(a, 9, 9);
    int code = dot(ctx, &ys, &told, &few, 7, x, m, true);
    code |= dot_into(ctx, &out, &told, &few, 7, x, m, true);
    if (code != ARR_OK || ys.data[8] != 288 || into[8] != 288 || told != 2592 || few != 7 || asked != 1) return 1;
    arr_f64_1d_free(ctx, &ys);
    arr_context_free(ctx);
    printf("%lx\n", (unsigned long)place);
    return 0;
}
"#;

/// The code of the highest level that the processor has runs, and the processor is asked once.
fn chosen() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    build(&folder, &["--target-cpu=x86-64-v4,x86-64,x86-64-v3", "--unique-names"])?;
    std::fs::write(folder.path().join("main.c"), CALLER)?;
    let program = folder.path().join("program");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-no-pie", "-Wl,--wrap=arr_rt_cpu_level"]);
    gcc.current_dir(folder.path()).args(["main.c", "dot.o"]).arg(runtime(folder.path())?);
    succeed(gcc.args(["-lm", "-lpthread", "-o"]).arg(&program))?;
    let symbols = succeed(Command::new("nm").arg("--numeric-sort").arg(&program))?;
    let real = level_of_this_machine(&folder)?;
    for (level, expected) in [(1, 1), (2, 1), (3, 3), (4, 4)] {
        let expected = if real < expected { if real >= 3 { 3 } else { 1 } } else { expected };
        let place = succeed(Command::new(&program).arg(level.to_string()))?;
        let place = u64::from_str_radix(place.trim(), 16)?;
        let function = function_at(&symbols, place);
        if !function.contains(&format!("arr_v{expected}_dot")) {
            return Err(format!("{function} runs on level {level}, not level {expected}").into());
        }
    }
    Ok(())
}

/// The level of this machine's processor.
fn level_of_this_machine(folder: &TempDir) -> Result<u32, Failed> {
    let source = folder.path().join("level.c");
    let text = "int arr_rt_cpu_level(void);\nint main(void) { return arr_rt_cpu_level(); }\n";
    std::fs::write(&source, text)?;
    let program = folder.path().join("level");
    let mut gcc = Command::new("gcc");
    gcc.arg(&source).arg(runtime(folder.path())?).args(["-lm", "-lpthread", "-o"]);
    succeed(gcc.arg(&program))?;
    let level = output(&mut Command::new(&program))?.status.code();
    level.and_then(|level| u32::try_from(level).ok()).ok_or_else(|| "it ends".into())
}

/// The function that has an address.
fn function_at(symbols: &str, address: u64) -> &str {
    let functions = symbols.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let start = u64::from_str_radix(words.next()?, 16).ok()?;
        let _kind = words.next()?;
        Some((start, words.next()?))
    });
    functions.take_while(|(start, _)| *start <= address).last().map_or("nothing", |(_, name)| name)
}

/// Libraries have three levels, with the vectors of each, unless a processor is named. They export none of the functions.
fn of_libraries() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("sums.arr");
    std::fs::write(
        &source,
        "entry sums [n] (xs: [n]f32) (ys: [n]f32): [n]f32 = map2 (\\x y -> x * x + y) xs ys\n",
    )?;
    for (options, levels) in [
        (&["--lib=shared"][..], &[1, 3, 4][..]),
        (&["--lib=shared", "-O1"], &[]),
        (&["--lib=shared", "--target-cpu=x86-64-v3"], &[]),
        (&["--lib=shared", "--target-cpu=x86-64-v2, x86-64-v3,x86-64-v2"], &[2, 3]),
    ] {
        let library = folder.path().join("libsums.so");
        let mut build = Command::new(arrc());
        succeed(build.arg("build").args(options).arg(&source).arg("-o").arg(&library))?;
        let exported = succeed(Command::new("nm").args(["-D", "--defined-only"]).arg(&library))?;
        let all = succeed(Command::new("nm").arg(&library))?;
        let has = |level: &i32| all.contains(&format!("arr_v{level}_sums"));
        let found: Vec<_> = (1..=4).filter(has).collect();
        if found != levels || exported.contains("arr_v4") {
            return Err(format!("{options:?} has the levels {found:?}, not {levels:?}").into());
        }
    }
    Ok(())
}

fn build(folder: &TempDir, options: &[&str]) -> Result<PathBuf, Failed> {
    let source = folder.path().join("dot.arr");
    std::fs::write(&source, PROGRAM)?;
    let object = folder.path().join("dot.o");
    succeed(Command::new(arrc()).arg("build").args(options).arg(&source).arg("-o").arg(&object))?;
    Ok(object)
}

fn wrong_names() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("dot.arr");
    std::fs::write(&source, PROGRAM)?;
    for (options, message, help) in [
        (
            &["--target-cpu=x86-64,haswell"][..],
            "`haswell` is no level of x86-64",
            "the levels are x86-64, x86-64-v2, x86-64-v3 and x86-64-v4",
        ),
        (&["--target-cpu=x86-64-v3,"], "`` is no level of x86-64", "the levels are"),
        (
            &["--target-cpu=x86-64,x86-64-v3", "--target=aarch64-unknown-linux-gnu"],
            "`x86-64` is no aarch64 processor",
            "native",
        ),
    ] {
        let told = refused(&source, options)?;
        if !told.contains(message) || !told.contains(help) {
            return Err(format!("{options:?}: {told}").into());
        }
    }
    Ok(())
}

fn refused(source: &Path, options: &[&str]) -> Result<String, Failed> {
    let result = output(Command::new(arrc()).arg("build").args(options).arg(source))?;
    if result.status.code() != Some(2) {
        return Err(format!("{options:?} ends with {}", result.status).into());
    }
    Ok(String::from_utf8_lossy(&result.stderr).into_owned())
}

fn listed() -> Result<(), Failed> {
    let listed = succeed(Command::new(arrc()).args(["build", "--target-cpu=help"]))?;
    let is_whole =
        ["x86-64-v4", "znver4", "apple-m1", "neoverse-n1"].map(|name| listed.contains(name));
    if is_whole == [true; 4] { Ok(()) } else { Err(listed.into()) }
}

//! Programs of one huge block, from text to clusters: no stack overflows, and the optimum is proven; and their results
//! when they are compiled in parts.
//!
//! Invariant: outputs are compared, not times: the compiler's searches are bounded by
//! steps.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use libtest_mimic::{Failed, Trial};

use crate::tools::{BASELINE, arrc, output, succeed};

/// Combinators of the blocks; the last only at night.
const NODES: [usize; 2] = [1_000, 5_000];
/// Stages of one definition. Bindings are nested, and their depth is limited.
const STAGES: usize = 250;
/// Stages of a program that is compiled in parts.
const STEPS: usize = 150;
/// Bindings of a definition, more than may be nested.
const BINDINGS: usize = 20_000;
/// Appends of an array to itself, or to the array before: the value of the last size is a sum of some 2²⁴ terms.
const DOUBLINGS: usize = 24;
const APPENDS: usize = 36;
/// Accumulators of one pass.
const ACCUMULATORS: usize = 300;

/// The tests.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let all = std::env::var_os("ARR_TESTS").is_some_and(|value| value == "all");
    let sizes = if all { &NODES[..] } else { &NODES[..1] };
    let trial = |&nodes: &usize| {
        Trial::test(format!("large::{nodes}_combinators_in_one_block"), move || check(nodes / 3))
    };
    let in_parts = Trial::test("large::passes_in_parts", passes_in_parts);
    let buffers = Trial::test("large::scratch_buffers_of_a_long_loop", scratch_buffers);
    let wide = Trial::test("large::accumulators_of_one_pass", accumulators);
    let wrong = Trial::test("large::an_error_in_a_long_declaration", an_error);
    let twice =
        Trial::test("large::sizes_that_are_doubled", || sizes_of_appends("x ++ x", DOUBLINGS));
    let before = Trial::test("large::sizes_that_are_added", || sizes_of_appends("x ++ y", APPENDS));
    sizes.iter().map(trial).chain([in_parts, buffers, wide, wrong, twice, before]).collect()
}

/// The probable cause of an error is only searched for near it. To search the whole of such a declaration would take
/// minutes.
fn an_error() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let mut text = "entry chain (x0: i64): i64 =\n".to_owned();
    for at in 0..BINDINGS {
        let _ = writeln!(text, "  let x{} = x{at} * {at} + x0", at + 1);
    }
    let _ = writeln!(text, "  in x{BINDINGS}");
    fs::write(folder.path().join("large.arr"), text)?;
    let mut command = Command::new(arrc());
    let result = output(command.args(["check", "large.arr"]).current_dir(folder.path()))?;
    let stderr = String::from_utf8_lossy(&result.stderr);
    if stderr.starts_with("error[A0106]") { Ok(()) } else { Err(stderr.into_owned().into()) }
}

/// Appends whose sizes share their parts. To look at a part once for each of its uses would take hours.
fn sizes_of_appends(append: &str, count: usize) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let mut text = "entry sums (xs: []i64) (ys: []i64): i64 =\n  let t = i64.sum xs\n  let x = map (+ 1) xs\n  let y = map (+ 2) ys\n".to_owned();
    for _ in 0..count {
        let _ = writeln!(text, "  let (x, y) = ({append}, x)");
    }
    text += "  let b = map (* t) x\n  let c = b ++ ys ++ map (+ 1) b\n";
    text += "  in i64.sum (map2 (*) c (iota (length c))) + length (map (+ 2) b)\n";
    fs::write(folder.path().join("large.arr"), text)?;
    for arguments in [
        &["build", "-O1", "large.arr"][..],
        &["build", "--emit=passes", "large.arr"],
        &["explain", "large.arr"],
    ] {
        let mut command = Command::new(arrc());
        succeed(command.args(arguments).current_dir(folder.path()))?;
    }
    Ok(())
}

/// Arrays, rows, updates in place and appends of literals that one part of a function gives to another; and errors
/// in the first and the last of the parts.
fn passes_in_parts() -> Result<(), Failed> {
    let mut text = "entry steps [n] (at: i64) (xs: [n]i64): ([]i64, []i64, [n][2]i64) =\n  let x0 = copy xs\n  let z0 = [at]\n  let r0 = map (\\x -> [x, at]) xs\n".to_owned();
    for stage in 0..STEPS {
        let next = stage + 1;
        let _ = writeln!(text, "  let a{stage} = map (\\x -> (x + {stage}) % 1000) x{stage}");
        let _ = writeln!(text, "  let s{stage} = reduce (+) 0 a{stage}");
        let _ = writeln!(text, "  let e{stage} = a{stage}[if at == {stage} then n else n / 2]");
        let _ = writeln!(text, "  let x{next} = a{stage} with [0] = s{stage} - e{stage}");
        let _ = writeln!(text, "  let z{next} = z{stage} ++ [s{stage}, e{stage}]");
        let _ = writeln!(text, "  let r{next} = map (\\r -> [r[1], r[0] + s{stage}]) r{stage}");
    }
    let _ = writeln!(text, "  in (x{STEPS}, z{STEPS}, r{STEPS})");
    let last = (STEPS - 1).to_string();
    let calls = [("-1", true), ("0", false), (&last, false)];
    let calls = calls.map(|(at, succeeds)| (vec!["steps", at, "[1, 20, 300]"], succeeds));
    as_interpreted(&text, &calls)
}

/// Two arrays in scratch buffers at once, in a loop whose body would otherwise be compiled in parts.
fn scratch_buffers() -> Result<(), Failed> {
    let mut text =
        "entry steps [n] (xs: [n]i64) (k: i64): i64 =\n  loop s0 = 0 for _i < k do\n".to_owned();
    for stage in 0..STEPS / 2 {
        let next = stage + 1;
        let _ = writeln!(text, "    let a{stage} = scan (+) 0 (map (+ s{stage}) xs)");
        let _ = writeln!(text, "    let b{stage} = scan (+) 0 (map (* a{stage}[1]) xs)");
        let _ = writeln!(text, "    let d{stage} = \\x -> a{stage}[x & 1] - b{stage}[x & 1]");
        let _ = writeln!(text, "    let s{next} = i64.sum (map d{stage} xs) & 1023");
    }
    let _ = writeln!(text, "    in s{}", STEPS / 2);
    as_interpreted(&text, &[(vec!["steps", "[3, 4, 5]", "3"], true)])
}

/// More accumulators in one pass than LLVM's vectorisers are given.
fn accumulators() -> Result<(), Failed> {
    let mut text = "entry sums [n] (xs: [n]i64) (k: i64): i64 =\n  let t0 = k\n".to_owned();
    for at in 0..ACCUMULATORS {
        let next = at + 1;
        let _ = writeln!(text, "  let t{next} = t{at} * 3 + reduce (+) 0 (map (* {at}) xs)");
    }
    let _ = writeln!(text, "  in i64.sum (map (/ t{ACCUMULATORS}) (map (+ t{ACCUMULATORS}) xs))");
    as_interpreted(&text, &[(vec!["sums", "[1, 20, 300]", "7"], true)])
}

/// What a program says, without the code and the place of an error, which `arrc` shows apart from the message.
fn told(output: &Output) -> (&[u8], String) {
    let text = String::from_utf8_lossy(&output.stderr);
    let first = text.lines().next().unwrap_or_default();
    let message = first.split_once(": ").map_or("", |(_, message)| message);
    let message = match message.split_once(": ") {
        Some((place, message)) if place.starts_with("large.arr:") => message,
        _ => message,
    };
    (&output.stdout, message.to_owned())
}

/// Checks that a compiled program has the output of the interpreter in each of the calls, which succeed or fail. It is compiled once
/// for each level, since that takes seconds.
fn as_interpreted(text: &str, calls: &[(Vec<&str>, bool)]) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("large.arr"), text)?;
    let program = |level: &str| folder.path().join(format!("large{level}"));
    let in_folder = |program: &Path| {
        let mut command = Command::new(program);
        command.current_dir(folder.path());
        command
    };
    for level in ["-O0", "-O3"] {
        let mut build = in_folder(&arrc());
        succeed(
            build.args(["build", BASELINE, "--exe", level, "large.arr", "-o"]).arg(program(level)),
        )?;
    }
    for (call, succeeds) in calls {
        let interpreted =
            output(in_folder(&arrc()).args(["run", "--interpret", "large.arr"]).args(call))?;
        for level in ["-O0", "-O3"] {
            let compiled = output(in_folder(&program(level)).args(call))?;
            if told(&compiled) != told(&interpreted) || compiled.status.success() != *succeeds {
                return Err(format!("{level}, {call:?}: {compiled:?}\n{interpreted:?}").into());
            }
        }
    }
    Ok(())
}

/// Each stage ends a pass; the first array of each goes through memory.
fn check(stages: usize) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("large.arr"), program(stages))?;
    let passes = stages + 1;
    for (strategy, expected) in [
        ("ilp", format!("ilp, optimal: {passes} reads, {passes} writes, {stages} intermediates")),
        ("greedy", format!("greedy: {passes} reads, {passes} writes, {stages} intermediates")),
    ] {
        let mut command = Command::new(arrc());
        command.args(["build", "large.arr", "--emit=clusters", &format!("--fusion={strategy}")]);
        let result = output(command.current_dir(folder.path()))?;
        let stdout = String::from_utf8_lossy(&result.stdout);
        let last = stdout.trim_end().lines().next_back().unwrap_or_default().trim();
        if !result.status.success() || last != expected {
            let stderr = String::from_utf8_lossy(&result.stderr);
            return Err(format!("{}: `{last}`, not `{expected}`\n{stderr}", result.status).into());
        }
    }
    Ok(())
}

/// Stages of a map, its sum, and a map that uses the sum, in definitions that become one block when they are inlined.
fn program(stages: usize) -> String {
    let (mut text, mut calls) = (String::new(), String::new());
    for (part, start) in (0..stages).step_by(STAGES).enumerate() {
        let end = stages.min(start + STAGES);
        let _ = writeln!(text, "def part{part} [n] (x{start}: [n]i64): [n]i64 =");
        for stage in start..end {
            let next = stage + 1;
            let _ = writeln!(text, "  let a{stage} = map (+ {next}) x{stage}");
            let _ = writeln!(text, "  let s{stage} = reduce (+) 0 a{stage}");
            let _ = writeln!(text, "  let x{next} = map (+ s{stage}) a{stage}");
        }
        let _ = writeln!(text, "  in x{end}\n");
        let _ = writeln!(calls, "  let xs = part{part} xs");
    }
    format!("{text}entry large [n] (xs: [n]i64): [n]i64 =\n{calls}  in xs\n")
}

//! Programs of one huge block, from text to clusters: no stack overflows, and the optimum is proven.
//!
//! Invariant: what is compared is what is printed, not how long it takes: the compiler's searches are bounded by
//! steps.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::tools::{arrc, output};

/// Combinators of the blocks; the last only at night.
const NODES: [usize; 2] = [1_000, 5_000];
/// Stages of one definition: bindings are nested, and only so deep.
const STAGES: usize = 250;

/// The tests.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let all = std::env::var_os("ARR_TESTS").is_some_and(|value| value == "all");
    let sizes = if all { &NODES[..] } else { &NODES[..1] };
    let trial = |&nodes: &usize| {
        Trial::test(format!("large::{nodes}_combinators_in_one_block"), move || check(nodes / 3))
    };
    sizes.iter().map(trial).collect()
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

/// Stages of a map, its sum, and a map by that, in definitions that are one block when they are called.
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

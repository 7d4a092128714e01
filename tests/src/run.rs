//! Results of programs: the test blocks of `run/*.arr`, of `emit/*.arr` and of the examples, by `arrc test`: in the
//! interpreter and natively, at fusion strategies and optimisation levels, and with 1, 2, 3 and 7 threads, which
//! must give the same bits.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::tools::{arrc, files, project, stem, succeed};

/// How a program is compiled: a strategy and an optimisation level. Every strategy and every level occurs.
pub(crate) const QUICK: [(&str, u8); 5] =
    [("ilp", 3), ("none", 0), ("greedy", 1), ("stream", 2), ("megiddo", 3)];

/// The folders of the programs.
const FOLDERS: [&str; 3] = ["tests/run", "tests/emit", "examples"];

/// The longest that one call may take, on a machine that may be busy.
pub(crate) const TIMEOUT: &str = "--timeout=120";

/// The trials: each program is compiled in each way, and interpreted. At night it also runs with AddressSanitizer's checks. A program that only tests structure is compiled
/// once. Also, each program of these folders is read back from its core.
///
/// # Panics
/// If the tests cannot be listed, for example because a test block is malformed.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let folders = FOLDERS.iter().flat_map(|folder| files(&project().join(folder), "arr"));
    let mut trials: Vec<Trial> = folders
        .map(|path| {
            Trial::test(format!("core::{}", stem(&path)), move || {
                read_back(&path, tempfile::tempdir()?.path())
            })
        })
        .collect();
    for (path, has_calls) in programs() {
        let name = stem(&path);
        if !has_calls {
            trials.push(trial(format!("structure::{name}"), path, Vec::new()));
            continue;
        }
        let interpreted = vec!["--interpret".to_string()];
        trials.push(trial(format!("run::{name}::interpreter"), path.clone(), interpreted));
        for (strategy, level) in ways(&name) {
            let mut options =
                vec![format!("--fusion={strategy}"), format!("-O{level}"), "--into".to_owned()];
            if level == 3 {
                options.push("--threads=1,2,3,7".to_string());
            }
            trials.push(trial(format!("run::{name}::{strategy}-O{level}"), path.clone(), options));
        }
        if all() {
            let options =
                ["--sanitize=address", "-O1", "--threads=1,3"].map(str::to_owned).to_vec();
            trials.push(trial(format!("run::{name}::sanitized"), path, options));
        }
    }
    trials
}

fn trial(name: String, path: PathBuf, options: Vec<String>) -> Trial {
    Trial::test(name, move || test(&path, &options))
}

/// All tests of a file must pass.
fn test(path: &Path, options: &[String]) -> Result<(), Failed> {
    succeed(Command::new(arrc()).args(["test", TIMEOUT]).args(options).arg(path))?;
    Ok(())
}

/// The programs that have tests, and whether any of those are calls.
pub(crate) fn programs() -> Vec<(PathBuf, bool)> {
    let folders = FOLDERS.map(|folder| project().join(folder));
    let listed = succeed(Command::new(arrc()).args(["test", "--list"]).args(folders));
    let listed = listed.unwrap_or_else(|problem| panic!("{}", problem.message().unwrap_or("")));
    let mut found: Vec<(PathBuf, bool)> = Vec::new();
    for line in listed.lines() {
        let (path, rest) = line.split_once(".arr:").expect("a test is listed with its file");
        let path = PathBuf::from(format!("{path}.arr"));
        let is_call = !rest.contains(": structure ");
        match found.last_mut() {
            Some((last, has_calls)) if *last == path => *has_calls |= is_call,
            Some(_) | None => found.push((path, is_call)),
        }
    }
    found
}

/// Printed core is a program, and its core is the same. A size that a type of a module hides may be known to it.
fn read_back(path: &Path, folder: &Path) -> Result<(), Failed> {
    let core = |path: &Path| succeed(Command::new(arrc()).args(["build", "--emit=core"]).arg(path));
    let printed = core(path)?;
    let again = folder.join("core.arr");
    std::fs::write(&again, &printed)?;
    let reprinted = core(&again)?;
    let is_same = |(before, after): (&str, &str)| {
        before == after || before.contains("[]") && without_sizes(before) == without_sizes(after)
    };
    let count = |text: &str| text.lines().count();
    if count(&printed) != count(&reprinted) || !printed.lines().zip(reprinted.lines()).all(is_same)
    {
        return Err(format!("core reads back differently:\n{printed}\n{reprinted}").into());
    }
    Ok(())
}

/// A line without what stands in square brackets.
fn without_sizes(line: &str) -> String {
    let mut depth = 0;
    let outside = |&c: &char| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        depth == 0
    };
    line.chars().filter(outside).collect()
}

/// How a program is compiled. In the quick suite, by arrc's own strategy and, every second program, in one more way: its
/// name tells which. Most of the time goes to LLVM. `ARR_TESTS=all` takes every pair.
fn ways(name: &str) -> Vec<(&'static str, u8)> {
    if !all() {
        let [own, unfused, others @ ..] = QUICK;
        let turn = name.bytes().map(usize::from).sum::<usize>() % (4 * others.len());
        let unfused = (turn < 2 * others.len()).then_some(unfused);
        return std::iter::once(own).chain(others.get(turn).copied().or(unfused)).collect();
    }
    let strategies = ["ilp", "greedy", "megiddo", "stream", "none"];
    strategies.iter().flat_map(|&strategy| (0..=3).map(move |level| (strategy, level))).collect()
}

/// Whether the long suite is to run.
pub(crate) fn all() -> bool {
    std::env::var_os("ARR_TESTS").is_some_and(|value| value == "all")
}

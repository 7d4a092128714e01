//! Programs in, results out: the test blocks of `run/*.arr`, of `emit/*.arr` and of the examples, by
//! `arrc test`: in the interpreter and natively, at every fusion strategy and optimisation level.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::tools::{arrc, project, stem, succeed};

/// How a program is compiled: a strategy and an optimisation level. Every strategy and every level
/// occurs in the quick suite; `ARR_TESTS=all` takes every pair.
const QUICK: [(&str, u8); 7] =
    [("ilp", 3), ("ilp", 2), ("ilp", 1), ("none", 0), ("stream", 3), ("megiddo", 3), ("greedy", 0)];

/// The longest that one call may take: the machine may have much else to do.
const TIMEOUT: &str = "--timeout=120";

/// Trials: each program under each way to compile it, and interpreted; those that only test structure
/// once.
///
/// # Panics
/// If the tests cannot be listed, for example because a test block is malformed.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (path, has_calls) in programs() {
        let name = stem(&path);
        if !has_calls {
            trials.push(trial(format!("structure::{name}"), path, Vec::new()));
            continue;
        }
        let interpreted = vec!["--interpret".to_string()];
        trials.push(trial(format!("run::{name}::interpreter"), path.clone(), interpreted));
        for (strategy, level) in ways() {
            let options = vec![format!("--fusion={strategy}"), format!("-O{level}")];
            trials.push(trial(format!("run::{name}::{strategy}-O{level}"), path.clone(), options));
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
fn programs() -> Vec<(PathBuf, bool)> {
    let folders = ["tests/run", "tests/emit", "examples"].map(|folder| project().join(folder));
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

fn ways() -> Vec<(&'static str, u8)> {
    if std::env::var_os("ARR_TESTS").is_none_or(|value| value != "all") {
        return QUICK.to_vec();
    }
    let strategies = ["ilp", "greedy", "megiddo", "stream", "none"];
    strategies.iter().flat_map(|&strategy| (0..=3).map(move |level| (strategy, level))).collect()
}

//! The spellings of a program: the files `run/spellings_*.arr` have blocks whose entries are one program each, written
//! otherwise. Their passes read and write the same elements, have the same plans for vectors, and make their arrays in the
//! same kinds of memory.
//!
//! Invariant: the results of the spellings are tested where all programs are: [`crate::run`]. Programs that are written
//! at random are in `random/spellings.rs`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::tools::{arrc, files, project, read, stem, succeed};

/// The trials, one for each file.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let programs = files(&project().join("tests/run"), "arr").into_iter();
    let programs = programs.filter(|path| stem(path).starts_with("spellings_"));
    let trial = |path: std::path::PathBuf| {
        Trial::test(format!("spellings::{}", stem(&path)), move || check(&path))
    };
    programs.map(trial).collect()
}

/// The entries of each block have equal forms.
pub(crate) fn check(path: &Path) -> Result<(), Failed> {
    let [vectors, nests, accesses] =
        [form(path, "vectors")?, form(path, "concrete")?, form(path, "accesses")?];
    let accesses = numbered(&accesses);
    let (plans, memory) = (by_entry(&vectors, plan), by_entry(&nests, memory));
    let accesses = by_entry(&accesses, access);
    let text = read(path)?;
    let blocks = text.lines().filter_map(|line| line.strip_prefix("-- entry: "));
    for spellings in blocks.map(|line| line.split_whitespace().collect::<Vec<_>>()) {
        for pair in spellings.windows(2) {
            for forms in [&plans, &memory, &accesses] {
                let [one, other] = [pair[0], pair[1]].map(|entry| forms.get(entry));
                if one.is_none() || one != other {
                    let [first, second] = [pair[0], pair[1]];
                    return Err(format!("{first}: {one:#?}\n{second}: {other:#?}").into());
                }
            }
        }
    }
    Ok(())
}

fn form(path: &Path, stage: &str) -> Result<String, Failed> {
    let mut command = Command::new(arrc());
    let emit = format!("--emit={stage}");
    succeed(command.args(["build", "--target-cpu=x86-64-v3", &emit]).arg(path))
}

/// For each entry, what the lines of a form say of it, in the order of the lines.
fn by_entry<'t>(
    form: &'t str,
    said: impl Fn(&'t str) -> Said<'t>,
) -> BTreeMap<&'t str, Vec<&'t str>> {
    let mut entries: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut current = "";
    for line in form.lines() {
        let Said { entry, what } = said(line);
        current = entry.unwrap_or(current);
        entries.entry(current).or_default().extend(what);
    }
    entries
}

/// What one line of a form says of an entry. A line that names no entry belongs to the entry of the line before.
struct Said<'t> {
    entry: Option<&'t str>,
    what: Option<&'t str>,
}

/// `f.a_1: 4 vectors of 2 lanes a step`: the plan of a pass of the entry `f`.
fn plan(line: &str) -> Said<'_> {
    let Some((pass, plan)) = line.split_once(": ") else {
        return Said { entry: None, what: None };
    };
    let entry = pass.split_once('.').map(|(entry, _)| entry);
    let entry = entry.or_else(|| pass.rsplit_once('_').map(|(entry, _)| entry));
    Said { entry, what: Some(plan) }
}

/// The kind of memory of a vector that a pass makes.
fn memory(line: &str) -> Said<'_> {
    let entry = line.strip_prefix("entry ").and_then(|rest| rest.split(' ').next());
    let kinds = [" over ", ") in ", " scratch", " turns", "newVecI"];
    let made = line.contains("newVecI");
    Said { entry, what: kinds.into_iter().find(|kind| made && line.contains(kind)) }
}

/// One line of the accesses of a pass.
fn access(line: &str) -> Said<'_> {
    match line.strip_prefix("procedure ").and_then(|pass| pass.rsplit_once(" in ")) {
        Some((_, entry)) => Said { entry: Some(entry), what: None },
        None => Said { entry: None, what: Some(line).filter(|line| !line.is_empty()) },
    }
}

/// The accesses with numbers instead of the names of counters, and with reads that follow each other in the order of their
/// texts.
fn numbered(accesses: &str) -> String {
    let mut counters: Vec<&str> = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for line in accesses.lines() {
        let said = line.trim_start();
        if said.starts_with("procedure ") {
            counters.clear();
        }
        counters.extend(said.strip_prefix("for "));
        let line = with_numbers(line, &counters);
        let reads = lines.iter().rev().take_while(|other| is_read(other) && is_read(&line));
        let before = reads.filter(|other| **other > line).count();
        lines.insert(lines.len() - before, line);
    }
    lines.join("\n")
}

fn is_read(line: &str) -> bool {
    line.trim_start().starts_with("read ")
}

/// The line with the numbers of counters instead of their names.
fn with_numbers(line: &str, counters: &[&str]) -> String {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'');
    let mut text = String::new();
    let mut rest = line;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        match counters.iter().rposition(|counter| *counter == word) {
            Some(number) => text.push_str(&format!("#{number}")),
            None => text.push_str(word),
        }
        let between = behind.find(is_of_name).unwrap_or(behind.len());
        text.push_str(&behind[..between]);
        rest = &behind[between..];
    }
    text
}

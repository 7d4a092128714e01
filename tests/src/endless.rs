//! Endless files in the place of a program or of data, such as the device of zeros and links to it; and an endless
//! call.
//!
//! Invariant: each command ends with a message, in bounded memory.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::tools::{arrc, output};

/// The most memory that a command may take, in KiB of addresses.
const MEMORY: u32 = 12 << 20;

/// A loop that does not end.
const SPIN: &str = "entry spin (n: i64): i64 = loop x = n while x != 0 do (x * 5 + 1) | 1\n";

/// Each command, with a part of its message.
const CASES: [(&str, &str, &str); 8] = [
    ("program", "check /dev/zero", "larger than 64 MiB"),
    ("link", "check zero.arr", "larger than 64 MiB"),
    ("standard_input", "check /dev/stdin < /dev/zero", "larger than 64 MiB"),
    ("test", "test zero.arr", "larger than 64 MiB"),
    ("import", "check imports.arr", "larger than 64 MiB"),
    ("npy", "run sum.arr sum @zero.npy", "no .npy file"),
    ("csv", "run sum.arr sum @zero.csv:x", "larger than 1 GiB"),
    ("linked_source", "run --link zero.c sum.arr sum [1]", "no plain file"),
];

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let case = |&(name, command, message): &(&str, &'static str, &'static str)| {
        Trial::test(format!("endless::{name}"), move || check(command, message))
    };
    CASES.iter().map(case).chain([Trial::test("endless::interrupted_call", interrupted)]).collect()
}

/// Ctrl-C ends a call with a message. If it comes before the call begins, it ends the process without a message; then
/// it is tried again.
fn interrupted() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("spin.arr"), SPIN)?;
    let mut told = String::new();
    for wait in [2, 10, 40] {
        let mut run = Command::new(arrc());
        run.args(["run", "spin.arr", "5"]).current_dir(folder.path()).stderr(Stdio::piped());
        let child = run.spawn()?;
        std::thread::sleep(Duration::from_secs(wait));
        output(Command::new("kill").args(["-INT".to_owned(), child.id().to_string()]))?;
        let result = child.wait_with_output()?;
        told = format!("{}: {}", result.status, String::from_utf8_lossy(&result.stderr));
        if told.starts_with("exit status: 1: error[A0617]: the call was cancelled\n") {
            return Ok(());
        }
    }
    Err(told.into())
}

fn check(command: &str, message: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    files(folder.path())?;
    let line = format!("ulimit -v {MEMORY}; exec {} {command}", arrc().display());
    let result = output(Command::new("sh").args(["-c", &line]).current_dir(folder.path()))?;
    let told = format!(
        "{}{}",
        String::from_utf8_lossy(&result.stdout),
        String::from_utf8_lossy(&result.stderr)
    );
    let is_told = told.contains(message) && told.contains("error[A");
    if matches!(result.status.code(), Some(1 | 2)) && is_told {
        return Ok(());
    }
    let told: String = told.chars().take(2000).collect();
    Err(format!("`{command}` ended with {}:\n{told}", result.status).into())
}

fn files(folder: &Path) -> Result<(), Failed> {
    for name in ["zero.arr", "zero.npy", "zero.csv", "zero.c"] {
        symlink("/dev/zero", folder.join(name))?;
    }
    fs::write(folder.join("imports.arr"), "import \"zero\"\nentry one: i64 = 1\n")?;
    fs::write(folder.join("sum.arr"), "entry sum [n] (xs: [n]i64): i64 = i64.sum xs\n")?;
    Ok(())
}

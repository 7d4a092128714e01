//! Commands whose whole output is compared with a file: diagnostics in `ui/`, forms in `emit/`.
//!
//! A case is `NAME.arr`, which may begin with the command, `-- $ arrc check FILE` unless said, or
//! `NAME.cmd` with the command alone. `NAME.out` has the exit status and the output.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arr_expect::compare;
use libtest_mimic::{Failed, Trial};

use crate::tools::{arrc, files, output, project, read, stem};

/// One trial for each case of both folders.
#[must_use]
pub fn trials() -> Vec<Trial> {
    ["ui", "emit"].into_iter().flat_map(folder).collect()
}

fn folder(name: &str) -> Vec<Trial> {
    let cases = cases(&project().join("tests").join(name)).into_iter();
    cases.map(|path| Trial::test(format!("{name}::{}", stem(&path)), move || case(&path))).collect()
}

/// The cases in a folder.
pub(crate) fn cases(folder: &Path) -> Vec<PathBuf> {
    let cases = files(folder, "arr").into_iter().chain(files(folder, "cmd"));
    cases.filter(|path| !is_input(path)).collect()
}

/// A file that begins with `-- input` belongs to another case.
fn is_input(path: &Path) -> bool {
    fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"-- input"))
}

fn case(path: &Path) -> Result<(), Failed> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    let file =
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut words = words(text.lines().next().unwrap_or_default(), &file);
    let arguments = words.iter().position(|word| word == "arrc").ok_or("the command is of arrc")?;
    let arguments = words.split_off(arguments + 1);
    let settings = words.iter().filter_map(|word| word.split_once('='));
    let result = output(
        Command::new(arrc())
            .args(arguments)
            .env_remove("COLUMNS")
            .envs(settings)
            .current_dir(path.parent().expect("a case is in a folder"))
            .env_remove("NO_COLOR"),
    )?;
    let status =
        result.status.code().ok_or_else(|| format!("ended by a signal: {}", result.status))?;
    if ![0, 1, 2].contains(&status) {
        return Err(
            format!("exit status {status}\n{}", String::from_utf8_lossy(&result.stderr)).into()
        );
    }
    let found = format!(
        "exit {status}\n{}{}",
        String::from_utf8_lossy(&result.stdout),
        String::from_utf8_lossy(&result.stderr)
    );
    compare(&found, &path.with_extension("out"))
}

/// The command's words: settings of the environment, `arrc`, and its arguments. Arguments with spaces
/// stand in single quotes.
fn words(line: &str, file: &str) -> Vec<String> {
    let command = line.trim_start_matches("--").trim_start();
    let command = command.strip_prefix("$ ").unwrap_or("arrc check FILE");
    let pieces = command.split('\'').enumerate();
    let words = pieces.flat_map(|(place, piece)| {
        if place % 2 == 1 { vec![piece] } else { piece.split_whitespace().collect() }
    });
    words.map(|word| if word == "FILE" { file.to_string() } else { word.to_string() }).collect()
}

/// A check that every expectation belongs to a case.
///
/// # Errors
/// If one does not.
pub fn no_orphans() -> Result<(), Failed> {
    for name in ["ui", "emit"] {
        for out in files(&project().join("tests").join(name), "out") {
            if !out.with_extension("arr").exists() && !out.with_extension("cmd").exists() {
                return Err(format!("{} belongs to no case", out.display()).into());
            }
            read(&out)?;
        }
    }
    Ok(())
}

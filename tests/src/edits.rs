//! Makes every change of the text that a message of `ui/` proposes. The program has fewer errors afterwards. A change
//! that a warning proposes leaves as many errors, and fewer warnings.
//!
//! Invariant: every proposed change makes a difference. A wrong bracket, sign or name hides the errors behind it; for
//! such an error it is enough that its own message is gone.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arrc_syntax::json::Value;
use libtest_mimic::{Failed, Trial};

use crate::golden;
use crate::tools::{arrc, output, project, stem};

/// One trial for each program of `ui/`.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let folder = project().join("tests/ui");
    let helped = |path: &PathBuf| {
        let shown = fs::read_to_string(path.with_extension("out"));
        path.extension().is_some_and(|extension| extension == "arr")
            && shown.is_ok_and(|text| text.contains("Help"))
    };
    let programs = golden::cases(&folder).into_iter().filter(helped);
    programs
        .map(|path| Trial::test(format!("edits::{}", stem(&path)), move || program(&path)))
        .collect()
}

/// Makes each change that is proposed for a program.
fn program(path: &Path) -> Result<(), Failed> {
    let folder = path.parent().expect("a case is in a folder");
    let name = path.file_name().expect("a case is a file").to_string_lossy();
    let before = messages(&name, folder)?;
    for message in &before {
        for help in items(message, "helps") {
            if !items(help, "edits").is_empty() {
                change(&name, folder, &before, message, help)?;
            }
        }
    }
    Ok(())
}

/// Makes a change in a copy of the program's files, and checks the program again.
fn change(
    name: &str,
    folder: &Path,
    before: &[Value],
    message: &Value,
    help: &Value,
) -> Result<(), Failed> {
    let copy = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut edits: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for edit in items(help, "edits") {
        edits.entry(text(edit, "file")).or_default().push(edit);
    }
    let failed = |error: std::io::Error| Failed::from(error.to_string());
    for file in files_of(name, folder).map_err(failed)? {
        let old = fs::read(folder.join(&file)).map_err(failed)?;
        let edits = edits.get(&*file.to_string_lossy()).map_or(&[][..], Vec::as_slice);
        let target = copy.path().join(&file);
        fs::create_dir_all(target.parent().expect("a file is in a folder")).map_err(failed)?;
        fs::write(target, edited(old, edits)).map_err(failed)?;
    }
    let after = messages(name, copy.path())?;
    if is_repaired(before, &after, message) {
        return Ok(());
    }
    let program = fs::read_to_string(copy.path().join(name)).map_err(failed)?;
    let found: Vec<&str> = after.iter().map(|message| text(message, "message")).collect();
    Err(format!(
        "`{}`, the help of `{}`, leaves: {}\n{program}",
        text(help, "text"),
        text(message, "message"),
        found.join("; ")
    )
    .into())
}

/// The code of a hole, which is still to be written.
const HOLE: &str = "A0213";

/// Whether the program is better after the change that this message proposes. A hole that the change leaves is no new
/// error, since only the user can fill it.
fn is_repaired(before: &[Value], after: &[Value], message: &Value) -> bool {
    let count = |messages: &[Value], field: &str, value: &str| {
        let told = messages.iter().filter(|message| text(message, "code") != HOLE);
        told.filter(|message| text(message, field) == value).count()
    };
    let fewer = |field, value| count(after, field, value) < count(before, field, value);
    let is_gone = fewer("message", text(message, "message"));
    if text(message, "severity") == "warning" {
        return is_gone && count(after, "severity", "error") <= count(before, "severity", "error");
    }
    // Codes of syntax and of names.
    let hides = ["A01", "A02"].iter().any(|codes| text(message, "code").starts_with(codes));
    fewer("severity", "error") || (hides && is_gone)
}

/// The files of a program, as paths from its folder: only itself, unless it imports others. Copies of all files would take
/// longer than the checks.
fn files_of(name: &str, folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    if String::from_utf8_lossy(&fs::read(folder.join(name))?).contains("import") {
        return sources(folder, Path::new(""));
    }
    Ok(vec![PathBuf::from(name)])
}

/// The programs in a folder and those below, as paths from it.
fn sources(folder: &Path, below: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder.join(below))? {
        let path = below.join(entry?.file_name());
        if folder.join(&path).is_dir() {
            found.extend(sources(folder, &path)?);
        } else if path.extension().is_some_and(|extension| extension == "arr") {
            found.push(path);
        }
    }
    Ok(found)
}

/// A text after its edits.
fn edited(mut text: Vec<u8>, edits: &[&Value]) -> Vec<u8> {
    let byte = |edit: &Value, end: &str| {
        edit[end]["byte"].as_u64().and_then(|byte| usize::try_from(byte).ok()).expect("a byte")
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| (byte(edit, "start"), byte(edit, "end"), self::text(edit, "replacement")))
        .collect();
    edits.sort_unstable();
    for (start, end, replacement) in edits.into_iter().rev() {
        text.splice(start..end, replacement.bytes());
    }
    text
}

/// The messages of `arrc check` on a program.
fn messages(name: &str, folder: &Path) -> Result<Vec<Value>, Failed> {
    let arguments = ["check", "--message-format=json", name];
    let result = output(Command::new(arrc()).args(arguments).current_dir(folder))?;
    let lines = String::from_utf8_lossy(&result.stderr).into_owned();
    let message = |line: &str| line.parse().map_err(|error| format!("{error}: {line}").into());
    lines.lines().map(message).collect()
}

fn items<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().map(Vec::as_slice).expect("every field is there")
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().expect("every field is there")
}

//! `arrc fmt` on files: what it writes, and what it leaves as it is.
//!
//! Invariant: the style itself is tested in `compiler/format`.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::{Failed, Trial};

use crate::tools::{arrc, output, read, succeed};

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("formatter::folders_links_and_permissions", folders_links_and_permissions),
        Trial::test("formatter::what_cannot_be_formatted_stays", what_cannot_be_formatted_stays),
        Trial::test("formatter::standard_input", standard_input),
    ]
}

/// A program, and the same formatted.
const CROWDED: &str = "def  f=1\n";
const FORMATTED: &str = "def f = 1\n";

fn fmt(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(arrc());
    command.arg("fmt").args(arguments).current_dir(folder);
    command
}

/// That a file has this text.
fn has(path: &Path, text: &str) -> Result<(), Failed> {
    let found = read(path)?;
    if found == text { Ok(()) } else { Err(format!("{}: {found}", path.display()).into()) }
}

fn folders_links_and_permissions() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let [inner, hidden] = ["inner", ".hidden"].map(|name| folder.path().join(name));
    for place in [folder.path(), &inner, &hidden] {
        fs::create_dir_all(place)?;
        fs::write(place.join("a.arr"), CROWDED)?;
        fs::write(place.join("other.txt"), CROWDED)?;
    }
    let target = folder.path().join("target.text");
    fs::write(&target, CROWDED)?;
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640))?;
    symlink(&target, folder.path().join("link.arr"))?;
    succeed(&mut fmt(folder.path(), &["."]))?;
    has(&folder.path().join("a.arr"), FORMATTED)?;
    has(&inner.join("a.arr"), FORMATTED)?;
    has(&hidden.join("a.arr"), CROWDED)?;
    has(&inner.join("other.txt"), CROWDED)?;
    has(&target, FORMATTED)?;
    let is_link = folder.path().join("link.arr").symlink_metadata()?.is_symlink();
    let mode = fs::metadata(&target)?.permissions().mode() & 0o777;
    if !is_link || mode != 0o640 {
        return Err(format!("is it a link: {is_link}; the mode is {mode:o}").into());
    }
    // Nothing changes any more, and no other file is left behind.
    let time = fs::metadata(&target)?.modified()?;
    succeed(&mut fmt(folder.path(), &["--check", "."]))?;
    succeed(&mut fmt(folder.path(), &["."]))?;
    let files = fs::read_dir(folder.path())?.count();
    if fs::metadata(&target)?.modified()? != time || files != 6 {
        return Err(format!("the file was written again, or there are {files} files").into());
    }
    Ok(())
}

fn what_cannot_be_formatted_stays() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let [mistake, frozen, good] =
        ["mistake.arr", "frozen.arr", "good.arr"].map(|name| folder.path().join(name));
    fs::write(&mistake, "def  f=(1\n")?;
    fs::write(&frozen, CROWDED)?;
    fs::set_permissions(&frozen, fs::Permissions::from_mode(0o444))?;
    fs::write(&good, CROWDED)?;
    let result = output(&mut fmt(folder.path(), &["mistake.arr", "frozen.arr", "good.arr"]))?;
    let told = String::from_utf8_lossy(&result.stderr);
    if result.status.code() != Some(1) || !told.contains("A0503") || !told.contains("mistake.arr:1")
    {
        return Err(format!("{}\n{told}", result.status).into());
    }
    has(&mistake, "def  f=(1\n")?;
    has(&frozen, CROWDED)?;
    has(&good, FORMATTED)
}

fn standard_input() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    for (arguments, text, status, expected) in [
        (["-"].as_slice(), CROWDED, 0, FORMATTED),
        (&["-", "--check"], FORMATTED, 0, ""),
        (&["-", "--check"], CROWDED, 1, "-def  f=1\n+def f = 1\n"),
        (&["-"], "def f = (", 1, ""),
    ] {
        let mut command = fmt(folder.path(), arguments);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let mut input = child.stdin.take().ok_or("standard input is a pipe")?;
        input.write_all(text.as_bytes())?;
        drop(input);
        let result = child.wait_with_output()?;
        let found = String::from_utf8_lossy(&result.stdout);
        if result.status.code() != Some(status) || !found.ends_with(expected) {
            return Err(format!("{arguments:?} of {text:?}: {}\n{found}", result.status).into());
        }
    }
    Ok(())
}

//! Runs every example in the documentation, so that a reader can copy it.
//!
//! In the README, `ARCHITECTURE.md`, the changelog, and the pages of `docs/`:
//! - a block marked `arr` is a program that checks without errors and warnings, and whose tests pass if
//!   it has any; each file's blocks stand alone;
//! - a block marked `arr,fails` does not check, and the page's code is among its errors;
//! - a block marked `arr,warns` checks, with the page's code among its warnings;
//! - a block marked `arr,hints` has the page's code among the hints of `arrc explain`, and no other;
//! - behind each of these three, a block marked `text,told` has the diagnostics on the program: on the error
//!   pages it is written by `scripts/bless`;
//! - a block marked `console` has lines `$ arrc …`, run in the project's folder, each followed by its
//!   output, in which a line `…` stands for any lines;
//! - a block marked `c` is a C program that links with a program of the page: see [`c_block`];
//! - a block whose first line is `-- NAME.arr`, `-- NAME.fut` or `/* NAME.c */`, is that file for the `console` blocks of
//!   the page.

use std::fs;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::Command;

use arr_runtime::host::ErrorCode;
use libtest_mimic::{Failed, Trial};

use crate::examples::runtime;
use crate::tools::{arrc, files, output, project, read, stem, succeed};

/// One trial for each block of each page.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let blocks = pages().into_iter().flat_map(|page| blocks(&page));
    let errors = files(&project().join("docs/errors"), "md").into_iter();
    let told = errors
        .map(|page| Trial::test(format!("told::{}", stem(&page)), move || told_as_written(&page)));
    let codes = Trial::test("docs::c.md: the table of codes", codes_as_in_c);
    blocks.chain(told).chain([codes]).collect()
}

/// Whether the page on C lists the codes that calls end with, each with its number and its meaning.
fn codes_as_in_c() -> Result<(), Failed> {
    let page = read(&project().join("docs/src/c.md"))?;
    let rows = page.lines().filter(|line| line.starts_with("| `ARR_ERROR_"));
    let listed: Vec<&str> =
        rows.map(|row| row.rsplit_once(" | ").map_or(row, |row| row.0)).collect();
    let codes = ErrorCode::ALL
        .map(|code| format!("| `ARR_ERROR_{}` | {}", code.name().to_uppercase(), code.number()));
    if listed == codes {
        return Ok(());
    }
    Err(format!("docs/src/c.md lists {listed:#?}, and the codes are {codes:#?}").into())
}

/// Whether the page shows the diagnostics on its programs; with `BLESS` they are written into it.
fn told_as_written(page: &Path) -> Result<(), Failed> {
    let found = read(page)?;
    let expected = with_told(&found)?;
    if expected == found {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(page, expected)?;
        return Ok(());
    }
    Err(format!("scripts/bless told:: makes of the page\n{expected}").into())
}

/// A page with the diagnostics on each of its programs behind it.
fn with_told(page: &str) -> Result<String, Failed> {
    let (mut text, mut program) = (String::new(), None::<(Told, String)>);
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line == "```text,told" {
            lines.by_ref().take_while(|line| *line != "```").for_each(drop);
            lines.next_if_eq(&"");
            continue;
        }
        text.push_str(&format!("{line}\n"));
        match (line, &mut program) {
            ("```arr,fails" | "```arr,warns", None) => program = Some((told, String::new())),
            ("```arr,hints", None) => program = Some((hinted, String::new())),
            ("```", Some((told, whole))) => {
                let told = told(whole)?;
                text.push_str(&format!("\n```text,told\n{told}```\n"));
                program = None;
            }
            (line, Some((_, whole))) => whole.push_str(&format!("{line}\n")),
            (_, None) => {}
        }
    }
    Ok(format!("{}\n", text.trim_end()))
}

/// The diagnostics on a program.
type Told = fn(&str) -> Result<String, Failed>;

/// The hints on a program.
fn hinted(program: &str) -> Result<String, Failed> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("example.arr"), program)?;
    let mut command = Command::new(arrc());
    let result =
        output(command.args(["explain", "--verbose", "example.arr"]).current_dir(folder.path()))?;
    let stdout = String::from_utf8_lossy(&result.stdout).into_owned();
    let hints = stdout.find("hint[").map(|start| stdout[start..].trim_end());
    Ok(format!("{}\n", hints.ok_or("nothing is proposed")?))
}

/// The diagnostics on a program, without the line that counts them.
fn told(program: &str) -> Result<String, Failed> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("example.arr"), program)?;
    let mut command = Command::new(arrc());
    let result = output(command.args(["check", "example.arr"]).current_dir(folder.path()))?;
    let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
    let lines: Vec<&str> = stderr.lines().collect();
    let (_, told) = lines.split_last().ok_or("nothing is told of the program")?;
    Ok(told.iter().map(|line| format!("{}\n", line.trim_end())).collect())
}

fn pages() -> Vec<PathBuf> {
    let top = project();
    let folders = ["docs/src", "docs/errors", "docs/dev"].map(|folder| top.join(folder));
    let found = folders.iter().flat_map(|folder| files(folder, "md"));
    let first = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|page| top.join(page));
    first.into_iter().chain(found).collect()
}

/// A fenced block.
#[derive(Clone)]
struct Block {
    page: PathBuf,
    line: usize,
    mark: String,
    text: String,
}

fn blocks(page: &Path) -> Vec<Trial> {
    let text = read(page).unwrap_or_default();
    let mut found: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(mark), None) => {
                open = Some(Block {
                    page: page.to_path_buf(),
                    line: number + 1,
                    mark: mark.into(),
                    text: String::new(),
                });
            }
            (Some(_), Some(block)) => found.push(block),
            (None, Some(mut block)) => {
                block.text.push_str(line);
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    let is_tested = |block: &Block| {
        ["arr", "arr,fails", "arr,warns", "arr,hints", "console", "c"]
            .contains(&block.mark.as_str())
    };
    let trial = |block: Block| {
        Trial::test(format!("docs::{}:{}::{}", stem(page), block.line, block.mark), move || {
            check(&block)
        })
    };
    found.into_iter().filter(is_tested).map(trial).collect()
}

fn check(block: &Block) -> Result<(), Failed> {
    match block.mark.as_str() {
        "arr" => arr_block(block),
        "arr,fails" => reported_block(block, 1),
        "arr,warns" => reported_block(block, 0),
        "arr,hints" => hinted_block(block),
        "console" => console_block(block),
        _ => c_block(block),
    }
}

fn arr_block(block: &Block) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("example.arr");
    fs::write(&file, &block.text)?;
    let command = if block.text.contains("-- ==\n") { "test" } else { "check" };
    succeed(Command::new(arrc()).args([command, "--deny-warnings"]).arg(file))?;
    Ok(())
}

/// A program that the page's code is reported for.
fn reported_block(block: &Block, status: i32) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("example.arr");
    fs::write(&file, &block.text)?;
    let result = output(Command::new(arrc()).arg("check").arg(file))?;
    let code = stem(&block.page);
    let stderr = String::from_utf8_lossy(&result.stderr);
    if result.status.code() == Some(status) && stderr.contains(&format!("[{code}]")) {
        return Ok(());
    }
    Err(format!("{} was expected, but it ended with {}:\n{stderr}", code, result.status).into())
}

/// The program has the hint that the page is about, and no other.
fn hinted_block(block: &Block) -> Result<(), Failed> {
    let (hints, code) = (hinted(&block.text)?, stem(&block.page));
    let others = hints.matches("hint[").count() - hints.matches(&format!("hint[{code}]")).count();
    if others == 0 { Ok(()) } else { Err(format!("only {code} was expected:\n{hints}").into()) }
}

/// Runs each `$` line and compares what it prints with the lines after it.
fn console_block(block: &Block) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    for (name, text) in named_blocks(&read(&block.page)?) {
        fs::write(folder.path().join(name), text)?;
    }
    let mut commands: Vec<(&str, String)> = Vec::new();
    for line in block.text.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, String::new())),
            (None, Some((_, expected))) => {
                expected.push_str(line);
                expected.push('\n');
            }
            (None, None) => return Err("a console block begins with a `$` line".into()),
        }
    }
    for (command, expected) in commands {
        let found = shell(command, folder.path())?;
        if !fits(&found, &expected) {
            return Err(format!("$ {command}\nprinted\n{found}instead of\n{expected}").into());
        }
    }
    Ok(())
}

/// Whether a text is as expected, where a line `…` stands for any lines.
fn fits(found: &str, expected: &str) -> bool {
    let Some((beginning, others)) = expected.split_once("…\n") else { return found == expected };
    let Some(rest) = found.strip_prefix(beginning) else { return false };
    let mut lines = iter::once(0).chain(rest.match_indices('\n').map(|(at, _)| at + 1));
    lines.any(|at| fits(&rest[at..], others))
}

/// The blocks of a page that are files, by name.
pub(crate) fn named_blocks(page: &str) -> Vec<(String, String)> {
    // Every second piece is inside a block, from its mark on.
    let blocks = page.split("\n```").skip(1).step_by(2);
    let named = |block: &str| {
        let (_, text) = block.split_once('\n')?;
        let first = text.lines().next()?;
        let arr = first.strip_prefix("-- ");
        let arr = arr.filter(|name| [".arr", ".fut"].iter().any(|end| name.ends_with(end)));
        let c = first.strip_prefix("/* ").and_then(|rest| rest.strip_suffix(" */"));
        let other = first.strip_prefix("// ");
        let other = other.filter(|name| [".cpp", ".rs"].iter().any(|end| name.ends_with(end)));
        let name = arr.or(c.filter(|name| name.ends_with(".c"))).or(other)?;
        (!name.contains(' ')).then(|| (name.to_owned(), format!("{text}\n")))
    };
    blocks.filter_map(named).collect()
}

/// Runs a line in a temporary folder that looks like the project's, so that its output files are removed.
fn shell(command: &str, folder: &Path) -> Result<String, Failed> {
    for name in ["examples", "docs"] {
        let link = folder.join(name);
        if !link.exists() {
            std::os::unix::fs::symlink(project().join(name), link)?;
        }
    }
    let path = std::env::var("PATH").unwrap_or_default();
    let bin = arrc().parent().expect("the compiler is in a folder").to_path_buf();
    let result = output(
        Command::new("sh")
            .args(["-c", command])
            .current_dir(folder)
            .env("PATH", format!("{}:{path}", bin.display())),
    )?;
    Ok(format!(
        "{}{}",
        String::from_utf8_lossy(&result.stdout),
        String::from_utf8_lossy(&result.stderr)
    ))
}

/// A C program that includes `NAME.h`, of the page's program `NAME.arr`.
fn c_block(block: &Block) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let included =
        block.text.split("#include \"").nth(1).and_then(|rest| rest.split(".h\"").next());
    let name = included.ok_or("the block includes no header of a program")?;
    let file = folder.path().join(format!("{name}.arr"));
    let page = read(&block.page)?;
    let program = named_blocks(&page).into_iter().find(|(file, _)| *file == format!("{name}.arr"));
    fs::write(&file, program.ok_or("the page has no such program")?.1)?;
    let object = folder.path().join(format!("{name}.o"));
    succeed(Command::new(arrc()).arg("build").arg(&file).arg("-o").arg(&object))?;
    let c = folder.path().join("main.c");
    fs::write(&c, &block.text)?;
    let program = folder.path().join("main");
    succeed(
        Command::new("gcc")
            .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"])
            .arg(folder.path())
            .args([&c, &object])
            .arg(runtime(folder.path())?)
            .args(["-lm", "-lpthread", "-o"])
            .arg(&program),
    )?;
    succeed(&mut Command::new(program))?;
    Ok(())
}

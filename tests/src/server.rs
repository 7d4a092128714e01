//! Servers that `arrc build --server` makes: a session of commands and answers, and Futhark's client for Python.
//!
//! Invariant: a line of the session that begins with `>` is a command, and the lines behind it are its answer. The time
//! of a call is written as `…`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use arr_expect::compare;
use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;

use crate::python::environment;
use crate::tools::{arrc, output, project, read, succeed};

/// The files of data that the session reads.
const FILES: [(&str, &str); 2] = [("numbers.in", "3.0 4.0 [1i64, 2i64]"), ("index.in", "9i64")];

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("server::session", session),
        Trial::test("server::client_for_python", client),
        Trial::test("server::example_of_the_page", example),
        Trial::test("server::command_line", command_line),
    ]
}

/// A server in a folder of its own.
fn server() -> Result<(TempDir, PathBuf), Failed> {
    let folder = tempfile::tempdir()?;
    let program = project().join("tests/server/shapes.arr");
    std::fs::copy(program, folder.path().join("shapes.arr"))?;
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text)?;
    }
    let build = ["build", "--server", "shapes.arr"];
    succeed(Command::new(arrc()).args(build).current_dir(folder.path()))?;
    let server = folder.path().join("shapes");
    Ok((folder, server))
}

fn session() -> Result<(), Failed> {
    let (folder, server) = server()?;
    let path = project().join("tests/server/session.txt");
    let text = read(&path)?;
    let commands: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let answers = answers(&server, folder.path(), &commands)?;
    let mut told = String::new();
    for (command, answer) in commands.iter().zip(&answers) {
        told += &format!("> {command}\n{answer}");
    }
    compare(&told, &path)
}

/// The answer to each command, without its last line.
fn answers(server: &Path, folder: &Path, commands: &[&str]) -> Result<Vec<String>, Failed> {
    let mut child = Command::new(server);
    let child = child.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child?;
    let mut input = child.stdin.take().ok_or("standard input was asked for")?;
    for command in commands {
        writeln!(input, "{command}")?;
    }
    drop(input);
    let told = child.wait_with_output()?;
    if !told.status.success() {
        return Err(format!("the server ends with {}", told.status).into());
    }
    let mut answers: Vec<String> = vec![String::new()];
    for line in String::from_utf8_lossy(&told.stdout).lines() {
        match line {
            "%%% OK" => answers.push(String::new()),
            _ if line.starts_with("runtime: ") => *last(&mut answers) += "runtime: …\n",
            _ => *last(&mut answers) += &format!("{line}\n"),
        }
    }
    // The first line says that the server has started, and nothing is behind the last one.
    let count = commands.len();
    if answers.len() != count + 2 || !answers[0].is_empty() || !answers[count + 1].is_empty() {
        return Err(format!("{count} commands have the answers {answers:?}").into());
    }
    Ok(answers[1..=count].to_vec())
}

fn last(answers: &mut [String]) -> &mut String {
    answers.last_mut().expect("there is an answer that is not complete")
}

fn client() -> Result<(), Failed> {
    let python = environment("quick", false)?;
    let (_folder, server) = server()?;
    let client = project().join("tests/server/client.py");
    succeed(Command::new(python).arg(client).arg(server))?;
    Ok(())
}

/// The example of the page on Futhark, and the command before it.
fn example() -> Result<(), Failed> {
    let page = read(&project().join("docs/src/from-futhark.md"))?;
    let block = |language: &str, with: &str| {
        let blocks = page.split("```").skip(1).step_by(2);
        let texts = blocks.filter_map(|block| block.strip_prefix(language));
        let mut texts = texts.filter(|text| text.contains(with));
        texts.next().map(str::to_owned).ok_or_else(|| format!("the page has no {with}"))
    };
    let python = environment("quick", false)?;
    let folder = tempfile::tempdir()?;
    let command = block("text", "arrc build --server")?;
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    std::os::unix::fs::symlink(project().join("examples"), folder.path().join("examples"))?;
    succeed(Command::new(arrc()).args(words).current_dir(folder.path()))?;
    std::fs::write(folder.path().join("example.py"), block("python", "futhark_server")?)?;
    succeed(Command::new(python).arg("example.py").current_dir(folder.path()))?;
    Ok(())
}

fn command_line() -> Result<(), Failed> {
    let (_folder, server) = server()?;
    let help = succeed(Command::new(&server).arg("--help"))?;
    let wrong = output(Command::new(&server).arg("--fast"))?;
    let told = String::from_utf8_lossy(&wrong.stderr);
    if !help.starts_with("usage: ") || wrong.status.code() != Some(2) {
        return Err(format!("`--help` says {help}, and `--fast` {told}").into());
    }
    if !told.starts_with("error: a server has no option `--fast`\nusage: ") {
        return Err(format!("`--fast` says {told}").into());
    }
    Ok(())
}

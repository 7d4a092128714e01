//! Paths of the project, and running commands.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use arr_runtime::host::{Memory, RunError, Session, Value, ValueType};
use arr_runtime::text;
use libtest_mimic::Failed;

/// The option for what every processor of this architecture has. Libraries have code for three levels of processors
/// otherwise, which takes longer to compile.
pub(crate) const BASELINE: &str =
    if cfg!(target_arch = "x86_64") { "--target-cpu=x86-64" } else { "--target-cpu=generic" };

/// The project's top folder.
#[must_use]
pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests are one folder down")
        .to_path_buf()
}

/// The built compiler: beside the folder of this test program.
///
/// # Panics
/// If it has not been built; `cargo build` does.
#[must_use]
pub fn arrc() -> PathBuf {
    let path = built("arrc");
    assert!(
        path.is_file(),
        "{} is missing: run `cargo build --workspace` in the same profile first",
        path.display()
    );
    path
}

/// A file that cargo has built, in the profile of this test program.
#[must_use]
pub fn built(name: &str) -> PathBuf {
    let program = env::current_exe().expect("a running program has a path");
    let folder = program.parent().expect("a program is in a folder");
    // Test programs are in target/PROFILE/deps, others in target/PROFILE.
    let profile = if folder.ends_with("deps") { folder.parent() } else { Some(folder) };
    profile.expect("cargo's folders are not at the top").join(name)
}

/// The files of a folder with an extension, sorted.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder that opens can be listed").path())
        .filter(|path| path.extension() == Some(OsStr::new(extension)))
        .collect();
    found.sort();
    found
}

/// A file's text.
///
/// # Errors
/// If it cannot be read.
pub fn read(path: &Path) -> Result<String, Failed> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// The file's name without its extension.
#[must_use]
pub fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// Runs a command to its end.
///
/// # Errors
/// If it cannot be started.
pub fn output(command: &mut Command) -> Result<Output, Failed> {
    command.output().map_err(|error| format!("cannot run {command:?}: {error}").into())
}

/// Runs a command that must succeed, and gives its standard output.
///
/// # Errors
/// If it fails, with what it printed.
pub fn succeed(command: &mut Command) -> Result<String, Failed> {
    let result = output(command)?;
    let stdout = String::from_utf8_lossy(&result.stdout).into_owned();
    if result.status.success() {
        return Ok(stdout);
    }
    let stderr = String::from_utf8_lossy(&result.stderr);
    Err(format!("{command:?} ended with {}\n{stdout}{stderr}", result.status).into())
}

/// Calls an entry, and once more with memory of the caller for the results, which must be the same. If they are not, it is
/// an error without a code.
pub(crate) fn call_twice(
    session: &Session<'_>,
    entry: &str,
    args: &[Value],
    types: &[ValueType],
) -> Result<Vec<Value>, RunError> {
    let found = session.call(entry, args, types)?;
    if !types.iter().any(|ty| matches!(ty, ValueType::Array { .. })) {
        return Ok(found);
    }
    // The text of a number has all its digits, so different numbers have different texts.
    let told = |values: &[Value]| values.iter().map(text::print).collect::<Vec<_>>();
    for memory in [Memory::Apart, Memory::OfInputs] {
        let other = session.call_into(entry, args, (&found, memory))?;
        let [found, other] = [&found, &other].map(|values| told(values));
        if found != other {
            let message = format!("{found:?}, but in memory of the caller ({memory:?}) {other:?}");
            return Err(RunError { code: None, message });
        }
    }
    Ok(found)
}

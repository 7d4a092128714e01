//! The oracle: an evaluator of Arr in Python with NumPy, which shares no code with the compiler. It runs the texts of programs, so
//! mistakes of type inference show too.
//!
//! Invariant: the oracle gives what the test blocks of `run/` say, and compiled code gives what the oracle says, for random
//! programs. The programs of the quick set are the same every day. In the nightly set, each trial goes on for half an hour.
//!
//! ```text
//! python tests/oracle/fuzz.py --arrc target/debug/arrc --count 96
//! ```

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::time::SystemTime;

use libtest_mimic::{Failed, Trial};

use crate::python::environment;
use crate::run::all;
use crate::tools::{arrc, files, project, succeed};

/// The programs of a quick trial, and how often each entry is called.
const QUICK: [&str; 4] = ["--count", "48", "--batch", "12"];
/// How long a nightly trial goes on, in seconds.
const NIGHT: [&str; 2] = ["--seconds", "1800"];

/// The trials: the oracle itself, and random programs.
#[must_use]
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("oracle::its_parts", || python(&["-m", "unittest", "test_oracle"], None)),
        Trial::test("oracle::test_blocks", blocks),
        Trial::test("oracle::random_programs", || programs(&[], None)),
        Trial::test("oracle::sanitized_programs", sanitized),
    ]
}

/// The same with the checks of AddressSanitizer, which stops at an access outside of an allocation that changes no result.
fn sanitized() -> Result<(), Failed> {
    let file = format!("-print-file-name=libclang_rt.asan-{}.so", env::consts::ARCH);
    let library = succeed(Command::new("clang-22").arg(file))?;
    programs(&["--sanitize", "address"], Some(library.trim()))
}

/// The oracle gives the outputs of test blocks; of every fifth file, or at night of all.
fn blocks() -> Result<(), Failed> {
    let step = if all() { 1 } else { 5 };
    let programs = files(&project().join("tests/run"), "arr").into_iter().step_by(step);
    let programs: Vec<String> = programs.map(|path| path.to_string_lossy().into_owned()).collect();
    let arguments = ["blocks.py"].into_iter().chain(programs.iter().map(String::as_str));
    python(&arguments.collect::<Vec<_>>(), None)
}

/// Compiled code gives what the oracle gives. A difference is shown as a small program.
fn programs(options: &[&str], preloaded: Option<&str>) -> Result<(), Failed> {
    let found = tempfile::tempdir()?;
    let (arrc, folder) = (arrc(), found.path().to_string_lossy().into_owned());
    let seed = env::var("PROPTEST_RNG_SEED").unwrap_or_else(|_| seed());
    let common =
        ["fuzz.py", "--seed", &seed, "--arrc", &arrc.to_string_lossy(), "--found", &folder];
    let length: &[&str] = if all() { &NIGHT } else { &QUICK };
    python(&[&common[..], length, options].concat(), preloaded).map_err(|failed| {
        let programs = files(found.path(), "arr").into_iter();
        let texts = programs.filter_map(|path| std::fs::read_to_string(path).ok());
        let message = failed.message().unwrap_or_default().to_owned();
        texts.fold(message, |message, text| format!("{message}\n{text}")).into()
    })
}

/// The seed, which the report shows: the same every day, and a new one every night.
fn seed() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    if all() { now.as_secs().to_string() } else { "1".into() }
}

/// Runs Python with NumPy in the folder of the oracle, with a library loaded before all others.
fn python(arguments: &[&str], preloaded: Option<&str>) -> Result<(), Failed> {
    let folder: PathBuf = project().join("tests/oracle");
    let mut command = Command::new(environment("quick", false)?);
    command.args(arguments).current_dir(folder).env("PYTHONDONTWRITEBYTECODE", "1");
    // Python frees at its end what it needs until then.
    command
        .envs(preloaded.map(|library| ("LD_PRELOAD", library)))
        .env("ASAN_OPTIONS", "detect_leaks=0");
    succeed(&mut command)?;
    Ok(())
}

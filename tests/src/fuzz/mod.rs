//! Improbable programs: mutations of every program of the tests and examples, compiled up to the loop nests. Whatever
//! the text, the compiler ends, with loop nests or with diagnostics.
//!
//! The cases run in a child process (`arr-fuzz`), so that an overflow of the stack is found like a
//! panic or a case without an end. A case depends on its number and the seed alone. A failing text is made smaller
//! before it is shown.
//!
//! ```text
//! def area (w: f64) … ⇒ def area (w: f64 in … ⇒ error[A0102], and not a panic
//! ```

mod case;
mod mutate;
mod options;
mod random;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};

pub use case::{Outcome, run, smaller};
pub use mutate::{Corpus, mutant};
pub use options::Options;
pub use random::Random;

use crate::tools::{output, project};

/// The number of cases in the quick set, for each child.
const DAILY: u64 = 120;
/// The number of cases in the nightly set.
const NIGHTLY: u64 = 6000;
/// How many children there are.
const CHILDREN: u64 = 2;

/// The trials: some cases each.
#[must_use]
pub fn trials(program: &'static str) -> Vec<Trial> {
    let all = std::env::var_os("ARR_TESTS").is_some_and(|value| value == "all");
    let count = if all { NIGHTLY } else { DAILY };
    let trial =
        |seed: u64| Trial::test(format!("fuzz::seed_{seed}"), move || child(program, seed, count));
    (1..=CHILDREN).map(trial).collect()
}

/// Runs cases in a child.
fn child(program: &str, seed: u64, count: u64) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let case = folder.path().join("case.arr");
    let result = output(
        Command::new(program)
            .args(["--seed", &seed.to_string(), "--count", &count.to_string(), "--case"])
            .arg(&case),
    )?;
    if result.status.success() {
        return Ok(());
    }
    let text = fs::read_to_string(&case).unwrap_or_default();
    let errors = String::from_utf8_lossy(&result.stderr);
    Err(format!("{}\n{errors}\nThe last program was:\n{text}", result.status).into())
}

/// Runs cases one after the other, for a number of cases or of seconds. Gives how many there were, or the failure with
/// its program. Before each case its text is written to a file, so that the parent can report it after a crash.
///
/// # Errors
/// If a case ends in a way that is not allowed.
pub fn cases(seed: u64, limit: Limit, file: &Path) -> Result<u64, (String, String)> {
    let corpus = Corpus::read(&project());
    let start = Instant::now();
    let mut number = 0;
    while !limit.is_reached(number, start) {
        let text = mutant(&corpus, &mut Random::new(seed, number));
        fs::write(file, &text).expect("the folder of the cases can be written to");
        match run(&text) {
            Outcome::Fine => {}
            Outcome::Panic(what) => return Err((what.clone(), smaller(text, &what))),
            Outcome::Endless => return Err(("it does not end".to_owned(), text)),
        }
        number += 1;
    }
    Ok(number)
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// After this many cases.
    Count(u64),
    /// After so long.
    Time(Duration),
}

impl Limit {
    pub(crate) fn is_reached(self, number: u64, start: Instant) -> bool {
        match self {
            Self::Count(count) => number >= count,
            Self::Time(time) => start.elapsed() >= time,
        }
    }
}

//! `arr-fuzz`: random mutants of the project's programs, for a number of cases or of seconds. Ends with
//! status 1 at the first that panics or does not end, and prints it.
//!
//! usage: arr-fuzz [--seed N] [--count N | --seconds N] [--case FILE]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use arr_tests::fuzz::{Limit, cases};

fn main() -> ExitCode {
    let (mut seed, mut limit, mut file) = (1, Limit::Count(1000), None);
    let mut arguments = std::env::args().skip(1);
    while let (Some(option), Some(value)) = (arguments.next(), arguments.next()) {
        let number = || value.parse().unwrap_or_else(|_| panic!("{option} takes a number"));
        match option.as_str() {
            "--seed" => seed = number(),
            "--count" => limit = Limit::Count(number()),
            "--seconds" => limit = Limit::Time(Duration::from_secs(number())),
            "--case" => file = Some(PathBuf::from(&value)),
            _ => panic!("unknown option {option}"),
        }
    }
    let file = file.unwrap_or_else(|| std::env::temp_dir().join("arr-fuzz-case.arr"));
    match cases(seed, limit, &file) {
        Ok(count) => {
            println!("{count} cases, all fine");
            ExitCode::SUCCESS
        }
        Err((what, text)) => {
            eprintln!("{what}\n\n{text}");
            ExitCode::FAILURE
        }
    }
}

//! `arr-fuzz`: random mutants of the project's programs, for a number of cases or of seconds. Ends with
//! status 1 at the first that panics or does not end, and prints it.
//!
//! usage: arr-fuzz [--seed N] [--count N | --seconds N] [--case FILE]

use std::process::ExitCode;

use arr_tests::fuzz::{Options, cases};

fn main() -> ExitCode {
    let Options { seed, limit, file } = Options::read("arr-fuzz-case.arr");
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

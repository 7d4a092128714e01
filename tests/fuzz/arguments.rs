//! `arr-arguments`: calls entries with random arguments, for a number of calls or of seconds. Ends with status 1 at the first
//! that is not as the interpreter has it, and prints it; a trap ends it too.
//!
//! usage: arr-arguments [--seed N] [--count N | --seconds N] [--case FILE]

use std::process::ExitCode;

use arr_tests::arguments::calls;
use arr_tests::fuzz::Options;

fn main() -> ExitCode {
    let Options { seed, limit, file } = Options::read("arr-arguments-call");
    match calls(seed, limit, &file) {
        Ok((count, results)) => {
            println!("{count} calls, {results} with results, all fine");
            ExitCode::SUCCESS
        }
        Err(what) => {
            eprintln!("{what}");
            ExitCode::FAILURE
        }
    }
}

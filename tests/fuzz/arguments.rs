//! `arr-arguments`: calls entries with random arguments, for a number of calls or of seconds. Ends with status 1 at the first
//! that is not as the interpreter has it, and prints it; a trap ends it too.
//!
//! usage: arr-arguments [--seed N] [--count N | --seconds N] [--case FILE]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use arr_tests::arguments::calls;
use arr_tests::fuzz::Limit;

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
    let file = file.unwrap_or_else(|| std::env::temp_dir().join("arr-arguments-call"));
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

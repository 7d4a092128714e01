//! The options of the programs that try random cases.
//!
//! Invariant: an option that is not given has its default; one that is not known is a panic.
//!
//! ```text
//! --seed 7 --seconds 60   ⇒   Options { seed: 7, limit: Time(60 s), … }
//! ```

use std::path::PathBuf;
use std::time::Duration;

use super::Limit;

/// Which cases there are.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed. Cases depend on it and on their numbers.
    pub seed: u64,
    /// How many there are.
    pub limit: Limit,
    /// The file to which each case is written before it runs.
    pub file: PathBuf,
}

impl Options {
    /// The options of the command line. Cases go to a temporary file of that name if no other is given.
    ///
    /// # Panics
    /// If an option is not known or its value no number.
    #[must_use]
    pub fn read(name: &str) -> Self {
        let mut options =
            Self { seed: 1, limit: Limit::Count(1000), file: std::env::temp_dir().join(name) };
        let mut arguments = std::env::args().skip(1);
        while let (Some(option), Some(value)) = (arguments.next(), arguments.next()) {
            let number = || value.parse().unwrap_or_else(|_| panic!("{option} takes a number"));
            match option.as_str() {
                "--seed" => options.seed = number(),
                "--count" => options.limit = Limit::Count(number()),
                "--seconds" => options.limit = Limit::Time(Duration::from_secs(number())),
                "--case" => options.file = PathBuf::from(&value),
                _ => panic!("unknown option {option}"),
            }
        }
        options
    }
}

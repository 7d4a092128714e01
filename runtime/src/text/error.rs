//! The error that an argument is no value of its parameter's type.

use std::fmt;
use std::io;

/// A problem with an argument, and its remedy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgumentError {
    /// What does not fit.
    pub problem: String,
    /// What to do, if there is a better advice than to pass another argument.
    pub help: Option<String>,
}

impl ArgumentError {
    /// A problem without further help.
    #[must_use]
    pub fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), help: None }
    }

    /// Adds the help.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Adds the name of the file.
    #[must_use]
    pub(super) fn of(self, file: &str) -> Self {
        Self { problem: format!("{file}: {}", self.problem), ..self }
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)?;
        self.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

impl std::error::Error for ArgumentError {}

impl From<io::Error> for ArgumentError {
    fn from(error: io::Error) -> Self {
        let problem = Self::new(reason(&error));
        if error.kind() == io::ErrorKind::NotFound {
            return problem.help("check the path");
        }
        problem
    }
}

/// An error of the system in words, without its number.
#[must_use]
#[allow(clippy::wildcard_enum_match_arm, reason = "the standard library adds kinds")]
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_string(),
        io::ErrorKind::PermissionDenied => "permission was denied".to_string(),
        io::ErrorKind::IsADirectory => "it is a folder".to_string(),
        io::ErrorKind::NotADirectory => "a part of its path is no folder".to_string(),
        io::ErrorKind::UnexpectedEof => "it ends too early".to_string(),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => "it is damaged".to_string(),
        _ => error.to_string(),
    }
}

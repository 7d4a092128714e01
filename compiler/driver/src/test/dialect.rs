//! The language of a program's tests: by Futhark's rules in a file that ends in `.fut`, and by Arr's otherwise.

use std::path::Path;

use super::compare::{TOLERANCE, Tolerance};

/// The language of a file, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    Arr,
    Futhark,
}

/// Futhark's default tolerance.
const FUTHARK_TOLERANCE: f64 = 0.002;

impl Dialect {
    /// The language of the file at a path.
    pub(crate) fn of(path: &Path) -> Self {
        if path.extension().is_some_and(|extension| extension == "fut") {
            Self::Futhark
        } else {
            Self::Arr
        }
    }

    /// When floats are equal. `asked` is the tolerance that the command line asks for.
    pub(super) fn tolerance(self, asked: Option<f64>) -> Tolerance {
        match self {
            Self::Arr => Tolerance::OfEach(asked.unwrap_or(TOLERANCE)),
            Self::Futhark => Tolerance::OfLargest(asked.unwrap_or(FUTHARK_TOLERANCE)),
        }
    }
}

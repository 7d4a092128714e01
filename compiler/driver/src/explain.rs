//! `arrc explain CODE`: the long text of a diagnostic.

use arrc_core::diagnostics::REGISTRY;

use crate::error::{DriverError, Failure};

/// Prints the page of a code.
pub(crate) fn explain(code: &str) -> Result<(), Failure> {
    let wanted = code.trim().to_ascii_uppercase();
    match REGISTRY.iter().find(|entry| entry.code.0 == wanted) {
        Some(entry) => {
            print!("{}", entry.page);
            Ok(())
        }
        None => Err(DriverError::UnknownCode { code: code.to_string() }.into()),
    }
}

//! The crate `arrc-build`, which the installation has as a crate of its own.
//!
//! Invariant: it is file for file the crate of the repository, and needs nothing that is not in its folder.

use super::Prefix;
use crate::error::DriverError;

/// The folder of the crate.
const FOLDER: &str = "share/arrc/arrc-build";
/// Its files.
const FILES: [(&str, &str); 5] = [
    ("Cargo.toml", include_str!("../../../build/Cargo.toml")),
    ("LICENSE", include_str!("../../../../LICENSE")),
    ("src/lib.rs", include_str!("../../../build/src/lib.rs")),
    ("src/compiler.rs", include_str!("../../../build/src/compiler.rs")),
    ("src/ndarray.rs.in", include_str!("../../../build/src/ndarray.rs.in")),
];

/// Installs the crate.
pub(super) fn install(prefix: Prefix<'_>) -> Result<(), DriverError> {
    FILES.iter().try_for_each(|(name, text)| prefix.write(&format!("{FOLDER}/{name}"), text))
}

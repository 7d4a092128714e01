//! The crate `arrc-build`, which the installation has as a crate of its own.
//!
//! Invariant: it is file for file the crate of the repository, and needs nothing that is not in its folder.

use super::File;

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

/// The files, as the installation has them.
pub(super) fn files() -> impl Iterator<Item = File> {
    FILES.into_iter().map(|(name, text)| File::text(format!("{FOLDER}/{name}"), text))
}

//! The target that libraries and programs are made for.
//!
//! Invariant: a [`Target`] has a runtime inside of this compiler. So nothing is put beside the runtime of another one.

use arr_objects::Objects;

use crate::error::DriverError;

/// A target with a runtime.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    objects: &'static Objects,
}

impl Target {
    /// The target of this process.
    pub(crate) fn own() -> Self {
        Self { objects: arr_objects::own() }
    }

    /// The target that the command line names.
    pub(crate) fn named(triple: Option<&str>) -> Result<Self, DriverError> {
        let Some(triple) = triple else { return Ok(Self::own()) };
        let triple = arrc_llvm::target(triple).map_err(DriverError::Backend)?;
        let objects = arr_objects::TARGETS.iter().find(|objects| is_same(objects.triple, &triple));
        objects.map(|objects| Self { objects }).ok_or(DriverError::NoRuntime { triple })
    }

    /// Whether it is the target of this process.
    pub(crate) fn is_own(self) -> bool {
        self.triple() == Self::own().triple()
    }

    /// Its name.
    pub(crate) fn triple(self) -> &'static str {
        self.objects.triple
    }

    /// The object files for it.
    pub(crate) fn objects(self) -> &'static Objects {
        self.objects
    }
}

/// The names of all targets, in alphabetical order.
pub(crate) fn triples() -> Vec<&'static str> {
    let mut triples: Vec<_> = arr_objects::TARGETS.iter().map(|objects| objects.triple).collect();
    triples.sort_unstable();
    triples
}

/// Whether two names stand for one target. Who made the machine does not matter: `x86_64-pc-linux-gnu` is
/// `x86_64-unknown-linux-gnu`.
fn is_same(one: &str, other: &str) -> bool {
    parts(one) == parts(other)
}

/// The architecture, the system and its C library.
fn parts(triple: &str) -> (&str, Vec<&str>) {
    let mut parts = triple.split('-');
    let architecture = match parts.next() {
        Some("arm64") => "aarch64",
        Some(architecture) => architecture,
        None => "",
    };
    (architecture, parts.skip(1).collect())
}

#[cfg(test)]
mod tests {
    use super::{Target, is_same, triples};
    use crate::error::DriverError;

    #[test]
    fn a_target_has_several_names() {
        for name in ["x86_64-pc-linux-gnu", "x86_64-unknown-linux-gnu", "x86_64-redhat-linux-gnu"] {
            assert!(is_same("x86_64-unknown-linux-gnu", name), "{name}");
        }
        for name in ["aarch64-linux-gnu", "arm64-linux-gnu", "aarch64-unknown-linux-gnu"] {
            let target =
                Target::named(Some(name)).expect("scripts/setup installs what it is built by");
            assert_eq!(target.triple(), "aarch64-unknown-linux-gnu");
        }
    }

    #[test]
    fn another_system_is_another_target() {
        for name in [
            "x86_64-unknown-linux-musl",
            "x86_64-unknown-linux-android",
            "x86_64-unknown-linux",
            "x86_64-pc-windows-gnu",
            "x86_64-apple-darwin",
            "x86_64-unknown-none",
            "x86_64",
            "aarch64-unknown-linux-musl",
            "aarch64-apple-darwin",
            "arm64ec-pc-windows-msvc",
        ] {
            let error = Target::named(Some(name)).expect_err("no runtime");
            let is_told = matches!(error, DriverError::NoRuntime { .. } | DriverError::Backend(_));
            assert!(is_told, "{name}: {error:?}");
        }
    }

    #[test]
    fn the_own_target_is_there_by_its_name() {
        let own = Target::named(Some(&arrc_llvm::default_target())).expect("it has a runtime");
        assert!(own.is_own() && triples().contains(&own.triple()));
    }
}

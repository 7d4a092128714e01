//! The names by which the linker knows a program's functions, so that programs with entries of one name can be linked
//! together.
//!
//! Invariant: the names depend on the texts of the program, the prefix and the options, and on no path. Programs with
//! equal names have the same functions.
//!
//! ```text
//! entry run …   ⇒   arr_1f8a…_run, arr_1f8a…_run__uniform; the header calls the first one run
//! ```

use std::fs;

use arrc_syntax::source::Sources;

use crate::cli::Build;

/// The unique names of a program.
#[derive(Clone, Debug)]
pub(crate) struct Unique {
    before: String,
}

impl Unique {
    /// The names of a program that `build` makes, with the prefix of its entries.
    pub(crate) fn new(build: &Build, sources: &Sources, prefix: &str) -> Self {
        let mut hash = Hash::default();
        for (_, source) in sources.iter().filter(|(_, source)| !source.is_library) {
            hash.add(source.text.as_bytes());
        }
        for file in &build.link {
            // What cannot be read is reported where it is linked.
            hash.add(&fs::read(file).unwrap_or_default());
        }
        let options = (
            (build.options.method(), build.passes, build.sanitize),
            (build.level.level, build.level.vectors, &build.target, &build.target_cpu),
        );
        hash.add(format!("{options:?}").as_bytes());
        hash.add(prefix.as_bytes());
        Self { before: format!("arr_{}_", hash.text()) }
    }

    /// What all names begin with.
    pub(crate) fn before(&self) -> &str {
        &self.before
    }

    /// The unique name of a function.
    pub(crate) fn symbol(&self, name: &str) -> String {
        format!("{}{name}", self.before)
    }
}

/// A short text for a long one. It is the same in all versions of the compiler.
pub(crate) fn fingerprint(text: &str) -> String {
    let mut hash = Hash::default();
    hash.add(text.as_bytes());
    hash.text()
}

/// The hash function FNV-1a of parts, each with its length.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, part: &[u8]) {
        let length = (part.len() as u64).to_le_bytes();
        for &byte in part.iter().chain(&length) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Hash, fingerprint};

    #[test]
    fn parts_count_with_their_ends() {
        let of = |parts: &[&str]| {
            let mut hash = Hash::default();
            parts.iter().for_each(|part| hash.add(part.as_bytes()));
            hash.text()
        };
        assert_eq!(of(&["ab", "c"]), of(&["ab", "c"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["a", ""]), of(&["a"]));
        assert_eq!(fingerprint("a").len(), 16);
    }
}

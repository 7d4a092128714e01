//! Where the static libraries are that programs are linked with: the runtime, and the pool of threads.
//!
//! Invariant: a file that is found belongs to the running program, or the user named it.
//!
//! Cargo leaves a library beside the programs it builds, under one of two names: a build of the
//! workspace or of the library's crate copies it to `target/PROFILE/libarr_runtime.a`, and every build, also
//! one of a crate that depends on it, leaves it in `target/PROFILE/deps`. An installation has
//! it in `lib` or `lib/arrc` beside the program's `bin`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Names the runtime's file, beside which the others are; the first place that is looked at.
pub const VARIABLE: &str = "ARRC_RUNTIME";

/// A static library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Library {
    /// What every program needs.
    Runtime,
    /// The pool of threads.
    Parallel,
}

impl Library {
    /// The library's name without an ending.
    fn stem(self) -> &'static str {
        match self {
            Self::Runtime => "libarr_runtime",
            Self::Parallel => "libarr_parallel",
        }
    }

    /// The name of the library's file.
    #[must_use]
    pub fn file(self) -> String {
        format!("{}.a", self.stem())
    }
}

/// A static library: what [`VARIABLE`] names, or what lies near the running program.
///
/// # Errors
/// The places that were looked at, if it is in none of them.
pub fn static_library(library: Library) -> Result<PathBuf, Vec<PathBuf>> {
    if let Some(runtime) = std::env::var_os(VARIABLE).map(PathBuf::from) {
        let named = match library {
            Library::Runtime => runtime,
            Library::Parallel => runtime.with_file_name(library.file()),
        };
        return if named.is_file() { Ok(named) } else { Err(vec![named]) };
    }
    let program = std::env::current_exe().and_then(std::fs::canonicalize);
    let folder = program.ok().and_then(|program| program.parent().map(Path::to_path_buf));
    folder.map_or(Err(Vec::new()), |folder| near(library, &folder))
}

/// The newest library in the folders near the program's, since a folder may hold what an older
/// build left.
fn near(library: Library, folder: &Path) -> Result<PathBuf, Vec<PathBuf>> {
    let mut folders = vec![folder.to_path_buf(), folder.join("deps")];
    if let Some(parent) = folder.parent() {
        let of_tests = folder.ends_with("deps") || folder.ends_with("examples");
        let more = if of_tests {
            vec![parent.to_path_buf()]
        } else {
            vec![parent.join("lib"), parent.join("lib/arrc")]
        };
        folders.extend(more);
    }
    let found = folders.iter().flat_map(|folder| files_of(library, folder)).max();
    found.map(|(_, library)| library).ok_or(folders)
}

fn files_of(library: Library, folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let changed = path.metadata().and_then(|data| data.modified()).ok()?;
            is_file_of(library, path.file_name()?).then_some((changed, path))
        })
        .collect()
}

/// `libarr_runtime.a`, or as cargo names it, `libarr_runtime-0123456789abcdef.a`.
fn is_file_of(library: Library, name: &OsStr) -> bool {
    let rest = name.to_str().and_then(|name| name.strip_prefix(library.stem())?.strip_suffix(".a"));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_near_library_is_taken() {
        let target = tempfile::tempdir().expect("a folder for a test");
        let deps = target.path().join("deps");
        std::fs::create_dir(&deps).expect("a folder for a test");
        let looked = near(Library::Runtime, target.path()).expect_err("nothing is there");
        assert!(looked.contains(&deps));

        let place = |path: PathBuf, seconds: u64| {
            let file = std::fs::File::create(&path).expect("a file for a test");
            let changed = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
            file.set_modified(changed).expect("a time for a test");
            path
        };
        place(deps.join("libarr_runtime-12.rlib"), 9);
        place(deps.join("libarr_runtime_other.a"), 9);
        place(deps.join("libarr_parallel.a"), 9);
        let old = place(deps.join("libarr_runtime-12.a"), 2);
        assert_eq!(near(Library::Runtime, target.path()), Ok(old.clone()));
        assert_eq!(near(Library::Runtime, &deps), Ok(old));
        let new = place(target.path().join("libarr_runtime.a"), 3);
        assert_eq!(near(Library::Runtime, target.path()), Ok(new.clone()));
        assert_eq!(near(Library::Runtime, &deps), Ok(new));
    }
}

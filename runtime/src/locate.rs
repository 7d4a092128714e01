//! Where the static library of this crate is.
//!
//! Invariant: what is found belongs to the running program, or the user named it.
//!
//! Cargo leaves the library beside the programs it builds, under one of two names: a build of the
//! workspace or of this crate copies it to `target/PROFILE/libarr_runtime.a`, and every build, also
//! one of a crate that depends on this one, leaves it in `target/PROFILE/deps`. An installation has
//! it in `lib` or `lib/arrc` beside the program's `bin`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Names the library's file; the first place that is looked at.
pub const VARIABLE: &str = "ARRC_RUNTIME";

/// The static library: what [`VARIABLE`] names, or what lies near the running program.
///
/// # Errors
/// The places that were looked at, if it is in none of them.
pub fn static_library() -> Result<PathBuf, Vec<PathBuf>> {
    if let Some(named) = std::env::var_os(VARIABLE).map(PathBuf::from) {
        return if named.is_file() { Ok(named) } else { Err(vec![named]) };
    }
    let program = std::env::current_exe().and_then(std::fs::canonicalize);
    let folder = program.ok().and_then(|program| program.parent().map(Path::to_path_buf));
    folder.map_or(Err(Vec::new()), |folder| near(&folder))
}

/// The newest library in the folders near the program's, since a folder may hold what an older
/// build left.
fn near(folder: &Path) -> Result<PathBuf, Vec<PathBuf>> {
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
    let found = folders.iter().flat_map(|folder| libraries_in(folder)).max();
    found.map(|(_, library)| library).ok_or(folders)
}

fn libraries_in(folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let changed = path.metadata().and_then(|data| data.modified()).ok()?;
            is_library(path.file_name()?).then_some((changed, path))
        })
        .collect()
}

/// `libarr_runtime.a`, or as cargo names it, `libarr_runtime-0123456789abcdef.a`.
fn is_library(name: &OsStr) -> bool {
    let stem =
        name.to_str().and_then(|name| name.strip_prefix("libarr_runtime")?.strip_suffix(".a"));
    stem.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_near_library_is_taken() {
        let target = tempfile::tempdir().expect("a folder for a test");
        let deps = target.path().join("deps");
        std::fs::create_dir(&deps).expect("a folder for a test");
        let looked = near(target.path()).expect_err("nothing is there");
        assert!(looked.contains(&deps));

        let place = |path: PathBuf, seconds: u64| {
            let file = std::fs::File::create(&path).expect("a file for a test");
            let changed = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
            file.set_modified(changed).expect("a time for a test");
            path
        };
        place(deps.join("libarr_runtime-12.rlib"), 9);
        place(deps.join("libarr_runtime_other.a"), 9);
        let old = place(deps.join("libarr_runtime-12.a"), 2);
        assert_eq!(near(target.path()), Ok(old.clone()));
        assert_eq!(near(&deps), Ok(old));
        let new = place(target.path().join("libarr_runtime.a"), 3);
        assert_eq!(near(target.path()), Ok(new.clone()));
        assert_eq!(near(&deps), Ok(new));
    }
}

//! The programs that the paths on a command line stand for.
//!
//! Invariant: the files of each folder are sorted by name, and each file occurs once. A file that the command line
//! names itself is always taken.

use std::fs;
use std::path::{Path, PathBuf};

use arr_runtime::text::reason;
use arrc_front::load::is_program;

use crate::error::DriverError;

/// The files among the paths, and the programs in the folders among the paths and in their subfolders.
pub(crate) fn programs(paths: &[PathBuf]) -> Result<Vec<PathBuf>, DriverError> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            folder(path, &mut found)?;
        } else {
            add(path.clone(), &mut found);
        }
    }
    Ok(found)
}

fn folder(path: &Path, found: &mut Vec<PathBuf>) -> Result<(), DriverError> {
    let unreadable = |error: std::io::Error| DriverError::Unreadable {
        path: path.to_path_buf(),
        reason: reason(&error),
    };
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?.path());
    }
    entries.sort();
    for entry in entries {
        let hidden =
            entry.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if hidden {
            continue;
        }
        if entry.is_dir() {
            folder(&entry, found)?;
        } else if entry.to_str().is_some_and(is_program) {
            add(entry, found);
        }
    }
    Ok(())
}

fn add(path: PathBuf, found: &mut Vec<PathBuf>) {
    if !found.contains(&path) {
        found.push(path);
    }
}

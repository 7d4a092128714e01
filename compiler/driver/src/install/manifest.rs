//! The list of the files that were installed below a folder, by which they are removed.
//!
//! Invariant: nothing is removed if a name leads out of the folder. The list has the files of all installations into the folder, and the
//! folders that these have made, so nothing that somebody else has put there is removed.
//!
//! ```text
//! # The files of arrc 0.2.0, and the folders that were made for them: `arrc uninstall` removes them.
//! ./
//! bin/
//! bin/arrc
//! # The end of the list.
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use arr_runtime::text::reason;

use super::InstallError;
use crate::error::DriverError;
use crate::link::write;

/// The place of the list.
pub(super) const PLACE: &str = "share/arrc/manifest.txt";

/// The folder that everything is installed into, in the list.
const TOP: &str = "./";

/// The last line. A list without it is damaged.
const END: &str = "# The end of the list.";

/// The files and folders of an installation, relative to its folder. Names of folders end in `/`.
#[derive(Default)]
pub(super) struct Manifest {
    names: BTreeSet<String>,
    /// Whether the end of the list is missing.
    is_cut: bool,
}

impl Manifest {
    /// The list of the installation below a folder. There is none if nothing was installed there.
    pub(super) fn read(prefix: &Path) -> Result<Option<Self>, DriverError> {
        let path = prefix.join(PLACE);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(DriverError::Unreadable { path, reason: reason(&error) }),
        };
        let text = String::from_utf8_lossy(&text);
        let names = text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned);
        let is_cut = text.lines().next_back() != Some(END);
        Ok(Some(Self { names: names.collect(), is_cut }))
    }

    /// Whether the end of the list is missing.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// A name that leads out of the folder. Only a list that somebody has changed has one.
    pub(super) fn outside(&self) -> Option<&String> {
        self.names.iter().find(|name| !is_below(name))
    }

    /// Adds the list, the files, and the folders that have to be made for them. Names that lead out of the folder go.
    pub(super) fn add<'a>(&mut self, prefix: &Path, files: impl Iterator<Item = &'a str>) {
        self.names.retain(|name| is_below(name));
        for file in files.chain([PLACE]) {
            self.names.insert(file.to_owned());
            let folders = Path::new(file).ancestors().skip(1);
            for folder in folders.filter(|folder| !prefix.join(folder).exists()) {
                let is_top = folder.as_os_str().is_empty();
                self.names.insert(if is_top {
                    TOP.into()
                } else {
                    format!("{}/", folder.display())
                });
            }
        }
    }

    /// The text of the file.
    pub(super) fn write(&self, prefix: &Path) -> Result<(), DriverError> {
        let mut text = format!(
            "# The files of arrc {}, and the folders that were made for them: `arrc uninstall` removes them.\n",
            env!("CARGO_PKG_VERSION")
        );
        for name in &self.names {
            text.push_str(&format!("{name}\n"));
        }
        text.push_str(END);
        text.push('\n');
        write(&prefix.join(PLACE), text.as_bytes())
    }

    /// Removes the files, the list as the last one, and then the folders that are empty. Gives the number of files that were
    /// there, and the folders that stay.
    pub(super) fn remove(&self, prefix: &Path) -> Result<(usize, Vec<PathBuf>), InstallError> {
        let (folders, files): (Vec<&String>, Vec<&String>) =
            self.names.iter().partition(|name| name.ends_with('/'));
        let mut count = 0;
        for file in files.into_iter().filter(|&file| file != PLACE) {
            count += usize::from(is_inside(prefix, file) && remove_file(&prefix.join(file))?);
        }
        count += usize::from(remove_file(&prefix.join(PLACE))?);
        let mut staying = Vec::new();
        // In reverse order, a folder comes behind those in it, and the top is first: `.` is before all letters.
        for folder in folders.into_iter().rev() {
            let path = match folder.strip_suffix('/') {
                Some(".") | None => prefix.to_owned(),
                Some(name) => prefix.join(name),
            };
            match fs::remove_dir(&path) {
                Ok(()) => {}
                Err(error) if is_absent(&error) => {}
                Err(_) => staying.push(path),
            }
        }
        Ok((count, staying))
    }
}

/// Whether a name leads to a place below the folder, or is the folder itself.
fn is_below(name: &str) -> bool {
    let is_normal = |part: Component<'_>| matches!(part, Component::Normal(_));
    let is_path = !name.is_empty() && !name.contains('\0');
    name == TOP || (is_path && Path::new(name).components().all(is_normal))
}

/// Whether the folder of a file is below the prefix, and no link leads out of it.
fn is_inside(prefix: &Path, file: &str) -> bool {
    let path = prefix.join(file);
    let folder = path.parent().unwrap_or(prefix);
    match (fs::canonicalize(prefix), fs::canonicalize(folder)) {
        (Ok(prefix), Ok(folder)) => folder.starts_with(prefix),
        (_, _) => false,
    }
}

/// Removes a file or a link, and says whether it was there. A folder in its place is somebody else's.
fn remove_file(path: &Path) -> Result<bool, InstallError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if is_absent(&error) || path.is_dir() => Ok(false),
        Err(error) => Err(unremovable(path.to_owned(), &error)),
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn unremovable(path: PathBuf, error: &io::Error) -> InstallError {
    InstallError::Unremovable { path, reason: reason(error) }
}

//! Imported files from the disk.
//!
//! Invariant: a path is the path in the program, relative to the current folder.

use std::cell::RefCell;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use arr_runtime::text::reason;
use arrc_front::load::{LoadError, Loader, is_program};

use crate::source;

/// The files of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

/// A loader that notes the paths at which there are no files. A file that is made there later changes what the program
/// means.
pub(crate) struct Noting<'a> {
    loader: &'a dyn Loader,
    absent: RefCell<Vec<String>>,
}

impl<'a> Noting<'a> {
    /// Nothing is noted yet.
    pub(crate) fn new(loader: &'a dyn Loader) -> Self {
        Self { loader, absent: RefCell::default() }
    }

    /// The paths without files.
    pub(crate) fn absent(self) -> Vec<String> {
        self.absent.into_inner()
    }
}

impl Loader for Noting<'_> {
    fn load(&self, path: &str) -> Result<String, LoadError> {
        let loaded = self.loader.load(path);
        if loaded == Err(LoadError::NotFound) {
            self.absent.borrow_mut().push(path.to_owned());
        }
        loaded
    }

    fn files(&self, folder: &str) -> Vec<String> {
        self.loader.files(folder)
    }
}

impl Loader for Files {
    fn load(&self, path: &str) -> Result<String, LoadError> {
        if Path::new(path).is_dir() {
            return Err(LoadError::Unreadable("it is a folder".to_owned()));
        }
        let bytes = source::bytes(Path::new(path)).map_err(|error| {
            if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
                LoadError::NotFound
            } else {
                LoadError::Unreadable(reason(&error))
            }
        })?;
        String::from_utf8(bytes)
            .map_err(|_| LoadError::Unreadable("it is not text in UTF-8".to_owned()))
    }

    fn files(&self, folder: &str) -> Vec<String> {
        let folder = if folder.is_empty() { "." } else { folder };
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| is_program(name)).collect();
        // The system gives them in no particular order.
        names.sort();
        names
    }
}

//! The texts that are part of the compiler, as files that editors can open: the library, and the pages of the codes.
//!
//! Invariant: a file is written when it is first asked for, and has the text of this compiler.
//!
//! ```text
//! stdlib/linalg.arr   ⇒   ~/.cache/arrc/0.2.0/stdlib/linalg.arr
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// The folder with the texts.
#[derive(Debug)]
pub(crate) struct Shelf {
    /// None if there is no place for it.
    folder: Option<PathBuf>,
    /// The names of the files that are there with the right text.
    written: BTreeSet<String>,
}

impl Shelf {
    /// A shelf in this folder.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, written: BTreeSet::new() }
    }

    /// The path of a file with this text; none if it cannot be written.
    pub(crate) fn path(&mut self, name: &str, text: &str) -> Option<String> {
        let path = self.folder.as_ref()?.join(name);
        if !self.written.contains(name) {
            if !fs::read(&path).is_ok_and(|known| known == text.as_bytes()) {
                fs::create_dir_all(path.parent()?).ok()?;
                // Another server may read the file: it gets the old text or the new one.
                let fresh = path.with_extension(format!("{}.tmp", std::process::id()));
                fs::write(&fresh, text).ok()?;
                fs::rename(&fresh, &path).ok()?;
            }
            self.written.insert(name.to_owned());
        }
        path.to_str().map(str::to_owned)
    }

    /// Whether a file is one of the texts.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.folder.as_ref().is_some_and(|folder| PathBuf::from(path).starts_with(folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gets_the_text_of_this_compiler() {
        let folder = std::env::temp_dir().join(format!("arrc-shelf-{}", std::process::id()));
        let mut shelf = Shelf::new(Some(folder.clone()));
        let path = shelf.path("stdlib/a.arr", "old").expect("the folder can be made");
        let mut other = Shelf::new(Some(folder.clone()));
        assert_eq!(other.path("stdlib/a.arr", "new"), Some(path.clone()));
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some("new"));
        assert!(other.has(&path) && !other.has("/a.arr"));
        fs::remove_dir_all(folder).expect("it is there");
        assert_eq!(Shelf::new(None).path("a", ""), None);
    }
}

//! The files that a program is linked with in this process: object files, static libraries and shared libraries.
//!
//! Invariant: a name is looked up in the runtime, then in the files, then in the shared libraries in their order, and
//! then in the C library. Of a static library, only the members that something else needs are loaded.
//!
//! ```text
//! program ─ median ─▶ adapter.o ─ sort_doubles ─▶ libsorting.a(sort.o) ─ memcpy ─▶ C library
//! ```

use std::collections::{BTreeMap, HashMap};

use object::read::archive::ArchiveFile;
use object::{File, Object, ObjectSymbol, Symbol};

use crate::error::LoadError;
use crate::symbols::{self, Library};

/// An object file with its name.
#[derive(Debug)]
pub(crate) struct Named {
    /// Its name in messages.
    pub(crate) name: String,
    bytes: Vec<u8>,
}

/// Files that a program is linked with, besides the runtime and the C library.
#[derive(Debug, Default)]
pub struct Linked {
    objects: Vec<Named>,
    members: Vec<Named>,
    /// The index of the object that defines each function or datum. Members of static libraries are among the
    /// objects.
    defined: HashMap<String, usize>,
    offered: HashMap<String, usize>,
    libraries: Vec<Library>,
}

impl Named {
    fn new(name: &str, bytes: &[u8]) -> Self {
        Self { name: name.to_owned(), bytes: bytes.to_vec() }
    }

    /// Parses the object file.
    pub(crate) fn parse(&self) -> Result<File<'_>, LoadError> {
        let file = File::parse(&self.bytes[..]);
        let file = file.map_err(|error| {
            LoadError::malformed(&self.name, format!("no object file of this machine: {error}"))
        })?;
        if file.kind() == object::ObjectKind::Relocatable {
            return Ok(file);
        }
        Err(LoadError::malformed(&self.name, "no object file, but one that was linked"))
    }

    /// The names that it offers to other files.
    fn names(&self) -> Result<Vec<String>, LoadError> {
        let file = self.parse()?;
        let names = file.symbols().filter(is_offered).filter_map(|symbol| symbol.name().ok());
        Ok(names.map(str::to_owned).collect())
    }
}

/// Whether a symbol, which its file defines, is visible to other files.
pub(crate) fn is_offered(symbol: &Symbol<'_, '_>) -> bool {
    symbol.is_global() && symbol.section_index().is_some()
}

impl Linked {
    /// Adds an object file.
    ///
    /// # Errors
    /// If it is not an object file.
    pub fn object(&mut self, name: &str, bytes: &[u8]) -> Result<(), LoadError> {
        let object = Named::new(name, bytes);
        for symbol in object.names()? {
            if symbols::runtime(&symbol).is_some() {
                let problem = format!(
                    "it defines `{symbol}`, a function of the runtime, which is there already: leave it out"
                );
                return Err(LoadError::malformed(name, problem));
            }
            self.defined.entry(symbol).or_insert(self.objects.len());
        }
        self.objects.push(object);
        Ok(())
    }

    /// Adds a static library.
    ///
    /// # Errors
    /// If it is not a static library.
    pub fn archive(&mut self, name: &str, bytes: &[u8]) -> Result<(), LoadError> {
        let wrong = |error: object::Error| {
            LoadError::malformed(name, format!("no static library: {error}"))
        };
        let archive = ArchiveFile::parse(bytes).map_err(wrong)?;
        if archive.is_thin() {
            let problem =
                "it only names its object files: link those, or make it again by `ar rcs`";
            return Err(LoadError::malformed(name, problem));
        }
        for member in archive.members() {
            let member = member.map_err(wrong)?;
            let inner = format!("{name}({})", String::from_utf8_lossy(member.name()));
            let member = Named::new(&inner, member.data(bytes).map_err(wrong)?);
            for symbol in member.names()? {
                self.offered.entry(symbol).or_insert(self.members.len());
            }
            self.members.push(member);
        }
        Ok(())
    }

    /// Adds a shared library, and loads it.
    ///
    /// # Errors
    /// The error of the system.
    pub fn library(&mut self, file: &str) -> Result<(), LoadError> {
        self.libraries.push(Library::open(file)?);
        Ok(())
    }

    /// Whether one of the files defines a function or datum.
    #[must_use]
    pub fn defines(&self, name: &str) -> bool {
        self.defined.contains_key(name)
            || self.offered.contains_key(name)
            || self.libraries.iter().any(|library| library.find(name).is_some())
    }

    /// The address of a name that no object file defines.
    pub(crate) fn outside(&self, name: &str) -> Option<*const ()> {
        let library = || self.libraries.iter().find_map(|library| library.find(name));
        symbols::runtime(name).or_else(library).or_else(|| symbols::c(name))
    }

    /// The object files, and the members of static libraries that they and the program need.
    pub(crate) fn needed(&self, program: &File<'_>) -> Result<Vec<&Named>, LoadError> {
        let mut wanted = missing(program);
        for object in &self.objects {
            wanted.extend(missing(&object.parse()?));
        }
        let mut taken = BTreeMap::new();
        while let Some(name) = wanted.pop() {
            if self.defined.contains_key(&name) || symbols::runtime(&name).is_some() {
                continue;
            }
            let Some(&at) = self.offered.get(&name) else { continue };
            let member = &self.members[at];
            if taken.insert(at, member).is_none() {
                wanted.extend(missing(&member.parse()?));
            }
        }
        Ok(self.objects.iter().chain(taken.into_values()).collect())
    }
}

/// The names that a file uses and other files must define.
fn missing(file: &File<'_>) -> Vec<String> {
    let names = file.symbols().filter(|symbol| symbol.is_undefined() && !symbol.is_weak());
    names.filter_map(|symbol| symbol.name().ok()).map(str::to_owned).collect()
}

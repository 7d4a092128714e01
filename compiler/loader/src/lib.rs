//! Object files of compiled programs, loaded into the memory of this process: no linker, no file, no C compiler.
//!
//! Invariant: no page can be written and executed at once. The pages stay as long as their [`Code`]; nothing else
//! refers to it. Functions that the object does not define are those of the runtime in this process and of the C
//! library, and no others.
//!
//! ```text
//! code  stubs │ constants  table of addresses │ data        each part begins on a page of its own
//! ```

mod error;
mod layout;
mod mapping;
mod relocate;
mod symbols;

use std::collections::BTreeMap;

use object::{Object, ObjectSymbol};

pub use error::LoadError;
pub use symbols::{Resolve, runtime_or_c};

use layout::Layout;
use mapping::Mapping;

/// A loaded object file.
#[derive(Debug)]
pub struct Code {
    /// The functions and data that the object offers.
    symbols: BTreeMap<String, usize>,
    mapping: Mapping,
}

impl Code {
    /// Loads an object file of this machine. It is trusted: its code has all rights of this process.
    ///
    /// # Errors
    /// If it is no object file that this loader knows, names a function that `resolve` does not know, or there is no
    /// memory for it.
    pub fn load(object: &[u8], resolve: Resolve<'_>) -> Result<Self, LoadError> {
        let file = object::File::parse(object)?;
        let layout = Layout::new(&file, resolve)?;
        let mut mapping = Mapping::new(layout.bytes)?;
        layout.fill(&file, &mut mapping)?;
        let base = mapping.base();
        relocate::relocate(&file, &layout, &mut mapping)?;
        mapping.protect(&layout.parts)?;
        let mut symbols = BTreeMap::new();
        for symbol in file.symbols().filter(|symbol| symbol.is_global() && symbol.is_definition()) {
            if let Some(offset) = layout.offset_of(&symbol) {
                symbols.insert(symbol.name()?.to_owned(), base + offset);
            }
        }
        Ok(Self { symbols, mapping })
    }

    /// Where a function or data of that name is, valid as long as `self`.
    #[must_use]
    pub fn address(&self, name: &str) -> Option<*const ()> {
        self.symbols.get(name).map(|&address| std::ptr::with_exposed_provenance(address))
    }

    /// How many bytes of memory it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.mapping.bytes()
    }
}

#[cfg(test)]
mod tests;

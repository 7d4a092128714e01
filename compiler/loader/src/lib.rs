//! Loads object files of compiled programs into the memory of this process, without a linker, a file, or a C
//! compiler.
//!
//! Invariant: no page can be written and executed at the same time. The pages live as long as their [`Code`], and
//! nothing else refers to them. A function that the object does not define is one of the runtime in this process, of
//! the files that it is [linked](Linked) with, or of the C library, and no other.
//!
//! ```text
//! code  stubs │ constants  table of addresses │ data        each part begins on a page of its own
//! ```

mod error;
mod layout;
mod linked;
mod mapping;
mod relocate;
mod symbols;

use std::collections::BTreeMap;

use object::{Object, ObjectSymbol};

pub use error::LoadError;
pub use linked::Linked;

use layout::{Input, Layout};
use mapping::Mapping;

/// The name of the program's object file in messages.
const PROGRAM: &str = "the program";

/// A loaded program.
#[derive(Debug)]
pub struct Code {
    /// The functions and data that its object file offers.
    symbols: BTreeMap<String, usize>,
    mapping: Mapping,
}

impl Code {
    /// Loads the object file of a program, with the files that it is linked with. The files must be for this machine,
    /// and they are trusted: their code has all rights of this process.
    ///
    /// # Errors
    /// If this loader does not know a file's format, if nothing defines a function that a file calls, or if there is
    /// not enough memory.
    pub fn load(object: &[u8], linked: &Linked) -> Result<Self, LoadError> {
        let file = object::File::parse(object);
        let file = file.map_err(|error| LoadError::malformed(PROGRAM, error))?;
        let files = linked.needed(&file)?;
        let mut inputs = vec![Input { name: PROGRAM, file }];
        for object in files {
            inputs.push(Input { name: &object.name, file: object.parse()? });
        }
        let layout = Layout::new(&inputs, &|name| linked.outside(name))?;
        let mut mapping = Mapping::new(layout.bytes)?;
        layout.fill(&inputs, &mut mapping)?;
        let base = mapping.base();
        relocate::relocate(&inputs, &layout, &mut mapping)?;
        mapping.protect(&layout.parts)?;
        let offered = inputs[0].file.symbols().filter(linked::is_offered);
        let symbols = offered.filter_map(|symbol| {
            let offset = layout.offset_of(0, &symbol)?;
            Some((symbol.name().ok()?.to_owned(), base + offset))
        });
        Ok(Self { symbols: symbols.collect(), mapping })
    }

    /// The address of the function or data with this name, which is valid as long as `self`.
    #[must_use]
    pub fn address(&self, name: &str) -> Option<*const ()> {
        self.symbols.get(name).map(|&address| std::ptr::with_exposed_provenance(address))
    }

    /// The number of bytes of memory that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.mapping.bytes()
    }
}

#[cfg(test)]
mod tests;

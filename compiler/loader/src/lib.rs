//! Object files of compiled programs, loaded into the memory of this process: no linker, no file, no C compiler.
//!
//! Invariant: no page can be written and executed at once. The pages stay as long as their [`Code`]; nothing else
//! refers to it. Functions that the object does not define are those of the runtime in this process, of the files that it is
//! [linked](Linked) with, and of the C library, and no others.
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

/// What messages call the object file of the program.
const PROGRAM: &str = "the program";

/// A loaded program.
#[derive(Debug)]
pub struct Code {
    /// The functions and data that its object file offers.
    symbols: BTreeMap<String, usize>,
    mapping: Mapping,
}

impl Code {
    /// Loads the object file of a program, with the files that it is linked with. They are for this machine, and trusted:
    /// their code has all rights of this process.
    ///
    /// # Errors
    /// If one is no object file that this loader knows, or names a function that nothing defines, or there is no memory
    /// for it.
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

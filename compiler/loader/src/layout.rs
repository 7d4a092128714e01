//! Where the sections of an object file go.
//!
//! Invariant: sections do not overlap and are aligned as they ask; each part begins on a page.

use std::collections::HashMap;
use std::ops::Range;

use object::elf::{SHF_ALLOC, SHF_EXECINSTR, SHF_TLS, SHF_WRITE};
use object::{
    File, Object, ObjectSection, ObjectSymbol, SectionFlags, SectionIndex, Symbol, SymbolIndex,
};

use crate::error::LoadError;
use crate::mapping::{Mapping, Use, page};
use crate::symbols::Resolve;

/// The bytes of a jump to any address, and how stubs are aligned.
pub(crate) const STUB: usize = 16;
/// The bytes of an address.
const WORD: usize = 8;

/// Where everything goes, as offsets from the first byte.
#[derive(Debug)]
pub(crate) struct Layout {
    sections: HashMap<SectionIndex, usize>,
    /// The symbols that the object does not define: where each one is.
    outside: HashMap<SymbolIndex, Outside>,
    /// The place in the table of addresses of each symbol that the object refers to by one.
    table: HashMap<SymbolIndex, usize>,
    /// The parts, in their order.
    pub(crate) parts: Vec<(Use, Range<usize>)>,
    /// All together.
    pub(crate) bytes: usize,
}

/// A symbol that the object does not define.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outside {
    /// Where it is; none if nothing defines it, which is an error only if something refers to it.
    pub(crate) address: Option<usize>,
    /// The offset of a jump to it, which is near enough for a call.
    pub(crate) stub: usize,
}

impl Layout {
    /// Chooses places.
    pub(crate) fn new(file: &File<'_>, resolve: Resolve<'_>) -> Result<Self, LoadError> {
        let mut layout = Self {
            sections: HashMap::new(),
            outside: HashMap::new(),
            table: HashMap::new(),
            parts: Vec::new(),
            bytes: 0,
        };
        for part in Use::ALL {
            let start = layout.bytes;
            layout.place_sections(file, part)?;
            match part {
                Use::Code => layout.place_stubs(file, resolve)?,
                Use::Constants => layout.place_table(file)?,
                Use::Data => {}
            }
            layout.align(page())?;
            layout.parts.push((part, start..layout.bytes));
        }
        // The system maps no empty pages.
        layout.bytes = layout.bytes.max(page());
        Ok(layout)
    }

    fn place_sections(&mut self, file: &File<'_>, part: Use) -> Result<(), LoadError> {
        for section in file.sections() {
            if use_of(&section)? != Some(part) {
                continue;
            }
            self.align(usize::try_from(section.align()).unwrap_or(usize::MAX).max(1))?;
            self.sections.insert(section.index(), self.bytes);
            self.take(usize::try_from(section.size()).unwrap_or(usize::MAX))?;
        }
        Ok(())
    }

    fn place_stubs(&mut self, file: &File<'_>, resolve: Resolve<'_>) -> Result<(), LoadError> {
        self.align(STUB)?;
        for symbol in file.symbols().filter(ObjectSymbol::is_undefined) {
            let name = symbol.name()?;
            // The first symbol of a file stands for nothing.
            if name.is_empty() {
                continue;
            }
            let address = match resolve(name) {
                Some(address) => Some(address.addr()),
                None if symbol.is_weak() => Some(0),
                None => None,
            };
            self.outside.insert(symbol.index(), Outside { address, stub: self.bytes });
            self.take(STUB)?;
        }
        Ok(())
    }

    /// One address for each symbol: few are not referred to by one.
    fn place_table(&mut self, file: &File<'_>) -> Result<(), LoadError> {
        self.align(WORD)?;
        for symbol in file.symbols() {
            self.table.insert(symbol.index(), self.bytes);
            self.take(WORD)?;
        }
        Ok(())
    }

    fn align(&mut self, to: usize) -> Result<(), LoadError> {
        self.bytes = self.bytes.checked_next_multiple_of(to).ok_or_else(too_large)?;
        Ok(())
    }

    fn take(&mut self, bytes: usize) -> Result<(), LoadError> {
        self.bytes = self.bytes.checked_add(bytes).ok_or_else(too_large)?;
        Ok(())
    }

    /// Copies the sections to their places, and writes stubs and the table of addresses.
    pub(crate) fn fill(&self, file: &File<'_>, mapping: &mut Mapping) -> Result<(), LoadError> {
        let base = mapping.base();
        let mut write =
            |offset: usize, bytes: &[u8]| mapping.write(offset, bytes).ok_or_else(too_large);
        for section in file.sections() {
            if let Some(&offset) = self.sections.get(&section.index()) {
                write(offset, section.data()?)?;
            }
        }
        for outside in self.outside.values() {
            write(outside.stub, &jump(outside.address.unwrap_or(0)))?;
        }
        for (&index, &offset) in &self.table {
            let symbol = file.symbol_by_index(index)?;
            let address = match self.outside.get(&index) {
                Some(outside) => outside.address,
                None => self.offset_of(&symbol).map(|offset| base + offset),
            };
            write(offset, &address.unwrap_or(0).to_le_bytes())?;
        }
        Ok(())
    }

    /// Where a section is, if it is loaded.
    pub(crate) fn section(&self, index: SectionIndex) -> Option<usize> {
        self.sections.get(&index).copied()
    }

    /// Where a symbol is that the object defines.
    pub(crate) fn offset_of<'data>(&self, symbol: &Symbol<'data, '_>) -> Option<usize> {
        let section = symbol.section_index()?;
        self.section(section)?.checked_add(usize::try_from(symbol.address()).ok()?)
    }

    /// Where a symbol is that the object does not define.
    pub(crate) fn outside(&self, symbol: SymbolIndex) -> Option<Outside> {
        self.outside.get(&symbol).copied()
    }

    /// Where a symbol's address is in the table.
    pub(crate) fn entry(&self, symbol: SymbolIndex) -> Option<usize> {
        self.table.get(&symbol).copied()
    }
}

/// A jump to an address, which stands behind it.
fn jump(address: usize) -> [u8; STUB] {
    let mut bytes = [0; STUB];
    // jmp *0(%rip)
    bytes[..6].copy_from_slice(&[0xff, 0x25, 0, 0, 0, 0]);
    bytes[6..14].copy_from_slice(&address.to_le_bytes());
    bytes
}

/// What a section is for; none if it is not loaded.
fn use_of<'data>(section: &impl ObjectSection<'data>) -> Result<Option<Use>, LoadError> {
    let SectionFlags::Elf { sh_flags } = section.flags() else {
        return Err(LoadError::Malformed("it is not ELF".to_owned()));
    };
    let has = |flag: u32| sh_flags & u64::from(flag) != 0;
    // Frames are described for who unwinds, and compiled code does not.
    let is_frames = section.name()? == ".eh_frame";
    if !has(SHF_ALLOC) || is_frames {
        return Ok(None);
    }
    if has(SHF_TLS) {
        return Err(LoadError::Malformed("it has variables of threads".to_owned()));
    }
    Ok(Some(match (has(SHF_EXECINSTR), has(SHF_WRITE)) {
        (true, _) => Use::Code,
        (false, true) => Use::Data,
        (false, false) => Use::Constants,
    }))
}

fn too_large() -> LoadError {
    LoadError::Malformed("its sections do not fit into memory".to_owned())
}

//! The layout of the sections of object files in memory.
//!
//! Invariant: sections do not overlap, and have their alignment; each part begins on a page.

use std::collections::HashMap;
use std::ops::Range;

use object::elf::{SHF_ALLOC, SHF_EXECINSTR, SHF_TLS, SHF_WRITE, STT_GNU_IFUNC};
use object::{
    File, Object, ObjectSection, ObjectSymbol, SectionFlags, SectionIndex, Symbol, SymbolFlags,
    SymbolIndex,
};

use crate::error::LoadError;
use crate::linked::is_offered;
use crate::mapping::{Mapping, Use, page};

/// The number of bytes of a stub, which is a jump to any address, and the alignment of stubs.
pub(crate) const STUB: usize = 16;
/// The number of bytes of an address.
const WORD: usize = 8;

/// An object file.
pub(crate) struct Input<'data> {
    /// Its name in messages.
    pub(crate) name: &'data str,
    /// Its contents.
    pub(crate) file: File<'data>,
}

/// The address of a function; none if there is no such function.
pub(crate) type Resolve<'a> = &'a dyn Fn(&str) -> Option<*const ()>;

/// The offsets of everything from the first byte. The key of a file is its index in the list of files.
#[derive(Debug)]
pub(crate) struct Layout {
    sections: HashMap<(usize, SectionIndex), usize>,
    /// The symbols that files offer to each other, with the file that defines each one.
    offered: HashMap<String, (usize, SymbolIndex)>,
    /// The addresses of symbols that no file defines.
    outside: HashMap<(usize, SymbolIndex), Outside>,
    /// The index in the table of addresses, for each symbol that a file refers to through the table.
    table: HashMap<(usize, SymbolIndex), usize>,
    /// The parts, in their order.
    pub(crate) parts: Vec<(Use, Range<usize>)>,
    /// The size of all parts.
    pub(crate) bytes: usize,
}

/// A symbol that no file defines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outside {
    /// Its address. There is none if nothing defines it, which is an error only if something refers to it.
    pub(crate) address: Option<usize>,
    /// The offset of a stub that jumps to it. The stub is near enough for a call.
    pub(crate) stub: usize,
}

/// The place of a symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SymbolLocation {
    /// In the loaded files, at this offset.
    Inside(usize),
    /// Outside of the loaded files.
    Outside(Outside),
}

impl Layout {
    /// Computes the layout.
    pub(crate) fn new(inputs: &[Input<'_>], resolve: Resolve<'_>) -> Result<Self, LoadError> {
        let mut layout = Self {
            sections: HashMap::new(),
            offered: HashMap::new(),
            outside: HashMap::new(),
            table: HashMap::new(),
            parts: Vec::new(),
            bytes: 0,
        };
        for (at, input) in inputs.iter().enumerate() {
            layout.offer(at, input, inputs)?;
        }
        for part in Use::ALL {
            let start = layout.bytes;
            for (at, input) in inputs.iter().enumerate() {
                let wrong = |error: object::Error| LoadError::malformed(input.name, error);
                layout.place_sections(at, input, part)?;
                match part {
                    Use::Code => layout.place_stubs(at, input, resolve).map_err(wrong)?,
                    Use::Constants => layout.place_table(at, input),
                    Use::Data => {}
                }
            }
            layout.align(page());
            layout.parts.push((part, start..layout.bytes));
        }
        // The system cannot map zero bytes.
        layout.bytes = layout.bytes.max(page());
        Ok(layout)
    }

    /// Adds the symbols that a file offers to others. Of several definitions, one that is not weak is taken, or else
    /// the first.
    fn offer(
        &mut self,
        at: usize,
        input: &Input<'_>,
        inputs: &[Input<'_>],
    ) -> Result<(), LoadError> {
        for symbol in input.file.symbols() {
            placeable(input, &symbol)?;
            if !is_offered(&symbol) {
                continue;
            }
            let name = symbol.name().map_err(|error| LoadError::malformed(input.name, error))?;
            let before = self.offered.get(name).copied();
            let is_weak = |(at, index): (usize, SymbolIndex)| {
                inputs[at].file.symbol_by_index(index).is_ok_and(|symbol| symbol.is_weak())
            };
            match before {
                Some(_) if symbol.is_weak() => {}
                Some(before) if !is_weak(before) => {
                    let files = [before.0, at].map(|at| inputs[at].name.to_owned());
                    return Err(LoadError::Twice { symbol: name.to_owned(), files });
                }
                Some(_) | None => {
                    self.offered.insert(name.to_owned(), (at, symbol.index()));
                }
            }
        }
        Ok(())
    }

    fn place_sections(&mut self, at: usize, input: &Input<'_>, part: Use) -> Result<(), LoadError> {
        for section in input.file.sections() {
            let used =
                use_of(&section).map_err(|problem| LoadError::malformed(input.name, problem))?;
            if used != Some(part) {
                continue;
            }
            self.align(usize::try_from(section.align()).unwrap_or(usize::MAX).max(1));
            self.sections.insert((at, section.index()), self.bytes);
            self.take(usize::try_from(section.size()).unwrap_or(usize::MAX));
        }
        Ok(())
    }

    fn place_stubs(
        &mut self,
        at: usize,
        input: &Input<'_>,
        resolve: Resolve<'_>,
    ) -> object::Result<()> {
        self.align(STUB);
        for symbol in input.file.symbols().filter(ObjectSymbol::is_undefined) {
            let name = symbol.name()?;
            // The first symbol of a file has no meaning.
            if name.is_empty() || self.offered.contains_key(name) {
                continue;
            }
            let address = match resolve(name) {
                Some(address) => Some(address.addr()),
                None if symbol.is_weak() => Some(0),
                None => None,
            };
            self.outside.insert((at, symbol.index()), Outside { address, stub: self.bytes });
            self.take(STUB);
        }
        Ok(())
    }

    /// Reserves one address for each symbol, since most symbols are referred to through the table.
    fn place_table(&mut self, at: usize, input: &Input<'_>) {
        self.align(WORD);
        for symbol in input.file.symbols() {
            self.table.insert((at, symbol.index()), self.bytes);
            self.take(WORD);
        }
    }

    /// A size that overflows becomes larger than the memory, and the system refuses it.
    fn align(&mut self, to: usize) {
        self.bytes = self.bytes.checked_next_multiple_of(to).unwrap_or(usize::MAX);
    }

    fn take(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Copies the sections to their places, and writes stubs and the table of addresses.
    pub(crate) fn fill(
        &self,
        inputs: &[Input<'_>],
        mapping: &mut Mapping,
    ) -> Result<(), LoadError> {
        let base = mapping.base();
        for (at, Input { name, file }) in inputs.iter().enumerate() {
            let too_large = || LoadError::malformed(name, "its sections do not fit into memory");
            let wrong = |error: object::Error| LoadError::malformed(name, error);
            for section in file.sections() {
                if let Some(offset) = self.section(at, section.index()) {
                    let data = section.data().map_err(wrong)?;
                    mapping.write(offset, data).ok_or_else(too_large)?;
                }
            }
            for symbol in file.symbols() {
                let address = match self.place(inputs, at, &symbol) {
                    Some(SymbolLocation::Inside(offset)) => Some(base + offset),
                    Some(SymbolLocation::Outside(outside)) => outside.address,
                    None => None,
                };
                let entry = self.table[&(at, symbol.index())];
                let address = address.unwrap_or(0);
                mapping.write(entry, &address.to_le_bytes()).ok_or_else(too_large)?;
            }
        }
        for outside in self.outside.values() {
            let jump = jump(outside.address.unwrap_or(0));
            mapping.write(outside.stub, &jump).expect("stubs have places");
        }
        Ok(())
    }

    /// The address of a section, if it is loaded.
    pub(crate) fn section(&self, at: usize, index: SectionIndex) -> Option<usize> {
        self.sections.get(&(at, index)).copied()
    }

    /// The place of the symbol to which a symbol of a file refers.
    pub(crate) fn place(
        &self,
        inputs: &[Input<'_>],
        at: usize,
        symbol: &Symbol<'_, '_>,
    ) -> Option<SymbolLocation> {
        if let Some(outside) = self.outside.get(&(at, symbol.index())) {
            return Some(SymbolLocation::Outside(*outside));
        }
        let name = symbol.name().ok().filter(|_| symbol.is_global());
        let offset = match name.and_then(|name| self.offered.get(name)) {
            Some(&(at, index)) => self.offset_of(at, &inputs[at].file.symbol_by_index(index).ok()?),
            None => self.offset_of(at, symbol),
        };
        offset.map(SymbolLocation::Inside)
    }

    /// The offset of a symbol that its file defines.
    pub(crate) fn offset_of(&self, at: usize, symbol: &Symbol<'_, '_>) -> Option<usize> {
        let start = self.section(at, symbol.section_index()?)?;
        let offset = start.checked_add(usize::try_from(symbol.address()).ok()?);
        offset.filter(|&offset| offset <= self.bytes)
    }

    /// The place of a symbol's address in the table.
    pub(crate) fn entry(&self, at: usize, symbol: SymbolIndex) -> Option<usize> {
        self.table.get(&(at, symbol)).copied()
    }
}

/// A jump to an address, which follows the instruction.
fn jump(address: usize) -> [u8; STUB] {
    let mut bytes = [0; STUB];
    // jmp *0(%rip)
    bytes[..6].copy_from_slice(&[0xff, 0x25, 0, 0, 0, 0]);
    bytes[6..14].copy_from_slice(&address.to_le_bytes());
    bytes
}

/// Checks that the loader can place a symbol. It cannot place common symbols, nor functions that choose their code
/// when they are loaded.
fn placeable(input: &Input<'_>, symbol: &Symbol<'_, '_>) -> Result<(), LoadError> {
    let name = symbol.name().unwrap_or_default();
    let chooses = matches!(
        symbol.flags(),
        SymbolFlags::Elf { st_info, .. } if st_info & 0xf == STT_GNU_IFUNC
    );
    let problem = if symbol.is_common() {
        format!("`{name}` is a common symbol: compile the file with `-fno-common`")
    } else if chooses {
        format!("`{name}` is chosen when it is loaded: make a shared library of the file")
    } else {
        return Ok(());
    };
    Err(LoadError::malformed(input.name, problem))
}

/// The use of a section; none if it is not loaded. The error is the reason for which it cannot be loaded.
fn use_of<'data>(section: &impl ObjectSection<'data>) -> Result<Option<Use>, String> {
    let SectionFlags::Elf { sh_flags } = section.flags() else {
        return Err("it is not ELF".to_owned());
    };
    let has = |flag: u32| sh_flags & u64::from(flag) != 0;
    let name = section.name().map_err(|error| error.to_string())?;
    // Frames are needed only for unwinding, and compiled code does not unwind.
    if !has(SHF_ALLOC) || name == ".eh_frame" {
        return Ok(None);
    }
    if has(SHF_TLS) {
        return Err("it has variables of threads: make a shared library of the file".to_owned());
    }
    if [".init", ".fini", ".preinit", ".ctors", ".dtors"].iter().any(|of| name.starts_with(of)) {
        return Err(
            "it has code that runs when it is loaded: make a shared library of the file".to_owned()
        );
    }
    Ok(Some(match (has(SHF_EXECINSTR), has(SHF_WRITE)) {
        (true, _) => Use::Code,
        (false, true) => Use::Data,
        (false, false) => Use::Constants,
    }))
}

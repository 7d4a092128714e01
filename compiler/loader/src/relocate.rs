//! Relocation: sets the references in object files to the final addresses.
//!
//! Invariant: a reference whose target is out of reach is an error; it is never truncated.

use object::elf::{
    R_X86_64_64, R_X86_64_GOTPCREL, R_X86_64_GOTPCRELX, R_X86_64_NONE, R_X86_64_PC32,
    R_X86_64_PC64, R_X86_64_PLT32, R_X86_64_REX_GOTPCRELX,
};
use object::{
    Architecture, Object, ObjectSection, ObjectSymbol, Relocation, RelocationFlags,
    RelocationTarget,
};

use crate::error::LoadError;
use crate::layout::{Input, Layout, SymbolLocation};
use crate::mapping::Mapping;

/// Sets every reference.
pub(crate) fn relocate(
    inputs: &[Input<'_>],
    layout: &Layout,
    mapping: &mut Mapping,
) -> Result<(), LoadError> {
    for (at, Input { name, file }) in inputs.iter().enumerate() {
        if file.architecture() != Architecture::X86_64 || !cfg!(target_arch = "x86_64") {
            let found = file.architecture();
            return Err(LoadError::malformed(
                name,
                format!("it is for {found:?}, and not for x86-64"),
            ));
        }
        for section in file.sections() {
            let Some(start) = layout.section(at, section.index()) else { continue };
            for (within, reference) in section.relocations() {
                let offset = usize::try_from(within).ok();
                let offset = offset.and_then(|within| start.checked_add(within));
                let offset = offset.ok_or_else(|| outside(name))?;
                one(inputs, at, layout, mapping, offset, &reference)?;
            }
        }
    }
    Ok(())
}

/// Sets one reference of a file, at an offset.
fn one(
    inputs: &[Input<'_>],
    at: usize,
    layout: &Layout,
    mapping: &mut Mapping,
    offset: usize,
    reference: &Relocation,
) -> Result<(), LoadError> {
    let Input { name: file, file: contents } = &inputs[at];
    let (RelocationFlags::Elf { r_type }, RelocationTarget::Symbol(index)) =
        (reference.flags(), reference.target())
    else {
        return Err(LoadError::malformed(file, "a reference to no symbol"));
    };
    if r_type == R_X86_64_NONE {
        return Ok(());
    }
    let symbol = contents.symbol_by_index(index);
    let symbol = symbol.map_err(|error| LoadError::malformed(file, error))?;
    let name = symbol.name().unwrap_or_default();
    let unknown = || LoadError::Reference {
        file: (*file).to_owned(),
        symbol: name.to_owned(),
        number: r_type,
    };
    let base = mapping.base();
    let (address, stub) = match layout.place(inputs, at, &symbol) {
        Some(SymbolLocation::Inside(offset)) => (base + offset, base + offset),
        Some(SymbolLocation::Outside(found)) => match found.address {
            Some(address) => (address, base + found.stub),
            None => {
                let (file, symbol) = ((*file).to_owned(), name.to_owned());
                return Err(LoadError::Undefined { file, symbol });
            }
        },
        None => return Err(unknown()),
    };
    let target = match r_type {
        R_X86_64_64 | R_X86_64_PC32 | R_X86_64_PC64 => address,
        // Only calls and jumps have this kind of reference, so they may go through a stub.
        R_X86_64_PLT32 => stub,
        R_X86_64_GOTPCREL | R_X86_64_GOTPCRELX | R_X86_64_REX_GOTPCRELX => {
            base + layout.entry(at, index).ok_or_else(unknown)?
        }
        _ => return Err(unknown()),
    };
    let wide = |address: usize| i128::try_from(address).expect("an address is small");
    let value = wide(target) + i128::from(reference.addend());
    let near = value - wide(base + offset);
    let written = match r_type {
        R_X86_64_64 => u64::try_from(value).map(|value| value.to_le_bytes().to_vec()),
        R_X86_64_PC64 => i64::try_from(near).map(|near| near.to_le_bytes().to_vec()),
        _ => i32::try_from(near).map(|near| near.to_le_bytes().to_vec()),
    };
    let written = written.map_err(|_| unknown())?;
    mapping.write(offset, &written).ok_or_else(|| outside(file))
}

fn outside(file: &str) -> LoadError {
    LoadError::malformed(file, "a reference lies outside of its section")
}

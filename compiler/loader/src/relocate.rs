//! The references in an object file, made to point to where things are.
//!
//! Invariant: a reference that does not reach is an error, and never cut.

use object::elf::{
    R_X86_64_64, R_X86_64_GOTPCREL, R_X86_64_GOTPCRELX, R_X86_64_NONE, R_X86_64_PC32,
    R_X86_64_PC64, R_X86_64_PLT32, R_X86_64_REX_GOTPCRELX,
};
use object::{
    Architecture, File, Object, ObjectSection, ObjectSymbol, Relocation, RelocationFlags,
    RelocationTarget, Symbol,
};

use crate::error::LoadError;
use crate::layout::Layout;
use crate::mapping::Mapping;

/// Writes every reference.
pub(crate) fn relocate(
    file: &File<'_>,
    layout: &Layout,
    mapping: &mut Mapping,
) -> Result<(), LoadError> {
    if file.architecture() != Architecture::X86_64 || !cfg!(target_arch = "x86_64") {
        let found = file.architecture();
        return Err(LoadError::Malformed(format!("it is for {found:?}, and not for x86-64")));
    }
    for section in file.sections() {
        let Some(start) = layout.section(section.index()) else { continue };
        for (within, reference) in section.relocations() {
            let offset = usize::try_from(within).ok().and_then(|within| start.checked_add(within));
            let offset = offset.ok_or_else(outside)?;
            let RelocationTarget::Symbol(index) = reference.target() else {
                return Err(LoadError::Malformed("a reference to no symbol".to_owned()));
            };
            let symbol = file.symbol_by_index(index)?;
            one(layout, mapping, offset, &reference, &symbol)?;
        }
    }
    Ok(())
}

/// Writes the reference at an offset.
fn one(
    layout: &Layout,
    mapping: &mut Mapping,
    offset: usize,
    reference: &Relocation,
    symbol: &Symbol<'_, '_>,
) -> Result<(), LoadError> {
    let RelocationFlags::Elf { r_type } = reference.flags() else { return Err(outside()) };
    let name = symbol.name().unwrap_or_default();
    let unknown = || LoadError::Relocation { number: r_type, symbol: name.to_owned() };
    let base = mapping.base();
    let from_outside = layout.outside(symbol.index());
    if from_outside.is_some_and(|found| found.address.is_none()) && r_type != R_X86_64_NONE {
        return Err(LoadError::Undefined { symbol: name.to_owned() });
    }
    let defined = layout.offset_of(symbol).map(|offset| base + offset);
    let target = match r_type {
        R_X86_64_NONE => return Ok(()),
        R_X86_64_64 => defined.or(from_outside.and_then(|found| found.address)),
        R_X86_64_PC32 | R_X86_64_PC64 | R_X86_64_PLT32 => {
            defined.or(from_outside.map(|found| base + found.stub))
        }
        R_X86_64_GOTPCREL | R_X86_64_GOTPCRELX | R_X86_64_REX_GOTPCRELX => {
            layout.entry(symbol.index()).map(|entry| base + entry)
        }
        _ => None,
    };
    let value = i128::try_from(target.ok_or_else(unknown)?).expect("an address is small");
    let value = value + i128::from(reference.addend());
    let place = i128::try_from(base + offset).expect("an address is small");
    let written = match r_type {
        R_X86_64_64 => {
            u64::try_from(value).ok().and_then(|value| mapping.write(offset, &value.to_le_bytes()))
        }
        R_X86_64_PC64 => i64::try_from(value - place)
            .ok()
            .and_then(|value| mapping.write(offset, &value.to_le_bytes())),
        _ => i32::try_from(value - place)
            .ok()
            .and_then(|value| mapping.write(offset, &value.to_le_bytes())),
    };
    written.ok_or_else(outside)
}

fn outside() -> LoadError {
    LoadError::Malformed("a reference lies outside of its section, or does not reach".to_owned())
}

//! The platform of a shared library, in the notation of wheels.
//!
//! Invariant: the platform has a C library that is new enough for the symbols, and of the same kind.
//!
//! ```text
//! memcpy@GLIBC_2.14, pthread_create@GLIBC_2.34   ⇒   manylinux_2_34_x86_64
//! ```

use object::Endianness;
use object::elf::{EM_AARCH64, FileHeader64};
use object::read::elf::FileHeader;

/// The oldest version that a tag can name.
const OLDEST: u32 = 17;
/// The beginning of the names of the C library's versions.
const C_LIBRARY: &str = "GLIBC_2.";

/// The platform tag of a shared library.
pub(super) fn tag(library: &[u8]) -> String {
    let needs = needs(library).expect("what was linked is an ELF file");
    let newest = needs
        .versions
        .iter()
        .filter_map(|name| name.strip_prefix(C_LIBRARY)?.split('.').next()?.parse().ok())
        .fold(OLDEST, u32::max);
    let machine = if needs.machine == EM_AARCH64 { "aarch64" } else { "x86_64" };
    format!("manylinux_2_{newest}_{machine}")
}

/// The requirements of a library.
struct Needs {
    machine: u16,
    /// The versions of the symbols that other libraries define.
    versions: Vec<String>,
}

fn needs(library: &[u8]) -> object::read::Result<Needs> {
    let header = FileHeader64::<Endianness>::parse(library)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, library)?;
    let mut versions = Vec::new();
    if let Some((mut libraries, strings)) = sections.gnu_verneed(endian, library)? {
        let strings = sections.strings(endian, library, strings)?;
        while let Some((_, mut needed)) = libraries.next()? {
            while let Some(version) = needed.next()? {
                let name = version.name(endian, strings)?;
                versions.push(String::from_utf8_lossy(name).into_owned());
            }
        }
    }
    Ok(Needs { machine: header.e_machine.get(endian), versions })
}

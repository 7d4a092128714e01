//! Static libraries: the objects of a program with the runtime.
//!
//! Invariant: a member has machine code only. LLVM's bitcode beside it is removed: where an LLVM plugin is installed,
//! GNU's `ar` and `ranlib` ask the plugin for the symbols of members with bitcode, and a plugin of another version
//! finds none. Each member has a name of its own. The same objects give the same bytes.
//!
//! ```text
//! program.o, median.o  ⇒  program.o, median.o, arr_runtime.o
//! ```

use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use ar_archive_writer::{
    ArchiveKind, DEFAULT_OBJECT_READER, NewArchiveMember, write_archive_to_stream,
};
use arr_runtime::text::reason;
use object::Endianness;
use object::elf::{FileHeader64, SectionHeader64};
use object::pod::bytes_of;
use object::read::archive::ArchiveFile;
use object::read::elf::{FileHeader, SectionHeader};

use crate::error::DriverError;
use crate::link::{Library, write};
use crate::target::Target;

/// The sections that contain LLVM's bitcode, and the command line that made it.
const BITCODE: [&[u8]; 3] = [b".llvmbc", b".llvm.lto", b".llvmcmd"];

/// An object file.
struct Member {
    name: String,
    data: Vec<u8>,
}

impl Member {
    fn of(library: Library, target: Target) -> Self {
        Self { name: library.object(), data: library.bytes(target).to_vec() }
    }
}

/// Makes `output` a static library for the target, of the given objects, object files and static libraries. The pool of threads comes
/// before the runtime, whose own definitions are weak.
pub(crate) fn archive(
    target: Target,
    files: &[PathBuf],
    libraries: &[Library],
    output: &Path,
) -> Result<(), DriverError> {
    let mut members = Vec::new();
    for file in files {
        let data = read(file)?;
        if is_archive(&data) {
            members.extend(members_of(file, &data)?);
        } else {
            members.push(Member { name: file_name(file), data });
        }
    }
    members.extend(libraries.iter().map(|&library| Member::of(library, target)));
    write_archive(members, output)
}

/// Makes `output` a static library with only this library's object.
pub(crate) fn alone(library: Library, target: Target, output: &Path) -> Result<(), DriverError> {
    write_archive(vec![Member::of(library, target)], output)
}

/// A member of an object file or static library that has code for another architecture than the target's. A file of another form
/// has none.
pub(crate) fn foreign_member(target: Target, file: &Path) -> Result<Option<String>, DriverError> {
    let data = read(file)?;
    let members = if is_archive(&data) {
        members_of(file, &data).unwrap_or_default()
    } else {
        vec![Member { name: file_name(file), data }]
    };
    let wanted = machine(target.objects().runtime);
    let is_foreign = |member: &Member| machine(&member.data).is_some_and(|it| Some(it) != wanted);
    Ok(members.into_iter().find(is_foreign).map(|member| member.name))
}

fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The architecture of an object file, by ELF's number.
fn machine(data: &[u8]) -> Option<u16> {
    let file = FileHeader64::<Endianness>::parse(data).ok()?;
    Some(file.e_machine(file.endian().ok()?))
}

fn write_archive(mut members: Vec<Member>, output: &Path) -> Result<(), DriverError> {
    name_apart(&mut members);
    let members: Vec<_> = members.into_iter().map(without_bitcode).collect();
    let mut bytes = Cursor::new(Vec::new());
    let written = write_archive_to_stream(&mut bytes, &members, ArchiveKind::Gnu, false, None);
    written.map_err(|error| DriverError::Unwritable {
        path: output.to_path_buf(),
        reason: reason(&error),
    })?;
    write(output, bytes.get_ref())
}

fn read(path: &Path) -> Result<Vec<u8>, DriverError> {
    std::fs::read(path).map_err(|error| DriverError::Unreadable {
        path: path.to_path_buf(),
        reason: reason(&error),
    })
}

fn is_archive(data: &[u8]) -> bool {
    data.starts_with(&object::archive::MAGIC)
}

/// The object files in a static library.
fn members_of(path: &Path, data: &[u8]) -> Result<Vec<Member>, DriverError> {
    let wrong = |error: object::read::Error| DriverError::Unreadable {
        path: path.to_path_buf(),
        reason: format!("it is no static library ({error})"),
    };
    let archive = ArchiveFile::parse(data).map_err(wrong)?;
    let member = |member: object::read::Result<object::read::archive::ArchiveMember<'_>>| {
        let member = member?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        Ok(Member { name, data: member.data(data)?.to_vec() })
    };
    archive.members().map(member).collect::<Result<_, _>>().map_err(wrong)
}

/// Renames members that have the same name, so that `ar` does not extract them into one file.
fn name_apart(members: &mut [Member]) {
    let mut taken = BTreeSet::new();
    for member in members {
        let name = member.name.clone();
        let mut number = 1;
        while !taken.insert(member.name.clone()) {
            number += 1;
            member.name = format!("{number}_{name}");
        }
    }
}

/// An object without its bitcode.
fn without_bitcode(member: Member) -> NewArchiveMember<'static> {
    let data = stripped(&member.data).unwrap_or(member.data);
    NewArchiveMember::new(data, &DEFAULT_OBJECT_READER, member.name)
}

/// An object without its bitcode; `None` if it has no bitcode. The sections keep their numbers, since other sections
/// refer to them by number. So a section that had bitcode stays, but is empty and has no name.
fn stripped(data: &[u8]) -> Option<Vec<u8>> {
    let mut file = *FileHeader64::<Endianness>::parse(data).ok()?;
    let endian = file.endian().ok()?;
    let sections = file.sections(endian, data).ok()?;
    let is_bitcode = |section: &SectionHeader64<Endianness>| {
        sections.section_name(endian, section).is_ok_and(|name| BITCODE.contains(&name))
    };
    if !sections.iter().any(is_bitcode) {
        return None;
    }
    let mut bytes = vec![0; size_of_val(&file)];
    let mut headers = Vec::new();
    for section in sections.iter() {
        let (mut header, mut content) = (*section, section.data(endian, data).ok()?);
        if is_bitcode(section) {
            header.sh_name.set(endian, 0);
            header.sh_size.set(endian, 0);
            content = &[];
        }
        align(&mut bytes, section.sh_addralign(endian));
        header.sh_offset.set(endian, u64::try_from(bytes.len()).ok()?);
        bytes.extend_from_slice(content);
        headers.push(header);
    }
    align(&mut bytes, size_of::<u64>() as u64);
    file.e_shoff.set(endian, u64::try_from(bytes.len()).ok()?);
    headers.iter().for_each(|header| bytes.extend_from_slice(bytes_of(header)));
    bytes[..size_of_val(&file)].copy_from_slice(bytes_of(&file));
    Some(bytes)
}

/// Adds zeros up to a multiple of `to`.
fn align(bytes: &mut Vec<u8>, to: u64) {
    let to = usize::try_from(to).unwrap_or(1).max(1);
    bytes.resize(bytes.len().next_multiple_of(to), 0);
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use object::{File, Object, ObjectSymbol};

    use super::*;

    /// The machine code of a C text, with clang's bitcode in it.
    fn with_bitcode(text: &str) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a folder for a test");
        let [source, object] = ["a.c", "a.o"].map(|name| folder.path().join(name));
        std::fs::write(&source, text).expect("a file for a test");
        let mut clang = Command::new("clang-22");
        clang.args(["-O1", "-g", "-fembed-bitcode=all", "-c"]).arg(source).arg("-o").arg(&object);
        assert!(clang.status().expect("clang is there").success());
        std::fs::read(object).expect("what clang wrote")
    }

    fn sections(object: &[u8]) -> Vec<(String, Vec<u8>)> {
        use object::ObjectSection;
        let file = File::parse(object).expect("an object");
        let section = |section: object::Section<'_, '_>| {
            let name = section.name().expect("a name").to_owned();
            (name, section.data().expect("content").to_vec())
        };
        file.sections().map(section).collect()
    }

    fn symbols(object: &[u8]) -> BTreeSet<(String, bool)> {
        let file = File::parse(object).expect("an object");
        let symbol = |symbol: object::Symbol<'_, '_>| {
            (symbol.name().expect("a name").to_owned(), symbol.is_undefined())
        };
        file.symbols().filter(ObjectSymbol::is_global).map(symbol).collect()
    }

    #[test]
    fn all_but_the_bitcode_stays() {
        let text =
            "int far(int); static int zero[9]; int near(int x) { return far(x) + zero[x]++; }";
        let before = with_bitcode(text);
        let after = stripped(&before).expect("there is bitcode");
        assert!(after.len() < before.len());
        assert_eq!(symbols(&after), symbols(&before));
        let (before, after) = (sections(&before), sections(&after));
        assert_eq!(before.len(), after.len());
        assert!(before.iter().any(|(name, content)| name == ".llvmbc" && !content.is_empty()));
        for ((name, content), (name_after, content_after)) in before.iter().zip(&after) {
            if BITCODE.contains(&name.as_bytes()) {
                assert_eq!((name_after.as_str(), content_after.len()), ("", 0));
            } else {
                assert_eq!((name_after, content_after), (name, content));
            }
        }
    }

    #[test]
    fn what_has_no_bitcode_is_left_alone() {
        assert_eq!(stripped(b"no object"), None);
        let stripped_once = stripped(&with_bitcode("int x;")).expect("there is bitcode");
        assert_eq!(stripped(&stripped_once), None);
    }
}

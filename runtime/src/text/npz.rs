//! Several arrays in one file: NumPy's `.npz`, which is an archive of `.npy` files.
//!
//! Invariant: an uncompressed array stays in the file, if that is mapped. A compressed array is read once, and its
//! checksum is verified.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use flate2::bufread::DeflateDecoder;
use memmap2::Mmap;
use rawzip::{
    CompressionMethod, ZipArchive, ZipArchiveEntryWayfinder, ZipArchiveWriter, ZipSliceArchive,
};

use super::content::{Content, Whole};
use super::error::ArgumentError;
use super::npy;
use crate::host::{Value, ValueType, View};

/// An array of an archive.
struct Member {
    name: String,
    method: CompressionMethod,
    place: ZipArchiveEntryWayfinder,
}

/// Reads the array of that name.
pub(super) fn read(
    whole: &Whole,
    name: Option<&str>,
    ty: ValueType,
) -> Result<Value, ArgumentError> {
    let archive = ZipArchive::from_slice(whole.as_slice()).map_err(|_| {
        ArgumentError::new("it is no .npz file, or it was cut off")
            .help("write or copy it again; NumPy's `savez` makes a `.npz` file")
    })?;
    let members = members(&archive)?;
    let Some(member) = members.iter().find(|member| Some(member.name.as_str()) == name) else {
        return Err(not_there(name, &members));
    };
    let entry = archive.get_entry(member.place).map_err(|_| damaged())?;
    let range = entry.compressed_data_range();
    let value = match (member.method, whole) {
        (CompressionMethod::STORE, Whole::Mapped(map)) => npy::read(stored(map, range)?, ty),
        (CompressionMethod::STORE, Whole::Read(_)) => {
            npy::read(Content::Stream(entry.verifying_reader(entry.data())), ty)
        }
        (CompressionMethod::DEFLATE, _) => {
            let decoder = DeflateDecoder::new(entry.data());
            npy::read(Content::Stream(entry.verifying_reader(decoder)), ty)
        }
        _ => Err(ArgumentError::new("it is compressed in a way that arrc does not read")
            .help("save it with NumPy's `savez` or `savez_compressed`")),
    };
    value.map_err(|error| error.of(&format!("array `{}`", member.name)))
}

/// The arrays of an archive: the files in it whose names end in `.npy`.
fn members(archive: &ZipSliceArchive<&[u8]>) -> Result<Vec<Member>, ArgumentError> {
    let (mut members, mut entries) = (Vec::new(), archive.entries());
    while let Some(entry) = entries.next_entry().map_err(|_| damaged())? {
        let path = entry.file_path();
        let path = std::str::from_utf8(path.as_ref()).unwrap_or_default();
        members.extend(path.strip_suffix(".npy").map(|name| Member {
            name: name.to_string(),
            method: entry.compression_method(),
            place: entry.wayfinder(),
        }));
    }
    Ok(members)
}

/// An array that is not compressed, in its place in the file.
fn stored(map: &Arc<Mmap>, (from, to): (u64, u64)) -> Result<Content<io::Empty>, ArgumentError> {
    let [from, to] = [from, to].map(|place| usize::try_from(place).ok());
    match (from, to) {
        (Some(from), Some(to)) if from <= to && to <= map.len() => {
            Ok(Content::Mapped { map: Arc::clone(map), rest: from..to })
        }
        _ => Err(damaged()),
    }
}

fn not_there(name: Option<&str>, members: &[Member]) -> ArgumentError {
    let names: Vec<_> = members.iter().map(|member| format!("`{}`", member.name)).collect();
    let names = if names.is_empty() { "no arrays".to_string() } else { names.join(", ") };
    match name {
        Some(name) => ArgumentError::new(format!("it has no array `{name}`, only {names}")),
        None => ArgumentError::new(format!("a name is missing; the file has {names}")),
    }
    .help("`@FILE.npz:NAME` is the array of that name")
}

fn damaged() -> ArgumentError {
    ArgumentError::new("it is damaged")
        .help("the file was changed or cut off: write or copy it again")
}

/// Writes values as a `.npz` file, with the names that NumPy gives to arrays without one: `arr_0`, `arr_1`, ….
///
/// # Errors
/// If the file cannot be written.
pub fn write_npz(path: &Path, values: &[View<'_>]) -> io::Result<()> {
    let mut archive = ZipArchiveWriter::new(BufWriter::new(File::create(path)?));
    for (place, value) in values.iter().enumerate() {
        let name = format!("arr_{place}.npy");
        let file = archive.new_file(name.as_str()).compression_method(CompressionMethod::STORE);
        let (mut entry, config) = file.start().map_err(io::Error::other)?;
        let mut writer = config.wrap(&mut entry);
        npy::write(&mut writer, value)?;
        let (_, descriptor) = writer.finish().map_err(io::Error::other)?;
        entry.finish(descriptor).map_err(io::Error::other)?;
    }
    archive.finish().map_err(io::Error::other)?.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{ArrayData, ArrayValue};

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder for a test");
        let path = folder.path().join("all.npz");
        let matrix = ArrayValue::new(vec![2, 2], ArrayData::I32(vec![1, 2, 3, 4].into()));
        let values = [
            Value::from(2.5_f64),
            Value::Array(matrix.expect("2 times 2 is 4")),
            Value::from(vec![true]),
        ];
        let views: Vec<View<'_>> = values.iter().map(View::from).collect();
        write_npz(&path, &views).expect("it is written");
        let bytes = std::fs::read(&path).expect("it is there");
        let mapped = Whole::open(&path).expect("it is there");
        assert!(matches!(mapped, Whole::Mapped(_)));
        for whole in [mapped, Whole::Read(Arc::new(bytes.clone()))] {
            for (place, value) in values.iter().enumerate() {
                let name = format!("arr_{place}");
                assert_eq!(read(&whole, Some(&name), value.ty()).as_ref(), Ok(value));
            }
            let error =
                read(&whole, Some("x"), values[0].ty()).expect_err("there is no such array");
            assert_eq!(error.problem, "it has no array `x`, only `arr_0`, `arr_1`, `arr_2`");
        }
        for cut in [0, 10, bytes.len() / 2, bytes.len() - 30] {
            let whole = Whole::Read(Arc::new(bytes[..cut].to_vec()));
            assert!(read(&whole, Some("arr_1"), values[1].ty()).is_err(), "{cut} bytes");
        }
    }

    #[test]
    fn the_sum_of_an_array_is_checked() {
        let folder = tempfile::tempdir().expect("a folder for a test");
        let path = folder.path().join("all.npz");
        let value = Value::from(vec![0.5, 0.25]);
        write_npz(&path, &[View::from(&value)]).expect("it is written");
        let mut bytes = std::fs::read(&path).expect("it is there");
        let quarter = 0.25_f64.to_le_bytes();
        let place = bytes.windows(8).position(|bytes| bytes == quarter).expect("it is stored");
        bytes[place] ^= 1;
        let error = read(&Whole::Read(Arc::new(bytes)), Some("arr_0"), value.ty());
        assert_eq!(error.expect_err("it was changed").problem, "array `arr_0`: it is damaged");
    }
}

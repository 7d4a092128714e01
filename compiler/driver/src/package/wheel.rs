//! Wheels: archives with the files of a package, and a list of them.
//!
//! Invariant: the same files give the same bytes.

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use sha2::{Digest, Sha256};

use super::File;

/// The metadata of a wheel.
pub(super) struct About<'a> {
    pub(super) name: &'a str,
    pub(super) version: &'a str,
    pub(super) summary: &'a str,
    /// The Python versions and the platform.
    pub(super) tag: &'a str,
}

impl About<'_> {
    /// The name of the wheel's file.
    pub(super) fn file(&self) -> String {
        format!("{}-{}-{}.whl", self.name, self.version, self.tag)
    }

    fn metadata(&self) -> String {
        let Self { name, version, .. } = self;
        let summary = self.summary.replace(char::is_control, " ");
        format!(
            "Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: {summary}\n\
             Requires-Python: >=3.9\nRequires-Dist: numpy>=1.22\n"
        )
    }

    fn wheel(&self) -> String {
        let (version, tag) = (env!("CARGO_PKG_VERSION"), self.tag);
        format!(
            "Wheel-Version: 1.0\nGenerator: arrc {version}\nRoot-Is-Purelib: false\nTag: {tag}\n"
        )
    }
}

/// The wheel.
pub(super) fn wheel(about: &About<'_>, mut files: Vec<File>) -> Vec<u8> {
    let folder = format!("{}-{}.dist-info", about.name, about.version);
    for (name, text) in [("METADATA", about.metadata()), ("WHEEL", about.wheel())] {
        let name = format!("{folder}/{name}");
        files.push(File { name, data: text.into_bytes(), is_program: false });
    }
    let record = format!("{folder}/RECORD");
    let mut lines: String = files.iter().map(line).collect();
    lines.push_str(&format!("{record},,\n"));
    files.push(File { name: record, data: lines.into_bytes(), is_program: false });
    archive(&files).expect("an archive in memory has room for what is in memory")
}

/// A line of the list of files.
fn line(file: &File) -> String {
    let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(&file.data));
    format!("{},sha256={hash},{}\n", file.name, file.data.len())
}

fn archive(files: &[File]) -> io::Result<Vec<u8>> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for file in files {
        let entry = archive.new_file(file.name.as_str());
        let entry = entry.compression_method(CompressionMethod::DEFLATE);
        let entry = entry.unix_permissions(if file.is_program { 0o755 } else { 0o644 });
        let (mut entry, config) = entry.start().map_err(io::Error::other)?;
        let mut data = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
        data.write_all(&file.data)?;
        let (encoder, descriptor) = data.finish().map_err(io::Error::other)?;
        encoder.finish()?;
        entry.finish(descriptor).map_err(io::Error::other)?;
    }
    archive.finish().map_err(io::Error::other)
}

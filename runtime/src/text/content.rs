//! The content of a file of data: mapped into memory if it is a plain file, and read otherwise.
//!
//! Invariant: no more of a stream is read than its format announces, and at most 1 GiB.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use super::bounded::{Bounded, stream};
use crate::host::{Elements, Mappable};

/// A file that is read from its beginning.
#[derive(Debug)]
pub(super) enum Content<R> {
    /// A plain file, or a part of one, and how far it was read.
    Mapped { map: Arc<Mmap>, rest: Range<usize> },
    /// A pipe, a device, or compressed data.
    Stream(R),
}

/// All bytes of a file.
#[derive(Clone, Debug)]
pub(super) enum Whole {
    /// A plain file.
    Mapped(Arc<Mmap>),
    /// A pipe or a device.
    Read(Arc<Vec<u8>>),
}

/// Bytes that follow each other.
#[derive(Debug)]
pub(super) enum Bytes {
    Mapped { map: Arc<Mmap>, range: Range<usize> },
    Read(Vec<u8>),
}

/// Opens a file of data.
pub(super) fn open(path: &Path) -> io::Result<Content<Bounded<File>>> {
    let file = File::open(path)?;
    let data = file.metadata()?;
    if data.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !data.is_file() {
        return Ok(Content::Stream(stream(file)));
    }
    // SAFETY: the documentation asks that no one writes to the file meanwhile, which is all that can be done.
    let map = Arc::new(unsafe { Mmap::map(&file) }?);
    let rest = 0..map.len();
    Ok(Content::Mapped { map, rest })
}

impl Whole {
    /// The bytes of a file.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(match open(path)? {
            Content::Mapped { map, .. } => Self::Mapped(map),
            Content::Stream(stream) => Self::read(stream)?,
        })
    }

    /// The bytes of standard input.
    pub(super) fn input() -> io::Result<Self> {
        Self::read(stream(io::stdin().lock()))
    }

    fn read(mut stream: impl Read) -> io::Result<Self> {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)?;
        Ok(Self::Read(Arc::new(bytes)))
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Read(bytes) => bytes,
        }
    }
}

impl<R: Read> Content<R> {
    /// The next `count` bytes, or all that are left if those are fewer.
    pub(super) fn take(self, count: u64) -> io::Result<Bytes> {
        match self {
            Self::Mapped { map, rest } => {
                let count =
                    usize::try_from(count).map_or(rest.len(), |count| count.min(rest.len()));
                Ok(Bytes::Mapped { map, range: rest.start..rest.start + count })
            }
            Self::Stream(stream) => {
                let (mut bytes, mut rest) = (Vec::new(), stream.take(count));
                rest.read_to_end(&mut bytes)?;
                // Data behind the array is ignored. But reading up to the end checks the checksum of compressed data.
                let _goes_on = rest.into_inner().read(&mut [0])? > 0;
                Ok(Bytes::Read(bytes))
            }
        }
    }
}

impl<R: Read> Read for Content<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Mapped { map, rest } => {
                let count = (&map[rest.clone()]).read(buffer)?;
                rest.start += count;
                Ok(count)
            }
            Self::Stream(stream) => stream.read(buffer),
        }
    }
}

impl Bytes {
    /// All of them.
    pub(super) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Mapped { map, range } => &map[range.clone()],
            Self::Read(bytes) => bytes,
        }
    }

    /// As values of a type in place, if they are mapped and aligned.
    pub(super) fn mapped<T: Mappable>(&self) -> Option<Elements<T>> {
        match self {
            Self::Mapped { map, range } => Elements::mapped(map, range.clone()),
            Self::Read(_) => None,
        }
    }
}

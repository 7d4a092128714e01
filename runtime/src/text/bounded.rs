//! Reads files up to their end. Devices and pipes may have no end.
//!
//! Invariant: no more than a stated number of bytes of a file is read, and one more to detect that it goes on.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of data that are read from a file that is not plain, and so may have no end: 1 GiB.
const MAX_OF_STREAM: u64 = 1 << 30;

/// A reader that fails when there is more than it may read.
#[derive(Debug)]
pub(super) struct Bounded<R> {
    inner: R,
    left: u64,
    most: u64,
}

impl<R> Bounded<R> {
    fn new(inner: R, most: u64) -> Self {
        Self { inner, left: most, most }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !buffer.is_empty() {
            return match self.inner.read(&mut [0])? {
                0 => Ok(0),
                _ => Err(too_large(self.most)),
            };
        }
        let room = usize::try_from(self.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let count = self.inner.read(&mut buffer[..room])?;
        self.left -= count as u64;
        Ok(count)
    }
}

fn too_large(most: u64) -> io::Error {
    let most = if most.is_multiple_of(1 << 30) {
        format!("{} GiB", most >> 30)
    } else {
        format!("{} MiB", most >> 20)
    };
    let text = format!("it is larger than {most}, the most that is read");
    io::Error::new(io::ErrorKind::FileTooLarge, text)
}

/// A pipe or a device that is read up to a limit.
pub(super) fn stream<R: Read>(inner: R) -> Bounded<R> {
    Bounded::new(inner, MAX_OF_STREAM)
}

/// The text of a file of data. A plain file may have any size.
///
/// # Errors
/// If it cannot be read, is no text in UTF-8, or has no end.
pub fn read_text(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    let most = if file.metadata()?.is_file() { u64::MAX } else { MAX_OF_STREAM };
    let mut text = String::new();
    Bounded::new(file, most).read_to_string(&mut text)?;
    Ok(text)
}

/// The bytes of a file of at most `most` bytes.
///
/// # Errors
/// If it cannot be read, or has more.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let data = file.metadata()?;
    if data.is_file() && data.len() > most {
        return Err(too_large(most));
    }
    let mut bytes = Vec::new();
    Bounded::new(file, most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_as_may_be_is_read() {
        let read = |bytes: &[u8], most| {
            let mut found = Vec::new();
            let result = Bounded::new(bytes, most).read_to_end(&mut found);
            result.map(|_| found).map_err(|error| error.to_string())
        };
        assert_eq!(read(b"abc", 4), Ok(b"abc".to_vec()));
        assert_eq!(read(b"abc", 3), Ok(b"abc".to_vec()));
        assert_eq!(read(b"", 0), Ok(Vec::new()));
        assert!(read(b"abc", 2).is_err());
        let endless = Bounded::new(io::repeat(7), 3 << 20).read_to_end(&mut Vec::new());
        let text = endless.expect_err("there is no end").to_string();
        assert_eq!(text, "it is larger than 3 MiB, the most that is read");
    }

    #[test]
    fn a_device_and_a_large_file_are_refused() {
        let zeros = read_at_most(Path::new("/dev/zero"), 1 << 20).expect_err("there is no end");
        assert_eq!(zeros.kind(), io::ErrorKind::FileTooLarge);
        let file = tempfile::NamedTempFile::new().expect("a file for a test");
        file.as_file().set_len((1 << 40) + 1).expect("a file with a hole");
        let large = read_at_most(file.path(), 1 << 40).expect_err("it is too large");
        assert_eq!(large.to_string(), "it is larger than 1024 GiB, the most that is read");
    }
}

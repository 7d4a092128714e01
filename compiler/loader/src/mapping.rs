//! Memory pages for machine code.
//!
//! Invariant: only this file maps, protects or unmaps the pages. All access is within their bounds.

use std::io;
use std::ops::Range;
use std::ptr::NonNull;

use crate::error::LoadError;

/// The use of pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// Machine code: read and executed.
    Code,
    /// Constants: read.
    Constants,
    /// Data: read and written.
    Data,
}

impl Use {
    /// All uses, in the order of their places in memory.
    pub(crate) const ALL: [Self; 3] = [Self::Code, Self::Constants, Self::Data];
}

/// Pages of this process.
#[derive(Debug)]
pub(crate) struct Mapping {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the pages are plain memory, and only the holder of `&mut` changes them.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

/// The size of a page.
pub(crate) fn page() -> usize {
    // SAFETY: the function only reads a setting.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).expect("pages have a size")
}

impl Mapping {
    /// `bytes` zeros, which can be written, and cannot be executed yet.
    pub(crate) fn new(bytes: usize) -> Result<Self, LoadError> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: the pages are new, and the system chooses their place.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, flags, -1, 0) };
        match NonNull::new(start.cast::<u8>()) {
            Some(start) if start.as_ptr().cast() != libc::MAP_FAILED => Ok(Self { start, bytes }),
            Some(_) | None => Err(LoadError::Memory(io::Error::last_os_error())),
        }
    }

    /// The address of the first byte.
    pub(crate) fn base(&self) -> usize {
        self.start.as_ptr().expose_provenance()
    }

    /// The number of bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Writes at an offset. `None` if the bytes are not within the pages.
    pub(crate) fn write(&mut self, offset: usize, bytes: &[u8]) -> Option<()> {
        let end = offset.checked_add(bytes.len()).filter(|&end| end <= self.bytes)?;
        debug_assert!(offset <= end);
        // SAFETY: the bytes are within the pages. The pages can be written until `protect`, and after that there is
        // no `&mut`.
        unsafe { self.start.as_ptr().add(offset).copy_from(bytes.as_ptr(), bytes.len()) };
        Some(())
    }

    /// Protects each part according to its use. After that, this process does not write to the pages.
    pub(crate) fn protect(&mut self, parts: &[(Use, Range<usize>)]) -> Result<(), LoadError> {
        for (part, range) in parts.iter().filter(|(_, range)| !range.is_empty()) {
            let access = match part {
                Use::Code => libc::PROT_READ | libc::PROT_EXEC,
                Use::Constants => libc::PROT_READ,
                Use::Data => continue,
            };
            assert!(range.end <= self.bytes, "parts lie in their pages");
            // SAFETY: the range consists of whole pages of this mapping, since parts begin on pages.
            let failed = unsafe {
                libc::mprotect(self.start.as_ptr().add(range.start).cast(), range.len(), access)
            };
            if failed != 0 {
                return Err(LoadError::Memory(io::Error::last_os_error()));
            }
        }
        Ok(())
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the pages belong to this mapping, and are unmapped once. By the invariant of `Code`, nothing refers
        // to them.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}

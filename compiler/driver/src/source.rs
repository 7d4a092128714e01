//! Reading a program and taking it to loop nests.

use std::fs;
use std::path::Path;

use arr_runtime::text::reason;
use arrc_core::diagnostics::Diagnostic;
use arrc_core::ids::FileId;
use arrc_core::pipeline::{self, Compiled};
use arrc_core::source::Sources;

use crate::error::{DriverError, Failure};
use crate::loader::Files;
use crate::names;

/// The largest program that spans can point into, in bytes.
const LARGEST: usize = u32::MAX as usize;

/// Reads and compiles a file.
pub(crate) fn compile(
    path: &Path,
    options: &pipeline::Options,
) -> Result<(Sources, Compiled), Failure> {
    read(path, |sources, file| {
        let compiled = pipeline::compile(sources, file, &Files, options)?;
        let wrong = names::check(&compiled.program);
        if wrong.is_empty() { Ok(compiled) } else { Err(wrong) }
    })
}

/// Reads a file and does something with it.
pub(crate) fn read<T>(
    path: &Path,
    then: impl FnOnce(&mut Sources, FileId) -> Result<T, Vec<Diagnostic>>,
) -> Result<(Sources, T), Failure> {
    let text = text(path)?;
    let mut sources = Sources::default();
    let file = sources.add(path.display().to_string(), text);
    match then(&mut sources, file) {
        Ok(result) => Ok((sources, result)),
        Err(diagnostics) => Err(Failure::Diagnostics { sources, diagnostics }),
    }
}

/// A file's text.
pub(crate) fn text(path: &Path) -> Result<String, DriverError> {
    let unreadable = |reason: String| DriverError::Unreadable { path: path.to_path_buf(), reason };
    if path.is_dir() {
        return Err(unreadable("it is a folder".to_string()));
    }
    let bytes = fs::read(path).map_err(|error| unreadable(reason(&error)))?;
    if bytes.len() >= LARGEST {
        return Err(unreadable("it is larger than 4 GiB".to_string()));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
        DriverError::NotUtf8 { path: path.to_path_buf(), line, byte: valid }
    })
}

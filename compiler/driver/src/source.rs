//! Reading a program and taking it to loop nests.

use std::io;
use std::path::Path;

use arr_runtime::text::{self, reason};
use arrc_front::load::Loader;
use arrc_pipeline as pipeline;
use arrc_pipeline::Compiled;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::ids::FileId;
use arrc_syntax::source::Sources;

use crate::error::{DriverError, Failure};
use crate::loader::Files;
use crate::names;

/// The maximum number of bytes in a file of a program. Spans could point into larger files. The limit gives a quick
/// answer if a device is named by mistake.
const LARGEST: u64 = 64 << 20;

/// Reads and compiles a file.
pub(crate) fn compile(
    path: &Path,
    options: &pipeline::Options,
) -> Result<(Sources, Compiled), Failure> {
    let (sources, compiled) =
        compile_text(&path.display().to_string(), self::text(path)?, &Files, options)?;
    let diagnostics = names::check(&compiled.program);
    if diagnostics.is_empty() {
        Ok((sources, compiled))
    } else {
        Err(Failure::Diagnostics { sources, diagnostics })
    }
}

/// Compiles a text. Its entries may have names that C functions cannot have. `name` is the path in messages, and
/// imports are relative to its folder. The loader gives their texts.
pub(crate) fn compile_text(
    name: &str,
    text: String,
    loader: &dyn Loader,
    options: &pipeline::Options,
) -> Result<(Sources, Compiled), Failure> {
    with_sources(name, text, |sources, file| pipeline::compile(sources, file, loader, options))
}

/// Reads a file, and calls `then` with it.
pub(crate) fn read<T>(
    path: &Path,
    then: impl FnOnce(&mut Sources, FileId) -> Result<T, Vec<Diagnostic>>,
) -> Result<(Sources, T), Failure> {
    with_sources(&path.display().to_string(), self::text(path)?, then)
}

fn with_sources<T>(
    name: &str,
    text: String,
    then: impl FnOnce(&mut Sources, FileId) -> Result<T, Vec<Diagnostic>>,
) -> Result<(Sources, T), Failure> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    match then(&mut sources, file) {
        Ok(result) => Ok((sources, result)),
        Err(diagnostics) => Err(Failure::Diagnostics { sources, diagnostics }),
    }
}

/// The contents of a file of a program.
pub(crate) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    text::read_at_most(path, LARGEST)
}

/// A file's text.
pub(crate) fn text(path: &Path) -> Result<String, DriverError> {
    let unreadable = |reason: String| DriverError::Unreadable { path: path.to_path_buf(), reason };
    if path.is_dir() {
        return Err(unreadable("it is a folder".to_string()));
    }
    utf8(path, bytes(path).map_err(|error| unreadable(reason(&error)))?)
}

/// The text that bytes of a file are.
pub(crate) fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String, DriverError> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
        DriverError::NotUtf8 { path: path.to_path_buf(), line, byte: valid }
    })
}

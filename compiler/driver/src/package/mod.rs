//! `arrc build --python`: a package of Python with the compiled functions, as a folder and as a wheel.
//!
//! Invariant: the wheel needs only NumPy. Arguments and errors are those of the package `arrc`, since the same files
//! implement them.
//!
//! ```text
//! dot.arr  ⇒  dot/                            dot-0.1.0-py3-none-manylinux_2_34_x86_64.whl
//!               __init__.py   __init__.pyi
//!               _call.py      _description.json
//!               libdot.so     …
//! ```

mod platform;
mod wheel;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use arr_abi::ErrorCode;
use arr_runtime::text::reason;
use arrc_pipeline::Compiled;
use arrc_syntax::json::{Value, json};

use crate::cli::Build;
use crate::embed::{describe, python_name, signatures, stub};
use crate::error::{DriverError, run_time_code};
use crate::link::write;

/// The files that are the same in all packages.
const FILES: [(&str, &str); 6] = [
    ("_arguments.py", include_str!("../../../python/python/arrc/_arguments.py")),
    ("_arrow.py", include_str!("../../../python/python/arrc/_arrow.py")),
    ("_errors.py", include_str!("../../../python/python/arrc/_errors.py")),
    ("_call.py", include_str!("../../../python/package/_call.py")),
    ("errors.py", include_str!("../../../python/package/errors.py")),
    ("py.typed", ""),
];
const INIT: &str = include_str!("../../../python/package/__init__.py.in");

/// A file of a package.
struct File {
    /// Its place in the wheel.
    name: String,
    data: Vec<u8>,
    is_program: bool,
}

/// The package of a program.
pub(crate) struct Package {
    name: String,
    source: String,
    description: String,
}

impl Package {
    /// The package of a program. Its entries get names that C accepts, and the package maps the original names to
    /// them.
    pub(crate) fn new(file: &Path, compiled: &mut Compiled) -> Self {
        let text = |part: Option<&OsStr>| {
            part.map_or_else(String::new, |part| part.to_string_lossy().into_owned())
        };
        let description = describe(compiled);
        for (index, entry) in compiled.program.entries.iter_mut().enumerate() {
            entry.name = format!("entry_{index}").into();
        }
        Self { name: name(&text(file.file_stem())), source: text(file.file_name()), description }
    }

    /// The file name of the shared library.
    pub(crate) fn library(&self) -> String {
        format!("lib{}.so", self.name)
    }

    /// Writes the folder and the wheel, given the shared library.
    pub(crate) fn write(&self, build: &Build, library: &Path) -> Result<(), DriverError> {
        let data = fs::read(library).map_err(|error| DriverError::Unreadable {
            path: library.to_path_buf(),
            reason: reason(&error),
        })?;
        let tag = format!("py3-none-{}", platform::tag(&data));
        let files = self.files(data);
        let folder = build.output.clone().unwrap_or_else(|| PathBuf::from("."));
        let package = folder.join(&self.name);
        fs::create_dir_all(&package).map_err(|error| DriverError::Unwritable {
            path: package.clone(),
            reason: reason(&error),
        })?;
        for file in &files {
            write(&folder.join(&file.name), &file.data)?;
        }
        let about = wheel::About {
            name: &self.name,
            version: &build.package_version,
            summary: &format!("Functions that arrc compiled from {}", self.source),
            tag: &tag,
        };
        write(&folder.join(about.file()), &wheel::wheel(&about, files))
    }

    fn files(&self, library: Vec<u8>) -> Vec<File> {
        let text = |name: &str, text: String| File {
            name: format!("{}/{name}", self.name),
            data: text.into_bytes(),
            is_program: false,
        };
        let init = INIT.replace("@VERSION@", env!("CARGO_PKG_VERSION"));
        let source = self.source.escape_default().to_string();
        let signatures = signatures(&self.description).expect("arrc reads what it wrote");
        let mut files = vec![
            text("__init__.py", init.replace("@SOURCE@", &source)),
            text("__init__.pyi", format!("from . import errors as errors\n{}", stub(&signatures))),
            text("_description.json", self.json()),
        ];
        files.extend(FILES.map(|(name, content)| text(name, content.to_owned())));
        let name = format!("{}/{}", self.name, self.library());
        files.push(File { name, data: library, is_program: true });
        files
    }

    /// The description of the library in the package.
    fn json(&self) -> String {
        let entries: Value = self.description.parse().expect("arrc reads what it wrote");
        let codes = ErrorCode::ALL.into_iter().filter_map(|code| {
            let told = run_time_code(code.number())?;
            Some((code.number().to_string(), json!([code.name(), told.0])))
        });
        let codes = Value::Object(codes.collect());
        format!("{:#}\n", json!({"library": self.library(), "codes": codes, "entries": entries}))
    }
}

/// A name that Python can import.
fn name(stem: &str) -> String {
    let mut name: String =
        stem.chars().map(|found| if found.is_ascii_alphanumeric() { found } else { '_' }).collect();
    if name.starts_with(|first: char| !first.is_ascii_alphabetic()) {
        name.insert_str(0, "arr_");
    }
    python_name(&name)
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn packages_can_be_imported() {
        let names = ["dot", "k-means 2", "2d", "_x", "class"].map(name);
        assert_eq!(names, ["dot", "k_means_2", "arr_2d", "arr__x", "class_"]);
    }
}

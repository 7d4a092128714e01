//! `arrc install`: installs the compiler, and the files for C, C++, CMake and Rust, below one folder.
//!
//! Invariant: all installed files come from the executable, and none names a folder. So the installation can be
//! moved.
//!
//! ```text
//! bin/arrc                      include/arr.h                 share/man/man1/arrc*.1
//! lib/libarr_runtime.a          lib/pkgconfig/arr*.pc         share/arrc/stdlib/*.arr
//! lib/libarr_parallel.a         lib/cmake/arr/*.cmake         share/arrc/arrc-build/
//! lib/libarr.so ─▶ libarr.so.10  the runtime and the pool, symbols of version ARR_10
//! ```

mod crates;

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use arr_abi::function::{POOL_FUNCTIONS, POOL_SYMBOL, PublicFn, RuntimeFn, VERSION};
use arr_runtime::header::{array_part, runtime_part};
use arr_runtime::text::reason;
use arrc_syntax::prim::Scalar;
use arrc_syntax::stdlib;

use crate::archive;
use crate::cli::Install;
use crate::error::DriverError;
use crate::link::{self, Library, write};

/// The array types of `arr.h` have at most this number of dimensions.
const MAX_DIMENSIONS: u32 = 4;

/// Files for build systems, with their places. `@VERSION@`, `@ABI@` and `@POOL@` are replaced.
const PACKAGES: [(&str, &str); 5] = [
    ("lib/pkgconfig/arr.pc", include_str!("arr.pc.in")),
    ("lib/pkgconfig/arr-runtime.pc", include_str!("arr-runtime.pc.in")),
    ("lib/pkgconfig/arr-parallel.pc", include_str!("arr-parallel.pc.in")),
    ("lib/cmake/arr/arr-config.cmake", include_str!("arr-config.cmake.in")),
    ("lib/cmake/arr/arr-config-version.cmake", include_str!("arr-config-version.cmake.in")),
];

/// Installs everything below the prefix.
pub(crate) fn install(options: &Install) -> Result<(), DriverError> {
    let prefix = Prefix(&options.prefix);
    prefix.program()?;
    for library in [Library::Runtime, Library::Parallel] {
        archive::alone(library, &prefix.place(&format!("lib/{}", library.file()))?)?;
    }
    prefix.shared_library()?;
    prefix.write("include/arr.h", &header())?;
    for (place, text) in PACKAGES {
        prefix.write(place, &filled(text))?;
    }
    prefix.write("share/arrc/stdlib/prelude.arr", stdlib::PRELUDE)?;
    for name in stdlib::names() {
        let text = stdlib::file(name).expect("a name of the library has a file");
        prefix.write(&format!("share/arrc/stdlib/{name}.arr"), text)?;
    }
    crates::install(prefix)?;
    prefix.manual()
}

/// The folder of the installation.
#[derive(Clone, Copy)]
struct Prefix<'a>(&'a Path);

impl Prefix<'_> {
    /// The place of a file. Its folder is created.
    fn place(self, name: &str) -> Result<PathBuf, DriverError> {
        let path = self.0.join(name);
        let folder = path.parent().expect("a file is in a folder");
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        Ok(path)
    }

    fn write(self, name: &str, text: &str) -> Result<(), DriverError> {
        write(&self.place(name)?, text.as_bytes())
    }

    /// Installs a copy of the running program.
    fn program(self) -> Result<(), DriverError> {
        let path = self.place("bin/arrc")?;
        let unreadable = |error: io::Error| DriverError::Unreadable {
            path: PathBuf::from("arrc"),
            reason: reason(&error),
        };
        let own = std::env::current_exe().and_then(fs::canonicalize).map_err(unreadable)?;
        if fs::canonicalize(&path).is_ok_and(|path| path == own) {
            return Ok(());
        }
        // A running program cannot be written to, so its old file is removed first. The process keeps that file.
        let _ = fs::remove_file(&path);
        fs::copy(&own, &path).map_err(|error| unwritable(&path, &error))?;
        Ok(())
    }

    fn shared_library(self) -> Result<(), DriverError> {
        let name = format!("libarr.so.{VERSION}");
        let path = self.place(&format!("lib/{name}"))?;
        link::runtime(&exports(), &name, &path)?;
        let short = self.place("lib/libarr.so")?;
        let _ = fs::remove_file(&short);
        symlink(name, &short).map_err(|error| unwritable(&short, &error))
    }

    /// Writes a page for the program, and one for each command.
    fn manual(self) -> Result<(), DriverError> {
        let page = self.place("share/man/man1/arrc.1")?;
        let folder = page.parent().expect("a file is in a folder");
        clap_mangen::generate_to(crate::cli::command(), folder)
            .map_err(|error| unwritable(folder, &error))
    }
}

fn unwritable(path: &Path, error: &io::Error) -> DriverError {
    DriverError::Unwritable { path: path.to_path_buf(), reason: reason(error) }
}

fn filled(text: &str) -> String {
    text.replace("@VERSION@", env!("CARGO_PKG_VERSION"))
        .replace("@ABI@", &VERSION.to_string())
        .replace("@POOL@", POOL_SYMBOL)
}

/// The version script of the shared library.
fn exports() -> String {
    let names = [&RuntimeFn::NAMES[..], &PublicFn::NAMES, &POOL_FUNCTIONS].concat();
    let names = names.join("; ");
    format!(
        "ARR_{VERSION} {{ global: {names}; {}; {POOL_SYMBOL}; local: *; }};\n",
        arr_abi::symbol!()
    )
}

/// A header with contexts and array types, but no entries.
fn header() -> String {
    let types = (1..=MAX_DIMENSIONS).flat_map(|rank| Scalar::ALL.map(|scalar| (scalar, rank)));
    let arrays: Vec<String> = types.map(|(scalar, rank)| array_part(scalar, rank)).collect();
    format!("{}\n{}", runtime_part(), arrays.join("\n"))
}

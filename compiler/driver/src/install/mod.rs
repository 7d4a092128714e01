//! `arrc install` and `arrc uninstall`: the compiler, and the files for C, C++, CMake, Rust and shells, below one folder.
//!
//! Invariant: all installed files come from the executable, and none names a folder. So the installation can be
//! moved. All are in the list that `manifest` writes, and are removed by it.
//!
//! ```text
//! bin/arrc                      include/arr.h                 share/man/man1/arrc*.1
//! lib/libarr_runtime.a          lib/pkgconfig/arr*.pc         share/arrc/stdlib/*.arr
//! lib/libarr_parallel.a         lib/cmake/arr/*.cmake         share/arrc/arrc-build/
//! lib/libarr.so ─▶ libarr.so.10  the runtime and the pool, symbols of version ARR_10
//! share/bash-completion, share/zsh and share/fish             share/arrc/manifest.txt
//! ```

mod advice;
mod crates;
mod install_error;
mod manifest;

use std::borrow::Cow;
use std::env;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{self, Path, PathBuf};

use arr_abi::function::{POOL_FUNCTIONS, POOL_SYMBOL, PublicFn, RuntimeFn, VERSION};
use arr_runtime::header::{array_part, runtime_part};
use arr_runtime::text::reason;
use arrc_syntax::prim::Scalar;
use arrc_syntax::stdlib;

pub(crate) use self::install_error::InstallError;
use self::manifest::Manifest;
use crate::archive;
use crate::cli::{self, Install, Uninstall};
use crate::error::DriverError;
use crate::link::{self, Library, write};
use crate::report::output;
use crate::target::Target;

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

/// A file of the installation.
struct File {
    /// Its place below the folder.
    place: Cow<'static, str>,
    content: Content,
}

/// Where a file comes from.
enum Content {
    Text(Cow<'static, str>),
    /// It is written by this function.
    Made(fn(&Path) -> Result<(), DriverError>),
}

impl File {
    fn text(place: impl Into<Cow<'static, str>>, text: impl Into<Cow<'static, str>>) -> Self {
        Self { place: place.into(), content: Content::Text(text.into()) }
    }

    fn made(
        place: impl Into<Cow<'static, str>>,
        make: fn(&Path) -> Result<(), DriverError>,
    ) -> Self {
        Self { place: place.into(), content: Content::Made(make) }
    }

    fn install(&self, prefix: &Path) -> Result<(), DriverError> {
        let path = prefix.join(&*self.place);
        make_folder_of(&path)?;
        match &self.content {
            Content::Text(text) => write(&path, text.as_bytes()),
            Content::Made(make) => make(&path),
        }
    }
}

/// Installs everything below the prefix, and tells how it is found.
pub(crate) fn install(options: &Install) -> Result<(), DriverError> {
    let prefix = &options.prefix;
    install_files(prefix).map_err(|error| {
        // The help of the general error names an option that this command does not have.
        let DriverError::Unwritable { path, reason } = error else { return error };
        InstallError::Unwritable { path, reason }.into()
    })?;
    output(&advice::text(&path::absolute(prefix).unwrap_or_else(|_| prefix.clone())));
    Ok(())
}

/// Installs all files. The list is written first, so that `arrc uninstall` can remove an installation that failed halfway.
fn install_files(prefix: &Path) -> Result<(), DriverError> {
    let files = files();
    let mut manifest = Manifest::read(prefix)?.unwrap_or_default();
    manifest.add(prefix, files.iter().map(|file| &*file.place));
    make_folder_of(&prefix.join(manifest::PLACE))?;
    manifest.write(prefix)?;
    files.iter().try_for_each(|file| file.install(prefix))
}

/// Removes the installed files below the prefix.
pub(crate) fn uninstall(options: &Uninstall) -> Result<(), DriverError> {
    let prefix = &options.prefix;
    let list = prefix.join(manifest::PLACE);
    let Some(manifest) = Manifest::read(prefix)? else {
        return Err(InstallError::NoManifest { prefix: prefix.clone(), manifest: list }.into());
    };
    if manifest.is_cut() {
        return Err(InstallError::Cut { manifest: list }.into());
    }
    if let Some(line) = manifest.outside() {
        return Err(InstallError::Outside { manifest: list, line: line.clone() }.into());
    }
    let (count, staying) = manifest.remove(prefix)?;
    let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
    let verb = if count == 1 { "is" } else { "are" };
    let mut text = format!("{files} below `{}` {verb} removed.\n", prefix.display());
    if !staying.is_empty() {
        let names: Vec<String> =
            staying.iter().map(|folder| format!("  {}\n", folder.display())).collect();
        text.push_str("These folders stay, since others have files there:\n");
        text.push_str(&names.concat());
    }
    output(&arr_printable::paragraph(&text));
    Ok(())
}

/// All files.
fn files() -> Vec<File> {
    let mut files = vec![
        File::made("bin/arrc", program),
        File::made("lib/libarr_runtime.a", |path| {
            archive::alone(Library::Runtime, Target::own(), path)
        }),
        File::made("lib/libarr_parallel.a", |path| {
            archive::alone(Library::Parallel, Target::own(), path)
        }),
        File::made(format!("lib/{}", shared_name()), |path| {
            link::runtime(&exports(), &shared_name(), path)
        }),
        File::made("lib/libarr.so", |path| link_to(&shared_name(), path)),
        File::text("include/arr.h", header()),
        File::text("share/arrc/stdlib/prelude.arr", stdlib::PRELUDE),
    ];
    files.extend(PACKAGES.map(|(place, text)| File::text(place, filled(text))));
    files.extend(stdlib::names().map(|name| {
        let text = stdlib::file(name).expect("a name of the library has a file");
        File::text(format!("share/arrc/stdlib/{name}.arr"), text)
    }));
    let pages = cli::manual().into_iter();
    files.extend(pages.map(|(name, text)| File::text(format!("share/man/man1/{name}"), text)));
    files.extend(crates::files());
    files.extend(cli::installed_completions().map(|(place, text)| File::text(place, text)));
    files
}

/// Makes the folder that a file goes to.
fn make_folder_of(path: &Path) -> Result<(), DriverError> {
    let folder = path.parent().expect("a file is in a folder");
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))
}

/// Installs a copy of the running program.
fn program(path: &Path) -> Result<(), DriverError> {
    let unreadable = |error: io::Error| DriverError::Unreadable {
        path: PathBuf::from("arrc"),
        reason: reason(&error),
    };
    let own = env::current_exe().and_then(fs::canonicalize).map_err(unreadable)?;
    if fs::canonicalize(path).is_ok_and(|path| path == own) {
        return Ok(());
    }
    // A running program cannot be written to, so its old file is removed first. The process keeps that file.
    let _ = fs::remove_file(path);
    fs::copy(&own, path).map_err(|error| unwritable(path, &error))?;
    Ok(())
}

/// The name of the shared library, by which programs look for it.
fn shared_name() -> String {
    format!("libarr.so.{VERSION}")
}

fn link_to(name: &str, path: &Path) -> Result<(), DriverError> {
    let _ = fs::remove_file(path);
    symlink(name, path).map_err(|error| unwritable(path, &error))
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

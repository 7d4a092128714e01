//! The compiler that a build script runs.
//!
//! Invariant: it has the version of this crate, so that the module that it writes is one that this crate knows. Cargo builds
//! again when another file takes its place.
//!
//! ```text
//! ARRC=/opt/arr/bin/arrc    that file
//! ARRC=arrc-0.2, or unset   `arrc-0.2` or `arrc`, in the first folder of PATH that has it
//! ```

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{self, Path, PathBuf};
use std::process::Command;

/// The environment variable that names the compiler.
const VARIABLE: &str = "ARRC";
/// Its default.
const DEFAULT: &str = "arrc";
/// The version of this crate and of the compiler.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The compiler, or why there is none.
pub(crate) fn find() -> Result<PathBuf, String> {
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let named = env::var_os(VARIABLE).filter(|name| !name.is_empty());
    let name = PathBuf::from(named.unwrap_or_else(|| DEFAULT.into()));
    let compiler = located(&name, env::var_os("PATH"))?;
    println!("cargo::rerun-if-changed={}", compiler.display());
    let told = Command::new(&compiler).arg("--version").output();
    let told = told.map_err(|error| not_run(&compiler, &error))?;
    check_version(&compiler, &String::from_utf8_lossy(&told.stdout))?;
    Ok(compiler)
}

/// Why the compiler did not start.
pub(crate) fn not_run(compiler: &Path, error: &io::Error) -> String {
    format!(
        "`{}` cannot be run ({error}): install arrc, or name it in the variable {VARIABLE}",
        compiler.display()
    )
}

/// The file of a program. A path is one from the folder of the crate, and a name alone is looked up as a shell does it.
fn located(name: &Path, folders: Option<OsString>) -> Result<PathBuf, String> {
    if name.components().count() > 1 {
        return path::absolute(name).map_err(|error| not_run(name, &error));
    }
    let folders = folders.unwrap_or_default();
    let found =
        env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.ok_or_else(|| {
        format!(
            "there is no `{}` in PATH: install arrc, or name it in the variable {VARIABLE}, as in \
             `{VARIABLE}=/opt/arr/bin/arrc cargo build`",
            name.display()
        )
    })
}

/// Whether a compiler that prints this as its version writes modules for this crate.
fn check_version(compiler: &Path, told: &str) -> Result<(), String> {
    let compiler = compiler.display();
    let Some(version) = told.trim().strip_prefix("arrc ") else {
        return Err(format!(
            "`{compiler}` is not arrc: it does not tell its version. Name arrc in the variable {VARIABLE}"
        ));
    };
    if version == VERSION {
        return Ok(());
    }
    Err(format!(
        "`{compiler}` is arrc {version}, and arrc-build is {VERSION}: both must have one version. Take the arrc-build \
         that this arrc installs (`arrc install --prefix DIR` puts it into DIR/share/arrc/arrc-build), or name arrc \
         {VERSION} in the variable {VARIABLE}"
    ))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{VERSION, check_version, located};

    #[test]
    fn names_are_looked_up_and_paths_are_not() {
        let path = || Some("/nowhere:/bin".into());
        assert_eq!(located(Path::new("sh"), path()), Ok("/bin/sh".into()));
        let here = std::env::current_dir().expect("a test has a folder");
        assert_eq!(located(Path::new("bin/arrc"), path()), Ok(here.join("bin/arrc")));
        for folders in [path(), None] {
            let told = located(Path::new("no-such-arrc"), folders).expect_err("it is nowhere");
            assert!(told.starts_with("there is no `no-such-arrc` in PATH: install arrc"), "{told}");
        }
    }

    #[test]
    fn both_have_one_version() {
        let check = |told: &str| check_version(Path::new("/x/arrc"), told);
        assert_eq!(check(&format!("arrc {VERSION}\n")), Ok(()));
        let told = check("arrc 0.0.1\n").expect_err("it is an old one");
        assert!(told.starts_with("`/x/arrc` is arrc 0.0.1, and arrc-build is "), "{told}");
        let told = check("GNU bash, version 5\n").expect_err("it is another program");
        assert!(told.starts_with("`/x/arrc` is not arrc"), "{told}");
    }
}

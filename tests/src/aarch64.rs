//! Results of programs compiled for AArch64: the test blocks of `run/*.arr`, in an emulator.
//!
//! `arrc test --host` compiles a program and starts a script with its object file. The script links the object with the
//! plain runtime, which `arrc runtime --target` gives, and runs `tests/host`, which makes the calls on one thread and on
//! three.
//!
//! Invariant: the host is compiled for AArch64 once for all programs, by `scripts/setup cross`'s tools.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use libtest_mimic::{Failed, Trial};

use crate::run::{TIMEOUT, all, programs};
use crate::tools::{arrc, built, project, stem, succeed};

pub(crate) const TARGET: &str = "aarch64-unknown-linux-gnu";
pub(crate) const GCC: &str = "aarch64-linux-gnu-gcc";
pub(crate) const EMULATOR: [&str; 3] = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"];

/// How a program is compiled: a strategy and an optimisation level.
const WAYS: [(&str, u8); 2] = [("ilp", 3), ("none", 0)];

/// The trials, by night only.
#[must_use]
pub fn trials() -> Vec<Trial> {
    if !all() {
        return Vec::new();
    }
    let folder = project().join("tests/run");
    let programs = programs().into_iter();
    let programs = programs.filter(|(path, has_calls)| *has_calls && path.starts_with(&folder));
    let each = programs.flat_map(|(path, _)| {
        WAYS.map(|(strategy, level)| {
            let path = path.clone();
            let name = format!("aarch64::{}::{strategy}-O{level}", stem(&path));
            Trial::test(name, move || test(&path, strategy, level))
        })
    });
    each.collect()
}

/// All calls of a file must give what its tests say.
fn test(path: &Path, strategy: &str, level: u8) -> Result<(), Failed> {
    static HOST: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let host = HOST.get_or_init(|| {
        host().map_err(|problem| problem.message().unwrap_or_default().to_string())
    });
    let mut test = Command::new(arrc());
    test.args(["test", TIMEOUT, "--target", TARGET, "--target-cpu=generic", "--host"]);
    test.arg(host.as_ref()?).arg(format!("--fusion={strategy}")).arg(format!("-O{level}"));
    succeed(test.env("CC", GCC).arg(path))?;
    Ok(())
}

/// Compiles the host; gives the script that `arrc test` starts.
fn host() -> Result<PathBuf, Failed> {
    let folder = built("aarch64");
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--package=arr_host", "--locked", "--release", "--target", TARGET]);
    cargo.arg("--target-dir").arg(&folder).current_dir(project());
    succeed(cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", GCC))?;
    let host = folder.join(TARGET).join("release/arr_host");
    let runtime = folder.join("libarr_runtime.a");
    succeed(Command::new(arrc()).args(["runtime", "--target", TARGET, "-o"]).arg(&runtime))?;
    let script = folder.join("host.sh");
    let text = format!(
        "#!/bin/sh\nset -e\n{GCC} -shared -o \"$1.so\" \"$@\" '{}' -lm\nexec {} '{}' \"$1.so\"\n",
        runtime.display(),
        EMULATOR.join(" "),
        host.display(),
    );
    fs::write(&script, text)?;
    fs::set_permissions(&script, Permissions::from_mode(0o755))?;
    Ok(script)
}

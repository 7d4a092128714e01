//! Compiles the runtime, the pool of threads, and the main function of programs, and makes one object file of each.
//!
//! Invariant: they are compiled as a release, by the cargo and the versions of libraries that this crate is built with, in
//! a folder of their own. Clippy's build and rustc's share the folder, since each takes minutes from nothing.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use arr_abi::function::{POOL_FUNCTIONS, POOL_SYMBOL, PublicFn, RuntimeFn};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let project = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("../..");
    for input in ["Cargo.toml", "Cargo.lock", "runtime"] {
        println!("cargo::rerun-if-changed={}", project.join(input).display());
    }
    let out = PathBuf::from(variable("OUT_DIR"));
    // Behind the folder of the profile there are `build`, a folder of this crate, and `out`.
    let profile = out.ancestors().nth(3).expect("cargo chooses the folder of outputs");
    let folder = profile.join("objects");
    let runtime =
        [&RuntimeFn::NAMES[..], &PublicFn::NAMES, &POOL_FUNCTIONS, &[arr_abi::symbol!()]].concat();
    let pool = [&POOL_FUNCTIONS[..], &[POOL_SYMBOL]].concat();
    let program = [&runtime[..], &["arr_rt_main"]].concat();
    for (package, roots, object) in [
        ("arr_rt", runtime, "arr_runtime.o"),
        ("arr_parallel", pool, "arr_parallel.o"),
        ("arr_program", program, "arr_program.o"),
    ] {
        let library = compile(package, &project, &folder);
        one_object(&library, &roots, &out.join(object));
    }
}

/// The static library of a package.
fn compile(package: &str, project: &Path, folder: &Path) -> PathBuf {
    let (target, host) = (variable("TARGET"), variable("HOST"));
    let mut cargo = Command::new(variable("CARGO"));
    cargo
        .args(["rustc", "--locked", "--release", "--lib", "--crate-type=staticlib", "--package"])
        .arg(package)
        .arg("--manifest-path")
        .arg(project.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(folder)
        // While Clippy checks the workspace, it replaces the compiler.
        .env_remove("RUSTC_WORKSPACE_WRAPPER");
    let mut profile = folder.to_owned();
    if target != host {
        cargo.arg("--target").arg(&target);
        profile.push(target);
    }
    run(&mut cargo);
    profile.join("release").join(format!("lib{package}.a"))
}

/// Makes an object file of the parts of a static library that the roots need. All other symbols become local.
fn one_object(library: &Path, roots: &[&str], object: &Path) {
    let whole = object.with_extension("whole.o");
    let mut link = Command::new(tool("LD", "ld"));
    // Otherwise the linker could drop a section group because another library has the same group, and with it local
    // names.
    link.args(["-r", "--gc-sections", "--force-group-allocation", "--strip-debug"]);
    link.args(roots.iter().flat_map(|root| ["-u", root]));
    run(link.arg("-o").arg(&whole).arg(library));
    let mut localise = Command::new(tool("OBJCOPY", "objcopy"));
    localise.args(roots.iter().map(|root| format!("--keep-global-symbol={root}")));
    localise
        .args([".llvmbc", ".llvmcmd", ".comment"].map(|name| format!("--remove-section={name}")));
    run(localise.arg("--strip-unneeded").arg(&whole).arg(object));
}

/// A tool of the system. An environment variable may name another one.
fn tool(name: &str, default: &str) -> String {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name).unwrap_or_else(|_| default.to_owned())
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|error| panic!("cargo sets {name}: {error}"))
}

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?} ends with {status}");
}

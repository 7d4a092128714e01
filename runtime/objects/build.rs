//! Compiles the runtime, the pool of threads, and the main function of programs, and makes one object file of each, for
//! each target.
//!
//! Invariant: they are compiled as a release, by the cargo and the versions of libraries that this crate is built with, in
//! a folder of their own. Clippy's build and rustc's share the folder, since each takes minutes from nothing. The compiler's
//! own target is always there. Another one is left out, with a warning, where Rust's library for it or its binutils are
//! missing.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arr_abi::function::{POOL_FUNCTIONS, POOL_SYMBOL, PublicFn, RuntimeFn};

/// The targets of the runtime, and what the names of their tools begin with.
const TARGETS: [(&str, &str); 2] = [
    ("x86_64-unknown-linux-gnu", "x86_64-linux-gnu-"),
    ("aarch64-unknown-linux-gnu", "aarch64-linux-gnu-"),
];

/// The compiler of the libraries' assembly for other targets. Debian's gcc has one target only.
const CLANG: &str = "clang-22";

/// The package of each object, and its file.
const OBJECTS: [(&str, &str); 3] = [
    ("arr_rt", "arr_runtime.o"),
    ("arr_parallel", "arr_parallel.o"),
    ("arr_program", "arr_program.o"),
];

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
    let own = variable("TARGET");
    let mut targets = vec![Target {
        triple: own.clone(),
        ld: tool("LD", "ld"),
        objcopy: tool("OBJCOPY", "objcopy"),
        cc: None,
    }];
    targets.extend(
        TARGETS
            .iter()
            .filter(|(triple, _)| *triple != own)
            .filter_map(|(triple, tools)| other(triple, tools)),
    );
    let mut list = String::from("&[\n");
    for target in &targets {
        let place = out.join(&target.triple);
        fs::create_dir_all(&place).expect("cargo's folder takes files");
        for (package, object) in OBJECTS {
            let library = target.compile(package, &project, &folder);
            target.one_object(&library, &roots(package), &place.join(object));
        }
        writeln!(list, "{}", entry(&target.triple)).expect("writing to a string succeeds");
    }
    fs::write(out.join("targets.rs"), list + "]\n").expect("cargo's folder takes files");
}

/// The functions of a package that are called from outside.
fn roots(package: &str) -> Vec<&'static str> {
    let runtime =
        [&RuntimeFn::NAMES[..], &PublicFn::NAMES, &POOL_FUNCTIONS, &[arr_abi::symbol!()]].concat();
    match package {
        "arr_rt" => runtime,
        "arr_parallel" => [&POOL_FUNCTIONS[..], &[POOL_SYMBOL]].concat(),
        _ => [&runtime[..], &["arr_rt_main", "arr_rt_server"]].concat(),
    }
}

/// The objects of a target as an expression in Rust.
fn entry(triple: &str) -> String {
    let bytes =
        |object| format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{triple}/{object}\"))");
    let [runtime, parallel, program] = OBJECTS.map(|(_, object)| bytes(object));
    format!(
        "Objects {{ triple: \"{triple}\", runtime: {runtime}, parallel: {parallel}, program: {program} }},"
    )
}

/// A target that is not the compiler's own, if it can be compiled for.
fn other(triple: &str, tools: &str) -> Option<Target> {
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.args(["--print=target-libdir", "--target", triple]);
    let output = rustc.output().unwrap_or_else(|error| panic!("{rustc:?}: {error}"));
    let library = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    // rustup changes this file when it adds a library.
    let components = library.join("../../components");
    if components.is_file() {
        println!("cargo::rerun-if-changed={}", components.display());
    }
    let target = Target {
        triple: triple.to_owned(),
        ld: format!("{tools}ld"),
        objcopy: format!("{tools}objcopy"),
        cc: Some(tool(&cc_variable(triple), CLANG)),
    };
    let missing =
        if library.is_dir() { target.missing_tool() } else { Some("Rust's library for it") };
    if let Some(missing) = missing {
        println!(
            "cargo::warning=arrc will have no runtime for {triple}: {missing} is missing, which scripts/setup installs; \
             then `cargo clean -p arr_objects` builds it"
        );
    }
    missing.is_none().then_some(target)
}

/// A target, and the tools for it.
struct Target {
    triple: String,
    ld: String,
    objcopy: String,
    /// The C compiler for it, unless it is the one that the `cc` library finds by itself.
    cc: Option<String>,
}

impl Target {
    /// A tool that cannot be run.
    fn missing_tool(&self) -> Option<&str> {
        let runs = |tool: &&str| Command::new(tool).arg("--version").output().is_ok();
        [&*self.ld, &*self.objcopy].into_iter().chain(self.cc.as_deref()).find(|tool| !runs(tool))
    }

    /// The static library of a package.
    fn compile(&self, package: &str, project: &Path, folder: &Path) -> PathBuf {
        let mut cargo = Command::new(variable("CARGO"));
        cargo
            .args([
                "rustc",
                "--locked",
                "--release",
                "--lib",
                "--crate-type=staticlib",
                "--package",
            ])
            .arg(package)
            .arg("--manifest-path")
            .arg(project.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(folder)
            // While Clippy checks the workspace, it replaces the compiler.
            .env_remove("RUSTC_WORKSPACE_WRAPPER");
        if let Some(cc) = &self.cc {
            cargo.env(cc_variable(&self.triple), cc);
        }
        let mut profile = folder.to_owned();
        if self.triple != variable("HOST") {
            cargo.arg("--target").arg(&self.triple);
            profile.push(&self.triple);
        }
        run(&mut cargo);
        profile.join("release").join(format!("lib{package}.a"))
    }

    /// Makes an object file of the parts of a static library that the roots need. All other symbols become local.
    fn one_object(&self, library: &Path, roots: &[&str], object: &Path) {
        let whole = object.with_extension("whole.o");
        let mut link = Command::new(&self.ld);
        // Otherwise the linker could drop a section group because another library has the same group, and with it local
        // names.
        link.args(["-r", "--gc-sections", "--force-group-allocation", "--strip-debug"]);
        link.args(roots.iter().flat_map(|root| ["-u", root]));
        run(link.arg("-o").arg(&whole).arg(library));
        let mut localise = Command::new(&self.objcopy);
        localise.args(roots.iter().map(|root| format!("--keep-global-symbol={root}")));
        localise.args(
            [".llvmbc", ".llvmcmd", ".comment"].map(|name| format!("--remove-section={name}")),
        );
        run(localise.arg("--strip-unneeded").arg(&whole).arg(object));
    }
}

/// A tool for the compiler's own target. An environment variable may name another one.
fn tool(name: &str, default: &str) -> String {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name).unwrap_or_else(|_| default.to_owned())
}

/// The environment variable by which the `cc` library is told the C compiler for a target.
fn cc_variable(triple: &str) -> String {
    format!("CC_{}", triple.replace('-', "_"))
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|error| panic!("cargo sets {name}: {error}"))
}

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?} ends with {status}");
}

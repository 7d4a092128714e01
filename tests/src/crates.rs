//! Crates that use an installed arrc: the example of a library, as a user builds it in a folder of their own, and the crate
//! `arrc-build` as cargo packages it.
//!
//! Invariant: they get what `arrc install` installed, moved to another place, and the package index; nothing of this
//! project.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::aarch64::{EMULATOR, GCC, TARGET};
use crate::docs::named_blocks;
use crate::install::Installed;
use crate::run::all;
use crate::tools::{built, output, project, read, succeed};

/// The crate in an installation.
const CRATE: &str = "share/arrc/arrc-build";
/// The files of a crate with one program.
const SMALL: [(&str, &str); 4] = [
    (
        "Cargo.toml",
        "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n",
    ),
    ("build.rs", "fn main() {\n    arrc_build::Build::new(\"twice.arr\").compile();\n}\n"),
    ("twice.arr", "entry twice [n] (xs: [n]i64): [n]i64 = map (2 *) xs\n"),
    (
        "src/main.rs",
        "mod twice {\n    include!(concat!(env!(\"OUT_DIR\"), \"/twice.rs\"));\n}\n\n\
         fn main() -> Result<(), twice::Error> {\n    \
         let doubled = twice::Context::new()?.twice(&[1, 2])?;\n    \
         println!(\"{:?}\", &*doubled);\n    Ok(())\n}\n",
    ),
];

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("crates::example", example),
        Trial::test("crates::packaged", packaged),
        Trial::test("crates::another_arrc", another_arrc),
        Trial::test("crates::page", page),
        Trial::test("crates::whole", whole),
        Trial::test("crates::manifest", manifest),
        Trial::test("crates::a_target_without_a_runtime", no_runtime),
        Trial::test("crates::another_target", another_target).with_ignored_flag(!all()),
    ]
}

impl Installed {
    /// The crate with one program, which depends on the crate `arrc-build` in this folder.
    fn small(&self, arrc_build: &Path) -> Result<PathBuf, Failed> {
        let folder = self.at("small");
        fs::create_dir_all(folder.join("src"))?;
        for (name, text) in SMALL {
            fs::write(folder.join(name), text)?;
        }
        let mut add = cargo(&folder, &["add", "--quiet", "--offline", "--build", "--path"]);
        succeed(add.arg(arrc_build))?;
        Ok(folder)
    }

    /// `PATH` with the programs of the installation first.
    fn path(&self) -> Result<std::ffi::OsString, Failed> {
        let others = env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.prefix("bin")).chain(env::split_paths(&others));
        Ok(env::join_paths(folders)?)
    }
}

/// Cargo in the folder of a crate.
fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(arguments).current_dir(folder).env_remove("ARRC").env_remove("RUSTFLAGS");
    cargo.env_remove("RUSTC_WORKSPACE_WRAPPER").env_remove("CARGO_TARGET_DIR");
    cargo
}

/// A library with tests, lints and documentation, which finds arrc in `PATH`.
fn example() -> Result<(), Failed> {
    let user = Installed::new()?;
    let folder = user.at("pictures");
    succeed(
        Command::new("cp").arg("-r").arg(project().join("examples/rust_library")).arg(&folder),
    )?;
    let arrc_build = user.prefix(CRATE);
    succeed(cargo(&folder, &["add", "--quiet", "--build", "--path"]).arg(&arrc_build))?;
    // The other crates are compiled once.
    let target = built("crates");
    let run = |arguments: &[&str]| {
        let mut cargo = cargo(&folder, arguments);
        cargo.env("CARGO_TARGET_DIR", &target).env("PATH", user.path()?);
        cargo.env("RUSTDOCFLAGS", "-Dwarnings");
        succeed(&mut cargo)
    };
    run(&["test", "--quiet"])?;
    run(&["clippy", "--quiet", "--all-targets", "--", "-Dwarnings"])?;
    run(&["doc", "--quiet", "--no-deps"])?;
    let page = read(&target.join("doc/pictures/filters/struct.Context.html"))?;
    for told in ["The mean of each pixel and its four neighbours.", "blurred [n] [m] (picture: "] {
        if !page.contains(told) {
            return Err(format!("the page of `Context` does not say `{told}`").into());
        }
    }
    Ok(())
}

/// The page on Rust as a reader follows it: its commands, its files, and what the program prints.
fn page() -> Result<(), Failed> {
    let page = read(&project().join("docs/src/rust.md"))?;
    let user = Installed::new()?;
    let shell = |block: &str, folder: &Path| {
        let block = block.replace("/opt/arr", &user.at("prefix").display().to_string());
        let mut shell = Command::new("sh");
        shell.args(["-e", "-c", &block]).current_dir(folder).env_remove("CARGO_TARGET_DIR");
        succeed(shell.env("PATH", user.path()?).env_remove("ARRC").env("RUSTFLAGS", "-Dwarnings"))
    };
    let blocks = |mark: &str| -> Vec<String> {
        let fence = format!("\n```{mark}\n");
        let parts = page.split(&fence).skip(1);
        parts
            .filter_map(|part| part.split_once("\n```"))
            .map(|(block, _)| block.to_owned())
            .collect()
    };
    let commands = blocks("sh");
    let [begin, named, without_cargo] = commands.as_slice() else {
        return Err(format!("the page has other commands: {commands:?}").into());
    };
    shell(begin, user.folder.path())?;
    let (crate_folder, plain) = (user.at("sums"), user.at("plain"));
    fs::create_dir(&plain)?;
    for (name, text) in named_blocks(&page) {
        let folder = if name == "build.rs" { "" } else { "src" };
        fs::write(crate_folder.join(folder).join(&name), &text)?;
        fs::write(plain.join(&name), text)?;
    }
    let printed = [
        shell("cargo run --quiet", &crate_folder)?,
        shell(named, &crate_folder)?,
        shell(without_cargo, &plain)?,
    ];
    let told = blocks("text");
    let told = told.first().ok_or("the page shows what is printed")?;
    // Without cargo, the program is in no folder.
    let fits = |printed: &String| {
        told.trim_start_matches("src/") == printed.trim_start_matches("src/").trim_end()
    };
    if printed.iter().all(fits) {
        return Ok(());
    }
    Err(format!("the page shows\n{told}\nand this is printed: {printed:#?}").into())
}

/// The crate as cargo packages it, without the folder that it was installed in. The variable names arrc.
fn packaged() -> Result<(), Failed> {
    let user = Installed::new()?;
    let target = user.at("package");
    let mut package = cargo(&user.prefix(CRATE), &["package", "--quiet", "--offline"]);
    succeed(package.env("CARGO_TARGET_DIR", &target).env("RUSTFLAGS", "-Dwarnings"))?;
    let name = format!("arrc-build-{}", env!("CARGO_PKG_VERSION"));
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(target.join(format!("package/{name}.crate"))).arg("-C");
    succeed(tar.arg(user.folder.path()))?;
    fs::remove_dir_all(user.prefix(CRATE))?;
    let small = user.small(&user.at(&name))?;
    let mut run = cargo(&small, &["run", "--quiet", "--offline"]);
    let printed = succeed(run.env("ARRC", user.prefix("bin/arrc")))?;
    if printed == "[2, 4]\n" { Ok(()) } else { Err(printed.into()) }
}

/// The build's messages if arrc is missing, has another version, or is another program.
fn another_arrc() -> Result<(), Failed> {
    let user = Installed::new()?;
    let small = user.small(&user.prefix(CRATE))?;
    let version = env!("CARGO_PKG_VERSION");
    let refused = |variable: &str, value: &Path, told: &[&str]| {
        let mut build = cargo(&small, &["build", "--quiet", "--offline"]);
        let result = output(build.env(variable, value))?;
        let message = String::from_utf8_lossy(&result.stderr).into_owned();
        let missing = told.iter().find(|told| !message.contains(**told));
        match missing {
            None if !result.status.success() => Ok(()),
            missing => Err(Failed::from(format!("{missing:?} is not in\n{message}"))),
        }
    };
    let script = |name: &str, text: &str| {
        let script = user.at(name);
        fs::write(&script, format!("#!/bin/sh\n{text}\n"))?;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
        Ok::<_, Failed>(script)
    };
    let old = script("arrc-old", "echo arrc 0.0.1")?;
    let versions =
        format!("is arrc 0.0.1, and arrc-build is {version}: both must have one version");
    refused("ARRC", &old, &[&versions, "DIR/share/arrc/arrc-build"])?;
    let other = script("arrc-other", "echo GNU arrc; echo nonsense >&2")?;
    refused("ARRC", &other, &["arrc-other` is not arrc: it does not tell its version"])?;
    let nowhere = user.at("nowhere/arrc");
    refused(
        "ARRC",
        &nowhere,
        &["nowhere/arrc` cannot be run", "install arrc, or name it in the variable ARRC"],
    )?;
    // The folders of `PATH` with programs that cargo needs, and without one that has arrc.
    let others = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&others).filter(|folder| !folder.join("arrc").exists());
    let path = PathBuf::from(env::join_paths(folders)?);
    refused(
        "PATH",
        &path,
        &["there is no `arrc` in PATH: install arrc, or name it in the variable ARRC"],
    )?;
    // A crate that was built is built again when another arrc takes the place of its arrc.
    let path = PathBuf::from(user.path()?);
    succeed(cargo(&small, &["build", "--quiet", "--offline"]).env("PATH", &path))?;
    let mut replace = Command::new("cp");
    succeed(replace.arg("--remove-destination").arg(&old).arg(user.prefix("bin/arrc")))?;
    refused("PATH", &path, &[&versions])
}

/// arrc-build gives arrc the target of cargo, and cargo the message of arrc.
fn no_runtime() -> Result<(), Failed> {
    let user = Installed::new()?;
    let folder = user.small(&user.prefix(CRATE))?;
    let mut check = cargo(&folder, &["check", "--offline", "--target=aarch64-unknown-linux-musl"]);
    let result = output(check.env("PATH", user.path()?))?;
    let told = String::from_utf8_lossy(&result.stderr);
    let expected = "there is no runtime for the target `aarch64-unknown-linux-musl`";
    if result.status.success() || !told.contains(expected) {
        return Err(format!("{}\n{told}", result.status).into());
    }
    Ok(())
}

/// A crate that is built for AArch64 runs there.
fn another_target() -> Result<(), Failed> {
    let user = Installed::new()?;
    let folder = user.small(&user.prefix(CRATE))?;
    let mut run = cargo(&folder, &["run", "--quiet", "--offline", "--target", TARGET]);
    run.env("PATH", user.path()?).env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", GCC);
    run.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", EMULATOR.join(" "));
    let found = succeed(&mut run)?;
    if found == "[2, 4]\n" { Ok(()) } else { Err(found.into()) }
}

/// Each file of the crate is installed.
fn whole() -> Result<(), Failed> {
    let user = Installed::new()?;
    let names = |folder: PathBuf| -> Result<BTreeSet<String>, Failed> {
        let entries = fs::read_dir(folder)?;
        let name = |entry: std::io::Result<fs::DirEntry>| {
            Ok(entry?.file_name().to_string_lossy().into_owned())
        };
        entries.map(name).collect()
    };
    let own = project().join("compiler/build");
    let (found, expected) = (names(user.prefix(CRATE).join("src"))?, names(own.join("src"))?);
    if found != expected {
        return Err(format!("{found:?} are installed of {expected:?}").into());
    }
    for name in expected.iter().map(|name| format!("src/{name}")).chain(["Cargo.toml".to_owned()]) {
        if read(&user.prefix(CRATE).join(&name))? != read(&own.join(&name))? {
            return Err(format!("{name} is another file").into());
        }
    }
    Ok(())
}

/// The manifest says itself what the workspace says for the other crates.
fn manifest() -> Result<(), Failed> {
    let manifest = read(&project().join("compiler/build/Cargo.toml"))?;
    if manifest.contains("workspace = true") {
        return Err("it needs the workspace".into());
    }
    let workspace = read(&project().join("Cargo.toml"))?;
    for key in ["version", "edition", "license"] {
        let line = workspace.lines().find(|line| line.starts_with(&format!("{key} = ")));
        let line = line.ok_or_else(|| format!("the workspace has no {key}"))?;
        if !manifest.lines().any(|own| own == line) {
            return Err(format!("compiler/build/Cargo.toml does not have the line `{line}`").into());
        }
    }
    Ok(())
}

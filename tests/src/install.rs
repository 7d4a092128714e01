//! Installations by `arrc install`: programs find and link them, shells find the command line, versions that do not fit refuse
//! each other, and all files can be removed.
//!
//! Invariant: what was installed is moved before it is used, and everything is in temporary folders.

mod cmake;
mod shells;
mod uninstall;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arr_runtime::header;
use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;

use crate::tools::{arrc, output, project, succeed};

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let mut trials = cmake::trials();
    trials.extend(shells::trials());
    trials.extend(uninstall::trials());
    trials.extend([
        Trial::test("install::layout", layout),
        Trial::test("install::pkg_config", pkg_config),
        Trial::test("install::a_static_library_of_another_version", other_static),
        Trial::test("install::a_shared_library_of_another_version", other_shared),
        Trial::test("install::symbols", symbols),
        Trial::test("install::beside_another_rust_library", beside_rust),
        Trial::test("install::arrc_alone", alone),
    ]);
    trials
}

/// A folder, and an installation in it that was made elsewhere.
pub(crate) struct Installed {
    pub(crate) folder: TempDir,
}

impl Installed {
    pub(crate) fn new() -> Result<Self, Failed> {
        let folder = tempfile::tempdir()?;
        let first = folder.path().join("first");
        succeed(Command::new(arrc()).arg("install").arg("--prefix").arg(&first))?;
        fs::rename(first, folder.path().join("prefix"))?;
        Ok(Self { folder })
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn prefix(&self, name: &str) -> PathBuf {
        self.at("prefix").join(name)
    }

    /// Compiles the program of the tests by the compiler that was installed.
    fn object(&self) -> Result<PathBuf, Failed> {
        let object = self.at("sums.o");
        let mut build = Command::new(self.prefix("bin/arrc"));
        succeed(build.arg("build").arg(source("sums.arr")).arg("-o").arg(&object))?;
        Ok(object)
    }

    /// The linker flags of a package.
    fn flags(&self, package: &str) -> Result<Vec<String>, Failed> {
        let mut pkg_config = Command::new("pkg-config");
        pkg_config.env("PKG_CONFIG_PATH", self.prefix("lib/pkgconfig"));
        let flags = succeed(pkg_config.args(["--cflags", "--libs", package]))?;
        Ok(flags.split_whitespace().map(str::to_owned).collect())
    }

    /// Links `main.c` with the flags of a package. The error has the linker's messages.
    fn link(&self, object: &Path, flags: &[impl AsRef<OsStr>]) -> Result<PathBuf, Failed> {
        let program = self.at("main");
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]);
        gcc.arg(self.folder.path()).arg(source("main.c")).arg(object).args(flags);
        succeed(gcc.arg("-o").arg(&program))?;
        Ok(program)
    }

    /// Runs a program that finds the shared library.
    fn run(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("LD_LIBRARY_PATH", self.prefix("lib"));
        command
    }
}

fn source(name: &str) -> PathBuf {
    project().join("tests/install").join(name)
}

fn expect(found: &str, part: &str) -> Result<(), Failed> {
    if found.contains(part) { Ok(()) } else { Err(format!("no `{part}` in:\n{found}").into()) }
}

/// The output of `main.c` with a pool.
fn with_pool() -> String {
    format!("14 with a pool, {}\n", env!("CARGO_PKG_VERSION"))
}

/// All files are there, none names the folder that it was installed in, and `man` can read its pages.
fn layout() -> Result<(), Failed> {
    let installed = Installed::new()?;
    for (page, part) in [
        ("arrc", "ARR_NUM_THREADS\n              The most threads"),
        ("arrc-build", "--unique-names\n"),
        ("arrc-run", "SEE ALSO\n       arrc(1)\n"),
        ("arrc-install", "--prefix <DIR>\n"),
    ] {
        let mut man = Command::new("man");
        man.args(["--warnings", "-l"]).arg(installed.prefix(&format!("share/man/man1/{page}.1")));
        let set = output(man.env("LC_ALL", "C.UTF-8").env("MANWIDTH", "80"))?;
        if !set.stderr.is_empty() {
            return Err(String::from_utf8_lossy(&set.stderr).into_owned().into());
        }
        expect(&String::from_utf8_lossy(&set.stdout), part)?;
    }
    if installed.prefix("share/man/man1/arrc-test-child.1").exists() {
        return Err("a hidden command has a page".into());
    }
    for file in
        ["prelude", "complex", "groups", "linalg", "random", "sparse", "stencil", "statistics"]
    {
        let text = fs::read(installed.prefix(&format!("share/arrc/stdlib/{file}.arr")))?;
        if text != fs::read(project().join(format!("stdlib/{file}.arr")))? {
            return Err(format!("{file}.arr is another file").into());
        }
    }
    let folder = installed.folder.path().display().to_string();
    for place in ["lib/pkgconfig", "lib/cmake/arr", "include", "lib", "share/arrc"] {
        for entry in fs::read_dir(installed.prefix(place))? {
            let path = entry?.path();
            if path.is_file() && String::from_utf8_lossy(&fs::read(&path)?).contains(&folder) {
                return Err(format!("{} names its folder", path.display()).into());
            }
        }
    }
    // Again, over the first installation, by the program that it installed.
    succeed(
        Command::new(installed.prefix("bin/arrc"))
            .arg("install")
            .arg("--prefix")
            .arg(installed.at("prefix")),
    )?;
    Ok(())
}

/// One package for each way of linking; without a pool, a call that asks for threads says so.
fn pkg_config() -> Result<(), Failed> {
    let installed = Installed::new()?;
    let object = installed.object()?;
    for (package, expected) in [
        ("arr-runtime", "there is no pool"),
        ("arr-parallel", with_pool().as_str()),
        ("arr", with_pool().as_str()),
    ] {
        let program = installed.link(&object, &installed.flags(package)?)?;
        expect(&succeed(&mut installed.run(&program))?, expected)?;
    }
    for language in [["-xc", "-std=c99"], ["-xc++", "-Wold-style-cast"]] {
        let mut gcc = Command::new("gcc");
        gcc.args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-fsyntax-only"]);
        gcc.args(language).args(installed.flags("arr")?);
        succeed(gcc.arg("-include").arg(installed.prefix("include/arr.h")).arg("/dev/null"))?;
    }
    Ok(())
}

/// The linker names the version that is missing, and so does arrc.
fn other_static() -> Result<(), Failed> {
    let installed = Installed::new()?;
    let old = of_another_version(&installed, &installed.object()?, "old.o")?;
    for package in ["arr-runtime", "arr-parallel", "arr"] {
        let refused = installed.link(&old, &installed.flags(package)?);
        let message = refused.err().ok_or("it links")?;
        expect(message.message().unwrap_or_default(), "arr_runtime_abi_0")?;
    }
    let mut build = Command::new(arrc());
    build.args(["build", "--exe"]).arg(source("sums.arr")).arg("--link").arg(&old);
    let refused = output(build.arg("-o").arg(installed.at("program")))?;
    expect(&String::from_utf8_lossy(&refused.stderr), "compiled by another version of arrc")
}

/// A program does not start with a library of another version, and the message names both.
fn other_shared() -> Result<(), Failed> {
    let installed = Installed::new()?;
    let program = installed.link(&installed.object()?, &installed.flags("arr")?)?;
    let needed = succeed(Command::new("readelf").args(["-d", "-V", "-W"]).arg(&program))?;
    expect(&needed, "[libarr.so.10]")?;
    expect(&needed, "ARR_10")?;
    let library = installed.prefix("lib/libarr.so.10");
    let other = installed.at("other.c");
    fs::write(&other, "int arr_version;\n")?;
    fs::write(installed.at("map"), "ARR_6 { global: arr_*; };\n")?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-shared", "-fPIC", "-Wl,-soname,libarr.so.10"]).arg(other).arg("-o").arg(&library);
    let script = format!("-Wl,--version-script={}", installed.at("map").display());
    succeed(gcc.arg(script))?;
    let started = output(&mut installed.run(&program))?;
    expect(&String::from_utf8_lossy(&started.stderr), "version `ARR_10' not found")?;
    fs::remove_file(library)?;
    let started = output(&mut installed.run(&program))?;
    expect(
        &String::from_utf8_lossy(&started.stderr),
        "libarr.so.10: cannot open shared object file",
    )
}

/// An object that refers to the runtime of another ABI.
fn of_another_version(installed: &Installed, object: &Path, name: &str) -> Result<PathBuf, Failed> {
    let old = installed.at(name);
    let mut objcopy = Command::new("objcopy");
    objcopy.arg("--redefine-sym=arr_runtime_abi_10=arr_runtime_abi_0");
    succeed(objcopy.arg(object).arg(&old))?;
    Ok(old)
}

/// The libraries define only symbols that begin with `arr_`. The shared one has those of the header, those that compiled code
/// calls, and the names of its version and of the pool.
fn symbols() -> Result<(), Failed> {
    const MARKS: [&str; 5] = [
        "ARR_10",
        "arr_runtime_abi_10",
        "arr_parallel_abi_10",
        "arr_parallel_for",
        "arr_parallel_threads",
    ];
    let installed = Installed::new()?;
    for library in ["libarr_runtime.a", "libarr_parallel.a", "libarr.so.10"] {
        let mut nm = Command::new("nm");
        nm.args(["--defined-only", "--extern-only"]);
        if library.contains(".so") {
            nm.arg("-D");
        }
        let listed = succeed(nm.arg(installed.prefix("lib").join(library)))?;
        let symbols = listed.lines().filter_map(|line| line.split(' ').nth(2));
        let names: BTreeSet<&str> =
            symbols.map(|name| name.split('@').next().unwrap_or(name)).collect();
        let wrong: Vec<_> =
            names.iter().filter(|name| !name.starts_with("arr_") && **name != "ARR_10").collect();
        if !wrong.is_empty() {
            return Err(format!("{library} defines {wrong:?}").into());
        }
        if library == "libarr.so.10" {
            let called = header::compiled_code_part();
            let is_called = |name: &str| called.contains(&format!("{name}("));
            let other = |name: &&&str| {
                let name = **name;
                !header::FUNCTIONS.contains(&name) && !is_called(name) && !MARKS.contains(&name)
            };
            let others: Vec<_> = names.iter().filter(other).collect();
            if !others.is_empty() {
                return Err(format!("{library} exports {others:?}").into());
            }
        }
        if library != "libarr_parallel.a" {
            let missing: Vec<_> =
                header::FUNCTIONS.iter().filter(|name| !names.contains(*name)).collect();
            if !missing.is_empty() {
                return Err(format!("{library} lacks {missing:?}").into());
            }
        }
    }
    Ok(())
}

/// The pool contains Rust's library, and links with all members of another library that contains it too.
fn beside_rust() -> Result<(), Failed> {
    const OTHER: &str = "use std::panic::catch_unwind;
        #[unsafe(no_mangle)]
        pub extern \"C\" fn other() -> i32 {
            catch_unwind(|| panic!(\"caught\")).map_or_else(|_| std::thread::spawn(|| 7).join().unwrap_or(0), |()| 0)
        }";
    const MAIN: &str = "#include \"sums.h\"
        int other(void);
        int main(void)
        {
            static double numbers[1000000];
            double sum = 0.0;
            arr_options options;
            arr_options_init(&options);
            options.threads = 2;
            options.grain = 1;
            arr_context *ctx = arr_context_new(&options);
            const int code = scaled_sum(ctx, &sum, arr_f64_1d_borrow(numbers, 1000000));
            arr_context_free(ctx);
            return code == ARR_OK && other() == 7 ? 0 : 1;
        }";
    let installed = Installed::new()?;
    let (library, main) = (installed.at("libother.a"), installed.at("main.c"));
    fs::write(installed.at("other.rs"), OTHER)?;
    fs::write(&main, MAIN)?;
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition=2024", "--crate-type=staticlib", "-o"]).arg(&library);
    succeed(rustc.arg(installed.at("other.rs")))?;
    let program = installed.at("program");
    let mut gcc = Command::new("gcc");
    gcc.arg("-I").arg(installed.folder.path()).arg(main).arg(installed.object()?);
    gcc.arg("-Wl,--whole-archive").arg(library).arg("-Wl,--no-whole-archive");
    succeed(gcc.args(installed.flags("arr-parallel")?).arg("-o").arg(&program))?;
    let run = output(&mut Command::new(program))?;
    if run.status.success() { Ok(()) } else { Err(format!("{run:?}").into()) }
}

/// A copy of the compiler alone runs programs, and makes libraries and executables.
fn alone() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let own = folder.path().join("arrc");
    // Another process writes the copy: a process that a test starts meanwhile would inherit the open file of this one, and a
    // program that is open for writing cannot be run.
    succeed(Command::new("cp").arg(arrc()).arg(&own))?;
    let build = |options: &[&str]| {
        let mut build = Command::new(&own);
        build.args(options).arg(source("sums.arr")).current_dir(folder.path());
        build
    };
    expect(&succeed(build(&["run"]).arg("[1,2,4]"))?, "14")?;
    for options in [&["build", "--exe"][..], &["build", "--lib=shared"], &["build", "--lib=static"]]
    {
        succeed(&mut build(options))?;
    }
    let program = folder.path().join("sums");
    expect(&succeed(Command::new(program).args(["scaled_sum", "[1,2,4]"]))?, "14")
}

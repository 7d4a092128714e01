//! Compiled programs as C sees them: NULL pointers, calls that `longjmp` leaves, names, and libraries that other tools
//! read.
//!
//! Invariant: each trial is a C program that checks itself, or a tool of the system that lists symbols or files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use arr_runtime::header;
use libtest_mimic::{Failed, Trial};

use crate::tools::{arrc, output, project, succeed};

/// Every warning is an error.
const WARNINGS: [&str; 6] =
    ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wcast-qual", "-Wconversion"];

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("abi::null_pointers", || run_c("null")),
        Trial::test("abi::arrays_with_strides", || run_c("strided")),
        Trial::test("abi::results_in_memory_of_the_caller", || run_c("into")),
        Trial::test("abi::calls_that_are_left", || run_c("left")),
        Trial::test("abi::names_of_parameters", || run_c("parameters")),
        Trial::test("abi::exported_symbols", exported_symbols),
        Trial::test("abi::a_shared_library_has_its_name", name_of_library),
        Trial::test("abi::a_shared_library_of_another_version", other_version),
        Trial::test("abi::the_runtime_alone", the_runtime_alone),
        Trial::test("abi::threads::objects", threads_of_objects),
        Trial::test("abi::forks", forks),
        Trial::test("abi::threads::library", threads_of_library),
    ];
    for compiler in ["gcc", "g++"] {
        let name = format!("abi::a_bad_plugin::{compiler}");
        trials.push(Trial::test(name, move || bad_plugin(compiler)));
    }
    trials
}

fn source(name: &str) -> PathBuf {
    project().join("tests/abi").join(name)
}

fn build(file: &Path, options: &[&str], output: &Path) -> Result<(), Failed> {
    succeed(Command::new(arrc()).arg("build").args(options).arg(file).arg("-o").arg(output))?;
    Ok(())
}

/// `NAME.c` with the static library of `NAME.arr`, plain and under valgrind.
fn run_c(name: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let library = folder.path().join(format!("lib{name}.a"));
    build(&source(&format!("{name}.arr")), &["--lib=static"], &library)?;
    let program = folder.path().join(name);
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c99", "-g"]).args(WARNINGS).arg("-I").arg(folder.path());
    gcc.arg(source(&format!("{name}.c"))).arg(library).args(["-lm", "-lpthread", "-o"]);
    succeed(gcc.arg(&program))?;
    succeed(&mut Command::new(&program))?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=all"]);
    succeed(valgrind.arg("--errors-for-leak-kinds=all").arg(program))?;
    Ok(())
}

/// A shared library exports the documented symbols, all of one version, and nothing else.
fn exported_symbols() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let library = folder.path().join("libnull.so");
    build(&source("null.arr"), &["--lib=shared"], &library)?;
    let listed = succeed(Command::new("nm").args(["-D", "--defined-only"]).arg(&library))?;
    let symbols = listed.lines().filter_map(|line| line.rsplit(' ').next());
    let found: BTreeSet<&str> = symbols.collect();
    let entries = ["positive", "positive_into", "total", "give"].map(functions);
    let runtime = header::FUNCTIONS.map(str::to_owned);
    let header = std::fs::read_to_string(folder.path().join("null.h"))?;
    let unique = header.lines().filter_map(|line| {
        let name = line.trim().strip_prefix("__asm__(\"")?.strip_suffix("\");")?;
        Some(functions(name))
    });
    let unique: Vec<String> = unique.flatten().collect();
    let expected = entries.concat().into_iter().chain(runtime).chain(unique);
    let expected = expected.chain(["arr_runtime_abi_10".to_owned()]);
    let expected: Vec<String> = expected.map(|name| format!("{name}@@ARR_10")).collect();
    let mut expected: BTreeSet<&str> = expected.iter().map(String::as_str).collect();
    expected.insert("ARR_10");
    let page = std::fs::read_to_string(project().join("docs/src/c.md"))?;
    for name in header::FUNCTIONS.iter().chain(&[
        "arr_runtime_abi_10",
        "NAME__uniform",
        "NAME__uniform_into",
    ]) {
        if !page.contains(name) && !header.contains(name) {
            return Err(format!("{name} is not documented").into());
        }
    }
    if found == expected { Ok(()) } else { Err(format!("{found:?}, not {expected:?}").into()) }
}

/// A function that the header declares, and the one for any signature.
fn functions(name: &str) -> [String; 2] {
    let uniform = match name.strip_suffix("_into") {
        Some(name) => format!("{name}__uniform_into"),
        None => format!("{name}__uniform"),
    };
    [name.to_owned(), uniform]
}

/// A program does not start with a library of its name whose interface has another version.
fn other_version() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    build(&source("twice.arr"), &["--lib=shared", "-O0"], &at("libtwice.so"))?;
    let program = at("main");
    let mut gcc = Command::new("gcc");
    gcc.arg("-I").arg(folder.path()).arg(source("main_of_twice.c")).arg(source("twice.c"));
    succeed(gcc.arg("-I").arg(folder.path()).arg(at("libtwice.so")).arg("-o").arg(&program))?;
    let run = || {
        let mut run = Command::new(&program);
        output(run.env("LD_LIBRARY_PATH", folder.path()))
    };
    let started = run()?;
    if !started.status.success() {
        return Err(format!("{started:?}").into());
    }
    std::fs::write(at("map"), "ARR_9 { global: *; };\n")?;
    std::fs::write(at("other.c"), "int arr_version;\n")?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-shared", "-fPIC", "-Wl,-soname,libtwice.so"]).arg(at("other.c"));
    gcc.arg(format!("-Wl,--version-script={}", at("map").display()));
    succeed(gcc.arg("-o").arg(at("libtwice.so")))?;
    let message = String::from_utf8_lossy(&run()?.stderr).into_owned();
    if message.contains("version `ARR_10' not found") { Ok(()) } else { Err(message.into()) }
}

/// A program finds the library by the name of its file, wherever it was made.
fn name_of_library() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let library = folder.path().join("libnormalize2.so.1");
    build(&project().join("examples/normalize2.arr"), &["--lib=shared"], &library)?;
    std::fs::rename(folder.path().join("normalize2.so.h"), folder.path().join("normalize2.h"))?;
    let program = folder.path().join("main");
    let mut gcc = Command::new("gcc");
    gcc.arg("-I").arg(folder.path()).arg(project().join("examples/c/normalize2.c")).arg(&library);
    succeed(gcc.args(["-lm", "-o"]).arg(&program))?;
    let moved = folder.path().join("elsewhere");
    std::fs::create_dir(&moved)?;
    std::fs::rename(&library, moved.join("libnormalize2.so.1"))?;
    succeed(Command::new(program).env("LD_LIBRARY_PATH", moved))?;
    Ok(())
}

/// `arrc runtime` writes the library that object files need, and little else.
fn the_runtime_alone() -> Result<(), Failed> {
    const LARGEST: u64 = 2 << 20;
    let folder = tempfile::tempdir()?;
    succeed(Command::new(arrc()).arg("runtime").current_dir(folder.path()))?;
    let library = folder.path().join("libarr_runtime.a");
    let bytes = std::fs::metadata(&library)?.len();
    if bytes > LARGEST {
        return Err(format!("the runtime has {bytes} bytes").into());
    }
    let object = folder.path().join("normalize2.o");
    build(&project().join("examples/normalize2.arr"), &[], &object)?;
    let program = folder.path().join("main");
    let mut gcc = Command::new("gcc");
    gcc.arg("-I").arg(folder.path()).arg(project().join("examples/c/normalize2.c"));
    succeed(gcc.args([&object, &library]).args(["-lm", "-lpthread", "-o"]).arg(&program))?;
    succeed(&mut Command::new(program))?;
    Ok(())
}

/// Object files use the pool of threads if it comes before the runtime on the command line. If it comes behind the
/// runtime, or is left out, there is no pool.
fn threads_of_objects() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    build(&source("threads.arr"), &[], &at("threads.o"))?;
    succeed(Command::new(arrc()).arg("runtime").arg("-o").arg(at("rt.a")))?;
    succeed(Command::new(arrc()).args(["runtime", "--parallel", "-o"]).arg(at("pool.a")))?;
    let orders: [(&[&str], &str); 3] =
        [(&["pool.a", "rt.a"], "pool"), (&["rt.a"], "none"), (&["rt.a", "pool.a"], "none")];
    for (libraries, expected) in orders {
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=c99", "-g"]).args(WARNINGS).arg("-I").arg(folder.path());
        gcc.arg(source("threads.c"))
            .arg(at("threads.o"))
            .args(libraries.iter().map(|name| at(name)));
        succeed(gcc.args(["-lm", "-lpthread", "-o"]).arg(at("main")))?;
        succeed(Command::new(at("main")).arg(expected))?;
    }
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=99", "--leak-check=full"]);
    // Otherwise the thread that cancels a long call waits for minutes until valgrind runs it.
    valgrind.args(["--fair-sched=yes", "--errors-for-leak-kinds=definite"]);
    succeed(valgrind.arg(at("main")).arg("none"))?;
    Ok(())
}

/// Children of a process whose other threads use the pool have pools of their own.
fn forks() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    build(&source("threads.arr"), &[], &at("threads.o"))?;
    succeed(Command::new(arrc()).arg("runtime").arg("-o").arg(at("rt.a")))?;
    succeed(Command::new(arrc()).args(["runtime", "--parallel", "-o"]).arg(at("pool.a")))?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c11", "-g"]).args(WARNINGS).arg("-I").arg(folder.path());
    gcc.arg(source("forks.c")).args(["threads.o", "pool.a", "rt.a"].map(at));
    succeed(gcc.args(["-lm", "-lpthread", "-o"]).arg(at("forks")))?;
    succeed(&mut Command::new(at("forks")))?;
    Ok(())
}

/// A shared library has a pool of threads inside.
fn threads_of_library() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let library = folder.path().join("libthreads.so");
    build(&source("threads.arr"), &["--lib=shared"], &library)?;
    let program = folder.path().join("main");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c99", "-g"]).args(WARNINGS).arg("-I").arg(folder.path());
    gcc.arg(source("threads.c")).arg(&library).args(["-lpthread", "-o"]).arg(&program);
    succeed(&mut gcc)?;
    succeed(Command::new(program).arg("pool").env("LD_LIBRARY_PATH", folder.path()))?;
    Ok(())
}

/// A linker plugin of another version of LLVM claims objects with bitcode and then finds no symbols in them. The static
/// library can nevertheless be read, written, indexed and linked.
fn bad_plugin(compiler: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    succeed(
        Command::new("gcc")
            .args(["-shared", "-fPIC", "-o"])
            .arg(at("bad.so"))
            .arg(source("plugin.c")),
    )?;
    let plugin = at("bad.so").display().to_string();
    // An external with bitcode beside its machine code, which the plugin claims.
    let mut clang = Command::new("clang-22");
    clang.args(["-fembed-bitcode=all", "-fPIC", "-c"]).arg(source("twice.c"));
    succeed(clang.arg("-o").arg(at("twice.o")))?;
    let index =
        |archive: &Path| succeed(Command::new("nm").args(["--plugin", &plugin, "-s"]).arg(archive));
    let mut ar = Command::new("ar");
    succeed(ar.args(["rcs", "--plugin", &plugin]).arg(at("lost.a")).arg(at("twice.o")))?;
    if index(&at("lost.a"))?.contains("twice_of in") {
        return Err("the plugin is not bad enough".into());
    }
    let library = at("libtwice.a");
    let link = format!("--link={}", at("twice.o").display());
    build(&source("twice.arr"), &["--lib=static", &link], &library)?;
    succeed(Command::new("ranlib").args(["--plugin", &plugin]).arg(&library))?;
    for name in ["twice in", "twice_of in", "arr_rt_enter in", "arr_context_new in"] {
        if !index(&library)?.contains(name) {
            return Err(format!("ranlib lost `{name}`").into());
        }
    }
    let parts = at("parts");
    std::fs::create_dir(&parts)?;
    let mut ar = Command::new("ar");
    succeed(ar.args(["x", "--plugin", &plugin]).arg(&library).current_dir(&parts))?;
    let mut again = Command::new("ar");
    again.args(["rcs", "--plugin", &plugin]).arg(at("libagain.a"));
    for part in std::fs::read_dir(&parts)? {
        again.arg(part?.path());
    }
    succeed(&mut again)?;
    for library in [library, at("libagain.a")] {
        let mut link = Command::new(compiler);
        link.args(WARNINGS).arg("-fuse-ld=bfd").arg("-Wl,-plugin").arg(format!("-Wl,{plugin}"));
        link.arg("-I").arg(folder.path()).args(["-x", if compiler == "g++" { "c++" } else { "c" }]);
        link.arg(source("main_of_twice.c")).args(["-x", "none"]).arg(library);
        succeed(link.args(["-lm", "-lpthread", "-o"]).arg(at("main")))?;
        succeed(&mut Command::new(at("main")))?;
    }
    Ok(())
}

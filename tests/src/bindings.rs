//! Entries in C++ and Rust: the examples as users build them, and programs with names and values of every kind.
//!
//! Invariant: every warning of a compiler is an error.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;

use crate::docs::named_blocks;
use crate::examples::runtime;
use crate::tools::{arrc, built, files, project, read, stem, succeed};

/// Compilers of C++ with the standards that the header is for; the last one has `std::mdspan`.
const COMPILERS: [&[&str]; 4] = [
    &["g++", "-std=c++17"],
    &["g++", "-std=c++20"],
    &["clang++-22", "-std=c++17"],
    &["clang++-22", "-std=c++23", "-stdlib=libc++"],
];
/// What both languages are checked with.
const WARNINGS: [&str; 7] =
    ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion"];
/// The same for C++ alone.
const CASTS: &str = "-Wold-style-cast";
/// Compilers that headers are included by, with a standard that they are for.
const READERS: [[&str; 2]; 8] = [
    ["gcc", "-std=c99"],
    ["clang-22", "-std=c99"],
    ["gcc", "-std=c17"],
    ["clang-22", "-std=c17"],
    ["g++", "-std=c++17"],
    ["clang++-22", "-std=c++17"],
    ["g++", "-std=c++20"],
    ["clang++-22", "-std=c++20"],
];

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for compiler in COMPILERS {
        let name = compiler.join("");
        trials.push(Trial::test(format!("bindings::cpp::example::{name}"), move || {
            let source = project().join("examples/cpp/matmul.cpp");
            let programs = ["examples/matmul.arr", "examples/normalize2.arr"];
            cpp(compiler, &source, &programs.map(|program| project().join(program)))
        }));
        trials.push(Trial::test(format!("bindings::cpp::odd::{name}"), move || {
            let source = project().join("tests/bindings/main.cpp");
            cpp(compiler, &source, &[project().join("tests/bindings/odd.arr")])
        }));
    }
    trials.push(Trial::test("bindings::headers_without_warnings", headers));
    trials.push(Trial::test("bindings::rust::odd", odd_rust));
    trials.push(Trial::test("bindings::page_of_cpp", page_of_cpp));
    trials.push(Trial::test("bindings::page_of_rust", page_of_rust));
    trials.push(Trial::test("bindings::rust::example", || {
        let program = example()?;
        succeed(&mut Command::new(&program))?;
        valgrind(&program)
    }));
    trials
}

/// A program in C++ with the objects of programs in Arr, plain and under valgrind.
fn cpp(compiler: &[&str], source: &Path, programs: &[PathBuf]) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("main");
    let mut build = Command::new(compiler[0]);
    build
        .args(&compiler[1..])
        .args(WARNINGS)
        .args([CASTS, "-g", "-I"])
        .arg(folder.path())
        .arg(source);
    for file in programs {
        let object = folder.path().join(file.with_extension("o").file_name().unwrap_or_default());
        succeed(
            Command::new(arrc()).args(["build", "--bindings=cpp"]).arg(file).arg("-o").arg(&object),
        )?;
        build.arg(object);
    }
    build.arg(runtime(folder.path())?).args(["-lm", "-lpthread", "-o"]).arg(&program);
    succeed(&mut build)?;
    succeed(&mut Command::new(&program))?;
    valgrind(&program)
}

/// The headers of programs with entries of every kind, all in one file. Their functions are called by the other trials.
fn headers() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let folders = ["tests/bindings", "tests/abi"].map(|folder| project().join(folder));
    let mut texts = [String::new(), String::new()];
    for file in folders.iter().flat_map(|folder| files(folder, "arr")) {
        let name = stem(&file);
        let mut build = Command::new(arrc());
        build.args(["build", "-O0", "--bindings=cpp", "--prefix", &format!("{name}_"), "-o"]);
        succeed(build.arg(folder.path().join(format!("{name}.o"))).arg(&file))?;
        for (text, ending) in texts.iter_mut().zip(["h", "hpp"]) {
            text.push_str(&format!("#include \"{name}.{ending}\"\n"));
        }
    }
    for [compiler, standard] in READERS {
        let is_cpp = standard.contains("++");
        let source = folder.path().join(if is_cpp { "all.cpp" } else { "all.c" });
        fs::write(&source, &texts[usize::from(is_cpp)])?;
        let mut read = Command::new(compiler);
        read.args([standard, "-fsyntax-only"]).args(WARNINGS).args(is_cpp.then_some(CASTS));
        succeed(read.arg(source))?;
    }
    Ok(())
}

fn valgrind(program: &Path) -> Result<(), Failed> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=99", "--leak-check=full"]);
    succeed(valgrind.arg("--errors-for-leak-kinds=definite").arg(program))?;
    Ok(())
}

/// The documentation of an entry.
const LINKED: &str = r##"    #[doc = "Lists, links and code of the text are no concern of `cargo doc`:"]
    #[doc = "- [n] is a size, <xs> no tag, and https://example.org no link;"]
    #[doc = "a line that goes on"]
    #[doc = "* and another list"]
    #[doc = "```text"]
    #[doc = "linked [1] [2]"]
    #[doc = "```"]
    #[doc = "~~~text"]
    #[doc = "not rust"]
    #[doc = "~~~"]
    #[doc = ""]
    #[doc = "`linked [n] (xs: [n]i64) (ys: [n]i64): i64`"]
    #[doc = ""]
    #[doc = "# Sizes"]
    #[doc = "- `n` is the length of `xs`, the length of `ys`"]
    #[doc = ""]
    #[doc = "# Errors"]
    #[doc = "- [`Code::Index`]: An index lies outside its array."]
    #[doc = "- [`Code::Division`]: An integer was divided by zero."]
    #[doc = "- [`Code::Shape`]: Two sizes that have to be equal differ, or there is no room for a result."]
    #[doc = "- as every call: [`Code::Size`], [`Code::Memory`], [`Code::Cancelled`]"]
    pub fn linked<'a>"##;
/// The documentation of a sum.
const ROOT: &str = r##"    #[doc = "`root (x: f64): #none | #some f64`"]
    #[doc = ""]
    #[doc = "# Tags"]
    #[doc = "- result 0: 0 is `#none`, 1 is `#some`"]
"##;

fn odd_rust() -> Result<(), Failed> {
    let sources = project().join("tests/bindings");
    let folder = rust(&sources.join("odd.arr"), &sources.join("main.rs"))?;
    let module = read(&folder.path().join("odd.rs"))?;
    let missing = [LINKED, ROOT].into_iter().find(|part| !module.contains(part));
    missing.map_or(Ok(()), |part| Err(format!("the module lacks\n{part}").into()))
}

/// A module without cargo, and the folder that it is in.
fn rust(program: &Path, source: &Path) -> Result<TempDir, Failed> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    let stem = stem(program);
    let mut build = Command::new(arrc());
    build.args(["build", "--lib=static-parallel", "--bindings=rust", "-o"]);
    succeed(build.arg(at(&format!("lib{stem}.a"))).arg(program))?;
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition=2024", "-Dwarnings", &format!("-lstatic={stem}"), "-lm", "-L"]);
    rustc.arg(folder.path()).arg(source).arg("-o").arg(at("main"));
    succeed(rustc.env("OUT_DIR", folder.path()))?;
    succeed(&mut Command::new(at("main")))?;
    valgrind(&at("main"))?;
    documented(folder.path(), &stem)?;
    Ok(folder)
}

/// A library that shows the module: every item has documentation, and neither clippy nor rustdoc has a warning. No text of
/// the program is a test.
fn documented(folder: &Path, stem: &str) -> Result<(), Failed> {
    let library = folder.join("library.rs");
    let text = format!(
        "//! A library.\n#![warn(missing_docs)]\n/// Its module.\npub mod module {{\n    \
         include!(concat!(env!(\"OUT_DIR\"), \"/{stem}.rs\"));\n}}\n"
    );
    fs::write(&library, text)?;
    let tool = |name: &str, edition: u32, options: &[&str]| {
        let mut tool = Command::new(name);
        tool.arg(format!("--edition={edition}"))
            .arg("--crate-type=lib")
            .args(options)
            .arg(&library);
        succeed(tool.env("OUT_DIR", folder).current_dir(folder))
    };
    for edition in [2021, 2024] {
        tool("clippy-driver", edition, &["-Dwarnings", "--emit=metadata"])?;
    }
    tool("rustdoc", 2024, &["-Dwarnings", "-o", "pages"])?;
    let tested = tool("rustdoc", 2024, &["--test"])?;
    if tested.contains("running 0 tests") { Ok(()) } else { Err(tested.into()) }
}

fn page_of_cpp() -> Result<(), Failed> {
    let files = files_of("docs/src/cpp.md")?;
    cpp(COMPILERS[0], &files.path().join("main.cpp"), &[files.path().join("dot.arr")])
}

fn page_of_rust() -> Result<(), Failed> {
    let files = files_of("docs/src/rust.md")?;
    rust(&files.path().join("dot.arr"), &files.path().join("main.rs")).map(|_| ())
}

/// A folder with the files of a page.
fn files_of(page: &str) -> Result<TempDir, Failed> {
    let folder = tempfile::tempdir()?;
    for (name, text) in named_blocks(&read(&project().join(page))?) {
        fs::write(folder.path().join(name), text)?;
    }
    Ok(folder)
}

/// The example in Rust as a user builds it. `ndarray` comes from the package index, once.
fn example() -> Result<PathBuf, Failed> {
    let target = built("bindings");
    for (command, warnings) in [("build", &[][..]), ("clippy", &["--", "-Dwarnings"][..])] {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args([command, "--locked", "--quiet", "--manifest-path"]);
        cargo.arg(project().join("examples/rust/Cargo.toml")).arg("--target-dir").arg(&target);
        cargo.args(warnings).env("ARRC", arrc()).env("RUSTFLAGS", "-Dwarnings");
        succeed(cargo.env_remove("RUSTC_WORKSPACE_WRAPPER"))?;
    }
    let told = rerun_lines(&target.join("debug/build"))?;
    if !told.contains("cargo::rerun-if-changed=../matmul.arr\n") {
        return Err(format!("the build script tells cargo only:\n{told}").into());
    }
    Ok(target.join("debug/arr_example"))
}

/// The lines that build scripts printed for cargo.
fn rerun_lines(folder: &Path) -> Result<String, Failed> {
    let mut text = String::new();
    for entry in fs::read_dir(folder)? {
        let told = entry?.path().join("output");
        if told.is_file() {
            text.push_str(&fs::read_to_string(told)?);
        }
    }
    Ok(text)
}

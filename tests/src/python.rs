//! The Python package, with NumPy: the tests in `compiler/python/tests`, and the examples of its page of the book.
//!
//! Invariant: NumPy comes from the package index, once, into `target/python`; nothing else is written outside of
//! temporary folders. The extension is the one that cargo has built. `scripts/wheel` makes wheels, and is tested at
//! night.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;

use crate::docs::named_blocks;
use crate::tools::{arrc, built, files, output, project, read, stem, succeed};

/// What the tests need from the package index.
const QUICK: &[&str] =
    &["dask[array]>=2025.1", "futhark-data>=1.0.3", "futhark-server>=1.0.1", "numpy>=1.26,<3"];
/// The additional packages of the nightly tests.
const ALL: &[&str] = &[
    "distributed>=2025.1",
    "ipykernel>=6",
    "ipython>=8",
    "matplotlib>=3.9",
    "nbconvert>=7",
    "numba>=0.61",
    "pandas>=2.2",
    "polars>=1.20",
    "pyarrow>=18",
    "selenium>=4.15",
];

/// The pages with examples behind `>>>`.
const PAGES: [&str; 4] =
    ["README.md", "docs/src/python.md", "docs/src/from-numpy.md", "docs/src/from-numba.md"];

/// One trial for each file of tests, and one for each page with examples.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let all = env::var_os("ARR_TESTS").is_some_and(|value| value == "all");
    let tests =
        files(&project().join("compiler/python/tests"), "py").into_iter().map(|file| stem(&file));
    let tests = tests.filter(|name| name.starts_with("test_"));
    // Files with this prefix need the packages of the nightly tests.
    let tests = tests.filter(|name| all || !name.starts_with("test_with_"));
    let tests = tests.map(move |name| {
        Trial::test(format!("python::{name}"), move || {
            run(&["-m", "unittest", &name], &tests_folder(), all)
        })
    });
    let pages = PAGES.map(|page| {
        Trial::test(format!("python::examples_of_{}", stem(Path::new(page))), move || {
            examples(page, all)
        })
    });
    let packages = [
        Trial::test("python::a_package_without_arrc", a_package),
        Trial::test("python::a_package_with_externals", externals),
    ];
    let nightly = [
        ("a_notebook", notebook as fn() -> _),
        ("the_wheel", wheel),
        ("the_free_threaded_wheel", free_threaded_wheel),
    ];
    let nightly = all.then_some(nightly).into_iter().flatten();
    let nightly = nightly.map(|(name, test)| Trial::test(format!("python::{name}"), test));
    tests.chain(pages).chain(packages).chain(nightly).collect()
}

fn tests_folder() -> PathBuf {
    project().join("compiler/python/tests")
}

/// Runs Python with the package and the packages that it needs.
fn run(arguments: &[&str], folder: &Path, all: bool) -> Result<(), Failed> {
    let python = environment(if all { "all" } else { "quick" }, all)?;
    let package = package()?;
    let cache = tempfile::tempdir()?;
    let mut command = Command::new(python);
    command.args(arguments).current_dir(folder).env("ARRC_CACHE", cache.path());
    command.env("PYTHONPATH", env::join_paths([package, tests_folder()])?);
    succeed(command.env("PYTHONDONTWRITEBYTECODE", "1").env("NO_COLOR", "1"))?;
    Ok(())
}

/// Runs the notebook of the examples, and checks the output of its cells: results, a picture, and errors of two kinds.
fn notebook() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let output = folder.path().to_string_lossy();
    let options = ["-m", "nbconvert", "--to=html", "--execute", "--output-dir", &*output];
    run(&[&options[..], &["hull.ipynb"]].concat(), &project().join("examples/python"), true)?;
    let page = read(&folder.path().join("hull.html"))?;
    let shown = [
        "33961",
        "&lt;arrc.Module &lt;cell&gt;: hull&gt;",
        "data:image/png;base64,",
        "hull : ∀n. ∃k.",
        "A0302",
        "`lenght` is not defined",
        "xs has size 33961 but ys has size 33960; they must be equal",
    ];
    let missing: Vec<&str> = shown.into_iter().filter(|text| !page.contains(text)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("{missing:?} are not shown").into()) }
}

/// Runs the examples behind `>>>` on a page.
fn examples(page: &str, all: bool) -> Result<(), Failed> {
    let folder = page_with_files(page)?;
    run(&DOCTEST, folder.path(), all)
}

/// The arguments that run the examples of a page in its folder.
const DOCTEST: [&str; 5] = ["-m", "doctest", "-o", "ELLIPSIS", "page.md"];

/// A folder with a page, for `doctest`, and the files that its examples name.
fn page_with_files(page: &str) -> Result<TempDir, Failed> {
    let folder = tempfile::tempdir()?;
    let page = project().join(page);
    let text = read(&page)?;
    symlink(project().join("examples"), folder.path().join("examples"))?;
    for (name, text) in named_blocks(&text) {
        fs::write(folder.path().join(name), text)?;
    }
    // The end of a block would count as output of an example.
    let text: String = text
        .lines()
        .map(|line| if line.starts_with("```") { "\n" } else { line })
        .flat_map(|line| [line, "\n"])
        .collect();
    fs::write(folder.path().join("page.md"), text)?;
    Ok(folder)
}

/// The Python of a virtual environment with the packages that the tests need. It is made when it is first asked for.
pub(crate) fn environment(name: &str, all: bool) -> Result<PathBuf, Failed> {
    static MAKING: Mutex<()> = Mutex::new(());
    let _making = MAKING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = built("python").join(name);
    let python = folder.join("bin/python");
    let wanted = if all { [QUICK, ALL].concat() } else { QUICK.to_vec() };
    let (stamp, text) = (folder.join("installed.txt"), wanted.join("\n"));
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == text) {
        return Ok(python);
    }
    succeed(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet"]);
    succeed(pip.arg("--only-binary=:all:").args(wanted))?;
    fs::write(stamp, text)?;
    Ok(python)
}

/// A folder with the package: its Python files, and the extension as cargo has built it.
fn package() -> Result<PathBuf, Failed> {
    static MADE: Mutex<Option<PathBuf>> = Mutex::new(None);
    let mut made = MADE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(folder) = &*made {
        return Ok(folder.clone());
    }
    let extension = built("libarrc_python.so");
    if !extension.is_file() {
        return Err(
            format!("{} is missing: run `cargo build --workspace`", extension.display()).into()
        );
    }
    let folder = built("python").join("package");
    let package = folder.join("arrc");
    let _ = fs::remove_dir_all(&package);
    fs::create_dir_all(&package)?;
    let sources = project().join("compiler/python/python/arrc");
    for file in ["py", "pyi", "typed"].iter().flat_map(|of| files(&sources, of)) {
        symlink(&file, package.join(file.file_name().expect("a file has a name")))?;
    }
    symlink(extension, package.join("_arrc.abi3.so"))?;
    *made = Some(folder.clone());
    Ok(folder)
}

/// Compiles programs into a wheel, installs it, and runs the tests of packages where there is no arrc and no compiler.
fn a_package() -> Result<(), Failed> {
    let python = environment("quick", false)?;
    let folder = tempfile::tempdir()?;
    let (site, tests) = (folder.path().join("site"), tests_folder());
    let programs = read(&tests.join("programs.arr"))? + &read(&tests.join("scalars.arr"))?;
    fs::write(folder.path().join("programs.arr"), programs)?;
    let mut build = Command::new(arrc());
    build.args(["build", "--python", "--package-version=1.2.0rc1", "programs.arr"]);
    succeed(build.current_dir(folder.path()))?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index"]);
    pip.args(["--no-deps", "--target"]).arg(&site).args(files(folder.path(), "whl"));
    succeed(&mut pip)?;
    for file in fs::read_dir(folder.path().join("programs"))? {
        let file = file?;
        if fs::read(file.path())? != fs::read(site.join("programs").join(file.file_name()))? {
            return Err(format!("{:?} differs in the wheel", file.file_name()).into());
        }
    }
    let mut command = Command::new(&python);
    command.args(["-m", "unittest", "test_package"]).current_dir(tests.join("package"));
    command.env("PYTHONPATH", site).env("PATH", "").env("CC", "no-compiler");
    succeed(command.env("PYTHONDONTWRITEBYTECODE", "1"))?;
    Ok(())
}

/// A package may have functions of C. All of them are linked.
fn externals() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let sources = project().join("tests/abi");
    let build = || {
        let mut build = Command::new(arrc());
        build.args(["build", "--python", "-o"]).arg(folder.path()).arg(sources.join("twice.arr"));
        build
    };
    let missing = output(&mut build())?;
    if !String::from_utf8_lossy(&missing.stderr).contains("A0613") {
        return Err(format!("{missing:?}").into());
    }
    succeed(build().arg("--link").arg(sources.join("twice.c")))?;
    let mut python = Command::new(environment("quick", false)?);
    python.env("PYTHONPATH", folder.path()).env("PYTHONDONTWRITEBYTECODE", "1");
    succeed(python.args(["-c", "import twice; assert list(twice.twice([21])) == [42]"]))?;
    Ok(())
}

/// Makes the wheel, and runs the tests with it in an environment that has nothing else: no compiler, no LLVM.
fn wheel() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let wheels = wheels(&mut Command::new(project().join("scripts/wheel")), folder.path())?;
    let [wheel] = wheels.as_slice() else { return Err(format!("{wheels:?} were made").into()) };
    works(&installed("python3".as_ref(), wheel, folder.path())?)
}

/// The same for the wheel of a free-threaded CPython, which has to stay without its lock.
fn free_threaded_wheel() -> Result<(), Failed> {
    let base = built("python").join("free-threaded");
    succeed(Command::new(project().join("scripts/free-threaded")).arg(&base))?;
    let base = base.join("bin/python3.14t");
    let folder = tempfile::tempdir()?;
    let mut make = Command::new(project().join("scripts/wheel"));
    let wheels = wheels(make.arg("--free-threaded").arg(&base), folder.path())?;
    let own = wheels.iter().find(|wheel| stem(wheel).contains("-cp314-cp314t-"));
    let (Some(wheel), [_, _]) = (own, wheels.as_slice()) else {
        return Err(format!("{wheels:?} were made").into());
    };
    let python = installed(&base, wheel, folder.path())?;
    let unlocked = "import sys, arrc; assert not sys._is_gil_enabled()";
    succeed(Command::new(&python).args(["-W", "error", "-c", unlocked]))?;
    works(&python)
}

/// Makes wheels in a folder. Both wheels use the same output file of cargo, so they are made one after the other.
fn wheels(make: &mut Command, folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    static MAKING: Mutex<()> = Mutex::new(());
    let _making = MAKING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    succeed(make.arg(folder))?;
    Ok(files(folder, "whl"))
}

/// The Python of a fresh environment with a wheel and its dependencies.
fn installed(base: &Path, wheel: &Path, folder: &Path) -> Result<PathBuf, Failed> {
    let fresh = folder.join("fresh");
    succeed(Command::new(base).args(["-m", "venv"]).arg(&fresh))?;
    let python = fresh.join("bin/python");
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet"]);
    succeed(pip.arg("--only-binary=:all:").arg(wheel))?;
    Ok(python)
}

/// Runs tests, the examples of the README and the measurement of calls with an environment's Python.
fn works(python: &Path) -> Result<(), Failed> {
    let cache = tempfile::tempdir()?;
    let python = |folder: &Path| {
        let mut command = Command::new(python);
        command.current_dir(folder).env("ARRC_CACHE", cache.path());
        command.env("PYTHONDONTWRITEBYTECODE", "1").env("NO_COLOR", "1");
        command
    };
    for test in ["test_calls", "test_errors", "test_module", "test_threads", "test_link"] {
        let mut command = python(&tests_folder());
        // `test_link` needs a C compiler.
        if test != "test_link" {
            command.env("PATH", "");
        }
        succeed(command.args(["-m", "unittest", test]))?;
    }
    let folder = page_with_files("README.md")?;
    succeed(python(folder.path()).args(DOCTEST).env("PATH", ""))?;
    succeed(python(&tests_folder()).arg("speed.py"))?;
    Ok(())
}

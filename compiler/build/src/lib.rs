//! Arr programs as modules of a Rust crate, compiled by its build script.
//!
//! The crate runs the `arrc` that is in `PATH`, or that the variable `ARRC` names. Both have the same version: `arrc install`
//! puts this crate into `share/arrc/arrc-build`.
//!
//! Invariant: cargo builds again when the program, a file that it imports, or the compiler changes. The linked
//! library contains the runtime and the pool of threads, and does not need arrc any more. Each module of a crate has a name
//! of its own.
//!
//! ```no_run
//! // build.rs
//! arrc_build::Build::new("src/dot.arr").compile();
//! ```
//!
//! ```text
//! // src/main.rs
//! mod dot {
//!     include!(concat!(env!("OUT_DIR"), "/dot.rs"));
//! }
//!
//! let mut context = dot::Context::new()?;
//! let sum: f64 = context.dot(&[1.0, 2.0], &[3.0, 4.0])?;
//! ```
//!
//! Entries are functions of `Context`. Arguments that are arrays are slices, `View`s, or views of `ndarray`. Results
//! are `Array`s, which free their memory when they are dropped. A call that fails gives an `Error` with its `Code`.
//! Records, tuples and sums are passed as their components, as in C.

mod compiler;

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::{Mutex, PoisonError};

/// Conversions from and to arrays of `ndarray`, which are appended to the module that arrc writes.
const NDARRAY: &str = include_str!("ndarray.rs.in");

/// The names of the modules that this build script has written, each with its program.
static WRITTEN: Mutex<Vec<(String, Build)>> = Mutex::new(Vec::new());

/// A program to compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Build {
    file: PathBuf,
    name: Option<String>,
    options: Vec<String>,
    is_parallel: bool,
    has_ndarray: bool,
}

impl Build {
    /// The program in a file, whose path is relative to the crate's folder.
    #[must_use]
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self {
            file: file.into(),
            name: None,
            options: Vec::new(),
            is_parallel: true,
            has_ndarray: false,
        }
    }

    /// The name of the module, which is written to `NAME.rs`. The default is the name of the file without `.arr`.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Whether to link the pool of threads; the default is yes. Without it, calls run in one thread.
    #[must_use]
    pub fn parallel(mut self, is_parallel: bool) -> Self {
        self.is_parallel = is_parallel;
        self
    }

    /// Whether views of `ndarray` can be arguments, and results can be converted to arrays of `ndarray`. The crate
    /// has to depend on `ndarray`.
    #[must_use]
    pub fn ndarray(mut self, has_ndarray: bool) -> Self {
        self.has_ndarray = has_ndarray;
        self
    }

    /// Adds an option of `arrc build`, such as `--target-cpu=native` or `--link=median.c`.
    #[must_use]
    pub fn option(mut self, option: impl Into<String>) -> Self {
        self.options.push(option.into());
        self
    }

    /// Compiles the program, and tells cargo what to link. Ends the build script with the diagnostics if that fails.
    pub fn compile(&self) {
        if let Err(problem) = self.try_compile() {
            eprintln!("{problem}");
            process::exit(1);
        }
    }

    /// Compiles the program, and tells cargo what to link.
    ///
    /// # Errors
    /// The diagnostics of arrc, or the reason for which it cannot be run; or that another program has a module of this name.
    pub fn try_compile(&self) -> Result<(), String> {
        let folder = PathBuf::from(variable("OUT_DIR")?);
        let stem = self.module_name();
        self.claim(&stem)?;
        // Each crate has a folder, but the linker looks for a library in the folders of all crates.
        let library = format!("arr_{}_{stem}", variable("CARGO_PKG_NAME")?);
        let output = folder.join(format!("lib{library}.a"));
        let depfile = folder.join(format!("{stem}.d"));
        self.run(&output, &depfile)?;
        self.module(&folder, &library, &stem)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let rule = fs::read_to_string(&depfile)
            .map_err(|error| format!("{}: {error}", depfile.display()))?;
        for file in dependencies(&rule) {
            println!("cargo::rerun-if-changed={file}");
        }
        println!("cargo::rustc-link-search=native={}", folder.display());
        println!("cargo::rustc-link-lib=static={library}");
        for library in ["m", "pthread", "dl"] {
            println!("cargo::rustc-link-lib={library}");
        }
        Ok(())
    }

    fn module_name(&self) -> String {
        let stem = || self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.name.clone().unwrap_or_else(stem)
    }

    /// Notes that the module is written by this program; an error if it is written by another one.
    fn claim(&self, name: &str) -> Result<(), String> {
        let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
        let other = written.iter().find(|(taken, build)| taken == name && build != self);
        if let Some((_, other)) = other {
            return Err(format!(
                "`{}` and `{}` would both be written to `{name}.rs`: give one of them another name, \
                 as in `.name(\"{name}_2\")`",
                other.file.display(),
                self.file.display()
            ));
        }
        written.push((name.to_owned(), self.clone()));
        Ok(())
    }

    fn run(&self, output: &Path, depfile: &Path) -> Result<(), String> {
        let compiler = compiler::find()?;
        let mut arrc = Command::new(&compiler);
        arrc.arg("build").arg(&self.file).arg("-o").arg(output).arg("--depfile").arg(depfile);
        arrc.arg(if self.is_parallel { "--lib=static-parallel" } else { "--lib=static" });
        arrc.arg("--bindings=rust").args(&self.options);
        let target = variable("TARGET")?;
        if target != variable("HOST")? {
            arrc.arg("--target").arg(target);
        }
        let told = arrc.output().map_err(|error| compiler::not_run(&compiler, &error))?;
        let messages = String::from_utf8_lossy(&told.stderr);
        if !told.status.success() {
            return Err(messages.into_owned());
        }
        for line in messages.lines() {
            println!("cargo::warning={line}");
        }
        Ok(())
    }

    /// Writes the module to the place from which the crate includes it.
    fn module(&self, folder: &Path, library: &str, stem: &str) -> io::Result<()> {
        let mut text = fs::read_to_string(folder.join(format!("{library}.rs")))?;
        if self.has_ndarray {
            text.push_str(NDARRAY);
        }
        fs::write(folder.join(format!("{stem}.rs")), text)
    }
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name)
        .map_err(|error| format!("{name}: {error}; arrc-build runs in a build script of cargo"))
}

/// The files after the colon of a rule for make.
fn dependencies(rule: &str) -> Vec<String> {
    let files = rule.split_once(": ").map_or("", |(_, files)| files).trim_end();
    let (mut found, mut file, mut characters) =
        (Vec::new(), String::new(), files.chars().peekable());
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(&next @ (' ' | '#'))) | ('$', Some(&next @ '$')) => {
                file.push(next);
                characters.next();
            }
            (' ', _) => found.push(std::mem::take(&mut file)),
            _ => file.push(character),
        }
    }
    if !file.is_empty() {
        found.push(file);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Build, dependencies};

    #[test]
    fn modules_have_names_of_their_own() {
        let claim = |build: &Build| build.claim(&build.module_name());
        let [p, q] = ["p/one.arr", "q/one.arr"].map(Build::new);
        assert_eq!(claim(&p), Ok(()));
        assert_eq!(claim(&p), Ok(()));
        let told = claim(&q).expect_err("p/one.arr has the name");
        assert!(told.starts_with("`p/one.arr` and `q/one.arr` would both"), "{told}");
        assert!(claim(&p.clone().option("--prefix=my_")).is_err());
        assert_eq!(claim(&q.name("other")), Ok(()));
    }

    #[test]
    fn files_of_rules_are_read() {
        let files = dependencies("libarr_a.a: src/a.arr my\\ lib/b\\#1.arr c$$.arr\n");
        assert_eq!(files, ["src/a.arr", "my lib/b#1.arr", "c$.arr"]);
        assert!(dependencies("a:\n").is_empty());
    }
}

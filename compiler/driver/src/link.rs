//! Shared libraries and programs from object files, through the system's C toolchain.
//!
//! Invariant: every linked file contains exactly one runtime.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use arr_abi::function::VERSION;
use arr_abi::layout::SUFFIXES;
use arr_runtime::header;
use arr_runtime::text::reason;
use arrc_fusion::cnf::Type;
use arrc_llvm::Names;
use arrc_loops::concrete::Program;
use tempfile::TempDir;

use crate::cli::Sanitizer;
use crate::error::DriverError;
use crate::target::Target;

/// The system libraries that the runtime needs.
const SYSTEM_LIBRARIES: [&str; 3] = ["-lm", "-lpthread", "-ldl"];

/// Options that keep results small. The pool of threads needs Rust's library, and the linker removes the functions
/// that nothing calls.
const SMALL: [&str; 2] = ["-Wl,--gc-sections", "-Wl,--strip-debug"];

/// The C compiler of the LLVM inside, with its sanitizers. It compiles for every target.
const CLANG: &str = "clang-22";

/// A library that programs are linked with. The compiler contains it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Library {
    /// The functions that every program needs.
    Runtime,
    /// The pool of threads.
    Parallel,
    /// The main function of programs, with both.
    Program,
}

impl Library {
    fn stem(self) -> &'static str {
        match self {
            Self::Runtime => "arr_runtime",
            Self::Parallel => "arr_parallel",
            Self::Program => "arr_program",
        }
    }

    /// The name of the static library.
    pub(crate) fn file(self) -> String {
        format!("lib{}.a", self.stem())
    }

    /// The name of its only member.
    pub(crate) fn object(self) -> String {
        format!("{}.o", self.stem())
    }

    /// The object file.
    pub(crate) fn bytes(self, target: Target) -> &'static [u8] {
        let objects = target.objects();
        match self {
            Self::Runtime => objects.runtime,
            Self::Parallel => objects.parallel,
            Self::Program => objects.program,
        }
    }

    /// Writes the object file to a folder.
    fn place(self, target: Target, folder: &Path) -> Result<PathBuf, DriverError> {
        let path = folder.join(self.object());
        write(&path, self.bytes(target))?;
        Ok(path)
    }
}

/// The kind of process that loads a shared library.
#[derive(Clone, Copy)]
pub(crate) enum Host {
    /// This process, which lends its threads. The library must contain every function that is called, unless a sanitizer was
    /// loaded before the process began.
    ThisProcess(Option<Sanitizer>),
    /// Python, which defines no functions that the library calls. The library contains a pool of threads.
    Python,
    /// Any other process, on a machine of this target. It may define functions that the library calls. The library contains a
    /// pool of threads.
    Other(Target),
}

impl Host {
    fn target(self) -> Target {
        match self {
            Self::ThisProcess(_) | Self::Python => Target::own(),
            Self::Other(target) => target,
        }
    }
}

/// The names of entries that a shared library exports.
#[derive(Clone, Copy)]
pub(crate) struct Exports<'a> {
    /// The program.
    pub(crate) program: &'a Program,
    /// The names that its object defines.
    pub(crate) names: &'a Names,
    /// Whether the code has the lines of the source, which stay.
    pub(crate) has_lines: bool,
}

/// Makes `output` a shared library that exports the entries and the runtime's API.
pub(crate) fn shared(
    objects: &[PathBuf],
    entries: Exports<'_>,
    folder: &Path,
    output: &Path,
    host: Host,
) -> Result<(), DriverError> {
    let script = folder.join("exports.map");
    write(&script, exports(&entries).as_bytes())?;
    let target = host.target();
    let mut command = compiler(target, None);
    let sanitizer = if let Host::ThisProcess(sanitizer) = host { sanitizer } else { None };
    command
        .arg("-shared")
        .arg("-o")
        .arg(output)
        .args(objects)
        .arg(Library::Runtime.place(target, folder)?)
        .args(small(entries.has_lines || sanitizer.is_some()))
        .arg(format!("-Wl,--version-script={}", script.display()))
        .args(SYSTEM_LIBRARIES);
    if let Some(name) = output.file_name() {
        // Programs that link it find it by this name, wherever it was made.
        let mut soname = OsString::from("-Wl,-soname,");
        soname.push(name);
        command.arg(soname);
    }
    if matches!(host, Host::ThisProcess(None) | Host::Python) {
        command.arg("-Wl,-z,defs");
    }
    if !matches!(host, Host::ThisProcess(_)) {
        command.arg(Library::Parallel.place(target, folder)?);
    }
    run(command, target)
}

/// Makes `output` a shared library of the runtime and the pool of threads. Programs look for it by the name `soname`.
pub(crate) fn runtime(exports: &str, soname: &str, output: &Path) -> Result<(), DriverError> {
    let folder = temporary()?;
    let script = folder.path().join("exports.map");
    write(&script, exports.as_bytes())?;
    let target = Target::own();
    let mut command = compiler(target, None);
    command
        .args(["-shared", "-Wl,-z,defs"])
        .arg("-o")
        .arg(output)
        .arg(Library::Runtime.place(target, folder.path())?)
        .arg(Library::Parallel.place(target, folder.path())?)
        .arg(format!("-Wl,-soname,{soname}"))
        .arg(format!("-Wl,--version-script={}", script.display()))
        .args(SMALL)
        .args(SYSTEM_LIBRARIES);
    run(command, target)
}

/// A folder for temporary files.
pub(crate) fn temporary() -> Result<TempDir, DriverError> {
    tempfile::tempdir()
        .map_err(|error| DriverError::Unwritable { path: env::temp_dir(), reason: reason(&error) })
}

/// Makes `output` a program for the target, from an object file and the C text of its `main`.
pub(crate) fn executable(
    target: Target,
    objects: &[PathBuf],
    main: &str,
    folder: &Path,
    output: &Path,
    (sanitizer, has_lines): (Option<Sanitizer>, bool),
) -> Result<(), DriverError> {
    let source = folder.join("main.c");
    write(&source, main.as_bytes())?;
    let mut command = compiler(target, sanitizer);
    command
        .args(["-rdynamic", "-o"])
        .arg(output)
        .arg(source)
        .args(objects)
        .arg(Library::Program.place(target, folder)?)
        .args(small(has_lines || sanitizer.is_some()))
        .args(SYSTEM_LIBRARIES);
    run(command, target)
}

/// The options that keep results small. What a sanitizer finds is told with the lines of C sources, and debuggers need the lines of
/// Arr.
fn small(has_lines: bool) -> &'static [&'static str] {
    if has_lines { &SMALL[..1] } else { &SMALL }
}

/// The symbols that a shared library exports, with the version of the ABI. All other symbols are hidden. A program that was
/// linked with a library of another version does not start. Each name is defined, since LLVM's linker refuses others.
fn exports(entries: &Exports<'_>) -> String {
    let before = match entries.names {
        Names::Plain => vec![""],
        Names::Unique(before) => vec![&**before],
        Names::Both(before) => vec!["", &**before],
    };
    let mut text = format!("ARR_{VERSION} {{ global: {}; ", header::EXPORTED.join("; "));
    for entry in &entries.program.entries {
        let results = &entries.program.functions[entry.function].results;
        let kinds = if results.iter().any(Type::is_array) { 2 } else { 1 };
        for before in &before {
            let suffixes = SUFFIXES.iter().take(kinds).flatten();
            text.extend(suffixes.map(|suffix| format!("{before}{}{suffix}; ", entry.name)));
        }
    }
    text + "local: *; };\n"
}

/// The C compiler that the environment names, which has to be one for the target. Otherwise the system's, or clang and LLVM's
/// linker, which know every target. The libraries of sanitizers are those of the LLVM that has put their checks into the code.
pub(crate) fn compiler(target: Target, sanitizer: Option<Sanitizer>) -> Command {
    let mut command = match env::var_os("CC") {
        Some(named) => Command::new(named),
        None if !target.is_own() => {
            let mut clang = Command::new(CLANG);
            clang.arg(format!("--target={}", target.triple())).arg("-fuse-ld=lld");
            clang
        }
        None => Command::new(if sanitizer.is_some() { CLANG } else { "cc" }),
    };
    command.args(sanitizer.map(|sanitizer| format!("-fsanitize={}", sanitizer.name())));
    command
}

/// The library of AddressSanitizer. A process that loads it before all others can call functions with its checks.
pub(crate) fn address_sanitizer() -> Result<PathBuf, DriverError> {
    let file = format!("libclang_rt.asan-{}.so", env::consts::ARCH);
    let failed = |problem: String| DriverError::NoSanitizer { file: file.clone(), problem };
    let mut command = Command::new(CLANG);
    let output = command.arg(format!("-print-file-name={file}")).output();
    let output = output.map_err(|error| failed(format!("`{CLANG}`: {}", reason(&error))))?;
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    // A library that clang does not have is printed as it was given.
    if path.is_absolute() {
        Ok(path)
    } else {
        Err(failed(format!("`{CLANG}` has no such library")))
    }
}

fn run(mut command: Command, target: Target) -> Result<(), DriverError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |problem| DriverError::Link { program: program.clone(), target, problem };
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_string())),
        Err(error) => Err(failed(reason(&error))),
    }
}

/// Writes a file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), DriverError> {
    fs::write(path, bytes).map_err(|error| {
        let reason = if error.kind() == io::ErrorKind::NotFound {
            "there is no such folder".to_string()
        } else {
            reason(&error)
        };
        DriverError::Unwritable { path: path.to_path_buf(), reason }
    })
}

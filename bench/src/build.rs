//! Libraries of the programs: by arrc under a strategy, and by clang and gcc from the baselines in C.

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

use arr_runtime::host::Library;

/// A program in Arr, under a strategy.
pub(crate) fn strategy(
    program: &str,
    strategy: &str,
    folder: &Path,
) -> Result<Library, Box<dyn Error>> {
    let output = folder.join(format!("lib{program}_{strategy}.so"));
    let arrc = env::current_exe()?.with_file_name("arrc");
    run(Command::new(arrc)
        .args(["build", "--lib=shared", "--target-cpu=native"])
        .arg(format!("--fusion={strategy}"))
        .arg(source(program, "arr"))
        .arg("-o")
        .arg(&output))?;
    Ok(Library::open(&output)?)
}

/// A program in C, with buffers that it keeps from call to call.
pub(crate) fn baseline(program: &str, folder: &Path) -> Result<Library, Box<dyn Error>> {
    c("clang-22", program, &[], &folder.join(format!("lib{program}_c.so")))
}

/// The same, compiled by gcc.
pub(crate) fn gcc(program: &str, folder: &Path) -> Result<Library, Box<dyn Error>> {
    c("gcc", program, &[], &folder.join(format!("lib{program}_gcc.so")))
}

/// The same, whose shared loops run on that many threads by OpenMP.
pub(crate) fn openmp(
    program: &str,
    threads: usize,
    folder: &Path,
) -> Result<Library, Box<dyn Error>> {
    let output = folder.join(format!("lib{program}_c_{threads}.so"));
    let all = std::thread::available_parallelism()?.get();
    let threads = if threads == 0 { all } else { threads };
    c("clang-22", program, &["-fopenmp", &format!("-DTHREADS={threads}")], &output)
}

fn c(
    compiler: &str,
    program: &str,
    options: &[&str],
    output: &Path,
) -> Result<Library, Box<dyn Error>> {
    let folder = output.parent().ok_or("a library is in a folder")?;
    let runtime = folder.join("arr_runtime.o");
    std::fs::write(&runtime, arr_objects::own().runtime)?;
    run(Command::new(compiler)
        .args(["-O3", "-march=native", "-shared", "-fPIC"])
        .args(options)
        .arg(source(program, "c"))
        .arg(runtime)
        .args(["-lm", "-lpthread", "-o"])
        .arg(output))?;
    Ok(Library::open(output)?)
}

/// The program's text: beside the baselines, or among the examples if it is one.
fn source(program: &str, extension: &str) -> PathBuf {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = bench.join("programs").join(program).with_extension(extension);
    if own.exists() {
        own
    } else {
        bench.join("../examples").join(program).with_extension(extension)
    }
}

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let result = command.output()?;
    if result.status.success() {
        return Ok(());
    }
    Err(format!("{command:?} failed:\n{}", String::from_utf8_lossy(&result.stderr)).into())
}

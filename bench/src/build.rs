//! Libraries of the kernels: by arrc under a strategy, and by clang from the baseline in C.

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

use arr_runtime::host::Library;
use arr_runtime::locate;

use crate::kernels::Kernel;

/// The kernel in Arr, under a strategy.
pub(crate) fn strategy(
    kernel: &Kernel,
    strategy: &str,
    folder: &Path,
) -> Result<Library, Box<dyn Error>> {
    let output = folder.join(format!("lib{}_{strategy}.so", kernel.name));
    let arrc = env::current_exe()?.with_file_name("arrc");
    run(Command::new(arrc)
        .args(["build", "--lib=shared", "--target-cpu=native"])
        .arg(format!("--fusion={strategy}"))
        .arg(program(kernel, "arr"))
        .arg("-o")
        .arg(&output))?;
    Ok(Library::open(&output)?)
}

/// The kernel as a C programmer fuses it by hand, with buffers that it keeps from call to call.
pub(crate) fn baseline(kernel: &Kernel, folder: &Path) -> Result<Library, Box<dyn Error>> {
    let output = folder.join(format!("lib{}_c.so", kernel.name));
    let runtime = locate::static_library().map_err(|places| format!("no runtime in {places:?}"))?;
    run(Command::new("clang-22")
        .args(["-O3", "-march=native", "-shared", "-fPIC", "-I"])
        .arg(folder)
        .arg(program(kernel, "c"))
        .arg("-Wl,-u,arr_runtime_abi_3")
        .arg(runtime)
        .args(["-lm", "-lpthread", "-o"])
        .arg(&output))?;
    Ok(Library::open(&output)?)
}

fn program(kernel: &Kernel, extension: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("programs")
        .join(kernel.name)
        .with_extension(extension)
}

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let result = command.output()?;
    if result.status.success() {
        return Ok(());
    }
    Err(format!("{command:?} failed:\n{}", String::from_utf8_lossy(&result.stderr)).into())
}

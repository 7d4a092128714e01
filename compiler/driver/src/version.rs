//! `arrc --version`, with the details for bug reports.
//!
//! Invariant: the first line is the whole output of `arrc --version` without other options.
//!
//! ```text
//! arrc 0.2.0
//! LLVM: 22.1.8
//! target: x86_64-unknown-linux-gnu
//! commit: 1f2733d0…
//! ```

/// The version. If `is_verbose`, also the versions and the commit that it was built with.
pub(crate) fn text(is_verbose: bool) -> String {
    let version = env!("CARGO_PKG_VERSION");
    if !is_verbose {
        return format!("arrc {version}\n");
    }
    let llvm = arrc_llvm::version();
    let target = arrc_llvm::default_target();
    let commit = option_env!("ARRC_COMMIT").unwrap_or("unknown");
    format!("arrc {version}\nLLVM: {llvm}\ntarget: {target}\ncommit: {commit}\n")
}

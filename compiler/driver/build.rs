//! Tells the crate from which commit it is built.
//!
//! Invariant: without git, or outside of a repository, nothing is told, and nothing fails.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Both change with the commit; paths are as git has them, since a repository may be anywhere.
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    if let Some(commit) = git(&["rev-parse", "HEAD"]) {
        println!("cargo::rustc-env=ARRC_COMMIT={commit}");
    }
}

/// What git prints, if it can.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}

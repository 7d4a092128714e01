//! Tells the crate the commit from which it is built.
//!
//! Invariant: without git, or outside of a repository, there is no commit, and nothing fails.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Both files change with the commit. Git gives their paths, since a repository may be anywhere.
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    if let Some(commit) = git(&["rev-parse", "HEAD"]) {
        println!("cargo::rustc-env=ARRC_COMMIT={commit}");
    }
}

/// The output of git, if git succeeds.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}

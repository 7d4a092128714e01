//! Completions of shells, as the shells read them.
//!
//! Invariant: each shell reads the file that was installed for it, and no file of a user.

use std::process::Command;

use libtest_mimic::{Failed, Trial};

use super::{Installed, expect};
use crate::tools::{arrc, output, succeed};

/// The trials.
pub(super) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("install::completions::bash", bash),
        Trial::test("install::completions::zsh", zsh),
        Trial::test("install::completions::fish", fish),
        Trial::test("install::completions::printed", printed),
    ]
}

/// The options of `build` that begin with `--li` or `--sanitize=`, and no hidden command.
fn bash() -> Result<(), Failed> {
    let installed = Installed::new()?;
    let file = installed.prefix("share/bash-completion/completions/arrc");
    let complete = |words: &[&str]| {
        let script = "source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); \
                      _arrc arrc \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; \
                      echo \"${COMPREPLY[*]}\"";
        let mut bash = Command::new("bash");
        bash.args(["--norc", "--noprofile", "-c", script, "bash"]).arg(&file).args(words);
        succeed(&mut bash)
    };
    equal(&complete(&["arrc", "build", "--li"])?, "--lib --link\n")?;
    equal(&complete(&["arrc", "build", "--lib", "s"])?, "static static-parallel shared\n")?;
    equal(&complete(&["arrc", "te"])?, "test\n")
}

/// A shell on a terminal of its own, which finds the file by its folder. It is ended if it does not complete the line.
fn zsh() -> Result<(), Failed> {
    const SCRIPT: &str = "zmodload zsh/zpty; zpty shell zsh -f -i
        zpty -w shell \"fpath=(${(q)1} \\$fpath); autoload -Uz compinit; compinit -u -D; print RE''ADY\"
        zpty -r -m shell text '*READY*'
        zpty -w -n shell \"$2\"$'\\t'
        zpty -r -m shell text \"*$3*\"";
    let installed = Installed::new()?;
    let folder = installed.prefix("share/zsh/site-functions");
    for (line, completed) in [
        ("arrc build --uniq", "arrc build --unique-names"),
        ("arrc build --lib=sh", "arrc build --lib=shared"),
        ("arrc unins", "arrc uninstall"),
    ] {
        let mut zsh = Command::new("timeout");
        zsh.args(["60", "zsh", "-f", "-c", SCRIPT, "zsh"]).arg(&folder).args([line, completed]);
        succeed(zsh.env("TERM", "dumb"))?;
    }
    Ok(())
}

/// The same in fish, which finds the file by a variable, with the descriptions.
fn fish() -> Result<(), Failed> {
    let installed = Installed::new()?;
    let complete = |line: &str| {
        let mut fish = Command::new("fish");
        fish.args(["-c", "complete -C $argv[1]", line]);
        // As the advice of `arrc install` says. It has no completions for programs that are not there.
        fish.env("XDG_DATA_DIRS", format!("{}:/usr/share", installed.prefix("share").display()));
        fish.env("PATH", format!("{}:/usr/bin", installed.prefix("bin").display()));
        fish.env_remove("XDG_CONFIG_HOME").env_remove("XDG_DATA_HOME");
        succeed(fish.env("HOME", installed.folder.path()))
    };
    expect(&complete("arrc uninst")?, "uninstall\tRemove what `arrc install` has installed")?;
    expect(&complete("arrc build --lib ")?, "shared\t")?;
    equal(&complete("arrc test --hos")?, "")
}

fn equal(found: &str, expected: &str) -> Result<(), Failed> {
    if found == expected { Ok(()) } else { Err(format!("{found:?}, not {expected:?}").into()) }
}

/// `arrc completions` prints the same, and has some for shells that have no folder for them. A hidden command has none.
fn printed() -> Result<(), Failed> {
    let installed = Installed::new()?;
    let print = |shell: &str| succeed(Command::new(arrc()).args(["completions", shell]));
    let file = installed.prefix("share/bash-completion/completions/arrc");
    equal(&print("bash")?, &std::fs::read_to_string(file)?)?;
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = print(shell)?;
        expect(&text, "arrc")?;
        if text.contains("test-child") || text.contains("--host") {
            return Err(format!("{shell} completes what is hidden").into());
        }
    }
    let refused = output(Command::new(arrc()).args(["completions", "tcsh"]))?;
    expect(&String::from_utf8_lossy(&refused.stderr), "bash, elvish, fish, powershell, zsh")
}
